//! Arrows between files: a file names items that another defines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// From a file to one that it names items of, with these names.
#[derive(Debug, Default)]
pub struct Arrows(BTreeMap<(PathBuf, PathBuf), BTreeSet<String>>);

impl Arrows {
    /// Adds a name that `from` takes from `to`; a file's own names are no arrow.
    pub fn add(&mut self, from: &Path, to: &Path, name: String) {
        if from != to {
            self.0.entry((from.to_owned(), to.to_owned())).or_default().insert(name);
        }
    }

    /// Every arrow: from, to, names.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, &Path, &BTreeSet<String>)> {
        self.0.iter().map(|((from, to), names)| (from.as_path(), to.as_path(), names))
    }

    /// The arrows between groups of files: a file belongs to what `group` returns for it, or to none.
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
