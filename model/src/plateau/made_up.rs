//! Runs made up, second by second: at a limit, and like it.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use crate::demand::{Demand, Interval};
use crate::evidence::DeviceCounts;

/// A source of runs.
pub struct Maker {
    random: Pcg64,
}

/// What a second had.
#[derive(Clone, Copy, Debug)]
pub struct Had {
    /// Requests.
    pub requests: f64,
    /// Mean latency of a request, ms.
    pub latency_ms: f64,
}

/// A limited run and what is true of it.
pub struct Truth {
    /// What is seen.
    pub demand: Demand,
    /// Share of seconds in which requests queued for the limit.
    pub queued: f64,
    /// Latency of those that queued, times that of those that do not.
    pub stretch: f64,
    /// Requests there would have been without the limit.
    pub wanted: f64,
    /// What a session spends between two requests, seconds.
    pub cpu_s: f64,
}

impl Maker {
    pub fn new(seed: u64) -> Maker {
        Maker { random: Pcg64::seed_from_u64(seed) }
    }

    /// Between 0 and 1.
    fn share(&mut self) -> f64 {
        (self.random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    pub fn one_of<const N: usize>(&mut self, of: [f64; N]) -> f64 {
        of[(self.share() * N as f64) as usize]
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.share()).ln()).sqrt() * (std::f64::consts::TAU * self.share()).cos()
    }

    /// Around one, with this deviation.
    fn noise(&mut self, deviation: f64) -> f64 {
        (deviation * self.normal()).exp()
    }

    /// Requests that come at random.
    fn poisson(&mut self, mean: f64) -> f64 {
        (mean + mean.sqrt() * self.normal()).round().max(0.0)
    }

    /// Deviations that last for some seconds.
    fn wander(&mut self, seconds: usize, deviation: f64) -> Vec<f64> {
        let mut at = self.normal();
        (0..seconds)
            .map(|_| {
                at = 0.9 * at + (1.0f64 - 0.81).sqrt() * self.normal();
                (deviation * at).exp()
            })
            .collect()
    }

    fn length(&mut self) -> usize {
        self.between(120.0, 900.0) as usize
    }

    /// A demand of these seconds, in requests of so many bytes.
    pub fn demand(&mut self, bytes: f64, seconds: impl IntoIterator<Item = Had>) -> Demand {
        let interval = |had: Had| {
            // Clocks are read a moment too late now and then.
            let seconds = 1.0 + 0.0005 * self.normal();
            let requests = (had.requests * seconds).round().max(0.0) as u64;
            let (reads, ms) = (requests * 7 / 10, (requests as f64 * had.latency_ms).round() as u64);
            let counts = DeviceCounts {
                reads,
                writes: requests - reads,
                read_bytes: (reads as f64 * bytes) as u64,
                write_bytes: ((requests - reads) as f64 * bytes) as u64,
                read_ms: ms * 7 / 10,
                write_ms: ms - ms * 7 / 10,
                busy_ms: 0,
                weighted_ms: ms,
            };
            Interval { ended_us: 0, seconds, counts }
        };
        Demand {
            timed: true,
            averaged_s: 1.0,
            intervals: seconds.into_iter().map(interval).collect(),
            ..Demand::default()
        }
    }

    fn base_ms(&mut self) -> f64 {
        self.between(0.3, 1.7)
    }

    /// Exactly, or nearly, so many each second, at the volume's latency.
    pub fn round_number(&mut self) -> Demand {
        let (rate, base) = (self.one_of([500.0, 1e3, 2e3, 3e3, 5e3, 16e3]), self.base_ms());
        let uneven = self.one_of([0.0, 0.001, 0.01]);
        let seconds: Vec<Had> = (0..self.length())
            .map(|_| Had { requests: rate * self.noise(uneven), latency_ms: base * self.noise(0.05) })
            .collect();
        self.demand(8192.0, seconds)
    }

    /// At random around a rate that a driver sets.
    pub fn fixed_rate(&mut self) -> Demand {
        let (rate, base) = (self.between(100.0, 16e3), self.base_ms());
        let seconds: Vec<Had> = (0..self.length())
            .map(|_| Had { requests: self.poisson(rate), latency_ms: base * self.noise(0.1) })
            .collect();
        self.demand(8192.0, seconds)
    }

    /// Busy computing: few requests in flight, at the volume's latency, at a rate as even as CPUs are.
    pub fn cpu_bound(&mut self) -> Demand {
        let (rate, base) = (self.between(50.0, 4e3), self.base_ms());
        let (length, uneven) = (self.length(), self.between(0.005, 0.05));
        let wander = self.wander(length, uneven);
        let seconds: Vec<Had> = wander
            .into_iter()
            .map(|of| Had { requests: self.poisson(rate * of), latency_ms: base * self.noise(0.05) })
            .collect();
        self.demand(8192.0, seconds)
    }

    /// The same with so many sessions, half of the time, that requests wait for a CPU as well.
    pub fn waiting_for_cpus(&mut self) -> Demand {
        let (rate, base) = (self.between(500.0, 8e3), self.base_ms());
        let (length, uneven) = (self.length(), self.between(0.01, 0.05));
        let wander = self.wander(length, uneven);
        let seconds: Vec<Had> = (0..)
            .zip(wander)
            .map(|(second, of)| match second % 120 < 60 {
                true => Had { requests: rate * of, latency_ms: 3.0 * base / of * self.noise(0.01) },
                false => Had { requests: 0.5 * rate * of, latency_ms: base },
            })
            .collect();
        self.demand(8192.0, seconds)
    }

    /// Sessions that wait for each answer, on a volume that may be slow: its latency makes the rate.
    pub fn sessions_that_wait(&mut self, sessions: f64) -> Demand {
        let (base, cpu) = (self.between(0.3, 10.0), self.between(0.05, 0.5));
        let (length, uneven) = (self.length(), self.between(0.005, 0.05));
        let wander = self.wander(length, uneven);
        let seconds: Vec<Had> = wander
            .into_iter()
            .map(|of| {
                let latency_ms = base * self.noise(0.01);
                Had { requests: 1e3 * sessions / (latency_ms + cpu * of), latency_ms }
            })
            .collect();
        self.demand(8192.0, seconds)
    }

    /// Bursts, as of any database.
    pub fn bursts(&mut self) -> Demand {
        let (rate, base, length) = (self.between(50.0, 8e3), self.base_ms(), self.length());
        let deviation = self.between(0.1, 1.0);
        let wander = self.wander(length, deviation);
        let seconds: Vec<Had> = wander
            .into_iter()
            .map(|of| Had { requests: self.poisson(rate * of), latency_ms: base * of.sqrt().max(1.0) })
            .collect();
        self.demand(8192.0, seconds)
    }

    /// As many sessions as there are, some or all of the time more than the limit carries.
    pub fn limited_sessions(&mut self, cap: f64) -> Truth {
        let (base_s, cpu_s) = (self.base_ms() / 1e3, self.between(0.05, 1.0) / 1e3);
        let full = cap * (base_s + cpu_s);
        let (length, uneven) = (self.length(), self.between(0.02, 0.8));
        // With fewer than three times the published latency in all seconds nobody could tell it from a slow volume.
        let most = (full * self.between(0.8, 8.0)).max(2.0).max(if uneven < 0.3 { 3.5e-3 * cap } else { 0.0 });
        let sessions = self.wander(length, uneven);
        let (mut queued, mut all) = (Vec::new(), 0.0);
        let seconds: Vec<Had> = sessions
            .into_iter()
            .map(|of| {
                let sessions = (most * of).max(1.0) * self.noise(0.02);
                let wanted = sessions / (base_s + cpu_s);
                all += wanted;
                let limit = cap * self.noise(0.003);
                let requests = wanted.min(limit);
                let latency_s = (sessions / requests - cpu_s).max(base_s);
                queued.extend((wanted > limit).then_some(latency_s / base_s));
                Had { requests, latency_ms: 1e3 * latency_s }
            })
            .collect();
        self.truth(seconds, &queued, all, cpu_s)
    }

    /// Requests that come whatever happens; what the limit does not let pass waits.
    pub fn limited_arrivals(&mut self, cap: f64) -> Truth {
        let (base_s, length) = (self.base_ms() / 1e3, self.length());
        let (mean, deviation) = (cap * self.between(0.6, 0.95), self.between(0.2, 0.6));
        let arrivals = self.wander(length, deviation);
        let (mut backlog, mut queued) = (0.0_f64, Vec::new());
        let seconds: Vec<Had> = arrivals
            .into_iter()
            .map(|of| {
                let (come, limit) = (self.poisson(mean * of), cap * self.noise(0.003));
                let requests = (backlog + come).min(limit);
                let before = backlog;
                backlog = backlog + come - requests;
                let latency_s = base_s + (before + backlog) / 2.0 / cap;
                queued.extend((backlog > 0.0).then_some(latency_s / base_s));
                Had { requests, latency_ms: 1e3 * latency_s }
            })
            .collect();
        let all = seconds.iter().map(|had| had.requests).sum();
        self.truth(seconds, &queued, all, 0.0)
    }

    fn truth(&mut self, seconds: Vec<Had>, queued: &[f64], wanted: f64, cpu_s: f64) -> Truth {
        let length = seconds.len() as f64;
        Truth {
            demand: self.demand(8192.0, seconds),
            queued: queued.len() as f64 / length,
            stretch: queued.iter().sum::<f64>() / queued.len().max(1) as f64,
            wanted,
            cpu_s,
        }
    }
}
