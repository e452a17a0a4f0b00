//! Screens of workloads as a DBA sees them.

use std::path::Path;

use super::super::scenario::{Load, Scenario, declared, page, volume};
use super::bounds_tests::{assert_bounds, assert_whole_sentences};
use crate::text::Show;
use crate::{Arguments, json, sql_literal};
use ebs_advice::{LoadKind, Settings};
use ebs_aws::catalogue::VolumeType;
use ebs_base::units::GIB;
use ebs_samples::evidence::{Role, Tier};
use ebs_schema::assert_unchanged;

fn base(iops: u64) -> Scenario {
    Scenario::new("run tpcc-100", iops)
}

/// Data and WAL on a volume each.
fn two_volumes() -> Scenario {
    let load = |reads, writes| Load { reads, writes, kib: 8.0, read_ms: 0.8, write_ms: 0.7, spread: reads / 20 };
    let volumes =
        vec![(volume("nvme1n1", &[Role::Data]), load(4_500, 1_500)), (volume("nvme2n1", &[Role::Wal]), load(0, 900))];
    let waits = vec![("CPU*", "CPU*", 1.0), ("IO", "DataFileRead", 3.6), ("IO", "WalSync", 0.6)];
    Scenario { volumes, waits, ..base(6_000) }
}

/// 4,500 requests a second, 1,500 of them flushes: a gp3 for WAL includes those.
fn wal_apart() -> Scenario {
    Scenario { driver_load: Some(LoadKind::Closed), ..base(4_500) }
}

/// Twice as many pages as the device wrote: transactions may ask for more requests, so that the low end decides.
fn low_end() -> Scenario {
    Scenario { driver_load: Some(LoadKind::Closed), pages: 2.0, ..base(9_000) }
}

/// Workloads by their load.
fn load_scenarios() -> Vec<(&'static str, Scenario)> {
    let hammerdb = Scenario { driver_load: Some(LoadKind::Closed), ..base(9_000) };
    let demo = {
        let load = Load { reads: 2_950, writes: 5_980, kib: 8.4, read_ms: 0.1, write_ms: 0.1, spread: 900 };
        let waits = vec![
            ("CPU*", "CPU*", 1.6),
            ("IO", "DataFileRead", 0.4),
            ("IO", "WalSync", 0.9),
            ("Client", "ClientRead", 0.4),
        ];
        let settings = Settings::default();
        let volumes = vec![(volume("vda", &[Role::Data, Role::Wal]), load)];
        let driver_load = Some(LoadKind::Closed);
        Scenario {
            seconds: 60,
            volumes,
            waits,
            tps: Some(2_423),
            busy: Some(0.89),
            settings,
            driver_load,
            ..base(9_000)
        }
    };
    let saturated = {
        let load = Load { reads: 2_000, writes: 1_000, kib: 8.0, read_ms: 6.0, write_ms: 6.0, spread: 0 };
        let waits = vec![("IO", "DataFileRead", 14.0), ("IO", "WalSync", 4.0), ("CPU*", "CPU*", 1.0)];
        let volumes = vec![(volume("nvme1n1", &[Role::Data, Role::Wal]), load)];
        Scenario { volumes, waits, declared: declared("data", VolumeType::Gp3, None), tps: Some(750), ..base(3_000) }
    };
    let unsure = {
        let load = Load { reads: 20_000, writes: 0, kib: 8.0, read_ms: 0.455, write_ms: 0.0, spread: 0 };
        let waits = vec![("IO", "DataFileRead", 10.0), ("CPU*", "CPU*", 0.2), ("Client", "ClientRead", 1.8)];
        let settings = Settings { instance: Some("r6i.16xlarge".into()), ..Settings::default() };
        let volumes = vec![(volume("nvme1n1", &[Role::Data]), load)];
        Scenario { volumes, waits, settings, busy: None, ..base(20_000) }
    };
    vec![
        ("demo", demo),
        ("saturated", saturated),
        ("two_volumes", two_volumes()),
        ("hammerdb", hammerdb),
        ("wal_apart", wal_apart()),
        ("unsure_load", unsure),
        ("low_end", low_end()),
    ]
}

/// Imported samples of 9,000 requests a second.
fn import() -> Scenario {
    Scenario {
        server: "imported samples".into(),
        tier: Tier::Imported,
        waits: Vec::new(),
        tps: None,
        busy: None,
        settings: Settings::default(),
        ..base(9_000)
    }
}

/// The same by 16 clients of a load driver.
fn import_of(kind: LoadKind) -> Scenario {
    Scenario { driver_load: Some(kind), clients: Some(16.0), ..import() }
}

/// Workloads by their evidence, declarations and requests.
fn evidence_scenarios() -> Vec<(&'static str, Scenario)> {
    let mut instance = base(14_000);
    instance.settings.instance = Some("m5.large".into());
    let mut rds = base(9_000);
    rds.settings = Settings { platform: "rds".into(), instance: Some("db.r6i.4xlarge".into()), ..rds.settings };
    // As requested by ebs_advise('o''neill''s, run (2)', platform => 'rds', instance => 'db.r6i.large').
    let mut rds_quoted = base(2_000);
    rds_quoted.subject = "run o'neill's, run (2)".into();
    rds_quoted.settings = Settings { instance: Some("db.r6i.large".into()), ..rds.settings.clone() };
    rds_quoted.arguments = Arguments {
        run: Some(sql_literal("o'neill's, run (2)")),
        named: vec![("platform", "'rds'".into()), ("instance", "'db.r6i.large'".into())],
        commands: None,
    };
    let little = Scenario { seconds: 60, waits: Vec::new(), tps: None, busy: None, ..base(2_000) };
    let gp2 = Scenario { declared: declared("data", VolumeType::Gp2, None), ..base(1_200) };
    let keep = Scenario { declared: declared("data", VolumeType::Gp3, None), ..base(1_200) };
    // More than the 256,000 IOPS of an io2 volume.
    let nothing = Scenario { settings: Settings::default(), driver_load: Some(LoadKind::Open), ..base(400_000) };
    let mut small = base(2_000);
    small.settings.min_size_gib = Some(50);
    let idle = Scenario { seconds: 20, ..base(2_000) };
    let budget = {
        let mut budget = base(9_000);
        budget.settings.budget_usd = Some("20".parse().unwrap());
        budget
    };
    let two_over = {
        let settings = Settings {
            instance: Some("m5.large".into()),
            budget_usd: Some("15".parse().unwrap()),
            ..Settings::default()
        };
        let (server, tps) = ("imported samples".into(), None);
        Scenario { server, tier: Tier::Imported, waits: Vec::new(), busy: None, tps, settings, ..two_volumes() }
    };
    let mut two_declared = Scenario { declared: declared("data", VolumeType::Gp2, None), ..two_volumes() };
    two_declared.volumes[1].0.used_bytes = Some(8 * GIB);
    two_declared.arguments.named = vec![("instance", "'r6i.4xlarge'".into())];
    vec![
        ("two_volumes_declared", two_declared),
        ("instance", instance),
        ("insufficient", idle),
        ("rds", rds),
        ("rds_quoted", rds_quoted),
        ("import", import()),
        ("closed_driver", import_of(LoadKind::Closed)),
        ("open_driver", import_of(LoadKind::Open)),
        ("little_evidence", little),
        ("declared_gp2", gp2),
        ("nothing_feasible", nothing),
        ("budget", budget),
        ("two_volumes_over", two_over),
        ("keep", keep),
        ("small_size", small),
    ]
}

/// Imported samples of ten minutes of reads.
fn imported(reads: u64, kib: f64, read_ms: f64) -> Scenario {
    Scenario::imported("run tpcc-100", Load { reads, writes: 0, kib, read_ms, write_ms: 0.0, spread: 50 })
}

/// Workloads at a limit, and requests that EBS counts as others than the device does: 107,000 of 4 KiB are 418 MiB/s, 1,672 of
/// 256 KiB; 480 to 530 of 1 MiB, 505 on average, are four times as many. Of either, 125 MiB/s are 500.
fn limit_scenarios() -> Vec<(&'static str, Scenario)> {
    let on_instance = Settings { instance: Some("r6i.4xlarge".into()), ..Settings::default() };
    let plateau = Scenario { settings: on_instance.clone(), ..imported(19_700, 8.0, 12.0) };
    // The same by 237 sessions that wait for nearly nothing else.
    let waits = vec![("IO", "DataFileRead", 236.0), ("CPU*", "CPU*", 1.0)];
    let closed = Scenario { tier: Tier::Sampler, waits, tps: Some(2_000), busy: Some(0.3), ..plateau.clone() };
    let busy_queue = Scenario { settings: on_instance.clone(), ..imported(19_700, 8.0, 0.6) };
    let stripe =
        Scenario { settings: Settings { max_volumes: Some(8), ..on_instance.clone() }, ..imported(12_000, 8.0, 1.0) };
    // A batch of a quarter of an hour at 9,000 IOPS.
    let instance_burst = {
        let load = Load { reads: 9_000, writes: 0, kib: 8.0, read_ms: 0.7, write_ms: 0.0, spread: 50 };
        let settings = Settings { instance: Some("m5.large".into()), ..Settings::default() };
        Scenario { settings, seconds: 900, ..Scenario::imported("run batch", load) }
    };
    // The report of an AWR, which has no latencies: 3,610 reads and 757 writes a second.
    let awr = {
        let load = Load { reads: 3_610, writes: 757, kib: 8.0, read_ms: 0.0, write_ms: 0.0, spread: 0 };
        let mut awr = Scenario { seconds: 3_600, sample_s: 3_600, ..Scenario::imported("run tpcc-100", load) };
        awr.volumes[0].0.timed = false;
        awr
    };
    vec![
        ("instance_plateau", plateau),
        ("instance_burst", instance_burst),
        ("awr", awr),
        ("instance_plateau_closed", closed),
        ("sequential", imported(107_000, 4.0, 0.2)),
        ("small_random", imported(50_000, 4.0, 0.95)),
        ("large_requests", imported(480, 1_024.0, 6.0)),
        ("busy_queue", busy_queue),
        // At the observed queue depth of 1.35, 0.9 ms a request are 1,500 requests a second, on each gp3.
        ("no_headroom", imported(2_700, 8.0, 0.5)),
        ("above_the_maximum", imported(66_650, 8.0, 0.7)),
        ("burst", Scenario { burst: Some((300, 40_000)), settings: Settings::default(), ..imported(90, 8.0, 0.7) }),
        ("stripe", stripe),
    ]
}

fn scenarios() -> impl Iterator<Item = (&'static str, Scenario)> {
    load_scenarios().into_iter().chain(evidence_scenarios()).chain(limit_scenarios())
}

#[test]
fn screens_are_as_they_were_read() {
    for (name, scenario) in scenarios() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/text/screen/golden/{name}.txt"));
        assert_unchanged(&path, &(scenario.screen().join("\n") + "\n"));
    }
}

/// The screen's answers stand in the whole report, the page and the document too: 19,740 reads at most and a fifth are 23,700 IOPS
/// and 186 MiB/s, and the interim volumes carry the plateau.
#[test]
fn each_form_names_the_larger_instance_and_the_interim_volumes() {
    let (_, plateau) = limit_scenarios().remove(0);
    let whole = plateau.render(Show::All).join("\n");
    let need = "a larger instance for 23,700 IOPS and 186 MiB/s: r6i.8xlarge or r8ib.4xlarge";
    let interim = "gp3, 1 × 100 GiB, 19,800 IOPS, 155 MiB/s";
    assert!(whole.contains(&format!("Recommended   {need}.")) && whole.contains(&format!("Until then    {interim}")));
    assert!(whole.contains("Confidence    LOW: instance saturated: unmet demand unknown, imported"), "{whole}");
    assert!(whole.contains("To be surer   measure on a larger instance · sample with ebs_advisor, 1 s"), "{whole}");
    let page = plateau.with_report(page);
    assert!(page.contains(need) && page.contains(&format!("Until then: <strong>{interim}</strong>")), "{page}");
    assert!(page.contains("<p>Confidence: LOW: instance saturated") && page.contains("<p>To be surer: measure on a"));
    let document = plateau.with_report(json::render);
    let role = &document["roles"][0];
    assert_eq!(role["recommendation"]["kind"], "larger instance");
    let option = usize::try_from(role["recommendation"]["option"].as_u64().unwrap()).unwrap();
    assert_eq!([&role["options"][option]["iops"], &role["options"][option]["throughput_mibps"]], [19_800, 155]);
}

/// gp3 of 100 GiB and 3,200 IOPS, $8 + 200 × $0.005, and one of 3,000, $8, until the instance is larger: $17 in each form.
#[test]
fn each_form_has_the_total_until_the_instance_is_larger() {
    let (_, two) = evidence_scenarios().into_iter().find(|(name, _)| *name == "two_volumes_over").unwrap();
    assert!(two.screen().iter().any(|line| line.contains("total,") && line.ends_with("$17.00 / month")));
    let whole = two.render(Show::All);
    let total = whole.iter().find(|line| line.starts_with("Together ")).map(|line| line[8..].trim());
    assert_eq!(total, Some("$17.00 a month"));
    assert!(two.with_report(page).contains("All of them together: <strong>$17.00</strong> a month."));
    assert_eq!(two.with_report(json::render)["usd_month_apart"], 17.0);
}

/// Requests of 4 KiB that are sized as the device counts them have the price if they are merged, and the page has the doubt.
#[test]
fn small_requests_have_both_counts() {
    let scenario = imported(50_000, 4.0, 0.95);
    let screen = scenario.screen();
    assert!(screen.iter().any(|line| line.contains("gp3 3,000 IOPS") && line.ends_with("if EBS merges")), "{screen:?}");
    assert!(scenario.render(Show::All).join("\n").contains("risk high"));
    let page = scenario.with_report(page);
    assert!(page.contains("<p>Count in doubt: 50,100 IOPS as the device counts them; 780 if EBS merges"), "{page}");
}

/// The rationale of volumes stands in the whole report and on the page, and the page has the rollback of their change.
#[test]
fn each_form_has_the_rationale_and_the_rollback() {
    let whole = base(9_000).render(Show::All).join("\n");
    let why = "mean 8,300 IOPS, 8,300 keep 98 % of gp3's full throughput";
    assert!(whole.contains(&format!("Why           {why}")), "{whole}");
    assert!(whole.contains("Confidence    MEDIUM: not measured on EBS"), "{whole}");
    let page = base(9_000).with_report(page);
    assert!(page.contains(&format!("<p>Why: {why}")) && page.contains("<summary>Rollback</summary>"), "{page}");
}

#[test]
fn each_screen_has_room() {
    for (_, scenario) in scenarios() {
        assert_bounds(&scenario.screen());
        assert_whole_sentences(&scenario.screen(), &[]);
    }
}
