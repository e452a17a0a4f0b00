//! A prediction with its interval: each assumption is varied to its least and its most, and the effects are added.

use super::equilibrium::{equilibrium, paced};
use super::extrapolation::{CPU_SPREAD, Extrapolation};
use super::io_workers::IoWorkersNeed;
use super::limiting_factor::{BORDER, limiting_factor};
use super::load::{Load, flush_of};
use super::observed::Observed;
use super::pace::{ambiguity, closed_weight};
use super::prediction::{Expected, Prediction, WalPrediction, waited};
use super::processor::{COLD_CACHE_S, IDLE_CPUS};
use super::root::crossing;
use super::setting::{Assumptions, Queues, Setting, State, WalLimits};
use super::target::{Latency, Limits, Target, WalTarget};
use super::without_waits;
use crate::BindingLimit;
use ebs_base::range::Range;
use ebs_base::units::MIB;

/// Largest throughput that is searched for, as a multiple of the predicted one.
const MAX_RATIO: f64 = 1e3;

/// Predicts the performance of `observed` on `target`, with intervals.
pub fn predict(observed: &Observed, target: &Target) -> Prediction {
    if observed.without_waits {
        return without_waits::predict(observed, target);
    }
    let scenario = Scenario::new(observed, target);
    let (setting, weight) = (scenario.middle(), scenario.closed_weight());
    let state = scenario.state(&setting, weight);
    let Spread { tps: spread, response } = scenario.spread(&setting, &state, weight);
    let tps = Range::around(state.tps * scenario.anchor, spread);
    let response_ms = state.response_s * 1e3 / scenario.anchor;
    let Queues { data_s, wal_s } = scenario.queues(&state);
    let (read_s, write_s) = (setting.read_s + data_s, setting.write_s + data_s);
    let pages = state.writes - state.flushes;
    let requests_s = state.reads * read_s + pages * write_s + state.flushes * (setting.wal_write_s + wal_s);
    let (bound_by, also_bound_by) = scenario.limiting_factors(&setting, &state, weight);
    let all = state.rates.plus(state.wal_rates).times(scenario.anchor);
    Prediction {
        without_waits: false,
        tps,
        ratio: tps.times(1.0 / observed.tps),
        response_ms: match is_paced(weight) {
            true => Range::around(response_ms, response),
            false => tps.inverse().times(response_ms * tps.middle),
        },
        read_ms: waited(target.read.plus(target.added_s), data_s, spread),
        write_ms: waited(target.write.plus(target.added_s), data_s, spread),
        wal: target.wal.map(|wal| WalPrediction {
            iops: state.wal_rates.iops * scenario.anchor,
            mibps: state.wal_rates.bytes * scenario.anchor / MIB as f64,
            write_ms: waited(wal.write.plus(target.added_s), wal_s, spread),
        }),
        active_sessions: state.tps * state.response_s,
        in_flight: state.tps * scenario.anchor * requests_s,
        iops: all.iops,
        mibps: all.bytes / MIB as f64,
        utilization: state.utilization.map(|busy| busy.min(1.0)),
        io_workers: scenario.io_workers(&setting, &state),
        bound_by,
        also_bound_by,
        paced: is_paced(weight),
        source: target.source,
    }
}

/// Predicts the performance of `observed` on `target`, without an interval.
pub fn expect(observed: &Observed, target: &Target) -> Expected {
    if observed.without_waits {
        return without_waits::expect(observed, target);
    }
    let scenario = Scenario::new(observed, target);
    let weight = scenario.closed_weight();
    let state = scenario.state(&scenario.middle(), weight);
    let data_queue_s = scenario.queues(&state).data_s;
    let waited_ms = |service: Latency| (service.middle_s + target.added_s + data_queue_s) * 1e3;
    let all = state.rates.plus(state.wal_rates).times(scenario.anchor);
    Expected {
        ratio: state.tps * scenario.anchor / observed.tps,
        read_ms: waited_ms(target.read),
        write_ms: waited_ms(target.write),
        iops: all.iops,
        mibps: all.bytes / MIB as f64,
        wal: target.wal.map(|_| state.wal_rates.times(scenario.anchor)),
        bound_by: limiting_factor(&state, &scenario.anchored_target()).0,
        closed_weight: weight,
    }
}

/// Weight of a closed loop ([`closed_weight`]).
const CLOSED: f64 = 1.0;

/// Weight of the closed loop: of one that is known to be closed, or by the think time of the run, of which a share may be no such, as far as its
/// driver keeps no rate.
fn loop_weight(observed: &Observed, target: &Target, no_think_time: f64) -> f64 {
    let of_think_time = || closed_weight(observed.client_share() * (1.0 - no_think_time));
    if target.is_closed { CLOSED } else { observed.pace_doubt() * of_think_time() }
}

/// True where the loop is open.
fn is_paced(closed_weight: f64) -> bool {
    closed_weight <= 0.0
}

/// Distances to the lower and to the upper bound, as logarithms.
struct Spread {
    tps: (f64, f64),
    response: (f64, f64),
}

struct Scenario<'a> {
    observed: &'a Observed,
    target: &'a Target,
    anchor: f64,
}

/// Measured throughput divided by that of the model for the run's own volume: a factor that corrects for effects outside of
/// the model. One where the volume was at its limit, since the run then shows the limit and no service times; so much nearer to one as
/// the limit is likely. Its bounds are a choice: a run that differs by more is one that the model does not describe.
fn anchor(observed: &Observed, closed_weight: f64) -> f64 {
    let own_weight = 1.0 - observed.limit_weight;
    if own_weight <= 0.0 {
        return 1.0;
    }
    let write_s = observed.flush_s / flush_of(observed, 1.0);
    let own = Setting {
        read_s: observed.read_await_s,
        write_s: observed.write_await_s,
        wal_write_s: write_s,
        limits: Limits::default(),
        wal: None,
        more_volumes: 1.0,
        sessions: observed.sessions,
        client_waits: true,
        assumptions: Assumptions::default(),
    };
    let state = at_pace(observed, &own, closed_weight);
    (observed.tps / state.tps).clamp(0.8, 1.25).powf(own_weight)
}

/// The state where the loop is closed by this degree: the geometric mean of both throughputs.
fn at_pace(observed: &Observed, setting: &Setting, closed_weight: f64) -> State {
    if closed_weight >= CLOSED {
        return equilibrium(observed, setting);
    }
    let open = paced(observed, setting, observed.tps * setting.sessions / observed.sessions);
    if closed_weight <= 0.0 {
        return open;
    }
    let closed = equilibrium(observed, setting);
    paced(observed, setting, open.tps * (closed.tps / open.tps).powf(closed_weight))
}

impl Scenario<'_> {
    fn new<'a>(observed: &'a Observed, target: &'a Target) -> Scenario<'a> {
        Scenario { observed, target, anchor: anchor(observed, loop_weight(observed, target, 0.0)) }
    }

    fn closed_weight(&self) -> f64 {
        loop_weight(self.observed, self.target, 0.0)
    }

    fn middle(&self) -> Setting {
        self.setting(Assumptions::default(), |latency| latency.middle_s)
    }

    fn setting(&self, assumptions: Assumptions, service: impl Fn(Latency) -> f64) -> Setting {
        let Target { read, write, wal, added_s, .. } = *self.target;
        let Target { volume, instance, wal: wal_limits, .. } = self.anchored_target();
        Setting {
            read_s: service(read) + added_s,
            write_s: service(write) + added_s,
            wal_write_s: service(wal.map_or(write, |wal| wal.write)) + added_s,
            limits: if wal.is_some() { volume } else { volume.min(instance) },
            wal: wal_limits.map(|wal| WalLimits { volume: wal.volume, instance }),
            more_volumes: self.target.more_volumes,
            sessions: self.target.sessions.unwrap_or(self.observed.sessions),
            client_waits: true,
            assumptions,
        }
    }

    /// Queueing times at the throughput that is multiplied by the anchor: as many requests wait.
    fn queues(&self, state: &State) -> Queues {
        let Queues { data_s, wal_s } = state.queues;
        Queues { data_s: data_s / self.anchor, wal_s: wal_s / self.anchor }
    }

    /// The target with the limits of a throughput that is multiplied by the anchor afterwards.
    fn anchored_target(&self) -> Target {
        let each = |limits: Limits| limits.times(1.0 / self.anchor);
        let wal = self.target.wal.map(|wal| WalTarget { volume: each(wal.volume), ..wal });
        Target { volume: each(self.target.volume), instance: each(self.target.instance), wal, ..*self.target }
    }

    fn state(&self, setting: &Setting, closed_weight: f64) -> State {
        at_pace(self.observed, setting, closed_weight)
    }

    /// Distance to the lower and the upper bound, as logarithms: independent uncertainties, added in quadrature. The upper one is no
    /// more than the limits let through where transactions make the fewest requests that they may make.
    fn spread(&self, setting: &Setting, state: &State, closed_weight: f64) -> Spread {
        let extrapolation = self.extrapolation(setting, state);
        let residual = extrapolation.residual();
        let (mut tps, mut response) = ((residual, residual), (residual, residual));
        let widen = |sum: &mut (f64, f64), logs: &mut dyn Iterator<Item = f64>| {
            let (low, high) = logs.fold((0.0_f64, 0.0_f64), |(low, high), log| (low.min(log), high.max(log)));
            *sum = (sum.0 + low * low, sum.1 + high * high);
        };
        let mut add = |states: &[State], share: f64| {
            widen(&mut tps, &mut states.iter().map(|other| share * (other.tps / state.tps).ln()));
            widen(&mut response, &mut states.iter().map(|other| share * (other.response_s / state.response_s).ln()));
        };
        let with = |assumptions: Assumptions| {
            let no_think_time = self.observed.share_without_rivals(assumptions.rivals);
            let weight = loop_weight(self.observed, self.target, no_think_time);
            self.state(&Setting { assumptions, ..*setting }, weight)
        };
        for pair in self.assumptions(extrapolation.drift()) {
            add(&pair.map(with), 1.0);
        }
        let on =
            |service: fn(Latency) -> f64| self.state(&self.setting(Assumptions::default(), service), closed_weight);
        add(&[on(|latency| latency.low_s), on(|latency| latency.high_s)], 1.0);
        if let Some(delivered) = self.target.delivered {
            let target = Target { volume: self.target.volume.delivered(delivered), ..*self.target };
            let less = Scenario { observed: self.observed, target: &target, anchor: self.anchor };
            add(&[self.state(&less.middle(), closed_weight)], 1.0);
        }
        let doubt = self.observed.pace_doubt() * ambiguity(self.observed.client_share());
        if doubt > 0.0 && closed_weight != CLOSED {
            add(&[self.state(setting, 0.0), self.state(setting, CLOSED)], doubt);
        }
        for observed in self.observed.at_share_bounds() {
            let other = Scenario::new(&observed, self.target);
            let bound = other.state(&other.middle(), closed_weight);
            let change = other.anchor / self.anchor;
            let bound = State { tps: change * bound.tps, response_s: bound.response_s / change, ..bound };
            add(&[bound], 1.0);
        }
        let most = self.most_tps(setting, extrapolation.drift(), closed_weight);
        Spread {
            tps: (tps.0.sqrt(), tps.1.sqrt().min((most / state.tps).ln().max(0.0))),
            response: (response.0.sqrt(), response.1.sqrt()),
        }
    }

    /// The workers that the state needs.
    fn io_workers(&self, setting: &Setting, state: &State) -> IoWorkersNeed {
        let read_factor = self.observed.read_factor(setting.read_s + self.queues(state).data_s);
        self.observed.io_workers.need(state.tps * self.anchor, read_factor)
    }

    /// The factor that limits the state, and another that is as likely.
    fn limiting_factors(
        &self,
        setting: &Setting,
        state: &State,
        closed_weight: f64,
    ) -> (BindingLimit, Option<BindingLimit>) {
        let target = self.anchored_target();
        let (first, other) = limiting_factor(state, &target);
        if !first.is_rate() {
            return (first, other);
        }
        // A little more of the limit, and something else would limit.
        let free = self.state(&setting.unlimited(), closed_weight);
        let is_near = free.over(setting) < BORDER;
        (first, is_near.then(|| limiting_factor(&free, &target.unlimited()).0))
    }

    fn extrapolation(&self, setting: &Setting, state: &State) -> Extrapolation {
        let sessions = (setting.sessions / self.observed.sessions).ln();
        Extrapolation { per_session: (state.tps * self.anchor / self.observed.tps).ln() - sessions, sessions }
    }

    /// The most transactions that the limits let through, where each makes as few requests as it may.
    fn most_tps(&self, setting: &Setting, drift: f64, closed_weight: f64) -> f64 {
        let run = self.observed;
        let pages = if run.page_writes > 0.0 { run.page_writes_low / run.page_writes } else { 1.0 };
        let (reads, page_writes) = (1.0 - drift, (1.0 - drift) * pages);
        let at = |merging| {
            let assumptions = Assumptions { reads, page_writes, merging, ..setting.assumptions };
            let setting = Setting { assumptions, ..*setting };
            let state = self.state(&setting, closed_weight);
            let load = Load::new(run, &setting, state.queues);
            crossing(state.tps, state.tps * MAX_RATIO, |tps| -load.state(tps).over(&setting))
        };
        // Merging makes fewer pages of more transactions, and more of fewer.
        if run.changes_per_page > 0.0 { at(0.0).max(at(1.0)) } else { at(0.0) }
    }

    /// Each assumption at its least and at its most.
    fn assumptions(&self, drift: f64) -> Vec<[Assumptions; 2]> {
        let (assumptions, run) = (Assumptions::default(), self.observed);
        let cold = |cold_cache_s| Assumptions { cold_cache_s, ..assumptions };
        let idle = |idle_cpus| Assumptions { idle_cpus, ..assumptions };
        let cpu = |cpu| Assumptions { cpu, ..assumptions };
        let requests = |factor: f64| Assumptions { reads: factor, page_writes: factor, ..assumptions };
        let follow = |others_follow| Assumptions { others_follow, ..assumptions };
        let clients = |clients_follow| Assumptions { clients_follow, ..assumptions };
        let doubtful = |doubtful_follow| Assumptions { doubtful_follow, ..assumptions };
        let rivals = |rivals| Assumptions { rivals, ..assumptions };
        let most_rivals = self.target.sessions.unwrap_or(run.sessions) / run.unrelated_cpus();
        let turns = |flush_turns| Assumptions { flush_turns, ..assumptions };
        let pages = |count: f64| Assumptions { page_writes: count / run.page_writes, ..assumptions };
        let is_cpu_known = run.cpu_time.is_some();
        let is_other = self.target.sessions.is_some_and(|sessions| sessions != run.sessions);
        let pairs = [
            (is_cpu_known, [cold(0.0), cold(2.0 * COLD_CACHE_S)]),
            (is_cpu_known, [idle(0.0), idle(2.0 * IDLE_CPUS)]),
            (is_cpu_known, [cpu(1.0 + CPU_SPREAD), cpu(1.0 - CPU_SPREAD)]),
            (true, [requests(1.0 + drift), requests(1.0 - drift)]),
            (run.cpu_time.is_some_and(|time| time.others_s > 0.0), [follow(1.0), follow(0.0)]),
            (run.cpu_time.is_some_and(|time| time.client_s > 0.0), [assumptions, clients(0.0)]),
            (run.unrelated_cpus() > 0.0, [doubtful(1.0), assumptions]),
            (run.unrelated_cpus() > 0.0, [rivals(most_rivals.max(1.0)), rivals(0.0)]),
            (run.commit.visits > 0.0, [turns(2.5), turns(1.0)]),
            (!run.is_wal_counted && run.flushes > 0.0, [Assumptions { grouping: 0.0, ..assumptions }, assumptions]),
            (run.page_writes_high > run.page_writes_low, [pages(run.page_writes_high), pages(run.page_writes_low)]),
            (self.target.more_volumes != 1.0, [Assumptions { read_ahead: 0.0, ..assumptions }, assumptions]),
            (run.changes_per_page > 0.0, [assumptions, Assumptions { merging: 1.0, ..assumptions }]),
            (
                run.io_workers.wait_share > 0.0,
                [0.0, 1.0].map(|workers_shared| Assumptions { workers_shared, ..assumptions }),
            ),
            (run.lock_s > 0.0 && is_other, [assumptions, Assumptions { locks_grow: false, ..assumptions }]),
            (
                run.limit_weight > 0.0 && run.read_visits_high > run.read.visits,
                [assumptions, Assumptions { read_waits: run.limit_weight, ..assumptions }],
            ),
        ];
        pairs.into_iter().filter_map(|(is_relevant, pair)| is_relevant.then_some(pair)).collect()
    }
}
