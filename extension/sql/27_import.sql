-- demand from elsewhere

CREATE FUNCTION ebs_import_samples(label text, device text, samples jsonb) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_samples_wrapper';
COMMENT ON FUNCTION ebs_import_samples(text, text, jsonb) IS
    'Creates a run from an array of samples {ts, reads, writes, read_bytes, write_bytes, read_ms, write_ms, read_merges, write_merges}, counts per interval, and returns their number (docs/importing.md).';

CREATE FUNCTION ebs_import_iostat(label text, report text, device text DEFAULT NULL, wal_device text DEFAULT NULL,
    started_at timestamptz DEFAULT NULL, interval_s float8 DEFAULT NULL, time_zone text DEFAULT NULL,
    since_boot boolean DEFAULT true) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_iostat_wrapper';
COMMENT ON FUNCTION ebs_import_iostat(text, text, text, text, timestamptz, float8, text, boolean) IS
    'Creates a run from iostat -xt output (text or JSON) of another server and returns the number of its intervals (docs/importing.md).';

CREATE FUNCTION ebs_import_sar(label text, report text, device text DEFAULT NULL, wal_device text DEFAULT NULL,
    time_zone text DEFAULT NULL) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_sar_wrapper';
COMMENT ON FUNCTION ebs_import_sar(text, text, text, text, text) IS
    'Creates a run from sar -d or sadf output of another server and returns the number of its intervals (docs/importing.md).';

CREATE FUNCTION ebs_import_cloudwatch(label text, data jsonb, device text DEFAULT NULL, wal_device text DEFAULT NULL,
    period_s integer DEFAULT NULL) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_cloudwatch_wrapper';
COMMENT ON FUNCTION ebs_import_cloudwatch(text, jsonb, text, text, integer) IS
    'Creates a run from the metrics of RDS or EBS in aws cloudwatch get-metric-data output and returns the number of its periods (docs/importing.md).';

CREATE FUNCTION ebs_import_awr(label text, reports jsonb, per_second boolean DEFAULT false,
    redo_apart boolean DEFAULT false) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_awr_wrapper';
COMMENT ON FUNCTION ebs_import_awr(text, jsonb, boolean, boolean) IS
    'Creates a run from totals of half hours or hours, such as Oracle''s AWR, and returns their number (docs/importing.md).';
