-- What EBS counts itself: where nobody published it, and arguments. tests/live/nvme.sh has pages.
SELECT ebs_import_samples('elsewhere', 'sdf', '[
  {"ts": "2026-01-01 00:00:01+00", "reads": 100, "writes": 50, "read_bytes": 819200, "write_bytes": 409600},
  {"ts": "2026-01-01 00:00:02+00", "reads": 200, "writes": 50, "read_bytes": 1638400, "write_bytes": 409600}]');
-- Not known is no row and a notice, never a row of zeros.
SELECT * FROM ebs_nvme('elsewhere');
SELECT * FROM ebs_nvme_histogram('elsewhere');
SELECT * FROM ebs_nvme('nobody');
SELECT * FROM ebs_nvme_histogram('nobody');
SELECT * FROM ebs_nvme(lookback => '-1 day');
SELECT * FROM ebs_nvme_histogram(lookback => '100 years');
SELECT ebs_run_drop('elsewhere');

-- Switched off, pages are not looked for.
ALTER SYSTEM SET ebs_advisor.nvme_directory = '';
SELECT pg_reload_conf();
\connect -
SELECT ok, detail, hint FROM ebs_status() WHERE "check" = 'nvme';
ALTER SYSTEM RESET ebs_advisor.nvme_directory;
SELECT pg_reload_conf();
