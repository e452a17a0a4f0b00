//! Demand of data and WAL on volumes of their own, and the prediction of both.

use crate::current::current_state::CurrentState;
use crate::current::file_parts::FileParts;
use crate::prediction::apart::Apart;
use crate::prediction::credits::{CreditUse, burst_ceiling, effective_ceiling_of};
use crate::prediction::predictor::Predictor;
use crate::request::settings::Request;
use ebs_aws::catalogue::{Ceiling, VolumeConfig};
use ebs_prediction::predict::Prediction;

/// Volumes for the data, and one for WAL.
#[derive(Clone, Copy, Debug)]
pub struct ApartVolumes {
    /// Each volume of the data.
    pub data: VolumeConfig,
    /// Number of them, striped.
    pub volumes: u64,
    /// WAL's volume.
    pub wal: VolumeConfig,
}

/// Demand of data and WAL, and volumes of their own.
#[derive(Clone, Copy)]
pub struct ApartDemand<'a> {
    /// The state of all current volumes.
    pub all: &'a CurrentState,
    /// The demand on them, in parts.
    pub parts: &'a FileParts,
    /// The other volumes.
    pub on: ApartVolumes,
}

/// One prediction of the database, and what of it is each part's.
#[derive(Clone, Copy, Debug)]
pub struct ApartPrediction {
    /// The prediction, with the load of all volumes.
    pub all: Prediction,
    /// The same with the load of the data's volumes.
    pub data: Prediction,
    /// The same with the load of WAL's volume.
    pub wal: Prediction,
    /// Use of the burst credits of the data's volumes.
    pub data_credits: CreditUse,
    /// Use of the burst credits of WAL's volume.
    pub wal_credits: CreditUse,
}

impl ApartDemand<'_> {
    /// Load that a predictor gives while credits last, over the recorded one.
    pub fn burst_load(&self, predictor: &Predictor) -> f64 {
        let (data, wal) = self.burst_ceilings();
        self.load(predictor, data, wal)
    }

    /// Limits of all volumes together while credits last.
    pub fn burst_ceiling(&self) -> Ceiling {
        let (data, wal) = self.burst_ceilings();
        Ceiling { iops: data.iops + wal.iops, mibps: data.mibps + wal.mibps }
    }

    /// Predicts the database on the volumes; `None` where no latency of a type is known.
    pub fn predict(&self, predictor: &Predictor, request: &Request) -> Option<ApartPrediction> {
        let ApartVolumes { data, volumes, wal } = self.on;
        let (_, wal_burst) = self.burst_ceilings();
        let data_load = |ceiling| self.load(predictor, ceiling, wal_burst);
        let data_limits = effective_ceiling_of(&self.parts.data.series, data_load, (&data, volumes), request);
        let wal_load = |ceiling| self.load(predictor, data_limits.ceiling, ceiling);
        let wal_limits = effective_ceiling_of(&self.parts.wal.series, wal_load, (&wal, 1), request);
        let all = predictor.predict_apart(&self.targets(data_limits.ceiling, wal_limits.ceiling))?;
        let (of_data, of_wal) = divide_load(&all, self.parts.wal.ios_per_request);
        Some(ApartPrediction {
            all,
            data: of_data,
            wal: of_wal,
            data_credits: data_limits.credits,
            wal_credits: wal_limits.credits,
        })
    }

    fn burst_ceilings(&self) -> (Ceiling, Ceiling) {
        (burst_ceiling(&self.on.data, self.on.volumes), burst_ceiling(&self.on.wal, 1))
    }

    fn targets(&self, data: Ceiling, wal: Ceiling) -> Apart<'_> {
        Apart {
            series: self.all.sized_series(),
            data: self.parts.data.target(self.on.data.volume_type, data),
            wal: self.parts.wal.target(self.on.wal.volume_type, wal),
        }
    }

    /// Load under these limits over that with the unmet demand: the prediction is a multiple of the recorded one.
    fn load(&self, predictor: &Predictor, data: Ceiling, wal: Ceiling) -> f64 {
        predictor.expect_apart(&self.targets(data, wal)).map_or(1.0, |ratio| ratio / self.all.sized_scale())
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
