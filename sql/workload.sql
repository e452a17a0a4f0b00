-- What a database did, from a block whose figures are known: ten seconds, CPU time for eight of them (crates/workload/src/activity_tests.rs).
\set block `cat sql/reports/workload.hex`
SELECT ebs_import_samples('recorded', 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
  'reads', 1, 'writes', 1, 'read_bytes', 8192, 'write_bytes', 8192))) FROM generate_series(1, 10) i;
-- Devices are all that was imported.
SELECT * FROM ebs_workload('recorded');
UPDATE ebs.sample_block b SET format = 3, samples = decode(:'block', 'hex') FROM ebs.runs_detail r WHERE r.run_id = b.run_id AND r.label = 'recorded';
-- 5,000 commits and 100 rollbacks; 12.8 s of CPU time in 8 s; 3,000 flushes, and 9 s in them and in the writes before.
SELECT metric, round(value::numeric, 3) AS value, unit, detail FROM ebs_workload('recorded');
SELECT ebs_run_drop('recorded');

-- Live.
CREATE TABLE workload_rows (i int);
SELECT ebs_run_begin('worked') > 0 AS begun;
DO $$ BEGIN FOR i IN 1 .. 200 LOOP INSERT INTO workload_rows VALUES (i); COMMIT; END LOOP; END $$;
DO $$ BEGIN FOR i IN 1 .. 50 LOOP INSERT INTO workload_rows VALUES (i); ROLLBACK; END LOOP; END $$;
SELECT count(*) FROM generate_series(1, 8000000);
SELECT pg_stat_force_next_flush();
SELECT ebs_run_end();
CREATE TEMP TABLE worked AS
    SELECT metric, value, value * extract(epoch FROM duration) AS total FROM ebs.runs_detail, ebs_workload('worked') WHERE label = 'worked';
-- All is known but flushes, of which there are none without fsync.
SELECT count(*) AS figures, count(value) AS known FROM worked WHERE metric NOT LIKE 'WAL flush%';
-- Ours are 200 commits, a handful of statements, and 50 rollbacks; the sampler's are not in it.
SELECT metric, round(total / 50) * 50 AS about FROM worked WHERE metric IN ('commits', 'rollbacks', 'transactions') ORDER BY metric COLLATE "C";
-- One session counted to eight millions, which takes half a second of CPU time or more, however many share the CPUs.
SELECT bool_and(total > 0.1) AS worked FROM worked WHERE metric IN ('active sessions', 'on CPU*', 'CPU of clients', 'CPU of the server', 'CPU of the machine');
SELECT c.value <= s.value AND s.value <= m.value AS parts_of_each_other FROM worked c, worked s, worked m
    WHERE c.metric = 'CPU of clients' AND s.metric = 'CPU of the server' AND m.metric = 'CPU of the machine';
SELECT s.value >= 0.9 AND s.value + 0.001 > a.value + c.value AS connected FROM worked s, worked a, worked c
    WHERE s.metric = 'sessions' AND a.metric = 'active sessions' AND c.metric = 'waiting for the client';
SELECT bool_and(total > 0) AS written FROM worked WHERE metric IN ('WAL', 'WAL writes');
SELECT value >= 1 AS cpus FROM worked WHERE metric = 'CPUs';
-- Nothing of a time in which nothing was sampled.
SELECT count(*) FROM ebs_workload(lookback => '1 microsecond');
SELECT ebs_run_drop('worked');
DROP TABLE workload_rows, worked;
