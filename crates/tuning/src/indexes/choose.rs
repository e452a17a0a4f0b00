//! Selection of indexes: greedily the one that saves most, then the next beside it.
//!
//! Finding the best set is NP-hard; greedy is what index advisors do, and near the best where savings of indexes overlap
//! (Chaudhuri, Narasayya, "An efficient cost-driven index selection tool for Microsoft SQL Server", VLDB 1997).

/// Planner's price of one statement with certain indexes in place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Price {
    /// Planner's cost.
    pub cost: f64,
    /// Pages fetched by one execution, as the planner expects.
    pub pages: f64,
    /// Indexes that it would use.
    pub used: Vec<usize>,
}

/// Reason for which there is no price.
#[derive(Clone, Debug, PartialEq)]
pub enum NoPrice {
    /// The planner refused: its message.
    Failed(String),
    /// There have been as many plans as were allowed.
    OutOfPlans,
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
    /// Reads a second that it is estimated to save at this price. More pages than now are a loss.
    pub fn saved_s(&self, price: &Price) -> f64 {
        if self.base.pages > 0.0 { self.reads_s * (1.0 - price.pages / self.base.pages) } else { 0.0 }
    }
}

/// A candidate, as the choice sees it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Offer {
    /// Requests a second that it would cost.
    pub cost_s: f64,
    /// Its bytes.
    pub size_bytes: f64,
    /// The candidate with the same keys and nothing added: not tried where that one is of no use.
    pub plain: Option<usize>,
}

/// Selected indexes with all prices that led to them.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Selected candidates, best first.
    pub indexes: Vec<usize>,
    /// The price of each statement with all of them.
    pub prices: Vec<Price>,
    /// Of each statement, the price with each candidate alone that the planner would use.
    pub alone: Vec<Vec<(usize, Price)>>,
    /// True if plans ran out.
    pub cut_short: bool,
}

/// Least share of a statement's pages that an index has to save: estimates are no finer.
pub const MIN_SAVED_SHARE: f64 = 0.1;
/// Least share of the reads of all statements that an index has to save, after its writes.
const NEGLIGIBLE_GAIN: f64 = 0.01;
/// Within this share of the best, the smallest is taken.
const TOLERANCE: f64 = 0.03;

/// Chooses among `offers` for `targets`.
pub fn choose(targets: &[Target], offers: &[Offer], planner: &mut dyn Planner) -> Selection {
    let mut selection =
        Selection { prices: targets.iter().map(|of| of.base.clone()).collect(), ..Selection::default() };
    selection.alone = vec![Vec::new(); targets.len()];
    let joint = try_alone(targets, offers, planner, &mut selection);
    let mut moves: Vec<Vec<usize>> = (0..offers.len()).map(|index| vec![index]).collect();
    moves.extend(joint);
    let all_s: f64 = targets.iter().map(|of| of.reads_s).sum();
    let mut round = Round { targets, offers, planner };
    while let Some((set, prices, _)) =
        round.best(&moves, &mut selection).filter(|(_, _, net)| *net >= NEGLIGIBLE_GAIN * all_s)
    {
        selection.indexes.extend(set);
        selection.prices = prices;
    }
    // Indexes that later choices made superfluous are removed.
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
    for (statement, of) in targets.iter().enumerate() {
        let mut seen: Vec<(usize, Price)> = Vec::new();
        for &index in &of.candidates {
            let useless = |plain| of.candidates.contains(&plain) && seen.iter().all(|(known, _)| *known != plain);
            if offers[index].plain.is_some_and(useless) {
                continue;
            }
            match planner.price(statement, &[index]) {
                Ok(price) if price.used.contains(&index) => seen.push((index, price)),
                Ok(_) | Err(NoPrice::Failed(_)) => {}
                Err(NoPrice::OutOfPlans) => selection.cut_short = true,
            }
        }
        let plain: Vec<usize> = of.candidates.iter().copied().filter(|&index| offers[index].plain.is_none()).collect();
        let best = seen.iter().map(|(_, price)| price.pages).fold(of.base.pages, f64::min);
        if plain.len() > 1
            && let Ok(price) = planner.price(statement, &plain)
            && price.used.len() > 1
            && price.pages < best * (1.0 - MIN_SAVED_SHARE)
        {
            sets.push(price.used);
        }
        selection.alone[statement] = seen;
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
        let mut found: Vec<(Vec<usize>, Vec<Price>, f64)> = Vec::new();
        for set in moves {
            let new: Vec<usize> = set.iter().copied().filter(|index| !selection.indexes.contains(index)).collect();
            if new.is_empty() {
                continue;
            }
            let prices = self.prices_with(&new, selection);
            let saved = |(of, (now, then)): (&Target, (&Price, &Price))| of.saved_s(then) - of.saved_s(now);
            let serious = self.targets.iter().zip(selection.prices.iter().zip(&prices)).any(|(of, (now, then))| {
                then.used.iter().any(|index| new.contains(index))
                    && now.pages - then.pages >= MIN_SAVED_SHARE * of.base.pages
            });
            let cost_s: f64 = new.iter().map(|&index| self.offers[index].cost_s).sum();
            let net_s = self.targets.iter().zip(selection.prices.iter().zip(&prices)).map(saved).sum::<f64>() - cost_s;
            if serious && net_s > 0.0 {
                found.push((new, prices, net_s));
            }
        }
        let most = found.iter().map(|(_, _, net_s)| *net_s).fold(0.0, f64::max);
        let size = |set: &[usize]| set.iter().map(|&index| self.offers[index].size_bytes).sum::<f64>();
        let alike = found.into_iter().filter(|(_, _, net_s)| *net_s >= most * (1.0 - TOLERANCE));
        alike.min_by(|(a, _, x), (b, _, y)| size(a).total_cmp(&size(b)).then(y.total_cmp(x)))
    }

    /// Each statement's price with `new` beside the selected indexes.
    fn prices_with(&mut self, new: &[usize], selection: &mut Selection) -> Vec<Price> {
        let mut prices = selection.prices.clone();
        for (statement, of) in self.targets.iter().enumerate() {
            let mine: Vec<usize> = new.iter().copied().filter(|index| of.candidates.contains(index)).collect();
            if mine.is_empty() {
                continue;
            }
            let before = selection.indexes.iter().copied().filter(|index| of.candidates.contains(index));
            let set: Vec<usize> = before.chain(mine.iter().copied()).collect();
            let alone = |index: &usize| selection.alone[statement].iter().find(|(known, _)| known == index);
            // One that the planner would not use alone is of use beside others only where these changed the plan.
            let price = match (set.as_slice(), mine.as_slice()) {
                ([index], _) => alone(index).map(|(_, price)| price.clone()),
                (_, [index]) if alone(index).is_none() && selection.prices[statement].used.is_empty() => None,
                _ => match self.planner.price(statement, &set) {
                    Ok(price) => Some(price),
                    Err(NoPrice::Failed(_)) => None,
                    Err(NoPrice::OutOfPlans) => {
                        selection.cut_short = true;
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
