-- Plateaus near limits: of an instance that sustains 20,000 IOPS (r6i.4xlarge), of two limits that bind together, and without latencies.
-- Ten minutes each, of reads of one size and one latency.
CREATE FUNCTION plateau(label text, reads bigint, bytes bigint, ms float8 DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
    SELECT label FROM ebs_import_samples(label, 'nvme1n1', (SELECT jsonb_agg(jsonb_build_object(
        'ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s', 'reads', n, 'writes', 0, 'read_bytes', n * bytes, 'write_bytes', 0)
        || CASE WHEN ms IS NULL THEN '{}' ELSE jsonb_build_object('read_ms', round(n * ms), 'write_ms', 0) END ORDER BY i)
        FROM generate_series(1, 600) i, LATERAL (SELECT reads + reads * (i % 7 - 3) / 2000 AS n) each))
$$;
SELECT count(plateau('queue ' || reads, reads, 8192, 12)), count(plateau('free ' || reads, reads, 8192, 0.6))
FROM unnest(ARRAY[17000, 17900, 18100, 18500, 19700, 20000, 20100]) reads;

-- 12 ms a request are 237 in flight at 19,700 a second; 0.6 ms are 12, as without a queue. Some 10 % below its limit the instance is named;
-- until then what it delivered is enough.
SELECT label, role #>> '{at_limit,of}' AS of, role #>> '{at_limit,sure}' AS sure,
    round((role #>> '{at_limit,limits,0,likelihood}')::numeric, 2) AS likelihood, role #>> '{instance_binds,bound_by}' AS binds,
    round((role #>> '{instance_binds,plateau,rate}')::numeric) AS plateau, round((role #>> '{need,iops}')::numeric) AS need_iops
FROM ebs.runs, LATERAL (SELECT ebs_advise_json(label, instance => 'r6i.4xlarge', min_size_gib => 500) #> '{roles,0}' AS role) answer
WHERE label ~ '^(queue|free) ' ORDER BY label DESC;

-- Without latencies 3,000 are gp3's own limit or the demand; 2,000 may be provisioned.
SELECT plateau('flat 3000', 3000, 16384), plateau('flat 2000', 2000, 16384);
SELECT label, doc #> '{roles,0,flat_rate,level}' AS level, doc #>> '{roles,0,flat_rate,known_by}' AS known_by,
    doc #>> '{confidence,level}' AS confidence,
    jsonb_path_exists(doc, '$.confidence.causes[*] ? (@.code == "limit_or_demand")') AS limit_or_demand
FROM ebs.runs, LATERAL (SELECT ebs_advise_json(label, min_size_gib => 500) AS doc) answer WHERE label ~ '^flat' ORDER BY label;

-- 3,000 requests of 42.667 KiB are 125 MiB/s: both of gp3's limits at once, and neither is sure alone.
SELECT plateau('both', 3000, 43691, 15);
UPDATE ebs.sample_block b SET run_id = NULL FROM ebs.run r WHERE r.run_id = b.run_id AND r.label = 'both';
UPDATE ebs.run SET imported = false WHERE label = 'both';
INSERT INTO ebs.volume_declared (volume, volume_type, size_gib, iops, throughput_mibps, volumes, declared_at)
    VALUES ('data', 'gp3', 500, 3000, 125, 1, '2025-12-01 00:00:00+00');
SELECT jsonb_path_query_array(ebs_advise_json('both'), '$.roles[0].at_limit.limits[*].limited') AS limits,
    jsonb_path_query_array(ebs_advise_json('both'), '$.roles[0].at_limit.limits[*].level') AS levels,
    jsonb_path_query_first(ebs_advise_json('both'), '$.roles[0].at_limit.sure') AS sure;
DELETE FROM ebs.volume_declared WHERE declared_at = '2025-12-01 00:00:00+00';
DELETE FROM ebs.sample_block WHERE ended_at < '2026-01-02' AND run_id IS NULL;
SELECT count(ebs_run_drop(label)) FROM ebs.runs WHERE label ~ '^(queue |free |flat |both$)';
DROP FUNCTION plateau;
