//! The current volumes of a role beside the recommended ones.

use super::declarations::{describe_declaring_call, describe_origin};
use super::{changes, order};
use crate::Report;
use crate::clip::clip;
use ebs_advice::{Candidate, CurrentVolume, RoleAdvice};
use ebs_base::format::{count, usd, whole_pct};
use ebs_base::units::Usd;
use ebs_workload::attached::Attached;
use ebs_workload::declarations::Declared;

/// Describes the current volumes with their price and its difference to that of `other`: `gp2  500 GiB …: $50.00 a month, $10.00
/// more than the recommended`. Where they are EBS and not declared, the statement that declares them; `None` elsewhere.
pub fn describe(report: &Report, role: &RoleAdvice, other: Option<&Candidate>) -> Option<String> {
    let Some(current) = &role.current else {
        let volume = report.volume(role)?;
        Attached::find(volume, report.declared)?;
        let device = clip(&volume.device, 20);
        let call = describe_declaring_call(report);
        return Some(format!("{device} is EBS of unknown type and price: SELECT {call} to compare"));
    };
    let price = current.bill.map_or("price unknown".to_owned(), |bill| format!("{} a month", usd(bill.total())));
    let saving = other.and_then(|other| other.saving).map_or(String::new(), describe_saving);
    let throttled = current.outcome.map(|outcome| outcome.throttled_pct()).filter(|throttled| *throttled > 0.0);
    let throttled = throttled.map_or(String::new(), |pct| format!("; throttled {} of seconds", whole_pct(pct / 100.0)));
    let exhausted = current.outcome.and_then(|outcome| outcome.credits).filter(|credits| credits.for_good);
    let exhausted = exhausted
        .map_or(String::new(), |credits| format!("; without burst credits after {} s", count(credits.after_s)));
    let declared: Vec<&Declared> = report.volumes(role).flat_map(|volume| report.declared.find(volume)).collect();
    let side = changes::describe_current(report, &declared).map_or(String::new(), |side| format!(", {side}"));
    let origin = describe_origin(&declared).map_or(String::new(), |origin| format!(" ({origin}{side})"));
    Some(format!("{}: {price}{saving}{exhausted}{throttled}{origin}", describe_volumes(current)))
}

/// Describes kinds and numbers of the current volumes.
fn describe_volumes(current: &CurrentVolume) -> String {
    let volumes: Vec<String> =
        current.volumes.iter().map(|(config, count)| order::describe_briefly(config, *count)).collect();
    clip(&volumes.join(" + "), if volumes.len() > 1 { 60 } else { 40 })
}

fn describe_saving(saving: Usd) -> String {
    match saving {
        saving if saving > Usd::default() => format!(", the change saves {}", usd(saving)),
        saving if saving < Usd::default() => format!(", the change adds {}", usd(Usd::default() - saving)),
        _ => ", the same price".to_owned(),
    }
}
