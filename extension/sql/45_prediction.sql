-- what would be on another volume

CREATE FUNCTION ebs_whatif(run text DEFAULT NULL, volume_type text DEFAULT 'gp3', iops bigint DEFAULT NULL,
    throughput_mibps bigint DEFAULT NULL, size_gib bigint DEFAULT NULL, volumes integer DEFAULT 1,
    {{platform}}, {{region}}, {{instance}},
    clients float8 DEFAULT NULL, read_ms float8 DEFAULT NULL, write_ms float8 DEFAULT NULL,
    lookback interval DEFAULT '14 days', {{io_source}},
    wal_volume text DEFAULT NULL, wal_iops bigint DEFAULT NULL, wal_throughput_mibps bigint DEFAULT NULL,
    wal_size_gib bigint DEFAULT NULL, instance_burst boolean DEFAULT false,
    OUT role text, OUT volume_type text, OUT volumes integer, OUT size_gib bigint, OUT iops bigint,
    OUT throughput_mibps bigint, OUT throughput_ratio float8, OUT throughput_ratio_low float8,
    OUT throughput_ratio_high float8, OUT tps float8, OUT tps_low float8, OUT tps_high float8, OUT response_ms float8,
    OUT response_ms_low float8, OUT response_ms_high float8, OUT read_ms float8, OUT read_ms_low float8,
    OUT read_ms_high float8, OUT write_ms float8, OUT write_ms_low float8, OUT write_ms_high float8,
    OUT active_sessions float8, OUT in_flight float8, OUT device_iops float8, OUT device_mibps float8,
    OUT cpu_pct float8, OUT bound_by text, OUT throttled_pct float8, OUT added_ms_p99 float8, OUT usd_month numeric,
    OUT basis text, OUT note text)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_whatif_wrapper';
COMMENT ON FUNCTION ebs_whatif(text, text, bigint, bigint, bigint, integer, text, text, text, float8, float8, float8, interval, text, text, bigint, bigint, bigint, boolean) IS
    'Predicted throughput, latency in ms, queue depth, bottleneck and price of the workload, of so many clients at work at once, on given volumes, with 90 % intervals (docs/prediction.md).';

CREATE FUNCTION ebs_frontier(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    {{platform}}, {{region}}, {{instance}},
    clients float8 DEFAULT NULL, {{max_volumes}}, {{min_size_gib}},
    {{io_source}},
    OUT role text, OUT rank integer, OUT volume_type text, OUT volumes integer, OUT size_gib bigint, OUT iops bigint,
    OUT throughput_mibps bigint, OUT usd_month numeric, OUT usd_month_more numeric, OUT throughput_ratio float8,
    OUT throughput_ratio_low float8, OUT throughput_ratio_high float8, OUT read_ms float8, OUT write_ms float8,
    OUT bound_by text, OUT recommended boolean, OUT note text)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_frontier_wrapper';
COMMENT ON FUNCTION ebs_frontier(text, interval, text, text, text, float8, integer, bigint, text) IS
    'Volumes for which no cheaper one has as much predicted throughput, of so many clients at work at once, cheapest first, in US dollars a month (docs/advice.md).';
