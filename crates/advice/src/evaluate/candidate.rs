//! A candidate: volumes that could be ordered, and how they would have fared.

use crate::evaluate::bound::Bound;
use crate::evaluate::reason::Reason;
use crate::evaluate::risk::Risk;
use crate::replay::Outcome;
use crate::search::Order;
use ebs_aws::catalogue::VolumeConfig;
use ebs_aws::price::{Bill, PriceUncertainty};
use ebs_base::range::Range;
use ebs_base::units::Usd;
use ebs_prediction::predict::{Expected, Prediction};

/// By how much a limit was missed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excess {
    /// Requirement, in the unit of the limit.
    pub needed: f64,
    /// The limit.
    pub most: f64,
}

impl Excess {
    /// More needed than there is, in per cent of what there is; `None` where there is nothing.
    pub fn by_pct(&self) -> Option<f64> {
        (self.most > 0.0).then(|| 100.0 * (self.needed / self.most - 1.0))
    }
}

/// One row of `ebs_options`.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Each volume.
    pub config: VolumeConfig,
    /// Number of volumes, striped.
    pub volumes: u64,
    /// Price of all of them; `None` for what is not sold by itself.
    pub bill: Option<Bill>,
    /// Reasons for which the price is not exact.
    pub price_uncertainties: Vec<PriceUncertainty>,
    /// Savings against the declared volumes, a month; negative where it is dearer.
    pub saved: Option<Usd>,
    /// The replay; `None` for a type without known limits.
    pub outcome: Option<Outcome>,
    /// Predicted means of the database on it; `None` where the evidence does not say.
    pub expected: Option<Expected>,
    /// The same with its interval, of what is shown.
    pub prediction: Option<Prediction>,
    /// Mean latency of a request, reads and writes as they were mixed, ms: as expected, or else published, with what waiting
    /// for the limit adds; `None` where more and more waits.
    pub latency_ms: Option<f64>,
    /// The limit that decides.
    pub bound: Bound,
    /// True where it meets everything that was requested.
    pub feasible: bool,
    /// By how much it does not.
    pub missed: Option<Excess>,
    /// Chance of regret.
    pub risk: Option<Risk>,
    /// The reason for it, or against it.
    pub reason: Reason,
}

impl Candidate {
    /// The database's throughput compared with now, where that was predicted.
    pub fn ratio(&self) -> Option<Range> {
        self.prediction.map(|prediction| prediction.ratio)
    }

    /// Mean latency of a read, ms: as predicted, or else as published.
    pub fn read_ms(&self) -> Option<f64> {
        let published = self.config.volume_type.characteristics().read_ms;
        self.prediction.map_or(published, |prediction| Some(prediction.read_ms.middle))
    }

    /// Of a write.
    pub fn write_ms(&self) -> Option<f64> {
        let published = self.config.volume_type.characteristics().write_ms;
        self.prediction.map_or(published, |prediction| Some(prediction.write_ms.middle))
    }

    /// Dollars of all volumes; what is not sold by itself costs nothing here.
    pub fn total(&self) -> Usd {
        self.bill.map(|bill| bill.total()).unwrap_or_default()
    }

    /// Its rank among others.
    pub fn order(&self) -> Order {
        (self.total(), self.volumes, self.config.volume_type.preference(), self.config)
    }
}
