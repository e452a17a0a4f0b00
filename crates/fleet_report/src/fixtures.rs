//! Rows for tests.

use std::collections::BTreeMap;

use crate::row::{Action, Coded, Demand, Evidence, Row, Space, Volumes};

/// A row of which only the volume is known.
pub(crate) fn row(volume: &str) -> Row {
    Row { volume: volume.to_owned(), ..Row::default() }
}

/// Volumes of one configuration.
pub(crate) fn volumes(volume_type: &str, size_gib: u64, iops: u64, throughput_mibps: u64, usd_month: f64) -> Volumes {
    let volume_type = volume_type.to_owned();
    Volumes { volume_type, volumes: 1, size_gib, iops, throughput_mibps, usd_month: Some(usd_month) }
}

/// A row with a code and a sentence.
pub(crate) fn coded(code: &str, text: &str) -> Coded {
    Coded { code: code.to_owned(), text: text.to_owned() }
}

/// A row in which everything is known: an io1 that becomes a gp3.
pub(crate) fn full() -> Row {
    let text = |text: &str| Some(text.to_owned());
    Row {
        volume: "vol-06c1835863d5d7360".to_owned(),
        platform: "ec2".to_owned(),
        name: text("orders-data"),
        claim: None,
        owner: text("orders"),
        account: text("123456789012"),
        region: text("eu-west-1"),
        zone: text("eu-west-1b"),
        instance: text("i-0abc"),
        instance_type: text("r6i.4xlarge"),
        mountpoint: text("/var/lib/postgresql"),
        state: text("in-use"),
        tags: BTreeMap::from([("team".to_owned(), "orders".to_owned())]),
        evidence: evidence(),
        demand: Some(demand()),
        present: Some(volumes("io1", 500, 10_000, 500, 719.0)),
        recommended: Some(volumes("gp3", 500, 5_000, 250, 55.0)),
        action: Action::Modify,
        usd_month_saved: Some(664.0),
        risk: text("low"),
        confidence: text("high"),
        binding_limit: text("none"),
        limit_pct: Some(0.0),
        space: Some(Space { used_gib: 300.0, size_gib: 491.0, growth_gib_day: Some(1.5), full_in_days: Some(127.3) }),
        reason: coded("cheaper", "gp3 has 5,000 IOPS for the 3,900 needed."),
        findings: vec![coded("previous_generation", "io1 is the previous generation.")],
        unknown: vec![coded("latency", "Latency is not known.")],
    }
}

fn evidence() -> Evidence {
    Evidence {
        source: "node_exporter".to_owned(),
        from: Some("2026-11-12T00:00:00Z".to_owned()),
        to: Some("2026-11-26T00:00:00Z".to_owned()),
        coverage_pct: 99.9,
        interval_s: Some(60.0),
        grade: "scrapes".to_owned(),
        resets: 1,
        gaps: 2,
    }
}

fn demand() -> Demand {
    Demand {
        iops_p50: 900.0,
        iops_p99: 3_100.0,
        iops_p99_low: Some(2_900.0),
        iops_p99_high: Some(3_250.0),
        iops_max: 4_700.0,
        mibps_p50: 20.0,
        mibps_p99: 110.0,
        mibps_p99_low: Some(100.0),
        mibps_p99_high: Some(115.5),
        mibps_max: 190.0,
        read_pct: Some(64.0),
        request_kib: Some(23.0),
        read_ms: Some(0.6),
        write_ms: Some(0.9),
        queue_depth: Some(1.2),
        iops_over_time: vec![Some(800.0), None, Some(1_000.0)],
    }
}
