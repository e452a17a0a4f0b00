-- what two sets of runs differ by

CREATE FUNCTION ebs_compare(a text, b text, margin_pct float8 DEFAULT 5, noise_pct float8 DEFAULT 3.5,
    OUT metric text, OUT unit text, OUT a float8, OUT b float8, OUT ratio float8, OUT ratio_low float8,
    OUT ratio_high float8, OUT verdict text, OUT note text, OUT section text, OUT runs_a integer, OUT runs_b integer,
    OUT detectable_pct float8, OUT p_value float8, OUT p_adjusted float8, OUT p_permutation float8)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_compare_wrapper';
COMMENT ON FUNCTION ebs_compare(text, text, float8, float8) IS
    'What run b differs by from run a, or set from set: ''gp3-*'' is every run whose label begins so. Rows of section gate come first: whether the runs can be compared (same, differs, not known). Then each figure of either side: ratio is b over a with its 95 % interval, verdict is better, worse (higher, lower where neither is better), equivalent (the interval lies within margin_pct) or inconclusive. One run a side does not tell by how much runs of the same thing differ: noise_pct (standard deviation of throughput, per cent) is taken for it. detectable_pct is the least difference that such runs would find four times in five; p_adjusted is corrected for the number of figures, the primary one''s verdict is not; p_permutation deals the runs out in every way. Ramp-up is cut off where no phase measure was marked. NULL is not known. See docs/compare.md.';
