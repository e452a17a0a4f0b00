//! A prediction with its interval: each assumption is varied to its least and its most, and the effects are added.

use super::equilibrium::{equilibrium, paced};
use super::limiting_factor::LimitingFactor;
use super::load::flush_of;
use super::observed::Observed;
use super::processor::COLD_CACHE_S;
use super::setting::{Assumptions, Setting, State};
use super::target::{Latency, Limits, Source, Target};
use ebs_base::range::Range;
use ebs_base::units::MIB;

/// Predicted throughput, latency and load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Transactions a second.
    pub tps: Range,
    /// Throughput as a multiple of that in the run.
    pub ratio: Range,
    /// Response time of a transaction without its client, ms.
    pub response_ms: Range,
    /// Mean latency of a read, ms, queueing included.
    pub read_ms: Range,
    /// Mean latency of a write, ms.
    pub write_ms: Range,
    /// Sessions at work on average.
    pub active_sessions: f64,
    /// Requests in flight on average.
    pub in_flight: f64,
    /// Requests a second.
    pub iops: f64,
    /// MiB a second.
    pub mibps: f64,
    /// CPU utilization, 0 to 1; `None` where it is not known.
    pub utilization: Option<f64>,
    /// The predicted limiting factor.
    pub bound_by: LimitingFactor,
    /// True if clients are assumed to send at their own pace, independent of the response time.
    pub paced: bool,
    /// Origin of the service times.
    pub source: Source,
}

/// The middle of a [`Prediction`], at a tenth of its cost: a search evaluates hundreds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// Throughput as a multiple of that in the run.
    pub ratio: f64,
    /// Mean latency of a read, ms.
    pub read_ms: f64,
    /// Mean latency of a write, ms.
    pub write_ms: f64,
    /// Requests a second.
    pub iops: f64,
    /// MiB a second.
    pub mibps: f64,
    /// The predicted limiting factor.
    pub bound_by: LimitingFactor,
    /// True if clients are assumed to send at their own pace.
    pub paced: bool,
}

/// Relative spread of the reads per transaction among runs of one workload: the page cache differs.
/// Recorded: 1.37 to 1.68 a transaction over 24 runs of select-only.
const VISIT_SPREAD: f64 = 0.12;

/// Residual error of the model where everything about the volume is known, as a logarithm; covers nine in ten of the
/// back-test.
const RESIDUAL_SPREAD: f64 = 0.17;

/// Share of client waits above which sessions send at the client's pace, not at the volume's.
const CLIENT_BOUND: f64 = 0.5;

/// Shares of client waits at which either may hold.
const AMBIGUOUS: std::ops::Range<f64> = 0.2..0.95;

/// Predicts the performance of `observed` on `target`, with intervals.
pub fn predict(observed: &Observed, target: &Target) -> Prediction {
    let scenario = Scenario { observed, target, anchor: anchor(observed) };
    let setting = scenario.setting(Assumptions::default(), |latency| latency.middle_s);
    let paced = observed.client_share() > CLIENT_BOUND;
    let state = scenario.state(&setting, paced);
    let is_ambiguous = AMBIGUOUS.contains(&observed.client_share());
    let spread = scenario.spread(&setting, &state, paced, is_ambiguous);
    let tps = Range::around(state.tps * scenario.anchor, spread);
    let queue_ms = state.queue_s * 1e3;
    let requests_s = state.reads * (setting.read_s + state.queue_s) + state.writes * (setting.write_s + state.queue_s);
    Prediction {
        tps,
        ratio: tps.times(1.0 / observed.tps),
        response_ms: response(&state, tps, paced, spread),
        read_ms: waited(target.read.plus(target.added_s), queue_ms, spread),
        write_ms: waited(target.write.plus(target.added_s), queue_ms, spread),
        active_sessions: state.tps * state.response_s,
        in_flight: state.tps * scenario.anchor * requests_s,
        iops: state.iops * scenario.anchor,
        mibps: state.bytes * scenario.anchor / MIB as f64,
        utilization: state.utilization.map(|busy| busy.min(1.0)),
        bound_by: bound_by(&state, target),
        paced,
        source: target.source,
    }
}

/// Upper end of the interval of the throughput on `target`, relative to that of the run, as if the loop was closed: each session
/// keeps its think time, and sends its next request no earlier.
pub fn closed_loop_ratio_high(observed: &Observed, target: &Target) -> f64 {
    let scenario = Scenario { observed, target, anchor: anchor(observed) };
    let setting = scenario.setting(Assumptions::default(), |latency| latency.middle_s);
    let state = scenario.state(&setting, false);
    let spread = scenario.spread(&setting, &state, false, false);
    Range::around(state.tps * scenario.anchor / observed.tps, spread).high
}

/// Predicts the performance of `observed` on `target`, without an interval.
pub fn expect(observed: &Observed, target: &Target) -> Expected {
    let scenario = Scenario { observed, target, anchor: anchor(observed) };
    let paced = observed.client_share() > CLIENT_BOUND;
    let state = scenario.state(&scenario.setting(Assumptions::default(), |latency| latency.middle_s), paced);
    let waited_ms = |service: Latency| (service.middle_s + target.added_s + state.queue_s) * 1e3;
    Expected {
        ratio: state.tps * scenario.anchor / observed.tps,
        read_ms: waited_ms(target.read),
        write_ms: waited_ms(target.write),
        iops: state.iops * scenario.anchor,
        mibps: state.bytes * scenario.anchor / MIB as f64,
        bound_by: bound_by(&state, target),
        paced,
    }
}

fn bound_by(state: &State, target: &Target) -> LimitingFactor {
    if state.at_own_pace && state.queue_s == 0.0 {
        LimitingFactor::Client
    } else {
        LimitingFactor::from_state(state, target)
    }
}

struct Scenario<'a> {
    observed: &'a Observed,
    target: &'a Target,
    anchor: f64,
}

/// Measured throughput divided by that of the model for the run's own volume: a factor that corrects for effects outside of
/// the model. One where the volume was at its limit, since the run then shows the limit and no service times.
fn anchor(observed: &Observed) -> f64 {
    if observed.limited.is_some() || observed.client_share() > CLIENT_BOUND {
        return 1.0;
    }
    let own = Setting {
        read_s: observed.read_await_s,
        write_s: observed.flush_s / flush_of(observed, 1.0),
        limits: Limits::default(),
        sessions: observed.sessions,
        client_waits: true,
        assumptions: Assumptions::default(),
    };
    (observed.tps / equilibrium(observed, &own).tps).clamp(0.8, 1.25)
}

impl Scenario<'_> {
    fn setting(&self, assumptions: Assumptions, service: impl Fn(Latency) -> f64) -> Setting {
        // Multiplied by the anchor afterwards.
        let least =
            |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::min).map(|limit| limit / self.anchor);
        let (volume, instance) = (self.target.volume, self.target.instance);
        Setting {
            read_s: service(self.target.read) + self.target.added_s,
            write_s: service(self.target.write) + self.target.added_s,
            limits: Limits { iops: least(volume.iops, instance.iops), bytes: least(volume.bytes, instance.bytes) },
            sessions: self.target.sessions.unwrap_or(self.observed.sessions),
            client_waits: true,
            assumptions,
        }
    }

    fn state(&self, setting: &Setting, at_own_pace: bool) -> State {
        match at_own_pace {
            true => paced(self.observed, setting, self.observed.tps * setting.sessions / self.observed.sessions),
            false => equilibrium(self.observed, setting),
        }
    }

    /// Distance to the lower and the upper bound, as logarithms: independent uncertainties, added in quadrature.
    fn spread(&self, setting: &Setting, state: &State, at_own_pace: bool, is_ambiguous: bool) -> (f64, f64) {
        let (mut down, mut up) = (RESIDUAL_SPREAD * RESIDUAL_SPREAD, RESIDUAL_SPREAD * RESIDUAL_SPREAD);
        let mut add = |settings: &[Setting], at_own_pace: bool| {
            let logs = settings.iter().map(|setting| (self.state(setting, at_own_pace).tps / state.tps).ln());
            let (low, high) = logs.fold((0.0_f64, 0.0_f64), |(low, high), log| (low.min(log), high.max(log)));
            down += low * low;
            up += high * high;
        };
        for pair in self.assumptions() {
            add(&pair.map(|assumptions| Setting { assumptions, ..*setting }), at_own_pace);
        }
        let assumptions = Assumptions::default();
        add(
            &[self.setting(assumptions, |latency| latency.low_s), self.setting(assumptions, |latency| latency.high_s)],
            at_own_pace,
        );
        if is_ambiguous {
            add(std::slice::from_ref(setting), !at_own_pace);
        }
        (down.sqrt(), up.sqrt())
    }

    /// Each assumption at its least and at its most.
    fn assumptions(&self) -> Vec<[Assumptions; 2]> {
        let (assumptions, run) = (Assumptions::default(), self.observed);
        let pages = |pages: f64| if run.page_writes > 0.0 { pages / run.page_writes } else { 1.0 };
        let mut pairs = vec![
            [
                Assumptions { cold_cache_s: 0.0, ..assumptions },
                Assumptions { cold_cache_s: 2.0 * COLD_CACHE_S, ..assumptions },
            ],
            [
                Assumptions { visits: 1.0 + VISIT_SPREAD, ..assumptions },
                Assumptions { visits: 1.0 - VISIT_SPREAD, ..assumptions },
            ],
        ];
        if run.others_cpu_s > 0.0 {
            pairs.push([
                Assumptions { others_follow: 1.0, ..assumptions },
                Assumptions { others_follow: 0.0, ..assumptions },
            ]);
        }
        if flush_of(run, 1.0) > 0.0 && run.commit.visits > 0.0 {
            pairs.push([
                Assumptions { flush_turns: 2.5, ..assumptions },
                Assumptions { flush_turns: 1.0, ..assumptions },
            ]);
        }
        if run.page_writes_high > run.page_writes_low {
            let at = |count: f64| Assumptions { page_writes: pages(count), ..assumptions };
            pairs.push([at(run.page_writes_high), at(run.page_writes_low)]);
        }
        if run.lock_s > 0.0 && self.target.sessions.is_some_and(|sessions| sessions != run.sessions) {
            pairs.push([assumptions, Assumptions { locks_grow: false, ..assumptions }]);
        }
        pairs
    }
}

/// Response time without the client: for a fixed number of sessions the inverse of the throughput.
fn response(state: &State, tps: Range, paced: bool, spread: (f64, f64)) -> Range {
    let ms = state.response_s * 1e3;
    match paced {
        true => Range::around(ms, (spread.1, spread.0)),
        false => tps.inverse().times(ms * tps.middle),
    }
}

/// Service time and wait; the wait has the relative uncertainty of the throughput.
fn waited(service: Latency, queue_ms: f64, (down, up): (f64, f64)) -> Range {
    let queue = Range::around(queue_ms, (up, down));
    Range {
        low: service.low_s * 1e3 + queue.low,
        middle: service.middle_s * 1e3 + queue.middle,
        high: service.high_s * 1e3 + queue.high,
    }
}
