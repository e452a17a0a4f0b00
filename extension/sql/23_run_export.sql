-- runs moved between servers

CREATE FUNCTION ebs_run_export(label text) RETURNS jsonb
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_export_wrapper';
COMMENT ON FUNCTION ebs_run_export(text) IS
    'A run, or all of a pattern (* stands for anything), as one document: marks, results, environment, note, tags, what was declared, reports of fio, and the samples as they are stored, in base64 with a checksum. At most 64 MiB of samples. Refuses a run that is open.';

CREATE FUNCTION ebs_run_import(document text, label text DEFAULT NULL) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_import_wrapper';
COMMENT ON FUNCTION ebs_run_import(text, text) IS
    'Makes runs of the text of a document that ebs_run_export wrote, here or on another server of the same major or another, and gives how many. Every answer on them is the one it was there, at the prices of here. label names the run where there is one. All are imported or, where something is wrong, none.';
