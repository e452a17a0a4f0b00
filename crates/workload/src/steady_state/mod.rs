//! Steady state of a run: the end of the ramp-up, and the trend after it.
//!
//! Both are tested on transactions if they were counted often enough; else on requests of the devices, which are known for
//! every second but also show checkpoints.

mod batch;
mod beginning;
mod mser;
mod shortfall;
mod trend;

pub use batch::Point;
pub use shortfall::Shortfall;
pub use trend::{DRIFT, Trend};

use batch::{MIN_BATCH_S, MIN_BATCHES, join_batches};

use crate::demand::Demand;
use crate::run_timeline::RunTimeline;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::Window;

/// Work that is counted to test for a steady state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Commits and rollbacks.
    Transactions,
    /// Requests of the devices.
    Requests,
}

/// Series of transactions or requests, of which the steady state is tested.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Work that is counted.
    pub work: Work,
    /// Points in time order.
    pub points: Vec<Point>,
}

/// Beginning of the measured part of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RampUp {
    /// The user marked it, with the phase `measure`.
    Marked,
    /// There is no ramp-up.
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

/// Conclusion from the tests for a steady state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SteadyState {
    /// No trend was found.
    Steady,
    /// The rate rises or falls.
    Drifting {
        /// Change from beginning to end as a share of the mean; negative where it falls.
        share: f64,
    },
    /// The ramp-up takes more than half of the run.
    Unsettled,
    /// The rate collapsed for a time.
    Interrupted(Shortfall),
}

/// Results of the tests for a steady state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steadiness {
    /// Work that was tested; `None` where neither kind was counted often enough.
    pub work: Option<Work>,
    /// Beginning of the measured part.
    pub ramp_up: RampUp,
    /// Trend after the ramp-up; `None` where too little was counted.
    pub trend: Option<Trend>,
    /// Work lost while the rate collapsed, after the ramp-up; `None` where too little was counted.
    pub shortfall: Option<Shortfall>,
    /// Whole checkpoint cycles; `None` where that is not known.
    pub checkpoint_cycles: Option<usize>,
}

impl Progress {
    /// Builds the series: transactions if every flush counted them, and often enough, else requests.
    pub fn from_window(window: &Window, timeline: &RunTimeline) -> Option<Progress> {
        let transactions =
            transactions(timeline).filter(|points| tells(points)).map(|points| (Work::Transactions, points));
        let requests = || Some(requests(window)).filter(|points| tells(points)).map(|points| (Work::Requests, points));
        let (work, points) = transactions.or_else(requests)?;
        Some(Progress { work, points })
    }

    /// Finds the end of the ramp-up, by MSER-5, if the run begins apart from its second half.
    pub fn ramp_up(&self) -> RampUp {
        let batches = join_batches(&self.points, MIN_BATCH_S);
        let rates: Vec<f64> = batches.iter().map(Point::rate).collect();
        match mser::truncation(&rates) {
            cut if cut == 0 || !beginning::begins_apart(&rates) => RampUp::None,
            cut if 2 * cut > rates.len() => RampUp::TooLong,
            cut => RampUp::Ended {
                at_us: batches[cut - 1].ended_us,
                seconds: batches[..cut].iter().map(|batch| batch.seconds).sum(),
            },
        }
    }

    /// Tests for a trend from this time on, microseconds since 1970.
    pub fn trend(&self, from_us: i64) -> Option<Trend> {
        trend::trend(&self.points_from(from_us))
    }

    /// Adds up the work that was lost from this time on, microseconds since 1970.
    pub fn shortfall(&self, from_us: i64) -> Option<Shortfall> {
        shortfall::shortfall(&self.points_from(from_us))
    }

    fn points_from(&self, from_us: i64) -> Vec<Point> {
        self.points.iter().copied().filter(|point| point.ended_us > from_us).collect()
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
            work: progress.as_ref().map(|progress| progress.work),
            ramp_up,
            trend: progress.as_ref().and_then(|progress| progress.trend(from_us)),
            shortfall: progress.as_ref().and_then(|progress| progress.shortfall(from_us)),
            checkpoint_cycles: timeline.checkpoint_cycles(),
        }
    }

    /// Concludes from the tests; `None` where too little was counted.
    pub fn state(&self) -> Option<SteadyState> {
        Some(match self.trend? {
            trend if trend.is_drift() => SteadyState::Drifting { share: trend.drift },
            _ if self.ramp_up == RampUp::TooLong => SteadyState::Unsettled,
            _ => match self.shortfall.filter(Shortfall::is_relevant) {
                Some(shortfall) => SteadyState::Interrupted(shortfall),
                None => SteadyState::Steady,
            },
        })
    }

    /// Returns true if the run was steady; `None` where too little was counted.
    pub fn is_steady(&self) -> Option<bool> {
        self.state().map(|state| state == SteadyState::Steady)
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
