-- What the device moved is known of samples taken elsewhere, and nothing of PostgreSQL: NULL, not 0.
SELECT ebs_import_samples('elsewhere', 'sdf', '[
  {"ts": "2026-01-01 00:00:01+00", "reads": 100, "writes": 50, "read_bytes": 819200, "write_bytes": 409600},
  {"ts": "2026-01-01 00:00:02+00", "reads": 100, "writes": 0, "read_bytes": 819200, "write_bytes": 0}]');
SELECT * FROM ebs_balance('elsewhere');
SELECT ebs_run_drop('elsewhere');

-- A device that moved nothing has no percentages.
SELECT ebs_import_samples('idle', 'sdf', '[
  {"ts": "2026-01-01 00:00:01+00", "reads": 0, "writes": 0, "read_bytes": 0, "write_bytes": 0},
  {"ts": "2026-01-01 00:00:02+00", "reads": 0, "writes": 0, "read_bytes": 0, "write_bytes": 0}]');
SELECT * FROM ebs_balance('idle') WHERE side = 'device';
SELECT ebs_run_drop('idle');

-- Of what is sampled here PostgreSQL's lines are always the same, and none of them is negative. Temporary files are known for the time
-- between two readings of their own, which in so short a run need not be 95 % of what was sampled: tests/live/balance.sh has them.
SELECT ebs_run_begin('here') > 0 AS begun;
CREATE TABLE balanced AS SELECT i, repeat('x', 500) AS filler FROM generate_series(1, 20000) i;
-- What the first wrote is counted when the second begins.
CHECKPOINT;
CHECKPOINT;
SELECT pg_stat_force_next_flush();
SELECT await($$ (SELECT write_bytes > 5000000 FROM ebs_balance('here') WHERE line = 'WAL') $$) AS counted;
SELECT ebs_run_end();
SELECT line, read_bytes >= 0 AS read, write_bytes >= 0 AS written FROM ebs_balance('here')
WHERE side = 'PostgreSQL' AND line NOT LIKE '%WAL%' AND line <> 'temporary files';
SELECT write_bytes > 5000000 AS written FROM ebs_balance('here') WHERE line = 'WAL';
SELECT sum(write_bytes) = (SELECT sum(write_bytes + extend_bytes) FROM ebs_io_sources('here')) AS same_as_its_sources
FROM ebs_balance('here') WHERE side = 'PostgreSQL' AND line <> 'temporary files';
DROP TABLE balanced;
SELECT ebs_run_drop('here');

-- What cannot be asked for.
SELECT * FROM ebs_balance('no such run');
SELECT * FROM ebs_balance(lookback => '-1 day');
