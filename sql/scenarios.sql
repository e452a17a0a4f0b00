-- Demands whose right answer is known beforehand, each with its reasoning. Where it comes from published measurements, the
-- source is named; prices are us-east-1's.

-- load(label, seconds, reads/s, writes/s, KiB a request, ms a request): a steady demand.
CREATE FUNCTION load(label text, seconds int, reads int, writes int, kib int, ms numeric) RETURNS bigint
LANGUAGE sql AS $$
    SELECT ebs_import_samples(label, 'nvme1n1', jsonb_agg(jsonb_build_object(
        'ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
        'reads', reads, 'writes', writes, 'read_bytes', reads::bigint * kib * 1024, 'write_bytes', writes::bigint * kib * 1024,
        'read_ms', round(reads * ms), 'write_ms', round(writes * ms)) ORDER BY i))
    FROM generate_series(1, seconds) i
$$;
\set best 'SELECT volume_type AS type, volumes AS n, size_gib, iops, throughput_mibps AS mibps, usd_month, risk, bound_by, feasible AS ok FROM ebs_options_detail'

-- 1. The AWS Storage Blog's two configurations (PostgreSQL on EC2, gp3 against io2 Block Express, 2024), both 80,000 IOPS and
-- 8,000 MiB/s on paper. It prints $1,375.36 for the gp3, which bills the 3,000 IOPS and 125 MiB/s that each of the eight
-- volumes includes, and $5,408 for the io2, with the upper tiers rounded. Right is:
SELECT usd_month, usd_storage, usd_iops, usd_throughput FROM ebs_price('gp3', 1024, 10000, 1000, 8);
SELECT usd_month, usd_storage, usd_iops, usd_throughput FROM ebs_price('io2', 2048, 40000, volumes => 2);
-- It sets 8 TiB of gp3 against 4 TiB of io2. The same 4 TiB, and one gp3 since September 2025 with 2,000 MiB/s:
SELECT usd_month FROM ebs_price('gp3', 512, 10000, 1000, 8);
SELECT usd_month FROM ebs_price('gp3', 4096, 80000, 2000);

-- 2. Four types at the same 3,000 IOPS (Percona 2021, 16 KiB, 1 TB): writes are alike from 4 threads on, reads from 16. So at
-- 2,500 a second with 4 writers and 16 readers in flight the cheapest type will do;
SELECT load('16 readers', 900, 2500, 0, 16, 5.33), load('4 writers', 900, 0, 2500, 16, 1.33);
:best('16 readers', min_size_gib => 1000) WHERE rank = 1;
:best('4 writers', min_size_gib => 1000) WHERE rank = 1;
-- with one reader at a time, 1,098 a second on gp3, it will do as well, unless latency matters: 0.33 ms on io2, 0.91 on gp3.
SELECT load('1 reader', 900, 1098, 0, 16, 0.91);
:best('1 reader', min_size_gib => 1000) WHERE rank = 1;
:best('1 reader', min_size_gib => 1000, latency_target_ms => 0.45) WHERE rank = 1;
SELECT volume_type, bound_by, missed_by_pct::numeric(6, 1), reason
FROM ebs_options_detail('1 reader', min_size_gib => 1000, latency_target_ms => 0.45) WHERE volume_type = 'gp3';

-- 3. r5.24xlarge moves 2,375 MB/s, which are 2,265 MiB/s (AWS Storage Blog, SQL Server on r5b and r5): 20,800 requests of
-- 128 KiB are 2,600. No volume is advised that can do more than the instance; that would be waste.
SELECT load('backup', 900, 20800, 0, 128, 0.5);
SELECT bool_or(feasible) AS any_feasible, array_agg(DISTINCT bound_by ORDER BY bound_by) AS bound_by,
    max(volumes * throughput_mibps) FILTER (WHERE volume_type = 'gp3') AS most_gp3_mibps
FROM ebs_options_detail('backup', min_size_gib => 4000, instance => 'r5.24xlarge', max_volumes => 4);
-- r5b.24xlarge moves 7,500 MB/s: four gp3 carry it.
:best('backup', min_size_gib => 4000, instance => 'r5b.24xlarge', max_volumes => 4) WHERE rank = 1;

-- 4. gp2 of 100 GiB at 3,000 IOPS for 40 minutes out of two hours, and 100 otherwise: 5.4 million credits last
-- 5,400,000 / (3,000 - 300) = 2,000 s of the 2,400.
SELECT ebs_import_samples('burst', 'nvme1n1', jsonb_agg(jsonb_build_object(
    'ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', r, 'writes', 0, 'read_bytes', r * 8192, 'write_bytes', 0) ORDER BY i))
FROM (SELECT i, CASE WHEN i <= 2400 THEN 3000 ELSE 100 END AS r FROM generate_series(1, 7200) i) demand;
SELECT size_gib, iops, round(throttled_pct::numeric, 2) AS throttled, round(credits_last_s) AS credits_last_s, bound_by, feasible, reason
FROM ebs_options_detail('burst', min_size_gib => 100, headroom => 0) WHERE volume_type = 'gp2' ORDER BY size_gib;

-- 5. Small requests, where IOPS bind (20,000 of 8 KiB are 156 MiB/s), and 256 KiB requests, where throughput does (3,000 are
-- 750 MiB/s).
SELECT load('small', 900, 20000, 0, 8, 0.5), load('large', 900, 3000, 0, 256, 1);
:best('small', min_size_gib => 500) WHERE rank = 1;
:best('large', min_size_gib => 500) WHERE rank = 1;

-- 6. An RDS class with a limit of 20,000 IOPS, 6,000 GiB (AWS Database Blog: db.r6gd.4xlarge): what can be bought beyond it
-- gains nothing. 19,200 with headroom: gp2 of 6,400 GiB has them for $736.00, gp3 of 6,000 GiB for $834.00.
SELECT load('nopm', 900, 12000, 4000, 8, 0.5), load('plateau', 900, 20000, 8000, 8, 0.5);
:best('nopm', platform => 'rds', instance => 'db.r6gd.4xlarge', min_size_gib => 6000) WHERE rank <= 2;
SELECT bool_or(feasible) AS any_feasible, array_agg(DISTINCT bound_by ORDER BY bound_by) AS bound_by
FROM ebs_options_detail('plateau', platform => 'rds', instance => 'db.r6gd.4xlarge', min_size_gib => 6000);
-- The 400 GiB step: below it gp3 has 3,000 IOPS and nothing to choose, so 5,000 need 400 GiB.
SELECT load('rds-small', 900, 3000, 1000, 8, 0.5);
:best('rds-small', platform => 'rds', min_size_gib => 100) WHERE rank = 1;
:best('rds-small', platform => 'rds-multi-az', min_size_gib => 100) WHERE rank = 1;

-- 7. 256,000 IOPS: the most that one volume has, io2; four gp3 carry it as well, for a seventh of the price.
SELECT load('quarter million', 900, 200000, 56000, 8, 0.5);
:best('quarter million', min_size_gib => 1000, headroom => 0) WHERE rank = 1;
:best('quarter million', min_size_gib => 1000, headroom => 0, max_volumes => 4) WHERE rank = 1;

-- 8. A demand of nearly nothing: what gp3 includes, and never st1, cheaper as it is.
SELECT load('idle', 900, 3, 2, 8, 0.5);
:best('idle', min_size_gib => 500) WHERE rank = 1;
SELECT volume_type, usd_month, feasible, bound_by, reason FROM ebs_options_detail('idle', min_size_gib => 500) WHERE bound_by = 'type unfit'
ORDER BY volume_type;

-- 9. Four hours of 2,000 a second, of which 5 s in every 20 minutes have 30,000. At L IOPS the last of these waits
-- 5 s x (30,000 - L) / L, and the mean of them, 150,000 of 2,540,000 requests of 20 minutes, half of that. They are 6 % of the
-- requests, and sized for unless they may wait: a target of 5 ms then leaves 4.26 beside gp3's published 0.74, some 29,160. 0.5 ms is io2's.
SELECT ebs_import_samples('peaks', 'nvme1n1', jsonb_agg(jsonb_build_object(
    'ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', r, 'writes', 0, 'read_bytes', r * 8192, 'write_bytes', 0) ORDER BY i))
FROM (SELECT i, CASE WHEN i % 1200 BETWEEN 1 AND 5 THEN 30000 ELSE 2000 END AS r FROM generate_series(1, 14400) i) demand;
:best('peaks', min_size_gib => 500) WHERE rank = 1;
:best('peaks', min_size_gib => 500, max_throttled_pct => 20, latency_target_ms => 5) WHERE rank = 1;
:best('peaks', min_size_gib => 500, max_throttled_pct => 20, latency_target_ms => 0.5) WHERE rank = 1;
SELECT volume_type, volumes, iops, feasible, reason FROM ebs_options_detail('peaks', min_size_gib => 500, max_throttled_pct => 20, latency_target_ms => 5)
WHERE volume_type LIKE 'gp_' ORDER BY volume_type, iops DESC;

-- RDS with WAL apart: its storage is one, so both are sized together; a dedicated log volume is 1,024 GiB of io2 with 3,000 IOPS,
-- $128.00 + $300.00, whatever the WAL.
SELECT ebs_import_iostat('two disks', E'Linux 6.1 (host)\t01/01/2026\t_x86_64_\t(2 CPU)\n\n' || string_agg(format(
    E'2026-01-01T00:%s:%s+0000\nDevice r/s rkB/s r_await w/s wkB/s w_await\nsdb 900 7200 0.5 100 800 0.6\nsdc 0 0 0 400 6400 0.6\n\n',
    lpad((i / 60)::text, 2, '0'), lpad((i % 60)::text, 2, '0')), '' ORDER BY i), device => 'sdb', wal_device => 'sdc')
FROM generate_series(0, 300) i;
SELECT role, volume_type, size_gib, iops, usd_month, feasible, reason
FROM ebs_options_detail('two disks', platform => 'rds', min_size_gib => 500) WHERE rank = 1;
-- On EC2 each is sized by itself, and both on one volume beside: as dear here, where only size is paid for.
SELECT role, volume_type, size_gib, iops, usd_month, feasible FROM ebs_options_detail('two disks', min_size_gib => 200) WHERE rank = 1;

-- The instance leaves less headroom than was asked for: 3,400 a second and 20 % are 4,080, m6g.large carries 3,600. The volume is
-- as large as the instance can use, and the answer says what binds.
SELECT load('near', 900, 3000, 400, 8, 0.5);
SELECT volume_type, iops, bound_by, feasible, reason FROM ebs_options_detail('near', min_size_gib => 500, instance => 'm6g.large') WHERE rank = 1;
-- A Multi-AZ cluster has no gp2, and AWS sets the throughput of its gp3; it is billed three times.
:best('near', platform => 'rds-cluster', min_size_gib => 500) WHERE bound_by <> 'type unfit' AND rank <= 2;

-- A budget is for everything; durability, latency and stripes combine.
:best('nopm', min_size_gib => 500, budget_usd => 120) WHERE feasible;
:best('nopm', min_size_gib => 500, durability_pct => 99.999, latency_target_ms => 0.6, max_volumes => 2) WHERE rank = 1;

-- 9. Promises combine, and the first one broken is told: durability, latency, throughput ratio, budget. 5,000 reads and 5,000
-- writes a second need 12,000 IOPS. Of such a mix gp3 takes 0.78 ms, gp2 0.895, io1 0.615, io2 0.47. 500 GiB cost 85 as gp3
-- (40 + 45), 842.50 as io1 and io2 (62.50 + 780); gp2 has 12,000 from 4,000 GiB on, for 400.
SELECT load('half and half', 900, 5000, 5000, 8, 0.5);
\set promises 'SELECT volume_type AS type, usd_month, bound_by, missed_by_pct::numeric(7, 1) AS missed, feasible AS ok, reason FROM ebs_options_detail(''half and half'', min_size_gib => 500, '
:promises latency_target_ms => 0.8) WHERE rank <= 4;
:promises latency_target_ms => 0.8, budget_usd => 100) WHERE rank <= 4;
:promises latency_target_ms => 0.5, budget_usd => 842.50) WHERE rank <= 4;
-- A cent less, and what is fast enough is too dear.
:promises latency_target_ms => 0.5, budget_usd => 842.49) WHERE volume_type LIKE 'io_';
:promises durability_pct => 99.999, latency_target_ms => 0.4, budget_usd => 50) WHERE bound_by IN ('durability', 'latency');
-- Imported samples say nothing of sessions: a ratio without waits rejects nothing, and the report says so.
SELECT count(throughput_ratio) AS known, count(*) FILTER (WHERE feasible) AS feasible
FROM ebs_options_detail('half and half', min_size_gib => 500, min_throughput_ratio => 0.95, latency_target_ms => 0.8);
SELECT bool_or(line ~ 'min_throughput_ratio') AS said
FROM ebs_advise('half and half', min_size_gib => 500, min_throughput_ratio => 0.95, show => 'all') line;
-- Both roles of two disks: 200 GiB each as gp3, 16 and 16. A budget of 32 leaves just that, 31.99 neither.
SELECT role, volume_type, usd_month, bound_by, reason
FROM (VALUES (1, 32), (2, 31.99)) asked (i, budget), ebs_options_detail('two disks', min_size_gib => 200, budget_usd => asked.budget)
WHERE volume_type IN ('gp3', 'gp2') ORDER BY i, role, rank;
-- RDS: 57.50 of gp3 and 428 of log volume on top.
SELECT role, volume_type, usd_month, feasible, bound_by, reason
FROM (VALUES (1, 490), (2, 480)) asked (i, budget),
     ebs_options_detail('two disks', platform => 'rds', min_size_gib => 500, budget_usd => asked.budget) WHERE rank = 1 ORDER BY i, role;

SELECT ebs_run_drop(label) FROM ebs.runs_detail;
DROP FUNCTION load;
