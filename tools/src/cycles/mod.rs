//! Cycles between the files of a crate: a file names an item that another file defines, and that one, directly or through further
//! files, names an item of the first.
//!
//! A crate is read from its root. Every path in its code is resolved to the file that defines the item, through imports,
//! re-exports and globs; a facade that only re-exports adds no arrow. Test code is left out.

mod arrows;
mod cycle;
mod flatten;
mod module_tree;
mod names;
mod references;
mod resolve;
mod tokens;

use std::path::Path;

pub use arrows::Arrows;
pub use cycle::{Cycle, find_cycles};
pub use module_tree::{CrateError, Sources};

use module_tree::ModuleTree;
use resolve::Resolver;

/// Returns the arrows between the files of the crate whose root is `root`.
pub fn draw_arrows(root: &Path, sources: Sources<'_>) -> Result<Arrows, CrateError> {
    let tree = ModuleTree::load(root, sources)?;
    Ok(references::collect_arrows(&Resolver::new(&tree)))
}

#[cfg(test)]
#[path = "cycles_tests.rs"]
mod tests;
