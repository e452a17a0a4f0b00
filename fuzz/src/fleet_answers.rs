//! Rows of ebsctl fleet, as ebs_import_fleet takes them.

use ebs_imports::fleet_answers::read;
use serde_json::json;

use crate::figures::check_figures;

/// Rows of ebsctl fleet. Accepted rows are stored as JSON and read again unchanged, one by one and as an array.
pub fn fleet_answers(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let answers = match read(text, &|| ()) {
        Ok(answers) => answers,
        Err(error) => return drop((error.to_string(), error.hint())),
    };
    for answer in &answers {
        check_figures([("the price", answer.usd_month), ("the saving", answer.usd_month_saved.map(f64::abs))]);
    }
    let rows = serde_json::Value::Array(answers.iter().map(|answer| answer.row.clone()).collect());
    assert_eq!(read(&rows.to_string(), &|| ()), Ok(answers));
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
