-- Changes of RDS's storage: each command carries the parameters that go with another, none is printed that a pending change forbids, and
-- a demand that was cut off is not met by a smaller limit. Smaller storage takes a Blue/Green deployment. Times of imports are masked.
SET timezone = 'UTC';
CREATE FUNCTION masked(text) RETURNS text LANGUAGE sql AS $$ SELECT regexp_replace($1, '20\d\d-\d\d-\d\d( \d\d:\d\d)?', 'DATE', 'g') $$;
CREATE FUNCTION shown(run text, show text) RETURNS TABLE (line text) LANGUAGE sql AS $$
    SELECT masked(answer) FROM ebs_advise(run, show => show) answer
$$;
-- instance(name, GiB, status, class, more): an RDS instance on gp3.
CREATE FUNCTION instance(name text, gib int, status text, more jsonb DEFAULT '{}') RETURNS bigint LANGUAGE sql AS $$
    SELECT sum(changed) FROM ebs_import_configuration(jsonb_build_object('DBInstances', jsonb_build_array(jsonb_build_object(
        'DBInstanceIdentifier', name, 'DBInstanceClass', 'db.r6g.xlarge', 'Engine', 'postgres', 'DBInstanceStatus', status,
        'AllocatedStorage', gib, 'AvailabilityZone', 'us-east-1a', 'MultiAZ', false, 'StorageType', 'gp3',
        'Iops', CASE WHEN gib < 400 THEN 3000 ELSE 12000 END, 'StorageThroughput', CASE WHEN gib < 400 THEN 125 ELSE 500 END,
        'DBInstanceArn', 'arn:aws:rds:us-east-1:123456789012:db:' || name) || more))::text)
$$;
-- load(name, MiB/s before, MiB/s from the second of four hours on, requests of KiB, queue depth, free GiB): CloudWatch's minutes.
CREATE FUNCTION load(name text, low numeric, high numeric, kib int, depth int, free_gib int DEFAULT NULL) RETURNS bigint LANGUAGE sql AS $$
    SELECT ebs_import_cloudwatch(name, jsonb_build_object('MetricDataResults', jsonb_agg(jsonb_build_object(
        'Id', 'm' || k, 'Label', name || ' ' || m, 'StatusCode', 'Complete', 'Timestamps', ts, 'Values', v))))
    FROM (SELECT k, m, jsonb_agg(to_char(timestamp '2026-01-20' + i * interval '1 min', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') ORDER BY i) ts,
            jsonb_agg(CASE m WHEN 'ReadIOPS' THEN bytes / 1024 / kib WHEN 'WriteIOPS' THEN 50 WHEN 'ReadThroughput' THEN bytes - 400000
                WHEN 'WriteThroughput' THEN 400000 WHEN 'FreeStorageSpace' THEN free_gib * 1073741824.0
                WHEN 'DiskQueueDepth' THEN CASE WHEN i < 60 THEN .4 ELSE depth END
                ELSE CASE WHEN i < 60 THEN .001 ELSE .001 * depth END END ORDER BY i) v
          FROM (SELECT i, CASE WHEN i < 60 THEN low * 1048576 ELSE (high - .4) * 1048576 + (i * 7919 % 200000) END bytes
                FROM generate_series(0, 239) i) minutes,
            unnest('{ReadIOPS,WriteIOPS,ReadThroughput,WriteThroughput,ReadLatency,WriteLatency,DiskQueueDepth,FreeStorageSpace}'::text[])
                WITH ORDINALITY u(m, k)
          WHERE m <> 'FreeStorageSpace' OR free_gib IS NOT NULL GROUP BY k, m) metrics
$$;

-- gp3 of 300 GiB at its 125 MiB/s for 3 of 4 hours. 1,050 requests a second are at least as many behind the limit: with 20 % more 1,260 of
-- gp2, which takes 420 GiB, $48.30; gp3 of 400 GiB lifts the limit for $46.00. RDS optimizes the storage, and has accepted that change.
SELECT instance('rds_cut', 300, 'storage-optimization', '{"PendingModifiedValues": {"AllocatedStorage": 400, "Iops": 12000, "StorageThroughput": 500}}');
SELECT load('rds_cut', 40, 125, 128, 13);
SELECT rank, volume_type, size_gib, iops, throughput_mibps, usd_month FROM ebs_options('rds_cut') WHERE feasible;
SELECT * FROM shown('rds_cut', 'commands');
SELECT masked(text) FROM jsonb_to_recordset(ebs_advise_json('rds_cut') #> '{evidence,pending_changes}') AS x(text text);
-- Available again: the commands are there. A pending change of the class alone forbids none, and is applied with them.
SELECT instance('rds_cut', 300, 'available', '{"PendingModifiedValues": {"DBInstanceClass": "db.r6g.2xlarge"}}');
SELECT line FROM shown('rds_cut', 'commands') WHERE line ~ 'aws rds|allocated|pending|waits|applies';

-- --iops goes with --allocated-storage, on the way back too.
SELECT ebs_import_samples('rds_iops', 'd', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-20 00:00+00' + i * interval '1 s',
    'reads', 9600 + i * 7919 % 11, 'writes', 6400, 'read_bytes', 9600 * 8192, 'write_bytes', 6400 * 8192, 'read_ms', 38000,
    'write_ms', 25600) ORDER BY i)) FROM generate_series(1, 600) i;
SELECT ebs_instance_declare('db.r6g.4xlarge', run => 'rds_iops');
SELECT ebs_volume_declare('data', 'gp3', 500, 16000, 500, run => 'rds_iops');
SELECT line FROM shown('rds_iops', 'commands') WHERE line ~ 'aws rds|allocated';

-- 1,000 GiB of which 840 are free: 160 used and 25 % are 200 GiB, $23.00 in place of $115.00, and one volume suffices for the load.
SELECT instance('rds_roomy', 1000, 'available');
SELECT load('rds_roomy', 20, 40, 128, 1, 840);
SELECT role, volume_type, size_gib, iops, throughput_mibps, usd_month FROM ebs_options('rds_roomy') WHERE role ~ 'Blue';
SELECT line FROM shown('rds_roomy', 'screen') WHERE line ~ 'RECOMMENDED|smaller';
SELECT line FROM shown('rds_roomy', 'commands') WHERE line ~ 'aws rds|target|GiB|Delete|switch';
SELECT x.missing, x.required_gib, x.current_gib, x.usd_month_today, x.usd_month_saved, x.leaves_stripe
FROM jsonb_to_record(ebs_advise_json('rds_roomy') #> '{roles,0,smaller_storage}')
    AS x(missing text, required_gib int, current_gib int, usd_month_today numeric, usd_month_saved numeric, leaves_stripe boolean);
-- A password that Secrets Manager manages, and backups that are off, are in the way of the copy: no command before they are changed.
SELECT instance('rds_secret', 1000, 'available', '{"MasterUserSecret": {"SecretStatus": "active"}, "BackupRetentionPeriod": 0}'),
    load('rds_secret', 20, 40, 128, 1, 840);
SELECT count(*) FILTER (WHERE line ~ 'aws rds create-blue') AS commands, string_agg(substring(line, 'AWS refuses it while|AWS requires automated backups'), ', ') AS reasons
FROM shown('rds_secret', 'commands');
-- An upgrade that waits is applied too; the limit of autoscaling goes with the storage.
SELECT instance('rds_limit', 300, 'available', '{"PendingModifiedValues": {"EngineVersion": "16.6"}, "MaxAllocatedStorage": 350}'),
    load('rds_limit', 40, 125, 128, 13);
SELECT line FROM shown('rds_limit', 'commands') WHERE line ~ 'aws rds|allocated|pending|autoscaling';
-- A standby is added by the same command, a cluster is another one.
SELECT line FROM ebs_advise('rds_cut', show => 'commands', platform => 'rds-multi-az') line WHERE line ~ 'aws rds|multi-az|standby';
SELECT line FROM ebs_advise('rds_cut', show => 'commands', platform => 'rds-cluster') line WHERE line ~ 'aws rds|modified into|Rollback';
-- Without the free space it is not known.
SELECT ebs_advise_json('rds_cut') #>> '{roles,0,smaller_storage,missing}' AS missing;

-- Free space that contradicts the size tells no use; growth of the use is part of the size.
SELECT instance('rds_free', 1000, 'available'), load('rds_free', 20, 40, 128, 1, 1200);
SELECT ebs_advise_json('rds_free') #>> '{roles,0,smaller_storage,missing}' AS missing;
-- Limits that cannot be read leave the size: less would not hold the data.
SELECT instance('rds_magnetic', 200, 'available', '{"StorageType": "standard", "Iops": null, "StorageThroughput": null}'),
    load('rds_magnetic', 10, 10, 16, 1);
SELECT min(size_gib) AS least_gib FROM ebs_options('rds_magnetic') WHERE feasible;

-- Other engines have other storage; MySQL's is PostgreSQL's.
SELECT instance('rds_mysql', 500, 'available', '{"Engine": "mysql"}'), load('rds_mysql', 20, 40, 128, 1);
SELECT count(*) > 0 AS answered FROM ebs_options('rds_mysql');
-- RDS stays RDS in a Local Zone, without prices.
SELECT d #>> '{request,platform}' AS platform, d #>> '{request,region}' AS region FROM ebs_advise_json('rds_mysql', region => 'us-west-2-lax-1a') d;
SELECT instance('rds_oracle', 500, 'available', '{"Engine": "oracle-se2"}'), load('rds_oracle', 20, 40, 128, 1);
SELECT ebs_advise('rds_oracle');
SELECT ebs_advise('rds_oracle', platform => 'rds');
SELECT count(*) > 0 AS answered FROM ebs_options('rds_oracle', platform => 'ec2');
-- RDS on Outposts has storage of the Outpost.
SELECT instance('rds_outpost', 500, 'available', '{"DBSubnetGroup": {"Subnets": [{"SubnetOutpost": {"Arn": "arn:aws:outposts:us-east-1:123456789012:outpost/op-1"}}]}}'), load('rds_outpost', 20, 40, 128, 1);
SELECT ebs_advise('rds_outpost');
SELECT * FROM ebs_restore_time('rds_outpost', size_gib => 100);
SELECT * FROM ebs_restore_time('rds_oracle');
-- Databases without volumes are refused by name.
SELECT ebs_import_configuration('{"DBShardGroups": [{"DBShardGroupIdentifier": "limitless"}]}');
SELECT ebs_import_configuration('{"clusters": [{"identifier": "abc", "arn": "arn:aws:dsql:us-east-1:123456789012:cluster/abc"}]}');
SELECT ebs_import_configuration('{"identifier": "abc", "arn": "arn:aws:dsql:us-east-1:123456789012:cluster/abc", "status": "ACTIVE"}');
SELECT ebs_import_configuration('{"DBClusters": [{"DBClusterIdentifier": "x", "Engine": "aurora-postgresql", "ClusterScalabilityType": "limitless"}]}');

SELECT ebs_run_drop(label) FROM unnest('{rds_cut,rds_secret,rds_limit,rds_iops,rds_roomy,rds_free,rds_magnetic,rds_mysql,rds_oracle,rds_outpost}'::text[]) label;
SELECT ebs_configuration_reset() IS NOT NULL AS reset;
DROP FUNCTION shown, masked, instance, load;
