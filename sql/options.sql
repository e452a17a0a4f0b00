-- What to order for demands that are known, from imported samples.

-- load(label, seconds, reads/s, writes/s, KiB a request, peak factor of every 30th second)
CREATE FUNCTION load(label text, seconds int, reads int, writes int, kib int, peak numeric DEFAULT 1) RETURNS bigint
LANGUAGE sql AS $$
    SELECT ebs_import_samples(label, 'nvme1n1', jsonb_agg(jsonb_build_object(
        'ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
        'reads', r, 'writes', w, 'read_bytes', r * kib * 1024, 'write_bytes', w * kib * 1024,
        'read_ms', r / 2, 'write_ms', w) ORDER BY i))
    FROM (SELECT i, (reads * f)::bigint AS r, (writes * f)::bigint AS w
          FROM (SELECT i, CASE WHEN i % 30 = 0 THEN peak ELSE 1 END AS f FROM generate_series(1, seconds) i) x) y
$$;
-- What is never for a database is left out here.
\set answer 'SELECT rank, volume_type AS type, volumes AS n, size_gib, iops, throughput_mibps AS mibps, usd_month, round(throttled_pct::numeric, 1) AS throttled, risk, bound_by, feasible AS ok, reason FROM ebs_options_detail'
\set fit 'bound_by <> ''type unfit'''

-- A demand of nearly nothing: what gp3 includes.
SELECT load('idle', 900, 20, 10, 8);
:answer('idle', min_size_gib => 100) WHERE :fit;

-- Small requests: IOPS bind. 14,000 a second, p99 14,000, 20 % headroom: 16,800.
SELECT load('oltp', 900, 10000, 4000, 8);
:answer('oltp', min_size_gib => 500) WHERE :fit;

-- 256 KiB requests: throughput binds. 2,800 a second are 700 MiB/s; 840 with headroom need 3,360 IOPS.
SELECT load('scan', 900, 2800, 0, 256);
:answer('scan', min_size_gib => 500) WHERE :fit;

-- A request of 1 MiB counts four times: 1,500 a second are 6,000 IOPS.
SELECT load('large', 900, 1500, 0, 1024);
SELECT volume_type, iops, throughput_mibps, reason FROM ebs_options_detail('large', min_size_gib => 500) WHERE rank = 1;

-- One second in thirty is four times busier, and has an eighth of the requests: p99 is the peak, which need not be paid for where a quarter of
-- the time and of the requests may be throttled.
SELECT load('bursty', 900, 2000, 500, 8, 4);
:answer('bursty', min_size_gib => 200) WHERE :fit;
:answer('bursty', min_size_gib => 200, percentile => 90, headroom => 0, max_throttled_pct => 25) WHERE :fit;

-- Burst credits carry a gp2 of 100 GiB through short peaks, but not through a steady 2,500 IOPS.
SELECT load('peaks', 900, 60, 20, 8, 30);
SELECT volume_type, size_gib, iops, usd_month, bound_by, reason FROM ebs_options_detail('peaks', min_size_gib => 100) WHERE volume_type = 'gp2';
SELECT load('steady', 900, 2000, 500, 8);
SELECT volume_type, size_gib, iops, usd_month, bound_by, reason FROM ebs_options_detail('steady', min_size_gib => 100) WHERE volume_type = 'gp2';

-- Beyond one volume: nothing fits, and the reason says what would.
SELECT load('huge', 900, 90000, 10000, 8);
:answer('huge', min_size_gib => 1000) WHERE :fit;
:answer('huge', min_size_gib => 1000, max_volumes => 4) WHERE feasible AND :fit;

-- The instance binds: no larger volume is advised.
:answer('oltp', min_size_gib => 500, instance => 'm5.large') WHERE :fit;
:answer('oltp', min_size_gib => 500, instance => 'r6i.4xlarge') WHERE rank = 1 AND :fit;

-- Durability and budget.
:answer('idle', min_size_gib => 100, durability_pct => 99.999) WHERE :fit;
:answer('oltp', min_size_gib => 500, budget_usd => 100) WHERE volume_type = 'gp3' AND :fit;

-- Data and WAL on one volume (crates/advice/src/whatif/whatif_tests.rs): 4,000 reads of 0.5 ms and 1,000 flushes a second. WAL on a gp3 of its
-- own, of twice max_wal_size, has 3,000 included IOPS, and the data needs a fifth fewer.
\set one_volume `cat sql/reports/one-volume.hex`
SELECT load('one volume', 60, 1, 1, 8);
UPDATE ebs.sample_block b SET format = 5, samples = decode(:'one_volume', 'hex') FROM ebs.run r WHERE r.run_id = b.run_id AND r.label = 'one volume';
UPDATE ebs.run SET environment = '{"settings": {"max_wal_size": "1GB"}}' WHERE label = 'one volume';
\set of_each 'SELECT role, volume_type AS type, size_gib, iops, usd_month, round(throughput_ratio::numeric, 2) AS ratio, read_ms IS NULL AS no_reads, bound_by, feasible AS ok, reason FROM ebs_options_detail'
:of_each('one volume') WHERE coalesce(rank, 1) = 1;
SELECT role, volume_type, size_gib, iops, usd_month FROM ebs_options('one volume') WHERE coalesce(rank, 1) = 1;
SELECT * FROM ebs_advise('one volume') LIMIT 12;
-- The prediction is that of ebs_whatif for these volumes.
SELECT o.role, w.role AS as_wal_volume, o.usd_month = w.usd_month AS usd, o.throughput_ratio = w.throughput_ratio AS ratio, o.bound_by = w.bound_by AS bound
FROM ebs_options_detail('one volume') o, ebs_options_detail('one volume') d,
    ebs_whatif('one volume', 'gp3', d.iops, size_gib => d.size_gib, wal_volume => 'gp3', wal_size_gib => 2) w
WHERE d.role = 'data without WAL' AND (o.role, w.role) IN (('data without WAL', 'data'), ('separate WAL', 'wal'));
-- It is not offered on RDS, nor where the loss of either volume is more likely than may be.
:of_each('one volume', platform => 'rds') WHERE role ~ 'WAL';
:of_each('one volume', durability_pct => 99.8) WHERE role ~ 'WAL';

-- Another region, marked where prices are derived.
SELECT usd_month FROM ebs_options_detail('oltp', region => 'eu-west-1', min_size_gib => 500) WHERE rank = 1;

-- The same question gives the same answer.
SELECT count(*) AS differences FROM (
    (SELECT * FROM ebs_options_detail('bursty') EXCEPT SELECT * FROM ebs_options_detail('bursty'))) d;

-- An instance or volumes in another order do not change what a volume costs.
SELECT bool_and(o.usd_month = p.usd_month) AS priced_alike
FROM (SELECT * FROM ebs_options_detail('oltp', min_size_gib => 500, max_volumes => 4) WHERE volume_type ~ '^(gp|io)' OFFSET 0) o,
     ebs_price(o.volume_type, o.size_gib, CASE WHEN o.volume_type <> 'gp2' THEN o.iops END,
               CASE WHEN o.volume_type = 'gp3' THEN o.throughput_mibps END, o.volumes) p;

-- NULL for an argument is its default: those of the declaration and of the library are the same.
WITH declared AS (SELECT * FROM ebs_options_detail('bursty')),
     library AS (SELECT * FROM ebs_options_detail('bursty', platform => NULL, region => NULL, percentile => NULL, headroom => NULL,
         max_throttled_pct => NULL, keep_throughput_pct => NULL))
SELECT (SELECT count(*) > 0 FROM declared) AS answered, (SELECT count(*) FROM
    ((SELECT * FROM declared EXCEPT SELECT * FROM library) UNION ALL (SELECT * FROM library EXCEPT SELECT * FROM declared)) d)
    AS differences;

SELECT ebs_run_drop(label) FROM ebs.runs_detail;
DROP FUNCTION load;
