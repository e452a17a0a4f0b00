-- Jobs of load drivers: the result of one run, once, within its time. A run from 10:00:00 to 10:10:00.
SET timezone = 'UTC';
SELECT ebs_import_samples(label, 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-15 10:00:00+00' + i * interval '1 s',
  'reads', 100, 'writes', 10, 'read_bytes', 819200, 'write_bytes', 81920) ORDER BY i)) FROM generate_series(1, 600) i, unnest('{job-run, other}'::text[]) label GROUP BY label;
CREATE FUNCTION result_of_job(label text, job text, began text, ended text) RETURNS void LANGUAGE sql AS $$
  SELECT ebs_run_result(label, nopm => 20753, details => jsonb_build_object('job', job, 'job_began', began, 'job_ended', ended)) $$;
-- Five seconds of difference between two clocks are allowed, at both ends.
SELECT result_of_job('job-run', 'A', '2026-01-15T09:59:55Z', '2026-01-15T10:10:05Z');
SELECT result_of_job('job-run', 'B', '2026-01-15T09:59:54Z', '2026-01-15T10:09:00Z');
SELECT result_of_job('job-run', 'B', '2026-01-15T10:00:00Z', '2026-01-15T10:10:06Z');
SELECT result_of_job('job-run', 'B', NULL, '2026-01-15T11:00:00Z');
-- The same job twice, of this run or another.
SELECT result_of_job('job-run', 'A', '2026-01-15T10:00:00Z', NULL);
SELECT result_of_job('other', 'A', NULL, NULL);
-- An imported result does not bar a run that was sampled here: its document may name any job.
BEGIN;
UPDATE ebs.run SET imported = false WHERE label = 'other';
SELECT result_of_job('other', 'A', NULL, NULL);
SELECT result_of_job('other', 'A', NULL, NULL);
ROLLBACK;
-- Times that are not known, or none, refuse nothing.
SELECT result_of_job('job-run', 'C', NULL, NULL);
SELECT result_of_job('other', 'D', 'yesterday evening', 'no time');
SELECT ebs_run_result('other', tps => 1);
SELECT r.label, count(*), string_agg(x.details ->> 'job', ',' ORDER BY x.details ->> 'job') FROM ebs.run r JOIN ebs.run_result x USING (run_id)
WHERE r.label IN ('job-run', 'other') GROUP BY 1 ORDER BY 1;
SELECT ebs_run_drop('job-run'), ebs_run_drop('other');
DROP FUNCTION result_of_job;
RESET timezone;
