use std::collections::BTreeSet;

use ebs_advice::arguments::ARGUMENTS;

use super::*;

const FUNCTIONS: [Function; 8] = [
    Function::Advise,
    Function::FindingRows,
    Function::IndexAdvice,
    Function::IoMix,
    Function::LatencyHistogram,
    Function::OptionRows,
    Function::ReportHtml,
    Function::WhatIf,
];

const DECLARATIONS: [&str; 7] = [
    include_str!("../../../extension/sql/30_evidence.sql"),
    include_str!("../../../extension/sql/40_advice.sql"),
    include_str!("../../../extension/sql/41_findings.sql"),
    include_str!("../../../extension/sql/42_index_advice.sql"),
    include_str!("../../../extension/sql/45_prediction.sql"),
    include_str!("../../../extension/sql/47_report_card.sql"),
    include_str!("../../../extension/sql/70_report.sql"),
];

/// Names of the arguments of a function, as declared in extension/sql/.
fn declared(function: Function) -> BTreeSet<String> {
    let begin = format!("CREATE FUNCTION {}(", function.name());
    let (_, declaration) = DECLARATIONS.iter().find_map(|sql| sql.split_once(&begin)).unwrap();
    let declaration = ebs_declarations::expand(declaration).unwrap();
    let inputs = declaration.split_once("RETURNS").unwrap().0.split(" OUT ").next().unwrap();
    inputs.split(',').filter_map(|argument| argument.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn each_function_takes_the_arguments_that_it_has() {
    let all: BTreeSet<String> = declared(Function::OptionRows).into_iter().filter(|name| name != "run").collect();
    assert_eq!(all.len(), 1 + ARGUMENTS.len(), "{all:?}");
    for function in FUNCTIONS {
        let has = declared(function);
        assert!(has.contains("run"), "{function:?}");
        for name in &all {
            assert_eq!(function.takes(name), has.contains(name), "{name} of {function:?}");
        }
    }
}

#[test]
fn a_call_has_the_arguments_that_were_given() {
    let run = Arguments {
        run: Some("'it''s, 1'".into()),
        named: vec![("platform", "'rds'".into()), ("percentile", "95".into())],
        commands: None,
    };
    assert_eq!(
        run.call(Function::ReportHtml).to_string(),
        "ebs_report_html('it''s, 1', platform => 'rds', percentile => 95)"
    );
    assert_eq!(run.call(Function::WhatIf).to_string(), "ebs_whatif('it''s, 1', platform => 'rds')");
    assert_eq!(run.call(Function::IoMix).to_string(), "ebs_io_mix('it''s, 1')");
    assert_eq!(
        run.call(Function::Advise).with("show => 'all'").parts(),
        ["ebs_advise('it''s, 1',", "platform => 'rds',", "percentile => 95,", "show => 'all')"]
    );
    let lookback = Arguments { named: vec![("lookback", "'7 days'".into())], ..Arguments::default() };
    assert_eq!(lookback.call(Function::FindingRows).to_string(), "ebs_findings(lookback => '7 days')");
    assert_eq!(Arguments::default().call(Function::IoMix).to_string(), "ebs_io_mix()");
}

#[test]
fn literals_are_quoted() {
    let quoted = ["it's", "a\\b", "a\u{202E}b", "日本"].map(sql_literal);
    assert_eq!(quoted, ["'it''s'", "E'a\\\\b'", "E'a\\U0000202Eb'", "'日本'"]);
}
