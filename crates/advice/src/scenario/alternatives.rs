//! The other scenarios beside the observed demand, as a list.

use super::Scenario;
use super::inputs::Extent;
use super::instance_saturation::InstanceSaturation;
use super::variation::{Met, VariedArgument, varied_arguments};
use ebs_workload::load_kind::LoadKind;

/// A scenario beside the observed demand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alternative {
    /// An argument of the request with another value.
    Varied(VariedArgument),
    /// The observed demand with headroom, where volumes are sized for less.
    Peak,
    /// A closed loop on each type, where the kind of the load is not known.
    ClosedLoop,
    /// The other count of the requests, where it is in doubt.
    OtherCount,
    /// Volumes that keep the current throughput, whatever they cost.
    KeptThroughput,
    /// Storage of RDS of this size, GiB.
    Smaller(u64),
}

/// The volumes for the request, as far as alternatives depend on them.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// Part of the request that they meet.
    pub met: Met,
    /// True where they are sized for a closed loop, as far as it is one.
    pub is_closed: bool,
    /// True where they are predicted to lose a part of the current throughput that is a risk.
    pub is_slower: bool,
    /// A latency target that provisioned IOPS meet and they do not, ms; `None` where there is none.
    pub latency_target_ms: Option<f64>,
    /// Size of smaller storage that is sought, GiB; `None` where none is.
    pub smaller_gib: Option<u64>,
}

/// Lists the other scenarios of an observed one, whose request has this answer: for a decision alone those that its confidence rests on.
pub fn alternatives<'a>(
    observed: &'a Scenario<'a>,
    answer: &Answer,
    other_count_saturation: Option<InstanceSaturation>,
) -> Vec<(Alternative, Scenario<'a>)> {
    let is_reported = observed.part.inputs.extent == Extent::Report;
    let varied = || varied_arguments(&observed.request, answer.met, answer.latency_target_ms);
    let varied = if is_reported { varied() } else { Vec::new() };
    let varied = varied.into_iter().map(|argument| (Alternative::Varied(argument), argument.apply(observed)));
    let peak = answer.is_closed.then(|| (Alternative::Peak, observed.peak()));
    let is_unsure = observed.part.state.load.kind == LoadKind::Unsure;
    let closed = is_unsure.then(|| (Alternative::ClosedLoop, observed.closed_loop()));
    let count = is_reported.then(|| observed.other_count(other_count_saturation)).flatten();
    let count = count.map(|scenario| (Alternative::OtherCount, scenario));
    let kept = (is_reported && answer.is_slower).then(|| (Alternative::KeptThroughput, observed.keeping_throughput()));
    let smaller = answer.smaller_gib.map(|size_gib| (Alternative::Smaller(size_gib), observed.with_size(size_gib)));
    varied.chain(peak).chain(closed).chain(count).chain(kept).chain(smaller).collect()
}
