//! Results of replays of a series: a search, its variations and the rows of an answer replay the same limits.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::limits::InstanceLimit;
use super::outcome::{ExcessDemand, Measure, Outcome};
use ebs_aws::catalogue::{Ceiling, VolumeConfig};
use ebs_stats::Part;

/// Results of replays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results {
    /// Waits for each limit, up to a time, nanoseconds.
    pub waits: RefCell<Waits>,
    /// True where the throttling at a ceiling is within shares of the time and of the requests.
    pub throttling_accepted: RefCell<HashMap<(CeilingKey, [u64; 2]), bool>>,
    /// Mean latency that a ceiling adds to a request, ms.
    pub added_ms: RefCell<HashMap<CeilingKey, f64>>,
    /// Demand above each limit.
    pub(super) excess: RefCell<HashMap<(Measure, u64), ExcessDemand>>,
    /// Outcomes on volumes: some ten.
    pub(super) outcomes: RefCell<Vec<(VolumesReplay, Outcome)>>,
}

/// Waits for a limit; `None` where they exceed the time.
type Waits = HashMap<(Measure, u64, u64), Option<Rc<Vec<Part>>>>;

/// A ceiling, by the bits of its rates.
type CeilingKey = (u64, u64);

/// Arguments of a replay on so many volumes on an instance, of which delays are followed up to a share of throttled time, per cent.
pub(super) type VolumesReplay = (VolumeConfig, u64, InstanceLimit, f64);

/// Longest cached list of waits, 64 KiB: a search needs those of some hundred limits.
pub(crate) const MAX_CACHED_WAITS: usize = 4_096;

/// Key of a ceiling.
pub(crate) fn key(ceiling: Ceiling) -> CeilingKey {
    (ceiling.iops.to_bits(), ceiling.mibps.to_bits())
}

impl Results {
    /// The known outcome of a replay on volumes, or else that which `replay` computes.
    pub(super) fn outcome(&self, of: VolumesReplay, replay: impl FnOnce() -> Outcome) -> Outcome {
        let known = self.outcomes.borrow().iter().find(|(known, _)| *known == of).map(|(_, outcome)| *outcome);
        known.unwrap_or_else(|| {
            let outcome = replay();
            self.outcomes.borrow_mut().push((of, outcome));
            outcome
        })
    }
}
