//! Burst credits in a prediction: they count where they last at the load that the prediction itself gives.
//!
//! The load on another volume, or of another number of clients, is not the recorded one. The database is therefore predicted with the
//! limits that credits allow. Where the recorded seconds, scaled to that load, use the credits up, or spend more of them on average
//! than are earned, so that they run out after the recording, the limits without credits count: the volume has these for the rest of
//! its life. An instance's maximum, which AWS allows for 30 minutes a day, counts where it was requested and lasts for the recording.

use crate::prediction::predictor::Predictor;
use crate::replay::{CreditOwner, InstanceLimit, Measure, Series, exhaustion, instance_exhaustion};
use crate::request::settings::Request;
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, Instance, VolumeConfig};

/// Use of burst credits in a prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CreditUse {
    /// There are no credits: the limits hold always.
    None,
    /// The credits last: the limits are those with them.
    Last,
    /// The credits run out: the limits are those without them.
    RunOut {
        /// Seconds until then at the predicted load.
        after_s: f64,
    },
}

/// Limits of volumes on the requested instance, beside those of all its volumes together, and the use of their credits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EffectiveCeiling {
    /// The limits.
    pub ceiling: Ceiling,
    /// Use of the volumes' credits.
    pub credits: CreditUse,
}

/// The load that credits are judged by.
#[derive(Clone, Copy)]
pub struct CreditLoad<'a> {
    /// Predictor of the load; `None`: the load is the recorded one times `scale`.
    pub predictor: Option<&'a Predictor>,
    /// The recorded seconds.
    pub series: &'a Series,
    /// Load over the recorded one where nothing is predicted.
    pub scale: f64,
}

impl CreditLoad<'_> {
    /// Load that is predicted under these limits, over the recorded one.
    pub fn factor(&self, config: &VolumeConfig, ceiling: Ceiling) -> f64 {
        let expected = self.predictor.and_then(|predictor| predictor.expect(self.series, config.volume_type, ceiling));
        let mean = self.series.mean(Measure::Requests);
        expected.filter(|_| mean > 0.0).map_or(self.scale, |expected| expected.iops / mean)
    }
}

/// The limits of so many volumes of this configuration that count for a prediction.
pub fn effective_ceiling(load: CreditLoad, config: &VolumeConfig, volumes: u64, request: &Request) -> EffectiveCeiling {
    effective_ceiling_of(load.series, |ceiling| load.factor(config, ceiling), (config, volumes), request)
}

/// The same for a part of the database's demand, whose load under some limits is so many times the recorded one.
pub fn effective_ceiling_of(
    series: &Series,
    load_factor: impl Fn(Ceiling) -> f64,
    (config, volumes): (&VolumeConfig, u64),
    request: &Request,
) -> EffectiveCeiling {
    let on_instance =
        |ceiling: Ceiling| request.volumes_ceiling(config, volumes).map_or(ceiling, |limits| ceiling.min(limits));
    let steady = config.ceiling(volumes);
    let burst = burst_ceiling(config, volumes);
    if burst == steady {
        return EffectiveCeiling { ceiling: on_instance(steady), credits: CreditUse::None };
    }
    let series = series.at_load(load_factor(on_instance(burst)));
    let instance = InstanceLimit::from(request.instance_ceiling(config, volumes));
    let exhausted = exhaustion(&series, config, volumes, instance).filter(|end| end.owner == CreditOwner::Volume);
    match exhausted {
        Some(end) => {
            EffectiveCeiling { ceiling: on_instance(steady), credits: CreditUse::RunOut { after_s: end.after_s } }
        }
        None => EffectiveCeiling { ceiling: on_instance(burst), credits: CreditUse::Last },
    }
}

/// The instance's limits that count for a prediction: its maximum where its credits last for the recorded seconds at the load that is
/// predicted with it, so many times the recorded one, on volumes with these limits; else its baseline. And the use of its credits.
pub fn effective_instance(
    series: &Series,
    load_factor: f64,
    of_volumes: Ceiling,
    instance: &Instance,
) -> EffectiveCeiling {
    let (baseline, maximum) = (instance.baseline(), instance.maximum());
    if maximum == baseline {
        return EffectiveCeiling { ceiling: baseline, credits: CreditUse::None };
    }
    match instance_exhaustion(&series.at_load(load_factor), of_volumes, (baseline, maximum)) {
        Some(end) => EffectiveCeiling { ceiling: baseline, credits: CreditUse::RunOut { after_s: end.after_s } },
        None => EffectiveCeiling { ceiling: maximum, credits: CreditUse::Last },
    }
}

/// Limits of so many volumes of this configuration while their credits last.
pub fn burst_ceiling(config: &VolumeConfig, volumes: u64) -> Ceiling {
    config.class().map_or_else(|| config.ceiling(volumes), |class| Burst::ceiling(class, config, volumes))
}

#[cfg(test)]
#[path = "credits_tests.rs"]
mod tests;
