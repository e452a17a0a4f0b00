-- The present configuration, as the AWS CLI prints it: imported, joined to runs by volume id and identifier, and what follows from it.
SET timezone = 'UTC';
\pset null -
\set ec2 `cat sql/reports/configuration-ec2.json`
\set rds `cat sql/reports/configuration-rds.json`
\set cloudwatch `cat sql/reports/cloudwatch-rds.json`

-- Without any configuration nothing is known of the volumes.
SELECT ebs_import_cloudwatch('mydb', :'cloudwatch');
CREATE FUNCTION heading(run text) RETURNS TABLE (line text) LANGUAGE sql AS $$
    SELECT line FROM ebs_advise(run) line WHERE line ~ '^(ebs_advisor|  rds|  Now|RECOMMENDED|  Size|  today)' $$;
SELECT * FROM heading('mydb');
SELECT count(*) AS options, count(usd_month_saved) AS with_saving FROM ebs_options_detail('mydb', min_size_gib => 500) WHERE rank = 1;
-- An RDS import is advised storage of RDS. Its declared volume has the price of RDS, 500 × 0.115 $, and cannot shrink.
SELECT ebs_volume_declare('storage', 'gp3', 500, 12000, 500, run => 'mydb');
SELECT d #>> '{request,platform}' AS platform, d #>> '{roles,0,now,price,usd_month}' AS usd_month FROM ebs_advise_json('mydb') d;
SELECT min(size_gib) AS least FROM ebs_options_detail('mydb') WHERE feasible;
SELECT d #>> '{request,platform}' AS platform, d #>> '{roles,0,now,price,usd_month}' AS usd_month FROM ebs_advise_json('mydb', platform => 'rds') d;
-- An instance type of EC2 says otherwise.
SELECT ebs_instance_declare('r6g.large', run => 'mydb');
SELECT d #>> '{request,platform}' AS platform FROM ebs_advise_json('mydb') d;
SELECT ebs_instance_declare(NULL, run => 'mydb');
SELECT ebs_volume_declare('storage', NULL, NULL, run => 'mydb');

-- Both accounts' documents in succession.
SELECT * FROM ebs_import_configuration(:'rds' || :'ec2');
-- The same again changes nothing; an array of documents.
SELECT * FROM ebs_import_configuration('[' || :'rds' || ']');
SELECT kind, name, region, account, happened_at, facts FROM ebs.configuration ORDER BY kind, name;
SELECT count(*) FILTER (WHERE confirmed_at > imported_at) AS confirmed, count(*) AS rows, bool_and(imported_by = session_user) AS mine
FROM ebs.configuration;

-- An RDS run by its label: platform, region, class, size, Now and saving. Multi-AZ gp3 of 500 GiB with the included 12,000 IOPS.
CREATE FUNCTION screen(run text, shown text) RETURNS TABLE (line text) LANGUAGE sql AS $$
    SELECT regexp_replace(line, '[0-9]{4}-[0-9]{2}-[0-9]{2}\)', 'DATE)') FROM ebs_advise(run, show => shown) line $$;
SELECT * FROM screen('mydb', 'screen');
SELECT * FROM screen('mydb', 'all') line WHERE line ~ 'DATE|^EBS advice';
SELECT usd_month, usd_month_saved FROM ebs_options_detail('mydb') WHERE rank = 1;
SELECT usd_month FROM ebs_price('gp3', 500, 12000, 500, platform => 'rds-multi-az', region => 'eu-west-1');
SELECT d #>> '{request,platform}' AS platform, d #>> '{request,region}' AS region, d #>> '{instance,instance_type}' AS instance, d -> 'roles' -> 0 -> 'now' -> 'volumes' AS now
FROM ebs_advise_json('mydb') d;
-- RDS's storage cannot shrink.
SELECT min(size_gib) AS least FROM ebs_options_detail('mydb') WHERE feasible;
SELECT volume_type, size_gib, usd_month FROM ebs_whatif('mydb', 'io2', 5000);
-- The commands need no current settings.
SELECT count(*) FILTER (WHERE line ~ 'CURRENT_TYPE') AS asked FROM ebs_advise('mydb', show => 'commands') line;
-- An argument has precedence.
SELECT d #>> '{request,platform}' AS platform, d #>> '{request,region}' AS region, d #>> '{instance,instance_type}' AS instance FROM ebs_advise_json('mydb',
    platform => 'ec2', region => 'us-east-1', instance => 'r6i.large') d;
SELECT min(size_gib) AS least FROM ebs_options_detail('mydb', min_size_gib => 700) WHERE feasible;
-- A class is known to be RDS's where the run is.
SELECT d #>> '{instance,instance_type}' AS instance FROM ebs_advise_json('mydb', instance => 'db.r6g.2xlarge') d;

-- By the identifier and the resource id that an import stored; a label that nothing is called stays unknown.
SELECT ebs_import_cloudwatch('other', :'cloudwatch');
SELECT d #>> '{request,platform}' AS platform FROM ebs_advise_json('other') d;
UPDATE ebs.run SET environment = environment || '{"db_instance": "old"}' WHERE label = 'other';
SELECT d #>> '{request,platform}' AS platform, d #>> '{instance,instance_type}' AS instance, d -> 'roles' -> 0 -> 'now' -> 'volumes' AS now FROM ebs_advise_json('other') d;
-- gp2 of 200 GiB to gp3: a saving.
SELECT * FROM screen('other', 'screen');
SELECT * FROM screen('other', 'commands');
UPDATE ebs.run SET environment = environment || '{"dbi_resource_id": "db-ABCDEFGHIJKLMNOPQRSTUVWXY"}' WHERE label = 'other';
SELECT d #>> '{request,platform}' AS platform, d #>> '{instance,instance_type}' AS instance FROM ebs_advise_json('other') d;
-- Two regions have an instance of that name: none is taken, which is said.
SELECT * FROM ebs_import_configuration('{"DBInstances": [{"DBInstanceIdentifier": "mydb", "DBInstanceClass": "db.m5.large",
    "DBInstanceArn": "arn:aws:rds:us-west-2:999999999999:db:mydb"}]}');
SELECT d #>> '{request,platform}' AS platform FROM ebs_advise_json('mydb') d;
SELECT ebs_import_samples('two', 'mydb', jsonb_agg(jsonb_build_object('ts', timestamptz '2024-11-20 10:00:00+00' + i * interval '1 s',
    'reads', 100, 'writes', 100, 'read_bytes', 819200, 'write_bytes', 819200) ORDER BY i)) FROM generate_series(1, 120) i;
SELECT d #>> '{request,platform}' AS platform FROM ebs_advise_json('two') d;
SELECT ebs_run_drop('two');

-- An EC2 volume by the id that is its device. Modified from gp2 to gp3 between 10:30 and 10:40: before, it was gp2.
SELECT ebs_import_samples('pg1', 'vol-0a00000000000001a', jsonb_agg(jsonb_build_object('ts', timestamptz '2024-11-20 10:00:00+00' + i * interval '10 s',
    'reads', CASE WHEN i < 180 THEN 20000 ELSE 40000 END + i % 7, 'writes', 5000, 'read_bytes', 20000 * 8192, 'write_bytes', 5000 * 8192,
    'read_ms', CASE WHEN i < 180 THEN 20000 ELSE 24000 END, 'write_ms', 4000) ORDER BY i)) FROM generate_series(1, 360) i;
SELECT d #>> '{request,platform}' AS platform, d #>> '{request,region}' AS region, d #>> '{instance,instance_type}' AS instance, d -> 'roles' -> 0 -> 'now' -> 'volumes' AS now
FROM ebs_advise_json('pg1') d;
SELECT ebs_import_samples('earlier', 'vol-0a00000000000001a', jsonb_agg(jsonb_build_object('ts', timestamptz '2024-11-20 09:00:00+00' + i * interval '10 s',
    'reads', 20000, 'writes', 5000, 'read_bytes', 20000 * 8192, 'write_bytes', 5000 * 8192) ORDER BY i)) FROM generate_series(1, 90) i;
SELECT d -> 'roles' -> 0 -> 'now' -> 'volumes' AS now FROM ebs_advise_json('earlier') d;
-- The run before and after it, by one call; twice as many reads.
SELECT metric, round(a) AS a, round(b) AS b, verdict, note FROM ebs_compare_change('pg1') WHERE metric ~ '^(reads|storage|volumes|requests)' ORDER BY 1, 2;
SELECT count(*) > 5 AS compared FROM ebs_compare_change('pg1', at => '2024-11-20 10:30');
-- The run is of both: the report, the screen and JSON say when, from what to what, and which of both is Today's. One before it is not.
SELECT * FROM screen('pg1', 'all') line WHERE line ~ 'was changed';
SELECT regexp_replace(line, 'configuration of [0-9-]{10}', 'configuration of DATE') AS line FROM ebs_advise('pg1') line
WHERE line ~ 'Today|Confidence|after the change|before and after';
SELECT jsonb_pretty(d #> '{evidence,configuration_changes}') AS changes, jsonb_path_exists(d, '$.confidence.causes[*] ? (@.code == "configuration_changed")') AS is_cause
FROM ebs_advise_json('pg1') d;
SELECT d #> '{evidence,configuration_changes}' AS changes, jsonb_path_exists(d, '$.confidence.causes[*] ? (@.code == "configuration_changed")') AS is_cause
FROM ebs_advise_json('earlier') d;
-- RDS does not say when: the time is named.
SELECT count(*) FROM ebs_compare_change('mydb');
SELECT count(*) FROM ebs_compare_change('mydb', at => '2026-11-21');
SELECT count(*) > 5 AS compared FROM ebs_compare_change('mydb', at => '2026-11-20 10:02');
SELECT count(*) FROM ebs_compare_change('nowhere');

-- Declarations of an imported run have precedence, and are exported with it.
SELECT ebs_volume_declare('data', 'io2', 600, 10000, run => 'mydb');
SELECT ebs_instance_declare('db.r6i.large', run => 'mydb');
SELECT ebs_volume_declare('data', 'io2', 600, 10000, run => 'mydb');
SELECT d #>> '{request,platform}' AS platform, d #>> '{instance,instance_type}' AS instance, d -> 'roles' -> 0 -> 'now' -> 'volumes' AS now FROM ebs_advise_json('mydb') d;
SELECT e::jsonb #> '{runs,0,declared}' -> 'instance' AS instance, (e::jsonb #> '{runs,0,declared,volumes,0}') - 'declared_us'::text AS volume FROM ebs_run_export('mydb') e;
-- RDS stripes 500 GiB of gp3 itself, with 12,000 IOPS at least.
SELECT ebs_volume_declare('storage', 'gp3', 500, 3000, run => 'mydb');
SELECT ebs_volume_declare('storage', 'gp3', 500, volumes => 4, run => 'mydb');
SELECT ebs_volume_declare('storage', 'gp3', 500, run => 'mydb');
SELECT declared #> '{volumes,1}' ->> 'iops' AS iops FROM ebs.run WHERE label = 'mydb';
SELECT ebs_volume_declare('storage', NULL, NULL, run => 'mydb');
SELECT ebs_volume_declare('storage', NULL, NULL, run => 'mydb');
SELECT ebs_volume_declare('nowhere', 'gp3', 500, run => 'mydb');
SELECT ebs_volume_declare('data', 'gp3', 500, run => 'nowhere');
SELECT ebs_instance_declare('r6i.large', run => 'nowhere');
SELECT ebs_instance_declare('r6i.largest', run => 'mydb');
SELECT ebs_instance_declare(NULL, run => 'mydb');
-- Samples of this server, open and ended.
SELECT ebs_run_begin('here') > 0 AS begun;
SELECT ebs_volume_declare('data', 'gp3', 500, run => 'here');
SELECT ebs_run_end();
SELECT ebs_instance_declare('r6i.large', run => 'here');

-- A field that AWS did not print is unknown: gp3 without its throughput has no price.
SELECT * FROM ebs_import_configuration('{"Volumes": [{"VolumeId": "vol-0c", "VolumeType": "gp3", "Size": 100, "Iops": 3000}]}');
SELECT ebs_import_samples('vol-0c', 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '2024-11-20 10:00:00+00' + i * interval '1 s',
    'reads', 100, 'writes', 100, 'read_bytes', 819200, 'write_bytes', 819200) ORDER BY i)) FROM generate_series(1, 120) i;
SELECT d -> 'roles' -> 0 -> 'now' AS now FROM ebs_advise_json('vol-0c') d;
SELECT changed FROM ebs_import_configuration('{"Volumes": [{"VolumeId": "vol-0c", "VolumeType": "gp3", "Size": 100, "Iops": 3000, "Throughput": 125}]}') WHERE objects > 0;
SELECT count(*) AS versions FROM ebs.configuration WHERE name = 'vol-0c';
-- The id is known by the label of the run, or by the device of its samples: no command asks for it, and the disk is found by it.
SELECT r AS run, line FROM unnest('{vol-0c,pg1}'::text[]) r, ebs_advise(r, min_size_gib => 5000, show => 'commands') line
WHERE line ~ 'VOLUME_ID|modify-volume|/dev/';
-- Two imports within a run: the change is between them.
UPDATE ebs.configuration SET imported_at = v.at, confirmed_at = v.at FROM (VALUES (false, timestamptz '2024-11-20 10:00:30+00'), (true, '2024-11-20 10:01:30+00'))
    v (later, at) WHERE name = 'vol-0c' AND facts ? 'throughput_mibps' = later;
SELECT * FROM screen('vol-0c', 'all') line WHERE line ~ 'was changed';
SELECT jsonb_pretty(d #> '{evidence,configuration_changes}') AS changes FROM ebs_advise_json('vol-0c') d;

-- An instance that the metrics name is known whatever the run is called. Its storage and its dedicated log volume are Now, with the price of both.
SELECT changed FROM ebs_import_configuration('{"DBInstances": [{"DBInstanceIdentifier": "dlvdb", "Engine": "postgres", "DBInstanceClass": "db.r6g.large", "StorageType": "io1",
    "AllocatedStorage": 400, "Iops": 3000, "DedicatedLogVolume": true, "DBInstanceArn": "arn:aws:rds:eu-west-1:123456789012:db:dlvdb"}]}') WHERE objects > 0;
SELECT ebs_import_cloudwatch('before tuning', jsonb_build_object('MetricDataResults', jsonb_agg(r || jsonb_build_object('Id', 'm' || n || suffix, 'Label',
    concat('dlvdb ', r ->> 'Label', suffix)))), device => 'dlvdb', wal_device => 'dlvdb log volume')
FROM jsonb_array_elements(:'cloudwatch'::jsonb -> 'MetricDataResults') WITH ORDINALITY results (r, n), unnest(ARRAY['', 'LogVolume']) suffix;
SELECT d #>> '{request,platform}' AS platform, jsonb_pretty(d #> '{roles,0,now,volumes}') AS now, d #>> '{roles,0,now,price,usd_month}' AS usd_month
FROM ebs_advise_json('before tuning') d;
SELECT sum(usd_month) AS usd_month FROM (SELECT usd_month FROM ebs_price('io1', 400, 3000, platform => 'rds', region => 'eu-west-1') UNION ALL
    SELECT usd_month FROM ebs_price('io1', 1024, 3000, platform => 'rds', region => 'eu-west-1')) prices;
SELECT * FROM screen('before tuning', 'screen') line WHERE line ~ '^(ebs_advisor|  Today|  today)';
SELECT count(*) FROM ebs_frontier('before tuning');
SELECT ebs_run_drop('before tuning');

-- An instance of Aurora: its samples are answered, and no volume is advised.
SELECT objects FROM ebs_import_configuration('{"DBInstances": [{"DBInstanceIdentifier": "aurora1", "Engine": "aurora-postgresql", "DBInstanceClass": "db.r6g.large"}]}') WHERE objects > 0;
SELECT ebs_import_samples('aurora1', 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '2024-11-20 10:00:00+00' + i * interval '1 s',
    'reads', 100, 'writes', 100, 'read_bytes', 819200, 'write_bytes', 819200) ORDER BY i)) FROM generate_series(1, 120) i;
SELECT count(*) FROM ebs_device_samples('aurora1');
SELECT ebs_advise('aurora1');
SELECT count(*) > 0 AS as_rds FROM ebs_options('aurora1', platform => 'rds');

-- What is refused stores nothing.
SELECT * FROM ebs_import_configuration(NULL);
SELECT * FROM ebs_import_configuration('');
SELECT * FROM ebs_import_configuration('{"MetricDataResults": []}');
SELECT * FROM ebs_import_configuration(left(:'rds', 500));
SELECT * FROM ebs_import_configuration('{"Volumes": [{"VolumeId": "vol-1"}, {"VolumeId": "vol-2", "Size": "large"}]}');
SELECT * FROM ebs_import_configuration('{"Volumes": [{"VolumeId": "vol-1", "Size": 1}, {"VolumeId": "vol-1", "Size": 2}]}');
SELECT * FROM ebs_import_configuration('{"DBInstances": [{"DBInstanceIdentifier": "x", "AvailabilityZone": "eu-west-1a", "DBInstanceArn": "arn:aws:rds:us-east-1:1:db:x"}]}');
SELECT * FROM ebs_import_configuration(repeat(' ', 140000000));
SELECT count(*) AS stored FROM ebs.configuration WHERE name IN ('vol-1', 'vol-2', 'x');
-- A page that is not the last.
SELECT * FROM ebs_import_configuration('{"Volumes": [], "NextToken": "abc"}') WHERE objects > 0;

-- Who may import, and who may read.
CREATE ROLE ebs_configuration_reader IN ROLE pg_monitor;
SET ROLE ebs_configuration_reader;
SELECT * FROM ebs_import_configuration('{"Volumes": []}');
SELECT ebs_configuration_reset();
SELECT count(*) > 5 AS readable FROM ebs.configuration;
SELECT d #>> '{request,platform}' AS platform FROM ebs_advise_json('other') d;
RESET ROLE;
DROP ROLE ebs_configuration_reader;

SELECT ebs_configuration_reset() > 5 AS removed;
SELECT d #>> '{request,platform}' AS platform FROM ebs_advise_json('other') d;
SELECT count(ebs_run_drop(label)) AS dropped FROM ebs.runs WHERE label IN ('mydb', 'other', 'pg1', 'earlier', 'vol-0c', 'here', 'aurora1');
DROP FUNCTION heading(text), screen(text, text);
