//! The bottleneck line beside a plateau.

use super::super::scenario::{Load, Scenario, declared};
use crate::json;
use crate::text::Show;
use ebs_advice::Settings;
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType};
use ebs_base::units::GIB;
use ebs_samples::evidence::{Balance, CheckedTime, DeviceChecks, Tier};
use serde_json::Value;

/// Ten minutes of imported reads of 8 KiB and 12 ms on an instance.
fn plateau(reads: u64, instance: &str) -> Scenario {
    imported(reads, 12.0, instance)
}

/// The same of another latency.
fn imported(reads: u64, read_ms: f64, instance: &str) -> Scenario {
    let load = Load { reads, writes: 0, kib: 8.0, read_ms, write_ms: 0.0, spread: reads / 400 };
    let settings = Settings { instance: Some(instance.into()), ..Settings::default() };
    Scenario { settings, ..Scenario::imported("plateau", load) }
}

/// The text of the screen, and the line of the whole report, from the label on.
fn lines(scenario: &Scenario) -> (String, String) {
    let whole = scenario.render(Show::All);
    let whole = whole.iter().find_map(|line| line.strip_prefix("Bottleneck:")).unwrap_or("none").trim().to_owned();
    (labelled_text(&scenario.screen(), "BOTTLENECK"), whole)
}

/// The text behind a label of the screen, its lines joined.
fn labelled_text(screen: &[String], label: &str) -> String {
    let lines = screen.iter().skip_while(|line| !line.trim_start().starts_with(label)).enumerate();
    let lines = lines.take_while(|(number, line)| *number == 0 || line.starts_with(&" ".repeat(13)));
    lines.map(|(_, line)| line[13..].trim()).collect::<Vec<_>>().join(" ")
}

/// 19,700 of 20,000 IOPS with 237 in flight, for less than the 30 minutes of 40,000; r6i.8xlarge sustains its 40,000.
#[test]
fn a_plateau_is_the_bottleneck_where_no_waits_were_sampled() {
    let named = |reads, instance, text: &str| {
        let (screen, whole) = lines(&plateau(reads, instance));
        assert_eq!((screen.as_str(), whole.as_str()), (format!("today {text}").as_str(), text));
    };
    let limit = "r6i.4xlarge's limit of 20,000 IOPS if its credits were spent";
    named(19_700, "r6i.4xlarge", limit);
    named(20_100, "r6i.4xlarge", limit);
    // 0.91 to 0.9125 of the limit: as likely as not.
    named(18_200, "r6i.4xlarge", &format!("likely {limit}"));
    named(39_400, "r6i.8xlarge", "r6i.8xlarge's limit of 40,000 IOPS");
    // 0.6 ms are no queue.
    let (screen, whole) = lines(&imported(19_700, 0.6, "r6i.4xlarge"));
    assert_eq!((screen.as_str(), whole.as_str()), ("unknown: wait events were not sampled", "none"));
}

/// 3,000 to 3,007 reads a second of 12 ms keep 36 in flight, whose demand beyond the limit is not known. On gp3 of 3,700 IOPS a read takes
/// 0.7 ms by itself, and 36 / 3,700 = 9.7 ms if so many stay in flight; on io2 of as many the same 9.7, so that neither row shows 0.7 or 0.4.
/// 2.7 in flight, of 0.9 ms, are no queue at 3,700: 0.73 ms.
#[test]
fn requests_that_queued_may_queue_again() {
    let saturated = imported(3_000, 12.0, "r6i.4xlarge");
    let screen = saturated.screen();
    let expected = labelled_text(&screen, "Expect");
    assert!(
        expected.starts_with(
            "read 0.7 ms without a queue (published for gp3), 9.7 ms a request if 36 stay in flight, at 3,700 IOPS; 111 % of today's throughput (90 %: 91 %"
        ),
        "{expected}"
    );
    let rows: Vec<&String> =
        screen.iter().filter(|line| line.contains("3,700 IOPS  ") && !line.contains("MiB/s")).collect();
    assert!(rows.len() == 2 && rows.iter().all(|row| row.contains("  –  ")), "{rows:?}");
    let whole = saturated.render(Show::All).join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(whole.contains("; 9.7 ms a request if 36 stay in flight, at 3,700 IOPS"), "{whole}");
    assert!(whole.contains("read 0.40, write 0.49 ms without a queue (published)"), "{whole}");
    let expected = labelled_text(&imported(3_000, 0.9, "r6i.4xlarge").screen(), "Expect");
    assert!(expected.starts_with("read 0.7 ms (published for gp3); 110 % of today's throughput"), "{expected}");
}

/// 12,690 to 12,721 IOPS, 5 ms each, on m6i.2xlarge, which sustains 12,000 and has 40,000 for half an hour: the volume's limit, in hundreds as
/// nobody declared it, and one statement of the instance in all lines. Declared as 12,725 it stands to the unit. At 12,500 the plateau is
/// within 5 % of the instance's limit, and that is named alone.
#[test]
fn a_volumes_limit_above_the_instances_is_one_statement() {
    let mut on = imported(12_690, 5.0, "m6i.2xlarge");
    // The size at which gp2 has 12,699 IOPS: a plateau there is no demand by chance.
    on.volumes[0].0.filesystem_bytes = Some(4_233 * GIB);
    let screen = on.screen();
    let limit = "limit of about 12,700 IOPS, above the 12,000 IOPS that m6i.2xlarge sustains";
    assert_eq!(labelled_text(&screen, "BOTTLENECK"), format!("today likely the volume's {limit}"));
    assert_eq!(lines(&on).1, format!("likely the volume's {limit}"));
    assert_eq!(
        labelled_text(&screen, "Why"),
        format!("the volume was likely at its {limit}: a larger volume alone will not help")
    );
    assert!(labelled_text(&screen, "TO BE SURER").starts_with("measure on a larger instance · sample"), "{screen:?}");
    assert!(!screen.join(" ").contains("faster volume"), "{screen:?}");
    let declared = Scenario { declared: declared("data", VolumeType::Gp3, Some(12_725)), ..on }.screen();
    let declared = labelled_text(&declared, "BOTTLENECK");
    assert_eq!(declared, "today the volume's limit of 12,725 IOPS, above the 12,000 IOPS that m6i.2xlarge sustains");
    let (screen, _) = lines(&imported(12_500, 5.0, "m6i.2xlarge"));
    assert!(screen.contains("m6i.2xlarge's limit of 12,000 IOPS") && !screen.contains("volume"), "{screen}");
}

/// 1,000 reads a second at no plateau, above the instance's IOPS in all of 600 s; then without credits of the volume for 450 s.
#[test]
fn a_recorded_limit_is_the_bottleneck_where_no_waits_were_sampled() {
    let checked = |checks: DeviceChecks| {
        let checks = vec![DeviceChecks { device: "nvme1n1".to_owned(), seconds: 600.0, ..checks }];
        lines(&Scenario { checks, ..imported(1_000, 0.6, "r6i.4xlarge") })
    };
    let instance_iops = Some(CheckedTime { known_s: 600.0, exceeded_s: 600.0 });
    let (screen, whole) = checked(DeviceChecks { instance_iops, ..DeviceChecks::default() });
    assert_eq!(whole, "instance IOPS (limit exceeded in 100 % of the time)");
    assert_eq!(screen, format!("today {whole}"));
    let burst_balance = Some(Balance { least_pct: 0.0, known_s: 600.0, spent_s: 450.0 });
    let (screen, _) = checked(DeviceChecks { burst_balance, ..DeviceChecks::default() });
    assert_eq!(screen, "today volume baseline (burst credits spent in 75 % of the time)");
}

/// 1.35 in flight at 0.5 ms and 2,703 IOPS, on gp3 at 0.74 ms: the root of 0.68 is 82 %, and 82 % of 2,703 are 2,200.
#[test]
fn used_iops_are_those_of_the_predicted_throughput() {
    let screen = imported(2_700, 0.5, "r6i.4xlarge").screen();
    let row = screen.iter().find(|line| line.starts_with("> gp3"));
    assert!(row.is_some_and(|row| row.contains(" 82 %") && row.ends_with(" 2,200")), "{screen:#?}");
    let expect = labelled_text(&screen, "Expect");
    assert!(expect.contains("82 % of today's throughput") && !expect.contains("observed IOPS"), "{expect}");
}

/// gp2 of 399 GiB has 1,197 IOPS, and 1,196 to 1,198 are used of them: not 1,200.
#[test]
fn used_iops_do_not_exceed_the_limit_by_rounding() {
    let mut small = imported(1_196, 0.7, "r6i.4xlarge");
    small.declared = declared("data", VolumeType::Gp2, None);
    small.declared.volumes[0].config = VolumeConfig::new(Platform::Ec2, VolumeType::Gp2, 399, None, None).unwrap();
    let screen = small.screen();
    let row = screen.iter().find(|line| line.contains("today gp2 399 GiB"));
    assert!(row.is_some_and(|row| row.contains(" 1,197")), "{screen:#?}");
}

/// gp3 of 3,600 IOPS on m6g.large, which sustains 3,600: both are named, and the credits are the instance's.
#[test]
fn two_limits_of_a_plateau_are_both_the_bottleneck() {
    let both = Scenario { declared: declared("data", VolumeType::Gp3, Some(3_600)), ..plateau(3_590, "m6g.large") };
    let screen = both.screen();
    let lines: Vec<&str> = screen
        .iter()
        .skip_while(|line| !line.starts_with("BOTTLENECK"))
        .take(2)
        .map(|line| line[13..].trim())
        .collect();
    assert_eq!(
        lines.join(" "),
        "today likely m6g.large's limit of 3,600 IOPS if its credits were spent, or the volume's limit of 3,600 IOPS"
    );
}

/// The cause that waits show has the same doubt, and the sessions stand beside it.
#[test]
fn a_known_cause_has_the_doubt_of_the_plateau() {
    let waits = vec![("IO", "DataFileRead", 236.0), ("CPU*", "CPU*", 1.0)];
    let closed =
        Scenario { tier: Tier::Sampler, waits, tps: Some(2_000), busy: Some(0.3), ..plateau(19_700, "r6i.4xlarge") };
    let (screen, whole) = lines(&closed);
    let cause = "instance IOPS if its credits were spent";
    assert_eq!(screen, format!("today {cause} (CPU 30 % busy); sessions: reads 100 %"));
    assert!(whole.starts_with(&format!("{cause} · upper bound")), "{whole}");
}

/// Four CPUs that are 68 and 72 % busy, and sessions that wait for the volume half of the time: both are named, in each form.
#[test]
fn a_bottleneck_near_a_border_has_a_second() {
    let named = |busy: f64| {
        let waits = vec![("CPU*", "CPU*", 4.0 * busy), ("IO", "DataFileRead", 1.4), ("IO", "WalSync", 1.4)];
        let scenario = Scenario { waits, busy: Some(busy), ..Scenario::new("near", 6_000) };
        let bottleneck = scenario.with_report(json::render)["bottleneck"].clone();
        (lines(&scenario), bottleneck["by"].clone(), bottleneck["also"].clone())
    };
    let ((screen, whole), by, also) = named(0.68);
    assert!(screen.starts_with("today volume latency or CPU (CPU 68 % busy)"), "{screen}");
    assert!(whole.starts_with("volume latency or CPU · "), "{whole}");
    assert_eq!((by, also), ("latency".into(), "CPU".into()));
    let ((screen, _), by, also) = named(0.72);
    assert!(screen.starts_with("today CPU or volume latency (CPU 72 % busy)"), "{screen}");
    assert_eq!((by, also), ("CPU".into(), "latency".into()));
    let (_, by, also) = named(0.9);
    assert_eq!((by, also), ("CPU".into(), Value::Null));
}

/// 10,650 of gp3's 10,700 IOPS are 0.8875 of the 12,000 that m6i.2xlarge sustains, with a likelihood of 0.34: both are told, the
/// instance's with its name. Of 10,300 it is 0.856: none.
#[test]
fn a_limit_that_is_possible_has_the_name_of_its_owner() {
    let why = |iops: u64| {
        let on = plateau(iops - 50, "m6i.2xlarge");
        let screen = Scenario { declared: declared("data", VolumeType::Gp3, Some(iops)), ..on }.screen();
        let lines = screen.iter().skip_while(|line| !line.starts_with("  Why")).take(2);
        lines.map(|line| line[13..].trim()).collect::<Vec<_>>().join(" ")
    };
    let both = why(10_700);
    assert!(
        both.starts_with("the volume was at its limit of 10,700 IOPS, or m6i.2xlarge's limit of 12,000 IOPS; the"),
        "{both}"
    );
    let one = why(10_300);
    assert!(one.starts_with("the volume was at its limit of 10,300 IOPS; the demand"), "{one}");
}

/// Twenty minutes of 6 requests a second of background work, and sessions that compute so much of the time.
fn idle(active_sessions: f64) -> Scenario {
    let waits = vec![("CPU*", "CPU*", active_sessions)];
    Scenario { waits, tps: Some(1), busy: Some(0.01), ..Scenario::new("idle", 6) }
}

/// 0.0199 of a session at work: no throughput is expected, and none of the lines speaks of sessions that wait. At 0.02 all of them do.
#[test]
fn an_idle_server_has_no_bottleneck_and_no_prediction() {
    let screen = idle(0.0199).screen();
    let line = |label| labelled_text(&screen, label);
    let hardly = "client sessions were hardly at work (fewer than 0.02 on average)";
    assert!(line("Expect").ends_with(&format!("throughput not predicted: {hardly}")), "{}", line("Expect"));
    assert!(!line("Why").contains("sessions wait"), "{}", line("Why"));
    assert_eq!(line("BOTTLENECK"), "unknown: client sessions were hardly at work");
    assert_eq!(
        line("LOAD"),
        "closed or open loop unknown (client sessions were hardly at work): sized for the observed demand"
    );
    assert!(line("TO BE SURER").contains("sample under client load"), "{}", line("TO BE SURER"));
    assert_eq!(lines(&idle(0.0199)).1, format!("unknown: {hardly}"));
    let busier = lines(&idle(0.02));
    assert!(busier.0.starts_with("today CPU (1 % busy); sessions: CPU 100 %"), "{busier:?}");
}

/// Plateaus from 19,500 to 20,800 of 20,000 IOPS: the screen and the whole report have the same words. Below 97 % the share is told too; a
/// replay throttles from 20,001 on.
#[test]
fn the_words_do_not_change_at_the_edge_of_the_instances_limit() {
    let words = |reads: u64, show| {
        let text = plateau(reads, "r6i.4xlarge").render(show).join(" ");
        let is_word = |word: &&str| !word.chars().any(|letter| letter.is_ascii_digit());
        text.split_whitespace().filter(is_word).map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    for show in [Show::Screen, Show::All] {
        let first = words(19_500, show);
        for reads in [19_700, 19_900, 19_960, 20_000, 20_100, 20_800] {
            assert_eq!(words(reads, show), first, "{reads}");
        }
    }
}
