-- Runs from beginning to end.
SELECT ebs_run_begin('first', '{"why": "a test"}') > 0 AS begun;
SELECT label, started_at <= clock_timestamp() AS started, ended_at IS NULL AS open, note, imported, started_by
FROM ebs.runs_detail;
SELECT ebs_run_mark('measure');
SELECT ebs_run_mark('over');
SELECT ebs_run_mark('');
SELECT ebs_run_end();
SELECT ebs_run_result('first', tps => 1234.5, latency_ms => 6.4, details => '{"driver": "pgbench"}');
SELECT ebs_run_result('first', tps => 1300, nopm => 20753, tpm => 48102);
SELECT label, ended_at >= started_at AS ended, tps, latency_ms, nopm, tpm, (SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(phases) k) AS phases
FROM ebs.runs_detail;
-- Its environment says what makes I/O comparable.
SELECT environment ->> 'server_version' = current_setting('server_version') AS version,
       environment -> 'settings' ->> 'block_size' AS block_size,
       environment -> 'settings' ? 'track_io_timing' AS timing
FROM ebs.runs_detail;

-- One at a time, each label once.
SELECT ebs_run_begin('first');
SELECT ebs_run_begin('second') > 0 AS begun;
SELECT ebs_run_begin('third');
SELECT ebs_run_end();

-- What is refused.
SELECT ebs_run_end();
SELECT ebs_run_mark('measure');
SELECT ebs_run_begin('');
SELECT ebs_run_begin(NULL);
SELECT ebs_run_begin(repeat('x', 201));
SELECT ebs_run_begin(E'two\nlines');
SELECT ebs_run_drop('nobody');
SELECT ebs_run_result('nobody', tps => 1);
SELECT ebs_run_result('second');
SELECT ebs_run_result('second', tps => -1);
SELECT ebs_run_result('second', tps => 'NaN');

-- An empty run, and an unknown one.
SELECT line ~ '^Insufficient data: \d+ s of device samples, at least 30 s are needed\.$' OR no_device() AS insufficient
FROM ebs_advise('second', show => 'all') line WHERE line ~ '^Insufficient';
SELECT feasible, reason ~ '^insufficient data: \d+ s of device samples, at least 30 s are needed$' OR no_device() AS reason FROM ebs_options_detail('second');
SELECT * FROM ebs_options_detail('nobody');
SELECT ebs_advise('nobody');
SELECT * FROM ebs_io_mix('nobody');

SELECT ebs_run_drop('first');
SELECT ebs_run_drop('second');
SELECT count(*) AS runs FROM ebs.runs_detail;
-- Samples stay: they belong to the look-back too.
SELECT count(*) > 0 AS kept FROM ebs.sample_block;
