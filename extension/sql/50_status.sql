-- is all well?

CREATE FUNCTION ebs_status(OUT "check" text, OUT ok boolean, OUT detail text, OUT hint text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_status_wrapper';
COMMENT ON FUNCTION ebs_status() IS
    'What works and what does not, with a hint where something can be done: the version, preloading, the sampler, missed samples and its own cost, disks and EBS volumes found, statistics of EBS, the instance, history kept, timing settings, statements, catalogue.';
