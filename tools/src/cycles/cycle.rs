//! Strongly connected components of the graph of files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::Arrows;

/// Files of a strongly connected component, with the arrows between them.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Cycle {
    /// Using file, defining file and names of each arrow, in the order of the files.
    pub arrows: Vec<(PathBuf, PathBuf, Vec<String>)>,
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files: BTreeSet<&PathBuf> = self.arrows.iter().map(|(from, ..)| from).collect();
        writeln!(f, "cycle of {}:", files.len())?;
        for (from, to, names) in &self.arrows {
            writeln!(f, "    {} -> {}: {}", from.display(), to.display(), names.join(", "))?;
        }
        Ok(())
    }
}

/// Returns the strongly connected components of more than one file.
pub fn find_cycles(arrows: &Arrows) -> Vec<Cycle> {
    let graph: DiGraphMap<&Path, ()> = arrows.iter().map(|(from, to, _)| (from, to)).collect();
    let components = tarjan_scc(&graph);
    let numbered = components.iter().enumerate();
    let component_of: BTreeMap<&Path, usize> =
        numbered.flat_map(|(number, files)| files.iter().map(move |file| (*file, number))).collect();
    let mut cycles: BTreeMap<usize, Cycle> = BTreeMap::new();
    for (from, to, names) in arrows.iter() {
        if component_of[from] == component_of[to] {
            let cycle = cycles.entry(component_of[from]).or_insert_with(|| Cycle { arrows: Vec::new() });
            cycle.arrows.push((from.to_owned(), to.to_owned(), names.iter().cloned().collect()));
        }
    }
    cycles.into_values().collect()
}
