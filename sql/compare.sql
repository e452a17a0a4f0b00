-- Comparing runs, on samples that are known: ten minutes each, 1,000 reads and 500 writes a second, more or less, of which b has
-- twice as many. Each takes 0.1 ms; the transactions are the driver's.
CREATE FUNCTION made(label text, began timestamptz, share float8, seconds int DEFAULT 600, tps float8 DEFAULT NULL) RETURNS bigint LANGUAGE sql AS $$
    SELECT ebs_import_samples(label, 'nvme1n1', jsonb_agg(jsonb_build_object('ts', began + i * interval '1 s',
        'reads', r, 'writes', r / 2, 'read_bytes', r * 8192, 'write_bytes', r / 2 * 16384, 'read_ms', r / 10, 'write_ms', r / 20) ORDER BY i))
    FROM (SELECT i, (share * (950 + 25 * (i * 7 % 5)))::int AS r FROM generate_series(1, seconds) i) demand;
    SELECT ebs_run_result(label, tps => made.tps) WHERE made.tps IS NOT NULL;
    SELECT 1::bigint
$$;
SELECT made('gp3-1', '2026-01-01 00:00+00', 1, tps => 500), made('io2-1', '2026-01-01 01:00+00', 2, tps => 1000),
       made('gp3-2', '2026-01-01 02:00+00', 1.02, tps => 505), made('io2-2', '2026-01-01 03:00+00', 2.02, tps => 1010),
       made('gp3-3', '2026-01-01 04:00+00', 0.99, tps => 495), made('io2-3', '2026-01-01 05:00+00', 1.98, tps => 985);
\set shown 'metric, unit, round(a::numeric, 2) AS a, round(b::numeric, 2) AS b, round(ratio::numeric, 3) AS ratio, round(ratio_low::numeric, 2) AS low, round(ratio_high::numeric, 2) AS high, verdict'

-- One run a side. The gate is on top; nothing but devices was imported.
SELECT metric, unit, round(a::numeric, 1) AS a, round(b::numeric, 1) AS b, verdict, note FROM ebs_compare('gp3-1', 'io2-1') WHERE section = 'gate';
SELECT section, :shown FROM ebs_compare('gp3-1', 'io2-1') WHERE section <> 'gate';
-- Twice as many, with 2.02 times the root of two times ln 1.035 for what runs of the same workload differ by: 1.81 to 2.21. The driver's
-- figures are the first that count. Nothing says how far its seconds lay apart: without that noise there is no interval.
SELECT :shown, note FROM ebs_compare('gp3-1', 'io2-1') WHERE metric = 'tps';
SELECT :shown, note FROM ebs_compare('gp3-1', 'io2-1', noise_pct => 0) WHERE metric = 'tps';

-- Sets. Three against three: 2 by Hodges and Lehmann, p of the permutation 2 / C(6, 3).
SELECT metric, round(a::numeric, 1) AS a, round(b::numeric, 1) AS b, verdict, note FROM ebs_compare('gp3-*', 'io2-*') WHERE metric IN ('runs', 'order');
SELECT section, :shown, runs_a, runs_b, p_permutation FROM ebs_compare('gp3-*', 'io2-*') WHERE metric IN ('tps', 'reads', 'request size');
-- They mirror each other, to the four digits of a figure. Runs are not compared with themselves.
SELECT count(*) AS figures, count(*) FILTER (WHERE abs(x.ratio * y.ratio - 1) > 1e-3 OR abs(x.ratio_low * y.ratio_high - 1) > 1e-3) AS unlike
FROM ebs_compare('gp3-*', 'io2-*') x JOIN ebs_compare('io2-*', 'gp3-*') y USING (section, metric) WHERE x.ratio IS NOT NULL;
SELECT ebs_compare('gp3-*', 'gp3-*');
SELECT ebs_compare('gp3-1', 'gp3-1*');
-- Volumes of imported runs are compared as far as they are declared.
SELECT note FROM ebs_compare('gp3-1', 'io2-1') WHERE metric = 'volumes';
UPDATE ebs.run SET declared = '{"instance": null, "volumes": [{"volume": "nvme1n1", "volume_type": "gp3", "size_gib": 500, "iops": 3000, "throughput_mibps": 125, "volumes": 1, "declared_us": 0}]}' WHERE label = 'gp3-1';
SELECT verdict, note FROM ebs_compare('gp3-1', 'io2-1') WHERE metric = 'volumes';
SELECT count(*) AS differences FROM (SELECT * FROM ebs_compare('gp3-*', 'io2-*') EXCEPT SELECT * FROM ebs_compare('gp3-*', 'io2-*')) d;
-- Within 50 per cent they all are.
SELECT verdict FROM ebs_compare('gp3-1', 'gp3-2', margin_pct => 50) WHERE metric = 'tps';

-- A label with a star in it is a label.
SELECT made('gp3-*', '2026-01-02 00:00+00', 1);
SELECT a AS runs FROM ebs_compare('gp3-*', 'io2-*') WHERE metric = 'runs';
SELECT ebs_run_drop('gp3-*');
SELECT a AS runs FROM ebs_compare('gp*', 'io2-*') WHERE metric = 'runs';

-- Ramp-up is cut off by MSER-5 where nothing was marked: two minutes at a tenth, and eight of the whole.
SELECT ebs_import_samples('ramp', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-03 00:00+00' + i * interval '1 s',
    'reads', CASE WHEN i <= 120 THEN 100 ELSE 1000 END + i * 7 % 5, 'writes', 0, 'read_bytes', 8192000, 'write_bytes', 0) ORDER BY i))
FROM generate_series(1, 600) i;
SELECT metric, round(a::numeric, 1) AS a, round(b::numeric, 1) AS b, verdict, note FROM ebs_compare('ramp', 'gp3-1')
WHERE metric IN ('ramp-up', 'steadiness', 'duration') OR metric = 'reads' AND section = 'per second';
SELECT line FROM ebs_advise('ramp', min_size_gib => 100, show => 'all') line WHERE line ~ '^Evidence|ramp-up';
INSERT INTO ebs.run_mark SELECT run_id, 'measure', '2026-01-03 00:05+00' FROM ebs.run WHERE label = 'ramp';
SELECT metric, round(a::numeric, 1) AS a, round(b::numeric, 1) AS b, verdict, note FROM ebs_compare('ramp', 'gp3-1') WHERE metric IN ('ramp-up', 'duration');
-- One that falls by a third is not steady.
SELECT ebs_import_samples('falling', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-04 00:00+00' + i * interval '1 s',
    'reads', 1200 - i * 2 / 3 + i * 7 % 5, 'writes', 0, 'read_bytes', 8192000, 'write_bytes', 0) ORDER BY i)) FROM generate_series(1, 600) i;
SELECT metric, verdict, note FROM ebs_compare('falling', 'gp3-1') WHERE metric = 'steadiness';
SELECT ebs_advise_json('falling', min_size_gib => 100) -> 'evidence' ->> 'steady' AS steady;

-- What the gate knows of runs that were driven here.
SELECT ebs_run_begin('here', '{"clients": 1, "scale": 10}') > 0 AS begun;
SELECT count(*) FROM ebs_compare('here', 'gp3-1');
SELECT ebs_run_end();
UPDATE ebs.run SET environment = jsonb_set(environment, '{settings,work_mem}', '"1GB"') WHERE label = 'here';
SELECT ebs_run_begin('there', '{"clients": 2, "scale": 10}') > 0 AS begun;
SELECT ebs_run_end();
UPDATE ebs.run SET environment = jsonb_set(environment, '{settings,work_mem}', '"4MB"') WHERE label = 'there';
SELECT metric, verdict, CASE WHEN verdict <> 'same' THEN note END AS note FROM ebs_compare('here', 'there')
WHERE metric IN ('server version', 'settings', 'cluster', 'note', 'clients', 'order', 'checkpoint cycles');

-- Nothing of a time in which nothing was sampled; and never 0.
SELECT ebs_run_begin('blind') > 0 AS begun;
SELECT ebs_run_end();
UPDATE ebs.run SET started_at = '2020-01-01', ended_at = '2020-01-02' WHERE label = 'blind';
SELECT section, metric, a > 0 AS a, b, ratio, verdict, note FROM ebs_compare('gp3-1', 'blind') WHERE section <> 'gate' AND metric IN ('reads', 'tps', 'read latency');

-- What is refused.
SELECT count(*) FROM ebs_compare('nobody', 'gp3-1');
SELECT count(*) FROM ebs_compare('gp3-1', 'nobody-*');
SELECT count(*) FROM ebs_compare('gp3-1', NULL);
SELECT count(*) FROM ebs_compare('gp3-1', 'io2-1', margin_pct => 0);
SELECT count(*) FROM ebs_compare('gp3-1', 'io2-1', noise_pct => 'NaN');
-- NULL for an argument is its default: those of the declaration and of the library are the same.
WITH declared AS (SELECT * FROM ebs_compare('gp3-1', 'io2-1')),
     library AS (SELECT * FROM ebs_compare('gp3-1', 'io2-1', margin_pct => NULL, noise_pct => NULL))
SELECT (SELECT count(*) > 0 FROM declared) AS answered, (SELECT count(*) FROM
    ((SELECT * FROM declared EXCEPT SELECT * FROM library) UNION ALL (SELECT * FROM library EXCEPT SELECT * FROM declared)) d)
    AS differences;

SELECT ebs_run_drop(label) FROM ebs.runs_detail ORDER BY run_id;
DROP FUNCTION made;
