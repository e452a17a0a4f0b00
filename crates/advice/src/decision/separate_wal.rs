//! WAL on a volume of its own, where it is on the data's now.
//!
//! A second volume has included IOPS of its own, and flushes do not queue behind the data's requests. The demand is divided as in a
//! what-if, the cheapest volumes of each part are found by the rule of all volumes, and the database is predicted on both.

use std::borrow::Cow;

use super::role_advice::RoleAdvice;
use crate::current::apart_demand::{ApartDemand, ApartVolumes};
use crate::current::file_parts::{FilePart, FileParts};
use crate::decision::shortlist::NEGLIGIBLE_GAIN;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::latency::predicted_ms;
use crate::evaluate::reason::{KeptShare, Provisioning, Reason, Sufficient};
use crate::evaluate::relaxed::cheapest;
use crate::prediction::predictor;
use crate::replay::{Measure, TOLERANCE};
use crate::request::settings::Request;
use crate::scenario::Scenario;
use crate::scenario::inputs::Inputs;
use crate::sizing::sizings::Sizings;
use ebs_aws::catalogue::Ceiling;
use ebs_base::range::Range;
use ebs_base::units::Usd;
use ebs_prediction::predict::{Parts, Prediction};

/// The cheapest volumes for the data and for WAL, each on its own.
#[derive(Clone, Debug)]
pub struct SeparateWal {
    /// The data's volumes, with the prediction of the database.
    pub data: Candidate,
    /// WAL's volume, with the same prediction.
    pub wal: Candidate,
}

/// Share of WAL in the requests and in a transaction's time, below which a volume for it changes neither price nor throughput by
/// [`NEGLIGIBLE_GAIN`].
const MIN_WAL_SHARE: f64 = 0.05;

impl SeparateWal {
    /// Dollars a month of all volumes; `None` where a price is not known.
    pub fn usd_month(&self) -> Option<Usd> {
        Some(self.data.usd_month()? + self.wal.usd_month()?)
    }

    /// Dollars a month of all volumes by which they are compared.
    pub fn total(&self) -> Usd {
        self.data.total() + self.wal.total()
    }

    /// Throughput of the database relative to the current one; `None` where it was not predicted.
    pub fn ratio(&self) -> Option<Range> {
        self.data.ratio()
    }

    /// Yearly durability of all volumes together, per cent: the database is lost with any one of them, and they fail independently.
    fn durability_pct(&self) -> f64 {
        self.data.durability_pct() * self.wal.durability_pct() / 100.0
    }

    /// True where it meets the request for the database.
    fn meets(&self, request: &Request) -> bool {
        let ratio = self.ratio().map_or(0.0, |ratio| ratio.middle);
        let is_late =
            |target: f64| [&self.data, &self.wal].iter().any(|part| part.latency_ms.is_some_and(|ms| ms > target));
        request.min_throughput_ratio.is_none_or(|least| ratio >= least)
            && request.durability_pct.is_none_or(|least| self.durability_pct() * TOLERANCE >= least)
            && request.budget_usd.is_none_or(|budget| self.total() <= budget)
            && !request.latency_target_ms.is_some_and(is_late)
    }

    /// True where it is clearly faster than the common volumes, or cheaper and not slower to speak of.
    fn is_worth(&self, common: &Candidate) -> bool {
        let (Some(ratio), Some(of_common)) = (self.ratio(), common.ratio()) else { return false };
        let gain = ratio.middle / of_common.middle;
        gain >= NEGLIGIBLE_GAIN || self.total() < common.total() && gain * NEGLIGIBLE_GAIN >= 1.0
    }
}

/// WAL apart from the data of a part that is all of the cluster; `None` where it is apart already or not counted, its size is not known,
/// nothing is recommended or predicted, no volumes meet the request, or it is not worth it.
pub fn separate_wal(scenario: &Scenario, role: &RoleAdvice) -> Option<SeparateWal> {
    let common = role.best()?;
    let (state, request) = (&role.state, &scenario.request);
    let Inputs { window, pause, .. } = scenario.part.inputs;
    let predictor = state.predictor.as_ref().ok().filter(|_| !request.platform.is_rds())?;
    let on_common = Parts { data: true, wal: true };
    if predictor::parts(window, &state.group.volumes) != on_common {
        return None;
    }
    let observed = &predictor.observed;
    let commit_share = observed.commit.seconds / observed.response_s();
    let has_few_commits = commit_share.max(0.0) < MIN_WAL_SHARE;
    // To divide a long demand takes a sixth of the whole advice.
    if has_few_commits && FileParts::max_wal_share(state, &window.totals)? < MIN_WAL_SHARE {
        return None;
    }
    let parts = FileParts::divide(state, &window.totals, request.max_wal_bytes)?;
    parts.wal.size_gib?;
    if has_few_commits && wal_share(&parts) < MIN_WAL_SHARE {
        return None;
    }
    let on_one = Request { max_volumes: Some(1), ..Request::clone(request) };
    let scenarios = [
        scenario.of_files(&parts, false, Cow::Borrowed(&**request)),
        scenario.of_files(&parts, true, Cow::Owned(on_one)),
    ];
    let [data, wal] = scenarios.each_ref().map(|scenario| cheapest(&Sizings::new(scenario)));
    let (data, wal) = data.zip(wal)?;
    pause();
    let on = ApartVolumes { data: data.config, volumes: data.volumes, wal: wal.config };
    let demand = ApartDemand { all: state, parts: &parts, on };
    let prediction = demand.predict(&predictor.on_volumes(data.volumes), request)?;
    let wal = Candidate { is_wal_alone: true, ..predicted(wal, &parts.wal, prediction.wal) };
    let separate = SeparateWal { data: predicted(data, &parts.data, prediction.data), wal };
    (separate.meets(request) && separate.is_worth(common)).then_some(separate)
}

/// Volumes of a part with the prediction of the database on both, whose queue it contains.
fn predicted(volumes: Candidate, files: &FilePart, prediction: Prediction) -> Candidate {
    let volumes = with_prediction(volumes, &prediction);
    Candidate {
        prediction: Some(prediction),
        latency_ms: predicted_ms(&files.demand, &prediction),
        queued_latency: None,
        ..volumes
    }
}

/// Volumes of a closed loop with the throughput that the database keeps on both, and the risk that follows: their search predicted it beside
/// other volumes without a limit.
fn with_prediction(volumes: Candidate, prediction: &Prediction) -> Candidate {
    let Reason::Sufficient(Sufficient {
        provisioning: Provisioning::KeepsThroughput { kept, headroom_pct },
        saturation,
    }) = volumes.reason
    else {
        return volumes;
    };
    let used = Ceiling { iops: prediction.iops, mibps: prediction.mibps };
    let kept = KeptShare { ratio: prediction.ratio.middle, used, ..kept };
    let provisioning = Provisioning::KeepsThroughput { kept, headroom_pct };
    let risk = volumes.risk.map(|risk| risk.with_predicted_loss(kept.ratio));
    Candidate { reason: Reason::Sufficient(Sufficient { provisioning, saturation }), risk, ..volumes }
}

/// WAL's share of the requests.
fn wal_share(parts: &FileParts) -> f64 {
    let [data, wal] = [&parts.data, &parts.wal].map(|part| part.series.sum(Measure::Requests));
    if data + wal > 0.0 { wal / (data + wal) } else { 0.0 }
}

#[cfg(test)]
#[path = "separate_wal_tests.rs"]
mod tests;
