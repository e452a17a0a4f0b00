//! Equilibrium of sessions, CPUs and the volume's limit.

use super::load::Load;
use super::observed::Observed;
use super::root::crossing;
use super::setting::{Setting, State};
use super::target::Limits;

/// Longest queueing time that is searched, seconds: a thousand sessions at 100 IOPS queue for ten.
const MAX_QUEUE_S: f64 = 1_000.0;

/// The balance under a setting.
pub fn equilibrium(observed: &Observed, setting: &Setting) -> State {
    within(&setting.limits, |queue_s| {
        let load = Load::new(observed, setting, queue_s);
        load.state(queue_s, load.balanced())
    })
}

/// Returns the balance with the shortest queue that keeps it within the limits.
fn within(limits: &Limits, at: impl Fn(f64) -> State) -> State {
    let free = at(0.0);
    if free.within(limits) {
        return free;
    }
    at(crossing(1e-9, MAX_QUEUE_S, |queue_s| at(queue_s).over(limits)))
}

/// The state where clients ask for so many transactions a second, whatever they get; where that is more than can be, as
/// [`equilibrium`] of clients that wait for nothing else.
pub fn paced(observed: &Observed, setting: &Setting, tps: f64) -> State {
    let most = equilibrium(observed, &Setting { client_waits: false, ..*setting });
    if tps >= most.tps {
        return most;
    }
    // Near the most, only commits that share more flushes, because each waits for its turn, keep it within the limit.
    let state = within(&setting.limits, |queue_s| Load::new(observed, setting, queue_s).state(queue_s, tps));
    State { at_own_pace: true, ..state }
}
