//! The limiting factor of an operation: the one meaning of "bound by" of the current volumes and of every candidate.

use ebs_prediction::BindingLimit;
use ebs_prediction::predict::Observed;

/// Largest ratio of ideal to predicted throughput at which a faster volume gains little: a fifth of the time. A choice.
pub const NEGLIGIBLE_GAIN: f64 = 1.25;

/// The limiting factor: that of the model, where it is no latency, or latency where ideal storage would gain more than
/// [`NEGLIGIBLE_GAIN`]; else the largest part of the sessions' time outside of the volume. CPUs that are partly idle are a bottleneck
/// all the same for sessions that need one of them all the time.
pub fn limiting_factor(observed: &Observed, factor: BindingLimit, ideal_gain: f64) -> BindingLimit {
    if factor != BindingLimit::Latency || ideal_gain > NEGLIGIBLE_GAIN {
        return factor;
    }
    let others = [
        (observed.cpu_s, BindingLimit::Cpu),
        (observed.lock_s, BindingLimit::Locks),
        (observed.elsewhere_s, BindingLimit::OtherWaits),
    ];
    others.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).map_or(BindingLimit::OtherWaits, |(_, factor)| factor)
}
