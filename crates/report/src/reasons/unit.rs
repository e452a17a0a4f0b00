//! Units of limits.

use ebs_aws::catalogue::LimitKind;
use ebs_base::format::{brief, brief_iops, count};
use ebs_prediction::BindingLimit;

/// Unit of a size, or of a limited rate.
pub(super) fn describe_unit(limit: BindingLimit) -> &'static str {
    limit.kind().map_or("GiB", LimitKind::unit)
}

/// Describes a rate in its unit: `3,000 IOPS`.
pub fn describe_rate(limited: LimitKind, rate: f64) -> String {
    format!("{} {}", count(rate), limited.unit())
}

/// Describes a rate in its unit with few digits: `3,210 IOPS`.
pub(super) fn describe_briefly(limited: LimitKind, rate: f64) -> String {
    match limited {
        LimitKind::Iops => format!("{} IOPS", brief_iops(rate)),
        LimitKind::Throughput => format!("{} MiB/s", brief(rate)),
    }
}

/// Describes a counted rate, of requests or bytes a second, in its unit.
pub fn describe_counted(limited: LimitKind, counted: f64) -> String {
    describe_rate(limited, limited.in_unit(counted))
}
