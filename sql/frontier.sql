-- The frontier of price against predicted throughput, from the block of whatif.sql: 2,000 transactions a second, four reads of 0.5 ms
-- in 4 ms each.
\set reading `cat sql/reports/reading.hex`
SELECT ebs_import_samples('reading', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 1, 'writes', 1, 'read_bytes', 8192, 'write_bytes', 8192) ORDER BY i)) FROM generate_series(1, 60) i;
UPDATE ebs.sample_block b SET format = 5, samples = decode(:'reading', 'hex') FROM ebs.run r WHERE r.run_id = b.run_id AND r.label = 'reading';
\set shown 'role, rank, volume_type AS type, volumes AS n, size_gib, iops, throughput_mibps AS mibps, usd_month, usd_month_more AS more, round(throughput_ratio::numeric, 3) AS ratio, round(read_ms::numeric, 2) AS read_ms, bound_by, recommended AS best, note'

-- 100 GiB of gp3 with what it includes do 3,000 / 8,000. Each IOPS more is half a cent, until gp3's latency of 0.74 ms is what is left;
-- then that of io2, at 6.5 cents an IOPS.
SELECT :shown FROM ebs_frontier('reading');
SELECT :shown FROM ebs_frontier('reading', max_volumes => 2, min_size_gib => 500) WHERE rank <= 4;
SELECT :shown FROM ebs_frontier('reading', instance => 'm6g.large', min_size_gib => 500);
SELECT :shown FROM ebs_frontier('reading', clients => 1);
-- Sixteen times the sessions make use of more.
SELECT max(iops) > 20000 AS more FROM ebs_frontier('reading', clients => 128);

-- No row has one that is cheaper and does as much.
SELECT count(*) AS dominated FROM ebs_frontier('reading', max_volumes => 4) a, ebs_frontier('reading', max_volumes => 4) b
WHERE a.rank <> b.rank AND a.usd_month <= b.usd_month AND a.throughput_ratio >= b.throughput_ratio;
SELECT count(*) <= 20 AS few, sum(usd_month_more) = max(usd_month) - min(usd_month) AS adds_up FROM ebs_frontier('reading', max_volumes => 28);
-- What ebs_options_detail recommends is on it, or what does as much for no more.
SELECT bool_or(f.usd_month <= o.usd_month AND f.throughput_ratio >= o.throughput_ratio * 0.998) AS as_good
FROM ebs_frontier('reading') f, ebs_options_detail('reading') o WHERE o.rank = 1;

SELECT ebs_import_samples('silent', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 100, 'writes', 0, 'read_bytes', 819200, 'write_bytes', 0, 'read_ms', 50, 'write_ms', 0) ORDER BY i)) FROM generate_series(1, 60) i;
SELECT role, rank, note FROM ebs_frontier('silent');
SELECT role, rank, note FROM ebs_frontier(lookback => '1 microsecond');
SELECT ebs_frontier('reading', clients => -1);
SELECT ebs_frontier('reading', max_volumes => 29);
SELECT ebs_frontier('reading', region => 'atlantis');
SELECT ebs_frontier('nobody');
SELECT ebs_run_drop(label) FROM ebs.runs_detail ORDER BY label;
