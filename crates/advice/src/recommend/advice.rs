//! Advice for the whole cluster: each volume by itself, and all of it on one.

use crate::evaluate::candidate::Candidate;
use crate::recommend::role_advice::RoleAdvice;
use ebs_base::units::Usd;

/// Advice for the whole cluster.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// Each volume by itself, as they are now; on RDS, whose storage is one, everything together.
    pub roles: Vec<RoleAdvice>,
    /// Everything on one volume (or one stripe), where it is on several now.
    pub together: Option<RoleAdvice>,
    /// Most volumes that were striped.
    pub most_volumes: u64,
    /// RDS's dedicated log volume, where WAL is on a volume of its own now: beside io1 or io2 storage, on top of its price.
    pub log_volume: Option<Candidate>,
}

impl Advice {
    /// Dollars of the recommended volumes of all roles; `None` if one of them has none.
    pub fn apart_usd(&self) -> Option<Usd> {
        self.roles.iter().map(|role| role.best().map(Candidate::total)).sum()
    }

    /// Everything on one volume, if that is feasible and cheaper.
    pub fn cheaper_together(&self) -> Option<&RoleAdvice> {
        let together = self.together.as_ref()?;
        let best = together.best()?;
        self.apart_usd().is_none_or(|apart| best.total() < apart).then_some(together)
    }
}
