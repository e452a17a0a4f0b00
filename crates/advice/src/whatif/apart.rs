//! Data and WAL each on volumes of its own: two answers with one prediction.

use super::answer::{NoPrediction, WhatIfAnswer, WhatIfNote};
use super::notes::Limitations;
use super::run_tps;
use crate::current::apart_demand::{ApartDemand, ApartPrediction, ApartVolumes};
use crate::current::current_state::CurrentState;
use crate::current::file_parts::FileParts;
use crate::prediction::predictor::Predictor;
use crate::prediction::service::LatencyBasis;
use crate::replay::Outcome;
use crate::request::volume_request::{VolumeRequest, WAL_NAMES};
use crate::request::whatif_request::WhatIfRequest;
use ebs_aws::catalogue::VolumeConfig;
use ebs_base::error::InputError;
use ebs_samples::evidence::{Role, Window};
use ebs_workload::volume_group::VolumeGroup;

/// The prediction, and what it is based on.
struct PredictedParts {
    prediction: ApartPrediction,
    data_basis: LatencyBasis,
    wal_basis: LatencyBasis,
    notes: Vec<WhatIfNote>,
}

impl WhatIfRequest {
    /// Answers for the data and for WAL on a volume of its own.
    pub(super) fn answer_apart(
        &self,
        window: &Window,
        wal: &VolumeRequest,
        state: impl Fn(VolumeGroup) -> CurrentState,
    ) -> Result<Vec<WhatIfAnswer>, InputError> {
        let all = state(VolumeGroup::from_current_volumes(window));
        let parts = FileParts::new(window, &all, self.request.max_wal_bytes, state);
        let size_gib = parts.as_ref().map_or(all.size.size_gib, |parts| parts.data.size_gib);
        let on = ApartVolumes {
            data: self.config(size_gib.map(|gib| gib.div_ceil(self.volumes)))?,
            volumes: self.volumes,
            wal: wal.config(self.request.platform, parts.as_ref().and_then(|parts| parts.wal.size_gib), WAL_NAMES)?,
        };
        let run_tps = all.predictor.as_ref().ok().and_then(|predictor| run_tps(window, &predictor.observed));
        let row = |is_wal_alone: bool| {
            let (config, volumes) = if is_wal_alone { (on.wal, 1) } else { (on.data, self.volumes) };
            let requested_gib = if is_wal_alone { wal.size_gib } else { self.volume.size_gib };
            let size_gib = if is_wal_alone { parts.as_ref().and_then(|parts| parts.wal.size_gib) } else { size_gib };
            let is_unknown = requested_gib.is_none() && size_gib.is_none();
            WhatIfAnswer {
                role: Some(if is_wal_alone { Role::Wal } else { Role::Data }.name()),
                is_wal_alone,
                config: Some(config),
                volumes,
                prediction: None,
                run_tps,
                throttled_pct: None,
                added: None,
                usd_month: self.usd_month(&config, volumes),
                basis: None,
                notes: if is_unknown { vec![WhatIfNote::SizeUnknown] } else { Vec::new() },
            }
        };
        let (mut data, mut own) = (row(false), row(true));
        let Some(parts) = parts else {
            let note = WhatIfNote::NoPrediction(NoPrediction::WalNotCounted);
            data.notes.push(note.clone());
            own.notes.push(note);
            return Ok(vec![data, own]);
        };
        let scale = all.loop_scale(on.data.volume_type, all.load.closed_weight);
        let outcomes = [
            self.replay(&parts.data.series.scaled(scale), &on.data, self.volumes),
            self.replay(&parts.wal.series.scaled(scale), &on.wal, 1),
        ];
        for (answer, outcome) in [&mut data, &mut own].into_iter().zip(outcomes) {
            answer.throttled_pct = outcome.map(|outcome| outcome.throttled_pct());
            answer.added = outcome.and_then(|outcome| outcome.added);
        }
        let demand = ApartDemand { all: &all, parts: &parts, on };
        match self.predict_apart(demand, outcomes[0].as_ref()) {
            Ok(predicted) => predicted.complete(&mut data, &mut own),
            Err(reason) => {
                data.notes.push(WhatIfNote::NoPrediction(reason));
                own.notes.push(WhatIfNote::NoPrediction(reason));
            }
        }
        own.notes.extend(parts.divided.then_some(WhatIfNote::WalSpreadEvenly));
        data.notes.extend(self.above_baseline(&all.series));
        Ok(vec![data, own])
    }

    fn predict_apart(&self, demand: ApartDemand, outcome: Option<&Outcome>) -> Result<PredictedParts, NoPrediction> {
        let (all, ApartVolumes { data, volumes, wal }) = (demand.all, demand.on);
        let predictor = all.predictor.as_ref().map_err(|missing| NoPrediction::Missing(*missing))?;
        let predictor = predictor.on_volumes(volumes).into_owned().with_latencies(self.read_s, self.write_s);
        let unpublished = |config: &VolumeConfig| NoPrediction::LatencyUnpublished(config.volume_type);
        let data_basis = predictor.service(data.volume_type).ok_or(unpublished(&data))?.basis(data.volume_type);
        let wal_basis = predictor
            .wal_service(wal.volume_type, data.volume_type)
            .ok_or(NoPrediction::WalLatencyUnpublished { wal: wal.volume_type, data: data.volume_type })?
            .basis(wal.volume_type);
        let load = |predictor: &Predictor| demand.burst_load(predictor);
        let (predictor, instance) = self.on_instance(predictor, all.sized_series(), demand.burst_ceiling(), load);
        let prediction = demand.predict(&predictor, &self.request).ok_or(unpublished(&data))?;
        let limitations = Limitations {
            predictor: &predictor,
            state: all,
            prediction: &prediction.all,
            outcome,
            credits: &[],
            instance,
        };
        let notes = limitations.notes(self);
        Ok(PredictedParts { prediction, data_basis, wal_basis, notes })
    }
}

impl PredictedParts {
    fn complete(self, data: &mut WhatIfAnswer, wal: &mut WhatIfAnswer) {
        let ApartPrediction { data: of_data, wal: of_wal, data_credits, wal_credits, .. } = self.prediction;
        data.notes.push(WhatIfNote::DataAndWalApart);
        wal.notes.push(WhatIfNote::DataAndWalApart);
        data.notes.extend(self.notes);
        data.notes.extend(data_credits.note());
        wal.notes.extend(wal_credits.note());
        (data.prediction, data.basis) = (Some(of_data), Some(self.data_basis));
        (wal.prediction, wal.basis) = (Some(of_wal), Some(self.wal_basis));
    }
}
