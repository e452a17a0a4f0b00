//! How late answers were, and whether a measurement may rest on them.

use super::ServiceTime;

/// The histogram's bins: each microsecond below 64, then 16 to an octave, so that a percentile is off by 6 % at most.
const FINE: u64 = 64;
const PER_OCTAVE: u64 = 16;
const BINS: usize = (FINE + PER_OCTAVE * 32) as usize;

/// What no volume's latency is so short as to notice: about what the way to the emulator and back takes, and ten times that.
const MEAN_FLOOR_US: f64 = 50.0;
const P99_FLOOR_US: f64 = 500.0;
/// What of the shorter mean time of service lateness may be: on average as much as the latency is promised to be off at most
/// (10 %), and of one answer in a hundred as long as it should have taken, which a burst of large writes costs those behind it.
const MEAN_SHARE: f64 = 0.1;
const P99_SHARE: f64 = 1.0;
/// The way to the emulator may be as much longer than what is taken off for it: half of the time of service, since what is
/// measured beside it (await) shows it, or a few changes of the CPU.
const WAY_FLOOR_US: f64 = 200.0;
const WAY_SHARE: f64 = 0.5;
/// Above this the one thread that answers has no rest left, and requests wait where it cannot see them.
const BUSY_MOST: f64 = 0.9;

/// Lateness of answers, since the last reset.
#[derive(Clone, Debug)]
pub struct Punctuality {
    bins: Vec<u64>,
    answers: u64,
    sum_ns: u64,
    max_ns: u64,
    busy_ns: u64,
    began_ns: u64,
}

/// Whether the emulator kept up, and by which figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Answers looked at.
    pub answers: u64,
    /// Share of them that were later than `allowed_mean_us`.
    pub late_share: f64,
    /// Mean lateness, µs.
    pub mean_us: f64,
    /// 99th percentile, µs, rounded up to the end of its bin.
    pub p99_us: f64,
    /// The latest, µs.
    pub max_us: f64,
    /// Share of the time in which the thread that answers had work.
    pub busy_share: f64,
    /// The most that the mean may be, µs.
    pub allowed_mean_us: f64,
    /// The most that the 99th percentile may be, µs.
    pub allowed_p99_us: f64,
    /// The most that the way there and back may be longer than what is taken off for it, on average, µs.
    pub allowed_way_us: f64,
}

impl Punctuality {
    /// Nothing was answered since `now_ns`.
    pub fn new(now_ns: u64) -> Punctuality {
        Punctuality { bins: vec![0; BINS], answers: 0, sum_ns: 0, max_ns: 0, busy_ns: 0, began_ns: now_ns }
    }

    /// An answer went out.
    pub fn answered(&mut self, due_ns: u64, answered_ns: u64) {
        let late_ns = answered_ns.saturating_sub(due_ns);
        self.bins[bin(late_ns / 1_000)] += 1;
        self.answers += 1;
        self.sum_ns += late_ns;
        self.max_ns = self.max_ns.max(late_ns);
    }

    /// The thread had work for so long.
    pub fn worked(&mut self, ns: u64) {
        self.busy_ns += ns;
    }

    /// What it comes to, for these times of service.
    pub fn verdict(&self, service: &ServiceTime, now_ns: u64) -> Verdict {
        let shortest_us = service.read_ms.min(service.write_ms) * 1e3;
        let allowed_mean_us = (MEAN_SHARE * shortest_us).max(MEAN_FLOOR_US);
        let later: u64 = self.bins[bin(allowed_mean_us as u64) + 1..].iter().sum();
        let of_answers = |sum: f64| if self.answers > 0 { sum / self.answers as f64 } else { 0.0 };
        let elapsed_ns = now_ns.saturating_sub(self.began_ns).max(1);
        Verdict {
            answers: self.answers,
            late_share: of_answers(later as f64),
            mean_us: of_answers(self.sum_ns as f64 / 1e3),
            p99_us: self.percentile(0.99),
            max_us: self.max_ns as f64 / 1e3,
            busy_share: self.busy_ns as f64 / elapsed_ns as f64,
            allowed_mean_us,
            allowed_p99_us: (P99_SHARE * shortest_us).max(P99_FLOOR_US),
            allowed_way_us: (WAY_SHARE * shortest_us).max(WAY_FLOOR_US),
        }
    }

    fn percentile(&self, share: f64) -> f64 {
        let rank = (share * self.answers as f64).ceil() as u64;
        let mut seen = 0;
        let found = self.bins.iter().position(|count| {
            seen += count;
            seen >= rank.max(1)
        });
        found.map_or(0.0, |bin| end_us(bin) as f64)
    }
}

impl Verdict {
    /// Why measurements made in this time are no evidence of the volume; `None` if they are. `way_us` is how much longer the way
    /// to the emulator and back was than what is taken off for it, where that is known.
    pub fn fault(&self, way_us: Option<f64>) -> Option<String> {
        let beyond = |what: &str, us: f64, allowed: f64| {
            (us > allowed).then(|| format!("{what} lateness {us:.0} µs is above {allowed:.0} µs"))
        };
        beyond("mean", self.mean_us, self.allowed_mean_us)
            .or_else(|| beyond("99th percentile of", self.p99_us, self.allowed_p99_us))
            .or_else(|| {
                let beyond = way_us.filter(|us| *us > self.allowed_way_us)?;
                Some(format!(
                    "requests took {beyond:.0} µs more on their way than is taken off, above {:.0}",
                    self.allowed_way_us
                ))
            })
            .or_else(|| {
                let busy = format!("the serving thread was busy {:.0} % of the time", 100.0 * self.busy_share);
                (self.busy_share > BUSY_MOST).then_some(busy)
            })
    }
}

fn bin(us: u64) -> usize {
    if us < FINE {
        return us as usize;
    }
    let octave = us.ilog2() - FINE.ilog2();
    let within = (us >> (octave + FINE.ilog2() - PER_OCTAVE.ilog2())) - PER_OCTAVE;
    ((FINE + u64::from(octave) * PER_OCTAVE + within) as usize).min(BINS - 2)
}

fn end_us(bin: usize) -> u64 {
    let bin = bin as u64;
    if bin < FINE {
        return bin + 1;
    }
    let (octave, within) = ((bin - FINE) / PER_OCTAVE, (bin - FINE) % PER_OCTAVE);
    (PER_OCTAVE + within + 1) << (octave + u64::from(FINE.ilog2() - PER_OCTAVE.ilog2()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVICE: ServiceTime = ServiceTime { read_ms: 1.0, write_ms: 0.5, sigma: 0.2 };

    fn after(late_us: impl IntoIterator<Item = u64>) -> Verdict {
        let mut punctuality = Punctuality::new(0);
        late_us.into_iter().for_each(|us| punctuality.answered(1_000, 1_000 + us * 1_000));
        punctuality.verdict(&SERVICE, 1_000_000_000)
    }

    #[test]
    fn each_bin_ends_where_the_next_begins() {
        for us in (0..3_000).chain([1 << 20, 1 << 30, (1 << 35) + 7]) {
            let end = end_us(bin(us));
            assert!(us < end && end as f64 <= (us + 1) as f64 * 1.0625 + 1.0, "{us}: {end}");
            assert_eq!(bin(end), bin(us) + 1, "{us}");
        }
    }

    #[test]
    fn punctual_answers_are_evidence_and_late_ones_are_not() {
        let good = after((0..1_000).map(|n| n % 20));
        assert_eq!((good.fault(None), good.p99_us, good.late_share), (None, 20.0, 0.0));
        assert_eq!(good.mean_us, 9.5);
        let mean = after((0..1_000).map(|_| 60)).fault(None).unwrap();
        assert_eq!(mean, "mean lateness 60 µs is above 50 µs");
        let tail = after((0..1_000).map(|n| if n < 980 { 1 } else { 1_000 })).fault(Some(0.0)).unwrap();
        assert!(tail.starts_with("99th percentile of lateness 1"), "{tail}");
    }

    #[test]
    fn a_way_half_as_long_again_as_the_service_is_no_evidence() {
        let way = |us| after([1]).fault(Some(us));
        assert_eq!((way(-20.0), way(250.0)), (None, None));
        assert!(way(251.0).unwrap().starts_with("requests took 251 µs more on their way"));
    }

    #[test]
    fn a_thread_without_rest_is_no_evidence() {
        let mut punctuality = Punctuality::new(0);
        punctuality.worked(95);
        assert!(punctuality.verdict(&SERVICE, 100).fault(None).unwrap().contains("busy 95 %"));
        assert_eq!(punctuality.verdict(&SERVICE, 200).fault(None), None);
    }

    #[test]
    fn without_answers_nothing_was_late() {
        let none = after([]);
        assert_eq!((none.mean_us, none.p99_us, none.late_share, none.fault(None)), (0.0, 0.0, 0.0, None));
    }
}
