-- What an order of IOPS and MiB/s costs in throughput, against a volume of the same latency without a limit.

CREATE FUNCTION validation.student_90(n bigint) RETURNS float8 LANGUAGE sql IMMUTABLE
    RETURN ('{6.314,2.920,2.353,2.132,2.015,1.943,1.895,1.860,1.833}'::float8[])[least(n - 1, 9)];
COMMENT ON FUNCTION validation.student_90(bigint) IS
    'The 95th percentile of Student''s t with n - 1 degrees of freedom, which is the half width of a 90 % interval; from 10 values on that of 10. NULL of one value.';

CREATE VIEW validation.sizing AS
    WITH advised AS (
        SELECT r.workload, a.iops, a.mibps FROM validation.advised a JOIN validation.run r USING (run_id) WHERE r.part = 'sizing'),
    measured AS (
        SELECT r.workload, r.pair, r.tps, r.latency_ms, r.p99_ms, e.device_iops, a.iops, a.mibps,
               CASE WHEN r.cap_iops IS NULL THEN 'unlimited' WHEN r.cap_iops = a.iops THEN 'order'
                    WHEN r.cap_iops < a.iops THEN 'half' ELSE 'twice' END AS setting
        FROM validation.counts r JOIN validation.exported e ON e.run = r.run_id JOIN advised a ON a.workload = r.workload
        WHERE r.part = 'sizing' AND r.pair IS NOT NULL),
    paired AS (
        SELECT m.*, ln(m.tps / u.tps) AS change
        FROM measured m JOIN measured u USING (workload, pair) WHERE u.setting = 'unlimited')
    SELECT workload, iops, mibps, p.usd_iops + p.usd_throughput AS usd, setting, count(*) AS pairs,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY tps) AS tps,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY device_iops) AS used,
           1 - exp(percentile_cont(0.5) WITHIN GROUP (ORDER BY change)) AS loss,
           1 - exp(avg(change) + validation.student_90(count(*)) * stddev_samp(change) / sqrt(count(*))) AS low,
           1 - exp(avg(change) - validation.student_90(count(*)) * stddev_samp(change) / sqrt(count(*))) AS high,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY latency_ms) AS latency_ms,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY p99_ms) AS p99_ms
    FROM paired, ebs_price('gp3', 1000, iops, mibps) p
    GROUP BY workload, iops, mibps, p.usd_iops, p.usd_throughput, setting;
COMMENT ON VIEW validation.sizing IS
    'Each load and setting: the share of throughput that it loses against no limit in the same round (median, 90 % interval of the mean), its latencies, and what the order costs beyond the included IOPS and MiB/s, US dollars a month.';
