-- what fio measured

CREATE TABLE ebs.run_fio (
    run_id      bigint      NOT NULL REFERENCES ebs.run ON DELETE CASCADE,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    fio         jsonb       NOT NULL,
    PRIMARY KEY (run_id, recorded_at)
);
COMMENT ON TABLE ebs.run_fio IS 'Imported reports of fio, which ebs_report_card grades.';
COMMENT ON COLUMN ebs.run_fio.run_id IS 'Number of the run.';
COMMENT ON COLUMN ebs.run_fio.recorded_at IS 'Time of the import.';
COMMENT ON COLUMN ebs.run_fio.fio IS 'Version, time and device, and for each job kind, size, numjobs, iodepth and, for reads and writes, rates, latencies in microseconds, percentiles and, from json+, requests by latency.';

SELECT pg_catalog.pg_extension_config_dump('ebs.run_fio', '');

{{ebs_import_fio}}
