//! Sums of CloudWatch's periods, as YACE repeats them.

use ebs_advice::{Action, ActionReason};
use ebs_prometheus::Series;
use ebs_workload::io_profile::Metric;

use crate::made_rates::{answer, answers, every};
use crate::{Reason, Source, UnknownFact};

const A: &str = "vol-0000000000000000a";
const B: &str = "vol-0000000000000000b";

/// Sums of five minutes, each scraped five times: 300,000 requests are 1,000 a second.
fn yace(volume: &str, sum: impl Fn(usize) -> f64) -> Vec<Series> {
    let with = |name: &str, factor: f64| {
        let own = [("__name__", name), ("dimension_VolumeId", volume), ("region", "us-east-1")];
        every(60, &own, (0..1_441).map(|scrape| sum(scrape / 5) * factor))
    };
    vec![
        with("aws_ebs_volume_read_ops_sum", 1.0),
        with("aws_ebs_volume_write_ops_sum", 0.0),
        with("aws_ebs_volume_read_bytes_sum", 8_192.0),
        with("aws_ebs_volume_write_bytes_sum", 0.0),
    ]
}

#[test]
fn sums_of_a_period_are_amounts_of_it() {
    let answer = answer(yace(A, |period| 300_000.0 + period as f64), None);
    let demand = answer.demand.as_ref().unwrap();
    assert!((demand.find(Metric::Requests).unwrap().p50.unwrap() - 1_000.0).abs() < 1.0, "{demand:?}");
    assert_eq!((answer.evidence.source, answer.evidence.interval_s), (Some(Source::YaceEbs), Some(300.0)));
    assert!(answer.unknown.contains(&UnknownFact::NilToZero));
    assert!(answer.evidence.coverage > 0.98, "{}", answer.evidence.coverage);
}

/// Idle for 270 of 300 s: the requests came in 30.
#[test]
fn the_time_that_was_not_idle_is_that_of_the_requests() {
    let idle = [("__name__", "aws_ebs_volume_idle_time_sum"), ("dimension_VolumeId", A), ("region", "us-east-1")];
    let idle = every(60, &idle, std::iter::repeat_n(270.0, 1_441));
    let busy = |series| answer(series, None).evidence.busy;
    let sums = yace(A, |period| 300_000.0 + period as f64);
    let found = busy([sums.clone(), vec![idle]].concat()).unwrap();
    assert!((found.iops / 10_000.0 - 1.0).abs() < 0.01 && (found.share - 0.1).abs() < 1e-3, "{found:?}");
    assert_eq!(busy(sums), None);
}

#[test]
fn sums_that_never_change_have_no_period() {
    let answer = answer(yace(A, |_| 0.0), None);
    assert!(matches!(answer.reason, Reason::PeriodUnknown), "{:?}", answer.reason);
    assert_eq!(answer.action, Action::NoAnswer);
}

/// An idle volume has the idle time of a whole period, whatever the exporter's own interval is.
#[test]
fn the_idle_time_of_an_idle_volume_is_the_period() {
    let mut series = yace(A, |_| 0.0);
    let own = [("__name__", "aws_ebs_volume_idle_time_sum"), ("dimension_VolumeId", A), ("region", "us-east-1")];
    series.push(every(60, &own, std::iter::repeat_n(60.0, 1_441)));
    let answer = answer(series, None);
    assert!(matches!(answer.reason, Reason::Decided(ActionReason::Idle { .. })), "{:?}", answer.reason);
    assert_eq!(answer.evidence.interval_s, Some(60.0));
    assert!(answer.evidence.coverage > 0.98, "{}", answer.evidence.coverage);
}

/// 300,000 requests in each period: its length is that of the sums of the volume beside it on the same instance.
#[test]
fn a_steady_volume_has_the_period_of_another_of_its_instance() {
    let attached = |id: &str| {
        format!(
            r#"{{"VolumeId": "{id}", "VolumeType": "gp3", "Size": 100, "Attachments": [{{"InstanceId": "i-0aaaaaaa"}}]}}"#
        )
    };
    let documents = format!(r#"{{"Volumes": [{}, {}]}}"#, attached(A), attached(B));
    let series = [yace(A, |_| 300_000.0), yace(B, |period| 30_000.0 + period as f64)].concat();
    let both = answers(series, Some(&documents));
    let steady = &both[0];
    let demand = steady.demand.as_ref().unwrap();
    assert!((demand.find(Metric::Requests).unwrap().p50.unwrap() - 1_000.0).abs() < 1e-6, "{demand:?}");
    assert_eq!(steady.evidence.interval_s, Some(300.0));
    assert!(steady.evidence.coverage > 0.98 && both[1].evidence.coverage > 0.98);
}

/// Requests of 20 periods, none in the next 20, and so on: the zeros are those of each of their periods.
#[test]
fn a_sum_that_stays_for_several_periods_is_that_of_each() {
    let answer =
        answer(yace(A, |period| if (period / 20).is_multiple_of(2) { 300_000.0 + period as f64 } else { 0.0 }), None);
    let demand = answer.demand.as_ref().unwrap();
    assert!(answer.evidence.coverage > 0.98, "{}", answer.evidence.coverage);
    assert!(
        demand.find(Metric::Requests).unwrap().p50.unwrap() < 1_100.0
            && (demand.find(Metric::Requests).unwrap().max.unwrap() - 1_000.0).abs() < 2.0,
        "{demand:?}"
    );
}
