//! Kind of the load, and the volumes for the other kind.

use serde::Serialize;

use super::candidate::Candidate;
use crate::reasons::load;
use ebs_advice::{LoadBasis, RoleAdvice};

/// Kind of the load: a closed loop asks a slower volume for less, an open loop for the same.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Load {
    /// `closed`, `open` or `unsure`.
    kind: &'static str,
    /// True where the evidence shows the kind; false where it is assumed.
    sure: bool,
    /// `driver`, `think time` or `none`: the evidence for the kind.
    known_by: &'static str,
    /// Share of the sessions' time in which they wait for their clients, which do not compute on this machine, 0 to 1; null where
    /// the kind is known by the driver or not at all.
    think_time_share: Option<f64>,
    /// Demand on the recommended volumes as a ratio to the observed demand, at most 1; null where nothing is recommended.
    scale: Option<f64>,
    /// The cheapest volumes for a closed loop; null where the kind is known.
    if_closed: Option<Candidate>,
    /// The cheapest volumes for the observed demand with headroom; null where the recommended ones are sized for it.
    peak: Option<Candidate>,
    /// The same in words, a sentence each.
    reasons: Vec<String>,
}

impl From<&RoleAdvice> for Load {
    fn from(role: &RoleAdvice) -> Load {
        let found = &role.state.load;
        let (known_by, think_time_share) = match found.basis {
            LoadBasis::Driver => ("driver", None),
            LoadBasis::ThinkTime { share } => ("think time", Some(share)),
            LoadBasis::FewWaits { .. } | LoadBasis::Missing(_) => ("none", None),
        };
        Load {
            kind: found.kind.name(),
            sure: found.is_sure(),
            known_by,
            think_time_share,
            scale: role.best().map(|best| best.scale),
            if_closed: role.closed_option.as_ref().map(Candidate::from),
            peak: role.peak_option.as_ref().map(Candidate::from),
            reasons: load::describe(role),
        }
    }
}
