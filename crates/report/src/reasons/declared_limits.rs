//! Check of the declared volumes: a demand above a volume's limits means another volume, or a cache in front of it.

use super::unit::describe_briefly;
use crate::Report;
use ebs_advice::{ExceededDeclaration, RefutedLimit, RoleAdvice};
use ebs_aws::catalogue::LimitKind;
use ebs_base::format::count;

/// Describes volumes whose declaration is in doubt, a sentence each.
pub(super) fn describe_doubts(report: &Report) -> Vec<String> {
    report.roles().flat_map(|role| [describe_doubt(role), describe_refuted_doubt(role)]).flatten().collect()
}

fn describe_refuted_doubt(role: &RoleAdvice) -> Option<String> {
    let refuted = role.present().refuted_limit()?;
    let found = describe_refuted(&refuted);
    Some(format!(
        "whether {} has the declared limit ({found}): an old declaration, the instance, or the file system would explain it",
        role.state.group.role
    ))
}

/// Describes a limit below the declared one: `the samples show a limit at 3,000 IOPS, below the declared 12,000`.
pub(super) fn describe_refuted(refuted: &RefutedLimit) -> String {
    let [level, declared] = [refuted.level, refuted.declared].map(|counted| refuted.limited.in_unit(counted));
    let (level, declared) = (describe_briefly(refuted.limited, level), count(declared));
    format!("the samples show a limit at {level}, below the declared {declared}")
}

fn describe_doubt(role: &RoleAdvice) -> Option<String> {
    let exceeded = role.current.as_ref()?.exceeded?;
    let merged = match exceeded.limited {
        LimitKind::Iops => "; small sequential requests, which EBS counts together, would explain it too",
        LimitKind::Throughput => "",
    };
    let (group, found) = (&role.state.group.role, describe_exceeded(&exceeded));
    Some(format!("whether {group} is on the volume that was declared ({found}{merged})"))
}

/// Describes a declaration that cannot be right: `up to 5,092 IOPS observed, 3,000 declared: check the declaration`.
pub(super) fn describe_exceeded(exceeded: &ExceededDeclaration) -> String {
    let (observed, declared) = (describe_briefly(exceeded.limited, exceeded.observed), count(exceeded.declared));
    format!("up to {observed} observed, {declared} declared: check the declaration")
}
