-- what to put right before a volume is bought

CREATE FUNCTION ebs_findings(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT rank integer, OUT finding text, OUT subject text, OUT measured text, OUT demand_pct float8,
    OUT requests_s_saved_low float8, OUT requests_s_saved_high float8, OUT usd_month_saved numeric, OUT reason text,
    OUT remedy text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_findings_wrapper';
COMMENT ON FUNCTION ebs_findings(text, interval) IS
    'Causes of I/O in a run that can be removed, largest saving first, in requests per second of the device and US dollars a month (docs/queries.md).';
