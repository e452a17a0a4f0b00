-- which index would spare reads, and what it would save

CREATE FUNCTION ebs_index_advice(run text DEFAULT NULL, platform text DEFAULT 'ec2', region text DEFAULT 'us-east-1',
    instance text DEFAULT NULL, max_plans integer DEFAULT 2000, lookback interval DEFAULT '14 days',
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
    'Which indexes would spare reads (kind index, advised or not), which statements were looked at in vain (statement), which indexes serve nothing (duplicate, unused), and what is missing in order to tell (missing). Nothing is created, and no statement is executed: each is planned with its parameters left open, by EXPLAIN (GENERIC_PLAN), as the role that executed it, at most max_plans times in all, with hypothetical indexes of hypopg. Names without a schema are looked up in search_path. cost and blocks are the planner''s estimates for one call of the statement that gains most, without and with all advised indexes; reads_s are its measured reads a second. reads_s_saved is an estimate over all statements, writes_s_added what the index itself would cost in reads and writes a second, wal_bytes_s_added its WAL; less than nothing where an index is dropped. The volume is the one that would be recommended for the demand of the run with those reads taken out of each second, usd_month_saved against the one recommended without. What is not known is NULL. Needs pg_stat_statements and hypopg; without them it says what is missing, and still names indexes to drop.';
