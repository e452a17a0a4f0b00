//! How many pages the planner expects a plan to fetch.
//!
//! EXPLAIN prints costs, not pages. But a plan's cost is linear in seq_page_cost and random_page_cost: each page that
//! costsize.c expects to be fetched adds one of the two (index_pages_fetched, which is Mackert and Lohman's formula, the
//! interpolation by correlation, what a Limit cuts off, and the loops of a join are all in that number already). So the
//! same plan is asked for twice, the second time with both settings raised by the same step: what the cost grows by,
//! divided by the step, is the number of pages. Upper levels of a b-tree are not in it, the planner takes them to be in
//! memory (btcostestimate), and neither are the pages of temporary files, which are taken off here.
//!
//! Source: src/backend/optimizer/path/costsize.c and src/backend/utils/adt/selfuncs.c of PostgreSQL 16 to 18;
//! L. F. Mackert, G. M. Lohman, "Index scans using a finite LRU buffer", ACM TODS 14(3), 1989.

use super::plan::Node;

/// All costs are multiplied by this, which changes no choice of the planner's: EXPLAIN prints two decimals.
pub const SCALE: f64 = 1_000.0;
/// By so much both page costs are raised, in scaled units: a thousandth of what a page costs by default, too little for
/// the planner to change its mind.
pub const STEP: f64 = 1.0;

/// The settings that costs are made of (PostgreSQL's names).
pub const COSTS: [&str; 7] = [
    "seq_page_cost",
    "random_page_cost",
    "cpu_tuple_cost",
    "cpu_index_tuple_cost",
    "cpu_operator_cost",
    "parallel_tuple_cost",
    "parallel_setup_cost",
];

/// What to set them to, given what they are: scaled, and with the page costs raised where `raised`.
pub fn scaled(now: &[f64; 7], raised: bool) -> Vec<(&'static str, f64)> {
    let step = |name: &str| if raised && name.ends_with("page_cost") { STEP } else { 0.0 };
    COSTS.iter().zip(now).map(|(name, value)| (*name, value * SCALE + step(name))).collect()
}

/// Pages of tables and indexes that the planner expects one execution to fetch, whether they are in memory or not; `None`
/// where the two plans differ.
pub fn pages(plan: &Node, raised: &Node) -> Option<f64> {
    // Costs are printed to a hundredth.
    let pages = || (grown(plan, raised) - temporary(plan, raised)).max(0.0);
    plan.same_shape(raised).then(|| (pages() * 100.0).round() / 100.0)
}

fn grown(plan: &Node, raised: &Node) -> f64 {
    (raised.total_cost - plan.total_cost) / STEP
}

/// Pages of temporary files: what a sort, a hash join or a hashed aggregate adds to what is below it.
fn temporary(plan: &Node, raised: &Node) -> f64 {
    let spills = match plan.kind.as_str() {
        "Sort" | "Hash Join" => true,
        "Aggregate" => plan.strategy.as_deref() == Some("Hashed"),
        _ => false,
    };
    let below = || plan.children.iter().zip(&raised.children);
    let own = match spills {
        true => (grown(plan, raised) - below().map(|(one, two)| grown(one, two)).sum::<f64>()).max(0.0),
        false => 0.0,
    };
    own + below().map(|(one, two)| temporary(one, two)).sum::<f64>()
}
