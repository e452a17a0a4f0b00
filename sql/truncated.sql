-- Runs at their volume's limit, and such as only look like it, from blocks whose figures are known (crates/fixtures/src/windows.rs): two
-- minutes each.
\set full `sed -n 's/^full //p' sql/reports/held.hex`
\set steady `sed -n 's/^steady //p' sql/reports/held.hex`
\set paced `sed -n 's/^paced //p' sql/reports/held.hex`
\set computing `sed -n 's/^computing //p' sql/reports/held.hex`
\set locking `sed -n 's/^locking //p' sql/reports/held.hex`
CREATE FUNCTION keep(label text, block text) RETURNS bigint LANGUAGE sql AS $$
    SELECT ebs_import_samples(label, 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
        'reads', 1, 'writes', 1, 'read_bytes', 8192, 'write_bytes', 8192) ORDER BY i)) FROM generate_series(1, 120) i;
    UPDATE ebs.sample_block b SET format = 5, samples = decode(block, 'hex') FROM ebs.run r WHERE r.run_id = b.run_id AND r.label = keep.label;
    SELECT 120::bigint
$$;
SELECT keep('full', :'full'), keep('steady', :'steady'), keep('paced', :'paced'), keep('computing', :'computing'), keep('locking', :'locking');
\set best 'SELECT volume_type, iops, throughput_mibps AS mibps, usd_month, risk, bound_by, reason FROM ebs_options_detail'

-- 3,000 reads a second, each second, of 18 sessions: 16 of them wait 5.33 ms, two compute, 0.67 ms for each read. Nothing says what the
-- volume is; no SSD takes so long, and it is the latency that varies. On a gp3 without a limit, 0.74 ms a read, they would ask for
-- 18 / 1.41 ms, 12,800; the queue counts from 0.91 ms on, the highest published mean.
SELECT * FROM ebs_advise('full', min_size_gib => 300, show => 'all') line LIMIT 18;
:best('full', min_size_gib => 300) WHERE rank = 1;
SELECT jsonb_pretty(jsonb_path_query_first(ebs_advise_json('full', min_size_gib => 300), '$.roles[0].at_limit')) AS at_limit;
-- The instance's limit is no more than it carries: 3,600 of m6g.large.
:best('full', min_size_gib => 300, instance => 'm6g.large') WHERE rank = 1;

-- As many reads a second, but of 0.8 ms: a round number and no limit.
SELECT line FROM ebs_advise('steady', min_size_gib => 300, show => 'all') line WHERE line ~ 'saturated  |Bottleneck';
:best('steady', min_size_gib => 300) WHERE rank = 1;
-- As many of 4 ms on a slow volume, at a rate that clients set: they wait for 40 of 52 sessions' time.
SELECT line FROM ebs_advise('paced', min_size_gib => 300, show => 'all') line WHERE line ~ 'saturated  |Bottleneck|current throughput ·';
:best('paced', min_size_gib => 300) WHERE rank = 1;

-- Sessions that compute, on CPUs that are 95 % busy, and such that wait for locks: no volume would help.
SELECT line FROM ebs_advise('computing', min_size_gib => 300, show => 'all') line WHERE line ~ 'saturated  |Bottleneck|current throughput ·';
:best('computing', min_size_gib => 300) WHERE rank = 1;
SELECT line FROM ebs_advise('locking', min_size_gib => 300, show => 'all') line WHERE line ~ 'saturated  |Bottleneck|current throughput ·';
:best('locking', min_size_gib => 300) WHERE rank = 1;
SELECT label, held ->> 'by' AS by, round((held #>> '{throughput_ratio_at_most,middle}')::numeric, 2) AS at_most,
    round((held ->> 'cpu_utilization')::numeric, 2) AS cpu, round((held ->> 'sessions_at_work')::numeric, 1) AS at_work
FROM ebs.runs_detail, LATERAL (SELECT ebs_advise_json(label, min_size_gib => 300) -> 'bottleneck' AS held) answer ORDER BY label;

-- The same without waits: at least as much, and how much more is not known. Samples of elsewhere.
SELECT ebs_import_samples('elsewhere', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 3000, 'writes', 0, 'read_bytes', 3000 * 8192, 'write_bytes', 0, 'read_ms', 16000 + 300 * (i % 9), 'write_ms', 0) ORDER BY i))
FROM generate_series(1, 120) i;
SELECT * FROM ebs_advise('elsewhere', min_size_gib => 300, show => 'all') line LIMIT 14;
:best('elsewhere', min_size_gib => 300) WHERE rank = 1;

-- As if it had been sampled here, on a gp3 that was declared with its 3,000; and on one of 6,000: what is seen is seen all the same.
UPDATE ebs.sample_block b SET run_id = NULL FROM ebs.run r WHERE r.run_id = b.run_id AND r.label = 'full';
UPDATE ebs.run SET imported = false WHERE label = 'full';
INSERT INTO ebs.volume_declared (volume, volume_type, size_gib, iops, throughput_mibps, volumes, declared_at)
    VALUES ('data', 'gp3', 300, 3000, 125, 1, '2025-12-01 00:00:00+00');
SELECT * FROM ebs_advise('full', show => 'all') line LIMIT 20;
:best('full') WHERE rank = 1;
UPDATE ebs.volume_declared SET iops = 6000 WHERE declared_at = '2025-12-01 00:00:00+00';
SELECT line FROM ebs_advise('full', show => 'all') line WHERE line ~ '^  saturated';
SELECT count(*) AS too_wide FROM ebs_advise('full', show => 'all') line WHERE length(line) > 110;

DELETE FROM ebs.volume_declared WHERE declared_at = '2025-12-01 00:00:00+00';
DELETE FROM ebs.sample_block WHERE ended_at < '2026-01-02';
SELECT ebs_run_drop(label) FROM ebs.runs_detail ORDER BY label;
DROP FUNCTION keep;
