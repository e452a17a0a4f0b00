-- Grades of what fio measured, and of what the evidence shows. The reports are in sql/reports, which says where each comes from.
SET timezone = 'UTC';
\pset null -
\set plus `cat sql/reports/fio-3.33-plus.json`
\set plain `cat sql/reports/fio-3.33.json`

-- A run of its own, as long as fio's longest job, without samples.
SELECT ebs_import_fio('fio', E'fio: a message {\n' || :'plus');
SELECT label, imported, environment, ended_at > started_at AS lasted FROM ebs_runs();
SELECT ebs_import_fio('plain', :'plain');
SELECT j ->> 'name' AS job, j ->> 'rw' AS rw, j ->> 'block_bytes' AS block_bytes, j ->> 'jobs' AS jobs, j ->> 'iodepth' AS iodepth,
       coalesce(j -> 'read', j -> 'write') ? 'ios' OR j -> 'write' ? 'ios' AS measured
FROM ebs.run_fio f JOIN ebs.run r USING (run_id), jsonb_array_elements(f.fio -> 'jobs') j WHERE label = 'fio';

-- Every p95 is the one that fio printed.
SELECT test, device, round(measured::numeric, 4) AS measured, unit, grade, basis, note FROM ebs_report_card('fio');
SELECT DISTINCT thresholds, source FROM ebs_report_card('fio') WHERE thresholds IS NOT NULL ORDER BY thresholds;
SELECT (SELECT array_agg(grade) FROM ebs_report_card('fio')) = (SELECT array_agg(grade) FROM ebs_report_card('plain')) AS same_jobs_same_grades;

-- Latencies in buckets, each twice as wide as the one before, of every request; plain JSON has none.
SELECT source, kind, sum(requests) AS requests, round(sum(share_pct)::numeric, 6) AS share_pct, bool_and(to_us = greatest(2 * from_us, 1)) AS log2
FROM ebs_latency_histogram('fio') GROUP BY source, kind ORDER BY source;
SELECT * FROM ebs_latency_histogram('fio') WHERE source = 'fio read_16';
SELECT * FROM ebs_latency_histogram('plain');

-- Graded to the edge: p95 of 2.000 ms is an A, 1.999 an A+; and with twice the users 4.4 is (4.4 / 2 - 1) / 2 = 0.6, a C.
CREATE FUNCTION report(rw text, bs text, jobs int, p95_ms numeric, bins text DEFAULT '') RETURNS text LANGUAGE sql AS $$
    SELECT format('{"fio version": "fio-3.36", "timestamp": 1700000000, "jobs": [{"jobname": "made_%1$s", "elapsed": 60,
        "job options": {"rw": "%1$s", "bs": "%2$s", "numjobs": "%3$s", "direct": "1"},
        "%4$s": {"io_bytes": %5$s, "total_ios": 1000, "iops": 10, "bw_bytes": 1000,
                 "clat_ns": {"mean": 1000, "percentile": {"95.000000": %6$s} %7$s}}}],
        "disk_util": [{"name": "nvme1n1"}]}',
        rw, bs, jobs, CASE WHEN rw LIKE '%read' THEN 'read' ELSE 'write' END, 1000 * pg_size_bytes(replace(replace(bs, 'k', ' kB'), 'm', ' MB')),
        p95_ms * 1000000, bins)
$$;
SELECT ebs_import_fio('made', report('randread', '8k', 16, 2.000)), ebs_import_fio('made', report('randread', '8k', 32, 4.4));
SELECT ebs_import_fio('made', report('write', '1k', 4, 0.1999)), ebs_import_fio('made', report('write', '1k', 16, 0.21));
SELECT ebs_import_fio('made', report('read', '1m', 1, 30)), ebs_import_fio('made', report('write', '128k', 4, 5.9));
SELECT test, device, measured, grade, note FROM ebs_report_card('made') WHERE grade IS NOT NULL;
-- The latest of the same test counts.
SELECT ebs_import_fio('made', report('randread', '8k', 16, 1.999));
SELECT measured, grade, note FROM ebs_report_card('made') WHERE test = '8 KiB random read, 16 users';

-- Two modes, three quarters at 0.6 ms and a quarter at 20 ms.
SELECT ebs_import_fio('modes', report('randread', '8k', 16, 21, ', "bins": {"600000": 750, "20000000": 250}'));
SELECT test, device, basis, note FROM ebs_report_card('modes') WHERE test = 'two latency modes';
SELECT kind, from_us, to_us, requests, share_pct, bar FROM ebs_latency_histogram('modes');

-- The evidence of devices: a hundred seconds of 500 reads of 8 KiB, 9 ms each in six of them and 1 ms in the others.
SELECT ebs_import_samples('live', 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 500, 'writes', 20, 'read_bytes', 500 * 8192, 'write_bytes', 20 * 16384, 'read_ms', CASE WHEN i % 16 = 0 THEN 4500 ELSE 500 END, 'write_ms', 20) ORDER BY i))
FROM generate_series(1, 100) i;
SELECT test, device, measured, grade, basis, note FROM ebs_report_card('live');
-- With fio's report beside it there are two lines of a test.
SELECT ebs_import_fio('live', report('randread', '8k', 16, 3));
SELECT test, measured, grade, basis FROM ebs_report_card('live') WHERE grade IS NOT NULL;
-- A minute of touching blocks for the first time, at the same rate as the four that follow.
SELECT ebs_import_samples('cold', 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 500 + i % 7, 'writes', 0, 'read_bytes', (500 + i % 7) * 8192, 'write_bytes', 0, 'read_ms', CASE WHEN i <= 60 THEN 4000 ELSE 500 END + 10 * (i % 5), 'write_ms', 0) ORDER BY i))
FROM generate_series(1, 300) i;
SELECT test, device, round(measured::numeric, 2) AS measured, unit, note FROM ebs_report_card('cold') WHERE test = 'slow start';

-- What is refused imports nothing, and what is not known is no grade.
SELECT ebs_import_fio('bad', NULL);
SELECT ebs_import_fio('bad', 'hello');
SELECT ebs_import_fio('bad', left(:'plain', -30));
SELECT ebs_import_fio('bad', replace(:'plain', 'fio-3', 'fio-2'));
SELECT ebs_import_fio('bad', replace(:'plain', '"total_ios" : ', '"total_ios" : -'));
SELECT ebs_import_fio('bad', '{"sysstat": {"hosts": []}}');
SELECT ebs_import_fio('', :'plain');
SELECT count(*) AS bad FROM ebs_runs('bad');
SELECT * FROM ebs_report_card('nobody');
SELECT count(*) AS lines, count(grade) AS grades FROM ebs_report_card(lookback => '1 microsecond');
DROP FUNCTION report;
DO $$ BEGIN PERFORM ebs_run_drop(label) FROM ebs.runs_detail; END $$;
SELECT count(*) AS reports FROM ebs.run_fio;
