-- what two sets of runs differ by

CREATE FUNCTION ebs_compare(a text, b text, margin_pct float8 DEFAULT 5, noise_pct float8 DEFAULT 3.5,
    OUT metric text, OUT unit text, OUT a float8, OUT b float8, OUT ratio float8, OUT ratio_low float8,
    OUT ratio_high float8, OUT verdict text, OUT note text, OUT section text, OUT runs_a integer, OUT runs_b integer,
    OUT detectable_pct float8, OUT p_value float8, OUT p_adjusted float8, OUT p_permutation float8)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_compare_wrapper';
COMMENT ON FUNCTION ebs_compare(text, text, float8, float8) IS
    'Comparability of two runs or sets of runs, then each figure of both with ratio, 95 % interval and verdict (docs/compare.md).';

CREATE FUNCTION ebs_compare_change(run text DEFAULT NULL, at timestamptz DEFAULT NULL, lookback interval DEFAULT '14 days',
    margin_pct float8 DEFAULT 5, noise_pct float8 DEFAULT 3.5,
    OUT metric text, OUT unit text, OUT a float8, OUT b float8, OUT ratio float8, OUT ratio_low float8,
    OUT ratio_high float8, OUT verdict text, OUT note text, OUT section text, OUT runs_a integer, OUT runs_b integer,
    OUT detectable_pct float8, OUT p_value float8, OUT p_adjusted float8, OUT p_permutation float8)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_compare_change_wrapper';
COMMENT ON FUNCTION ebs_compare_change(text, timestamptz, interval, float8, float8) IS
    'The rows of ebs_compare for a run or look-back before (a) and after (b) the latest imported modification of its volumes, or a given time (docs/configuration.md).';
