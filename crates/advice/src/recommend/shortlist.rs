//! The short list of a role: the recommendation beside what is cheaper, what is faster, and what another demand would cost.

use crate::evaluate::bound::Bound;
use crate::evaluate::candidate::Candidate;
use crate::recommend::role_advice::RoleAdvice;
use crate::request::settings::Request;

/// Place of volumes in the short list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The volumes of the recommendation ([`Recommendation::volumes`](super::recommendation::Recommendation::volumes)).
    Named,
    /// The volumes of highest predicted throughput among the cheaper ones.
    Cheaper,
    /// The cheapest volumes of clearly higher predicted throughput, or of lower latency.
    Faster,
    /// The cheapest volumes for the observed demand with headroom.
    Peak,
    /// The cheapest volumes for a closed loop, where the kind of the load is not known.
    Closed,
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
}

/// Latency relative to the recommended volumes' below which others are faster. A choice.
const FASTER_LATENCY: f64 = 0.8;

impl RoleAdvice {
    /// The short list of at most so many rows, each volume once, by price; empty where no volumes can be named.
    pub fn shortlist(&self, request: &Request, max_rows: usize) -> Vec<ShortlistRow<'_>> {
        let Some(named) = self.recommendation(request).volumes() else { return Vec::new() };
        let mut rows = vec![ShortlistRow { place: Place::Named, candidate: named }];
        let special = [
            (Place::Cheaper, self.cheaper_than(named)),
            (Place::Faster, self.faster_than(named)),
            (Place::Peak, self.peak_option.as_ref()),
            (Place::Closed, self.closed_option.as_ref()),
        ];
        let special = special.into_iter().filter_map(|(place, candidate)| Some((place, candidate?)));
        let others = self.sold().map(|candidate| (Place::Alternative, candidate));
        for (place, candidate) in special.chain(others) {
            let is_new = rows.iter().all(|row| !is_same_order(row.candidate, candidate));
            if is_new && rows.len() < max_rows {
                rows.push(ShortlistRow { place, candidate });
            }
        }
        rows.sort_by_key(|row| row.candidate.order());
        rows
    }

    /// Suitable volumes with a price, in the order of the candidates.
    fn sold(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(|candidate| candidate.bound != Bound::Unfit && candidate.bill.is_some())
    }

    fn cheaper_than(&self, named: &Candidate) -> Option<&Candidate> {
        let cheaper = self.sold().filter(|candidate| candidate.total() < named.total());
        // Without a prediction, the one that the demand exceeds least.
        let peak = |candidate: &Candidate| candidate.outcome.map_or(f64::INFINITY, |outcome| outcome.peak);
        cheaper.max_by(|a, b| middle_ratio(a).total_cmp(&middle_ratio(b)).then_with(|| peak(b).total_cmp(&peak(a))))
    }

    fn faster_than(&self, named: &Candidate) -> Option<&Candidate> {
        let dearer = self.sold().filter(|candidate| candidate.total() > named.total());
        dearer.filter(|candidate| is_faster(candidate, named)).min_by_key(|candidate| candidate.order())
    }
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
