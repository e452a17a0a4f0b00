-- Answers of ebsctl fleet: stored once a volume and time, and what was changed and saved since.
SET timezone = 'UTC';
\pset null -
-- volumes: a configuration as a row has it.
CREATE FUNCTION volumes(volume_type text, size_gib int, iops int, throughput_mibps int, usd_month float8) RETURNS jsonb LANGUAGE sql
    RETURN jsonb_build_object('volume_type', volume_type, 'volumes', 1, 'size_gib', size_gib, 'iops', iops, 'throughput_mibps', throughput_mibps, 'usd_month', usd_month);
-- answer: a row, as a line.
CREATE FUNCTION answer(volume text, action text, present jsonb, recommended jsonb, saved float8, more jsonb DEFAULT '{}') RETURNS text LANGUAGE sql
    RETURN (jsonb_build_object('volume', volume, 'account', '123456789012', 'region', 'eu-west-1', 'instance', 'i-1', 'owner', 'payments',
        'action', action, 'present', present, 'recommended', recommended, 'usd_month_saved', saved, 'risk', 'low', 'confidence', 'high',
        'reason', '{"code": "test", "text": "A reason."}'::jsonb, 'evidence', '{"grade": "seconds", "coverage_pct": 99.5}'::jsonb) || more)::text;

SELECT ebs_import_fleet(concat_ws(E'\n',
    answer('vol-a', 'modify', volumes('gp2', 1000, 3000, 250, 110), volumes('gp3', 1000, 3000, 250, 93), 17),
    answer('vol-b', 'modify', volumes('io1', 500, 10000, 1000, 800), volumes('gp3', 500, 10000, 500, 87), 713),
    answer('vol-c', 'keep', volumes('gp3', 100, 3000, 125, 8.8), NULL, 0),
    answer('vol-d', 'delete', volumes('gp3', 200, 3000, 125, 17.6), NULL, 17.6),
    answer('db-1', 'no_answer', NULL, NULL, NULL, '{"instance": "db-1", "account": null, "owner": null, "tags": {"a": "b"}}')), '2026-11-01');
SELECT volume, name, owner, account, region, instance, action, volume_type, size_gib, iops, throughput_mibps, usd_month, recommended_volume_type,
    recommended_iops, recommended_usd_month, usd_month_saved, risk, confidence, grade, coverage_pct, reason_code, reason
FROM ebs.fleet_latest ORDER BY volume;
SELECT count(*), count(answer -> 'tags') AS whole, bool_and(imported_by = session_user) AS mine FROM ebs.fleet_answer;
SELECT * FROM ebs.fleet_changes;
SELECT * FROM ebs.fleet_savings;

-- The same again, as an array, with one answer that differs, which replaces.
SELECT ebs_import_fleet('[' || answer('vol-c', 'keep', volumes('gp3', 100, 3000, 125, 9), NULL, 0) || ']', '2026-11-01');
SELECT count(*), count(*) FILTER (WHERE usd_month = 9) AS replaced FROM ebs.fleet_answer;

-- A week later vol-a is as advised, vol-b is otherwise, vol-c has grown, vol-d is gone.
SELECT ebs_import_fleet(concat_ws(E'\n',
    answer('vol-a', 'keep', volumes('gp3', 1000, 3000, 250, 93), NULL, 0),
    answer('vol-b', 'modify', volumes('gp3', 500, 12000, 500, 98), volumes('gp3', 500, 10000, 500, 87), 11),
    answer('vol-c', 'keep', volumes('gp3', 200, 3000, 125, 17.6), NULL, 0)), '2026-11-08');
SELECT count(*) FROM ebs_import_configuration('{"VolumesModifications": [
    {"VolumeId": "vol-a", "ModificationState": "completed", "StartTime": "2026-11-03T10:00:00Z", "OriginalVolumeType": "gp2", "TargetVolumeType": "gp3"},
    {"VolumeId": "vol-b", "ModificationState": "optimizing", "StartTime": "2026-11-09T10:00:00Z", "OriginalIops": 12000, "TargetIops": 10000}]}');
SELECT volume, advised_at, action, modified_at, found_at, as_advised, usd_month_before, usd_month_after, usd_month_saved, usd_month_advised
FROM ebs.fleet_changes ORDER BY volume, advised_at;
SELECT volume, volume_type_before, size_gib_before, iops_before, throughput_mibps_before, volume_type_after, size_gib_after, iops_after, throughput_mibps_after
FROM ebs.fleet_changes ORDER BY volume, advised_at;
SELECT * FROM ebs.fleet_savings ORDER BY advised_at;
SELECT count(*) AS latest, count(*) FILTER (WHERE advised_at = '2026-11-08') AS of_this_week FROM ebs.fleet_latest;
-- The same volume id in another region is another volume.
SELECT ebs_import_fleet(answer('vol-a', 'keep', volumes('gp2', 10, 100, 128, 1), NULL, 0, '{"region": "us-east-1"}'), '2026-11-08');
SELECT count(*) AS changes FROM ebs.fleet_changes WHERE volume = 'vol-a';

-- What is wrong is refused whole, with the row and the key.
SELECT ebs_import_fleet(answer('vol-e', 'keep', NULL, NULL, 0) || answer('vol-f', 'sell', NULL, NULL, 0), '2026-11-08');
\echo :SQLSTATE
SELECT ebs_import_fleet(answer('vol-e', 'keep', NULL, NULL, 0, '{"present": {"volume_type": "gp3", "iops": 1.5}}'), '2026-11-08');
SELECT ebs_import_fleet(answer('vol-e', 'keep', NULL, NULL, 0) || answer('vol-e', 'keep', NULL, NULL, 1), '2026-11-08');
\echo :SQLSTATE
SELECT ebs_import_fleet('volume,action', '2026-11-08');
\echo :SQLSTATE
SELECT ebs_import_fleet('', '2026-11-08');
SELECT ebs_import_fleet(NULL, '2026-11-08');
SELECT ebs_import_fleet(answer('vol-e', 'keep', NULL, NULL, 0, jsonb_build_object('long', repeat('x', 70000))), '2026-11-08');
\echo :SQLSTATE
SELECT ebs_import_fleet(answer('vol-e', 'keep', NULL, NULL, 0), NULL);
\echo :SQLSTATE
SELECT ebs_import_fleet(answer('vol-e', 'keep', NULL, NULL, 0), 'infinity');
SELECT count(*) AS kept FROM ebs.fleet_answer WHERE volume IN ('vol-e', 'vol-f');
-- Bounded, as runs are.
ALTER SYSTEM SET ebs_advisor.run_storage_limit = '1MB';
SELECT pg_reload_conf();
\connect -
SET timezone = 'UTC';
SELECT ebs_import_fleet(string_agg(answer('vol-' || i, 'keep', NULL, NULL, 0, jsonb_build_object('noise',
    (SELECT string_agg(md5(i || ' ' || j), '') FROM generate_series(1, 60) j))), E'\n'), '2026-11-08') FROM generate_series(1, 1000) i;
\echo :SQLSTATE
ALTER SYSTEM RESET ebs_advisor.run_storage_limit;
SELECT pg_reload_conf();
\connect -
SET timezone = 'UTC';

-- What another version may have stored is shown as far as it is what the columns are of.
INSERT INTO ebs.fleet_answer (advised_at, volume, action, answer) VALUES
    ('2026-11-08', 'vol-x', 'keep', '{"name": 7, "claim": {}, "present": {"volume_type": "gp4", "size_gib": "much", "iops": 1.5, "throughput_mibps": [125], "volumes": 1e40},
        "recommended": {"volume_type": "gp5", "usd_month": true, "iops": -1}, "evidence": [{"grade": "minutes", "coverage_pct": "most"}], "reason": "none", "limit_pct": "1.5."}'),
    ('2026-11-07', 'vol-x', 'keep', '{"present": {"volume_type": "gp5", "size_gib": 5}, "recommended": 3, "limit_pct": 1.50, "evidence": {"coverage_pct": 1e400}}'),
    ('2026-11-08', 'vol-y', 'keep', '"a text"');
SELECT volume, name, claim, volume_type, volumes, size_gib, iops, recommended_volume_type, recommended_iops, recommended_usd_month AS usd, limit_pct, grade, reason FROM ebs.fleet_latest WHERE volume IN ('vol-x', 'vol-y');
SELECT volume, volume_type_before, size_gib_before, iops_before, throughput_mibps_before, volume_type_after, size_gib_after, as_advised FROM ebs.fleet_changes WHERE volume = 'vol-x';
DELETE FROM ebs.fleet_answer WHERE volume IN ('vol-x', 'vol-y');

SELECT ebs_fleet_forget('2026-11-08');
SELECT ebs_fleet_forget(NULL);
SELECT advised_at, count(*) FROM ebs.fleet_answer GROUP BY advised_at;
SELECT ebs_fleet_forget(now() + interval '100 years');
SELECT ebs_configuration_reset();

-- Histograms of demand: nothing is wrong where no block device is sampled.
SELECT count(*) >= 0 AS answers, count(*) FILTER (WHERE seconds < 0 OR total < 0) AS negative FROM ebs_demand_histogram();
SELECT count(*) AS odd FROM ebs_demand_metrics() line WHERE line !~ '^(# (HELP|TYPE) )?ebs_demand_(requests|bytes)_(bucket|sum|count)[ {]';
DROP FUNCTION volumes, answer;
