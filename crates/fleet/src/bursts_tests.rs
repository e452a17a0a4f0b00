//! Bursts within a scrape interval, too short evidence, and credits that counters refute: confidence and findings.

use ebs_advice::{Action, ActionReason, ConfidenceLevel, Finding, Risk};
use ebs_imports::configuration::read;
use ebs_prometheus::Series;
use ebs_workload::io_profile::Metric;

use crate::made_series::{disk, labels};
use crate::{Fleet, Grade, Selection, Settings, Timer, UnknownFact, VolumeAnswer, evaluate};

const TARGET: [(&str, &str); 2] = [("instance", "i-0aaaaaaa:9100"), ("job", "node")];

/// Counters of so many minutes, each with these reads and writes, and these busy seconds where there are any.
fn node(minutes: usize, each: f64, busy_s: Option<f64>) -> Vec<Series> {
    // A hair of variation: a rate that is flat to the digit would be a limit.
    varied(minutes, each, busy_s, 0.002)
}

/// The same with up to ten times this share more reads and writes.
fn varied(minutes: usize, each: f64, busy_s: Option<f64>, share: f64) -> Vec<Series> {
    let mut sum = 0.0;
    let total = |minute: usize| {
        sum += each * (1.0 + share * (minute * 7 % 11) as f64);
        Some(sum)
    };
    let requests: Vec<Option<f64>> = (0..=minutes).map(total).collect();
    let mut all = disk(&TARGET, "nvme1n1", "vol06c1835863d5d7360", &requests);
    let is_busy = |one: &Series| one.labels.name() == "node_disk_io_time_seconds_total";
    match busy_s {
        None => all.retain(|one| !is_busy(one)),
        Some(busy_s) => {
            let busy = all.iter_mut().filter(|one| is_busy(one)).flat_map(|one| &mut one.samples);
            busy.enumerate().for_each(|(scrape, sample)| sample.value = busy_s * scrape as f64);
        }
    }
    all
}

/// The answer for a volume of this type and IOPS, on an instance that carries it.
fn answer(series: Vec<Series>, minutes: usize, volume_type: &str, size: u64, iops: u64) -> VolumeAnswer {
    let throughput = if volume_type == "gp3" { r#""Throughput": 125,"# } else { "" };
    let document = format!(
        r#"{{"Volumes": [{{"VolumeId": "vol-06c1835863d5d7360", "VolumeType": "{volume_type}", "Size": {size}, "Iops": {iops}, {throughput}
        "State": "in-use", "AvailabilityZone": "us-east-1a", "Attachments": [{{"InstanceId": "i-0aaaaaaa"}}]}}]}}
        {{"Reservations": [{{"OwnerId": "1", "Instances": [{{"InstanceId": "i-0aaaaaaa", "InstanceType": "r6i.8xlarge"}}]}}]}}"#
    );
    let configuration = read(&document, &|| ()).unwrap();
    let found = Fleet::discover(labels(&series), &configuration, &Selection::default());
    let (from_us, to_us) = (1_000_000_000, 1_000_000_000 + 60_000_000 * minutes as i64);
    let settings = Settings { from_us, to_us, ..Settings::default() };
    evaluate(&found.batches[0], series, &configuration, &settings, &|| ()).remove(0)
}

fn unknown_bursts(answer: &VolumeAnswer) -> Option<(f64, Option<f64>)> {
    answer.unknown.iter().find_map(|fact| match fact {
        UnknownFact::Bursts { interval_s, busy, .. } => Some((*interval_s, busy.map(|busy| busy.iops))),
        _ => None,
    })
}

/// 12,000 reads and 12,000 writes in 6 s of each minute: 400 IOPS on average, 4,000 while the device is busy, of which gp3's 3,000 are not
/// enough. Were it busy for 30 s, they came at 800.
#[test]
fn a_cut_below_the_rate_within_busy_time_has_lower_confidence() {
    let cut = |busy_s| answer(node(1_440, 12_000.0, busy_s), 1_440, "gp3", 500, 16_000);
    for (busy_s, iops, confidence) in [
        (Some(6.0), Some(4_000.0), ConfidenceLevel::Low),
        (None, None, ConfidenceLevel::Low),
        (Some(30.0), Some(800.0), ConfidenceLevel::Medium),
    ] {
        let answer = cut(busy_s);
        let recommended = answer.recommended.as_ref().unwrap().config;
        assert_eq!((answer.action, recommended.iops), (Action::Modify, 3_000));
        assert_eq!((answer.confidence, answer.evidence.grade), (Some(confidence), Grade::Scrapes));
        let (interval_s, busy) = unknown_bursts(&answer).unwrap();
        assert_eq!(interval_s, 60.0);
        assert_eq!(busy.is_some(), iops.is_some());
        assert!(busy.zip(iops).is_none_or(|(busy, iops)| (busy / iops - 1.0).abs() < 0.03), "{busy:?}");
    }
}

/// gp2 of 1,000 GiB has the 3,000 IOPS that gp3 has: nothing is cut that the same bursts need.
#[test]
fn what_is_not_cut_is_not_regretted() {
    let answer = answer(node(1_440, 12_000.0, Some(6.0)), 1_440, "gp2", 1_000, 3_000);
    assert_eq!((answer.action, answer.confidence), (Action::Modify, Some(ConfidenceLevel::Medium)));
}

#[test]
fn less_than_a_day_has_low_confidence() {
    let answer = answer(node(720, 12_000.0, Some(60.0)), 720, "gp3", 500, 16_000);
    assert_eq!((answer.action, answer.confidence), (Action::Modify, Some(ConfidenceLevel::Low)));
    assert!((answer.evidence.known_s() - 43_200.0).abs() < 120.0, "{}", answer.evidence.known_s());
}

/// gp2 of 100 GiB has 300 IOPS, and at 900 its 5.4 million credits end after 9,000 s: a day at 900 refutes that it is one.
#[test]
fn a_gp2_beyond_its_credits_is_no_such_volume() {
    let answer = answer(node(1_440, 27_000.0, Some(50.0)), 1_440, "gp2", 100, 300);
    let exceeded = answer.findings.iter().find_map(|finding| match finding {
        Finding::DescriptionExceeded(exceeded) => Some((exceeded.observed.round(), exceeded.declared)),
        _ => None,
    });
    let (observed, declared) = exceeded.unwrap();
    assert!((900.0..920.0).contains(&observed) && declared == 300.0, "{observed} {declared}");
    assert!(!answer.findings.iter().any(|finding| matches!(finding, Finding::CreditsExhausted { .. })));
    assert_eq!((answer.limit_share, answer.binding), (None, None));
    assert_eq!(answer.confidence, Some(ConfidenceLevel::Low));
}

#[test]
fn a_slower_volume_is_of_high_risk() {
    // Some 15,000 requests a second of 1 ms with 15 in flight on io2: types with longer latencies deliver less at that depth. A flat rate
    // with such a queue would be a limit.
    let answer = answer(varied(1_440, 410_000.0, Some(60.0), 0.02), 1_440, "io2", 500, 64_000);
    let is_slower = answer.findings.iter().any(|finding| matches!(finding, Finding::Slower(_)));
    assert!(is_slower && answer.risk >= Some(Risk::High), "{is_slower} {:?} {:?}", answer.risk, answer.recommended);
}

/// Some 650 reads a second, and as many writes, of 1 ms are 0.7 in flight: that sessions wait for each answer is a possibility, which
/// the risk hardly rests on.
#[test]
fn a_shallow_queue_is_no_high_risk() {
    let answer = answer(varied(1_440, 39_000.0, Some(30.0), 0.02), 1_440, "io2", 500, 64_000);
    let slower = answer.findings.iter().find_map(|finding| match finding {
        Finding::Slower(limit) => Some(*limit),
        _ => None,
    });
    let limit = slower.unwrap();
    assert!(!limit.is_closed && (0.6..0.8).contains(&limit.queue_depth) && limit.delivered_share() < 0.9, "{limit:?}");
    assert!(answer.risk < Some(Risk::High), "{:?}", answer.risk);
}

/// The counter of busy time is there and stands still, as nothing came: nothing is unknown of bursts and latencies.
#[test]
fn an_idle_volume_has_no_unknown_bursts() {
    let idle =
        answer(disk(&TARGET, "nvme1n1", "vol06c1835863d5d7360", &vec![Some(9.0); 1_441]), 1_440, "gp3", 500, 3_000);
    assert!(matches!(idle.reason, crate::Reason::Decided(ActionReason::Idle { requests: 0, .. })), "{:?}", idle.reason);
    assert_eq!((unknown_bursts(&idle), idle.evidence.busy.map(|busy| busy.share)), (None, Some(0.0)));
    assert!(!idle.unknown.iter().any(|fact| matches!(fact, UnknownFact::Latency(_))), "{:?}", idle.unknown);
}

/// One request a minute, whose busy time is below a millisecond of the counter's seconds.
#[test]
fn hardly_a_request_has_busy_time_all_the_same() {
    let little = answer(varied(1_440, 0.2, Some(0.0), 0.0), 1_440, "gp3", 500, 3_000);
    assert!(unknown_bursts(&little).unwrap().1.unwrap() <= 2.0, "{:?}", unknown_bursts(&little));
    let missing = answer(varied(1_440, 0.2, None, 0.0), 1_440, "gp3", 500, 3_000);
    assert_eq!(unknown_bursts(&missing), Some((60.0, None)));
}

/// Counters of time that stand still beside a load are exported, and tell nothing: no latency is zero.
#[test]
fn times_that_stand_still_are_not_zero() {
    let mut series = node(1_440, 12_000.0, Some(0.0));
    let times = series.iter_mut().filter(|one| one.labels.name().contains("time_seconds"));
    times.flat_map(|one| &mut one.samples).for_each(|sample| sample.value = 7.0);
    let answer = answer(series, 1_440, "gp3", 500, 16_000);
    let demand = answer.demand.as_ref().unwrap();
    assert_eq!((demand.mean(Metric::ReadLatency), demand.mean(Metric::WriteLatency)), (None, None));
    assert!(answer.unknown.contains(&UnknownFact::Latency(Timer::Still)), "{:?}", answer.unknown);
    assert!(
        answer.unknown.iter().any(|fact| matches!(fact, UnknownFact::Bursts { busy: None, timer: Timer::Still, .. }))
    );
}
