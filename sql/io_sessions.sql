-- Whose I/O it was: where nothing of PostgreSQL was sampled, and arguments. tests/live/io_sessions.sh has sessions.
SELECT ebs_import_samples('elsewhere', 'sdf', '[
  {"ts": "2026-01-01 00:00:01+00", "reads": 100, "writes": 50, "read_bytes": 819200, "write_bytes": 409600},
  {"ts": "2026-01-01 00:00:02+00", "reads": 200, "writes": 50, "read_bytes": 1638400, "write_bytes": 409600}]');
SELECT * FROM ebs_io_sessions('elsewhere');
SELECT * FROM ebs_io_sessions('nobody');
SELECT * FROM ebs_io_sessions(lookback => '-1 day');
SELECT ebs_run_drop('elsewhere');
