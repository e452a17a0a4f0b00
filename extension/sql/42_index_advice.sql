-- which index would spare reads, and what it would save

CREATE FUNCTION ebs_index_advice(run text DEFAULT NULL, {{platform}}, {{region}},
    {{instance}}, max_plans integer DEFAULT 2000, lookback interval DEFAULT '14 days',
    search_path text DEFAULT pg_catalog.current_setting('search_path'),
    OUT rank integer, OUT kind text, OUT advised boolean, OUT relation text, OUT ddl text, OUT query_id bigint,
    OUT statement text, OUT cost_before float8, OUT cost_after float8, OUT blocks_before float8, OUT blocks_after float8,
    OUT reads_s float8, OUT reads_s_saved float8, OUT writes_s_added float8, OUT wal_bytes_s_added float8,
    OUT net_reads_s_saved float8, OUT size_bytes bigint, OUT volume_type text, OUT volumes integer, OUT size_gib bigint,
    OUT iops bigint, OUT throughput_mibps bigint, OUT usd_month numeric, OUT usd_month_saved numeric, OUT reason text)
    RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_index_advice_wrapper';
COMMENT ON FUNCTION ebs_index_advice(text, text, text, text, integer, interval, text) IS
    'Indexes that would save reads, in reads per second and US dollars a month, and indexes without use; needs hypopg (docs/index-advice.md).';
