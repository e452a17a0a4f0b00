-- which statements cause the I/O

CREATE TABLE ebs.run_reading (
    run_id  bigint      NOT NULL REFERENCES ebs.run ON DELETE CASCADE,
    moment  timestamptz NOT NULL,
    reading jsonb       NOT NULL,
    PRIMARY KEY (run_id, moment)
);
COMMENT ON TABLE ebs.run_reading IS 'Cumulative counters of statements, checkpoints and tables, read at the beginning, the marks and the end of runs (docs/queries.md).';
COMMENT ON COLUMN ebs.run_reading.run_id IS 'Number of the run.';
COMMENT ON COLUMN ebs.run_reading.moment IS 'Moment of the reading: the beginning of the run, a mark, or the end.';
COMMENT ON COLUMN ebs.run_reading.reading IS 'Counters with their time, or the reason why they are missing (docs/queries.md).';

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
    'I/O and WAL of a run by statement of pg_stat_statements, in total, per second and per call, most reads first (docs/queries.md).';
