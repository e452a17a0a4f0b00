-- runs moved between servers

CREATE FUNCTION ebs_run_export(label text) RETURNS jsonb
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_export_wrapper';
COMMENT ON FUNCTION ebs_run_export(text) IS
    'Runs of a label or pattern (* matches any characters) as one JSON document with at most 64 MiB of samples; an open run is an error (docs/runs.md).';

CREATE FUNCTION ebs_run_import(document text, label text DEFAULT NULL) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_import_wrapper';
COMMENT ON FUNCTION ebs_run_import(text, text) IS
    'Creates runs from a document of ebs_run_export, all or none, and returns their number; label renames a single run (docs/runs.md).';
