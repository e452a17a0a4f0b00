//! Prediction with WAL on a volume of its own: one for the database, as each transaction needs both.

use crate::prediction::predictor::{Predictor, Share, WHOLE};
use crate::prediction::service::Service;
use crate::replay::{Measure, Series};
use ebs_aws::catalogue::{Ceiling, VolumeType};
use ebs_prediction::predict::{Limits, Prediction, Target, WalPrediction, WalTarget, expect, predict};

/// Volumes of a part, and the demand on them.
#[derive(Clone, Copy, Debug)]
pub struct PartTarget<'a> {
    /// Recorded demand of the part.
    pub series: &'a Series,
    /// I/Os that EBS counts for each of its requests: reads of the data may be large where flushes of WAL are small.
    pub ios_per_request: f64,
    /// Type of the volumes.
    pub volume_type: VolumeType,
    /// Limits of the volumes together.
    pub ceiling: Ceiling,
}

/// Data and WAL on volumes of their own.
#[derive(Clone, Copy, Debug)]
pub struct Apart<'a> {
    /// Recorded demand of both together.
    pub series: &'a Series,
    /// The data's volumes.
    pub data: PartTarget<'a>,
    /// WAL's volume.
    pub wal: PartTarget<'a>,
}

impl Apart<'_> {
    /// The data's share of the requests and the bytes.
    pub fn data_share(&self) -> Share {
        share(self.data.series, self.wal.series)
    }

    /// WAL's share of them.
    pub fn wal_share(&self) -> Share {
        share(self.wal.series, self.data.series)
    }
}

fn share(part: &Series, other: &Series) -> Share {
    let part_of = |measure| {
        let sum = part.sum(measure) + other.sum(measure);
        if sum > 0.0 { part.sum(measure) / sum } else { 0.0 }
    };
    Share { iops: part_of(Measure::Requests), mibps: part_of(Measure::Mib) }
}

impl Predictor {
    /// Service of WAL's volume. The latencies that the user gave are those of the data's type; that of another type must have been
    /// published. `None` where it was not.
    pub fn wal_service(&self, volume_type: VolumeType, data_type: VolumeType) -> Option<Service> {
        if volume_type == data_type {
            return self.service(volume_type).cloned();
        }
        self.latencies.with_given(None, None).service(volume_type)
    }

    /// Predicted throughput relative to the run; `None` where no latency of a type is known.
    pub fn expect_apart(&self, apart: &Apart) -> Option<f64> {
        Some(expect(&self.observed, &self.target_apart(apart)?).ratio)
    }

    /// Predicts means and their intervals; `None` where no latency of a type is known.
    pub fn predict_apart(&self, apart: &Apart) -> Option<Prediction> {
        let prediction = predict(&self.observed, &self.target_apart(apart)?);
        let wal_requests = prediction.wal.map_or(0.0, |wal| wal.iops);
        let wal_iops = wal_requests * apart.wal.ios_per_request;
        let data_iops = (prediction.iops - wal_requests) * apart.data.ios_per_request;
        let wal = prediction.wal.map(|wal| WalPrediction { iops: wal_iops, ..wal });
        let prediction = Prediction { iops: data_iops + wal_iops, wal, ..prediction };
        let service = self.service(apart.data.volume_type)?;
        let by_model = (prediction.bound_by, prediction.ratio.middle);
        let bound_by = self.bound_by(service, by_model, &self.limited_loads(apart, &prediction));
        Some(Prediction { bound_by, ..prediction })
    }

    fn target_apart(&self, apart: &Apart) -> Option<Target> {
        let Apart { series, data, wal } = apart;
        let service = self.service(data.volume_type)?;
        let wal_service = self.wal_service(wal.volume_type, data.volume_type)?;
        let limits =
            |part: &PartTarget, share| self.limits((part.series, share), part.ios_per_request, service, part.ceiling);
        let of_both = |ceiling| self.limits((series, WHOLE), self.ios_per_request, service, ceiling);
        let instance = self.instance.map_or(Limits::default(), of_both);
        // Seconds are added to each request of the data, whose number is its own.
        let own_requests = data.ios_per_request / self.ios_per_request;
        let added_s =
            service.open_weight() * own_requests * self.added_s(data.series, self.within_instance(data.ceiling));
        let own = WalTarget { write: wal_service.write, volume: limits(wal, apart.wal_share()) };
        let target = self.target(service, limits(data, apart.data_share()), instance);
        Some(Target { added_s, wal: Some(own), ..target })
    }

    /// The predicted loads of the data's volumes, of WAL's and of the instance, each with its limit.
    fn limited_loads(&self, apart: &Apart, prediction: &Prediction) -> [(Ceiling, Ceiling); 3] {
        let all = Ceiling { iops: prediction.iops, mibps: prediction.mibps };
        let wal = prediction.wal.map_or((0.0, 0.0), |wal| (wal.iops, wal.mibps));
        let wal = Ceiling { iops: wal.0, mibps: wal.1 };
        let data = Ceiling { iops: all.iops - wal.iops, mibps: all.mibps - wal.mibps };
        let instance = self.instance.unwrap_or(Ceiling::UNLIMITED);
        [(data, apart.data.ceiling), (wal, apart.wal.ceiling), (all, instance)]
    }
}
