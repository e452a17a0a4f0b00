-- Aurora: the storage configuration of a cluster

CREATE FUNCTION ebs_aurora(metrics jsonb, instances_usd_hour numeric DEFAULT NULL, region text DEFAULT 'us-east-1',
    cluster text DEFAULT NULL, storage_usd numeric DEFAULT NULL, requests_usd numeric DEFAULT NULL,
    optimized_storage_usd numeric DEFAULT NULL, optimized_instances_usd_hour numeric DEFAULT NULL, period_s integer DEFAULT NULL,
    OUT storage_type text, OUT cheaper boolean, OUT usd_month numeric, OUT usd_month_saved numeric, OUT usd_instances numeric,
    OUT usd_storage numeric, OUT usd_requests numeric, OUT requests_pct float8, OUT break_even_pct float8,
    OUT requests_month bigint, OUT requests_month_low bigint, OUT requests_month_high bigint, OUT break_even_requests bigint,
    OUT size_gib float8, OUT price_date date, OUT price_doubt text, OUT limitations text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE ROWS 2 SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_aurora_wrapper';
COMMENT ON FUNCTION ebs_aurora(jsonb, numeric, text, text, numeric, numeric, numeric, numeric, integer) IS
    'Monthly cost of Aurora Standard and I/O-Optimized, US dollars, and the requests at which they are equal, from CloudWatch''s metrics of a cluster (docs/aurora.md).';
