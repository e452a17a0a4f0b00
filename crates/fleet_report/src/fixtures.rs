//! Rows for tests.

use std::collections::BTreeMap;

use ebs_aws::catalogue::{Platform, PrintedVolume, VolumeConfig, prices};
use ebs_aws::price::bill;
use ebs_fleet_row::{Action, Coded, Demand, Evidence, Row, Space, Volumes};

use crate::money::price;

/// Region of all rows.
const REGION: &str = "eu-west-1";

/// A row of which only the volume is known.
pub(crate) fn row(volume: &str) -> Row {
    Row { volume: volume.to_owned(), ..Row::default() }
}

/// Volumes of one configuration.
pub(crate) fn volumes(volume_type: &str, size_gib: u64, iops: u64, throughput_mibps: u64, usd_month: f64) -> Volumes {
    let volume_type = volume_type.to_owned();
    Volumes { volume_type, volumes: 1, size_gib, iops, throughput_mibps, usd_month: Some(usd_month) }
}

/// Volumes at the product's price in eu-west-1, which is the region of all rows here.
pub(crate) fn priced(
    platform: Platform,
    volume_type: &str,
    size_gib: u64,
    iops: u64,
    throughput_mibps: u64,
) -> Volumes {
    let printed =
        PrintedVolume { size_gib: Some(size_gib), iops: Some(iops), throughput_mibps: Some(throughput_mibps) };
    let config = VolumeConfig::from_printed(platform, volume_type.parse().unwrap(), printed).unwrap();
    let bill = bill(&config, 1, prices(REGION).unwrap()).unwrap();
    volumes(volume_type, size_gib, iops, throughput_mibps, bill.total().rounded().dollars())
}

/// The row with the saving of its recommended volumes.
pub(crate) fn with_saving(row: Row) -> Row {
    let saving = price(row.present.as_ref()).zip(price(row.recommended.as_ref()));
    Row { usd_month_saved: saving.map(|(present, recommended)| (present - recommended).dollars()), ..row }
}

fn ec2(volume_type: &str, size_gib: u64, iops: u64, throughput_mibps: u64) -> Volumes {
    priced(Platform::Ec2, volume_type, size_gib, iops, throughput_mibps)
}

/// A row with a code and a sentence.
pub(crate) fn coded(code: &str, text: &str) -> Coded {
    Coded { code: code.to_owned(), text: text.to_owned() }
}

/// A row in which everything is known: an io1 that becomes a gp3.
pub(crate) fn full() -> Row {
    let text = |text: &str| Some(text.to_owned());
    with_saving(Row {
        volume: "vol-06c1835863d5d7360".to_owned(),
        platform: "ec2".to_owned(),
        name: text("orders-data"),
        claim: None,
        owner: text("orders"),
        account: text("123456789012"),
        region: text(REGION),
        zone: text("eu-west-1b"),
        instance: text("i-0abc"),
        instance_type: text("r6i.4xlarge"),
        mountpoint: text("/var/lib/postgresql"),
        state: text("in-use"),
        tags: BTreeMap::from([("team".to_owned(), "orders".to_owned())]),
        evidence: evidence(),
        demand: Some(demand()),
        present: Some(ec2("io1", 500, 10_000, 500)),
        recommended: Some(ec2("gp3", 500, 5_000, 250)),
        larger_instance: None,
        action: Action::Modify,
        usd_month_saved: None,
        risk: text("low"),
        confidence: text("high"),
        binding_limit: text("none"),
        limit_pct: Some(0.0),
        space: Some(Space { used_gib: 300.0, size_gib: 491.0, growth_gib_day: Some(1.5), full_in_days: Some(127.3) }),
        reason: coded("cheaper", "gp3 has 5,000 IOPS for the 3,900 needed."),
        reason_brief: text("3,900 IOPS needed (p99 3,250 + 20 %)"),
        findings: vec![coded("previous_generation", "io1 is the previous generation.")],
        unknown: vec![coded("latency", "Latency is not known.")],
    })
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
        busy_pct: Some(31.0),
        busy_iops: Some(2_900.0),
        busy_mibps: Some(66.0),
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

/// Eight volumes with different answers.
pub(crate) fn fleet() -> Vec<Row> {
    vec![
        full(),
        claimed("vol-0b01", "db/data-ledger-0", "i-0b01", [("gp3", 2_048, 16_000, 1_000), ("gp3", 2_048, 6_000, 250)]),
        claimed("vol-0b02", "db/data-ledger-1", "i-0b02", [("gp3", 2_048, 16_000, 1_000), ("gp3", 2_048, 6_000, 250)]),
        Row { limit_pct: Some(12.4), binding_limit: Some("volume IOPS".to_owned()), ..growing() },
        Row {
            action: Action::LargerInstance,
            recommended: None,
            usd_month_saved: None,
            limit_pct: Some(3.1),
            binding_limit: Some("instance throughput".to_owned()),
            risk: Some("very high".to_owned()),
            findings: vec![coded("instance_binds", "The instance binds.")],
            reason: coded("instance_binds", "m5.large carries 593 MiB/s; demand reached it in 3.1 % of the time."),
            reason_brief: Some("m5.large sustains 593 of 712 MiB/s".to_owned()),
            larger_instance: Some("m5.xlarge".to_owned()),
            ..placed("vol-0d01", "reports-data", "i-0d01", "m5.large", ("gp3", 500, 12_000, 700))
        },
        Row {
            action: Action::Delete,
            state: Some("available".to_owned()),
            recommended: None,
            usd_month_saved: ec2("gp2", 1_000, 3_000, 250).usd_month,
            risk: None,
            limit_pct: None,
            demand: None,
            findings: vec![coded("unattached", "It is not attached.")],
            reason: coded("unattached", "It has been unattached for all 14 days."),
            reason_brief: Some("attached to no instance".to_owned()),
            instance: None,
            instance_type: None,
            ..placed("vol-0e01", "restore-test", "i-0", "-", ("gp2", 1_000, 3_000, 250))
        },
        Row {
            action: Action::Keep,
            recommended: Some(ec2("gp3", 500, 3_000, 125)),
            usd_month_saved: Some(0.0),
            findings: vec![coded("idle", "99 % of the seconds had no request.")],
            reason: coded("fits", "The included 3,000 IOPS and 125 MiB/s cover the demand."),
            reason_brief: Some("2,340 IOPS and 66 MiB/s needed".to_owned()),
            ..placed("vol-0f01", "billing-data", "i-0f01", "t3.medium", ("gp3", 500, 3_000, 125))
        },
        Row {
            action: Action::NoAnswer,
            account: Some("123456789012".to_owned()),
            reason: coded("not_fetched", "Its samples were not fetched: 503 Service Unavailable."),
            reason_brief: Some("its series were not fetched".to_owned()),
            ..row("vol-0a11")
        },
    ]
}

fn claimed(volume: &str, claim: &str, instance: &str, configs: [(&str, u64, u64, u64); 2]) -> Row {
    let [present, recommended] = configs.map(|config| ec2(config.0, config.1, config.2, config.3));
    with_saving(Row {
        claim: Some(claim.to_owned()),
        name: None,
        recommended: Some(recommended),
        present: Some(present),
        ..placed(volume, "", instance, "r6i.2xlarge", configs[0])
    })
}

fn growing() -> Row {
    with_saving(Row {
        recommended: Some(ec2("gp3", 600, 4_500, 125)),
        risk: Some("high".to_owned()),
        confidence: Some("medium".to_owned()),
        findings: vec![coded("fills_up", "It is full in 11 days.")],
        reason: coded("more_iops", "3,000 IOPS were reached in 12 % of the time."),
        reason_brief: Some("500 GiB are full in 11 days".to_owned()),
        ..placed("vol-0c01", "événements-日本-data", "i-0c01", "r6i.large", ("gp3", 500, 3_000, 125))
    })
}

fn placed(volume: &str, name: &str, instance: &str, instance_type: &str, config: (&str, u64, u64, u64)) -> Row {
    Row {
        volume: volume.to_owned(),
        name: Some(name.to_owned()).filter(|name| !name.is_empty()),
        instance: Some(instance.to_owned()),
        instance_type: Some(instance_type.to_owned()),
        present: Some(ec2(config.0, config.1, config.2, config.3)),
        ..full()
    }
}
