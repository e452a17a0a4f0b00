-- Samples taken elsewhere.
SELECT ebs_import_samples('elsewhere', 'sdf', '[
  {"ts": "2026-01-01 00:00:01+00", "reads": 100, "writes": 50, "read_bytes": 819200, "write_bytes": 409600, "read_ms": 80, "write_ms": 30},
  {"ts": "2026-01-01 00:00:02+00", "reads": 200, "writes": 50, "read_bytes": 1638400, "write_bytes": 409600},
  {"ts": "2026-01-01 00:00:04+00", "reads": 0, "writes": 10, "read_bytes": 0, "write_bytes": 10485760}]');
SELECT label, started_at AT TIME ZONE 'UTC' AS started_at, ended_at AT TIME ZONE 'UTC' AS ended_at, imported FROM ebs.runs_detail;
SELECT ended_at AT TIME ZONE 'UTC' AS ended_at, seconds, volume, reads, writes, read_bytes, write_bytes, read_ms, write_ms
FROM ebs_device_samples('elsewhere');
-- Ten writes of 1 MiB count as 40 requests, over two seconds.
SELECT volume, role, metric, unit, round(mean::numeric, 3) AS mean, p50, p95, max FROM ebs_io_mix('elsewhere');
-- There is nothing of PostgreSQL in them.
SELECT * FROM ebs_io_sources('elsewhere');
SELECT * FROM ebs_waits('elsewhere');
-- They are not part of what was sampled here.
SET client_min_messages = warning; -- that nothing was, where there is no block device
SELECT count(*) AS imported_in_lookback FROM ebs_device_samples(lookback => '10 years') WHERE volume = 'sdf';
RESET client_min_messages;

-- What is refused imports nothing.
SELECT ebs_import_samples('bad', 'sdf', NULL);
SELECT ebs_import_samples('bad', 'sdf', '{}');
SELECT ebs_import_samples('bad', 'sdf', '[]');
SELECT ebs_import_samples('bad', 'sdf', '[1, 2]');
SELECT ebs_import_samples('bad', 'sdf', '[{"ts": "2026-01-01"}]');
SELECT ebs_import_samples('bad', 'sdf', '[{"ts": "2026-01-01", "reads": 1}, {"ts": "2026-01-02", "reads": 1}]');
SELECT ebs_import_samples('bad', 'sdf', '[{"ts": "2026-01-01", "reads": 1, "writes": 1, "read_bytes": 1, "write_bytes": -1},
                                          {"ts": "2026-01-02", "reads": 1, "writes": 1, "read_bytes": 1, "write_bytes": 1}]');
SELECT ebs_import_samples('bad', 'sdf', '[{"ts": "2026-01-02"}, {"ts": "2026-01-01"}]');
SELECT ebs_import_samples('bad', 'sdf', '[{"reads": 1}, {"ts": "2026-01-01"}]');
SELECT ebs_import_samples('bad', 'sdf', '[{"ts": "infinity"}, {"ts": "2026-01-01"}]');
SELECT ebs_import_samples('bad', 'sdf', '[{"ts": "2026-01-01", "reads": 1, "writes": 1, "read_bytes": 1, "write_bytes": 1},
                                          {"ts": "2026-01-01 00:00:00.000001", "reads": 1, "writes": 1, "read_bytes": 1, "write_bytes": 1}]');
SELECT ebs_import_samples('bad', 'sdf', '[{"ts": "yesterday noon"}, {"ts": "2026-01-01"}]');
-- The sample and its member are named, in the second thousand too, of which PostgreSQL reads the times after the first.
CREATE FUNCTION import_with(sample int, change jsonb) RETURNS bigint LANGUAGE sql AS $$
    SELECT ebs_import_samples('bad', 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
        'reads', 1, 'writes', 1, 'read_bytes', 8192, 'write_bytes', 8192) || CASE WHEN i = sample THEN change ELSE '{}' END ORDER BY i))
    FROM generate_series(1, 1100) i
$$;
\set SHOW_CONTEXT never
SELECT import_with(17, '{"ts": "26:01 o''clock"}');
\echo :SQLSTATE
SELECT import_with(1017, '{"ts": "2026-02-30 00:00:00+00"}');
SELECT import_with(17, '{"ts": 17}');
SELECT import_with(17, '{"reads": "a"}');
\echo :SQLSTATE
SELECT import_with(1017, '{"read_bytes": true}');
SELECT import_with(17, '{"read_mss": 3}');
\echo :SQLSTATE
SELECT import_with(17, '{"volume": "sdf"}');
SELECT import_with(17, jsonb_build_object('ts', repeat('x', 100000)));
\set SHOW_CONTEXT errors
-- A text of a number is one, as in JSON of programs that write large numbers so.
SELECT ebs_import_samples('texts', 'sdf', '[{"ts": "2026-01-01 00:00:01+00", "reads": "1e2", "writes": null, "read_bytes": 1, "write_bytes": 1}, {"ts": "2026-01-02"}]');
DROP FUNCTION import_with;
SELECT ebs_import_samples('', 'sdf', '[{"ts": "2026-01-01", "reads": 1, "writes": 1, "read_bytes": 1, "write_bytes": 1},
                                       {"ts": "2026-01-02", "reads": 1, "writes": 1, "read_bytes": 1, "write_bytes": 1}]');
SELECT ebs_import_samples('elsewhere', 'sdf', '[{"ts": "2026-01-01", "reads": 1, "writes": 1, "read_bytes": 1, "write_bytes": 1},
                                                {"ts": "2026-01-02", "reads": 1, "writes": 1, "read_bytes": 1, "write_bytes": 1}]');
SELECT label FROM ebs.runs_detail;
SELECT ebs_run_drop('elsewhere');
SELECT count(*) AS blocks_left FROM ebs.sample_block WHERE run_id IS NOT NULL;
