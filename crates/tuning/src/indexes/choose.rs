//! Which of many indexes are worth having: greedily the one that spares most, then the next beside it.
//!
//! Finding the best set is NP-hard; greedy is what index advisors do, and near the best where what indexes spare overlaps
//! (Chaudhuri, Narasayya, "An efficient cost-driven index selection tool for Microsoft SQL Server", VLDB 1997).

/// What the planner says of one statement with certain indexes in place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Price {
    /// Planner's cost.
    pub cost: f64,
    /// Pages fetched by one execution, as the planner expects.
    pub pages: f64,
    /// Which of the indexes it would use.
    pub used: Vec<usize>,
}

/// Why there is no price.
#[derive(Clone, Debug, PartialEq)]
pub enum NoPrice {
    /// The planner refused, in these words.
    Failed(String),
    /// There have been as many plans as were allowed.
    OutOfPlans,
}

/// Whoever can ask the planner.
pub trait Planner {
    /// What it says of a statement with these candidates in place.
    fn price(&mut self, statement: usize, indexes: &[usize]) -> Result<Price, NoPrice>;
}

/// A statement to be served.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Its measured reads a second.
    pub reads_s: f64,
    /// Without any of the candidates.
    pub base: Price,
    /// Those that might serve it.
    pub candidates: Vec<usize>,
}

impl Asked {
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

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    /// Chosen candidates, best first.
    pub indexes: Vec<usize>,
    /// The price of each statement with all of them.
    pub prices: Vec<Price>,
    /// Of each statement, the price with each candidate alone that the planner would use.
    pub alone: Vec<Vec<(usize, Price)>>,
    /// Whether plans ran out.
    pub cut_short: bool,
}

/// Least share of a statement's pages that an index has to spare, to be meant seriously: estimates are no finer.
pub const MEANINGFUL: f64 = 0.1;
/// Least share of the reads of all statements that an index has to spare, writes taken off.
const NOTICEABLE: f64 = 0.01;
/// Within this share of the best, the smallest is taken.
const ALIKE: f64 = 0.03;

/// Chooses among `offers` for `asked`.
pub fn choose(asked: &[Asked], offers: &[Offer], planner: &mut dyn Planner) -> Chosen {
    let mut chosen = Chosen { prices: asked.iter().map(|of| of.base.clone()).collect(), ..Chosen::default() };
    chosen.alone = vec![Vec::new(); asked.len()];
    let together = try_alone(asked, offers, planner, &mut chosen);
    let mut moves: Vec<Vec<usize>> = (0..offers.len()).map(|index| vec![index]).collect();
    moves.extend(together);
    let all_s: f64 = asked.iter().map(|of| of.reads_s).sum();
    let mut round = Round { asked, offers, planner };
    while let Some((set, prices, _)) = round.best(&moves, &mut chosen).filter(|(_, _, net)| *net >= NOTICEABLE * all_s)
    {
        chosen.indexes.extend(set);
        chosen.prices = prices;
    }
    // What later choices made superfluous is taken back.
    let Chosen { indexes, prices, .. } = &mut chosen;
    indexes.retain(|index| prices.iter().any(|price| price.used.contains(index)));
    chosen
}

/// Prices every candidate alone, and gives the sets that are of use only together.
fn try_alone(asked: &[Asked], offers: &[Offer], planner: &mut dyn Planner, chosen: &mut Chosen) -> Vec<Vec<usize>> {
    let mut sets = Vec::new();
    for (statement, of) in asked.iter().enumerate() {
        let mut seen: Vec<(usize, Price)> = Vec::new();
        for &index in &of.candidates {
            let useless = |plain| of.candidates.contains(&plain) && seen.iter().all(|(known, _)| *known != plain);
            if offers[index].plain.is_some_and(useless) {
                continue;
            }
            match planner.price(statement, &[index]) {
                Ok(price) if price.used.contains(&index) => seen.push((index, price)),
                Ok(_) | Err(NoPrice::Failed(_)) => {}
                Err(NoPrice::OutOfPlans) => chosen.cut_short = true,
            }
        }
        let plain: Vec<usize> = of.candidates.iter().copied().filter(|&index| offers[index].plain.is_none()).collect();
        let best = seen.iter().map(|(_, price)| price.pages).fold(of.base.pages, f64::min);
        if plain.len() > 1
            && let Ok(price) = planner.price(statement, &plain)
            && price.used.len() > 1
            && price.pages < best * (1.0 - MEANINGFUL)
        {
            sets.push(price.used);
        }
        chosen.alone[statement] = seen;
    }
    sets
}

struct Round<'a> {
    asked: &'a [Asked],
    offers: &'a [Offer],
    planner: &'a mut dyn Planner,
}

impl Round<'_> {
    /// The set that spares most beside what was chosen, the prices with it, and what it spares.
    fn best(&mut self, moves: &[Vec<usize>], chosen: &mut Chosen) -> Option<(Vec<usize>, Vec<Price>, f64)> {
        let mut found: Vec<(Vec<usize>, Vec<Price>, f64)> = Vec::new();
        for set in moves {
            let new: Vec<usize> = set.iter().copied().filter(|index| !chosen.indexes.contains(index)).collect();
            if new.is_empty() {
                continue;
            }
            let prices = self.prices_with(&new, chosen);
            let spared = |(of, (now, then)): (&Asked, (&Price, &Price))| of.saved_s(then) - of.saved_s(now);
            let serious = self.asked.iter().zip(chosen.prices.iter().zip(&prices)).any(|(of, (now, then))| {
                then.used.iter().any(|index| new.contains(index))
                    && now.pages - then.pages >= MEANINGFUL * of.base.pages
            });
            let cost_s: f64 = new.iter().map(|&index| self.offers[index].cost_s).sum();
            let net_s = self.asked.iter().zip(chosen.prices.iter().zip(&prices)).map(spared).sum::<f64>() - cost_s;
            if serious && net_s > 0.0 {
                found.push((new, prices, net_s));
            }
        }
        let most = found.iter().map(|(_, _, net_s)| *net_s).fold(0.0, f64::max);
        let size = |set: &[usize]| set.iter().map(|&index| self.offers[index].size_bytes).sum::<f64>();
        let alike = found.into_iter().filter(|(_, _, net_s)| *net_s >= most * (1.0 - ALIKE));
        alike.min_by(|(a, _, x), (b, _, y)| size(a).total_cmp(&size(b)).then(y.total_cmp(x)))
    }

    /// Each statement's price with `new` beside what was chosen.
    fn prices_with(&mut self, new: &[usize], chosen: &mut Chosen) -> Vec<Price> {
        let mut prices = chosen.prices.clone();
        for (statement, of) in self.asked.iter().enumerate() {
            let mine: Vec<usize> = new.iter().copied().filter(|index| of.candidates.contains(index)).collect();
            if mine.is_empty() {
                continue;
            }
            let before = chosen.indexes.iter().copied().filter(|index| of.candidates.contains(index));
            let set: Vec<usize> = before.chain(mine.iter().copied()).collect();
            let alone = |index: &usize| chosen.alone[statement].iter().find(|(known, _)| known == index);
            // One that the planner would not use alone is of use beside others only where these changed the plan.
            let price = match (set.as_slice(), mine.as_slice()) {
                ([index], _) => alone(index).map(|(_, price)| price.clone()),
                (_, [index]) if alone(index).is_none() && chosen.prices[statement].used.is_empty() => None,
                _ => match self.planner.price(statement, &set) {
                    Ok(price) => Some(price),
                    Err(NoPrice::Failed(_)) => None,
                    Err(NoPrice::OutOfPlans) => {
                        chosen.cut_short = true;
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
