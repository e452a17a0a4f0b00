//! Data and WAL each on volumes of its own: two answers with one prediction.

use super::answer::{NoPrediction, WhatIfAnswer, WhatIfNote};
use super::notes::Limitations;
use super::wal_demand::divide;
use crate::current::current_state::CurrentState;
use crate::prediction::apart::{Apart, PartTarget};
use crate::prediction::credits::{CreditUse, burst_ceiling, effective_ceiling_of};
use crate::prediction::predictor::{Predictor, ios_per_request};
use crate::prediction::service::LatencyBasis;
use crate::replay::{Measure, Outcome, Series};
use crate::request::volume_request::{VolumeRequest, WAL_NAMES};
use crate::request::whatif_request::WhatIfRequest;
use ebs_aws::catalogue::{Ceiling, VolumeConfig, VolumeType};
use ebs_base::error::InputError;
use ebs_prediction::predict::Prediction;
use ebs_samples::evidence::{Role, Window};
use ebs_workload::demand::Demand;
use ebs_workload::volume_group::VolumeGroup;

/// A part of the database's files: its demand and its size.
struct FilePart {
    series: Series,
    /// I/Os that EBS counts for each request.
    ios_per_request: f64,
    size_gib: Option<u64>,
}

/// The parts as they were recorded.
struct FileParts {
    data: FilePart,
    wal: FilePart,
    /// True where WAL's share of a common volume is computed from PostgreSQL's counts.
    divided: bool,
}

/// The volumes of the parts, completed.
#[derive(Clone, Copy)]
struct Configs {
    data: VolumeConfig,
    volumes: u64,
    wal: VolumeConfig,
}

/// One prediction, and what of it is each part's.
struct ApartPrediction {
    data: (Prediction, LatencyBasis),
    wal: (Prediction, LatencyBasis),
    notes: Vec<WhatIfNote>,
    data_credits: CreditUse,
    wal_credits: CreditUse,
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
        let parts = FileParts::new(window, &all, state);
        let size_gib = parts.as_ref().map_or(all.size.size_gib, |parts| parts.data.size_gib);
        let configs = Configs {
            data: self.config(size_gib.map(|gib| gib.div_ceil(self.volumes)))?,
            volumes: self.volumes,
            wal: wal.config(self.request.platform, parts.as_ref().and_then(|parts| parts.wal.size_gib), WAL_NAMES)?,
        };
        let counted = window.totals.transactions.known().is_some();
        let row = |is_wal_alone: bool| {
            let (config, volumes) = if is_wal_alone { (configs.wal, 1) } else { (configs.data, self.volumes) };
            let requested_gib = if is_wal_alone { wal.size_gib } else { self.volume.size_gib };
            let size_gib = if is_wal_alone { parts.as_ref().and_then(|parts| parts.wal.size_gib) } else { size_gib };
            let is_unknown = requested_gib.is_none() && size_gib.is_none();
            WhatIfAnswer {
                role: Some(if is_wal_alone { Role::Wal } else { Role::Data }.name()),
                is_wal_alone,
                config: Some(config),
                volumes,
                prediction: None,
                transactions_counted: counted,
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
        let scale = all.demand_scale(configs.data.volume_type);
        let outcomes = [
            self.replay(&parts.data.series.scaled(scale), &configs.data, self.volumes),
            self.replay(&parts.wal.series.scaled(scale), &configs.wal, 1),
        ];
        for (answer, outcome) in [&mut data, &mut own].into_iter().zip(outcomes) {
            answer.throttled_pct = outcome.map(|outcome| outcome.throttled_pct());
            answer.added = outcome.and_then(|outcome| outcome.added);
        }
        match self.predict_apart(&all, &parts, &configs, outcomes[0].as_ref()) {
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

    fn predict_apart(
        &self,
        all: &CurrentState,
        parts: &FileParts,
        configs: &Configs,
        outcome: Option<&Outcome>,
    ) -> Result<ApartPrediction, NoPrediction> {
        let Configs { data, volumes, wal } = *configs;
        let predictor = all.predictor.as_ref().map_err(|missing| NoPrediction::Missing(*missing))?;
        let predictor = predictor.on_volumes(volumes).into_owned().with_latencies(self.read_s, self.write_s);
        let unpublished = |config: &VolumeConfig| NoPrediction::LatencyUnpublished(config.volume_type);
        let basis = predictor.service(data.volume_type).ok_or(unpublished(&data))?.basis(data.volume_type);
        let wal_service = predictor
            .wal_service(wal.volume_type, data.volume_type)
            .ok_or(NoPrediction::WalLatencyUnpublished { wal: wal.volume_type, data: data.volume_type })?;
        let series = all.sized_series();
        let on = |data_ceiling, wal_ceiling| Apart {
            series,
            data: parts.data.target(data.volume_type, data_ceiling),
            wal: parts.wal.target(wal.volume_type, wal_ceiling),
        };
        // The recorded load, of which the prediction is a multiple, over that with the unmet demand.
        let met = all.series.sum(Measure::Requests) / series.sum(Measure::Requests).max(f64::MIN_POSITIVE);
        let load = |predictor: &Predictor, data: Ceiling, wal: Ceiling| {
            predictor.expect_apart(&on(data, wal)).map_or(1.0, |ratio| met * ratio)
        };
        let (data_burst, wal_burst) = (burst_ceiling(&data, volumes), burst_ceiling(&wal, 1));
        let both = Ceiling { iops: data_burst.iops + wal_burst.iops, mibps: data_burst.mibps + wal_burst.mibps };
        let (predictor, instance) =
            self.on_instance(predictor, series, both, |predictor| load(predictor, data_burst, wal_burst));
        let data_load = |ceiling| load(&predictor, ceiling, wal_burst);
        let data_limits = effective_ceiling_of(&parts.data.series, data_load, (&data, volumes), &self.request);
        let wal_load = |ceiling| load(&predictor, data_limits.ceiling, ceiling);
        let wal_limits = effective_ceiling_of(&parts.wal.series, wal_load, (&wal, 1), &self.request);
        let apart = on(data_limits.ceiling, wal_limits.ceiling);
        let prediction = predictor.predict_apart(&apart).ok_or(unpublished(&data))?;
        let limitations = Limitations {
            predictor: &predictor,
            demand: &all.group.demand,
            prediction: &prediction,
            outcome,
            credits: &[],
            instance,
        };
        let (of_data, of_wal) = divide_load(&prediction, parts.wal.ios_per_request);
        Ok(ApartPrediction {
            data: (of_data, basis),
            wal: (of_wal, wal_service.basis(wal.volume_type)),
            notes: limitations.notes(self),
            data_credits: data_limits.credits,
            wal_credits: wal_limits.credits,
        })
    }
}

/// The prediction with the load of the data's volumes, and that with the load of WAL's. By Little's law the flushes in flight are their
/// rate times their latency.
fn divide_load(prediction: &Prediction, wal_ios_per_request: f64) -> (Prediction, Prediction) {
    let Some(wal) = prediction.wal else { return (*prediction, *prediction) };
    let flushing = wal.iops / wal_ios_per_request * wal.write_ms.middle / 1e3;
    let data = Prediction {
        iops: prediction.iops - wal.iops,
        mibps: prediction.mibps - wal.mibps,
        in_flight: (prediction.in_flight - flushing).max(0.0),
        ..*prediction
    };
    let own =
        Prediction { iops: wal.iops, mibps: wal.mibps, write_ms: wal.write_ms, in_flight: flushing, ..*prediction };
    (data, own)
}

impl ApartPrediction {
    fn complete(self, data: &mut WhatIfAnswer, wal: &mut WhatIfAnswer) {
        data.notes.push(WhatIfNote::DataAndWalApart);
        wal.notes.push(WhatIfNote::DataAndWalApart);
        data.notes.extend(self.notes);
        data.notes.extend(self.data_credits.note());
        wal.notes.extend(self.wal_credits.note());
        (data.prediction, data.basis) = (Some(self.data.0), Some(self.data.1));
        (wal.prediction, wal.basis) = (Some(self.wal.0), Some(self.wal.1));
    }
}

impl FilePart {
    fn new(series: Series, demand: &Demand, size_gib: Option<u64>) -> FilePart {
        FilePart { ios_per_request: ios_per_request(&series, demand), series, size_gib }
    }

    fn target(&self, volume_type: VolumeType, ceiling: Ceiling) -> PartTarget<'_> {
        PartTarget { series: &self.series, ios_per_request: self.ios_per_request, volume_type, ceiling }
    }
}

impl FileParts {
    /// The demand of data and of WAL: as counted where WAL has a volume of its own, else divided by PostgreSQL's counts; `None` where
    /// these are not known.
    fn new(window: &Window, all: &CurrentState, state: impl Fn(VolumeGroup) -> CurrentState) -> Option<FileParts> {
        let is_wal =
            |volume: &&usize| window.layout.volumes.get(**volume).is_some_and(|volume| volume.roles == [Role::Wal]);
        let (wal, data): (Vec<usize>, Vec<usize>) = window.current.iter().partition(is_wal);
        if !wal.is_empty() && !data.is_empty() {
            let part = |volumes: &[usize]| {
                let state = state(VolumeGroup::from_volumes(window, volumes));
                FilePart::new(state.sized_series().clone(), state.sized_demand(), state.size.size_gib)
            };
            return Some(FileParts { data: part(&data), wal: part(&wal), divided: false });
        }
        let sized =
            all.sized_series().sum(Measure::Requests) / all.series.sum(Measure::Requests).max(f64::MIN_POSITIVE);
        let divided = divide(all.sized_demand(), &window.totals, sized)?;
        Some(FileParts {
            data: FilePart::new(Series::new(&divided.data), &divided.data, all.size.size_gib),
            wal: FilePart::new(Series::new(&divided.wal), &divided.wal, None),
            divided: true,
        })
    }
}
