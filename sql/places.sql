-- Places that have other types and prices than a region: Local and Wavelength Zones, Outposts, Multi-Attach, regions without prices.
SET timezone = 'UTC';
\pset null -
-- Volumes as the AWS CLI prints them, one of each place; 200 IOPS on each for ten minutes.
CREATE FUNCTION described(id text, volume_type text, iops int, zone text, more jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_build_object('VolumeId', id, 'VolumeType', volume_type, 'Size', 500, 'Iops', iops, 'State', 'in-use', 'AvailabilityZone', zone,
        'Attachments', jsonb_build_array(jsonb_build_object('InstanceId', 'i-00000000000000001', 'Device', '/dev/sdf', 'VolumeId', id))) || more $$;
SELECT objects FROM ebs_import_configuration(jsonb_build_object('Volumes', jsonb_build_array(
    described('vol-01', 'gp2', 1500, 'us-west-2-lax-1a'),
    described('vol-02', 'gp2', 1500, 'us-east-1-wl1-bos-wlz-1'),
    described('vol-03', 'gp2', 1500, 'us-east-1a', '{"OutpostArn": "arn:aws:outposts:us-east-1:123456789012:outpost/op-0a"}'),
    described('vol-04', 'io1', 5000, 'us-east-1a', '{"MultiAttachEnabled": true}'),
    described('vol-05', 'io2', 5000, 'us-east-1a', '{"MultiAttachEnabled": true}'),
    described('vol-06', 'gp2', 1500, 'cn-north-1a'),
    described('vol-07', 'gp3', 3000, 'us-west-2-lax-1a', '{"Throughput": 125}')))::text) WHERE objects > 0;
CREATE FUNCTION made(run text) RETURNS bigint LANGUAGE sql AS $$
    SELECT ebs_import_samples(run, 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '2024-11-20 10:00:00+00' + i * interval '1 s',
        'reads', 200, 'writes', 0, 'read_bytes', 200 * 8192, 'write_bytes', 0))) FROM generate_series(0, 600) i $$;
SELECT count(made('vol-0' || i)) FROM generate_series(1, 7) i;

-- What each can be. No amount is known but that of Multi-Attach in a region.
SELECT i AS volume, o.rank, o.volume_type, o.size_gib, o.iops, o.usd_month, o.usd_month_saved, o.feasible, o.reason
FROM generate_series(1, 7) i, ebs_options_detail('vol-0' || i, min_size_gib => 500) o WHERE o.feasible OR o.bound_by = 'type unavailable' ORDER BY i, o.rank;
SELECT regexp_replace(line, '[0-9]{4}-[0-9]{2}-[0-9]{2}\)', 'DATE)') AS line FROM ebs_advise('vol-01') line;
SELECT i AS volume, line FROM generate_series(2, 6) i, ebs_advise('vol-0' || i) line WHERE line ~ '^(  Place|  Shared|RECOMMENDED)';
SELECT count(*) AS amounts FROM generate_series(1, 3) i, ebs_advise('vol-0' || i, show => 'all') line WHERE line ~ '\$[0-9]';
SELECT count(*) AS amounts FROM ebs_report_html('vol-01') page WHERE page ~ '\$[0-9]';
SELECT i AS volume, unknown FROM generate_series(1, 6) i, jsonb_array_elements_text(ebs_advise_json('vol-0' || i) -> 'not_known') unknown
WHERE unknown ~ 'prices|capacity|types|Multi-Attach';
SELECT d #>> '{request,platform}' AS platform, d #>> '{request,region}' AS region, d #>> '{roles,0,now,price}' AS now, d ->> 'usd_month_apart' AS usd
FROM generate_series(1, 3) i, ebs_advise_json('vol-0' || i) d;

-- Commands that AWS takes: of Multi-Attach io2 alone is modified, and keeps its type.
SELECT i AS volume, line FROM generate_series(4, 5) i, ebs_advise('vol-0' || i, show => 'commands') line WHERE line ~ 'Change|change|Multi-Attach|modify-volume|type of|with the cluster' ORDER BY i;

-- RDS in a Local Zone: the type of its storage alone; which others it has there is not known, and no price is. A platform of RDS that is named stays there.
SELECT objects FROM ebs_import_configuration('{"DBInstances": [{"DBInstanceIdentifier": "lax", "DBInstanceClass": "db.r5.large", "Engine": "postgres",
    "DBInstanceStatus": "available", "StorageType": "gp2", "AllocatedStorage": 500, "AvailabilityZone": "us-west-2-lax-1a",
    "DBInstanceArn": "arn:aws:rds:us-west-2:123456789012:db:lax"}]}') WHERE objects > 0;
SELECT made('lax');
SELECT o.rank, o.volume_type, o.size_gib, o.usd_month, o.feasible, o.reason FROM ebs_options_detail('lax') o ORDER BY o.rank;
SELECT line FROM ebs_advise('lax') line WHERE line ~ '^(  Place|RECOMMENDED)|smaller';
SELECT d #>> '{request,platform}' AS platform, d #>> '{request,region}' AS region, d ->> 'usd_month_apart' IS NULL AS unknown
FROM unnest('{NULL,rds,ec2}'::text[]) p, ebs_advise_json('lax', platform => p) d;
SELECT unknown FROM jsonb_array_elements_text(ebs_advise_json('lax') -> 'not_known') unknown WHERE unknown ~ 'prices|types';

-- Zones and regions by argument: a zone has its platform, a region that is named leaves the zone.
SELECT d #>> '{request,platform}' AS platform, d #>> '{request,region}' AS region, d ->> 'usd_month_apart' IS NULL AS unknown
FROM unnest('{us-west-2-lax-1,US-EAST-1-WL1-BOS-WLZ-1,us-west-2,ap-southeast-9}'::text[]) r, ebs_advise_json('vol-01', region => r) d;
SELECT d #>> '{request,platform}' AS platform, d #>> '{request,region}' AS region FROM ebs_advise_json('vol-01', platform => 'ec2') d;
SELECT volume_type, usd_month FROM ebs_whatif('vol-01', 'gp2', size_gib => 500);
SELECT i AS volume, note ~ 'not known whether us-west-2-lax-1a has gp3|gp3 has no Multi-Attach' AS said FROM unnest('{1,5,6,7}'::int[]) i, ebs_whatif('vol-0' || i, 'gp3', size_gib => 500) ORDER BY i;
SELECT count(*) AS rows FROM ebs_prices('us-west-2-lax-1a');
SELECT * FROM ebs_price('gp2', 100, region => 'us-west-2-lax-1a');
SELECT * FROM ebs_price('gp2', 100, region => 'cn-north-1');
SELECT * FROM ebs_price('gp2', 100, platform => 'outposts');
SELECT ebs_advise('vol-01', budget_usd => 100);
-- Restore: fast snapshot restore has a price in us-east-1, and none on an Outpost or in a zone of the volumes.
SELECT i AS volume, usd_month, note ~ 'whether (the Outpost|us-[a-z0-9-]+) offers it is not known$' AS said
FROM generate_series(1, 4) i, ebs_restore_time('vol-0' || i) WHERE way = 'fast snapshot restore, enabled before' ORDER BY i;

SELECT count(ebs_run_drop(label)) AS dropped FROM ebs.runs WHERE label ~ '^(vol-0[1-7]|lax)$';
SELECT ebs_configuration_reset() AS objects;
DROP FUNCTION described, made;
