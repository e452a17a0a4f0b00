-- demand from elsewhere

CREATE FUNCTION ebs_import_samples(label text, device text, samples jsonb) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_samples_wrapper';
COMMENT ON FUNCTION ebs_import_samples(text, text, jsonb) IS
    'Makes a run of samples taken elsewhere and gives their number: an array of {ts, reads, writes, read_bytes, write_bytes, read_ms, write_ms}, counts per interval, ts its end; read_ms and write_ms may be left out. A malformed array imports nothing.';

CREATE FUNCTION ebs_import_iostat(label text, report text, device text DEFAULT NULL, wal_device text DEFAULT NULL,
    started_at timestamptz DEFAULT NULL, interval_s float8 DEFAULT NULL, time_zone text DEFAULT NULL,
    since_boot boolean DEFAULT true) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_iostat_wrapper';
COMMENT ON FUNCTION ebs_import_iostat(text, text, text, text, timestamptz, float8, text, boolean) IS
    'Makes a run of what iostat -xt printed elsewhere (text or -o JSON, sysstat 10 to 12) and gives the number of its intervals. The device is named unless there is one; with wal_device data and WAL are two volumes. Without times (-t) say when iostat began (started_at) and its interval in seconds (interval_s). Times without an offset are of time_zone, or the session''s TimeZone; DateStyle says which of 11/12/26 is the day. The first report is since boot and left out unless since_boot is false (-y). A report that cannot be read imports nothing.';

CREATE FUNCTION ebs_import_sar(label text, report text, device text DEFAULT NULL, wal_device text DEFAULT NULL,
    time_zone text DEFAULT NULL) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_sar_wrapper';
COMMENT ON FUNCTION ebs_import_sar(text, text, text, text, text) IS
    'Makes a run of what sar -d, sadf -d or sadf -j printed elsewhere (sysstat 10 to 12) and gives the number of its intervals. sar counts reads and writes together: they are told apart by their bytes, and the report says so. Devices and times as of ebs_import_iostat. A report that cannot be read imports nothing.';

CREATE FUNCTION ebs_import_cloudwatch(label text, data jsonb, device text DEFAULT NULL, wal_device text DEFAULT NULL,
    period_s integer DEFAULT NULL) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_cloudwatch_wrapper';
COMMENT ON FUNCTION ebs_import_cloudwatch(text, jsonb, text, text, integer) IS
    'Makes a run of what aws cloudwatch get-metric-data gave and gives the number of its periods. Of EBS: VolumeReadOps, VolumeWriteOps, VolumeReadBytes, VolumeWriteBytes and, if there, VolumeTotalReadTime, VolumeTotalWriteTime, each the Sum. Of RDS: ReadIOPS, WriteIOPS, ReadThroughput, WriteThroughput and, if there, ReadLatency, WriteLatency, each the Average. A metric is known by its Label or Id, a device by what else stands there. period_s is read off the timestamps where it is NULL. Missing points are gaps. An answer that is not complete imports nothing.';

CREATE FUNCTION ebs_import_awr(label text, reports jsonb, per_second boolean DEFAULT false,
    redo_apart boolean DEFAULT false) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_awr_wrapper';
COMMENT ON FUNCTION ebs_import_awr(text, jsonb, boolean, boolean) IS
    'Makes a run of the totals of reports over half hours or hours, such as Oracle''s AWR, and gives their number: an array of {begin, end, read_requests, write_requests, read_bytes, write_bytes, redo_writes, redo_bytes}, totals of the report or with per_second rates; writes without redo, the two of redo may be left out. With redo_apart it is a volume of its own. A malformed array imports nothing.';
