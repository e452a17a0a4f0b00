-- Bars for a terminal, of samples whose demand is known: a minute of 1,000 reads of 8 KiB a second, which take 0.5 ms; half a minute
-- of 2,000; and one second of 6,000.
SET timezone = 'UTC';
\pset format unaligned
\pset tuples_only on
SELECT ebs_import_samples('known', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', r, 'writes', 0, 'read_bytes', r * 8192, 'write_bytes', 0, 'read_ms', r / 2, 'write_ms', 0) ORDER BY i))
FROM (SELECT i, CASE WHEN i = 75 THEN 6000 WHEN i > 60 THEN 2000 ELSE 1000 END AS r FROM generate_series(1, 90) i) s;

-- Nine rows of ten seconds. The mean of the row with the peak is (9 * 2,000 + 6,000) / 10; the peak is the whole width.
SELECT ebs_chart('known', rows => 9, width => 60);
-- As many rows as samples: each by itself. In the session's time zone.
SET timezone = 'Asia/Kolkata';
SELECT line FROM ebs_chart('known', 'read_throughput', rows => 90) WITH ORDINALITY c (line, n) WHERE n < 5;
SET timezone = 'UTC';
SELECT ebs_chart('known', 'read latency', rows => 3, width => 50);
-- Nothing is written: no latency, and no share of what is not there, is no 0.
SELECT ebs_chart('known', 'write latency');
SELECT ebs_chart('known', 'waits');
SELECT ebs_chart('known', 'latencies');

-- Parts of a whole: the block of whatif.sql has eight sessions at work.
\set reading `cat sql/reports/reading.hex`
SELECT ebs_import_samples('reading', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 1, 'writes', 1, 'read_bytes', 8192, 'write_bytes', 8192) ORDER BY i)) FROM generate_series(1, 60) i;
UPDATE ebs.sample_block b SET format = 5, samples = decode(:'reading', 'hex') FROM ebs.run r WHERE r.run_id = b.run_id AND r.label = 'reading';
SELECT ebs_chart('reading', 'waits', width => 50);
\set plus `cat sql/reports/fio-3.33-plus.json`
SELECT ebs_import_fio('known', :'plus');
SELECT line FROM ebs_chart('known', 'latencies', width => 60) WITH ORDINALITY c (line, n) WHERE n <= 6;

-- No line is wider than the terminal, whatever is asked for.
SELECT metric, width, max(length(line)) <= width AS fits
FROM unnest(ARRAY['requests', 'read latency', 'latencies']) metric, unnest(ARRAY[40, 79, 200]) width,
     ebs_chart('known', metric, width) line
GROUP BY metric, width HAVING max(length(line)) > width;
-- Nothing sampled, no chart.
SELECT count(*) AS lines FROM ebs_chart(lookback => '1 microsecond');

-- What is refused, and what would be accepted.
SELECT ebs_chart('known', 'red latency');
SELECT ebs_chart('known', width => 39);
SELECT ebs_chart('known', rows => 0);
SELECT ebs_chart('nobody');
SELECT ebs_run_drop(label) FROM ebs.runs_detail ORDER BY label;
