//! psql's script of a report.

use super::arguments::Arguments;
use crate::psql::{EXTENSION_SCHEMA, literal};

/// Returns the script that calls the function of the report. Only the extension's schema is searched, so that no other function of
/// this name is called. A function that is missing, or not granted to the role, is an error with a hint.
pub fn report_script(arguments: &Arguments) -> String {
    let function = if arguments.html.is_some() { "ebs_report_html" } else { "ebs_advise" };
    format!(
        "\\set SHOW_CONTEXT never
SET standard_conforming_strings = on;
DO $ebsctl$
DECLARE
    installed pg_catalog.oid := (SELECT extnamespace FROM pg_catalog.pg_extension WHERE extname = 'ebs_advisor');
    function pg_catalog.oid := (SELECT oid FROM pg_catalog.pg_proc WHERE pronamespace = installed AND proname = '{function}' LIMIT 1);
BEGIN
    IF installed IS NULL THEN
        RAISE undefined_object USING MESSAGE = 'the extension ebs_advisor is not in this database',
            HINT = 'Name the database with --dbname or PGDATABASE, or there: CREATE EXTENSION ebs_advisor;';
    ELSIF function IS NULL THEN
        RAISE undefined_function USING MESSAGE = 'the objects of ebs_advisor in this database are of an older version, without {function}',
            HINT = 'ALTER EXTENSION ebs_advisor UPDATE;';
    ELSIF NOT pg_catalog.has_function_privilege(function, 'EXECUTE') THEN
        RAISE insufficient_privilege USING MESSAGE = 'permission denied for function {function}', HINT = 'Members of pg_monitor may call it.';
    END IF;
END $ebsctl$;
SELECT coalesce({EXTENSION_SCHEMA}, 'pg_catalog') AS ebs_schema \\gset
SET search_path = pg_catalog, :ebs_schema, pg_temp;
SELECT {function}({});
",
        named_arguments(arguments)
    )
}

/// Given arguments as `run => 'a', percentile => '99.9'`.
fn named_arguments(arguments: &Arguments) -> String {
    let sizing = &arguments.sizing;
    let named = [
        named_argument("run", &arguments.label),
        named_argument("baseline", &arguments.baseline),
        named_argument("lookback", &sizing.lookback),
        named_argument("instance", &arguments.instance),
        named_argument("region", &arguments.region),
        named_argument("platform", &arguments.platform),
        named_argument("percentile", &sizing.percentile),
        named_argument("headroom", &sizing.headroom),
        named_argument("max_throttled_pct", &sizing.max_throttled_pct),
        named_argument("min_throughput_ratio", &sizing.min_throughput_ratio),
        named_argument("latency_target_ms", &sizing.latency_target_ms),
        named_argument("durability_pct", &sizing.durability_pct),
        named_argument("budget_usd", &sizing.budget_usd),
        named_argument("max_volumes", &sizing.max_volumes),
        named_argument("min_size_gib", &sizing.min_size_gib),
        named_argument("io_source", &sizing.io_source),
        named_argument("show", &arguments.show),
    ];
    named.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn named_argument<T: ToString>(name: &str, value: &Option<T>) -> Option<String> {
    value.as_ref().map(|value| format!("{name} => {}", literal(&value.to_string())))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Report {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn a_label_is_a_literal_and_an_argument_not_given_is_left_out() {
        let report = Report::try_parse_from(["report", "it's", "--html", "x.html", "--baseline", "gp3-*"]).unwrap();
        let script = report_script(&report.arguments);
        assert!(script.ends_with("SELECT ebs_report_html(run => 'it''s', baseline => 'gp3-*');\n"), "{script}");
        assert!(script.contains("AS ebs_schema \\gset\n"), "{script}");
    }

    #[test]
    fn requirements_are_arguments_of_the_function() {
        let words = ["report", "a", "--percentile", "99.9", "--headroom", "-1", "--max-volumes", "4"];
        let script = report_script(&Report::try_parse_from(words).unwrap().arguments);
        let call = "SELECT ebs_advise(run => 'a', percentile => '99.9', headroom => '-1', max_volumes => '4');\n";
        assert!(script.ends_with(call), "{script}");
        assert!(Report::try_parse_from(["report", "a", "--lookback", "1 day"]).is_err());
    }

    #[test]
    fn parts_of_the_text_are_those_of_the_function_and_not_of_a_page() {
        let script = report_script(&Report::try_parse_from(["report", "a", "--show", "commands"]).unwrap().arguments);
        assert!(script.ends_with("SELECT ebs_advise(run => 'a', show => 'commands');\n"), "{script}");
        assert!(Report::try_parse_from(["report", "a", "--show", "all", "--html", "x"]).is_err());
    }

    #[test]
    fn a_baseline_needs_a_page_and_a_run() {
        assert!(Report::try_parse_from(["report", "--baseline", "a", "--html", "x"]).is_err());
        assert!(Report::try_parse_from(["report", "b", "--baseline", "a"]).is_err());
    }
}
