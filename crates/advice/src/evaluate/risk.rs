//! Risk, in AWS Compute Optimizer's five words.
//!
//! | risk | rule |
//! |---|---|
//! | very low | the busiest interval used at most half of the ceiling |
//! | low | no interval was above the ceiling |
//! | medium | some were, within max_throttled_pct |
//! | high | more than max_throttled_pct throttled |
//! | very high | more than five times that throttled, and more than 5 % |
//!
//! One step higher where the evidence is shorter than ten minutes, or its samples are averages over more than 1.5 s; two where
//! these are fewer than 30. One more where the run was saturated. In a closed loop, which waits for no more than it is answered, the mean
//! use counts in place of the busiest interval, and no throttled time. A predicted loss of throughput is a risk: at least medium below nine
//! tenths of the current throughput, at least high below three quarters. Seconds at a plateau of the instance's limit count as throttled, at most as
//! high where that limit is not sure. At least medium where less than nine tenths of the demand are
//! delivered at the observed queue depth, at least high below three quarters, very high below half. At least high where the requests
//! may be merged by EBS, their rate bears on it, and the two counts are a factor of two or more apart.

use crate::evaluate::case::Case;
use crate::evaluate::measured::Measured;
use crate::evaluate::provisioning::kept_share;
use crate::evaluate::reason::{HIGH_RISK_DELIVERED, MIN_DELIVERED};
use crate::insufficient::SHORT_SECONDS;
use crate::replay::Outcome;
use ebs_base::named;
use ebs_prediction::saturation::SURE_WEIGHT;

named! {
    /// Likelihood that the choice is regretted.
    #[derive(PartialOrd, Ord)]
    pub enum Risk {
        /// See the table.
        VeryLow = "very low",
        /// See the table.
        Low = "low",
        /// See the table.
        Medium = "medium",
        /// See the table.
        High = "high",
        /// See the table.
        VeryHigh = "very high",
    }
}

impl Risk {
    /// Derives the risk by the table. `coarse_samples`: samples are averages over more than 1.5 s; `few_samples`: fewer than 30.
    pub fn new(outcome: &Outcome, max_throttled_pct: f64, coarse_samples: bool, few_samples: bool) -> Risk {
        let throttled = outcome.throttled_pct();
        let risk = match outcome.peak {
            _ if throttled > 5.0 * max_throttled_pct.max(1.0) => Risk::VeryHigh,
            _ if throttled > max_throttled_pct => Risk::High,
            peak if peak <= 0.5 => Risk::VeryLow,
            peak if peak <= 1.0 => Risk::Low,
            _ => Risk::Medium,
        };
        match outcome.seconds < SHORT_SECONDS || coarse_samples {
            true if few_samples => risk.higher().higher(),
            true => risk.higher(),
            false => risk,
        }
    }

    /// The risk one step higher.
    fn higher(self) -> Risk {
        match self {
            Risk::VeryLow => Risk::Low,
            Risk::Low => Risk::Medium,
            Risk::Medium => Risk::High,
            Risk::High | Risk::VeryHigh => Risk::VeryHigh,
        }
    }

    /// The risk of volumes on which the throughput is predicted to be so many times the current one.
    pub fn with_predicted_loss(self, ratio: f64) -> Risk {
        self.max(match ratio {
            ratio if ratio >= MIN_DELIVERED => Risk::VeryLow,
            ratio if ratio >= HIGH_RISK_DELIVERED => Risk::Medium,
            _ => Risk::High,
        })
    }

    /// The risk of volumes that deliver this share of the demand at the observed queue depth.
    fn with_delivery(self, share: f64) -> Risk {
        let least = match share {
            share if share >= MIN_DELIVERED => Risk::VeryLow,
            share if share >= HIGH_RISK_DELIVERED => Risk::Medium,
            share if share >= 0.5 => Risk::High,
            _ => Risk::VeryHigh,
        };
        self.max(least)
    }
}

/// The outcome that the risk follows from: of a closed loop its mean use, without throttled time.
fn judged(case: &Case, measured: &Measured) -> Outcome {
    let use_of_loop = kept_share(case, measured).map(|kept| {
        let ceiling = measured.priced.config.ceiling(measured.priced.volumes);
        (kept.used.iops / ceiling.iops).max(kept.used.mibps / ceiling.mibps).min(1.0)
    });
    match use_of_loop {
        Some(peak) => Outcome { peak, throttled_s: 0.0, ..measured.outcome },
        None => measured.outcome,
    }
}

/// The risk by the replay, one step higher where demand beyond a limit is estimated; at least high where another count of the same
/// requests needs volumes of half or twice as many IOPS. `delivered` is the share of the demand at the observed queue depth, where that is
/// less than all of it.
pub fn risk(case: &Case, measured: &Measured, delivered: Option<f64>) -> Risk {
    let part = case.scenario.part;
    let max_throttled_pct = case.sizing.max_throttled_pct();
    let risk = Risk::new(&judged(case, measured), max_throttled_pct, part.coarse_samples, part.has_few_samples());
    let risk = if part.state.saturation.is_some() { risk.higher() } else { risk };
    let risk = plateau_risk(case, &measured.outcome).map_or(risk, |plateau| risk.max(plateau));
    let risk = if case.scenario.has_risky_count() { risk.max(Risk::High) } else { risk };
    let risk = measured.expected.map_or(risk, |expected| risk.with_predicted_loss(expected.ratio));
    delivered.map_or(risk, |share| risk.with_delivery(share))
}

/// The risk by the seconds at the instance's limit, which throttled as those above it do, though a replay of what they delivered throttles
/// none; at most high where the limit is not sure. `None` where the run was at none.
fn plateau_risk(case: &Case, outcome: &Outcome) -> Option<Risk> {
    let plateau = case.instance_saturation?.reached?;
    let at_limit = Outcome { throttled_s: plateau.seconds_share * outcome.seconds, ..*outcome };
    let risk = Risk::new(&at_limit, case.scenario.request.rule.max_throttled_pct, false, false);
    Some(if plateau.limit.weight >= SURE_WEIGHT { risk } else { risk.min(Risk::High) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds() {
        let risk = |peak, throttled_s, seconds| {
            Risk::new(&Outcome { peak, throttled_s, seconds, ..Outcome::default() }, 1.0, false, false).name()
        };
        assert_eq!(risk(0.5, 0.0, 1_000.0), "very low");
        assert_eq!(risk(0.9, 0.0, 1_000.0), "low");
        assert_eq!(risk(1.1, 5.0, 1_000.0), "medium");
        assert_eq!(risk(1.1, 20.0, 1_000.0), "high");
        assert_eq!(risk(1.1, 60.0, 1_000.0), "very high");
        assert_eq!(risk(0.5, 0.0, 60.0), "low");
    }

    #[test]
    fn a_predicted_loss_raises_the_risk() {
        let risk = |ratio: f64| Risk::Low.with_predicted_loss(ratio).name();
        assert_eq!([risk(2.0), risk(0.9), risk(0.899), risk(0.75)], ["low", "low", "medium", "medium"]);
        assert_eq!([risk(0.749), risk(0.1)], ["high", "high"]);
        assert_eq!(Risk::VeryHigh.with_predicted_loss(0.8), Risk::VeryHigh);
    }

    /// 24,614 of 40,106 are 61 %.
    #[test]
    fn undelivered_demand_raises_the_risk() {
        let risk = |share: f64| Risk::Low.with_delivery(share).name();
        assert_eq!([risk(1.0), risk(0.9), risk(0.899), risk(0.75)], ["low", "low", "medium", "medium"]);
        assert_eq!(
            [risk(0.749), risk(24_614.0 / 40_106.0), risk(0.5), risk(0.499)],
            ["high", "high", "high", "very high"]
        );
        assert_eq!(Risk::VeryHigh.with_delivery(0.8), Risk::VeryHigh);
    }
}
