//! Fleets that are made from a seed: volumes of each kind, with demand, findings and names of every sort.

use std::collections::BTreeMap;

use ebs_fleet_report::{Action, Coded, Demand, Evidence, Row, Space, Volumes};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// Names that would be markup, a formula or a command if they were not escaped.
const HOSTILE: [&str; 4] =
    ["</script><script>window.hit = 1</script>", "<img src=x onerror=\"window.hit = 1\">", "=1+1", "a'; reboot #\nb"];

struct Draw(Pcg64);

impl Draw {
    fn below(&mut self, limit: u64) -> u64 {
        self.0.next_u64() % limit
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.0.next_u64() as f64 / u64::MAX as f64)
    }

    fn choose<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }
}

/// Returns so many rows; the same for the same seed.
pub fn rows(number: u64, seed: u64) -> Vec<Row> {
    let mut draw = Draw(Pcg64::seed_from_u64(seed));
    (0..number).map(|place| row(&mut draw, place)).collect()
}

fn row(draw: &mut Draw, place: u64) -> Row {
    let action = draw.choose(&[
        Action::Modify,
        Action::Modify,
        Action::Keep,
        Action::Keep,
        Action::LargerInstance,
        Action::Delete,
        Action::NoAnswer,
    ]);
    let text = |text: String| Some(text);
    let present = volumes(draw);
    let recommended = (action == Action::Modify).then(|| smaller(&present));
    let price = |volumes: Option<&Volumes>| volumes.and_then(|volumes| volumes.usd_month);
    let saved = match action {
        Action::Modify => price(Some(&present)).zip(price(recommended.as_ref())).map(|(now, then)| now - then),
        Action::Delete => price(Some(&present)),
        Action::Keep => Some(0.0),
        _ => None,
    };
    let has_evidence = !matches!(action, Action::NoAnswer | Action::Delete);
    let at_limit = draw.below(5) == 0;
    Row {
        volume: format!("vol-{:017x}", 0x0a00_0000_0000_0000_u64 + place),
        platform: "ec2".to_owned(),
        name: text(name(draw, place)),
        claim: (place.is_multiple_of(9)).then(|| format!("db/data-pg{}-{}", place / 90, place % 90 / 9)),
        owner: (draw.below(10) > 0).then(|| format!("team-{}", draw.below(24))),
        account: text(format!("{:012}", 100_000_000_000 + draw.below(6))),
        region: text(draw.choose(&["us-east-1", "eu-west-1", "ap-south-1"]).to_owned()),
        zone: text(draw.choose(&["us-east-1a", "eu-west-1b", "ap-south-1c"]).to_owned()),
        instance: text(format!("i-{:017x}", place / 3)),
        instance_type: text(draw.choose(&["r6i.4xlarge", "r7g.2xlarge", "m5.large", "t3.medium"]).to_owned()),
        mountpoint: text("/var/lib/postgresql".to_owned()),
        state: text("in-use".to_owned()),
        tags: BTreeMap::from([("env".to_owned(), draw.choose(&["production", "staging", "test"]).to_owned())]),
        evidence: evidence(draw, has_evidence),
        demand: has_evidence.then(|| demand(draw, &present)),
        recommended,
        action,
        usd_month_saved: saved.map(|saved| (saved * 100.0).round() / 100.0),
        risk: has_evidence.then(|| draw.choose(&["very low", "low", "medium", "high", "very high"]).to_owned()),
        confidence: has_evidence.then(|| draw.choose(&["low", "medium", "high"]).to_owned()),
        binding_limit: has_evidence.then(|| if at_limit { "volume IOPS" } else { "none" }.to_owned()),
        limit_pct: has_evidence.then(|| if at_limit { draw.between(0.1, 40.0) } else { 0.0 }),
        space: Some(Space {
            used_gib: present.size_gib as f64 * draw.between(0.1, 0.9),
            size_gib: present.size_gib as f64 * 0.98,
            growth_gib_day: Some(draw.between(0.0, 2.0)),
            full_in_days: (draw.below(4) == 0).then(|| draw.between(1.0, 400.0)),
        }),
        present: Some(present),
        larger_instance: (action == Action::LargerInstance).then(|| "r6i.8xlarge".to_owned()),
        reason_brief: None,
        reason: coded("made_up", "This row was made from a seed; its figures have no other meaning than to be shown."),
        findings: findings(draw),
        unknown: if has_evidence { Vec::new() } else { vec![coded("demand", "No samples: the demand is not known.")] },
    }
}

fn name(draw: &mut Draw, place: u64) -> String {
    match draw.below(40) {
        0 => draw.choose(&HOSTILE).to_owned(),
        1 => format!("événements-日本-{place}"),
        _ => format!(
            "{}-{}-{place}",
            draw.choose(&["orders", "billing", "ledger", "search"]),
            draw.choose(&["data", "wal", "temp"])
        ),
    }
}

fn volumes(draw: &mut Draw) -> Volumes {
    let volume_type = draw.choose(&["gp3", "gp3", "gp2", "io1", "io2"]);
    let size_gib = draw.choose(&[100, 200, 500, 1_000, 2_048]);
    let iops = match volume_type {
        "gp2" => 3 * size_gib,
        _ => draw.choose(&[3_000, 6_000, 12_000, 16_000]),
    };
    let each = if volume_type.starts_with("io") { 0.065 } else { 0.005 };
    let usd_month = Some(size_gib as f64 * 0.1 + iops as f64 * each);
    Volumes { volume_type: volume_type.to_owned(), volumes: 1, size_gib, iops, throughput_mibps: 250, usd_month }
}

fn smaller(present: &Volumes) -> Volumes {
    let usd_month = Some(present.size_gib as f64 * 0.08 + 10.0);
    Volumes { volume_type: "gp3".to_owned(), iops: 5_000, throughput_mibps: 125, usd_month, ..*present }
}

fn evidence(draw: &mut Draw, has_evidence: bool) -> Evidence {
    Evidence {
        source: if has_evidence { "node_exporter" } else { "" }.to_owned(),
        from: Some("2026-11-12T00:00:00Z".to_owned()),
        to: Some("2026-11-26T00:00:00Z".to_owned()),
        coverage_pct: if has_evidence { draw.between(80.0, 100.0) } else { 0.0 },
        interval_s: has_evidence.then(|| draw.choose(&[15.0, 30.0, 60.0])),
        grade: if has_evidence { "scrapes" } else { "none" }.to_owned(),
        resets: draw.below(3),
        gaps: draw.below(3),
        busy_pct: has_evidence.then_some(31.0),
        busy_iops: has_evidence.then_some(2_000.0),
        busy_mibps: has_evidence.then_some(31.0),
    }
}

fn demand(draw: &mut Draw, present: &Volumes) -> Demand {
    let most = present.iops as f64 * draw.between(0.02, 1.0);
    let middle = most * draw.between(0.1, 0.5);
    let (p99, size) = (most * 0.8, draw.between(8.0, 64.0));
    let mibps = |iops: f64| iops * size / 1_024.0;
    Demand {
        iops_p50: middle,
        iops_p99: p99,
        iops_p99_low: Some(p99 * 0.95),
        iops_p99_high: Some(p99 * 1.05),
        iops_max: most,
        mibps_p50: mibps(middle),
        mibps_p99: mibps(p99),
        mibps_p99_low: Some(mibps(p99 * 0.95)),
        mibps_p99_high: Some(mibps(p99 * 1.05)),
        mibps_max: mibps(most),
        read_pct: Some(draw.between(0.0, 100.0)),
        request_kib: Some(size),
        read_ms: Some(draw.between(0.3, 4.0)),
        write_ms: Some(draw.between(0.5, 6.0)),
        queue_depth: Some(draw.between(0.1, 20.0)),
        iops_over_time: (0..48)
            .map(|_| (draw.below(30) > 0).then(|| (middle * draw.between(0.6, 1.4)).round()))
            .collect(),
    }
}

fn findings(draw: &mut Draw) -> Vec<Coded> {
    let all = ["idle", "unattached", "previous_generation", "instance_binds", "fills_up"];
    let some = all.into_iter().filter(|_| draw.below(6) == 0);
    some.map(|code| coded(code, "A finding of a volume that was made from a seed.")).collect()
}

fn coded(code: &str, text: &str) -> Coded {
    Coded { code: code.to_owned(), text: text.to_owned() }
}
