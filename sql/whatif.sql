-- What a run would do on another volume, from blocks whose figures are known (crates/advice/src/whatif/whatif_tests.rs): 60 s of 2,000
-- transactions a second of eight sessions, 4 ms each. Figures are rounded.
\set reading `cat sql/reports/reading.hex`
\set apart `cat sql/reports/apart.hex`
CREATE FUNCTION keep(label text, block text) RETURNS bigint LANGUAGE sql AS $$
    SELECT ebs_import_samples(label, 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
        'reads', 1, 'writes', 1, 'read_bytes', 8192, 'write_bytes', 8192) ORDER BY i)) FROM generate_series(1, 60) i;
    UPDATE ebs.sample_block b SET format = 5, samples = decode(block, 'hex') FROM ebs.run r WHERE r.run_id = b.run_id AND r.label = keep.label;
    SELECT 60::bigint
$$;
SELECT keep('reading', :'reading'), keep('apart', :'apart');
\set shown 'role, volume_type AS type, volumes AS n, size_gib, iops, throughput_mibps AS mibps, round(throughput_ratio::numeric, 2) AS ratio, round(tps) AS tps, round(response_ms::numeric, 1) AS response_ms, round(read_ms::numeric, 2) AS read_ms, round(write_ms::numeric, 2) AS write_ms, round(device_iops) AS device_iops, bound_by, round(throttled_pct) AS throttled, usd_month, basis, note'

-- Four reads of 0.5 ms and 2 ms of something else a transaction: 8,000 IOPS. The 3,000 that gp3 includes are 750 transactions; 16,000 of
-- gp3 are as many as its latency of 0.74 ms allows, 4 / 4.96 of now; at 0.25 ms, as given, 4 / 3. What CPUs do with it moves these by some
-- per cent.
SELECT :shown FROM ebs_whatif('reading');
SELECT :shown FROM ebs_whatif('reading', iops => 16000);
SELECT :shown FROM ebs_whatif('reading', 'io2', 20000, size_gib => 500, read_ms => 0.25, write_ms => 0.5);
-- A hundred times the sessions ask for what 20,000 IOPS give, 5,000 transactions; half of them for less.
SELECT :shown FROM ebs_whatif('reading', 'io2', 20000, size_gib => 500, read_ms => 0.25, write_ms => 0.5, clients => 800);
SELECT :shown FROM ebs_whatif('reading', 'io2', 20000, size_gib => 500, read_ms => 0.25, write_ms => 0.5, clients => 4);
-- An instance that carries 3,600; a stripe of two.
SELECT :shown FROM ebs_whatif('reading', iops => 16000, instance => 'm6g.large');
SELECT :shown FROM ebs_whatif('reading', iops => 4000, volumes => 2);
-- gp2 of 1,000 GiB has 3,000 IOPS. Of one of 100 GiB credits would last for 60 s; what counts is what it does without them.
SELECT :shown FROM ebs_whatif('reading', 'gp2', size_gib => 1000);
SELECT :shown FROM ebs_whatif('reading', 'gp2');
-- Intervals hold what they are around, and concurrency is Little's.
SELECT throughput_ratio_low < throughput_ratio AND throughput_ratio < throughput_ratio_high AS ratio, tps_low < tps AND tps < tps_high AS tps,
    response_ms_low < response_ms AND response_ms < response_ms_high AS response, read_ms_low < read_ms AND read_ms < read_ms_high AS read,
    abs(active_sessions / (tps * response_ms / 1000) - 1) < 0.01 AS active, abs(in_flight / (device_iops * read_ms / 1000) - 1) < 0.01 AS in_flight,
    cpu_pct BETWEEN 1 AND 20 AS cpu
FROM ebs_whatif('reading');

-- Data and WAL on disks of their own: two reads of 0.5 ms, and a commit. Each by itself, the other staying as it is, and both on one.
SELECT :shown FROM ebs_whatif('apart', 'io2', 20000, size_gib => 500, read_ms => 1, write_ms => 0.9);
SELECT role, size_gib, note FROM ebs_whatif('apart', 'gp3');
SELECT role, size_gib, usd_month FROM ebs_whatif('apart', 'gp3', platform => 'rds');

-- WAL on a volume of its own: one prediction, and for each volume its load, its throttled share and its price; and back on one. WAL's part
-- of a common volume is what PostgreSQL counted: none here.
\set both 'role, volume_type AS type, iops, round(throughput_ratio::numeric, 2) AS ratio, read_ms IS NULL AS no_reads, round(device_iops) AS device_iops, round(throttled_pct) AS throttled, usd_month, note'
SELECT :both FROM ebs_whatif('apart', 'gp3', 6000, size_gib => 500, wal_volume => 'io2', wal_iops => 2000, wal_size_gib => 20);
SELECT :both FROM ebs_whatif('apart', 'gp3', 6000, size_gib => 500, wal_volume => 'same');
SELECT :both FROM ebs_whatif('reading', 'gp3', 6000, wal_volume => 'gp3');
\set VERBOSITY terse
SELECT ebs_whatif('apart', wal_volume => 'gp9');
\set VERBOSITY default
SELECT ebs_whatif('apart', wal_volume => 'gp3', wal_iops => 100);
SELECT ebs_whatif('apart', wal_volume => 'gp3', wal_iops => 6000, wal_size_gib => 10);
SELECT ebs_whatif('apart', wal_volume => 'io2');
SELECT role, note FROM ebs_whatif('apart', size_gib => 500, wal_volume => 'st1', read_ms => 1, write_ms => 1);
SELECT ebs_whatif('apart', wal_iops => 3000);
SELECT ebs_whatif('apart', wal_volume => 'same', wal_size_gib => 10);
SELECT ebs_whatif('apart', wal_volume => 'io2', platform => 'rds');

-- 8,000 IOPS on an instance that sustains 3,600, and has more for half an hour.
SELECT round(device_iops) AS device_iops, bound_by, round(throttled_pct) AS throttled, note FROM ebs_whatif('reading', iops => 16000, instance => 'm6g.large');
SELECT round(device_iops) > 6000 AS more, bound_by, round(throttled_pct) AS throttled, note
FROM ebs_whatif('reading', iops => 16000, instance => 'm6g.large', instance_burst => true);
SELECT note FROM ebs_whatif('reading', iops => 16000, instance_burst => true);
-- Credits are judged by the predicted load: a twentieth of the clients asks for less than 600 IOPS.
SELECT round(device_iops) AS device_iops, note FROM ebs_whatif('reading', 'gp2', size_gib => 200, clients => 0.4);
SELECT round(device_iops) AS device_iops, note FROM ebs_whatif('reading', 'gp2', size_gib => 200, clients => 1);

-- No prediction is an answer: NULL, and why.
SELECT throughput_ratio, usd_month, note FROM ebs_whatif('reading', 'st1');
SELECT throughput_ratio IS NOT NULL AS predicted, basis, note FROM ebs_whatif('reading', 'st1', read_ms => 9, write_ms => 9);
SELECT ebs_import_samples('silent', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 100, 'writes', 0, 'read_bytes', 819200, 'write_bytes', 0) ORDER BY i)) FROM generate_series(1, 60) i;
SELECT :shown FROM ebs_whatif('silent');
SELECT :shown FROM ebs_whatif('silent', 'io2', 20000);
SELECT ebs_import_samples('short', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 100, 'writes', 0, 'read_bytes', 819200, 'write_bytes', 0) ORDER BY i)) FROM generate_series(1, 20) i;
SELECT :shown FROM ebs_whatif('short');
SELECT :shown FROM ebs_whatif('short', size_gib => 10);
SELECT role, size_gib, iops, usd_month, note FROM ebs_whatif('short', size_gib => 10, wal_volume => 'gp3');
SELECT ebs_whatif('short', wal_volume => 'gp3', wal_iops => 100);

-- Refused: what is not sold, and what is no figure.
SELECT ebs_whatif('reading', 'gp3', 100);
SELECT ebs_whatif('reading', 'gp2', 3000, size_gib => 100);
SELECT ebs_whatif('reading', 'gp3', 80001);
SELECT ebs_whatif('reading', 'io2', 20000, size_gib => 4);
SELECT ebs_whatif('reading', 'gp3', throughput_mibps => 2000, iops => 3000);
\set VERBOSITY terse
SELECT ebs_whatif('reading', 'gp9');
\set VERBOSITY default
SELECT ebs_whatif('reading', size_gib => 0);
SELECT ebs_whatif('reading', volumes => 0);
SELECT ebs_whatif('reading', volumes => 2, platform => 'rds');
SELECT ebs_whatif('reading', clients => 0);
SELECT ebs_whatif('reading', clients => 'NaN');
SELECT ebs_whatif('reading', read_ms => 0);
SELECT ebs_whatif('reading', write_ms => 1e5);
SELECT ebs_whatif('reading', instance => 'r6i.5xlarge');
SELECT ebs_whatif('reading', region => 'atlantis');
SELECT ebs_whatif('nobody');
SELECT ebs_whatif(lookback => '0');
-- NULL is what holds when nothing is said.
SELECT count(*) AS same FROM (SELECT * FROM ebs_whatif('reading') INTERSECT
    SELECT * FROM ebs_whatif('reading', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)) both_of_them;

-- As if it had been sampled here, on a gp3 of 12,000 IOPS: what was measured on the same type counts. At a limit of 8,000
-- too, as long as nothing queues there: 0.5 ms is no wait.
UPDATE ebs.sample_block b SET run_id = NULL FROM ebs.run r WHERE r.run_id = b.run_id AND r.label = 'reading';
UPDATE ebs.run SET imported = false WHERE label = 'reading';
INSERT INTO ebs.volume_declared (volume, volume_type, size_gib, iops, throughput_mibps, volumes, declared_at)
    VALUES ('data', 'gp3', 500, 12000, 500, 1, '2025-12-01 00:00:00+00');
SELECT :shown FROM ebs_whatif('reading', iops => 16000);
UPDATE ebs.volume_declared SET iops = 8000 WHERE declared_at = '2025-12-01 00:00:00+00';
SELECT :shown FROM ebs_whatif('reading', iops => 16000);

-- What ebs_options_detail says of throughput and latency is the same, for the volumes that it names.
SELECT o.volume_type, o.iops, round(o.throughput_ratio::numeric, 3) AS ratio, round(o.read_ms::numeric, 2) AS read_ms,
    o.throughput_ratio = w.throughput_ratio AND o.throughput_ratio_low = w.throughput_ratio_low AND abs(o.read_ms - w.read_ms) < 1e-9 AS same
FROM ebs_options_detail('reading') o, ebs_whatif('reading', o.volume_type, CASE WHEN o.volume_type <> 'gp2' THEN o.iops END, size_gib => o.size_gib) w
WHERE o.bound_by <> 'type unfit' AND o.volume_type <> 'gp2' ORDER BY o.rank;
-- A ratio and a latency asked for: bought where IOPS buy it, named where nothing does.
SELECT volume_type, iops, usd_month, round(throughput_ratio::numeric, 3) AS ratio, bound_by, feasible, reason
FROM ebs_options_detail('reading', min_throughput_ratio => 0.95) WHERE bound_by <> 'type unfit';
SELECT volume_type, iops, usd_month, round(throughput_ratio::numeric, 3) AS ratio, bound_by, feasible, reason
FROM ebs_options_detail('reading', latency_target_ms => 0.4) WHERE bound_by <> 'type unfit';

-- NULL for an argument is its default: those of the declaration and of the library are the same.
WITH declared AS (SELECT * FROM ebs_whatif('reading')),
     library AS (SELECT * FROM ebs_whatif('reading', volume_type => NULL, volumes => NULL, platform => NULL, region => NULL))
SELECT (SELECT count(*) > 0 FROM declared) AS answered, (SELECT count(*) FROM
    ((SELECT * FROM declared EXCEPT SELECT * FROM library) UNION ALL (SELECT * FROM library EXCEPT SELECT * FROM declared)) d)
    AS differences;

DELETE FROM ebs.volume_declared WHERE declared_at = '2025-12-01 00:00:00+00';
DELETE FROM ebs.sample_block WHERE ended_at < '2026-01-02';
SELECT ebs_run_drop(label) FROM ebs.runs_detail ORDER BY label;
DROP FUNCTION keep;
