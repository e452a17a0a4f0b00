//! Results of replays in a search.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::replay::Measure;
use ebs_aws::catalogue::Ceiling;
use ebs_stats::Part;

/// Results of replays, which do not depend on the maximum delay.
#[derive(Default)]
pub(super) struct ReplayCache {
    /// Waits for each limit.
    pub waits: RefCell<Waits>,
    /// True where the throttling at a ceiling is accepted.
    pub throttling_accepted: RefCell<HashMap<(u64, u64), bool>>,
    /// Mean latency that a ceiling adds to a request, ms.
    pub added_ms: RefCell<HashMap<(u64, u64), f64>>,
}

/// Waits for a limit; `None` where they exceed the accepted throttled time.
type Waits = HashMap<(Measure, u64), Option<Rc<Vec<Part>>>>;

/// Longest cached list of waits, 64 KiB: a search needs those of some hundred limits.
pub(super) const MAX_CACHED_WAITS: usize = 4_096;

/// Key of a ceiling in the cache.
pub(super) fn key(ceiling: Ceiling) -> (u64, u64) {
    (ceiling.iops.to_bits(), ceiling.mibps.to_bits())
}
