//! A prediction with its interval: what the run does not tell is believed one way and the other, and what comes of it adds up.

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
    /// The same, of what there were.
    pub ratio: Range,
    /// A transaction's time without its client, ms.
    pub response_ms: Range,
    /// Mean time of a read, ms, its wait for its turn included.
    pub read_ms: Range,
    /// Of a write.
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

/// The middle of a [`Prediction`], which costs a tenth of it: what a search asks a hundred times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// Throughput, of what it was.
    pub ratio: f64,
    /// Mean time of a read, ms.
    pub read_ms: f64,
    /// Of a write.
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

/// By how much reads per transaction differ from one run of a workload to another: the page cache holds now more, now less.
/// Recorded: 1.37 to 1.68 a transaction over 24 runs of select-only.
const VISITS: f64 = 0.12;

/// Residual error of the model where everything about the volume is known, as a logarithm; covers nine in ten of the
/// back-test.
const REST: f64 = 0.17;

/// Sessions that wait for their client most of the time ask at the client's pace, not at the volume's.
const PACED: f64 = 0.5;

/// Between these shares of waiting for the client, either may be so.
const EITHER: std::ops::Range<f64> = 0.2..0.95;

/// Predicts the performance of `observed` on `target`, with intervals.
pub fn predict(observed: &Observed, target: &Target) -> Prediction {
    let case = Case { observed, target, anchor: anchor(observed) };
    let setting = case.setting(Assumptions::default(), |latency| latency.middle_s);
    let paced = observed.client_share() > PACED;
    let state = case.state(&setting, paced);
    let spread = case.spread(&setting, &state, paced);
    let tps = Range::around(state.tps * case.anchor, spread);
    let queue_ms = state.queue_s * 1e3;
    let requests_s = state.reads * (setting.read_s + state.queue_s) + state.writes * (setting.write_s + state.queue_s);
    Prediction {
        tps,
        ratio: tps.times(1.0 / observed.tps),
        response_ms: response(&state, tps, paced, spread),
        read_ms: waited(target.read.plus(target.added_s), queue_ms, spread),
        write_ms: waited(target.write.plus(target.added_s), queue_ms, spread),
        active_sessions: state.tps * state.response_s,
        in_flight: state.tps * case.anchor * requests_s,
        iops: state.iops * case.anchor,
        mibps: state.bytes * case.anchor / MIB as f64,
        utilization: state.utilization.map(|busy| busy.min(1.0)),
        bound_by: bound_by(&state, target),
        paced,
        source: target.source,
    }
}

/// Predicts the performance of `observed` on `target`, without an interval.
pub fn expect(observed: &Observed, target: &Target) -> Expected {
    let case = Case { observed, target, anchor: anchor(observed) };
    let paced = observed.client_share() > PACED;
    let state = case.state(&case.setting(Assumptions::default(), |latency| latency.middle_s), paced);
    let waited_ms = |service: Latency| (service.middle_s + target.added_s + state.queue_s) * 1e3;
    Expected {
        ratio: state.tps * case.anchor / observed.tps,
        read_ms: waited_ms(target.read),
        write_ms: waited_ms(target.write),
        iops: state.iops * case.anchor,
        mibps: state.bytes * case.anchor / MIB as f64,
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

struct Case<'a> {
    observed: &'a Observed,
    target: &'a Target,
    anchor: f64,
}

/// Measured throughput divided by that of the model for the run's own volume: a factor that corrects for effects outside of
/// the model. One where the volume was at its limit, since the run then shows the limit and no service times.
fn anchor(observed: &Observed) -> f64 {
    if observed.limited.is_some() || observed.client_share() > PACED {
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

impl Case<'_> {
    fn setting(&self, assumptions: Assumptions, service: impl Fn(Latency) -> f64) -> Setting {
        // What the anchor then makes of it is the limit.
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
    fn spread(&self, setting: &Setting, state: &State, at_own_pace: bool) -> (f64, f64) {
        let (mut down, mut up) = (REST * REST, REST * REST);
        let mut doubt = |settings: &[Setting], at_own_pace: bool| {
            let logs = settings.iter().map(|setting| (self.state(setting, at_own_pace).tps / state.tps).ln());
            let (low, high) = logs.fold((0.0_f64, 0.0_f64), |(low, high), log| (low.min(log), high.max(log)));
            down += low * low;
            up += high * high;
        };
        for pair in self.assumptions() {
            doubt(&pair.map(|assumptions| Setting { assumptions, ..*setting }), at_own_pace);
        }
        let assumptions = Assumptions::default();
        doubt(
            &[self.setting(assumptions, |latency| latency.low_s), self.setting(assumptions, |latency| latency.high_s)],
            at_own_pace,
        );
        if EITHER.contains(&self.observed.client_share()) {
            doubt(std::slice::from_ref(setting), !at_own_pace);
        }
        (down.sqrt(), up.sqrt())
    }

    /// Each thing that is believed, at its least and at its most.
    fn assumptions(&self) -> Vec<[Assumptions; 2]> {
        let (assumptions, seen) = (Assumptions::default(), self.observed);
        let pages = |pages: f64| if seen.page_writes > 0.0 { pages / seen.page_writes } else { 1.0 };
        let mut doubts = vec![
            [
                Assumptions { cold_cache_s: 0.0, ..assumptions },
                Assumptions { cold_cache_s: 2.0 * COLD_CACHE_S, ..assumptions },
            ],
            [Assumptions { visits: 1.0 + VISITS, ..assumptions }, Assumptions { visits: 1.0 - VISITS, ..assumptions }],
        ];
        if seen.others_cpu_s > 0.0 {
            doubts.push([
                Assumptions { others_follow: 1.0, ..assumptions },
                Assumptions { others_follow: 0.0, ..assumptions },
            ]);
        }
        if flush_of(seen, 1.0) > 0.0 && seen.commit.visits > 0.0 {
            doubts.push([
                Assumptions { flush_turns: 2.5, ..assumptions },
                Assumptions { flush_turns: 1.0, ..assumptions },
            ]);
        }
        if seen.page_writes_high > seen.page_writes_low {
            let at = |count: f64| Assumptions { page_writes: pages(count), ..assumptions };
            doubts.push([at(seen.page_writes_high), at(seen.page_writes_low)]);
        }
        if seen.lock_s > 0.0 && self.target.sessions.is_some_and(|sessions| sessions != seen.sessions) {
            doubts.push([assumptions, Assumptions { locks_grow: false, ..assumptions }]);
        }
        doubts
    }
}

/// Time without the client: what a fixed number of sessions takes is the inverse of what they do.
fn response(state: &State, tps: Range, paced: bool, spread: (f64, f64)) -> Range {
    let ms = state.response_s * 1e3;
    match paced {
        true => Range::around(ms, (spread.1, spread.0)),
        false => tps.inverse().times(ms * tps.middle),
    }
}

/// Service time and wait; the wait is as doubtful as the throughput.
fn waited(service: Latency, queue_ms: f64, (down, up): (f64, f64)) -> Range {
    let queue = Range::around(queue_ms, (up, down));
    Range {
        low: service.low_s * 1e3 + queue.low,
        middle: service.middle_s * 1e3 + queue.middle,
        high: service.high_s * 1e3 + queue.high,
    }
}
