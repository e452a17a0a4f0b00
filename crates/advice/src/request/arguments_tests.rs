use std::path::Path;

use super::*;
use crate::request::settings::{Request, Settings};
use ebs_aws::catalogue::prices;
use ebs_schema::assert_unchanged;

fn request(set: impl FnOnce(&mut Settings)) -> Result<Request, InputError> {
    let mut settings = Settings::default();
    set(&mut settings);
    settings.check(prices("us-east-1").unwrap().clone())
}

/// A value that the argument accepts and that is not its default.
fn other_value(argument: &AdviceArgument) -> Value<'static> {
    match (&argument.check, argument.argument.sql_type) {
        (Check::Names(names), _) => Value::Text(names()[1]),
        (Check::Described(_), _) => {
            Value::Text(if argument.argument.name == "region" { "eu-west-1" } else { "m5.large" })
        }
        (Check::Range { range: (low, high), .. }, SqlType::Double) => Value::Number((low + high) / 2.0),
        (Check::Range { .. }, SqlType::Numeric) => Value::Decimal("50.25"),
        (Check::Range { .. }, _) => Value::Integer(3),
    }
}

#[test]
fn each_argument_reaches_the_request() {
    for argument in &ARGUMENTS {
        let value = other_value(argument);
        let name = argument.argument.name;
        let mut settings = Settings::default();
        argument.set(&mut settings, value).unwrap();
        let region = if name == "region" { "eu-west-1" } else { "us-east-1" };
        let request = settings.check(prices(region).unwrap().clone()).unwrap();
        let expected = if value == Value::Decimal("50.25") { Value::Number(50.25) } else { value };
        assert_eq!(argument.value_of(&request), Some(expected), "{name}");
    }
}

#[test]
fn a_request_without_arguments_has_the_defaults_of_their_declaration() {
    let request = request(|_| ()).unwrap();
    for argument in &ARGUMENTS {
        if let Some(default) = argument.argument.default.value() {
            assert_eq!(argument.value_of(&request), Some(default), "{}", argument.argument.name);
        }
    }
}

#[test]
fn numbers_outside_the_range_are_refused() {
    for argument in &ARGUMENTS {
        let Check::Range { range: (low, high), .. } = argument.check else { continue };
        let name = argument.argument.name;
        let refused = |beyond: f64| {
            let value = match argument.argument.sql_type {
                SqlType::Double => Value::Number(beyond),
                SqlType::Numeric => Value::Decimal(if beyond > 1.0 { "2000000000" } else { "0" }),
                _ => Value::Integer(beyond as i64),
            };
            let error = request(|settings| argument.set(settings, value).unwrap()).unwrap_err();
            assert!(error.to_string().starts_with(&format!("{name} must be between ")), "{error}");
        };
        refused(low - 1.0);
        refused(high + 1.0);
        if argument.argument.sql_type == SqlType::Double {
            refused(f64::NAN);
        }
    }
}

#[test]
fn a_budget_that_is_no_amount_is_refused() {
    for text in ["NaN", "1e30", "", "x"] {
        let error = BUDGET_USD.set(&mut Settings::default(), Value::Decimal(text)).unwrap_err();
        assert!(error.to_string().starts_with("budget_usd must be between 0.01 and 1000000000, not "), "{error}");
    }
}

/// Running it with `UPDATE_DOCUMENTS=1` writes the rows.
#[test]
fn the_documentation_has_the_row_of_each_argument() {
    let text = include_str!("../../../../docs/advice.md");
    let begin = text.find("| `platform` | ").unwrap();
    let end = begin + text[begin..].find("| `show` | ").unwrap();
    let rows: String = ARGUMENTS.iter().map(|known| known.documentation() + "\n").collect();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/advice.md");
    assert_unchanged(&page, &[&text[..begin], &rows, &text[end..]].concat());
}

#[test]
fn the_help_of_a_flag_has_its_default() {
    assert_eq!(LATENCY_TARGET_MS.help(), "Maximum mean latency of a request, ms");
    assert!(PERCENTILE.help().ends_with("to size for, per cent [default: 99]"), "{}", PERCENTILE.help());
    assert!(PLATFORM.help().ends_with(" [default: that of the run's configuration, else ec2]"), "{}", PLATFORM.help());
    assert_eq!((IO_SOURCE.names(), PERCENTILE.names()), (Some(vec!["all", "postgresql"]), None));
}
