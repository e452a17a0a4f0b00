//! Number of pages that the planner expects a plan to fetch.
//!
//! A plan has costs, not pages. But its cost is linear in seq_page_cost and random_page_cost: each page that
//! costsize.c expects to be fetched adds one of the two (index_pages_fetched, which is Mackert and Lohman's formula, the
//! interpolation by correlation, what a Limit cuts off, and the loops of a join are all in that number already). So the
//! same plan is asked for twice, the second time with both settings raised by the same step: what the cost grows by,
//! divided by the step, is the number of pages. Upper levels of a b-tree are not in it, the planner takes them to be in
//! memory (btcostestimate), and neither are the pages of temporary files, which are taken off here.
//!
//! Source: src/backend/optimizer/path/costsize.c and src/backend/utils/adt/selfuncs.c of PostgreSQL 16 to 18;
//! L. F. Mackert, G. M. Lohman, "Index scans using a finite LRU buffer", ACM TODS 14(3), 1989.

use super::plan::{Kind, Plan};

/// Increase of both page costs: a thousandth of what a page costs by default, too little for the planner to change
/// its mind.
pub const COST_STEP: f64 = 0.001;

/// The settings that a page costs (PostgreSQL's names).
pub const PAGE_COSTS: [&str; 2] = ["seq_page_cost", "random_page_cost"];

/// Pages of tables and indexes that the planner expects one execution to fetch, whether they are in memory or not; `None`
/// where the two plans differ.
pub fn pages(plan: &Plan, raised: &Plan) -> Option<f64> {
    if !plan.same_shape(raised) {
        return None;
    }
    let grown: Vec<f64> =
        plan.nodes.iter().zip(&raised.nodes).map(|(one, two)| (two.total_cost - one.total_cost) / COST_STEP).collect();
    let pages = grown.first().copied().unwrap_or(0.0) - temporary(plan, &grown);
    // What floating point leaves of a cost of 1e9 is a ten thousandth of a page.
    Some((pages.max(0.0) * 100.0).round() / 100.0)
}

/// Pages of temporary files: what a sort, a hash join or a hashed aggregate adds to what is below it.
fn temporary(plan: &Plan, grown: &[f64]) -> f64 {
    let mut below = vec![0.0; grown.len()];
    for (node, grown) in plan.nodes.iter().zip(grown) {
        if let Some(sum) = node.parent.and_then(|parent| below.get_mut(parent)) {
            *sum += grown;
        }
    }
    let spills = plan.nodes.iter().zip(grown.iter().zip(&below)).filter(|(node, _)| node.kind == Kind::Spills);
    spills.map(|(_, (grown, below))| (grown - below).max(0.0)).sum()
}
