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
SELECT ebs_import_samples('', 'sdf', '[{"ts": "2026-01-01", "reads": 1, "writes": 1, "read_bytes": 1, "write_bytes": 1},
                                       {"ts": "2026-01-02", "reads": 1, "writes": 1, "read_bytes": 1, "write_bytes": 1}]');
SELECT ebs_import_samples('elsewhere', 'sdf', '[{"ts": "2026-01-01", "reads": 1, "writes": 1, "read_bytes": 1, "write_bytes": 1},
                                                {"ts": "2026-01-02", "reads": 1, "writes": 1, "read_bytes": 1, "write_bytes": 1}]');
SELECT label FROM ebs.runs_detail;
SELECT ebs_run_drop('elsewhere');
SELECT count(*) AS blocks_left FROM ebs.sample_block WHERE run_id IS NOT NULL;
