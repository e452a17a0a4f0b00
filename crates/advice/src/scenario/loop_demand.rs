//! Demand of a closed loop: sessions that wait for each answer ask a volume of another latency for another demand, and a slower one for
//! less. Its volumes are sized by the throughput that they keep, as it asks for no more than it is answered.

use std::rc::Rc;

use crate::current::current_state::CurrentState;
use crate::current::file_parts::{FilePart, FileParts};
use crate::prediction::apart::Apart;
use crate::prediction::kept_throughput::{KeptThroughput, Throughput};
use crate::prediction::predictor::Predictor;
use crate::replay::{Measure, Series};
use crate::requirement::SizingRule;
use ebs_aws::catalogue::{Ceiling, VolumeType};

/// Demand of a closed loop on volumes of a type.
#[derive(Clone, Debug)]
pub struct LoopDemand {
    /// The type.
    pub volume_type: VolumeType,
    /// Weight of the closed loop, above 0: 1 where the load is surely one.
    pub weight: f64,
    /// Demand on volumes without a limit over the demand that an open loop is sized for, at most one.
    pub scale: f64,
    /// That demand.
    pub series: Rc<Series>,
    /// The least limits that keep the throughput.
    pub kept: KeptThroughput,
}

/// A closed loop of a state, with the share of its throughput that volumes must keep.
#[derive(Clone, Copy)]
pub struct ClosedLoop<'a> {
    /// The state.
    pub state: &'a CurrentState,
    /// Weight of the closed loop, 0 to 1.
    pub weight: f64,
    /// The rule, which has that share.
    pub rule: SizingRule,
    /// Function that is called before each type, and may unwind.
    pub pause: &'a dyn Fn(),
}

impl ClosedLoop<'_> {
    /// Demand on each type that a database can use; empty in an open loop, and where nothing is predicted.
    pub fn demands(&self) -> Vec<LoopDemand> {
        let series = self.state.sized_series();
        self.each(series, |predictor, volume_type| {
            let means = |ceiling| predictor.expect(series, volume_type, ceiling).map(Throughput::from);
            let low = |ceiling| Some(predictor.predict(series, volume_type, ceiling)?.ratio.low);
            KeptThroughput::find(self.rule.keep_throughput, &means, &low)
        })
    }

    /// The same of a part of the database's files on volumes of their own, beside as many of the same type without a limit for the other part.
    pub fn demands_of_files(&self, parts: &FileParts, is_wal: bool) -> Vec<LoopDemand> {
        let files: &FilePart = if is_wal { &parts.wal } else { &parts.data };
        self.each(&files.series, |predictor, volume_type| {
            let apart = |ceiling| {
                let [data, wal] = if is_wal { [Ceiling::UNLIMITED, ceiling] } else { [ceiling, Ceiling::UNLIMITED] };
                let (data, wal) = (parts.data.target(volume_type, data), parts.wal.target(volume_type, wal));
                Apart { series: self.state.sized_series(), data, wal }
            };
            let means = |ceiling| {
                let ratio = predictor.expect_apart(&apart(ceiling))?;
                let load = ratio / self.state.sized_scale();
                let used = |measure| load * files.series.mean(measure);
                Some(Throughput { ratio, used: Ceiling { iops: used(Measure::Requests), mibps: used(Measure::Mib) } })
            };
            let low = |ceiling| Some(predictor.predict_apart(&apart(ceiling))?.ratio.low);
            KeptThroughput::find(self.rule.keep_throughput, &means, &low)
        })
    }

    fn each(
        &self,
        series: &Series,
        kept: impl Fn(&Predictor, VolumeType) -> Option<KeptThroughput>,
    ) -> Vec<LoopDemand> {
        let Some(predictor) = self.state.closed_loop().filter(|_| self.weight > 0.0) else { return Vec::new() };
        let demand = |volume_type| {
            (self.pause)();
            let kept = kept(predictor, volume_type)?;
            let scale = self.state.loop_scale(volume_type, self.weight);
            Some(LoopDemand { volume_type, weight: self.weight, scale, series: Rc::new(series.scaled(scale)), kept })
        };
        VolumeType::suitable().filter_map(demand).collect()
    }
}
