//! The limit that a run was saturated at.

use ebs_advice::Saturation;
use ebs_base::format::{count, size};
use ebs_base::units::MIB;
use ebs_prediction::predict::LimitKind;

/// `3,000 IOPS`, `125 MiB/s`.
pub fn describe_limit(saturation: &Saturation) -> String {
    let limit = &saturation.limit;
    match limit.limited {
        LimitKind::Iops => format!("{} IOPS", count(limit.level)),
        LimitKind::Throughput => format!("{} MiB/s", size(limit.level / MIB as f64)),
    }
}
