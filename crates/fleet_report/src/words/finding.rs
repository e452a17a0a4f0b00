//! Findings on a volume of a fleet.

use ebs_advice::{Action, Finding};
use ebs_base::format::plain;
use ebs_fleet::{Reason, Unseen, VolumeAnswer};
use ebs_report::reasons::decided;
use jiff::Timestamp;

use super::{coded, decided_of, from_coded};
use ebs_fleet_row::Coded;

/// Describes a finding: those of discovery here, those of the decision as a report does.
pub fn describe_finding(finding: &Finding, answer: &VolumeAnswer) -> Coded {
    match finding {
        Finding::Unattached { last_io_us, last_seen_us } => {
            coded("unattached", unattached(*last_io_us, *last_seen_us, answer))
        }
        Finding::Moved { instances } => {
            let last = answer.identity.instance.as_deref().unwrap_or("an unknown instance");
            coded("moved", format!("moved: attached to {} in this period, last to {last}", instances.join(", ")))
        }
        finding => from_coded(decided::describe_finding(finding, &decided_of(answer))),
    }
}

/// Describes a volume that documents attach to no instance.
fn unattached(last_io_us: Option<i64>, last_seen_us: Option<i64>, answer: &VolumeAnswer) -> String {
    let time = |us: i64| Timestamp::from_second(us.div_euclid(1_000_000)).ok();
    let by = "attached to no instance by describe-volumes";
    let has_counts = answer.evidence.interval_s.is_some();
    match (last_io_us.and_then(time), last_seen_us.and_then(time)) {
        (Some(last), _) => format!("{by}; last I/O at {last}"),
        (None, Some(last)) => {
            format!("{by}; {} at {last}{}", seen(answer), if has_counts { ", without I/O" } else { "" })
        }
        (None, None) if answer.action == Action::Delete => "attached to no instance".to_owned(),
        (None, None) if matches!(answer.reason, Reason::Unseen(Unseen::Mounted)) => {
            format!("{by}; mounted by a kubelet in the requested period")
        }
        (None, None) => by.to_owned(),
    }
}

/// Describes the place where an exporter last saw a volume: `mounted at /data on i-0a1, last seen`.
fn seen(answer: &VolumeAnswer) -> String {
    let host = answer.identity.instance.as_deref().map_or(String::new(), |host| format!(" on {}", plain(host)));
    let mountpoints: Vec<String> = answer.identity.mountpoints.iter().map(|path| plain(path)).collect();
    match mountpoints.is_empty() {
        true => format!("last seen{host}"),
        false => format!("mounted at {}{host}, last seen", mountpoints.join(", ")),
    }
}
