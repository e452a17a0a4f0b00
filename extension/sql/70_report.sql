-- answers to look at

CREATE FUNCTION ebs_report_html(run text DEFAULT NULL, baseline text DEFAULT NULL, lookback interval DEFAULT '14 days',
    {{advice_arguments}}) RETURNS text
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_report_html_wrapper';
COMMENT ON FUNCTION ebs_report_html(text, text, interval, {{advice_types}}) IS
    'The answer of ebs_advise as one HTML page with plots, without scripts or network access, with a comparison if baseline is given (docs/report.md).';

CREATE FUNCTION ebs_chart(run text DEFAULT NULL, metric text DEFAULT 'requests', width integer DEFAULT 79, rows integer DEFAULT 20,
    lookback interval DEFAULT '14 days') RETURNS SETOF text
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_chart_wrapper';
COMMENT ON FUNCTION ebs_chart(text, text, integer, integer, interval) IS
    'Bars of a metric over time, or of waits, sources or latencies, for a terminal of the given width in columns (docs/report.md).';
