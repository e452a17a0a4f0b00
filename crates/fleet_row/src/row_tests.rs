use ebs_schema::{assert_published, problems};
use serde_json::json;

use super::*;

/// A row with a value of each key.
fn full() -> Value {
    let volumes = json!({"volume_type": "io1", "volumes": 1, "size_gib": 500, "iops": 10000, "throughput_mibps": 500, "usd_month": 789.0});
    let coded = json!({"code": "cheaper", "text": "It costs less."});
    json!({
        "volume": "vol-06c1835863d5d7360", "platform": "ec2", "name": "orders-data", "claim": "db/data-0", "owner": "orders",
        "account": "123456789012", "region": "eu-west-1", "zone": "eu-west-1b", "instance": "i-0abc", "instance_type": "r6i.4xlarge",
        "mountpoint": "/var/lib/postgresql", "state": "in-use", "tags": {"team": "orders"},
        "evidence": {
            "source": "node_exporter", "from": "2026-11-12T00:00:00Z", "to": "2026-11-26T00:00:00Z", "coverage_pct": 99.9,
            "interval_s": 60.0, "grade": "scrapes", "resets": 1, "gaps": 2, "busy_pct": 31.0, "busy_iops": 2900.0, "busy_mibps": 66.0
        },
        "demand": {
            "iops_p50": 900.0, "iops_p99": 3100.0, "iops_p99_low": 2900.0, "iops_p99_high": 3250.0, "iops_max": 4700.0,
            "mibps_p50": 20.0, "mibps_p99": 110.0, "mibps_p99_low": 100.0, "mibps_p99_high": 115.5, "mibps_max": 190.0,
            "read_pct": 64.0, "request_kib": 23.0, "read_ms": 0.6, "write_ms": 0.9, "queue_depth": 1.2,
            "iops_over_time": [800.0, null, 1000.0]
        },
        "present": volumes, "recommended": volumes, "larger_instance": "r6i.8xlarge", "action": "modify", "usd_month_saved": 728.5, "risk": "low",
        "confidence": "high", "binding_limit": "none", "limit_pct": 0.0,
        "space": {"used_gib": 300.0, "size_gib": 491.0, "growth_gib_day": 1.5, "full_in_days": 127.3},
        "reason": coded, "reason_brief": "3,900 IOPS needed", "findings": [coded], "unknown": [coded],
    })
}

#[test]
fn schema_says_what_is_written() {
    let schema = assert_published::<Row>("fleet", "A volume of ebsctl fleet");
    for row in [full(), serde_json::to_value(Row::default()).unwrap()] {
        assert_eq!(problems(&schema, &row), [""; 0]);
    }
}

#[test]
fn a_row_is_written_as_it_was_read() {
    let row: Row = serde_json::from_value(full()).unwrap();
    assert_eq!(serde_json::to_value(row).unwrap(), full());
}

#[test]
fn an_action_has_its_name_of_json() {
    let actions = ["keep", "modify", "larger_instance", "delete", "no_answer"];
    let names = actions.map(|name| serde_json::from_value::<Action>(json!(name)).unwrap().to_string());
    assert_eq!(names, actions);
}

/// The CHECK of the table of the extension is on these names.
#[test]
fn actions_are_those_of_the_table() {
    let table = include_str!("../../../extension/sql/34_fleet.sql");
    let check = table.split("CHECK (action IN (").nth(1).and_then(|rest| rest.split("))").next()).unwrap();
    let error = serde_json::from_value::<Action>(json!("buy")).unwrap_err().to_string();
    assert_eq!(error.replace('`', "'"), format!("unknown variant 'buy', expected one of {check}"));
}
