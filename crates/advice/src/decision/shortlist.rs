//! The short list of a role: the recommendation beside what is cheaper, what is faster, and what another demand would cost.

use crate::decision::recommendation::Recommendation;
use crate::decision::role_advice::{RoleAdvice, Variation};
use crate::evaluate::candidate::Candidate;
use crate::evaluate::reason::MIN_DELIVERED;
use crate::request::settings::Request;
use crate::scenario::KEPT_RATIO;
use crate::scenario::variation::VariedArgument;
use ebs_workload::merging::CountDoubt;

/// Place of volumes in the short list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The volumes of the recommendation ([`Recommendation::volumes`](super::recommendation::Recommendation::volumes)).
    Named,
    /// The cheapest volumes of the highest predicted throughput among the cheaper ones, within [`NEGLIGIBLE_GAIN`] of it.
    Cheaper,
    /// The cheapest volumes that keep the current throughput, where the recommended ones lose a part of it
    /// ([`that_keep_throughput`](RoleAdvice::that_keep_throughput)).
    Kept,
    /// A stripe that costs much less ([`cheaper_stripe`](RoleAdvice::cheaper_stripe)).
    Stripe,
    /// The cheapest volumes of the recommended type on which a closed loop keeps all of the type's throughput: more IOPS add nothing.
    Knee,
    /// The cheapest volumes of clearly higher predicted throughput, or of lower latency.
    Faster,
    /// The cheapest volumes for the observed demand with headroom.
    Peak,
    /// The cheapest volumes for a closed loop, where the kind of the load is not known.
    Closed,
    /// The cheapest volumes for the other count of the requests.
    OtherCount {
        /// True where that count takes them as merged.
        merged: bool,
    },
    /// Another order.
    Alternative,
}

/// A row of the short list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShortlistRow<'a> {
    /// Its place.
    pub place: Place,
    /// The volumes.
    pub candidate: &'a Candidate,
    /// True of those from which on more IOPS of their type add no throughput: as [`Place::Knee`], whatever their own place.
    pub is_knee: bool,
}

/// Share of a type's throughput from which volumes keep all of it: it rounds to 100 %. A choice.
const KNEE_SHARE: f64 = 0.995;

/// Rows beside the current volumes, up to which the list is filled with orders that others are better than.
const MIN_ROWS: usize = 3;

/// Gain of throughput below which a dearer order is no better. A choice.
pub const NEGLIGIBLE_GAIN: f64 = 1.05;

/// Share of the price of one volume up to which a stripe is named: its durability is lower, and it cannot be modified in place. A choice.
const HALF_PRICE: f64 = 0.5;

/// Latency relative to the recommended volumes' below which others are faster. A choice.
const FASTER_LATENCY: f64 = 0.8;

impl RoleAdvice {
    /// The short list of at most so many rows, each volume once, by price; empty where no volumes can be named.
    pub fn shortlist(&self, request: &Request, max_rows: usize) -> Vec<ShortlistRow<'_>> {
        let Some(named) = self.recommendation(request).volumes() else { return Vec::new() };
        let knee = self.knee(named);
        let row = |place, candidate| {
            let is_knee = knee.is_some_and(|knee| is_same_order(knee, candidate));
            ShortlistRow { place, candidate, is_knee }
        };
        let mut rows = vec![row(Place::Named, named)];
        let special = [
            (self.other_count(), self.count_option.as_ref()),
            (Place::Kept, self.that_keep_throughput(request)),
            (Place::Stripe, self.cheaper_stripe(request)),
            (Place::Closed, self.closed_option.as_ref()),
            (Place::Peak, self.peak_option.as_ref()),
            (Place::Knee, knee),
            (Place::Cheaper, self.cheaper_than(named)),
            (Place::Faster, self.faster_than(named)),
        ];
        let special = special.into_iter().filter_map(|(place, candidate)| Some((place, candidate?)));
        for (place, candidate) in special {
            add(&mut rows, row(place, candidate), max_rows);
        }
        let alternatives = || self.sold().map(|candidate| row(Place::Alternative, candidate));
        for row in alternatives().filter(|row| row.candidate.feasible) {
            let mut known = rows.iter().filter(|known| known.place != self.other_count());
            if !known.any(|known| is_better(known.candidate, row.candidate)) {
                add(&mut rows, row, max_rows);
            }
        }
        for row in alternatives() {
            let current = rows.iter().filter(|known| self.is_current(known.candidate)).count();
            add(&mut rows, row, max_rows.min(MIN_ROWS + current));
        }
        rows.sort_by_key(|row| row.candidate.order());
        rows
    }

    /// True where these are the current volumes as declared.
    pub fn is_current(&self, candidate: &Candidate) -> bool {
        let declared = self.current.as_ref().map(|current| current.volumes.as_slice());
        declared == Some(&[(candidate.config, candidate.volumes)])
    }

    /// Volumes that can be ordered, in the order of the candidates.
    fn sold(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(|candidate| candidate.can_be_ordered())
    }

    fn other_count(&self) -> Place {
        Place::OtherCount { merged: !self.state.count_doubt.as_ref().is_some_and(CountDoubt::is_mostly_merged) }
    }

    fn cheaper_than(&self, named: &Candidate) -> Option<&Candidate> {
        let cheaper = || self.sold().filter(|candidate| candidate.total() < named.total());
        let highest = cheaper().map(middle_ratio).fold(0.0, f64::max);
        if highest > 0.0 {
            let is_as_fast = |candidate: &&Candidate| middle_ratio(candidate) * NEGLIGIBLE_GAIN >= highest;
            return cheaper().filter(is_as_fast).min_by_key(|candidate| candidate.order());
        }
        // Without a prediction, the one of the highest sustained limit.
        let limit = |candidate: &Candidate| candidate.config.ceiling(candidate.volumes).iops;
        cheaper().max_by(|a, b| limit(a).total_cmp(&limit(b)).then(b.order().cmp(&a.order())))
    }

    /// The cheapest volumes of the type, and number, of the named ones on which a closed loop keeps all of the type's throughput; `None`
    /// where something else decides.
    fn knee(&self, named: &Candidate) -> Option<&Candidate> {
        named.kept_share()?;
        let is_of_type =
            |one: &&Candidate| (one.config.volume_type, one.volumes) == (named.config.volume_type, named.volumes);
        let keeps_all = |one: &&Candidate| one.kept_share().is_some_and(|kept| kept.share() >= KNEE_SHARE);
        self.sold().filter(is_of_type).filter(keeps_all).min_by_key(|candidate| candidate.order())
    }

    /// The cheapest volumes that keep 95 % of the current throughput, where the recommended ones are predicted to lose a tenth of it or more; of
    /// the rows where nothing is predicted by waits. `None` where they are not, or none are.
    pub fn that_keep_throughput(&self, request: &Request) -> Option<&Candidate> {
        let Recommendation::Volumes(best) = self.recommendation(request) else { return None };
        best.ratio().filter(|ratio| ratio.middle < MIN_DELIVERED)?;
        let keeps = |one: &&Candidate| one.ratio_without_waits().is_some_and(|ratio| ratio.middle >= KEPT_RATIO);
        let of_rows = || self.sold().filter(keeps).min_by_key(|candidate| candidate.order());
        self.kept_option.as_ref().or_else(of_rows)
    }

    /// The cheapest stripe that meets the request for at most [`HALF_PRICE`] of the recommended single volume's price, or where that is the best
    /// within a budget; `None` where there is none.
    pub fn cheaper_stripe(&self, request: &Request) -> Option<&Candidate> {
        let Recommendation::Volumes(best) = self.recommendation(request) else { return None };
        let is_stripe = |one: &&Variation| matches!(one.argument, VariedArgument::MaxVolumes(_));
        let stripe =
            self.variations.iter().find(is_stripe)?.best.as_ref().filter(|stripe| stripe.volumes > best.volumes)?;
        let share = stripe.total().ratio(best.total())?;
        (share <= HALF_PRICE || best.is_within_budget_alone()).then_some(stripe)
    }

    fn faster_than(&self, named: &Candidate) -> Option<&Candidate> {
        let dearer = self.sold().filter(|candidate| candidate.total() > named.total());
        dearer.filter(|candidate| is_faster(candidate, named)).min_by_key(|candidate| candidate.order())
    }
}

/// Adds a row for volumes that the list does not have yet, up to so many rows.
fn add<'a>(rows: &mut Vec<ShortlistRow<'a>>, row: ShortlistRow<'a>, max_rows: usize) {
    if rows.len() < max_rows && rows.iter().all(|known| !is_same_order(known.candidate, row.candidate)) {
        rows.push(row);
    }
}

/// True where volumes meet the request for no more money, with no less throughput to speak of, and no higher latency.
fn is_better(candidate: &Candidate, other: &Candidate) -> bool {
    let (latency, other_latency) = (candidate.latency_ms, other.latency_ms);
    candidate.feasible
        && candidate.total() <= other.total()
        && middle_ratio(candidate) * NEGLIGIBLE_GAIN >= middle_ratio(other)
        && latency.zip(other_latency).is_none_or(|(ms, other_ms)| ms * FASTER_LATENCY <= other_ms)
}

/// True where the throughput is higher beyond both intervals, or the latency lower without a loss of throughput.
fn is_faster(candidate: &Candidate, named: &Candidate) -> bool {
    let beyond = match (candidate.ratio(), named.ratio()) {
        (Some(ratio), Some(of_named)) => ratio.low > of_named.high,
        _ => false,
    };
    let (latency, latency_of_named) = (candidate.latency_ms, named.latency_ms);
    let answers_sooner = latency.zip(latency_of_named).is_some_and(|(ms, named_ms)| ms < FASTER_LATENCY * named_ms);
    beyond || answers_sooner && middle_ratio(candidate) >= middle_ratio(named)
}

fn middle_ratio(candidate: &Candidate) -> f64 {
    candidate.ratio().map_or(0.0, |ratio| ratio.middle)
}

fn is_same_order(a: &Candidate, b: &Candidate) -> bool {
    a.config == b.config && a.volumes == b.volumes
}

#[cfg(test)]
#[path = "shortlist_tests.rs"]
mod tests;
