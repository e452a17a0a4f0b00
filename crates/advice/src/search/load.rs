//! The demand of a task: as it is replayed, and as it was recorded.

use crate::replay::{Loaded, Measure, Series, TOLERANCE};
use crate::requirement::SizingRule;
use ebs_aws::catalogue::Ceiling;

/// The demand of a task.
#[derive(Clone, Debug)]
pub struct TaskLoad<'a> {
    /// The demand with headroom, which volumes must carry.
    pub(crate) series: Loaded<'a>,
    /// The recorded demand, without headroom.
    pub(crate) recorded: Loaded<'a>,
    /// Mean demand with headroom, which volumes must give without credits where these count.
    pub(crate) sustained: Ceiling,
    /// Accepted share of the time, and of the requests, that wait, 0 to 1.
    pub(crate) max_throttled: f64,
}

impl<'a> TaskLoad<'a> {
    /// An open loop: requests arrive as they were recorded, whatever their answers take.
    pub fn open(series: &'a Series, rule: SizingRule) -> TaskLoad<'a> {
        let with_headroom = 1.0 + rule.headroom;
        TaskLoad {
            series: series.loaded(Ceiling { iops: with_headroom, mibps: with_headroom }),
            recorded: Loaded::Recorded(series),
            sustained: Ceiling { iops: series.mean(Measure::Requests), mibps: series.mean(Measure::Mib) }
                .times(with_headroom),
            max_throttled: rule.max_throttled(),
        }
    }
}

impl SizingRule {
    /// Accepted share of throttled time, 0 to 1. Per cent and shares are rounded differently: 0.7 per cent are more than a share of
    /// 0.7 / 100.
    pub fn max_throttled(&self) -> f64 {
        self.max_throttled_pct / 100.0 * TOLERANCE
    }
}
