//! Which part of a run is on, and for how long.

use std::time::{Duration, Instant};

use ebs_imports::driver::Event;

/// What ebs_run_mark takes, and how each begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Until the driver says more.
    Starting,
    /// Load that the result does not count.
    RampUp,
    /// Load without a ramp-up: where it settles is for the evidence to tell, so it is not marked as measured.
    Load,
    /// What the result stands for.
    Measure,
    /// What comes behind it: HammerDB's checkpoint and vacuum.
    After,
}

impl Part {
    /// The phase that is marked; the beginning of the run needs no mark.
    pub fn mark(self) -> Option<&'static str> {
        match self {
            Part::Starting => None,
            Part::RampUp => Some("ramp-up"),
            Part::Load => Some("load"),
            Part::Measure => Some("measure"),
            Part::After => Some("after"),
        }
    }
}

/// The part that is on.
pub struct Phase {
    part: Part,
    began: Instant,
    length: Option<Duration>,
    /// How long measuring is to take, as far as the command says.
    measured: Option<Duration>,
}

impl Phase {
    /// The command begins, and is to measure for so long.
    pub fn begin(measured_s: Option<f64>) -> Phase {
        let measured = measured_s.and_then(duration);
        // Where the driver says nothing of phases, all of it is one.
        Phase { part: Part::Starting, began: Instant::now(), length: measured, measured }
    }

    /// What the driver says of now; the part that begins, if one does.
    pub fn event(&mut self, event: &Event) -> Option<Part> {
        let (part, length) = match event {
            Event::RampUpBegins { seconds } => (Part::RampUp, seconds.and_then(duration)),
            Event::LoadBegins => (Part::Load, self.measured),
            Event::MeasuringBegins => (Part::Measure, self.measured),
            Event::MeasuringLasts(seconds) => {
                self.measured = duration(*seconds);
                self.length = self.measured.filter(|_| self.part == Part::Measure);
                return None;
            }
            Event::MeasuringEnds if matches!(self.part, Part::Load | Part::Measure) => (Part::After, None),
            _ => return None,
        };
        self.enter(part, length);
        Some(part)
    }

    /// A part begins.
    pub fn enter(&mut self, part: Part, length: Option<Duration>) {
        (self.part, self.began, self.length) = (part, Instant::now(), length);
    }

    /// Begins to measure once the ramp-up that the user asked for is over; whether that is now.
    pub fn measure_after(&mut self, ramp_up: Duration) -> bool {
        let over = matches!(self.part, Part::RampUp) && self.began.elapsed() >= ramp_up;
        if over {
            let rest = self.measured.map(|measured| measured.saturating_sub(self.began.elapsed()));
            self.enter(Part::Measure, rest);
        }
        over
    }

    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    pub fn length(&self) -> Option<Duration> {
        self.length
    }

    /// `measure, 01:25 left`, `ramp-up, 00:10`.
    pub fn words(&self) -> String {
        let name = self.part.mark().unwrap_or("running");
        match self.length.map(|length| length.saturating_sub(self.elapsed())) {
            Some(left) if !left.is_zero() => format!("{name}, {} left", clock(left)),
            _ => format!("{name}, {}", clock(self.elapsed())),
        }
    }
}

/// `None` of what is no length of time.
pub fn duration(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

/// `01:25`, `1:01:25`.
pub fn clock(duration: Duration) -> String {
    // To the nearest, so that ten seconds do not begin as nine.
    let seconds = duration.as_millis().saturating_add(500) / 1_000;
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes:02}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drivers_words_decide() {
        let mut phase = Phase::begin(None);
        assert_eq!(phase.words(), "running, 00:00");
        assert_eq!(phase.event(&Event::RampUpBegins { seconds: Some(60.0) }), Some(Part::RampUp));
        assert_eq!(phase.words(), "ramp-up, 01:00 left");
        assert_eq!(phase.event(&Event::MeasuringBegins), Some(Part::Measure));
        assert_eq!(phase.length(), None);
        assert_eq!(phase.event(&Event::MeasuringLasts(120.0)), None);
        assert_eq!(phase.words(), "measure, 02:00 left");
        assert_eq!(phase.event(&Event::MeasuringEnds), Some(Part::After));
        // A second end is none.
        assert_eq!(phase.event(&Event::MeasuringEnds), None);
    }

    #[test]
    fn a_command_that_says_how_long_it_takes_has_time_left() {
        let mut phase = Phase::begin(Some(3_725.0));
        assert_eq!(phase.words(), "running, 1:02:05 left");
        assert_eq!(phase.event(&Event::LoadBegins), Some(Part::Load));
        assert_eq!(phase.words(), "load, 1:02:05 left");
        assert_eq!(phase.event(&Event::MeasuringEnds), Some(Part::After));
    }
}
