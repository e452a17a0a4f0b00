//! A change of one volume.

use ebs_advice::{AwsResource, StorageAttributes};
use ebs_fleet_row::Row;

/// A change of one volume.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Change<'a> {
    pub(super) row: &'a Row,
    pub(super) resource: AwsResource,
    pub(super) before: StorageAttributes,
    pub(super) after: StorageAttributes,
    /// Attributes of the way back: those before it, as far as the size after it allows; that after it where the type before has no such
    /// size.
    pub(super) back: StorageAttributes,
}

impl<'a> Change<'a> {
    /// Returns namespace and name of the claim; `None` without one whose name Kubernetes could have.
    pub(super) fn claim(&self) -> Option<(&'a str, &'a str)> {
        let (namespace, name) = self.row.claim.as_deref()?.split_once('/')?;
        let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let is_name = |text: &str| {
            let ends = [text.bytes().next(), text.bytes().last()];
            ends.iter().all(|end| end.is_some_and(letter))
                && text.bytes().all(|byte| letter(byte) || b"-.".contains(&byte))
        };
        (is_name(namespace) && is_name(name)).then_some((namespace, name))
    }

    /// True where the way back changes anything: a size alone stays, and so does a type where the one before has no such size.
    pub(super) fn has_way_back(&self) -> bool {
        self.back != self.after
    }

    /// True where the volume grows, which cannot be undone.
    pub(super) fn grows(&self) -> bool {
        self.after.size_gib > self.before.size_gib
    }
}
