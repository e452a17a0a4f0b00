//! Tests of rows of `ebsctl fleet`.

use super::*;
use serde_json::json;

fn row() -> Value {
    json!({
        "volume": "vol-0a", "account": "1", "region": "us-east-1", "instance": "i-1", "owner": "payments", "action": "modify",
        "present": {"volume_type": "gp2", "volumes": 1, "size_gib": 500, "iops": 1500, "throughput_mibps": 250, "usd_month": 50.0},
        "recommended": {"volume_type": "gp3", "volumes": 1, "size_gib": 500, "iops": 3000, "throughput_mibps": 125, "usd_month": 40.0},
        "usd_month_saved": 10.0, "reason": {"code": "previous_generation", "text": "gp3 costs less."},
        "evidence": {"source": "node_exporter", "grade": "scrapes", "coverage_pct": 99.5}, "of_a_later_version": [1],
    })
}

fn error(text: &str) -> String {
    read(text, &|| ()).unwrap_err().to_string()
}

/// Error of the row in which a value is replaced.
fn changed(pointer: &str, value: Value) -> String {
    let mut row = row();
    *row.pointer_mut(pointer).unwrap() = value;
    error(&row.to_string())
}

#[test]
fn lines_and_arrays_are_the_same() {
    let mut other = row();
    other["region"] = json!("eu-west-1");
    let lines = read(&format!("{}\n{other}\n", row()), &|| ()).unwrap();
    assert_eq!(read(&json!([row(), other]).to_string(), &|| ()).unwrap(), lines);
    assert_eq!(lines, [row(), other]);
}

#[test]
fn a_row_that_knows_nothing_is_stored() {
    let row = json!({"volume": "vol-0b", "action": "no_answer", "present": null});
    assert_eq!(read(&row.to_string(), &|| ()).unwrap(), [row]);
}

#[test]
fn names_of_another_version_are_stored() {
    let mut row = row();
    for (key, value) in
        [("risk", "none"), ("confidence", "certain"), ("platform", "gp-compute"), ("binding_limit", "x")]
    {
        row[key] = json!(value);
    }
    row["evidence"]["grade"] = json!("milliseconds");
    row["tags"] = json!({"a\nb": "c\u{7}", "mountpoint": 1.to_string()});
    row["mountpoint"] = json!("/a, ".repeat(1_000));
    assert_eq!(read(&row.to_string(), &|| ()).unwrap(), [row]);
}

#[test]
fn errors_name_the_volume_and_the_key() {
    assert_eq!(
        changed("/action", json!("buy")),
        r#""action" of volume "vol-0a" is none of keep, modify, larger_instance, delete, no_answer"#
    );
    assert_eq!(
        changed("/present/iops", json!(-1)),
        r#""iops" of "present" of volume "vol-0a" is not a whole number from 0 to 1000000000"#
    );
    assert_eq!(changed("/present/volume_type", json!(null)), r#""present" of volume "vol-0a" has no "volume_type""#);
    assert_eq!(changed("/present/usd_month", json!(-1)), r#""usd_month" of "present" of volume "vol-0a" is negative"#);
    assert_eq!(changed("/usd_month_saved", json!("10")), r#""usd_month_saved" of volume "vol-0a" is not a number"#);
    assert_eq!(changed("/reason", json!("none")), r#""reason" of volume "vol-0a" is not an object"#);
    assert_eq!(changed("/volume", json!("")), r#"answer 1 has no "volume""#);
    assert_eq!(changed("/volume", json!(7)), r#""volume" of answer 1 is not a string"#);
    assert_eq!(changed("/action", json!(null)), r#"volume "vol-0a" has no "action""#);
    assert_eq!(changed("/action", json!(7)), r#""action" of volume "vol-0a" is not a string"#);
    assert_eq!(changed("/owner", json!("a\u{7}")), r#""owner" of volume "vol-0a" has a control character"#);
    assert_eq!(
        changed("/reason/text", json!("x".repeat(1_025))),
        r#""text" of "reason" of volume "vol-0a" has more than 1024 characters"#
    );
    assert_eq!(changed("/evidence", json!([])), r#""evidence" of volume "vol-0a" is not an object"#);
    assert_eq!(changed("/present", json!(["gp2"])), r#""present" of volume "vol-0a" is not an object"#);
    assert_eq!(
        changed("/evidence/coverage_pct", json!({})),
        r#""coverage_pct" of "evidence" of volume "vol-0a" is not a number"#
    );
    assert_eq!(changed("/recommended/iops", json!(null)), r#""recommended" of volume "vol-0a" has no "iops""#);
    assert_eq!(changed("/of_a_later_version", json!("\0")), "answer 1 has a character U+0000");
    assert_eq!(error(&format!("{0}\n{0}", row())), "volume \"vol-0a\" has two answers");
    assert_eq!(error("7"), "answer 1 is not an object");
    assert_eq!(error("[[\"vol-0a\"]]"), "answer 1 is not an object");
    assert_eq!(error(" "), "there is no answer");
    assert!(error(r#"{"volume": "#).starts_with("the answers are not JSON: EOF"));
    assert_eq!(
        changed("/of_a_later_version", json!("x".repeat(MAX_ANSWER_BYTES))),
        "answer 1 has more than 65536 bytes"
    );
}
