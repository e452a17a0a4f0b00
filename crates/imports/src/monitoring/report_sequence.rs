//! Reports that follow each other without a break, and the series of devices that they make.

use std::collections::HashMap;

use super::rates::{Rates, TimeRest};
use super::{ImportError, MAX_DEVICES, MonitoringData, Series, SeriesPoint};
use ebs_base::input::WorkMeter;
use ebs_base::units::SECOND_US;

/// One report: what it says of each device.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    /// Position in the source: `line 12`, `report 3`.
    pub at: String,
    /// End of its interval, microseconds since 1970.
    pub ended_us: i64,
    /// Rates of its devices.
    pub rows: Vec<(String, Rates)>,
}

/// Reports of which each covers the time since the one before.
#[derive(Clone, Debug, Default)]
pub(super) struct ReportSequence {
    /// Beginning of the first one's interval; `None`: it is as long as the second's.
    pub began_us: Option<i64>,
    /// The reports, in time order.
    pub reports: Vec<Report>,
}

/// Limitation of sysstat's reports without r/s and w/s.
const SPLIT: &str = "which requests were reads: the report counts reads and writes together (tps), and they were told \
                     apart by their bytes";

/// A report with an interval of its own (microseconds): it goes on where the last one ended, but for a second or two,
/// or begins a new sequence.
pub(super) fn append(sequences: &mut Vec<ReportSequence>, report: Report, interval_us: i64) {
    let began_us = report.ended_us.saturating_sub(interval_us);
    let last_us = sequences.last().and_then(|sequence| sequence.reports.last()).map(|last| last.ended_us);
    match (last_us, sequences.last_mut()) {
        (Some(last_us), Some(sequence)) if began_us <= last_us.saturating_add(2 * OFF_US as i64) => {
            sequence.reports.push(report);
        }
        _ => sequences.push(ReportSequence { began_us: Some(began_us), reports: vec![report] }),
    }
}

/// Maximum distance of a time from the grid, microseconds: times are whole seconds, and slightly late.
const OFF_US: u64 = SECOND_US;

/// The series of every device. `pause` is called between pieces of the work.
pub(super) fn imported(
    source: &'static str,
    sequences: Vec<ReportSequence>,
    pause: &dyn Fn(),
) -> Result<MonitoringData, ImportError> {
    let meter = WorkMeter::new(pause);
    let mut series: Vec<Series> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut rests: HashMap<String, TimeRest> = HashMap::new();
    let mut split = false;
    let mut last_us = i64::MIN;
    for sequence in sequences {
        let ends = ends(&sequence)?;
        for (report, (began_us, ended_us)) in sequence.reports.into_iter().zip(ends) {
            if began_us < last_us {
                return Err(malformed(&report, "the report is not later than the one before it"));
            }
            last_us = ended_us;
            for (device, rates) in &report.rows {
                meter.step();
                if let Some(missing) = rates.missing() {
                    return Err(malformed(&report, missing));
                }
                let rest = rests.entry(device.clone()).or_default();
                let counted = rates.counted((ended_us - began_us).unsigned_abs(), rest);
                let index = match known.get(device) {
                    Some(index) => *index,
                    None if series.len() >= MAX_DEVICES => {
                        let at = report.at.clone();
                        return Err(ImportError::TooMuch { at, most: MAX_DEVICES, what: "devices in all reports" });
                    }
                    None => {
                        known.insert(device.clone(), series.len());
                        series.push(Series { device: device.clone(), timed: true, ..Series::default() });
                        series.len() - 1
                    }
                };
                let impossible = || malformed(&report, "more than any device does");
                let problem = rates.problem().cloned().or_else(|| counted.is_none().then(impossible));
                let Some(counted) = counted.filter(|_| problem.is_none()) else {
                    series[index].problem = series[index].problem.take().or(problem);
                    continue;
                };
                split |= counted.split;
                series[index].timed &= counted.timed;
                series[index].points.push(SeriesPoint { began_us, ended_us, counts: counted.counts });
            }
        }
    }
    let limitations = if split { vec![SPLIT.to_owned()] } else { Vec::new() };
    Ok(MonitoringData { source, series, limitations })
}

fn malformed(report: &Report, problem: &str) -> ImportError {
    ImportError::Malformed { at: report.at.clone(), problem: problem.to_owned() }
}

/// Beginning and end of each report's interval. Clocks are read in whole seconds, slightly late: where a time is within
/// a second of the usual distance from the one before it, it is taken to be at that distance.
fn ends(sequence: &ReportSequence) -> Result<Vec<(i64, i64)>, ImportError> {
    let times: Vec<i64> = sequence.reports.iter().map(|report| report.ended_us).collect();
    let (Some(&first_us), usual_us) = (times.first(), usual(sequence.began_us, &times)) else { return Ok(Vec::new()) };
    let Some(usual_us) = usual_us else {
        let problem = "the only report of its kind does not say how long its interval was";
        return Err(malformed(&sequence.reports[0], problem));
    };
    let mut last_us = sequence.began_us.unwrap_or(first_us - usual_us);
    let mut ends = Vec::with_capacity(times.len());
    for (report, time_us) in sequence.reports.iter().zip(times) {
        let expected_us = last_us + usual_us;
        let ended_us = if time_us.abs_diff(expected_us) <= OFF_US { expected_us } else { time_us };
        if ended_us <= last_us {
            return Err(malformed(report, "the report is not later than the one before it"));
        }
        ends.push((last_us, ended_us));
        last_us = ended_us;
    }
    Ok(ends)
}

/// The (lower) median of the distances; `None` where there is no positive one.
fn usual(began_us: Option<i64>, times: &[i64]) -> Option<i64> {
    let all: Vec<i64> = began_us.into_iter().chain(times.iter().copied()).collect();
    let mut distances: Vec<i64> = all.windows(2).map(|pair| pair[1] - pair[0]).collect();
    distances.sort_unstable();
    distances.get(distances.len().saturating_sub(1) / 2).copied().filter(|distance| *distance > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(second: i64) -> Report {
        let mut rates = Rates::default();
        for column in ["r/s", "w/s", "rkB/s", "wkB/s"] {
            rates.set(column, 1.0);
        }
        Report { at: format!("line {second}"), ended_us: second * 1_000_000, rows: vec![("sda".into(), rates)] }
    }

    fn sequence(began: Option<i64>, seconds: &[i64]) -> ReportSequence {
        ReportSequence {
            began_us: began.map(|second| second * 1_000_000),
            reports: seconds.iter().copied().map(report).collect(),
        }
    }

    fn lengths(sequences: Vec<ReportSequence>) -> Vec<i64> {
        let made = imported("iostat", sequences, &|| ()).unwrap();
        made.series[0].points.iter().map(|point| (point.ended_us - point.began_us) / 1_000_000).collect()
    }

    /// At one report a second the same whole second may be printed twice, and the next not at all.
    #[test]
    fn whole_seconds_are_put_back_on_their_grid() {
        assert_eq!(lengths(vec![sequence(Some(0), &[1, 2, 2, 4, 5])]), [1; 5]);
        assert_eq!(lengths(vec![sequence(Some(0), &[60, 121, 179, 240])]), [60; 4]);
    }

    #[test]
    fn a_longer_interval_stays_longer_and_a_break_stays_a_gap() {
        assert_eq!(lengths(vec![sequence(Some(0), &[10, 20, 50, 60])]), [10, 10, 30, 10]);
        assert_eq!(lengths(vec![sequence(Some(0), &[10, 20]), sequence(Some(100), &[110])]), [10; 3]);
        assert_eq!(lengths(vec![sequence(None, &[10, 20])]), [10; 2]);
    }

    #[test]
    fn time_that_goes_back_is_named() {
        let refused = |sequences| imported("iostat", sequences, &|| ()).unwrap_err().to_string();
        let late = "the report is not later than the one before it";
        assert_eq!(refused(vec![sequence(Some(0), &[10, 20, 5, 40])]), format!("line 5: {late}"));
        assert_eq!(refused(vec![sequence(Some(0), &[10, 20]), sequence(Some(15), &[25])]), format!("line 25: {late}"));
        assert!(refused(vec![sequence(None, &[10])]).starts_with("line 10: the only report"));
    }
}
