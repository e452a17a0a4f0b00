//! The catalogue: what AWS sells, its limits and its prices. Every row has a source and a date.

mod class;
mod config;
mod instances;
mod platform;
mod prices;
mod volume_type;

pub use class::{Class, IopsRule, MibpsRule, Purpose, classes, classes_of};
pub use config::{Ceiling, Illegal, VolumeConfig};
pub use instances::{Instance, Sustained, instance, instances, known_instance};
pub use platform::Platform;
pub use prices::{Item, PRICES_AS_OF, Part, Price, Prices, Status, prices, regions};
pub use volume_type::{Promise, VolumeType};

/// Up to three names that resemble a mistyped one, best first (Jaro-Winkler similarity, whose work grows with the product of
/// the lengths: `name` is one that [`crate::input::name`] gave).
fn resembling<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut scored: Vec<(f64, &str)> = known.map(|k| (strsim::jaro_winkler(name, k), k)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(3).filter(|(score, _)| *score > 0.7).map(|(_, known)| known).collect()
}
