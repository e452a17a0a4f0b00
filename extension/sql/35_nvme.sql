-- what EBS counts itself

CREATE FUNCTION ebs_nvme(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT volume text, OUT metric text, OUT unit text, OUT value float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_nvme_wrapper';
COMMENT ON FUNCTION ebs_nvme(text, interval) IS
    'EBS''s own statistics of each volume, per second and in ms, with the time over the limits of volume and instance (docs/nvme.md).';

CREATE FUNCTION ebs_nvme_histogram(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT volume text, OUT operation text, OUT lower_us bigint, OUT upper_us bigint,
    OUT requests bigint, OUT share_pct float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_nvme_histogram_wrapper';
COMMENT ON FUNCTION ebs_nvme_histogram(text, interval) IS
    'Requests of each volume by latency in microseconds, from EBS''s own statistics (docs/nvme.md).';
