//! Kind of the load, and the volumes for the other kind.

use super::candidate::Candidate;
use crate::reasons::load;
use ebs_advice::{LoadBasis, RoleAdvice};
use ebs_base::object;

object! {
    /// Kind of the load: a closed loop asks a slower volume for less, an open loop for the same.
    pub(super) struct Load(role: &RoleAdvice)
    where {
        let found = &role.state.load;
        let (known_by, think_time_share) = match found.basis {
            LoadBasis::Driver => ("driver", None),
            LoadBasis::ThinkTime { share } => ("think time", Some(share)),
            LoadBasis::FewWaits { .. } | LoadBasis::Missing(_) => ("none", None),
        };
    } {
        /// `closed`, `open` or `unsure`.
        kind: &'static str = found.kind.name(),
        /// True where the evidence shows the kind; false where it is assumed.
        sure: bool = found.is_sure(),
        /// `driver`, `think time` or `none`: the evidence for the kind.
        known_by: &'static str = known_by,
        /// Share of the sessions' time in which they wait for their clients, which do not compute on this machine, 0 to 1; null where
        /// the kind is known by the driver or not at all.
        think_time_share: Option<f64> = think_time_share,
        /// Demand on the recommended volumes as a ratio to the observed demand, at most 1; null where nothing is recommended.
        scale: Option<f64> = role.best().map(|best| best.scale),
        /// The cheapest volumes for a closed loop; null where the kind is known.
        if_closed: Option<Candidate> = role.closed_option.as_ref().map(Candidate::from),
        /// The cheapest volumes for the observed demand with headroom; null where the recommended ones are sized for it.
        peak: Option<Candidate> = role.peak_option.as_ref().map(Candidate::from),
        /// The same in words, a sentence each.
        reasons: Vec<String> = load::describe(role),
    }
}
