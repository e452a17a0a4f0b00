//! Checks of limits and balances of burst credits in CloudWatch's answer: to which device they belong, and what they say of its time.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::metric::{Credits, Figure, Limit, Metric};
use super::{Series, SeriesPoint};
use ebs_base::format::{count, pct};
use ebs_base::input::WorkMeter;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{Balance, CheckedTime, DeviceChecks, SPENT_PCT};

/// Values of a metric by the beginning of their period, in seconds since 1970.
pub(super) type Values = BTreeMap<i64, f64>;

/// Checks and balances of an answer, by what their labels name.
#[derive(Default)]
pub(super) struct Checks(pub BTreeMap<(Metric, String), Values>);

impl Checks {
    /// Adds to each series what was checked of it, with its limitations. A check belongs to the device of its name, and to the log volume of
    /// it; that of an instance, and one without a name, to all devices where it is the only one of its metric.
    pub fn assign(&self, all: &mut [Series], meter: &WorkMeter) {
        let mut counts: BTreeMap<Metric, usize> = BTreeMap::new();
        self.0.keys().for_each(|(metric, _)| *counts.entry(*metric).or_default() += 1);
        let mut spans: Vec<SpentSpans> = vec![SpentSpans::new(); all.len()];
        for ((metric, name), values) in &self.0 {
            let is_named = |device: &str| device == name || device.strip_prefix(name.as_str()) == Some(" log volume");
            let is_only = counts.get(metric) == Some(&1);
            let is_common = is_only && (metric.figure.is_of_instance() || name.is_empty() && all.len() == 1);
            let is_any_named = all.iter().any(|series| is_named(&series.device));
            for (series, spans) in all.iter_mut().zip(&mut spans) {
                meter.step();
                if is_named(&series.device) || !is_any_named && is_common {
                    let spent = add(&mut series.checks, metric.figure, values, &series.points, meter);
                    spans.extend(spent.map(|span| (metric.figure, span)));
                }
            }
        }
        for (series, spans) in all.iter_mut().zip(&spans) {
            let seconds = |point: &SeriesPoint| (point.ended_us - point.began_us) as f64 / SECOND_US as f64;
            series.checks.device.clone_from(&series.device);
            series.checks.seconds = series.points.iter().map(seconds).sum();
            let limitations = describe(&series.checks, spans);
            series.limitations.extend(limitations);
        }
    }
}

/// Beginning and end of the time in which a balance was spent, seconds since 1970, by the balance.
type SpentSpans = Vec<(Figure, (i64, i64))>;

/// Adds one check, as far as its values cover the points; returns the beginning and the end of the time in which it was found, seconds since
/// 1970.
fn add(
    checks: &mut DeviceChecks,
    figure: Figure,
    values: &Values,
    points: &[SeriesPoint],
    meter: &WorkMeter,
) -> Option<(i64, i64)> {
    let first = points.first()?;
    let covering = Covering::new(values, (first.ended_us - first.began_us) / SECOND_US as i64)?;
    let mut found: Option<(i64, i64)> = None;
    let (mut known_s, mut found_s, mut least) = (0.0, 0.0, f64::INFINITY);
    let mut lows = Vec::new();
    for point in points {
        meter.step();
        let span = (point.began_us / SECOND_US as i64, point.ended_us / SECOND_US as i64);
        let Some((low, high)) = covering.ends(span) else { continue };
        let seconds = (span.1 - span.0) as f64;
        let is_found = match figure {
            Figure::Balance(_) => low <= SPENT_PCT,
            _ => high > 0.0,
        };
        known_s += seconds;
        if is_found {
            found_s += seconds;
            found = Some((found.map_or(span.0, |(from, _)| from), span.1));
        }
        least = least.min(low);
        if figure == Figure::FreeSpace {
            lows.push((point.ended_us, low as u64));
        }
    }
    if known_s <= 0.0 {
        return None;
    }
    let checked = Some(CheckedTime { known_s, exceeded_s: found_s });
    let balance = Some(Balance { least_pct: least.min(100.0), known_s, spent_s: found_s });
    match figure {
        Figure::Exceeded(Limit::VolumeIops) => checks.volume_iops = checked,
        Figure::Exceeded(Limit::VolumeThroughput) => checks.volume_throughput = checked,
        Figure::Exceeded(Limit::InstanceIops) => checks.instance_iops = checked,
        Figure::Exceeded(Limit::InstanceThroughput) => checks.instance_throughput = checked,
        Figure::Balance(Credits::Io) => checks.io_balance = balance,
        Figure::Balance(Credits::Byte) => checks.byte_balance = balance,
        Figure::Balance(Credits::Burst) => checks.burst_balance = balance,
        Figure::FreeSpace => checks.free_space = thin(&lows),
        Figure::Requests | Figure::Bytes | Figure::Time | Figure::QueueDepth => {}
    }
    found
}

/// Most points of free space that a run keeps: a forecast takes its trend from fewer (ebs_workload::growth).
const MAX_FREE_SPACE_POINTS: usize = 200;

/// The least free space in each of [`MAX_FREE_SPACE_POINTS`] parts of the time, at the end of the part.
fn thin(lows: &[(i64, u64)]) -> Vec<(i64, u64)> {
    let part = |points: &[(i64, u64)]| Some((points.last()?.0, points.iter().map(|point| point.1).min()?));
    lows.chunks(lows.len().div_ceil(MAX_FREE_SPACE_POINTS).max(1)).filter_map(part).collect()
}

/// Values with the length of their periods.
struct Covering<'a> {
    values: &'a Values,
    /// Length of a period, seconds: the least distance, at least a minute, and no longer than that of the counts, which were asked for
    /// together: a longer distance is a gap.
    period_s: i64,
}

/// Shortest period of these metrics, seconds.
const MIN_PERIOD_S: i64 = 60;

impl Covering<'_> {
    fn new(values: &Values, counts_s: i64) -> Option<Covering<'_>> {
        let (mut last, mut least) = (None, counts_s);
        for &second in values.keys() {
            if let Some(before) = last.replace(second) {
                least = least.min(second - before);
            }
        }
        last.map(|_| Covering { values, period_s: least.max(MIN_PERIOD_S) })
    }

    /// The least and the greatest value over a time; `None` where a part of it has no value.
    fn ends(&self, (from, to): (i64, i64)) -> Option<(f64, f64)> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut covered = from;
        for (&second, &value) in self.values.range(from.saturating_sub(self.period_s - 1)..to) {
            if second > covered {
                return None;
            }
            (low, high) = (low.min(value), high.max(value));
            covered = second + self.period_s;
        }
        (covered >= to && high >= low).then_some((low, high))
    }
}

/// Describes what was checked, as limitations of the demand, a sentence each.
fn describe(checks: &DeviceChecks, spans: &SpentSpans) -> Vec<String> {
    let device = &checks.device;
    let limits = [
        (checks.volume_iops, "the volume's IOPS limit", "VolumeIOPSExceededCheck"),
        (checks.volume_throughput, "the volume's throughput limit", "VolumeThroughputExceededCheck"),
        (checks.instance_iops, "the instance's IOPS limit", "InstanceEBSIOPSExceededCheck"),
        (checks.instance_throughput, "the instance's throughput limit", "InstanceEBSThroughputExceededCheck"),
    ];
    let exceeded = limits.into_iter().filter_map(|(check, limit, metric)| {
        let check = check.filter(|check| check.exceeded_s > 0.0)?;
        Some(format!(
            "demand of {device} beyond {limit}, which it exceeded in {} of {} min ({metric}): it is at least what was observed",
            count(check.exceeded_s / 60.0),
            count(check.known_s / 60.0)
        ))
    });
    let balances = [
        (checks.io_balance, Credits::Io, "the instance's EBS I/O balance (EBSIOBalance%)"),
        (checks.byte_balance, Credits::Byte, "the instance's EBS byte balance (EBSByteBalance%)"),
        (checks.burst_balance, Credits::Burst, "the volume's burst balance (BurstBalance)"),
    ];
    let spent = balances.into_iter().filter_map(|(balance, credits, bucket)| {
        let balance = balance.filter(Balance::is_spent)?;
        let of_balance = |(figure, _): &&(Figure, (i64, i64))| *figure == Figure::Balance(credits);
        let (from, to) = spans.iter().find(of_balance)?.1;
        Some(format!(
            "demand of {device} while {bucket} was empty, in {} of {} min from {} to {} UTC, down to {}: it was at its baseline",
            count(balance.spent_s / 60.0),
            count(balance.known_s / 60.0),
            describe_time(from),
            describe_time(to),
            pct(balance.least_pct)
        ))
    });
    exceeded.chain(spent).collect()
}

/// Describes a time, seconds since 1970: `2026-11-20 09:12`.
fn describe_time(second: i64) -> String {
    Timestamp::from_second(second).map_or_else(|_| second.to_string(), |at| at.strftime("%Y-%m-%d %H:%M").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(seconds: &[i64], value: f64) -> Values {
        seconds.iter().map(|second| (*second, value)).collect()
    }

    #[test]
    fn a_time_is_covered_by_periods_of_any_length() {
        let minutes = values(&[0, 60, 120, 180, 240, 360], 0.0);
        let covering = Covering::new(&minutes, 300).unwrap();
        assert_eq!(covering.ends((0, 300)), Some((0.0, 0.0)));
        assert_eq!(
            (covering.ends((240, 360)), covering.ends((300, 360)), covering.ends((360, 480))),
            (None, None, None)
        );
        let coarse = values(&[0, 300], 1.0);
        let covering = Covering::new(&coarse, 300).unwrap();
        assert_eq!((covering.ends((240, 300)), covering.ends((240, 360))), (Some((1.0, 1.0)), Some((1.0, 1.0))));
        assert_eq!(covering.ends((600, 660)), None);
        // Every other minute is no period of two.
        let gaps = values(&[0, 120, 240], 0.0);
        let covering = Covering::new(&gaps, 60).unwrap();
        assert_eq!((covering.ends((0, 60)), covering.ends((60, 120))), (Some((0.0, 0.0)), None));
        assert!(Covering::new(&Values::new(), 60).is_none());
    }
}
