-- what was seen

CREATE FUNCTION ebs_io_mix(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT volume text, OUT role text, OUT metric text, OUT unit text,
    OUT mean float8, OUT p50 float8, OUT p95 float8, OUT p99 float8, OUT max float8,
    OUT p99_low float8, OUT p99_high float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_io_mix_wrapper';
COMMENT ON FUNCTION ebs_io_mix(text, interval) IS
    'I/O demand of each volume: IOPS as EBS counts them, MiB/s, KiB a request, latency in ms, with percentiles over time (docs/evidence.md).';

CREATE FUNCTION ebs_io_sources(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT backend_type text, OUT object text, OUT context text,
    OUT read_bytes bigint, OUT write_bytes bigint, OUT extend_bytes bigint, OUT fsyncs bigint, OUT hits bigint,
    OUT stall_ms float8, OUT share_pct float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_io_sources_wrapper';
COMMENT ON FUNCTION ebs_io_sources(text, interval) IS
    'I/O by source of pg_stat_io, most bytes first: bytes, fsyncs, I/O wait time in ms (docs/evidence.md).';

CREATE FUNCTION ebs_io_sessions(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT backend_type text, OUT database text, OUT role text, OUT application_name text,
    OUT read_bytes bigint, OUT write_bytes bigint, OUT extend_bytes bigint, OUT share_pct float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_io_sessions_wrapper';
COMMENT ON FUNCTION ebs_io_sessions(text, interval) IS
    'I/O in bytes by database, role and application_name on PostgreSQL 18, a lower bound, most bytes first (docs/evidence.md).';

CREATE FUNCTION ebs_balance(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT line text, OUT side text, OUT read_bytes bigint, OUT write_bytes bigint,
    OUT read_pct float8, OUT write_pct float8, OUT note text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_balance_wrapper';
COMMENT ON FUNCTION ebs_balance(text, interval) IS
    'Bytes of PostgreSQL by source against those of the device, with page cache, uncounted I/O, other programs and a residual (docs/evidence.md).';

CREATE FUNCTION ebs_waits(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT backend_type text, OUT wait_class text, OUT wait_event text, OUT kind text,
    OUT average_active_sessions float8, OUT db_time_pct float8,
    OUT database text, OUT role text, OUT application_name text, OUT query_id bigint) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_waits_wrapper';
COMMENT ON FUNCTION ebs_waits(text, interval) IS
    'Average active sessions and percentage of database time by wait event; sessions that are idle for a second or more are left out (docs/evidence.md).';

CREATE FUNCTION ebs_workload(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT metric text, OUT value float8, OUT unit text, OUT detail text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_workload_wrapper';
COMMENT ON FUNCTION ebs_workload(text, interval) IS
    'Mean figures of the workload with their units: transactions per second, sessions, CPU cores, WAL and its flushes (docs/evidence.md).';

CREATE FUNCTION ebs_device_samples(run text DEFAULT NULL, lookback interval DEFAULT '1 hour',
    OUT ended_at timestamptz, OUT seconds float8, OUT volume text, OUT reads bigint, OUT writes bigint,
    OUT read_bytes bigint, OUT write_bytes bigint, OUT read_ms bigint, OUT write_ms bigint) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_device_samples_wrapper';
COMMENT ON FUNCTION ebs_device_samples(text, interval) IS
    'Samples of each volume, counts per interval; intervals without a row are unknown (docs/evidence.md).';

CREATE FUNCTION ebs_sample(
    OUT volume text, OUT role text, OUT seconds float8, OUT requests float8, OUT reads float8, OUT writes float8,
    OUT throughput_mibps float8, OUT request_kib float8, OUT read_ms float8, OUT write_ms float8,
    OUT concurrency float8) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_sample_wrapper';
COMMENT ON FUNCTION ebs_sample() IS
    'Present demand of each volume since the last call in this session, per second, for \watch and without preloading (docs/evidence.md).';
