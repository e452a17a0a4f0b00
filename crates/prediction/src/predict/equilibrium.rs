//! Equilibrium of sessions, CPUs and the volumes' limits.

use super::load::Load;
use super::observed::Observed;
use super::root::crossing;
use super::setting::{Queues, Setting, State};
use super::target::Limits;

/// Requests that the kernel has under way for writes that no session waits for: two queues of `BLKDEV_DEFAULT_RQ`
/// (<https://github.com/torvalds/linux/blob/v6.12/include/linux/blkdev.h>).
const BACKGROUND_REQUESTS: f64 = 256.0;

/// The balance under a setting.
pub fn equilibrium(observed: &Observed, setting: &Setting) -> State {
    within_limits(observed, setting, |load| load.balanced())
}

/// The state where clients ask for so many transactions a second, whatever they get; where that is more than can be, as
/// [`equilibrium`] of clients that wait for nothing else.
pub fn paced(observed: &Observed, setting: &Setting, tps: f64) -> State {
    let most = equilibrium(observed, &Setting { client_waits: false, ..*setting });
    if tps >= most.tps * (1.0 - ROUNDING) {
        return most;
    }
    // Near the most, only commits that share more flushes, because each waits for its turn, keep it within the limit.
    let state = within_limits(observed, setting, |_| tps);
    State { client_share: (1.0 - state.tps * state.response_s / setting.sessions).clamp(0.0, 1.0), ..state }
}

/// The state at the rate of `tps` with the shortest queues that keep it within the limits.
///
/// Each request waits for as long as its volume's queue makes it, and for the instance's where WAL has its own volume. Where
/// queues as long as all sessions and the kernel fill them do not slow transactions down enough, because hardly any
/// session waits for a request, sessions that write wait until the kernel has room for dirty pages: the limit over
/// the requests of a transaction is the throughput, whoever waits.
fn within_limits(observed: &Observed, setting: &Setting, tps: impl Fn(&Load) -> f64) -> State {
    let longest = |limits: &Limits| longest_s(setting, limits, observed.request_bytes());
    let at = |queues: Queues| {
        let load = Load::new(observed, setting, queues);
        load.state(tps(&load))
    };
    let state = match setting.wal {
        None => shortest(
            longest(&setting.limits),
            |queue_s| at(Queues::shared(queue_s)),
            |state| setting.limits.over(&state.rates),
        ),
        Some(wal) => {
            let in_data = |wal_s: f64, all_s: f64| {
                let at = |data_s: f64| at(Queues { data_s: data_s + all_s, wal_s: wal_s + all_s });
                shortest(longest(&setting.limits), at, |state| setting.limits.over(&state.rates))
            };
            let in_both = |all_s: f64| {
                let at = |wal_s| in_data(wal_s, all_s);
                shortest(longest(&wal.volume), at, |state| wal.volume.over(&state.wal_rates))
            };
            let all = |state: &State| state.rates.plus(state.wal_rates);
            shortest(longest(&wal.instance), in_both, |state| wal.instance.over(&all(state)))
        }
    };
    if state.over(setting) <= ROUNDING { state } else { blocked(observed, setting, &state) }
}

/// Distance above a limit that is rounding: [`crossing`] ends within 10⁻¹⁰ of it.
const ROUNDING: f64 = 1e-7;

/// Returns the state with the shortest queue that keeps it within a limit; with the longest where none does.
fn shortest(longest_s: f64, at: impl Fn(f64) -> State, over: impl Fn(&State) -> f64) -> State {
    let free = at(0.0);
    if over(&free) <= 0.0 { free } else { at(crossing(LEAST_QUEUE_S, longest_s, |queue_s| over(&at(queue_s)))) }
}

/// Longest queue: one request of each session, and those of the kernel, of so many bytes each.
fn longest_s(setting: &Setting, limits: &Limits, request_bytes: f64) -> f64 {
    let requests = setting.sessions + BACKGROUND_REQUESTS;
    let by_iops = limits.iops.map_or(0.0, |iops| requests / iops);
    let by_bytes = limits.bytes.map_or(0.0, |bytes| requests * request_bytes / bytes);
    by_iops.max(by_bytes).max(2.0 * LEAST_QUEUE_S)
}

/// Shortest queue that is searched, seconds.
const LEAST_QUEUE_S: f64 = 1e-9;

/// The state in which sessions wait, beside the queues of `state`, for room to write: as many transactions as the limits let through.
fn blocked(observed: &Observed, setting: &Setting, state: &State) -> State {
    let load = Load::new(observed, setting, state.queues);
    let tps = crossing(state.tps * 1e-12, state.tps, |tps| -load.state(tps).over(setting));
    let blocked = load.state(tps);
    let client_s = state.client_share * setting.sessions / state.tps;
    let response_s = (setting.sessions / tps - client_s).max(blocked.response_s);
    State { response_s, client_share: (client_s * tps / setting.sessions).min(1.0), ..blocked }
}
