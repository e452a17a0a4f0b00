-- answers to look at

CREATE FUNCTION ebs_report_html(run text DEFAULT NULL, baseline text DEFAULT NULL, lookback interval DEFAULT '14 days',
    platform text DEFAULT NULL, region text DEFAULT NULL, instance text DEFAULT NULL,
    percentile float8 DEFAULT 99, headroom float8 DEFAULT NULL, max_throttled_pct float8 DEFAULT 1,
    keep_throughput_pct float8 DEFAULT 98,
    min_throughput_ratio float8 DEFAULT NULL, latency_target_ms float8 DEFAULT NULL,
    durability_pct float8 DEFAULT NULL, budget_usd numeric DEFAULT NULL, max_volumes integer DEFAULT NULL,
    min_size_gib bigint DEFAULT NULL, io_source text DEFAULT 'all') RETURNS text
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_report_html_wrapper';
COMMENT ON FUNCTION ebs_report_html(text, text, interval, text, text, text, float8, float8, float8, float8, float8, float8, float8, numeric, integer, bigint, text) IS
    'The answer of ebs_advise as one HTML page with plots, without scripts or network access, with a comparison if baseline is given (docs/report.md).';

CREATE FUNCTION ebs_chart(run text DEFAULT NULL, metric text DEFAULT 'requests', width integer DEFAULT 79, rows integer DEFAULT 20,
    lookback interval DEFAULT '14 days') RETURNS SETOF text
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_chart_wrapper';
COMMENT ON FUNCTION ebs_chart(text, text, integer, integer, interval) IS
    'Bars of a metric over time, or of waits, sources or latencies, for a terminal of the given width in columns (docs/report.md).';
