-- which statements cause the I/O

CREATE TABLE ebs.run_reading (
    run_id  bigint      NOT NULL REFERENCES ebs.run ON DELETE CASCADE,
    moment  timestamptz NOT NULL,
    reading jsonb       NOT NULL,
    PRIMARY KEY (run_id, moment)
);
COMMENT ON TABLE ebs.run_reading IS 'What was read when runs began, at their marks and when they ended: cumulative counters of statements (pg_stat_statements, without their texts), of checkpoints, and of the tables of the database that the run was begun in. ebs_queries and ebs_findings compare two of them.';
COMMENT ON COLUMN ebs.run_reading.run_id IS 'The run.';
COMMENT ON COLUMN ebs.run_reading.moment IS 'Its beginning, a mark, or its end.';
COMMENT ON COLUMN ebs.run_reading.reading IS 'What was read, with when, or why not (docs/queries.md).';

SELECT pg_catalog.pg_extension_config_dump('ebs.run_reading', '');

CREATE FUNCTION ebs_queries(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT query_id bigint, OUT role text, OUT database text, OUT top_level boolean, OUT calls bigint, OUT calls_s float8,
    OUT blocks_read bigint, OUT blocks_read_s float8, OUT blocks_read_per_call float8, OUT device_reads_s float8,
    OUT device_reads_s_low float8, OUT device_reads_s_high float8, OUT demand_pct float8, OUT read_ms float8,
    OUT read_ms_per_call float8, OUT temp_blocks_read bigint, OUT temp_blocks_written bigint,
    OUT temp_blocks_per_call float8, OUT blocks_dirtied bigint, OUT blocks_dirtied_per_call float8, OUT wal_bytes bigint,
    OUT wal_bytes_s float8, OUT wal_bytes_per_call float8, OUT wal_pct float8, OUT wal_fpi bigint,
    OUT exec_ms_per_call float8, OUT rows_per_call float8, OUT hit_pct float8, OUT statement text, OUT note text)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_queries_wrapper';
COMMENT ON FUNCTION ebs_queries(text, interval) IS
    'Statements of a run, those that read most first: what pg_stat_statements counted from its beginning (or its mark measure) to its end. blocks_read is what PostgreSQL asked of the kernel; device_reads_s is the read requests a second of it that reached the device, the page cache''s share taken off as ebs_balance shows it: as if it had the same share of each statement''s reads, with the least and the most that it can have been (_low, _high). demand_pct is their share of all the device''s requests, reads and writes, wal_pct the share of all WAL. Last comes a row without query_id: reads that no statement accounts for. Texts are shown to those who may read them in pg_stat_statements, of runs that were not imported. Of a look-back, what pg_stat_statements holds now. note says what was evicted or reset in between; NULL is not known. See docs/queries.md.';
