//! What can be charted.

use ebs_base::error::Refusal;
use ebs_base::names;
use ebs_workload::mix::{RECIPES, Recipe};

/// Least similarity of a figure that is suggested: their names have words in common.
const SIMILAR: f64 = 0.85;

/// What is charted.
#[derive(Clone, Copy)]
pub enum Metric {
    /// A figure of the volumes over time.
    OverTime(&'static Recipe),
    /// Wait events of sessions at work.
    Waits,
    /// PostgreSQL's bytes by source.
    Sources,
    /// Requests by latency, where the evidence has them one by one.
    Latencies,
}

/// Those that are not over time.
const OTHERS: [(&str, Metric); 3] =
    [("waits", Metric::Waits), ("sources", Metric::Sources), ("latencies", Metric::Latencies)];

/// Every name, as it may be written.
pub fn metrics() -> impl Iterator<Item = &'static str> {
    RECIPES.iter().map(|recipe| recipe.metric).chain(OTHERS.iter().map(|(name, _)| *name))
}

/// What a name means: as in ebs_io_mix, or with underscores.
pub fn metric(name: &str) -> Result<Metric, Refusal> {
    let wanted = names::bounded(name).map(|name| name.to_lowercase().replace('_', " "));
    wanted.as_deref().and_then(known).ok_or_else(|| {
        let near = wanted.map(|wanted| names::similar(&wanted, metrics(), SIMILAR)).unwrap_or_default();
        let meant = near.first().map_or(String::new(), |near| format!("Perhaps you meant \"{near}\". "));
        let accepted = format!("{meant}Accepted are {}.", metrics().collect::<Vec<_>>().join(", "));
        Refusal::UnknownName { what: "metric", name: names::quoted(name), accepted }
    })
}

/// What is charted by this name.
fn known(name: &str) -> Option<Metric> {
    let over_time = RECIPES.iter().find(|recipe| recipe.metric == name).map(Metric::OverTime);
    over_time.or_else(|| OTHERS.iter().find(|(other, _)| *other == name).map(|(_, metric)| *metric))
}
