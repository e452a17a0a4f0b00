//! Advice for the whole cluster: each volume by itself, all of it on one, and WAL on a volume of its own.

use crate::decision::instance_need::InstanceNeed;
use crate::decision::role_advice::RoleAdvice;
use crate::decision::separate_wal::SeparateWal;
use crate::evaluate::candidate::Candidate;
use crate::request::settings::Request;
use ebs_base::units::Usd;

/// Advice for the whole cluster.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// Each volume by itself, as they are now; on RDS, whose storage is one, everything together.
    pub roles: Vec<RoleAdvice>,
    /// Everything on one volume (or one stripe), where it is on several now.
    pub consolidated: Option<RoleAdvice>,
    /// The need for a larger instance; `None` where none is saturated.
    pub instance_need: Option<InstanceNeed>,
    /// Largest number of volumes to stripe.
    pub max_volumes: u64,
    /// RDS's dedicated log volume, in addition to io1 or io2 storage, where WAL is on a volume of its own now.
    pub log_volume: Option<Candidate>,
    /// WAL on a volume of its own, where it is on the data's now and that is worth it.
    pub separate_wal: Option<SeparateWal>,
}

impl Advice {
    /// Dollars a month of the recommended volumes of all roles; `None` if one of them has none.
    pub fn separate_usd(&self) -> Option<Usd> {
        self.roles.iter().map(|role| role.best().map(Candidate::total)).sum()
    }

    /// Dollars a month of the volumes that the recommendations of all roles name, those until the instance is larger and the nearest misses
    /// among them; `None` if one names none, or a price is not known.
    pub fn named_usd(&self, request: &Request) -> Option<Usd> {
        let named = |role: &RoleAdvice| role.recommendation(request).volumes().and_then(Candidate::usd_month);
        self.roles.iter().map(named).sum()
    }

    /// Everything on one volume, if that is feasible and cheaper.
    pub fn cheaper_consolidated(&self) -> Option<&RoleAdvice> {
        let consolidated = self.consolidated.as_ref()?;
        let best = consolidated.best()?;
        self.separate_usd().is_none_or(|separate| best.total() < separate).then_some(consolidated)
    }
}
