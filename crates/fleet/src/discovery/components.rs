//! Components: volumes that were on the same instances, at any time.

use std::collections::{BTreeMap, BTreeSet};

/// Number of the component of each volume, from the names of the instances that it was on. Volumes with an instance in common are of one
/// component; one without an instance is a component of its own.
pub fn components(hosts: &[BTreeSet<String>]) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..hosts.len()).collect();
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for (volume, names) in hosts.iter().enumerate() {
        for name in names {
            match first.get(name.as_str()) {
                Some(&other) => {
                    let (a, b) = (root(&mut parents, volume), root(&mut parents, other));
                    parents[a.max(b)] = a.min(b);
                }
                None => {
                    first.insert(name, volume);
                }
            }
        }
    }
    (0..hosts.len()).map(|volume| root(&mut parents, volume)).collect()
}

fn root(parents: &mut [usize], mut volume: usize) -> usize {
    while parents[volume] != volume {
        parents[volume] = parents[parents[volume]];
        volume = parents[volume];
    }
    volume
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The third volume moved from a to c: everything on both is one component.
    #[test]
    fn instances_that_shared_a_volume_are_one_component() {
        let on = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let hosts = [on(&["a"]), on(&["b"]), on(&["a", "c"]), on(&["c"]), on(&[]), on(&[])];
        assert_eq!(components(&hosts), [0, 1, 0, 0, 4, 5]);
    }
}
