//! Kind of the load: a closed loop asks a slower volume for less, an open loop for the same.
//!
//! The prediction tells both by the think time ([`closed_weight`]). Between both the requirement is a geometric mean, weighted by the think
//! time, so that the sizing has no step: where the closed loop requires a share r of what an open one does, 1 % more think time changes the
//! requirement by |ln r| / ln 5 per cent.

use crate::prediction::predictor::Predictor;
use ebs_base::ramp::log_ramp;
use ebs_prediction::predict::{
    MAX_CLOSED_SHARE, MIN_ACTIVE_SESSIONS, MIN_OPEN_SHARE, MissingInput, Observed, closed_weight,
};
use ebs_workload::load_kind::LoadKind;

/// Evidence for the kind of the load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoadBasis {
    /// The load driver of the run and its arguments.
    Driver,
    /// Share of the sessions' time that is think time of clients, 0 to 1.
    ThinkTime {
        /// The share.
        share: f64,
    },
    /// Too little to tell: sessions hardly waited for the volume, whatever their clients did meanwhile.
    FewWaits {
        /// Average active sessions.
        active_sessions: f64,
        /// Share of their active time in which sessions waited for the volume, 0 to 1.
        io_share: f64,
    },
    /// None: an input is missing, and the demand counts as observed.
    Missing(MissingInput),
}

/// Kind of the load, with its evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// The kind.
    pub kind: LoadKind,
    /// The evidence for it.
    pub basis: LoadBasis,
    /// Weight of the closed loop: 1 is closed, 0 is open.
    pub closed_weight: f64,
}

/// Average active sessions up to which nothing tells a closed loop, and from which on they do. A choice. Below the first nothing is
/// predicted at all, which leaves the weight of zero.
const ACTIVE_SESSIONS: [f64; 2] = [MIN_ACTIVE_SESSIONS, 0.1];

/// The same of [`LoadBasis::FewWaits::io_share`]. A choice: below 5 % a volume of twice the latency costs less than 5 %.
const IO_SHARES: [f64; 2] = [0.01, 0.05];

impl Load {
    /// Derives the kind from the run's load driver, where it is known, or else from the think time of the run.
    pub fn new(driver: Option<LoadKind>, observed: Result<&Observed, MissingInput>) -> Load {
        let by_driver = driver.filter(|kind| *kind != LoadKind::Unsure);
        match (by_driver, observed) {
            (Some(LoadKind::Open), Err(_)) => {
                Load { kind: LoadKind::Open, basis: LoadBasis::Driver, closed_weight: 0.0 }
            }
            (_, Err(missing)) => Load {
                kind: by_driver.unwrap_or(LoadKind::Open),
                basis: LoadBasis::Missing(missing),
                closed_weight: 0.0,
            },
            (Some(kind), Ok(_)) => {
                Load { kind, basis: LoadBasis::Driver, closed_weight: f64::from(u8::from(kind == LoadKind::Closed)) }
            }
            (None, Ok(observed)) => {
                Load::from_think_time(observed.client_share()).with_waits(active_sessions(observed), io_share(observed))
            }
        }
    }

    fn from_think_time(share: f64) -> Load {
        let kind = match share {
            share if share <= MAX_CLOSED_SHARE => LoadKind::Closed,
            share if share < MIN_OPEN_SHARE => LoadKind::Unsure,
            _ => LoadKind::Open,
        };
        Load { kind, basis: LoadBasis::ThinkTime { share }, closed_weight: closed_weight(share) }
    }

    /// Counts a closed loop only as far as sessions were seen to wait for the volume: a server that idles between requests waits for
    /// its clients even where their time was taken for CPU time of theirs on this machine.
    fn with_waits(self, active_sessions: f64, io_share: f64) -> Load {
        let known = log_ramp(active_sessions, ACTIVE_SESSIONS).min(log_ramp(io_share, IO_SHARES));
        if self.kind == LoadKind::Open || known >= 1.0 {
            return self;
        }
        Load {
            kind: LoadKind::Unsure,
            basis: LoadBasis::FewWaits { active_sessions, io_share },
            closed_weight: known * self.closed_weight,
        }
    }

    /// The predictor of the load: of one that its driver shows to be a closed loop, whatever its clients think.
    pub fn predictor(&self, predictor: Predictor) -> Predictor {
        let is_closed = self.basis == LoadBasis::Driver && self.kind == LoadKind::Closed;
        if is_closed { predictor.as_closed_loop() } else { predictor }
    }

    /// True where the kind is known, not assumed.
    pub fn is_sure(&self) -> bool {
        self.kind != LoadKind::Unsure && !matches!(self.basis, LoadBasis::Missing(_))
    }
}

/// Average sessions that are not with their clients.
fn active_sessions(observed: &Observed) -> f64 {
    observed.sessions * (1.0 - observed.client_share())
}

/// Share of their active time in which sessions were sampled waiting for the volume.
fn io_share(observed: &Observed) -> f64 {
    let active_s = observed.response_s() - observed.client_s;
    let others_s = observed.cpu_s + observed.lock_s + observed.elsewhere_s;
    if active_s > 0.0 { (1.0 - others_s / active_s).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
