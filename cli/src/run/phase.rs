//! Phases of a run, derived from the driver's output.

use std::time::{Duration, Instant};

use ebs_imports::drivers::Event;

/// Phase of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Time before the driver's first event.
    Starting,
    /// Load that the result does not count.
    RampUp,
    /// Load of a driver without a ramp-up. It is not marked as measured: the evidence shows where it becomes steady.
    Load,
    /// Load that the result counts.
    Measure,
    /// Work of the driver after measuring, such as HammerDB's checkpoint and vacuum.
    After,
}

impl Phase {
    /// Name of the phase for ebs_run_mark; the start of the run needs no mark.
    pub fn mark(self) -> Option<&'static str> {
        match self {
            Phase::Starting => None,
            Phase::RampUp => Some("ramp-up"),
            Phase::Load => Some("load"),
            Phase::Measure => Some("measure"),
            Phase::After => Some("after"),
        }
    }
}

/// The current phase, its start and its expected length.
pub struct PhaseTimer {
    phase: Phase,
    started: Instant,
    length: Option<Duration>,
    /// Expected length of measuring; `None` if the command does not say.
    measure_length: Option<Duration>,
    /// Time that was measured up to the end of measuring; `None` before that.
    measured: Option<Duration>,
}

impl PhaseTimer {
    /// Starts with the command, which is to measure for so long.
    pub fn start(measure_s: Option<f64>) -> PhaseTimer {
        let measure_length = measure_s.and_then(duration);
        // If the driver reports no phases, the whole run is one.
        PhaseTimer {
            phase: Phase::Starting,
            started: Instant::now(),
            length: measure_length,
            measure_length,
            measured: None,
        }
    }

    /// Applies an event of the driver; returns the phase that it begins, if any.
    pub fn apply(&mut self, event: &Event) -> Option<Phase> {
        let (phase, length) = match event {
            Event::RampUpBegins { seconds } => (Phase::RampUp, seconds.and_then(duration)),
            Event::LoadBegins => (Phase::Load, self.measure_length),
            Event::MeasuringBegins => (Phase::Measure, self.measure_length),
            Event::MeasuringLasts(seconds) => {
                self.measure_length = duration(*seconds);
                self.length = self.measure_length.filter(|_| self.phase == Phase::Measure);
                return None;
            }
            Event::MeasuringEnds if matches!(self.phase, Phase::Load | Phase::Measure) => (Phase::After, None),
            _ => return None,
        };
        self.enter(phase, length);
        Some(phase)
    }

    /// Begins a phase.
    pub fn enter(&mut self, phase: Phase, length: Option<Duration>) {
        self.measured = self.measured();
        (self.phase, self.started, self.length) = (phase, Instant::now(), length);
    }

    /// Time that the driver measured so far; `None` before it began.
    pub fn measured(&self) -> Option<Duration> {
        if matches!(self.phase, Phase::Load | Phase::Measure) { Some(self.elapsed()) } else { self.measured }
    }

    /// Begins the measured phase if the ramp-up that the user requested is over; returns true if so.
    pub fn end_ramp_up(&mut self, ramp_up: Duration) -> bool {
        let is_over = self.phase == Phase::RampUp && self.elapsed() >= ramp_up;
        if is_over {
            let rest = self.measure_length.map(|length| length.saturating_sub(self.elapsed()));
            self.enter(Phase::Measure, rest);
        }
        is_over
    }

    /// Time since the phase began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Expected length of the phase.
    pub fn length(&self) -> Option<Duration> {
        self.length
    }

    /// `measure, 01:25 left`, `ramp-up, 00:10`.
    pub fn describe(&self) -> String {
        let name = self.phase.mark().unwrap_or("running");
        match self.length.map(|length| length.saturating_sub(self.elapsed())) {
            Some(left) if !left.is_zero() => format!("{name}, {} left", format_clock(left)),
            _ => format!("{name}, {}", format_clock(self.elapsed())),
        }
    }
}

/// `None` for a number that is no length of time.
fn duration(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

/// `01:25`, `1:01:25`.
pub fn format_clock(duration: Duration) -> String {
    // Rounded to the nearest second, so that ten seconds do not begin as nine.
    let seconds = duration.as_millis().saturating_add(500) / 1_000;
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes:02}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_the_driver_begin_phases() {
        let mut timer = PhaseTimer::start(None);
        assert_eq!(timer.describe(), "running, 00:00");
        assert_eq!(timer.apply(&Event::RampUpBegins { seconds: Some(60.0) }), Some(Phase::RampUp));
        assert_eq!(timer.describe(), "ramp-up, 01:00 left");
        assert_eq!(timer.measured(), None);
        assert_eq!(timer.apply(&Event::MeasuringBegins), Some(Phase::Measure));
        assert_eq!(timer.length(), None);
        assert_eq!(timer.apply(&Event::MeasuringLasts(120.0)), None);
        assert_eq!(timer.describe(), "measure, 02:00 left");
        assert_eq!(timer.apply(&Event::MeasuringEnds), Some(Phase::After));
        // Two minutes were announced; what was measured is shorter.
        assert!(timer.measured().is_some_and(|measured| measured < Duration::from_secs(100)));
        // A second end is none.
        assert_eq!(timer.apply(&Event::MeasuringEnds), None);
    }

    #[test]
    fn a_command_of_known_length_has_time_left() {
        let mut timer = PhaseTimer::start(Some(3_725.0));
        assert_eq!(timer.describe(), "running, 1:02:05 left");
        assert_eq!(timer.apply(&Event::LoadBegins), Some(Phase::Load));
        assert_eq!(timer.describe(), "load, 1:02:05 left");
        assert_eq!(timer.apply(&Event::MeasuringEnds), Some(Phase::After));
    }
}
