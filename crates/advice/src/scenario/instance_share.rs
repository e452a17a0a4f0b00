//! Share of a part of the volumes in what the instance carries.

use ebs_aws::catalogue::{Ceiling, LimitKind};

/// Limits that an instance leaves to a part of its volumes: the rest of what the others ask for, as far as it carries that, by the percentile of the
/// demand on the part and on all of them. Where it does not carry all, this is the part's share of the demand; where the others are busy at
/// other times, all of it.
pub fn instance_share(instance: Ceiling, part: Ceiling, all: Ceiling) -> Ceiling {
    let left = |kind: LimitKind| {
        let (instance, others) = (instance.rate(kind), (all.rate(kind) - part.rate(kind)).max(0.0));
        instance - others * instance / instance.max(all.rate(kind))
    };
    Ceiling { iops: left(LimitKind::Iops), mibps: left(LimitKind::Throughput) }
}
