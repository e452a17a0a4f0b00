-- grades

CREATE FUNCTION ebs_report_card(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT test text, OUT device text, OUT measured float8, OUT unit text, OUT grade text, OUT thresholds text,
    OUT basis text, OUT source text, OUT note text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_report_card_wrapper';
COMMENT ON FUNCTION ebs_report_card(text, interval) IS
    'Letter grades, A+ to D, of latency (95th percentile, ms) and of its growth with users, from fio or live evidence (docs/report-card.md).';

CREATE FUNCTION ebs_latency_histogram(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT source text, OUT device text, OUT kind text, OUT from_us bigint, OUT to_us bigint, OUT requests bigint,
    OUT share_pct float8, OUT bar text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_latency_histogram_wrapper';
COMMENT ON FUNCTION ebs_latency_histogram(text, interval) IS
    'Requests by latency in microseconds, from EBS''s own statistics and imported jobs of fio (docs/evidence.md).';
