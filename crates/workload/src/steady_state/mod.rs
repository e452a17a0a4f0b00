//! Steady state of a run: the end of the ramp-up, and the trend after it.
//!
//! Both are tested on transactions if they were counted often enough; else on requests of the devices, which are known for
//! every second but also show checkpoints.

mod batch;
mod mser;
mod trend;

pub use batch::Point;
pub use trend::{DRIFT, Trend};

use batch::{MIN_BATCH_S, MIN_BATCHES, join_batches};

use crate::demand::Demand;
use crate::run_timeline::RunTimeline;
use ebs_base::format;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::Window;

/// Series of transactions or requests, of which the steady state is tested.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// `transactions` or `requests`.
    pub metric: &'static str,
    /// In time order.
    pub points: Vec<Point>,
}

/// Beginning of the measured part of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RampUp {
    /// The user marked it, with the phase `measure`.
    Marked,
    /// There is none to be cut off.
    None,
    /// End of the ramp-up by MSER-5.
    Ended {
        /// Microseconds since 1970.
        at_us: i64,
        /// Seconds before it.
        seconds: f64,
    },
    /// MSER-5 would cut off more than half: the run is too short for what it does at its beginning, or never settles.
    TooLong,
    /// Too little was counted to tell.
    NotKnown,
}

/// Result of the tests for a steady state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steadiness {
    /// `transactions` or `requests`; nothing where neither was counted often enough.
    pub metric: Option<&'static str>,
    /// Beginning of the measured part.
    pub ramp_up: RampUp,
    /// Trend after the ramp-up; `None` where too little was counted.
    pub trend: Option<Trend>,
    /// Whole checkpoint cycles; `None` where that is not known.
    pub checkpoint_cycles: Option<usize>,
}

impl Progress {
    /// Builds the series: transactions if every flush counted them, and often enough, else requests.
    pub fn from_window(window: &Window, timeline: &RunTimeline) -> Option<Progress> {
        let transactions = transactions(timeline).filter(|points| tells(points)).map(|points| ("transactions", points));
        let requests = || Some(requests(window)).filter(|points| tells(points)).map(|points| ("requests", points));
        let (metric, points) = transactions.or_else(requests)?;
        Some(Progress { metric, points })
    }

    /// Finds the end of the ramp-up, by MSER-5.
    pub fn ramp_up(&self) -> RampUp {
        let batches = join_batches(&self.points, MIN_BATCH_S);
        let rates: Vec<f64> = batches.iter().map(Point::rate).collect();
        match mser::truncation(&rates) {
            0 => RampUp::None,
            cut if 2 * cut > rates.len() => RampUp::TooLong,
            cut => RampUp::Ended {
                at_us: batches[cut - 1].ended_us,
                seconds: batches[..cut].iter().map(|batch| batch.seconds).sum(),
            },
        }
    }

    /// Tests for a trend from this time on, microseconds since 1970.
    pub fn trend(&self, from_us: i64) -> Option<Trend> {
        let points: Vec<Point> = self.points.iter().copied().filter(|point| point.ended_us > from_us).collect();
        trend::trend(&points)
    }
}

impl RampUp {
    /// Length of the ramp-up, seconds; `None` where it is not known, or where the user marked its end.
    pub fn seconds(&self) -> Option<f64> {
        match self {
            RampUp::None => Some(0.0),
            RampUp::Ended { seconds, .. } => Some(*seconds),
            RampUp::Marked | RampUp::TooLong | RampUp::NotKnown => None,
        }
    }
}

impl Steadiness {
    /// Tests this evidence; `marked` says that it begins where the user marked it.
    pub fn from_window(window: &Window, timeline: &RunTimeline, marked: bool) -> Steadiness {
        let progress = Progress::from_window(window, timeline);
        let ramp_up = match &progress {
            _ if marked => RampUp::Marked,
            Some(progress) => progress.ramp_up(),
            None => RampUp::NotKnown,
        };
        let from_us = if let RampUp::Ended { at_us, .. } = ramp_up { at_us } else { i64::MIN };
        Steadiness {
            metric: progress.as_ref().map(|progress| progress.metric),
            ramp_up,
            trend: progress.as_ref().and_then(|progress| progress.trend(from_us)),
            checkpoint_cycles: timeline.checkpoint_cycles(),
        }
    }

    /// Returns true if the run was steady; `None` where too little was counted.
    pub fn is_steady(&self) -> Option<bool> {
        let trend = self.trend?;
        Some(!trend.is_drift() && self.ramp_up != RampUp::TooLong)
    }

    /// Describes the result for users: `steady`, `not steady: transactions rise by 12 % from its beginning to its end`;
    /// `None` where too little was counted.
    pub fn words(&self) -> Option<String> {
        let (trend, metric) = (self.trend?, self.metric?);
        Some(if trend.is_drift() {
            let way = if trend.drift > 0.0 { "rise" } else { "fall" };
            // The drift is a share of the mean: where it is above one, a reader would take it for more than there was.
            let by = match trend.drift.abs() {
                drift if drift < 1.0 => format::share(drift),
                _ => "more than their mean".to_owned(),
            };
            format!("not steady: {metric} {way} by {by} from its beginning to its end")
        } else if self.ramp_up == RampUp::TooLong {
            format!("not steady: {metric} never settle")
        } else {
            "steady".to_owned()
        })
    }
}

fn transactions(timeline: &RunTimeline) -> Option<Vec<Point>> {
    let of_segment = |segment: &crate::run_timeline::Segment| {
        let counts = segment.transactions.known()?;
        Some(Point {
            ended_us: segment.ended_us,
            seconds: segment.transactions.known_us as f64 / SECOND_US as f64,
            count: counts.commits.saturating_add(counts.rollbacks) as f64,
        })
    };
    timeline.segments.iter().map(of_segment).collect()
}

fn requests(window: &Window) -> Vec<Point> {
    if window.pause.each(&window.intervals).any(|interval| interval.downsampled_us > 0) {
        return Vec::new();
    }
    let intervals = Demand::from_all_volumes(window).intervals;
    let of = |interval: &crate::demand::DemandInterval| Point {
        ended_us: interval.ended_us,
        seconds: interval.seconds,
        count: interval.ssd_requests() as f64,
    };
    intervals.iter().map(of).collect()
}

/// Returns true if the points are enough for batches, and anything was counted in them.
fn tells(points: &[Point]) -> bool {
    join_batches(points, MIN_BATCH_S).len() >= MIN_BATCHES && points.iter().any(|point| point.count > 0.0)
}

#[cfg(test)]
#[path = "steady_state_tests.rs"]
mod tests;
