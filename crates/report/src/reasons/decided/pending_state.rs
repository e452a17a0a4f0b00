//! A state that forbids the next change, as a finding.

use ebs_base::format::plain;
use ebs_samples::evidence::{PendingCause, PendingChange};
use jiff::Timestamp;

/// Describes a state that forbids the next change: `modification to gp3 500 GiB is optimizing: no other can be started`.
pub(super) fn describe_pending_state(pending: &PendingChange) -> String {
    let values = pending.values.as_deref();
    let to = values.map_or(String::new(), |values| format!(" to {values}"));
    let state = match &pending.cause {
        PendingCause::Status(status) if matches!(status.as_str(), "deleting" | "deleted" | "error") => {
            format!("state {status}: AWS refuses its modification")
        }
        PendingCause::Status(status) => {
            let values = values.map_or(String::new(), |values| format!(", pending {values}"));
            format!("status {status}{values}: its storage cannot be changed before it is available")
        }
        PendingCause::Maintenance => {
            format!("a change{to} is pending for the maintenance window: apply or withdraw it first")
        }
        PendingCause::Queued => format!("a change{to} is pending: --apply-immediately applies it too"),
        PendingCause::Modification(state) => format!("a modification{to} is {state}: no other can be started"),
        PendingCause::FourInADay => "modified four times within 24 hours: AWS refuses a fifth".to_owned(),
        PendingCause::Managed(service) => format!("managed by {}: only that changes or deletes it", plain(service)),
    };
    let earliest = pending.earliest_us.and_then(|earliest_us| Timestamp::from_microsecond(earliest_us).ok());
    earliest.map_or(state.clone(), |earliest| format!("{state}, not before {earliest}"))
}
