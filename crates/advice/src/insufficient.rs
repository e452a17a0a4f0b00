//! Evidence that is too little for advice.

use ebs_base::format::count;
use ebs_samples::evidence::{Coverage, Window};

/// Fewest seconds of device samples that advice is given on: below, one checkpoint's burst is the whole evidence.
pub const MIN_SECONDS: f64 = 30.0;
/// Below this many seconds the risk is stated one step higher: a short run contains few peaks.
pub const SHORT_SECONDS: f64 = 600.0;

/// Why no advice can be given on this evidence; `None` if it can.
pub fn insufficient(window: &Window, coverage: &Coverage) -> Option<String> {
    if window.moments.is_empty() {
        return Some("no samples in this window".to_owned());
    }
    if window.current.is_empty() {
        let mut reasons: Vec<_> = window.layout.unresolved.iter().map(|part| part.reason.as_str()).collect();
        reasons.dedup();
        return Some(match reasons.is_empty() {
            true => "no block device was sampled".to_owned(),
            false => reasons.join("; "),
        });
    }
    let seconds = coverage.sampled_s - coverage.without_device_s;
    if seconds < MIN_SECONDS {
        let failed = match coverage.without_device_s > 0.0 {
            true => format!(" ({} s more without a readable device)", count(coverage.without_device_s)),
            false => String::new(),
        };
        return Some(format!(
            "{} s of device samples{failed}, at least {} s are needed",
            count(seconds),
            count(MIN_SECONDS)
        ));
    }
    None
}
