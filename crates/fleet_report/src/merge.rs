//! Rows of several parts of a run, put together: one row a volume.

use std::collections::HashMap;

use ebs_fleet_row::{Action, Row};

/// Rows put together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// One row a volume, in the order in which the volumes were first read.
    pub rows: Vec<Row>,
    /// Number of rows that gave way to another of the same volume and differed from it.
    pub replaced: usize,
}

/// Puts rows together. Of several rows of a volume (in one account and region) one stays: with an answer before without, then the one
/// whose evidence ends later, then the one that covers more of its time, then the one that was read last.
pub fn merge(rows: impl IntoIterator<Item = Row>) -> Merged {
    let mut merged = Merged::default();
    let mut places: HashMap<[Option<String>; 3], usize> = HashMap::new();
    for row in rows {
        let identity = [Some(row.volume.clone()), row.account.clone(), row.region.clone()];
        let Some(first) = places.get(&identity).and_then(|place| merged.rows.get_mut(*place)) else {
            places.insert(identity, merged.rows.len());
            merged.rows.push(row);
            continue;
        };
        merged.replaced += usize::from(*first != row);
        if is_better(&row, first) {
            *first = row;
        }
    }
    merged
}

/// True where the later row replaces the earlier one.
fn is_better(later: &Row, earlier: &Row) -> bool {
    // Times of RFC 3339 in UTC have the order of their texts.
    let rank = |row: &Row| (row.action != Action::NoAnswer, row.evidence.to.clone());
    let order = rank(later).cmp(&rank(earlier));
    order.then(later.evidence.coverage_pct.total_cmp(&earlier.evidence.coverage_pct)).is_ge()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use ebs_fleet_row::Evidence;

    fn row(action: Action, to: Option<&str>, coverage_pct: f64) -> Row {
        let evidence = Evidence { to: to.map(str::to_owned), coverage_pct, ..Evidence::default() };
        Row { action, evidence, ..fixtures::row("vol-1") }
    }

    #[test]
    fn an_answer_replaces_none() {
        let missing = row(Action::NoAnswer, Some("2026-11-26T00:00:00Z"), 0.0);
        let answer = row(Action::Keep, Some("2026-11-25T00:00:00Z"), 50.0);
        for rows in [[missing.clone(), answer.clone()], [answer.clone(), missing]] {
            assert_eq!(merge(rows), Merged { rows: vec![answer.clone()], replaced: 1 });
        }
    }

    #[test]
    fn later_and_then_fuller_evidence_stays() {
        let early = row(Action::Keep, Some("2026-11-25T00:00:00Z"), 100.0);
        let late = row(Action::Keep, Some("2026-11-26T00:00:00Z"), 50.0);
        let fuller = row(Action::Keep, Some("2026-11-26T00:00:00Z"), 60.0);
        assert_eq!(merge([late.clone(), early]).rows, std::slice::from_ref(&late));
        assert_eq!(merge([fuller.clone(), late]).rows, std::slice::from_ref(&fuller));
        assert_eq!(merge([fuller.clone(), fuller.clone()]), Merged { rows: vec![fuller], replaced: 0 });
    }

    #[test]
    fn a_volume_of_another_account_is_another() {
        let other = Row { account: Some("2".to_owned()), ..fixtures::row("vol-1") };
        let rows = vec![fixtures::row("vol-1"), other, fixtures::row("vol-2")];
        assert_eq!(merge(rows.clone()), Merged { rows, replaced: 0 });
    }
}
