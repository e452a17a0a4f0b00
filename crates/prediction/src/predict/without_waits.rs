//! Prediction without waits: two laws between which the throughput is, where only the device's requests and latencies are known.
//!
//! In a closed loop whose sessions do nothing else than wait for the volume, as many requests stay in flight: throughput is their number
//! over the latency (Little 1961, <https://doi.org/10.1287/opre.9.3.383>). Each of them has a request in flight while it works: where fewer
//! than one is in flight on average, one session alone has think time between its requests, and the volume changes the rest of its
//! time. In an open loop, and where sessions hardly wait for the volume because they compute, wait for locks, or for their clients, the
//! demand stays as it is. Whichever of the requests sessions wait for, reads alone, writes alone or all of them, the throughput is
//! between both, and never above a limit. Device counts do not tell where: the middle is the geometric mean, and the interval contains
//! all of these laws.
//!
//! A load driver whose clients send the next transaction once they have the answer tells more: these wait for their reads at least, and the
//! time in which they do not wait no volume changes. They may wait for none of the writes, or all of them for the one flush of WAL that is
//! under way. Again the middle is the geometric mean of both, and where there are only reads it is the closed loop. The interval still
//! contains a demand that stays: the CPUs may be fully used.
//!
//! A load driver with a rate keeps it: the demand stays, and no law of the volume counts. A run at a limit may have been behind the rate, so
//! that the laws count by the limit's likelihood.
//!
//! With waits, the same run has an interval inside of this one: the stations of a transaction beside the volume dilute the first law.

use super::account::MissingInput;
use super::device::Device;
use super::extrapolation::Extrapolation;
use super::io_workers::IoWorkersNeed;
use super::limiting_factor::nearest_limit;
use super::observed::{Observed, Station};
use super::per_transaction::PerTransaction;
use super::prediction::{Expected, Prediction, waited};
use super::target::{Latency, Rates, Target};
use super::think_time::{ratio_with_think_time, think_time_s};
use crate::BindingLimit;
use ebs_aws::catalogue::LimitKind;
use ebs_base::ramp::weighted_mean;
use ebs_base::range::Range;
use ebs_base::units::MIB;
use ebs_workload::demand_summary::DemandSummary;

/// Weight of the law of the most waits in the middle of the prediction: nothing tells it from that of the least.
const CLOSED_WEIGHT: f64 = 0.5;

impl Observed {
    /// Account of the requests to a volume with this demand, whose limit the run was at for sure, where nothing is known of sessions: those
    /// in flight take the place of sessions, a second that of a transaction. Refuses a demand without latencies or without requests.
    pub fn from_device_counts(demand: &DemandSummary, limited: Option<LimitKind>) -> Result<Observed, MissingInput> {
        if !demand.timed || demand.seconds <= 0.0 {
            return Err(MissingInput::Times);
        }
        let device = Device::from_demand(demand, &PerTransaction { tps: 1.0 });
        let station = |visits: f64, await_s: f64| Station { visits, seconds: visits * await_s };
        let read = station(device.reads, device.read_await_s);
        let write = station(device.writes, device.write_await_s);
        let in_flight = read.seconds + write.seconds;
        if in_flight <= 0.0 {
            return Err(MissingInput::Waits);
        }
        Ok(Observed {
            without_waits: true,
            sessions: in_flight,
            tps: 1.0,
            read,
            read_visits_high: read.visits,
            write,
            device_reads: device.reads,
            device_writes: device.writes,
            read_bytes: device.read_bytes,
            read_await_s: device.read_await_s,
            write_await_s: device.write_await_s,
            page_writes: device.writes,
            page_writes_low: device.writes,
            page_writes_high: device.writes,
            page_bytes: device.write_bytes,
            limited,
            limit_weight: f64::from(u8::from(limited.is_some())),
            ..Observed::default()
        })
    }
}

/// Requests that sessions wait for.
#[derive(Clone, Copy, PartialEq)]
enum Waiting {
    /// None: the demand stays.
    None,
    /// Reads alone.
    Reads,
    /// Writes alone.
    Writes,
    /// All.
    All,
    /// All, and in each write that is under way as many sessions as may be: they share flushes of WAL.
    Grouped,
}

/// Service times of a read and of a write on the target, seconds.
#[derive(Clone, Copy)]
struct Service {
    read_s: f64,
    write_s: f64,
}

/// A run without waits on a target.
struct Laws<'a> {
    observed: &'a Observed,
    target: &'a Target,
    /// Requests in flight over those of the run.
    load: f64,
}

/// The middle between both laws.
struct Middle {
    /// Throughput over that of the run.
    ratio: f64,
    /// The open loop, unlimited, or that in which sessions wait for the least.
    open: f64,
    /// The closed loop, unlimited.
    closed: f64,
    /// Mean wait of a request at the limit, seconds.
    queue_s: f64,
    /// The longest that it may be.
    most_queue_s: f64,
}

impl Laws<'_> {
    fn new<'a>(observed: &'a Observed, target: &'a Target) -> Laws<'a> {
        let load =
            target.sessions.map_or(1.0, |sessions| sessions / observed.closed_clients().unwrap_or(observed.sessions));
        Laws { observed, target, load }
    }

    /// The least that sessions wait for. Those of a load driver wait for their reads at least; [`Waiting::Grouped`] is the most.
    fn least(&self) -> Waiting {
        if self.observed.closed_clients().is_some() { Waiting::Reads } else { Waiting::None }
    }

    /// Time that sessions spend elsewhere in a second of the run, where so many requests in flight are what they wait for.
    fn elsewhere_s(&self, waiting: f64) -> f64 {
        match self.observed.closed_clients() {
            Some(clients) => (clients - waiting).max(0.0),
            None => think_time_s(self.observed.sessions),
        }
    }

    fn service(&self, end: impl Fn(Latency) -> f64) -> Service {
        let Target { read, write, added_s, .. } = *self.target;
        Service { read_s: end(read) + added_s, write_s: end(write) + added_s }
    }

    /// Time of reads and of writes without a queue, summed over a second of the run.
    fn served_s(&self, service: Service) -> [f64; 2] {
        let run = self.observed;
        let sequential = run.sequential_share();
        let reads = run.read.visits * (1.0 - sequential + sequential / self.target.more_volumes);
        [reads * service.read_s, run.write.visits * service.write_s]
    }

    /// Time that sessions wait where reads and writes take so long, summed over a second of the run.
    fn waited_s(&self, waiting: Waiting, [reads_s, writes_s]: [f64; 2]) -> f64 {
        match waiting {
            Waiting::None => 0.0,
            Waiting::Reads => reads_s,
            Waiting::Writes => writes_s,
            Waiting::All => reads_s + writes_s,
            Waiting::Grouped => reads_s + self.group() * writes_s,
        }
    }

    /// Sessions that wait for a write, at most, over the writes that are under way: all that do not read, while there is one.
    fn group(&self) -> f64 {
        let Observed { read, write, .. } = *self.observed;
        let others =
            self.observed.closed_clients().map_or(0.0, |clients| clients - read.seconds) * write.seconds.min(1.0);
        if write.seconds > 0.0 { (others / write.seconds).max(1.0) } else { 1.0 }
    }

    /// Throughput over that of the run, without limits.
    fn unlimited(&self, waiting: Waiting, service: Service) -> f64 {
        let run = self.observed;
        let before_s = self.waited_s(waiting, [run.read.seconds, run.write.seconds]);
        // There were no such requests, or their time is below the resolution.
        if before_s <= 0.0 {
            return self.load;
        }
        let after_s = self.waited_s(waiting, self.served_s(service));
        self.load * ratio_with_think_time(self.elsewhere_s(before_s), before_s, after_s).powf(run.pace_doubt())
    }

    /// Weight of the closed loop in the middle, 0 to 1: where clients keep their pace no request is lost.
    fn closed_weight(&self) -> f64 {
        if self.observed.closed_clients().is_some() { 1.0 } else { CLOSED_WEIGHT * self.observed.pace_doubt() }
    }

    /// Requests and bytes a second of the run.
    fn rates(&self) -> Rates {
        let run = self.observed;
        let bytes = run.device_reads * run.read_bytes + run.page_writes * run.page_bytes;
        Rates { iops: run.device_reads + run.page_writes, bytes }.times(run.tps)
    }

    /// The greatest throughput that the limits let through, over that of the run.
    fn most(&self) -> f64 {
        (-self.target.volume.min(self.target.instance).over(&self.rates())).exp()
    }

    fn middle(&self) -> Middle {
        let service = self.service(|latency| latency.middle_s);
        let (open, closed) = (self.unlimited(self.least(), service), self.unlimited(Waiting::Grouped, service));
        let most = self.most();
        let ratio = weighted_mean(open.min(most), closed.min(most), CLOSED_WEIGHT);
        // The time of as many sessions at the limit, less the time elsewhere and service.
        let sessions = self.load * self.observed.closed_clients().unwrap_or(self.observed.sessions).max(1.0);
        let [reads_s, writes_s] = self.served_s(service);
        let busy_s = self.elsewhere_s(self.observed.sessions) + reads_s + writes_s;
        let full_s = (sessions / most - busy_s).max(0.0) / self.rates().iops;
        let of_law = |law: f64, weight: f64| if law > most { weight * full_s } else { 0.0 };
        let queue_s = of_law(open, 1.0 - CLOSED_WEIGHT) + of_law(closed, CLOSED_WEIGHT);
        Middle { ratio, open, closed, queue_s, most_queue_s: if queue_s > 0.0 { full_s } else { 0.0 } }
    }

    /// Distances to the lower and to the upper bound, as logarithms: to the farthest of all laws, and independent of them how runs of one
    /// setting differ, in throughput and in requests of the same work.
    fn spread(&self, middle: &Middle) -> (f64, f64) {
        let most = self.most();
        let services = [self.service(|l| l.low_s), self.service(|l| l.middle_s), self.service(|l| l.high_s)];
        let laws = [Waiting::None, Waiting::Reads, Waiting::Writes, Waiting::All, Waiting::Grouped];
        let each = laws.into_iter().flat_map(|waiting| services.map(|service| self.unlimited(waiting, service)));
        let (low, high) = each
            .map(|law| (law.min(most) / middle.ratio).ln())
            .fold((0.0_f64, 0.0_f64), |(low, high), log| (low.min(log), high.max(log)));
        let at = |per_session: f64| Extrapolation { per_session, sessions: self.load.ln() };
        let change = (middle.ratio / self.load).ln();
        let (residual, drift) = (at(change).residual(), at(change).drift());
        // A law by which the throughput hardly changes has the requests of the run, so that a gain by others takes nothing from it.
        let lowest = change + low;
        let low_drift = at(if lowest.abs() < change.abs() { lowest } else { change }).drift();
        let less = self.target.delivered.map_or(0.0, |delivered| {
            let limits = self.target.volume.delivered(delivered).min(self.target.instance);
            (middle.ratio / middle.ratio.min((-limits.over(&self.rates())).exp())).ln()
        });
        let each = |drift: f64| (residual + drift.powi(2)).sqrt();
        // At the limit, the same work may make fewer requests.
        let room = (most / middle.ratio).ln().max(0.0) - (1.0 - drift).ln();
        (less.max(-low) + each(low_drift), (high + each(drift)).min(room))
    }

    /// The limit, where both laws or one of them reach it.
    fn limiting_factors(&self, middle: &Middle) -> (BindingLimit, Option<BindingLimit>) {
        let (_, limit) = nearest_limit(self.rates(), Rates::default(), self.target);
        let most = self.most();
        match (middle.open >= most, middle.closed >= most) {
            (true, true) => (limit, None),
            (false, false) => (BindingLimit::Latency, None),
            _ => (BindingLimit::Latency, Some(limit)),
        }
    }
}

/// Predicts a run of [`Observed::from_device_counts`], with its interval. WAL is taken to be on the same volume.
pub(super) fn predict(observed: &Observed, target: &Target) -> Prediction {
    let laws = Laws::new(observed, target);
    let middle = laws.middle();
    let spread = laws.spread(&middle);
    let rates = laws.rates().times(middle.ratio);
    let service = laws.service(|latency| latency.middle_s);
    let (bound_by, also_bound_by) = laws.limiting_factors(&middle);
    let latency = |service: Latency| {
        let range = waited(service.plus(target.added_s), middle.queue_s, (0.0, 0.0));
        let other_s = middle.most_queue_s - middle.queue_s;
        Range { low: service.plus(target.added_s).low_s * 1e3, high: range.high + other_s.max(0.0) * 1e3, ..range }
    };
    let tps = Range::around(observed.tps * middle.ratio, spread);
    Prediction {
        without_waits: true,
        tps,
        ratio: Range::around(middle.ratio, spread),
        response_ms: tps.inverse().times(1e3 * laws.load * observed.sessions),
        read_ms: latency(target.read),
        write_ms: latency(target.write),
        wal: None,
        active_sessions: laws.load * observed.sessions,
        in_flight: middle.ratio * laws.served_s(service).iter().sum::<f64>() + rates.iops * middle.queue_s,
        iops: rates.iops,
        mibps: rates.bytes / MIB as f64,
        utilization: None,
        io_workers: IoWorkersNeed { needed: 0.0, count: 0.0 },
        bound_by,
        also_bound_by,
        paced: laws.closed_weight() <= 0.0,
        source: target.source,
    }
}

/// The middle of [`predict`].
pub(super) fn expect(observed: &Observed, target: &Target) -> Expected {
    let laws = Laws::new(observed, target);
    let middle = laws.middle();
    let rates = laws.rates().times(middle.ratio);
    let waited_ms = |service: Latency| (service.middle_s + target.added_s + middle.queue_s) * 1e3;
    Expected {
        ratio: middle.ratio,
        read_ms: waited_ms(target.read),
        write_ms: waited_ms(target.write),
        iops: rates.iops,
        mibps: rates.bytes / MIB as f64,
        wal: None,
        bound_by: laws.limiting_factors(&middle).0,
        closed_weight: laws.closed_weight(),
    }
}

#[cfg(test)]
#[path = "without_waits_tests.rs"]
mod tests;
