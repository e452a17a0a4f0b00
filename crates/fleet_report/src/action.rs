//! Names of actions.

use ebs_fleet_row::Action;

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
