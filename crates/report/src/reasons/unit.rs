//! Units of limits.

use ebs_aws::catalogue::LimitKind;
use ebs_prediction::BindingLimit;

/// Unit of a size, or of a limited rate.
pub(super) fn describe_unit(limit: BindingLimit) -> &'static str {
    limit.kind().map_or("GiB", LimitKind::unit)
}
