-- what was seen

CREATE FUNCTION ebs_io_mix(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT volume text, OUT role text, OUT metric text, OUT unit text,
    OUT mean float8, OUT p50 float8, OUT p95 float8, OUT p99 float8, OUT max float8,
    OUT p99_low float8, OUT p99_high float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_io_mix_wrapper';
COMMENT ON FUNCTION ebs_io_mix(text, interval) IS
    'What was asked of each volume, per second: requests as EBS counts them (one per 256 KiB), reads, writes, MiB/s, KiB a request, read share, latency, concurrency. Means are totals over totals, percentiles are over time, p99_low and p99_high the 95 % interval of p99. NULL is not known.';

CREATE FUNCTION ebs_io_sources(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT backend_type text, OUT object text, OUT context text,
    OUT read_bytes bigint, OUT write_bytes bigint, OUT extend_bytes bigint, OUT fsyncs bigint, OUT hits bigint,
    OUT stall_ms float8, OUT share_pct float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_io_sources_wrapper';
COMMENT ON FUNCTION ebs_io_sources(text, interval) IS
    'pg_stat_io over the window, most bytes first: bytes handed to or taken from the kernel (its page cache or the device), stall time in ms (NULL where timing was off), share of all bytes. On 16 and 17 WAL is one row of backend type any, from pg_stat_wal.';

CREATE FUNCTION ebs_waits(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT backend_type text, OUT wait_class text, OUT wait_event text, OUT kind text,
    OUT average_active_sessions float8, OUT db_time_pct float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_waits_wrapper';
COMMENT ON FUNCTION ebs_waits(text, interval) IS
    'What processes were seen waiting for: average active sessions, and percentage of database time for waits of kind active (kinds client and idle are none). CPU* is no wait event: on a CPU, or in code that reports none.';

CREATE FUNCTION ebs_device_samples(run text DEFAULT NULL, lookback interval DEFAULT '1 hour',
    OUT ended_at timestamptz, OUT seconds float8, OUT volume text, OUT reads bigint, OUT writes bigint,
    OUT read_bytes bigint, OUT write_bytes bigint, OUT read_ms bigint, OUT write_ms bigint) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_device_samples_wrapper';
COMMENT ON FUNCTION ebs_device_samples(text, interval) IS
    'The device samples themselves: what each volume counted in each interval. Intervals without a row are not known.';
