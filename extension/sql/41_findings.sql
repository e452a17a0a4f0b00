-- what to put right before a volume is bought

CREATE FUNCTION ebs_findings(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT rank integer, OUT finding text, OUT subject text, OUT measured text, OUT demand_pct float8,
    OUT requests_s_saved_low float8, OUT requests_s_saved_high float8, OUT usd_month_saved numeric, OUT reason text,
    OUT remedy text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_findings_wrapper';
COMMENT ON FUNCTION ebs_findings(text, interval) IS
    'Causes of I/O that the run itself shows, those that may save most first: statements that read much, temporary files that work_mem would do without, checkpoints forced by WAL, updates that find no room on their page, autovacuum. demand_pct is the share of all the device''s requests, requests_s_saved_low and _high what would be gone at least and at most, estimated; NULL is not known, or nothing can be saved. What is below 1 % of demand is left out. Of a look-back there is what samples tell. See docs/queries.md.';
