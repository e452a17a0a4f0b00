//! Prediction of a run on given volumes.

mod answer;
mod apart;
mod notes;

pub use answer::{NoPrediction, WhatIfAnswer, WhatIfNote};

use crate::current::current_state::{CurrentState, StateArguments};
use crate::current::sequential::sequential_series;
use crate::evaluate::availability::Unavailable;
use crate::insufficient::{Insufficient, insufficient};
use crate::prediction::credits::{
    CreditLoad, CreditUse, EffectiveCeiling, burst_ceiling, effective_ceiling, effective_instance,
};
use crate::prediction::predictor::Predictor;
use crate::prediction::service::LatencyBasis;
use crate::replay::{InstanceLimit, Measure, Outcome, Series, replay};
use crate::request::volume_request::WAL_NAMES;
use crate::request::wal_placement::WalPlacement;
use crate::request::whatif_request::WhatIfRequest;
use ebs_aws::catalogue::{Ceiling, VolumeConfig};
use ebs_aws::price::bill;
use ebs_base::error::InputError;
use ebs_base::units::Usd;
use ebs_prediction::predict::{Observed, Prediction, counted_tps};
use ebs_samples::evidence::{Coverage, Role, Window};
use ebs_workload::declarations::{Declarations, Declared};
use ebs_workload::volume_group::VolumeGroup;
use notes::Limitations;

/// Predicts each current volume on the given volumes, and all of them on one where there are several; on RDS, whose storage is
/// one, only that. Where the place of WAL is requested, predicts data and WAL together, on the same volumes or each on its own. Refuses
/// volumes that EBS does not sell.
pub fn whatif(
    window: &Window,
    request: &WhatIfRequest,
    declared: &Declarations,
) -> Result<Vec<WhatIfAnswer>, InputError> {
    if let Some(missing) = insufficient(window, &Coverage::from_window(window)) {
        return request.without_evidence(missing);
    }
    let (platform, instance) = (request.request.platform, request.request.instance);
    let arguments = StateArguments {
        platform,
        instance,
        driver_load: request.request.driver_load,
        sessions: request.clients,
        min_size_gib: None,
    };
    let state = |group| CurrentState::new(window, group, declared, &arguments);
    let groups = match request.wal {
        WalPlacement::Unchanged => VolumeGroup::list(window, platform.is_rds()),
        WalPlacement::Same => vec![VolumeGroup::from_current_volumes(window)],
        WalPlacement::Apart(wal) => {
            let mut answers = request.answer_apart(window, &wal, state)?;
            let all = VolumeGroup::from_current_volumes(window);
            let present = find_declared(window, &all, declared);
            answers.iter_mut().for_each(|answer| request.note_unavailable(answer, &present));
            return Ok(answers);
        }
    };
    let answer = |group: VolumeGroup| {
        let present = find_declared(window, &group, declared);
        let mut answer = request.answer(window, state(group))?;
        request.note_unavailable(&mut answer, &present);
        Ok(answer)
    };
    groups.into_iter().map(answer).collect()
}

/// Declarations of a group's volumes.
fn find_declared<'a>(window: &Window, group: &VolumeGroup, declared: &'a Declarations) -> Vec<&'a Declared> {
    let volumes = group.volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume));
    volumes.flat_map(|volume| declared.find(volume)).collect()
}

/// Transactions a second of a run; `None` where they were not counted, or nothing is known of its sessions.
fn run_tps(window: &Window, observed: &Observed) -> Option<f64> {
    if !observed.without_waits {
        return observed.counted.then_some(observed.tps);
    }
    observed.driver?;
    counted_tps(&window.totals).or(window.driver?.tps)
}

/// A prediction, the basis of its service times, and its limitations.
type Predicted = (Prediction, LatencyBasis, Vec<WhatIfNote>);

impl WhatIfRequest {
    /// The volumes with their prices, and what is missing. The size of WAL's volume does not depend on evidence.
    fn without_evidence(&self, missing: Insufficient) -> Result<Vec<WhatIfAnswer>, InputError> {
        let wal = match self.wal {
            WalPlacement::Apart(wal) => Some((wal.config(self.request.platform, None, WAL_NAMES)?, wal.size_gib)),
            WalPlacement::Unchanged | WalPlacement::Same => None,
        };
        let row = |role: Option<Role>, config: Option<VolumeConfig>, volumes| WhatIfAnswer {
            is_wal_alone: role == Some(Role::Wal),
            role: role.map(|role| role.name()),
            config,
            volumes,
            prediction: None,
            run_tps: None,
            throttled_pct: None,
            added: None,
            usd_month: config.and_then(|config| self.usd_month(&config, volumes)),
            basis: None,
            notes: vec![WhatIfNote::Insufficient(missing.clone())],
        };
        let config = self.volume.size_gib.map(|size_gib| self.config(Some(size_gib))).transpose()?;
        let Some((wal, wal_gib)) = wal else { return Ok(vec![row(None, config, self.volumes)]) };
        let mut own = row(Some(Role::Wal), Some(wal), 1);
        own.notes.extend(wal_gib.is_none().then_some(WhatIfNote::SizeUnknown));
        Ok(vec![row(Some(Role::Data), config, self.volumes), own])
    }

    /// Notes that the answer's volumes cannot be ordered beside, or in the place of, the present ones.
    fn note_unavailable(&self, answer: &mut WhatIfAnswer, present: &[&Declared]) {
        let Some(volume_type) = answer.config.map(|config| config.volume_type) else { return };
        let found = Unavailable::find_declared(&self.request, present, volume_type);
        answer.notes.extend(found.map(|unavailable| WhatIfNote::Unavailable { volume_type, unavailable }));
    }

    fn answer(&self, window: &Window, state: CurrentState) -> Result<WhatIfAnswer, InputError> {
        let config = self.config(state.size.size_gib.map(|gib| gib.div_ceil(self.volumes)))?;
        let scaled = state.scaled_series(config.volume_type);
        let sequential = sequential_series(window, &config, &state);
        let recorded = sequential.as_ref().unwrap_or(state.sized_series());
        let outcome = self.replay(scaled.as_ref().unwrap_or(recorded), &config, self.volumes);
        let mut notes = Vec::new();
        if self.volume.size_gib.is_none() && state.size.size_gib.is_none() {
            notes.push(WhatIfNote::SizeUnknown);
        }
        let (prediction, basis) = match self.predict(&state, &config, outcome.as_ref()) {
            Ok((prediction, basis, limitations)) => {
                notes.extend(limitations);
                (Some(prediction), Some(basis))
            }
            Err(reason) => {
                notes.push(WhatIfNote::NoPrediction(reason));
                notes.extend(self.recorded_credits(recorded, &config));
                (None, None)
            }
        };
        notes.extend(self.above_baseline(&state.series));
        let run_tps = state.any_predictor().ok().and_then(|predictor| run_tps(window, &predictor.observed));
        Ok(WhatIfAnswer {
            role: Some(state.group.role),
            is_wal_alone: false,
            config: Some(config),
            volumes: self.volumes,
            prediction,
            run_tps,
            throttled_pct: outcome.map(|outcome| outcome.throttled_pct()),
            added: outcome.and_then(|outcome| outcome.added),
            usd_month: self.usd_month(&config, self.volumes),
            basis,
            notes,
        })
    }

    /// Use of the volumes' credits by the recorded load, where none is predicted: st1 and sc1 have no published latency.
    fn recorded_credits(&self, series: &Series, config: &VolumeConfig) -> Option<WhatIfNote> {
        let load = CreditLoad { predictor: None, series, scale: 1.0 };
        match effective_ceiling(load, config, self.volumes, &self.request).credits {
            CreditUse::None => None,
            CreditUse::Last => Some(WhatIfNote::RecordedCredits(None)),
            CreditUse::RunOut { after_s } => Some(WhatIfNote::RecordedCredits(Some(after_s))),
        }
    }

    /// Predicts the database, with the basis of the service times and the limitations.
    fn predict(
        &self,
        state: &CurrentState,
        config: &VolumeConfig,
        outcome: Option<&Outcome>,
    ) -> Result<Predicted, NoPrediction> {
        let series = state.sized_series();
        let predictor = state.any_predictor().map_err(NoPrediction::Missing)?;
        let predictor = predictor.on_volumes(self.volumes).into_owned().with_latencies(self.read_s, self.write_s);
        let unpublished = NoPrediction::LatencyUnpublished(self.volume.volume_type);
        let service = predictor.service(self.volume.volume_type).ok_or(unpublished)?.clone();
        let of_volumes = burst_ceiling(config, self.volumes);
        let load_on = |predictor: &Predictor| {
            CreditLoad { predictor: Some(predictor), series, scale: 1.0 }.factor(config, of_volumes)
        };
        let (predictor, instance) = self.on_instance(predictor, series, of_volumes, load_on);
        let load = CreditLoad { predictor: Some(&predictor), series, scale: 1.0 };
        let effective = effective_ceiling(load, config, self.volumes, &self.request);
        let prediction = predictor.predict(series, self.volume.volume_type, effective.ceiling).ok_or(unpublished)?;
        let limitations = Limitations {
            predictor: &predictor,
            state,
            prediction: &prediction,
            outcome,
            credits: &[effective.credits],
            instance,
        };
        let notes = limitations.notes(self);
        Ok((prediction, service.basis(self.volume.volume_type), notes))
    }

    /// The predictor with the instance's limits that count, and the use of the instance's credits where its maximum is requested.
    /// `load_on` is the load that a predictor gives, over the recorded one.
    fn on_instance(
        &self,
        predictor: Predictor,
        series: &Series,
        of_volumes: Ceiling,
        load_on: impl Fn(&Predictor) -> f64,
    ) -> (Predictor, CreditUse) {
        let Some(instance) = self.request.instance.filter(|_| self.instance_burst) else {
            return (predictor, CreditUse::None);
        };
        let at_maximum = predictor.with_instance(Some(instance.maximum()));
        let EffectiveCeiling { ceiling, credits } =
            effective_instance(series, load_on(&at_maximum), of_volumes, instance);
        (at_maximum.with_instance(Some(ceiling)), credits)
    }

    fn usd_month(&self, config: &VolumeConfig, volumes: u64) -> Option<Usd> {
        bill(config, volumes, &self.request.prices).map(|bill| bill.total())
    }

    /// Replays the demand. Delays are followed where mean demand is sustainable: a queue that only grows has no latency.
    fn replay(&self, series: &Series, config: &VolumeConfig, volumes: u64) -> Option<Outcome> {
        let baseline = self.request.instance_ceiling(config, volumes);
        let maximum = self.request.instance.filter(|_| self.instance_burst).map(|instance| instance.maximum());
        let instance = match baseline.zip(maximum) {
            Some((baseline, maximum)) => InstanceLimit::Burst { baseline, maximum: maximum.max(baseline) },
            None => InstanceLimit::from(baseline),
        };
        let steady = config.ceiling(volumes);
        let limit = baseline.map_or(steady, |instance| instance.min(steady));
        let sustainable = series.mean(Measure::Requests) < limit.iops && series.mean(Measure::Mib) < limit.mibps;
        replay(series, config, volumes, instance, if sustainable { 100.0 } else { 0.0 })
    }
}

#[cfg(test)]
mod apart_tests;
#[cfg(test)]
mod driver_tests;
#[cfg(test)]
mod notes_tests;
#[cfg(test)]
mod own_volume_tests;
#[cfg(test)]
mod sequential_tests;
#[cfg(test)]
pub(crate) mod whatif_tests;
