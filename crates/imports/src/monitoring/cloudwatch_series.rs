//! The counts of one volume or instance, from its metrics: what is missing is unknown, not zero.

use std::collections::BTreeMap;

use super::checks::Values;
use super::metric::{Figure, Metric};
use super::rates::whole_ms;
use super::{ImportError, Series, SeriesPoint};
use ebs_base::input::WorkMeter;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{DeviceChecks, DeviceCounts};

/// Metrics of reads and of writes.
type Directions<'a> = [Option<(Metric, &'a Values)>; 2];

/// The metrics of a device.
struct Metrics<'a> {
    requests: [(Metric, &'a Values); 2],
    bytes: Directions<'a>,
    times: Directions<'a>,
    queue: Option<(Metric, &'a Values)>,
    period_s: i64,
}

/// Counts of one period, of reads and of writes; `None` where they are not known.
struct Period {
    requests: [f64; 2],
    bytes: Option<[f64; 2]>,
    ms: Option<[f64; 2]>,
    /// Requests in flight times the period, ms.
    weighted_ms: Option<f64>,
}

/// The periods of which requests are known, and bytes where these are known of any: what is missing is a gap, not zero.
pub(super) fn series(
    device: String,
    metrics: &BTreeMap<Metric, Values>,
    period_s: i64,
    meter: &WorkMeter,
) -> Result<Series, ImportError> {
    let metrics = Metrics::new(&device, metrics, period_s)?;
    let bytes_known = metrics.bytes.iter().all(Option::is_some);
    let (mut points, mut timed, mut rest) = (Vec::new(), true, [0.0; 2]);
    for &second in metrics.requests[0].1.keys() {
        meter.step();
        let Some(period) = metrics.period(second).filter(|period| !bytes_known || period.bytes.is_some()) else {
            continue;
        };
        timed &= period.ms.is_some();
        let counts = period.counts(&mut rest).ok_or_else(|| malformed(&device, "more than any volume does"))?;
        let began_us = second * SECOND_US as i64;
        points.push(SeriesPoint { began_us, ended_us: began_us + period_s * SECOND_US as i64, counts });
    }
    if points.is_empty() {
        let what = if bytes_known { "requests and bytes" } else { "reads and writes" };
        return Err(malformed(&device, &format!("there is no period of which {what} are known")));
    }
    let limitations = metrics.limitations(&device, timed);
    let checks = DeviceChecks { bytes_unknown: !bytes_known, ..DeviceChecks::default() };
    Ok(Series { device, points, timed, limitations, checks, problem: None })
}

fn malformed(device: &str, problem: &str) -> ImportError {
    ImportError::Malformed { at: device.to_owned(), problem: problem.to_owned() }
}

impl<'a> Metrics<'a> {
    fn new(device: &str, metrics: &'a BTreeMap<Metric, Values>, period_s: i64) -> Result<Metrics<'a>, ImportError> {
        let find = |figure: Figure, write: bool| {
            let found = metrics.iter().find(|(known, _)| known.figure == figure && known.write == write);
            found.map(|(metric, points)| (*metric, points))
        };
        let needed = |write: bool| {
            let (ebs, rds) = Metric::names_of(Figure::Requests, write);
            find(Figure::Requests, write).ok_or_else(|| malformed(device, &format!("neither {ebs} nor {rds}")))
        };
        let both = |figure| [find(figure, false), find(figure, true)];
        Ok(Metrics {
            requests: [needed(false)?, needed(true)?],
            bytes: both(Figure::Bytes),
            times: both(Figure::Time),
            queue: find(Figure::QueueDepth, false),
            period_s,
        })
    }

    /// The period that begins with this second; `None` where reads or writes are not known.
    fn period(&self, second: i64) -> Option<Period> {
        let value = |(metric, points): (Metric, &Values)| Some((metric, *points.get(&second)?));
        let count = |found: (Metric, f64)| found.0.count(found.1, self.period_s);
        let [reads, writes] = self.requests.map(|found| value(found).map(count));
        let requests = [reads?, writes?];
        let [read_bytes, write_bytes] = self.bytes.map(|found| value(found?).map(count));
        let time = |index: usize| {
            let (metric, seconds) = value(self.times[index]?)?;
            Some(metric.milliseconds(seconds, requests[index]))
        };
        let weighted_ms = self.queue.and_then(value).map(|(_, depth)| 1_000.0 * depth * self.period_s as f64);
        Some(Period {
            requests,
            bytes: read_bytes.zip(write_bytes).map(|(read, write)| [read, write]),
            ms: times(requests, [time(0), time(1)], weighted_ms),
            weighted_ms,
        })
    }

    /// Describes what is missing, or inferred, a sentence each.
    fn limitations(&self, device: &str, timed: bool) -> Vec<String> {
        let missing = |figure: Figure, known: &Directions| {
            let names: Vec<&str> = [false, true]
                .into_iter()
                .zip(known)
                .filter(|(_, found)| found.is_none())
                .map(|(write, _)| {
                    let (ebs, rds) = Metric::names_of(figure, write);
                    if self.requests[0].0.is_of_volume() { ebs } else { rds }
                })
                .collect();
            (!names.is_empty()).then(|| names.join(" or "))
        };
        let bytes = missing(Figure::Bytes, &self.bytes).map(|names| {
            format!(
                "the throughput of {device} (no {names}): volumes are sized by IOPS alone, with the least throughput that is sold"
            )
        });
        let times = match (missing(Figure::Time, &self.times), self.queue, timed) {
            (None, _, true) => None,
            (Some(names), Some((queue, _)), true) => Some(format!(
                "the latencies of reads and of writes of {device} apart (no {names}): the mean is requests in flight ({}) over their \
                 rate, by Little's law",
                queue.name()
            )),
            (Some(names), _, _) => Some(format!("latencies of {device} (no {names})")),
            (None, _, false) => Some(format!("latencies of {device}: some periods have none")),
        };
        bytes.into_iter().chain(times).collect()
    }
}

/// Time of reads and of writes: counted, or else of the requests in flight what is not counted of the other direction, by Little's law; where
/// neither is counted, each request as long as any other.
fn times(requests: [f64; 2], counted: [Option<f64>; 2], weighted_ms: Option<f64>) -> Option<[f64; 2]> {
    let rest = |other_ms: f64| Some((weighted_ms? - other_ms).max(0.0));
    match counted {
        [Some(read), Some(write)] => Some([read, write]),
        [Some(read), None] => Some([read, if requests[1] > 0.0 { rest(read)? } else { 0.0 }]),
        [None, Some(write)] => Some([if requests[0] > 0.0 { rest(write)? } else { 0.0 }, write]),
        [None, None] => {
            let all = requests[0] + requests[1];
            let each = if all > 0.0 { weighted_ms? / all } else { 0.0 };
            weighted_ms.map(|_| requests.map(|requests| requests * each))
        }
    }
}

impl Period {
    /// Whole counts; `None` where they are more than any volume does. Fractions of milliseconds are carried to the next period.
    fn counts(&self, rest: &mut [f64; 2]) -> Option<DeviceCounts> {
        let (bytes, ms) = (self.bytes.unwrap_or_default(), self.ms.unwrap_or_default());
        let values = [self.requests, bytes, ms].concat();
        if values.iter().chain(&self.weighted_ms).any(|value| *value >= super::MAX_COUNT) {
            return None;
        }
        let [reads, writes] = self.requests.map(|value| value.round() as u64);
        let [read_bytes, write_bytes] = bytes.map(|value| value.round() as u64);
        let [read_rest, write_rest] = rest;
        let (read_ms, write_ms) = (whole_ms(ms[0], read_rest) as u64, whole_ms(ms[1], write_rest) as u64);
        let weighted_ms = self.weighted_ms.map_or(read_ms + write_ms, |weighted| weighted.round() as u64);
        Some(DeviceCounts {
            reads,
            writes,
            read_bytes,
            write_bytes,
            read_ms,
            write_ms,
            weighted_ms,
            busy_ms: 0,
            ..DeviceCounts::default()
        })
    }
}
