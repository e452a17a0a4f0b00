//! Advice: the volumes that would carry what was seen, cheapest first, with reasons and doubts.

mod candidate;
mod change;
mod cluster;
mod frontier;
mod held;
mod judge;
mod latency;
mod now;
mod outlook;
mod path;
mod present;
mod question;
mod request;
mod risk;
mod role;
mod service;
mod size;
mod standing;
mod truncated;
mod variation;
mod waiting;
mod whatif;
mod words;

pub use candidate::{Bound, Candidate, Missed};
pub use change::{Command, Procedure, Rule};
pub use cluster::{Advice, advise};
pub use frontier::{Frontier, Point, frontier, frontier_beside};
pub use held::{Held, Holder};
pub use judge::InstanceShort;
pub use now::instance_seen;
pub use outlook::Outlook;
pub use path::Step;
pub use present::Present;
pub use question::{Asked, Question};
pub use request::{MOST_VOLUMES, Request, Settings};
pub use risk::Risk;
pub use role::RoleAdvice;
pub use size::{FREE, SizeBasis, SizeNeed};
pub use truncated::{Beyond, Truncated};
pub use variation::Variation;
pub use whatif::{Answer, whatif};

use ebs_base::format::count;
use ebs_samples::evidence::{Coverage, Window};

/// Fewest seconds of device samples that advice is given on: below, one checkpoint's burst is the whole evidence.
pub const FEWEST_SECONDS: f64 = 30.0;
/// Below this many seconds the risk is stated one step higher: a short run contains few peaks.
pub const SHORT_SECONDS: f64 = 600.0;

/// Why no advice can be given on this evidence; `None` if it can.
pub fn insufficient(window: &Window, coverage: &Coverage) -> Option<String> {
    if window.moments.is_empty() {
        return Some("no samples in this window".to_owned());
    }
    if window.current.is_empty() {
        let mut reasons: Vec<_> = window.place.unplaced.iter().map(|part| part.reason.as_str()).collect();
        reasons.dedup();
        return Some(match reasons.is_empty() {
            true => "no block device was sampled".to_owned(),
            false => reasons.join("; "),
        });
    }
    let seconds = coverage.sampled_s - coverage.without_device_s;
    if seconds < FEWEST_SECONDS {
        let failed = match coverage.without_device_s > 0.0 {
            true => format!(" ({} s more without a readable device)", count(coverage.without_device_s)),
            false => String::new(),
        };
        return Some(format!(
            "{} s of device samples{failed}, at least {} s are needed",
            count(seconds),
            count(FEWEST_SECONDS)
        ));
    }
    None
}

#[cfg(test)]
#[path = "advice_tests.rs"]
mod tests;
