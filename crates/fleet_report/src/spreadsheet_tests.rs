use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::fixtures;

fn written(rows: &[Row]) -> String {
    let mut text = Vec::new();
    write_csv(rows, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn read(text: &str) -> Vec<HashMap<String, String>> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect()
}

#[test]
fn a_row_has_a_field_for_each_column() {
    let rows = read(&written(&[fixtures::full(), fixtures::row("vol-2")]));
    let field = |row: usize, name: &str| rows[row][name].as_str();
    for (name, value) in [
        ("volume", "vol-06c1835863d5d7360"),
        ("action", "modify"),
        ("usd_month", "789.00"),
        ("usd_month_recommended", "60.50"),
        ("usd_month_saved", "728.50"),
        ("type", "io1"),
        ("recommended_iops", "5000"),
        ("iops_p99_high", "3250"),
        ("mibps_p99_high", "115.5"),
        ("findings", "previous_generation"),
        ("tags", r#"{"team":"orders"}"#),
        ("full_in_days", "127.3"),
    ] {
        assert_eq!(field(0, name), value, "{name}");
    }
    // Unknown is not zero.
    for name in ["usd_month", "usd_month_saved", "limit_pct", "iops_p99", "size_gib", "interval_s", "tags"] {
        assert_eq!(field(1, name), "", "{name}");
    }
    assert_eq!(field(1, "action"), "no_answer");
}

#[test]
fn column_names_are_stable_and_differ() {
    let mut names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names[..5], ["volume", "platform", "name", "claim", "owner"]);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), COLUMNS.len());
}

#[test]
fn lines_end_as_in_rfc_4180() {
    let text = written(&[Row { name: Some("a \"b\",\nc".to_owned()), ..fixtures::row("vol-1") }]);
    assert!(text.ends_with("\r\n") && text.contains(",\"a \"\"b\"\",\nc\","), "{text}");
}

#[test]
fn a_negative_amount_is_a_number_and_a_formula_is_none() {
    let name = Some("=HYPERLINK(\"http://x\")".to_owned());
    let rows = read(&written(&[Row { name, usd_month_saved: Some(-3.5), ..fixtures::row("vol-1") }]));
    assert_eq!(rows[0]["usd_month_saved"], "-3.50");
    assert_eq!(rows[0]["name"], "'=HYPERLINK(\"http://x\")");
}

proptest! {
    /// No text from outside is a formula, and any text is one field.
    #[test]
    fn no_text_is_a_formula(name in "[=+@\\-\t\r]?[a-z\",\n\r=+@-]{0,12}") {
        let coded = fixtures::coded(&name, &name);
        let row = Row {
            volume: name.clone(), name: Some(name.clone()), claim: Some(name.clone()), owner: Some(name.clone()),
            instance: Some(name.clone()), reason: coded.clone(), findings: vec![coded],
            ..Row::default()
        };
        let rows = read(&written(&[row]));
        prop_assert_eq!(rows.len(), 1);
        for value in rows[0].values() {
            prop_assert!(!value.starts_with(['=', '+', '-', '@', '\t', '\r']), "{}", value);
        }
        prop_assert_eq!(rows[0]["name"].trim_start_matches('\''), &name);
    }
}
