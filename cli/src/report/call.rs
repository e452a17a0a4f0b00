//! Call of the function of a report, with all its arguments.

use ebs_base::lookback::Lookback;

use super::arguments::{Arguments, OfReport};
use crate::advice_flags::AdviceFlags;
use crate::postgres::function::{Function, advise, report_html};

/// Returns the function, the query around its call, and the arguments in their order.
pub fn report_call(arguments: &Arguments) -> (Function, &'static str, Vec<Option<String>>) {
    let (run, common) = (arguments.label.clone(), common(arguments.lookback.clone(), &arguments.sizing));
    if arguments.html.is_some() {
        let values = [vec![run, arguments.baseline.clone()], common].concat();
        return (report_html(), "SELECT {call} AS value", values);
    }
    let show = Some(arguments.show.clone());
    let query =
        "SELECT pg_catalog.string_agg(r.line, E'\\n' ORDER BY r.n) AS value FROM {call} WITH ORDINALITY AS r(line, n)";
    (advise(), query, [vec![run], common, vec![show]].concat())
}

/// Returns the arguments of ebs_advise_json for a run, with the defaults for the others. Those of ebs_advise have the part that is shown at
/// their end.
pub fn values_of_run(label: &str) -> Vec<Option<String>> {
    [vec![Some(label.to_owned())], common(None, &AdviceFlags::default())].concat()
}

/// Arguments that all functions of a report have in common: from the look-back to the source of I/O.
fn common(lookback: Option<String>, sizing: &AdviceFlags<OfReport>) -> Vec<Option<String>> {
    let lookback = lookback.unwrap_or_else(|| Lookback::DEFAULT.to_interval());
    [vec![Some(lookback)], sizing.texts()].concat()
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

    fn call(words: &[&str]) -> (Function, Vec<Option<String>>) {
        let report = Report::try_parse_from([&["report"], words].concat()).unwrap();
        let (function, _, values) = report_call(&report.arguments);
        assert_eq!(function.arguments.len(), values.len());
        (function, values)
    }

    #[test]
    fn a_label_is_a_value_like_any_other() {
        let (function, values) = call(&["it's", "--html", "x.html", "--baseline", "gp3-*"]);
        assert_eq!(function.name, "ebs_report_html");
        assert_eq!(values[..3], ["it's", "gp3-*", "14 days"].map(|value| Some(value.to_owned())));
    }

    /// The defaults are the functions' own, as extension/sql/40_advice.sql declares them.
    #[test]
    fn arguments_that_are_not_given_have_the_defaults_of_the_function() {
        let script = include_str!("../../../extension/sql/40_advice.sql");
        let script = ebs_declarations::expand(script).unwrap();
        let start = script.find("CREATE FUNCTION ebs_advise(").unwrap();
        let declaration = &script[start..start + script[start..].find(") RETURNS").unwrap()];
        let default = |argument: &str| {
            let value = argument.split("DEFAULT ").nth(1).unwrap().trim().trim_matches('\'').to_owned();
            Some(value).filter(|value| value != "NULL")
        };
        let declared: Vec<Option<String>> = declaration.split_once('(').unwrap().1.split(',').map(default).collect();
        assert_eq!(call(&[]).1, declared);
        assert_eq!(values_of_run("a")[1..], declared[1..declared.len() - 1]);
    }

    #[test]
    fn requirements_are_arguments_of_the_function() {
        let (function, values) =
            call(&["a", "--percentile", "99.9", "--headroom", "-1", "--max-volumes", "4", "--show", "commands"]);
        assert_eq!(function.name, "ebs_advise");
        let given = |value: &str| values.contains(&Some(value.to_owned()));
        assert!(["a", "99.9", "-1", "4", "commands"].into_iter().all(given), "{values:?}");
        assert!(Report::try_parse_from(["report", "a", "--lookback", "1 day"]).is_err());
        assert!(Report::try_parse_from(["report", "a", "--show", "all", "--html", "x"]).is_err());
    }

    #[test]
    fn a_baseline_needs_a_page_and_a_run() {
        assert!(Report::try_parse_from(["report", "--baseline", "a", "--html", "x"]).is_err());
        assert!(Report::try_parse_from(["report", "b", "--baseline", "a"]).is_err());
    }
}
