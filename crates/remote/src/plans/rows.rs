//! Columns of a subquery's rows. The node that reads them names them as the statement does, and the subquery's own output has the
//! expressions, so that names and expressions are matched.

use std::collections::{BTreeSet, HashMap};

/// True of a node whose inputs have all columns in the order of the subquery; others take the columns that they need, in any order
/// (use_physical_tlist in createplan.c).
pub(super) fn hands_all_on(parent: &str) -> bool {
    ["Nested Loop", "Hash Join", "Merge Join", "Aggregate", "WindowAgg", "Append", "Merge Append"].contains(&parent)
}

/// Adds the positions of named columns among the outputs of a subquery, which have these labels. A name that is the label of one output
/// is that output; of the others, the one that is left, or those in the same places, where all outputs are there `in_order`.
pub(super) fn match_columns(
    names: &[Option<&str>],
    labels: &[Option<&str>],
    in_order: bool,
    known: &mut HashMap<String, usize>,
) {
    let mut places: HashMap<&str, Option<usize>> = HashMap::new();
    for (at, label) in labels.iter().enumerate() {
        if let Some(label) = label {
            places.entry(label).and_modify(|place| *place = None).or_insert(Some(at));
        }
    }
    let find = |name: &Option<&str>| name.and_then(|name| places.get(name).copied().flatten());
    let matched: Vec<Option<usize>> = names.iter().map(find).collect();
    let is_whole = labels.len() == names.len();
    let agrees = |(at, place): (usize, &Option<usize>)| place.is_none_or(|place| place == at);
    let in_order = in_order && is_whole && matched.iter().enumerate().all(agrees);
    let taken: BTreeSet<usize> = matched.iter().flatten().copied().collect();
    let left = (0..labels.len()).find(|at| !taken.contains(at)).filter(|_| is_whole && taken.len() + 1 == labels.len());
    for (at, name) in names.iter().enumerate() {
        let place = matched[at].or(if in_order { Some(at) } else { left });
        if let (Some(name), Some(place)) = (name, place) {
            known.entry((*name).to_owned()).or_insert(place);
        }
    }
    // Columns that are tested and not handed on.
    for (label, place) in places {
        if let Some(place) = place {
            known.entry(label.to_owned()).or_insert(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(names: &[&str], labels: &[&str], in_order: bool) -> Vec<Option<usize>> {
        let all: Vec<Option<&str>> = names.iter().copied().map(Some).collect();
        // An expression has no label.
        let labels: Vec<Option<&str>> =
            labels.iter().map(|label| Some(*label).filter(|label| !label.is_empty())).collect();
        let mut known = HashMap::new();
        match_columns(&all, &labels, in_order, &mut known);
        names.iter().map(|name| known.get(*name).copied()).collect()
    }

    #[test]
    fn a_column_keeps_its_name_in_any_order() {
        assert_eq!(matched(&["b", "a"], &["a", "b", "c"], false), [Some(1), Some(0)]);
    }

    #[test]
    fn the_one_that_is_left_has_the_other_name() {
        assert_eq!(matched(&["n", "a"], &["a", "count"], false), [Some(1), Some(0)]);
        assert_eq!(matched(&["n", "a"], &["a", "count", ""], false), [None, Some(0)]);
    }

    #[test]
    fn other_names_count_in_order_only() {
        assert_eq!(matched(&["x", "y"], &["a", "b"], true), [Some(0), Some(1)]);
        assert_eq!(matched(&["x", "y"], &["a", "b"], false), [None, None]);
        assert_eq!(matched(&["b", "x", "y"], &["a", "b", "c"], true), [Some(1), None, None]);
    }

    #[test]
    fn a_label_that_two_outputs_have_tells_none() {
        assert_eq!(matched(&["id", "at"], &["id", "id"], false), [None, None]);
    }
}
