//! Rows of ebsctl fleet, as ebs_import_fleet takes them.

use ebs_fleet_row::Row;
use ebs_fleet_row::answers::read;
use serde_json::{Value, from_value, json};

use crate::figures::check_figures;

/// Rows of ebsctl fleet. Accepted rows are stored as JSON and read again unchanged, one by one and as an array.
pub fn fleet_answers(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let answers = match read(text, &|| ()) {
        Ok(answers) => answers,
        Err(error) => return drop((error.to_string(), error.hint())),
    };
    for answer in &answers {
        let row: Row = from_value(answer.clone()).expect("a row");
        let price = row.present.and_then(|present| present.usd_month);
        check_figures([("the price", price), ("the saving", row.usd_month_saved.map(f64::abs))]);
    }
    assert_eq!(read(&Value::Array(answers.clone()).to_string(), &|| ()), Ok(answers));
}

/// One row, two as lines and as an array.
pub fn seeds() -> Vec<Vec<u8>> {
    let row = json!({
        "volume": "vol-0a", "account": "1", "region": "us-east-1", "owner": null, "action": "modify", "usd_month_saved": 10.5,
        "present": {"volume_type": "gp2", "volumes": 1, "size_gib": 500, "iops": 1500, "throughput_mibps": 250, "usd_month": 50},
        "recommended": null, "reason": {"code": "c", "text": "t"}, "evidence": {"grade": "seconds", "coverage_pct": 99.5},
        "tags": {"Name": "db"},
    });
    let other = json!({"volume": "db-1", "action": "no_answer"});
    [format!("{row}\n{other}\n"), format!("[{row}, {other}]"), other.to_string()].map(String::into_bytes).to_vec()
}
