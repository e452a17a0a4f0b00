-- what fio measured

CREATE TABLE ebs.run_fio (
    run_id      bigint      NOT NULL REFERENCES ebs.run ON DELETE CASCADE,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    fio         jsonb       NOT NULL,
    PRIMARY KEY (run_id, recorded_at)
);
COMMENT ON TABLE ebs.run_fio IS 'Reports of fio that were imported with runs; ebs_report_card grades them.';
COMMENT ON COLUMN ebs.run_fio.run_id IS 'The run.';
COMMENT ON COLUMN ebs.run_fio.recorded_at IS 'When it was imported.';
COMMENT ON COLUMN ebs.run_fio.fio IS 'Version, time and device, and of each job what it did: kind, size, numjobs, iodepth, and of reads and writes the rates, latencies in microseconds, percentiles and, from json+, requests by latency.';

SELECT pg_catalog.pg_extension_config_dump('ebs.run_fio', '');

CREATE FUNCTION ebs_import_fio(label text, report text) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_fio_wrapper';
COMMENT ON FUNCTION ebs_import_fio(text, text) IS
    'Adds the results of fio 3 (JSON or json+ output) to a run and returns the number of jobs (docs/report-card.md).';
