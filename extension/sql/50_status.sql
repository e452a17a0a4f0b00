-- is all well?

CREATE FUNCTION ebs_status(OUT "check" text, OUT ok boolean, OUT detail text, OUT hint text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_status_wrapper';
COMMENT ON FUNCTION ebs_status() IS
    'Health of sampling and of its dependencies, with a hint for each problem (docs/install.md).';
