//! What can be charted.

use crate::error::Refusal;
use crate::input;
use crate::mix::{RECIPES, Recipe};

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
    let wanted = input::name(name).to_lowercase().replace('_', " ");
    let over_time = RECIPES.iter().find(|recipe| recipe.metric == wanted).map(Metric::OverTime);
    let other = || OTHERS.iter().find(|(name, _)| *name == wanted).map(|(_, metric)| *metric);
    over_time.or_else(other).ok_or_else(|| {
        let near = metrics()
            .map(|known| (strsim::jaro_winkler(&wanted, known), known))
            .filter(|(likeness, _)| *likeness > 0.85)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let meant = near.map_or(String::new(), |(_, known)| format!("Perhaps you meant \"{known}\". "));
        let accepted = format!("{meant}Accepted are {}.", metrics().collect::<Vec<_>>().join(", "));
        Refusal::unknown("metric", name, accepted)
    })
}
