//! Histograms of one-second demand, read back from scrapes of a minute.

use ebs_imports::configuration::Configuration;
use ebs_prometheus::{Labels, Sample, Series};
use ebs_samples::demand_histogram::{DemandHistogram, DemandMetric, bound_label};
use ebs_workload::io_profile::Metric;

use crate::{Fleet, Grade, Selection, Settings, Timer, UnknownFact, evaluate};

const ID: &str = "vol-06c1835863d5d7360";

/// Requests of a second: 200, and 8,000 for two seconds of every minute.
fn requests(second: usize) -> u64 {
    if second % 60 < 2 { 8_000 } else { 200 }
}

/// Series that scrapes of a minute made of two hours of such seconds, each request 8 KiB.
fn exported(minutes: usize) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for metric in DemandMetric::ALL {
        let mut histogram = DemandHistogram::new(metric);
        for minute in 0..=minutes {
            let mut add = |part: &str, le: Option<String>, value: f64| {
                let name = format!("ebs_demand_{}_{part}", metric.name());
                let own = [("__name__", name), ("volume", ID.to_owned()), ("device", "nvme1n1".to_owned())];
                let labels: Labels = own.into_iter().chain(le.map(|le| ("le", le))).collect();
                let sample = Sample { at_ms: 60_000 * minute as i64, value };
                match series.iter_mut().find(|known| known.labels == labels) {
                    Some(known) => known.samples.push(sample),
                    None => series.push(Series { labels, samples: vec![sample] }),
                }
            };
            let reading = histogram.reading();
            for (bound, us) in &reading.cumulative_us {
                add("bucket", Some(bound_label(*bound)), *us as f64 / 1e6);
            }
            add("sum", None, reading.amount as f64);
            add("count", None, histogram.total_us() as f64 / 1e6);
            for second in 60 * minute..60 * (minute + 1) {
                let amount = requests(second) * if metric == DemandMetric::Bytes { 8_192 } else { 1 };
                histogram.add(amount, 1_000_000);
            }
        }
    }
    series
}

#[test]
fn percentiles_of_seconds_come_back_from_scrapes_of_a_minute() {
    let series = exported(120);
    let labels: Vec<Labels> = series.iter().map(|one| one.labels.clone()).collect();
    let found = Fleet::discover(labels, &Configuration::default(), &Selection::default());
    let settings =
        Settings { from_us: 0, to_us: 7_200_000_000, region: Some("us-east-1".to_owned()), ..Settings::default() };
    let answer = &evaluate(&found.batches[0], series, &Configuration::default(), &settings, &|| ())[0];
    let demand = answer.demand.as_ref().unwrap();
    // 2 of 60 seconds are 3.3 %: the 99th percentile is that of a burst, and the median that of the others; bins are 5 % wide.
    let near = |value: f64, expected: f64| (value / expected - 1.0).abs() < 0.05;
    assert!(
        near(demand.find(Metric::Requests).unwrap().p99.unwrap(), 8_000.0)
            && near(demand.find(Metric::Requests).unwrap().p50.unwrap(), 200.0)
            && near(demand.find(Metric::Requests).unwrap().max.unwrap(), 8_000.0),
        "{demand:?}"
    );
    assert!(
        near(demand.find(Metric::Throughput).unwrap().p99.unwrap(), 62.5)
            && near(demand.find(Metric::Throughput).unwrap().p50.unwrap(), 200.0 / 128.0),
        "{demand:?}"
    );
    assert_eq!((answer.evidence.grade, answer.evidence.coverage), (Grade::Seconds, 1.0));
    assert!(demand.mean(Metric::ReadShare).is_none() && demand.mean(Metric::ReadLatency).is_none());
    assert!(
        answer.unknown.contains(&UnknownFact::JointDemand)
            && answer.unknown.contains(&UnknownFact::Latency(Timer::Missing))
    );
    assert!(!answer.unknown.iter().any(|fact| matches!(fact, UnknownFact::Bursts { .. })));
    // An average of the minute is 460: what scrapes alone would show.
    let mean = demand.iops_over_time.iter().flatten().sum::<f64>() / demand.iops_over_time.len() as f64;
    assert!((mean - 460.0).abs() < 5.0, "{mean}");
}
