//! Names of actions.

use crate::row::Action;

/// Actions in the order in which they are listed.
pub(crate) const ACTIONS: [Action; 5] =
    [Action::Modify, Action::LargerInstance, Action::Delete, Action::Keep, Action::NoAnswer];

/// Returns the code of an action, as in JSON.
pub(crate) fn code(action: Action) -> &'static str {
    match action {
        Action::Keep => "keep",
        Action::Modify => "modify",
        Action::LargerInstance => "larger_instance",
        Action::Delete => "delete",
        Action::NoAnswer => "no_answer",
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_the_one_of_json() {
        for action in ACTIONS {
            assert_eq!(serde_json::to_value(action).unwrap(), code(action));
        }
    }
}
