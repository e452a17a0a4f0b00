//! Names of actions.

use std::borrow::Cow;

use ebs_base::format::plain;
use ebs_fleet_row::{Action, Row};

/// Actions in the order in which they are listed.
pub(crate) const ACTIONS: [Action; 5] =
    [Action::Modify, Action::LargerInstance, Action::Delete, Action::Keep, Action::NoAnswer];

/// Returns the words for an action.
pub(crate) fn describe(action: Action) -> &'static str {
    match action {
        Action::Keep => "keep",
        Action::Modify => "modify",
        Action::LargerInstance => "larger instance",
        Action::Delete => "snapshot, delete",
        Action::NoAnswer => "no answer",
    }
}

/// Returns the words for the action on a row, with the name of a larger instance: `instance m5.xlarge`.
pub(crate) fn describe_named(row: &Row) -> Cow<'static, str> {
    match (row.action, &row.larger_instance) {
        (Action::LargerInstance, Some(larger)) => format!("instance {}", plain(larger)).into(),
        (action, _) => describe(action).into(),
    }
}
