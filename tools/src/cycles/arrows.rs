//! Arrows between files: a file names items that another defines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Names of items by the pair of files: the one that uses them, the one that defines them.
#[derive(Debug, Default)]
pub struct Arrows(BTreeMap<(PathBuf, PathBuf), BTreeSet<String>>);

impl Arrows {
    /// Adds a name that `from` uses and `to` defines, unless they are the same file.
    pub fn add(&mut self, from: &Path, to: &Path, name: String) {
        if from != to {
            self.0.entry((from.to_owned(), to.to_owned())).or_default().insert(name);
        }
    }

    /// Every arrow: from, to, names.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, &Path, &BTreeSet<String>)> {
        self.0.iter().map(|((from, to), names)| (from.as_path(), to.as_path(), names))
    }

    /// The arrows between groups of files. `group` returns the group of a file, or `None`.
    pub fn between_groups(&self, group: impl Fn(&Path) -> Option<PathBuf>) -> Arrows {
        let mut grouped = Arrows::default();
        for (from, to, names) in self.iter() {
            if let (Some(from_group), Some(to_group)) = (group(from), group(to)) {
                let names = names.iter().cloned().collect::<Vec<_>>().join(", ");
                grouped.add(&from_group, &to_group, format!("{} -> {}: {names}", from.display(), to.display()));
            }
        }
        grouped
    }
}
