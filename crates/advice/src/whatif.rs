//! What a run would do on one volume that somebody names.

use crate::current::current_state::{CurrentState, standings};
use crate::insufficient::insufficient;
use crate::predictor::predictor::{Predictor, carried};
use crate::replay::{Added, InstanceLimit, Measure, Outcome, Series, replay};
use crate::request::whatif_request::WhatIfRequest;
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, Instance, VolumeConfig};
use ebs_aws::price::bill;
use ebs_base::error::InputError;
use ebs_base::format::{count, ms, size};
use ebs_base::units::Usd;
use ebs_prediction::predict::{LimitingFactor, Prediction, Source};
use ebs_samples::evidence::{Coverage, Window};
use ebs_workload::declarations::Declarations;
use ebs_workload::demand::{Demand, ratio};

/// One row: a part of the cluster on these volumes.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIfAnswer {
    /// `data`, `wal` or `data+wal`; `None` where there is no evidence.
    pub role: Option<String>,
    /// Each volume, completed; `None` where nothing says how large it must be because there is no evidence.
    pub config: Option<VolumeConfig>,
    /// How many.
    pub volumes: u64,
    /// What the database would do; `None` where the evidence does not say.
    pub prediction: Option<Prediction>,
    /// Whether transactions were counted.
    pub counted: bool,
    /// Share of the recorded time in which it would throttle, per cent.
    pub throttled_pct: Option<f64>,
    /// What waiting for its limits would add to the recorded requests; `None` where more and more waits.
    pub added: Option<Added>,
    /// Dollars a month; `None` where a price is not known.
    pub usd_month: Option<Usd>,
    /// Where service times come from.
    pub basis: Option<String>,
    /// What is doubtful, or why there is no prediction.
    pub notes: Vec<String>,
}

/// A row for each volume that the cluster is on now, and for all of them on one where there are several; on RDS, whose storage
/// is one, only that. Refuses what EBS does not sell.
pub fn whatif(
    window: &Window,
    question: &WhatIfRequest,
    declared: &Declarations,
) -> Result<Vec<WhatIfAnswer>, InputError> {
    if let Some(missing) = insufficient(window, &Coverage::from_window(window)) {
        return question.without_evidence(missing).map(|answer| vec![answer]);
    }
    let counted = window.totals.transactions.known().is_some();
    let instance = question.request.instance.map(Instance::baseline);
    let standings = standings(window, question.request.platform, declared, (question.clients, instance, None));
    standings.into_iter().map(|standing| question.answer(standing, counted)).collect()
}

impl WhatIfRequest {
    fn without_evidence(&self, missing: String) -> Result<WhatIfAnswer, InputError> {
        let config = self.size_gib.map(|size_gib| self.config(Some(size_gib))).transpose()?;
        Ok(WhatIfAnswer {
            role: None,
            config,
            volumes: self.volumes,
            prediction: None,
            counted: false,
            throttled_pct: None,
            added: None,
            usd_month: config.and_then(|config| self.usd_month(&config)),
            basis: None,
            notes: vec![format!("insufficient data: {missing}")],
        })
    }

    fn answer(&self, standing: CurrentState, counted: bool) -> Result<WhatIfAnswer, InputError> {
        let config = self.config(standing.size_gib.map(|gib| gib.div_ceil(self.volumes)))?;
        let outcome = self.replayed(&standing.series, &config);
        let mut notes = Vec::new();
        if self.size_gib.is_none() && standing.size_gib.is_none() {
            notes.push("how much is stored is not known: the least size that is sold so".to_owned());
        }
        let (prediction, basis) = match self.predicted(&standing, &config, outcome.as_ref()) {
            Ok((found, basis, doubts)) => {
                notes.extend(doubts);
                (Some(found), Some(basis))
            }
            Err(reason) => {
                notes.push(format!("no prediction: {reason}"));
                (None, None)
            }
        };
        Ok(WhatIfAnswer {
            role: Some(standing.role),
            config: Some(config),
            volumes: self.volumes,
            prediction,
            counted,
            throttled_pct: outcome.map(|outcome| outcome.throttled_pct()),
            added: outcome.and_then(|outcome| outcome.added),
            usd_month: self.usd_month(&config),
            basis,
            notes,
        })
    }

    /// With where the service times come from, and what is doubtful; or why there is none.
    fn predicted(
        &self,
        standing: &CurrentState,
        config: &VolumeConfig,
        outcome: Option<&Outcome>,
    ) -> Result<(Prediction, String, Vec<String>), String> {
        let (demand, series) = (&standing.demand, &standing.series);
        let predictor = standing.predictor.as_ref().map_err(|missing| missing.reason().to_owned())?;
        let predictor = predictor.clone().given(self.read_s, self.write_s);
        let name = self.volume_type.name();
        let service = predictor
            .service(self.volume_type)
            .ok_or_else(|| format!("no latency of {name} is published; read_ms and write_ms say it"))?;
        let ceiling = carried(series, config, self.volumes, 0.0, outcome);
        let found = predictor.predict(series, service, ceiling);
        let doubts = self.doubts(&predictor, demand, &found, config, (ceiling, outcome));
        Ok((found, service.basis.clone(), doubts))
    }

    fn usd_month(&self, config: &VolumeConfig) -> Option<Usd> {
        bill(config, self.volumes, &self.request.prices).map(|bill| bill.total())
    }

    /// Delays are followed where the volume can go on like this: a queue that only grows has none.
    fn replayed(&self, series: &Series, config: &VolumeConfig) -> Option<Outcome> {
        let instance = self.request.instance.map(Instance::baseline);
        let steady = config.ceiling(self.volumes);
        let most = instance.map_or(steady, |instance| instance.min(steady));
        let lasts = series.mean(Measure::Requests) < most.iops && series.mean(Measure::Mib) < most.mibps;
        replay(series, config, self.volumes, InstanceLimit::from(instance), if lasts { 100.0 } else { 0.0 })
    }

    /// Whether burst credits count, where there are any.
    fn credits(&self, ceiling: Ceiling, config: &VolumeConfig, outcome: Option<&Outcome>) -> Option<String> {
        let steady = config.ceiling(self.volumes);
        if Burst::ceiling(config.class()?, config, self.volumes) == steady {
            return None;
        }
        Some(match outcome.and_then(|outcome| outcome.credits) {
            _ if ceiling != steady => "burst credits carry the recording: what is shown is with them".to_owned(),
            Some(exhausted) => {
                let after = count(exhausted.after_s);
                format!("burst credits last {after} s of the recording: what is shown is without them")
            }
            None => "what is shown is without burst credits: they could not go on for ever".to_owned(),
        })
    }

    /// What is doubtful about a prediction.
    fn doubts(
        &self,
        predictor: &Predictor,
        demand: &Demand,
        found: &Prediction,
        config: &VolumeConfig,
        (ceiling, outcome): (Ceiling, Option<&Outcome>),
    ) -> Vec<String> {
        let seen = &predictor.observed;
        let mut doubts = Vec::new();
        if seen.limited.is_some() {
            doubts.push("this run was at the limit of its volume: what was behind it is estimated".to_owned());
        }
        if !seen.counted {
            doubts.push("transactions were not counted: only the ratio is known".to_owned());
        }
        if seen.machine_cpu_s.is_none() || seen.cpus.is_none() {
            doubts.push("CPU time is not in the evidence: what the CPUs would allow is not known".to_owned());
        }
        if found.paced {
            doubts.push(
                "sessions wait for their clients most of the time: these are taken to ask at their own pace".to_owned(),
            );
        }
        if self.clients.is_some() && outcome.is_some_and(|outcome| outcome.throttled_s > 0.0) {
            doubts.push("throttled_pct and added_ms_p99 are of the requests as recorded".to_owned());
        }
        doubts.extend(self.credits(ceiling, config, outcome));
        doubts.extend(large(demand).filter(|_| found.source == Source::Published));
        if found.bound_by == LimitingFactor::Latency && found.read_ms.high > 10.0 * found.read_ms.low {
            doubts.push(format!("a read may take {} to {} ms", ms(found.read_ms.low), ms(found.read_ms.high)));
        }
        doubts
    }
}

/// Latencies are published for 16 KiB.
fn large(demand: &Demand) -> Option<String> {
    let total = demand.total();
    let bytes = ratio(total.read_bytes.saturating_add(total.write_bytes), total.reads.saturating_add(total.writes))?;
    (bytes > 65_536.0)
        .then(|| format!("latencies are published for 16 KiB, requests here have {} KiB", size(bytes / 1_024.0)))
}

#[cfg(test)]
#[path = "whatif_tests.rs"]
mod tests;
