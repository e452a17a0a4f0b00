-- grades

CREATE FUNCTION ebs_report_card(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT test text, OUT device text, OUT measured float8, OUT unit text, OUT grade text, OUT thresholds text,
    OUT basis text, OUT source text, OUT note text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_report_card_wrapper';
COMMENT ON FUNCTION ebs_report_card(text, interval) IS
    'Letter grades, A+ to D: of the 95th percentile of latency (ms) in four tests, and of how it grows with more users. basis fio: jobs of an imported report that are that test by kind, size and numjobs. basis live evidence, with ~ before the grade: the 95th percentile of one-second means, where requests were of that size; an approximation. NULL is not measured, and note says why. Two last tests point out two latency modes and a slow start. source says where the thresholds come from.';

CREATE FUNCTION ebs_latency_histogram(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT source text, OUT device text, OUT kind text, OUT from_us bigint, OUT to_us bigint, OUT requests bigint,
    OUT share_pct float8, OUT bar text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_latency_histogram_wrapper';
COMMENT ON FUNCTION ebs_latency_histogram(text, interval) IS
    'Requests by latency, each bucket twice as wide as the one before: of EBS''s own statistics (docs/nvme.md) by volume, and of jobs of fio that were imported from json+, reads and writes apart. Microseconds from from_us up to to_us (NULL: no upper bound), requests, their share, and a bar. Buckets without requests have no row.';
