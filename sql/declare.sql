-- What users say of their volumes and their instance. Which device the cluster is on is the machine's, so data and wal go by role.
-- Without /sys no machine shows a stripe or an instance type.
ALTER SYSTEM SET ebs_advisor.sysfs_root = '/nonexistent';
SELECT pg_reload_conf();
\connect -
-- Where both are on one volume the later one is in force, with a notice.
SET client_min_messages = warning;
SELECT ebs_volume_declare('data', 'io2', 500, 20000);
SELECT ebs_volume_declare('wal', 'gp2', 1000);
SELECT volume, volume_type, size_gib, iops, throughput_mibps, volumes FROM ebs.volume_declared ORDER BY declared_at;

-- The latest holds; one without a type withdraws what was said.
SELECT ebs_volume_declare('data', 'gp3', 1024, 16000, 1000);
SELECT ebs_volume_declare('wal', NULL, NULL);
SELECT DISTINCT ON (volume) volume, volume_type, size_gib, iops, throughput_mibps, volumes FROM ebs.volume_declared
ORDER BY volume, declared_at DESC;
SELECT ebs_volume_declare('wal', NULL, NULL);
SELECT ebs_volume_declare('data', NULL, NULL);
SELECT ebs_volume_declare('data', NULL, NULL);

-- What EBS does not sell: the errors of ebs_price.
RESET client_min_messages;
\set VERBOSITY terse
SELECT ebs_volume_declare('data', 'gp9', 500);
\set VERBOSITY default
SELECT ebs_volume_declare('data', 'gp3', 1, 3001);
SELECT ebs_volume_declare('data', 'gp3', 500, 3000, 1000);
SELECT ebs_volume_declare('data', 'gp2', 100, 3000);
SELECT ebs_volume_declare('data', 'io2', 100, throughput_mibps => 4000);
SELECT ebs_volume_declare('data', 'gp3', 65537);
SELECT ebs_volume_declare('data', 'gp3', -1);
SELECT ebs_volume_declare('data', 'gp3', NULL);
SELECT ebs_volume_declare('data', 'gp3', 500, volumes => 0);

-- Volumes the cluster is not on; the hint has what there is, here without the machine's own names.
\set VERBOSITY terse
SELECT ebs_volume_declare('vol-00000000000000000', 'gp3', 500);
SELECT ebs_volume_declare('tablespace nowhere', 'gp3', 500);
SELECT ebs_volume_declare('', 'gp3', 500);
SELECT ebs_volume_declare(NULL, 'gp3', 500);
\set VERBOSITY default
CREATE FUNCTION hint_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    hint text;
BEGIN
    EXECUTE statement;
    RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN SQLSTATE || ' ' || hint;
END $$;
SELECT hint_of($$SELECT ebs_volume_declare('nowhere', 'gp3', 500)$$) ~ '^42704 This cluster is on data' AS data_is_named;
SELECT count(*) AS kept FROM ebs.volume_declared WHERE volume <> 'data' AND volume <> 'wal';

-- The instance.
SELECT ebs_instance_declare('R6I.4xlarge');
SELECT ok, detail FROM ebs_status() WHERE "check" = 'instance';
SELECT ebs_instance_declare('r6i.5xlarge');
SELECT ebs_instance_declare('');
SELECT ebs_instance_declare(NULL);
SELECT instance FROM ebs.instance_declared ORDER BY declared_at DESC LIMIT 1;
SELECT ok IS NULL AS not_known, detail, hint FROM ebs_status() WHERE "check" = 'instance';

-- A report shows what held at the end of its window: the latest before, or else the first after. Samples taken elsewhere
-- are of another cluster.
SELECT ebs_import_samples('elsewhere', 'sdf', jsonb_agg(jsonb_build_object(
    'ts', timestamptz '2026-01-01' + i * interval '1 s', 'reads', 100, 'writes', 100,
    'read_bytes', 819200, 'write_bytes', 819200) ORDER BY i)) FROM generate_series(1, 60) i;
SELECT ebs_instance_declare('m5.large');
SELECT ebs_run_begin('here') > 0 AS begun;
SELECT ebs_run_end();
SELECT ebs_instance_declare('r6i.4xlarge');
SELECT line ~ 'm5.large' AS at_its_end FROM ebs_advise('here', show => 'all') line WHERE line LIKE 'EBS advice%';
DELETE FROM ebs.instance_declared WHERE instance = 'm5.large' OR instance IS NULL;
DELETE FROM ebs.instance_declared WHERE declared_at < (SELECT ended_at FROM ebs.runs_detail WHERE label = 'here');
SELECT line ~ 'r6i.4xlarge' AS the_first_after FROM ebs_advise('here', show => 'all') line WHERE line LIKE 'EBS advice%';
-- But not what was withdrawn since, which was a mistake.
SELECT ebs_instance_declare(NULL);
SELECT line ~ 'instance unknown' AS withdrawn FROM ebs_advise('here', platform => 'ec2', show => 'all') line WHERE line LIKE 'EBS advice%';
SELECT ebs_instance_declare('m5.large');
SELECT line ~ 'm5.large' AS corrected FROM ebs_advise('here', show => 'all') line WHERE line LIKE 'EBS advice%';
SELECT line ~ 'instance unknown' AS of_another FROM ebs_advise('elsewhere', show => 'all') line WHERE line LIKE 'EBS advice%';

-- A mistake that is replaced before a sample is recorded holds for no run; the sampler waits for the lock.
DELETE FROM ebs.volume_declared;
CREATE FUNCTION kept() RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(format('%s %s GiB', one ->> 'volume_type', one ->> 'size_gib'), ', ')
    FROM jsonb_array_elements(ebs_run_export('here') #> '{runs,0,declared,volumes}') one
$$;
BEGIN;
LOCK TABLE ebs.sample_block IN SHARE MODE;
SELECT ebs_volume_declare('data', 'gp3', 200);
SELECT kept();
SELECT ebs_volume_declare('data', 'gp2', 500);
SELECT kept();
COMMIT;
-- One with samples stays that of the runs before, with a notice, until it is withdrawn: what followed it goes with it.
SELECT await($$ EXISTS (SELECT FROM ebs.sample_block WHERE ended_at > (SELECT max(declared_at) FROM ebs.volume_declared)) $$) AS sampled;
SELECT ebs_volume_declare('data', 'gp3', 1000);
SELECT kept();
SELECT ebs_volume_declare('data', NULL, NULL);
SELECT kept();
SELECT ebs_volume_declare('data', 'gp3', 1000);
SELECT kept();
-- The same without samples leaves the withdrawal.
BEGIN;
LOCK TABLE ebs.sample_block IN SHARE MODE;
SELECT ebs_volume_declare('data', NULL, NULL);
SELECT ebs_volume_declare('data', 'io2', 500, 20000);
SELECT kept();
COMMIT;
DELETE FROM ebs.volume_declared;
DROP FUNCTION kept;

-- What was declared has a price, 500 × 0.125 + 20,000 × 0.065, and each option saves what it costs less: that of EC2 on RDS
-- too. Advice takes half a minute of samples, and a block device.
SELECT await($$ NOT EXISTS (SELECT FROM ebs_options_detail() WHERE reason ~ 'samples') $$) AS enough;
SELECT ebs_volume_declare('data', 'io2', 500, 20000);
CALL look();
SELECT platform, count(*) >= 4 OR no_device() AS advised,
    count(*) FILTER (WHERE usd_month_saved IS DISTINCT FROM 1362.50 - usd_month) AS wrong
FROM (VALUES ('ec2'), ('rds')) asked (platform), ebs_options_detail(platform => asked.platform)
GROUP BY platform ORDER BY platform;
SELECT platform, bool_or(line ~ '^Today +declared io2 20,000 IOPS, 500 GiB: \$1,362\.50 a month') OR no_device() AS now
FROM (VALUES ('ec2'), ('rds')) asked (platform), ebs_advise(platform => asked.platform, show => 'all') line
GROUP BY platform ORDER BY platform;
SELECT ebs_volume_declare('data', NULL, NULL);
CALL look();
SELECT count(usd_month_saved) AS saved_on_nothing FROM ebs_options_detail();
SELECT count(*) AS lines_of_now FROM ebs_advise(show => 'all') line WHERE line ~ '^Today ';

SELECT ebs_run_drop(label) FROM ebs.runs_detail;
DELETE FROM ebs.instance_declared;
DELETE FROM ebs.volume_declared;
DROP FUNCTION hint_of;
ALTER SYSTEM RESET ebs_advisor.sysfs_root;
SELECT pg_reload_conf();
