//! Requests that no volume meets, or that decide which one does: the reason on the screen, in the whole report and in the document.

use super::super::scenario::{Load, Scenario, declared, page, volume};
use crate::json;
use crate::text::Show;
use ebs_advice::{LoadKind, Settings};
use ebs_aws::catalogue::VolumeType;
use ebs_samples::evidence::{ChangeTime, ConfigurationChange, Role, Tier, Volume};

/// Ten minutes of imported reads of 8 KiB and 1 ms, 19,400 to 19,450 a second, on 500 GiB: with a fifth 23,340 IOPS, ordered as 23,400,
/// and 183 MiB/s, ordered as 185. One gp3 is 40 + 20,400 × 0.005 + 60 × 0.04 = 144.40 dollars.
fn imported(settings: Settings) -> Scenario {
    let load = Load { reads: 19_400, writes: 0, kib: 8.0, read_ms: 1.0, write_ms: 0.0, spread: 50 };
    Scenario { settings: Settings { min_size_gib: Some(500), ..settings }, ..Scenario::imported("request", load) }
}

/// The lines of a form that follow a label, joined.
fn after(scenario: &Scenario, show: Show, label: &str) -> String {
    let lines = scenario.render(show);
    let mut found = lines.iter().skip_while(|line| !line.trim_start().starts_with(label));
    let first = found.next().map(|line| line.trim_start().trim_start_matches(label).trim().to_owned());
    let indented = found.take_while(|line| line.starts_with("            ")).map(|line| line.trim().to_owned());
    first.into_iter().chain(indented).collect::<Vec<_>>().join(" ")
}

fn screen(scenario: &Scenario, label: &str) -> String {
    after(scenario, Show::Screen, label)
}

/// Eight of 63 GiB are 504 × 0.08 = 40.32 dollars, their 24,000 IOPS included; of up to 16, ten of 50 GiB are 40.
#[test]
fn a_stripe_within_the_budget_is_named_with_its_price() {
    let within = |usd: &str| imported(Settings { budget_usd: Some(usd.parse().unwrap()), ..Settings::default() });
    let tight = within("60");
    let gives = "max_volumes => 8 gives 8 × gp3 for $40.32";
    let partial = "the best within $60.00: throttles 100 % of seconds; everything requested costs $144.40 (gp3)";
    assert_eq!(screen(&tight, "Why"), format!("{partial}; {gives}"));
    let is_stripe = |line: &&String| line.starts_with("  8 × gp3 3,000 IOPS ") && line.ends_with("  98.41 % durable");
    assert!(tight.screen().iter().find(is_stripe).is_some_and(|line| line.contains(" $40.32 ")));
    let whole = tight.render(Show::All).join(" ");
    assert!(whole.contains("max_volumes => 8 (RAID 0): gp3, 8 × 63 GiB"), "{whole}");
    let document = tight.with_report(json::render);
    let stripe = &document["roles"][0]["variations"][0];
    assert_eq!(stripe["argument"], "max_volumes => 8");
    assert_eq!(stripe["recommended"]["volumes"], 8);
    assert_eq!(stripe["recommended"]["price"]["usd_month"], 40.32);
    assert!(screen(&within("127"), "Why").ends_with(&format!("; {gives}")));
    assert!(screen(&within("40.31"), "Why").ends_with("; max_volumes => 10 gives 10 × gp3 for $40.00"));
    assert!(!screen(&within("39.99"), "Why").contains("max_volumes"));
}

/// io2's 0.40 ms are the nearest to 0.2 and to 0.32: 500 × 0.125 + 23,400 × 0.065 = 1,583.50 dollars.
#[test]
fn the_closest_volumes_are_the_nearest_to_every_target() {
    for target in [0.2, 0.32] {
        let scenario = imported(Settings { latency_target_ms: Some(target), ..Settings::default() });
        let closest = screen(&scenario, "Closest");
        assert!(
            closest.starts_with("io2  500 GiB  23,400 IOPS") && closest.ends_with("$1,583.50 / month"),
            "{closest}"
        );
        assert_eq!(screen(&scenario, "Why"), format!("{target:.2} ms a request requested, io2 takes 0.40"));
        let whole = after(&scenario, Show::All, "Closest");
        assert!(whole.starts_with("io2, 1 × 500 GiB, 23,400 IOPS") && whole.ends_with("$1,583.50 a month"), "{whole}");
        let page = scenario.with_report(page);
        assert!(page.contains("Closest: <strong>io2, 1 × 500 GiB, 23,400 IOPS") && page.contains("$1,583.50"));
    }
}

/// 60,000 reads in one of 600 seconds, and 115 in the others: 3,000 IOPS leave 57,000, which 2,885 a second drain in 19.8 s: 20.8 of 600 s
/// are 3.5 %, and 60,000 and 19.8 × 115 of 60,000 + 599 × 115 requests are 48 %.
#[test]
fn the_shares_of_the_time_and_of_the_requests_that_wait_are_shown() {
    let remark = |max_throttled_pct| {
        // Without latencies nothing is predicted, which would name gp2 in place of this gp3.
        let load = Load { reads: 90, writes: 0, kib: 8.0, read_ms: 0.0, write_ms: 0.0, spread: 50 };
        let volumes = vec![(volume("nvme1n1", &[Role::Data, Role::Wal]), load)];
        let settings = Settings { percentile: 95.0, max_throttled_pct, ..Settings::default() };
        let scenario = Scenario { volumes, burst: Some((300, 60_000)), ..imported(settings) };
        let screen = scenario.screen();
        let row = screen.iter().find(|line| line.starts_with("  gp3 3,000 IOPS")).unwrap();
        let (_, remarks) = row.split_once("  210  ").unwrap_or_else(|| panic!("{row}"));
        remarks.to_owned()
    };
    assert_eq!(remark(20.0), "48 % of I/O waits");
    assert_eq!(remark(3.0), "throttled 3 %, 48 % of I/O");
}

/// gp3 takes 0.74 ms a request and has 99.8 % durability; io2 has 0.40 and 99.999 %, for $1,583.50. A target that gp3 meets decides nothing.
#[test]
fn the_target_that_cheaper_volumes_miss_is_named() {
    let why = |settings: Settings| {
        let scenario = imported(settings);
        let why = screen(&scenario, "Why");
        assert_eq!(after(&scenario, Show::All, "Why"), why);
        let page = scenario.with_report(page);
        assert!(page.contains(&format!("<p>Why: {}.", why.replace('>', "&gt;"))), "{page}");
        why
    };
    let basis = "p99 demand ≤ 19,500 IOPS + 20 % headroom = 23,400 IOPS";
    let durable = |pct| why(Settings { durability_pct: Some(pct), ..Settings::default() });
    assert_eq!(durable(99.9), format!("99.9 % durability requested, gp3 has 99.8 %; {basis}"));
    assert_eq!(durable(99.801), format!("99.801 % durability requested, gp3 has 99.8 %; {basis}"));
    assert_eq!(durable(99.8), basis);
    let fast = |ms| why(Settings { latency_target_ms: Some(ms), ..Settings::default() });
    assert_eq!(fast(0.5), format!("0.50 ms a request requested, gp3 takes 0.74; {basis}"));
    // Two gp2 volumes, of 0.73 ms, and eight are cheaper than io2.
    let near = fast(0.739);
    assert!(
        near.starts_with("0.739 ms a request requested, gp3 takes 0.74; ") && near.contains(" × gp2 for $"),
        "{near}"
    );
    assert_eq!(fast(0.75), basis);
}

/// 2,000 transactions/s of eight sessions take 4 ms, of which ten reads of 0.1 ms are 1: with gp3's 0.74 ms they take 10.4, not two fifths as
/// many; with io2's 0.40 they take 7. gp3 is sized for 98 % of its own.
#[test]
fn the_throughput_that_cheaper_volumes_lose_is_named() {
    let load = Load { reads: 20_000, writes: 0, kib: 8.0, read_ms: 0.1, write_ms: 0.0, spread: 50 };
    let scenario = Scenario {
        tier: Tier::Sampler,
        volumes: vec![(volume("vda", &[Role::Data, Role::Wal]), load)],
        waits: vec![("IO", "DataFileRead", 2.0), ("CPU*", "CPU*", 6.0)],
        tps: Some(2_000),
        busy: Some(0.5),
        driver_load: Some(LoadKind::Closed),
        ..imported(Settings { min_throughput_ratio: Some(0.5), ..Settings::default() })
    };
    let why = screen(&scenario, "Why");
    assert!(why.starts_with("50 % of today's throughput requested, gp3 gives 37 %; "), "{why}");
}

/// 140 reads at most and a fifth are far below 3,000 IOPS: 1 GiB at $0.08 is nobody's order, and the line of the price says so, that of a
/// stripe in fewer words.
#[test]
fn the_line_of_the_price_names_an_unknown_size() {
    let unsized_volume = |role| Volume { filesystem_bytes: None, used_bytes: None, ..volume("nvme1n1", &[role]) };
    let load = Load { reads: 90, writes: 0, kib: 8.0, read_ms: 0.7, write_ms: 0.0, spread: 50 };
    let first_line = |load, role, max_volumes| {
        let settings = Settings { max_volumes, ..Settings::default() };
        let mut scenario = Scenario { volumes: vec![(unsized_volume(role), load)], ..imported(settings) };
        assert!(!scenario.with_report(page).contains("size unknown: the smallest"));
        scenario.settings.min_size_gib = None;
        assert!(scenario.with_report(page).contains("size unknown: the smallest that its IOPS allow"));
        let screen = scenario.screen();
        assert!(screen.join(" ").contains("size of the data unknown"), "{screen:#?}");
        screen.into_iter().find(|line| line.starts_with("RECOMMENDED")).unwrap()
    };
    let small = first_line(load, Role::Data, None);
    assert!(small.starts_with("RECOMMENDED  gp3  1 GiB (size unknown)  3,000 IOPS"), "{small}");
    assert!(small.ends_with(" $0.08 / month"), "{small}");
    // 400,050 and a fifth are 480,060 IOPS.
    let busy = Load { reads: 400_000, read_ms: 0.1, ..load };
    let large = first_line(busy, Role::Data, Some(8));
    assert!(large.contains(" each  ") && !large.contains('…'), "{large}");
}

/// 23,340 IOPS and 183 MiB/s: of r6i, 8xlarge sustains 40,000 and 1,192 (4xlarge 20,000); t3's largest far less.
#[test]
fn the_smallest_larger_instance_of_the_family_is_named() {
    let named = |platform: &str, instance: &str| {
        let scenario =
            imported(Settings { platform: platform.into(), instance: Some(instance.into()), ..Settings::default() });
        let recommended = screen(&scenario, "RECOMMENDED");
        let need = recommended.split("  ").next().unwrap().to_owned();
        assert!(scenario.render(Show::All).join(" ").contains("a larger instance for 23,400 IOPS"));
        (need, scenario.with_report(json::render)["larger_instance"].as_str().map(str::to_owned))
    };
    let need = |name: &str| format!("a larger instance for 23,400 IOPS and 183 MiB/s: {name}");
    assert_eq!(named("ec2", "r6i.large"), (need("r6i.8xlarge or r8ib.2xlarge"), Some("r6i.8xlarge".into())));
    assert_eq!(named("rds", "db.r6i.large"), (need("db.r6i.8xlarge"), Some("db.r6i.8xlarge".into())));
    assert_eq!(named("ec2", "t3.large"), (need("no t3 does"), None));
}

/// Nothing is predicted of imported samples: the answer is that without the argument, and says so.
#[test]
fn a_throughput_that_is_not_predicted_is_said_to_have_no_effect() {
    let why = |min_throughput_ratio| screen(&imported(Settings { min_throughput_ratio, ..Settings::default() }), "Why");
    let without = why(None);
    let unchecked = "min_throughput_ratio has no effect: throughput is not predicted";
    assert_eq!(why(Some(1.5)), format!("{without}; {unchecked}"));
}

/// 65,537 GiB are one more than gp3 and io2 have: the remark names the GiB, not headroom.
#[test]
fn a_size_that_no_volume_has_is_remarked_as_too_few_gib() {
    let large = Scenario {
        settings: Settings { min_size_gib: Some(65_537), ..Settings::default() },
        ..imported(Settings::default())
    };
    let screen = large.screen();
    let rows: Vec<&String> = screen.iter().filter(|line| line.starts_with("  io2 ")).collect();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.ends_with("too few GiB")), "{screen:#?}");
}

/// Data of 7,500 IOPS with headroom are 40 + 4,500 × 0.005 = 62.50 dollars on gp3 of 500 GiB, and WAL of 2,950 are 40 on its included 3,000:
/// together 105 % over a budget of 50. gp2 of 500 GiB has half of the WAL's IOPS for 50 dollars, which with the other volume is 125 % over it.
#[test]
fn the_closest_volumes_count_the_price_of_the_others() {
    let load = |reads, writes| Load { reads, writes, kib: 8.0, read_ms: 1.0, write_ms: 1.0, spread: 50 };
    let volumes =
        vec![(volume("nvme1n1", &[Role::Data]), load(6_190, 0)), (volume("nvme2n1", &[Role::Wal]), load(0, 2_400))];
    let settings = Settings { budget_usd: Some("50".parse().unwrap()), ..Settings::default() };
    let screen = Scenario { volumes, ..imported(settings) }.screen();
    let closest: Vec<&String> = screen.iter().filter(|line| line.starts_with("  Closest")).collect();
    assert!(closest.len() == 2 && closest.iter().all(|line| line.contains("gp3  500 GiB")), "{screen:#?}");
    assert!(closest[1].ends_with("$40.00 / month"), "{screen:#?}");
}

/// The price of data and WAL on volumes of their own, and both volumes, stand in each form.
#[test]
fn each_form_has_wal_on_a_volume_of_its_own() {
    let wal_apart = Scenario { driver_load: Some(LoadKind::Closed), ..Scenario::new("run", 4_500) };
    let screen = wal_apart.screen();
    let line = screen.iter().find(|line| line.ends_with("  WAL apart")).unwrap();
    let document = wal_apart.with_report(json::render);
    let separate = &document["separate_wal"];
    let total = format!("${:.2}", separate["usd_month"].as_f64().unwrap());
    assert!(line.contains(&format!(" {total} ")), "{line}");
    // 2 GiB are twice max_wal_size.
    assert_eq!([&separate["wal"]["size_gib"], &separate["wal"]["volumes"]], [2, 1]);
    assert_eq!(separate["data"]["throughput_ratio"], separate["wal"]["throughput_ratio"]);
    let whole = wal_apart.render(Show::All).join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(whole.contains("Or WAL apart gp3") && whole.contains(&format!("{total} with WAL's")), "{whole}");
    let page = wal_apart.with_report(page);
    assert!(page.contains(&format!("Or WAL apart from the data: {total} a month together")), "{page}");
}

/// A volume that was gp3 until 2026-01-01 09:30 UTC, ten minutes after the samples begin.
#[test]
fn each_form_names_a_change_within_the_samples() {
    let change = ConfigurationChange {
        name: "vol-0a".to_owned(),
        volume: Some("data".to_owned()),
        time: ChangeTime::Modification { started_us: 1_767_259_800_000_000, ended_us: Some(1_767_260_100_000_000) },
        before: "gp3 500 GiB, 3,000 IOPS".to_owned(),
        after: "io2 500 GiB, 8,000 IOPS".to_owned(),
        is_after_current: true,
    };
    let mut declared = declared("data", VolumeType::Io2, Some(8_000));
    declared.volumes[0].imported_us = Some(1_767_261_600_000_000);
    let unchanged = Scenario { declared, ..Scenario::new("run tpcc-100", 6_000) };
    let changed = Scenario { changes: vec![change], ..unchanged.clone() };
    let text =
        |scenario: &Scenario, show| scenario.render(show).join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    let all = text(&changed, Show::All);
    let sentence = "vol-0a was changed from 2026-01-01 09:30 to 09:35 from gp3 500 GiB, 3,000 IOPS to io2 500 GiB, 8,000 IOPS; \
                    Today is the later one, the samples are of both (ebs_compare_change('tpcc-100') compares them)";
    assert!(all.contains(sentence), "{all}");
    let screen = text(&changed, Show::Screen);
    for words in ["LOW, risk high: volume changed within the samples", "before and after: ebs_compare_change"] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    let none = text(&unchanged, Show::All) + &text(&unchanged, Show::Screen);
    assert!(!none.contains("change from") && !none.contains("was changed"), "{none}");
}

/// A DBInstanceIdentifier has up to 63 letters.
#[test]
fn the_heading_has_long_identifiers_whole() {
    let identifier = format!("orders-{}", "x".repeat(56));
    let scenario = Scenario {
        server: "imported from RDS Enhanced Monitoring".to_owned(),
        tier: Tier::Imported,
        volumes: vec![(
            volume(&identifier, &[Role::Data, Role::Wal]),
            Load { reads: 900, writes: 300, kib: 8.0, read_ms: 0.7, write_ms: 0.9, spread: 40 },
        )],
        ..Scenario::new(&format!("run {identifier}"), 1_200)
    };
    let heading = scenario.screen();
    let heading = heading.split(|line| line.is_empty()).next().unwrap().join(" ");
    assert!(!heading.contains('…') && heading.matches(&identifier).count() == 2, "{heading}");
    assert!(
        heading.contains("imported from RDS Enhanced Monitoring") && heading.contains("us-east-1, prices of"),
        "{heading}"
    );
}

/// gp3 with 12,000 IOPS declared, whose reads take 5 ms at the 3,000 IOPS that gp3 includes: the confidence, the limitations and the document
/// have the doubt, and the declared limit stays in the row of today.
#[test]
fn a_declared_limit_that_the_samples_refute_is_a_doubt() {
    let load = Load { reads: 3_000, writes: 0, kib: 8.0, read_ms: 5.0, write_ms: 0.0, spread: 3 };
    let on_gp3 = |iops| Scenario {
        declared: declared("nvme1n1", VolumeType::Gp3, Some(iops)),
        ..Scenario::imported("refuted", load)
    };
    let doubt = "the samples show a limit at 3,000 IOPS, below the declared 12,000";
    let text = |lines: Vec<String>| lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    let scenario = on_gp3(12_000);
    let screen = text(scenario.screen());
    assert!(screen.contains(&format!("Confidence LOW, risk very high: {doubt}")), "{screen}");
    assert!(
        screen.contains("today gp3 12,000 IOPS") && screen.contains("TO BE SURER check the declared limit"),
        "{screen}"
    );
    assert!(screen.contains("Why demand stops at 3,000 IOPS: check the described 12,000 IOPS"), "{screen}");
    let report = text(scenario.render(Show::All));
    assert!(report.contains(&format!("whether data+wal has the declared limit ({doubt})")), "{report}");
    let document = scenario.with_report(|report| json::render(report).to_string());
    assert!(document.contains("declared_limit_refuted"), "{document}");
    assert!(report.contains("throttled 100 % of seconds"), "{report}");
    let value: serde_json::Value = serde_json::from_str(&document).unwrap();
    let throttled = value.pointer("/roles/0/now/replay/throttled_pct").and_then(serde_json::Value::as_f64);
    assert_eq!(throttled, Some(100.0), "{document}");
    assert!(!text(on_gp3(3_000).screen()).contains("below the declared"));
}

/// A run without waits on gp3, whose reads took 0.5 ms and writes 0.6: they are measured on gp3, as in ebs_whatif, and scaled on io2.
#[test]
fn latencies_of_the_same_type_are_measured_without_waits() {
    let load = Load { reads: 3_000, writes: 3_000, kib: 8.0, read_ms: 0.5, write_ms: 0.6, spread: 30 };
    let scenario = Scenario {
        declared: declared("nvme1n1", VolumeType::Gp3, Some(8_000)),
        ..Scenario::imported("measured", load)
    };
    let screen = scenario.screen().join(" ");
    assert!(screen.contains("read 0.5 ms, write 0.6 ms (as measured in this run)"), "{screen}");
    let report = scenario.render(Show::All).join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(report.contains("(published, scaled as measured here)"), "{report}");
    let document = scenario.with_report(|report| json::render(report).to_string());
    assert!(document.contains(r#""latency_source":"measured""#), "{document}");
}

/// 4,000 reads a second of 0.5 ms, on an instance that sustains 3,600: sessions that only wait for gp3's 3,000 IOPS do not reach them, so
/// that the throttled time of the recorded demand is an upper bound, and the row of today has the instance's limit that the others have.
#[test]
fn a_bound_of_throttling_and_the_instance_above_its_limit_are_named() {
    let load = Load { reads: 4_000, writes: 0, kib: 8.0, read_ms: 0.5, write_ms: 0.0, spread: 3 };
    let settings = Settings { instance: Some("m6g.large".into()), ..Settings::default() };
    let screen = Scenario { settings, ..Scenario::imported("bound", load) }.screen();
    let row = |order: &str| screen.iter().find(|line| line.contains(order)).cloned().unwrap_or_default();
    assert!(row("gp3 3,000 IOPS").contains("  2,700  throttled ≤ 100 %"), "{screen:#?}");
    assert!(row("today nvme1n1").ends_with("over instance"), "{screen:#?}");
    assert!(row("> gp3 3,600 IOPS").ends_with("instance limit"), "{screen:#?}");
}

/// 500 GiB stay where 100 are requested: a smaller size is no reason for a change.
#[test]
fn a_size_that_stays_is_called_so() {
    let settings = Settings { min_size_gib: Some(100), ..Settings::default() };
    let declared = declared("data", VolumeType::Gp3, None);
    let screen = Scenario { declared, settings, ..Scenario::new("run kept", 1_200) }.screen().join("\n");
    let kept = screen.contains("RECOMMENDED  keep gp3  500 GiB");
    assert!(kept && screen.contains("500 GiB as today; the data needs 100: min_size_gib"), "{screen}");
}

/// 9,000 requests a second of sessions that wait for each answer: within $20 gp3 keeps a part of their throughput, which the rationale names
/// alone, and each row above $20 is over the budget.
#[test]
fn rows_of_a_closed_loop_above_the_budget_are_called_so() {
    let base = Scenario::new("run tpcc-100", 9_000);
    let settings = Settings { budget_usd: Some("20".parse().unwrap()), ..base.settings.clone() };
    let scenario = Scenario { settings, driver_load: Some(LoadKind::Closed), ..base };
    let lines = scenario.screen();
    let rows: Vec<&String> =
        lines.iter().filter(|line| line.contains(" IOPS ") && line.contains('$') && !line.contains("month")).collect();
    let usd = |row: &str| row.split('$').nth(1).and_then(|text| text.split(' ').next()?.replace(',', "").parse().ok());
    let is_over: Vec<bool> = rows.iter().map(|row| usd(row).is_some_and(|usd: f64| usd > 20.0)).collect();
    assert!(is_over.contains(&true) && is_over.contains(&false), "{rows:?}");
    for (row, is_over) in rows.iter().zip(is_over) {
        assert_eq!(row.contains("over budget"), is_over, "{row}");
    }
    assert_eq!(screen(&scenario, "LOAD"), "clients wait for each answer (closed loop)");
}
