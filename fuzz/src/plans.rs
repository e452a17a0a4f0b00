//! Plans that a watched server writes, and texts of its statements.

use std::collections::BTreeMap;

use ebs_remote::plans::PlanReader;
use ebs_remote::plans::statement::{columns_set, with_limit};
use ebs_tuning::indexes::condition::Clause;
use ebs_tuning::indexes::plan::Relation;
use ebs_tuning::indexes::usage::uses;

/// Document of a plan. Nodes stand behind those above them, conditions name numbers of tables, and the same document is the same plan.
pub fn plan_document(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = columns_set(text);
    if let Some(limited) = with_limit(text, 12) {
        assert!(limited.len() <= text.len() + 2 && with_limit(&limited, 12).is_none(), "{limited}");
    }
    let mut reader = PlanReader::new();
    let Ok(plan) = reader.read(text) else { return };
    assert!(plan.same_shape(&reader.read(text).expect("a plan that was read")));
    let mut tables: BTreeMap<u32, &Relation> = BTreeMap::new();
    for (position, node) in plan.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| parent < position));
        if let Some(relation) = &node.relation {
            tables.entry(relation.number).or_insert(relation);
        }
        for clause in &node.clauses {
            if let Clause::Fixed { column, predicate, .. } = clause {
                assert!(predicate.contains(&column.name.replace('"', "\"\"")), "{predicate}");
            }
        }
    }
    assert!(uses(&plan).iter().all(|table| tables.contains_key(&table.relation.number)));
}

/// Plans that PostgreSQL 16 and 18 wrote, and the statements that they are of.
pub fn seeds() -> Vec<Vec<u8>> {
    let recorded = [
        include_str!("../../crates/remote/src/plans/recorded/pg16.txt"),
        include_str!("../../crates/remote/src/plans/recorded/pg18.txt"),
        include_str!("../../crates/remote/src/plans/recorded/statements.txt"),
    ];
    let texts = recorded.iter().flat_map(|file| file.lines().filter_map(|line| Some(line.split_once('|')?.1)));
    texts.map(|text| text.as_bytes().to_vec()).collect()
}
