//! Selection of indexes: greedily the one that saves most, then the next beside it.
//!
//! Finding the best set is NP-hard; greedy is what index advisors do, and near the best where savings of indexes overlap
//! (Chaudhuri, Narasayya, "An efficient cost-driven index selection tool for Microsoft SQL Server", VLDB 1997).

use serde::{Deserialize, Serialize};

/// Planner's price of one statement with certain indexes in place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Price {
    /// Planner's cost.
    pub cost: f64,
    /// Pages fetched by one execution, as the planner expects.
    pub pages: f64,
    /// Indexes that it would use, by their position among the candidates: no part of a document.
    #[serde(skip)]
    pub used: Vec<usize>,
}

/// Reason for which a statement has no price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NoPrice {
    /// The planner refused: its message.
    Failed(String),
    /// The maximum number of plans is reached.
    OutOfPlans,
    /// The time for planning is over: that of the statement, or of all.
    OutOfTime,
}

/// Access to the planner.
pub trait Planner {
    /// Prices a statement with these candidates in place.
    fn price(&mut self, statement: usize, indexes: &[usize]) -> Result<Price, NoPrice>;
}

/// A statement to be served.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// Its measured reads a second.
    pub reads_s: f64,
    /// Price without any of the candidates.
    pub base: Price,
    /// Candidates that might serve it.
    pub candidates: Vec<usize>,
}

impl Target {
    /// Estimated saving of reads a second at this price; negative if it has more pages than the base.
    pub fn saved_s(&self, price: &Price) -> f64 {
        if self.base.pages > 0.0 { self.reads_s * (1.0 - price.pages / self.base.pages) } else { 0.0 }
    }
}

/// A candidate for the selection.
#[derive(Clone, Copy, Debug, Default)]
pub struct Offer {
    /// Requests a second that it would cost.
    pub cost_s: f64,
    /// Its bytes.
    pub size_bytes: f64,
    /// The candidate with the same keys and nothing included: without its use, this one is not tried.
    pub plain: Option<usize>,
}

/// Selected indexes with all prices that led to them.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Selected candidates, best first.
    pub indexes: Vec<usize>,
    /// The price of each statement with all of them.
    pub prices: Vec<Price>,
    /// Prices of each statement with each single candidate that the planner would use.
    pub alone: Vec<Vec<(usize, Price)>>,
    /// Resource that ran out before all candidates of a statement were tried, by statement.
    pub ran_out: Vec<Option<NoPrice>>,
}

/// Least share of a statement's pages that an index has to save: estimates are no finer.
pub const MIN_SAVED_SHARE: f64 = 0.1;
/// Least share of the reads of all statements that an index has to save, after its writes.
const NEGLIGIBLE_GAIN: f64 = 0.01;
/// Relative difference from the largest saving within which the smallest indexes are chosen.
const TOLERANCE: f64 = 0.03;

/// Chooses among `offers` for `targets`.
pub fn choose(targets: &[Target], offers: &[Offer], planner: &mut dyn Planner) -> Selection {
    let mut selection =
        Selection { prices: targets.iter().map(|target| target.base.clone()).collect(), ..Selection::default() };
    selection.alone = vec![Vec::new(); targets.len()];
    selection.ran_out = vec![None; targets.len()];
    let joint = try_alone(targets, offers, planner, &mut selection);
    let mut moves: Vec<Vec<usize>> = (0..offers.len()).map(|index| vec![index]).collect();
    moves.extend(joint);
    let all_s: f64 = targets.iter().map(|target| target.reads_s).sum();
    let mut round = Round { targets, offers, planner };
    while let Some((set, prices, _)) =
        round.best(&moves, &mut selection).filter(|(_, _, net)| *net >= NEGLIGIBLE_GAIN * all_s)
    {
        selection.indexes.extend(set);
        selection.prices = prices;
    }
    // Remove indexes that later choices made superfluous.
    let Selection { indexes, prices, .. } = &mut selection;
    indexes.retain(|index| prices.iter().any(|price| price.used.contains(index)));
    selection
}

/// Prices every candidate alone, and returns the sets that are of use only together.
fn try_alone(
    targets: &[Target],
    offers: &[Offer],
    planner: &mut dyn Planner,
    selection: &mut Selection,
) -> Vec<Vec<usize>> {
    let mut sets = Vec::new();
    for (statement, target) in targets.iter().enumerate() {
        let mut used: Vec<(usize, Price)> = Vec::new();
        for &index in &target.candidates {
            let useless = |plain| target.candidates.contains(&plain) && used.iter().all(|(known, _)| *known != plain);
            if offers[index].plain.is_some_and(useless) {
                continue;
            }
            match planner.price(statement, &[index]) {
                Ok(price) if price.used.contains(&index) => used.push((index, price)),
                Ok(_) | Err(NoPrice::Failed(_)) => {}
                Err(ran_out) => selection.ran_out[statement] = Some(ran_out),
            }
        }
        let plain: Vec<usize> =
            target.candidates.iter().copied().filter(|&index| offers[index].plain.is_none()).collect();
        let best = used.iter().map(|(_, price)| price.pages).fold(target.base.pages, f64::min);
        if plain.len() > 1
            && let Ok(price) = planner.price(statement, &plain)
            && price.used.len() > 1
            && price.pages < best * (1.0 - MIN_SAVED_SHARE)
        {
            sets.push(price.used);
        }
        selection.alone[statement] = used;
    }
    sets
}

struct Round<'a> {
    targets: &'a [Target],
    offers: &'a [Offer],
    planner: &'a mut dyn Planner,
}

impl Round<'_> {
    /// The set that saves most beside the selected indexes, the prices with it, and its saving.
    fn best(&mut self, moves: &[Vec<usize>], selection: &mut Selection) -> Option<(Vec<usize>, Vec<Price>, f64)> {
        let mut worthwhile: Vec<(Vec<usize>, Vec<Price>, f64)> = Vec::new();
        for set in moves {
            let new: Vec<usize> = set.iter().copied().filter(|index| !selection.indexes.contains(index)).collect();
            if new.is_empty() {
                continue;
            }
            let prices = self.prices_with(&new, selection);
            let saved = |(target, (now, then)): (&Target, (&Price, &Price))| target.saved_s(then) - target.saved_s(now);
            let saves_enough =
                self.targets.iter().zip(selection.prices.iter().zip(&prices)).any(|(target, (now, then))| {
                    then.used.iter().any(|index| new.contains(index))
                        && now.pages - then.pages >= MIN_SAVED_SHARE * target.base.pages
                });
            let cost_s: f64 = new.iter().map(|&index| self.offers[index].cost_s).sum();
            let net_s = self.targets.iter().zip(selection.prices.iter().zip(&prices)).map(saved).sum::<f64>() - cost_s;
            if saves_enough && net_s > 0.0 {
                worthwhile.push((new, prices, net_s));
            }
        }
        let max_net_s = worthwhile.iter().map(|(_, _, net_s)| *net_s).fold(0.0, f64::max);
        let size = |set: &[usize]| set.iter().map(|&index| self.offers[index].size_bytes).sum::<f64>();
        let nearly_best = worthwhile.into_iter().filter(|(_, _, net_s)| *net_s >= max_net_s * (1.0 - TOLERANCE));
        nearly_best.min_by(|(a, _, x), (b, _, y)| size(a).total_cmp(&size(b)).then(y.total_cmp(x)))
    }

    /// Each statement's price with `new` beside the selected indexes.
    fn prices_with(&mut self, new: &[usize], selection: &mut Selection) -> Vec<Price> {
        let mut prices = selection.prices.clone();
        for (statement, target) in self.targets.iter().enumerate() {
            let applicable: Vec<usize> =
                new.iter().copied().filter(|index| target.candidates.contains(index)).collect();
            if applicable.is_empty() {
                continue;
            }
            let before = selection.indexes.iter().copied().filter(|index| target.candidates.contains(index));
            let set: Vec<usize> = before.chain(applicable.iter().copied()).collect();
            let alone = |index: &usize| selection.alone[statement].iter().find(|(known, _)| known == index);
            // An index that the planner does not use alone is useful beside others only if these changed the plan.
            let price = match (set.as_slice(), applicable.as_slice()) {
                ([index], _) => alone(index).map(|(_, price)| price.clone()),
                (_, [index]) if alone(index).is_none() && selection.prices[statement].used.is_empty() => None,
                _ => match self.planner.price(statement, &set) {
                    Ok(price) => Some(price),
                    Err(NoPrice::Failed(_)) => None,
                    Err(ran_out) => {
                        selection.ran_out[statement] = Some(ran_out);
                        None
                    }
                },
            };
            if let Some(price) = price {
                prices[statement] = price;
            }
        }
        prices
    }
}
