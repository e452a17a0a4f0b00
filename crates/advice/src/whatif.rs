//! Prediction of a run on given volumes.

use crate::current::current_state::{CurrentState, StateArguments};
use crate::evaluate::latency::{LARGE_REQUEST_BYTES, mean_request_bytes};
use crate::insufficient::{Insufficient, insufficient};
use crate::prediction::predictor::{Predictor, effective_ceiling};
use crate::prediction::service::LatencyBasis;
use crate::replay::{AddedLatency, InstanceLimit, Measure, Outcome, Series, replay};
use crate::request::whatif_request::WhatIfRequest;
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, VolumeConfig, VolumeType};
use ebs_aws::price::bill;
use ebs_base::error::InputError;
use ebs_base::range::Range;
use ebs_base::units::Usd;
use ebs_prediction::predict::{LimitingFactor, MissingInput, Prediction, Source};
use ebs_samples::evidence::{Coverage, Window};
use ebs_workload::declarations::Declarations;
use ebs_workload::demand::Demand;
use ebs_workload::volume_group::VolumeGroup;

/// Answer for one part of the cluster on these volumes.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIfAnswer {
    /// `data`, `wal` or `data+wal`; `None` where there is no evidence.
    pub role: Option<String>,
    /// Each volume, completed; `None` where its size is not known because there is no evidence.
    pub config: Option<VolumeConfig>,
    /// Number of volumes.
    pub volumes: u64,
    /// Prediction of the database; `None` where the evidence does not say.
    pub prediction: Option<Prediction>,
    /// True where transactions were counted.
    pub transactions_counted: bool,
    /// Share of the recorded time in which it would throttle, per cent.
    pub throttled_pct: Option<f64>,
    /// Latency that queueing at its limits would add to the recorded requests; `None` where the queue only grows.
    pub added: Option<AddedLatency>,
    /// Dollars a month; `None` where a price is not known.
    pub usd_month: Option<Usd>,
    /// Service times that the prediction is based on.
    pub basis: Option<LatencyBasis>,
    /// Limitations of the answer.
    pub notes: Vec<WhatIfNote>,
}

/// A limitation of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum WhatIfNote {
    /// There is no evidence.
    Insufficient(Insufficient),
    /// The evidence has no prediction.
    NoPrediction(NoPrediction),
    /// Used space is not known: the size is the smallest that is sold with these IOPS.
    SizeUnknown,
    /// The run was saturated: demand beyond the limit is estimated.
    Saturated,
    /// Transactions were not counted: only the ratio is known.
    TransactionsNotCounted,
    /// CPU time is not in the evidence.
    CpuTimeUnknown,
    /// Sessions mostly wait for their clients, which are assumed to keep their pace.
    PacedClients,
    /// throttled_pct and added_ms_p99 are of the requests as recorded, not of the clients given.
    ThrottlingOfRecordedRequests,
    /// Burst credits last for the recording.
    WithCredits,
    /// The answer does not count burst credits.
    WithoutCredits {
        /// Seconds of the recording until they run out; `None` where they would run out later.
        credits_last_s: Option<f64>,
    },
    /// Requests are larger than those for which latencies are published.
    LargeRequests {
        /// Mean size, KiB.
        mean_kib: f64,
    },
    /// The latency of a read is uncertain by more than ten times.
    WideReadLatency {
        /// Latency of a read, ms.
        ms: Range,
    },
}

/// The reason why there is no prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPrediction {
    /// An input is missing.
    Missing(MissingInput),
    /// No latency of the type is published, measured or given.
    LatencyUnpublished(VolumeType),
}

/// Predicts each current volume on the given volumes, and all of them on one where there are several; on RDS, whose storage is
/// one, only that. Refuses volumes that EBS does not sell.
pub fn whatif(
    window: &Window,
    request: &WhatIfRequest,
    declared: &Declarations,
) -> Result<Vec<WhatIfAnswer>, InputError> {
    if let Some(missing) = insufficient(window, &Coverage::from_window(window)) {
        return request.without_evidence(missing).map(|answer| vec![answer]);
    }
    let transactions_counted = window.totals.transactions.known().is_some();
    let (platform, instance) = (request.request.platform, request.request.instance);
    let arguments = StateArguments {
        platform,
        instance,
        driver_load: request.request.driver_load,
        sessions: request.clients,
        min_size_gib: None,
    };
    let groups = VolumeGroup::list(window, platform.is_rds());
    let states = groups.into_iter().map(|group| CurrentState::new(window, group, declared, &arguments));
    states.map(|state| request.answer(state, transactions_counted)).collect()
}

impl WhatIfRequest {
    fn without_evidence(&self, missing: Insufficient) -> Result<WhatIfAnswer, InputError> {
        let config = self.size_gib.map(|size_gib| self.config(Some(size_gib))).transpose()?;
        Ok(WhatIfAnswer {
            role: None,
            config,
            volumes: self.volumes,
            prediction: None,
            transactions_counted: false,
            throttled_pct: None,
            added: None,
            usd_month: config.and_then(|config| self.usd_month(&config)),
            basis: None,
            notes: vec![WhatIfNote::Insufficient(missing)],
        })
    }

    fn answer(&self, state: CurrentState, transactions_counted: bool) -> Result<WhatIfAnswer, InputError> {
        let config = self.config(state.size.size_gib.map(|gib| gib.div_ceil(self.volumes)))?;
        let scaled = state.scaled_series(config.volume_type);
        let outcome = self.replay(scaled.as_ref().unwrap_or(state.sized_series()), &config);
        let mut notes = Vec::new();
        if self.size_gib.is_none() && state.size.size_gib.is_none() {
            notes.push(WhatIfNote::SizeUnknown);
        }
        let (prediction, basis) = match self.predict(&state, &config, outcome.as_ref()) {
            Ok((prediction, basis, limitations)) => {
                notes.extend(limitations);
                (Some(prediction), Some(basis))
            }
            Err(reason) => {
                notes.push(WhatIfNote::NoPrediction(reason));
                (None, None)
            }
        };
        Ok(WhatIfAnswer {
            role: Some(state.group.role),
            config: Some(config),
            volumes: self.volumes,
            prediction,
            transactions_counted,
            throttled_pct: outcome.map(|outcome| outcome.throttled_pct()),
            added: outcome.and_then(|outcome| outcome.added),
            usd_month: self.usd_month(&config),
            basis,
            notes,
        })
    }

    /// Predicts the database, with the basis of the service times and the limitations.
    fn predict(
        &self,
        state: &CurrentState,
        config: &VolumeConfig,
        outcome: Option<&Outcome>,
    ) -> Result<(Prediction, LatencyBasis, Vec<WhatIfNote>), NoPrediction> {
        let (demand, series) = (&state.group.demand, state.sized_series());
        let predictor = state.predictor.as_ref().map_err(|missing| NoPrediction::Missing(*missing))?;
        let predictor = predictor.clone().with_latencies(self.read_s, self.write_s);
        let unpublished = NoPrediction::LatencyUnpublished(self.volume_type);
        let service = predictor.service(self.volume_type).ok_or(unpublished)?;
        let scale = state.demand_scale(config.volume_type);
        let ceiling = effective_ceiling((series, scale), config, self.volumes, &self.request, outcome);
        let prediction = predictor.predict(series, self.volume_type, ceiling).ok_or(unpublished)?;
        let limitations = self.limitations(&predictor, demand, &prediction, config, (ceiling, outcome));
        Ok((prediction, service.basis(self.volume_type), limitations))
    }

    fn usd_month(&self, config: &VolumeConfig) -> Option<Usd> {
        bill(config, self.volumes, &self.request.prices).map(|bill| bill.total())
    }

    /// Replays the demand. Delays are followed where mean demand is sustainable: a queue that only grows has no latency.
    fn replay(&self, series: &Series, config: &VolumeConfig) -> Option<Outcome> {
        let instance = self.request.instance_ceiling(config, self.volumes);
        let steady = config.ceiling(self.volumes);
        let limit = instance.map_or(steady, |instance| instance.min(steady));
        let sustainable = series.mean(Measure::Requests) < limit.iops && series.mean(Measure::Mib) < limit.mibps;
        replay(series, config, self.volumes, InstanceLimit::from(instance), if sustainable { 100.0 } else { 0.0 })
    }

    /// The note on burst credits; `None` where there are none.
    fn credit_note(&self, ceiling: Ceiling, config: &VolumeConfig, outcome: Option<&Outcome>) -> Option<WhatIfNote> {
        let steady = config.ceiling(self.volumes);
        if Burst::ceiling(config.class()?, config, self.volumes) == steady {
            return None;
        }
        Some(match outcome.and_then(|outcome| outcome.credits) {
            _ if ceiling != steady => WhatIfNote::WithCredits,
            exhausted => WhatIfNote::WithoutCredits { credits_last_s: exhausted.map(|exhausted| exhausted.after_s) },
        })
    }

    /// Limitations of a prediction.
    fn limitations(
        &self,
        predictor: &Predictor,
        demand: &Demand,
        prediction: &Prediction,
        config: &VolumeConfig,
        (ceiling, outcome): (Ceiling, Option<&Outcome>),
    ) -> Vec<WhatIfNote> {
        let observed = &predictor.observed;
        let throttled = outcome.is_some_and(|outcome| outcome.throttled_s > 0.0);
        let read_ms = prediction.read_ms;
        let wide_latency = prediction.bound_by == LimitingFactor::Latency && read_ms.high > 10.0 * read_ms.low;
        let notes = [
            (observed.limited.is_some(), WhatIfNote::Saturated),
            (!observed.counted, WhatIfNote::TransactionsNotCounted),
            (observed.cpu_time.is_none() || observed.cpus.is_none(), WhatIfNote::CpuTimeUnknown),
            (prediction.paced, WhatIfNote::PacedClients),
            (self.clients.is_some() && throttled, WhatIfNote::ThrottlingOfRecordedRequests),
        ];
        let mut notes: Vec<WhatIfNote> =
            notes.into_iter().filter_map(|(applies, note)| applies.then_some(note)).collect();
        notes.extend(self.credit_note(ceiling, config, outcome));
        notes.extend(large_requests(demand).filter(|_| prediction.source == Source::Published));
        notes.extend(wide_latency.then_some(WhatIfNote::WideReadLatency { ms: read_ms }));
        notes
    }
}

/// The note on requests that are larger than those for which latencies are published.
fn large_requests(demand: &Demand) -> Option<WhatIfNote> {
    let bytes = mean_request_bytes(demand)?;
    (bytes > LARGE_REQUEST_BYTES).then_some(WhatIfNote::LargeRequests { mean_kib: bytes / 1_024.0 })
}

#[cfg(test)]
#[path = "whatif_tests.rs"]
mod tests;
