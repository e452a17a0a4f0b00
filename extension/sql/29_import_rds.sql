-- what RDS keeps of an instance

CREATE FUNCTION ebs_import_rds_os(label text, events text, device text DEFAULT NULL, wal_device text DEFAULT NULL,
    instance text DEFAULT NULL) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_rds_os_wrapper';
COMMENT ON FUNCTION ebs_import_rds_os(text, text, text, text, text) IS
    'Creates a run from the log events of RDS Enhanced Monitoring and returns the number of its intervals (docs/importing.md).';

CREATE FUNCTION ebs_import_rds_waits(label text, metrics text, period_s integer DEFAULT NULL) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_rds_waits_wrapper';
COMMENT ON FUNCTION ebs_import_rds_waits(text, text, integer) IS
    'Adds average active sessions by wait event from Performance Insights to an imported run and returns the number of its periods (docs/importing.md).';
