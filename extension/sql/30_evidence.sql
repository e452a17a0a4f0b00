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

CREATE FUNCTION ebs_io_sessions(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT backend_type text, OUT database text, OUT role text, OUT application_name text,
    OUT read_bytes bigint, OUT write_bytes bigint, OUT extend_bytes bigint, OUT share_pct float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_io_sessions_wrapper';
COMMENT ON FUNCTION ebs_io_sessions(text, interval) IS
    'Whose I/O it was, most bytes first, on PostgreSQL 18 while ebs_advisor.track_database, track_role or track_application_name was on: bytes read, written (WAL too) and extended, and their share of all rows here. A lower bound: the last second of a process that ended is lost, parallel workers (which tell what they did as they end) are lost altogether, and checkpointer, background writer and io workers are not among them. Columns of settings that were off are NULL; what exceeds 2,000 sessions is one row of backend type other.';

CREATE FUNCTION ebs_balance(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT line text, OUT side text, OUT read_bytes bigint, OUT write_bytes bigint,
    OUT read_pct float8, OUT write_pct float8, OUT note text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_balance_wrapper';
COMMENT ON FUNCTION ebs_balance(text, interval) IS
    'PostgreSQL''s bytes by source (side PostgreSQL), the device''s by volume (side device), and between them what the page cache took off, what the server''s processes moved without PostgreSQL counting it, what others moved, and a residual (side kernel). Where all is known, lines of the first and the kernel''s side add up to the device''s. Percentages are of the device''s bytes; NULL is not known.';

CREATE FUNCTION ebs_waits(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT backend_type text, OUT wait_class text, OUT wait_event text, OUT kind text,
    OUT average_active_sessions float8, OUT db_time_pct float8,
    OUT database text, OUT role text, OUT application_name text, OUT query_id bigint) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_waits_wrapper';
COMMENT ON FUNCTION ebs_waits(text, interval) IS
    'What processes were seen waiting for: average active sessions, and percentage of database time for waits of kind active (kinds client and idle are none). CPU* is no wait event: on a CPU, or in code that reports none. The last four columns are NULL unless ebs_advisor.track_database and its neighbours were on.';

CREATE FUNCTION ebs_workload(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT metric text, OUT value float8, OUT unit text, OUT detail text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_workload_wrapper';
COMMENT ON FUNCTION ebs_workload(text, interval) IS
    'What the database did, on average over the time in which each figure is known: transactions a second, sessions and what they waited for, CPU cores used by client backends, by the server and by the machine, WAL, and its flushes. NULL is not known; detail says what a figure is, and for how much of the time it is known where that is not all.';

CREATE FUNCTION ebs_device_samples(run text DEFAULT NULL, lookback interval DEFAULT '1 hour',
    OUT ended_at timestamptz, OUT seconds float8, OUT volume text, OUT reads bigint, OUT writes bigint,
    OUT read_bytes bigint, OUT write_bytes bigint, OUT read_ms bigint, OUT write_ms bigint) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_device_samples_wrapper';
COMMENT ON FUNCTION ebs_device_samples(text, interval) IS
    'The device samples themselves: what each volume counted in each interval. Intervals without a row are not known.';

CREATE FUNCTION ebs_sample(
    OUT volume text, OUT role text, OUT seconds float8, OUT requests float8, OUT reads float8, OUT writes float8,
    OUT throughput_mibps float8, OUT request_kib float8, OUT read_ms float8, OUT write_ms float8,
    OUT concurrency float8) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_sample_wrapper';
COMMENT ON FUNCTION ebs_sample() IS
    'What was asked of each volume since the last call in this session (the first call looks for one second): requests as EBS counts them, reads, writes a second, MiB/s, KiB a request, latency in ms, requests in flight. For \watch; needs no preloading, works on a standby, stores nothing.';
