//! Limitations of a prediction.

use super::answer::WhatIfNote;
use crate::current::current_state::CurrentState;
use crate::evaluate::latency::LARGE_REQUEST_BYTES;
use crate::prediction::credits::CreditUse;
use crate::prediction::predictor::Predictor;
use crate::replay::{Measure, Outcome, Series, Step, TOLERANCE};
use crate::request::whatif_request::WhatIfRequest;
use crate::scenario::evaluated_demand::mean_request_bytes;
use ebs_prediction::BindingLimit;
use ebs_prediction::predict::{DriverPace, MIN_OPEN_SHARE, Prediction, Source};
use ebs_workload::demand::Demand;

/// Causes of the limitations of a prediction.
pub(super) struct Limitations<'a> {
    pub predictor: &'a Predictor,
    /// The recorded volumes.
    pub state: &'a CurrentState,
    pub prediction: &'a Prediction,
    /// Replay of the demand on the volumes.
    pub outcome: Option<&'a Outcome>,
    /// Use of the credits of each of the volumes.
    pub credits: &'a [CreditUse],
    /// Use of the instance's credits.
    pub instance: CreditUse,
}

impl Limitations<'_> {
    /// The notes on them.
    pub fn notes(&self, request: &WhatIfRequest) -> Vec<WhatIfNote> {
        let Limitations { predictor, state, prediction, outcome, .. } = *self;
        let observed = &predictor.observed;
        let other_stripe = predictor.more_volumes() != 1.0;
        let throttled = outcome.is_some_and(|outcome| outcome.throttled_s > 0.0);
        let read_ms = prediction.read_ms;
        let wide_latency = prediction.bound_by == BindingLimit::Latency && read_ms.high > 10.0 * read_ms.low;
        let is_cpu_unknown = !observed.without_waits && (observed.cpu_time.is_none() || observed.cpus.is_none());
        let are_flushes_estimated = observed.flushes > 0.0 && !observed.is_wal_counted;
        let notes = [
            (observed.without_waits && observed.driver.is_none(), WhatIfNote::WithoutWaits),
            (observed.without_waits && observed.driver == Some(DriverPace::Open), WhatIfNote::OpenDriver),
            (are_flushes_estimated, WhatIfNote::FlushesEstimated),
            (!observed.counted && !observed.without_waits, WhatIfNote::TransactionsNotCounted),
            (is_cpu_unknown, WhatIfNote::CpuTimeUnknown),
            (prediction.paced && observed.client_share() >= MIN_OPEN_SHARE, WhatIfNote::PacedClients),
            (request.clients.is_some() && throttled, WhatIfNote::ThrottlingOfRecordedRequests),
            (other_stripe && observed.sequential_share() > SEQUENTIAL, WhatIfNote::ReadAheadScaled),
        ];
        let notes = notes.into_iter().filter_map(|(applies, note)| applies.then_some(note));
        let refuted = state.refuted_limit.map(WhatIfNote::DeclaredLimitRefuted);
        let mut notes: Vec<WhatIfNote> = saturated(state).into_iter().chain(refuted).chain(notes).collect();
        notes.extend(observed.closed_clients().map(|clients| WhatIfNote::ClosedDriver { clients }));
        notes.extend(request.clients.map(|_| WhatIfNote::ClientsInRun { sessions: observed.sessions }));
        notes.extend(self.credits.iter().filter_map(|credits| credits.note()));
        notes.extend(request.instance_credits(self.instance));
        notes.extend(large_requests(&state.group.demand).filter(|_| prediction.source == Source::Published));
        let other = prediction.also_bound_by.filter(|factor| *factor != prediction.bound_by);
        let is_first_known = prediction.known_bound().is_some();
        notes.extend(other.map(|factor| WhatIfNote::AsLikely { factor, is_first_known }));
        // At a limit of the volume, more workers would not help.
        let workers = prediction.io_workers;
        let workers_matter = workers.is_short() && !prediction.bound_by.is_rate();
        notes.extend(workers_matter.then_some(WhatIfNote::IoWorkersShort { workers }));
        notes.extend(wide_latency.then_some(WhatIfNote::WideReadLatency { ms: read_ms }));
        notes
    }
}

/// Share of reads that are read ahead, from which on their change with the stripe is said. A choice.
const SEQUENTIAL: f64 = 0.5;

impl WhatIfRequest {
    /// The note on recorded seconds above the instance's baseline; `None` where they are no more than may be throttled.
    pub(super) fn above_baseline(&self, recorded: &Series) -> Option<WhatIfNote> {
        let instance = self.request.instance?;
        let baseline = instance.baseline();
        let is_above = |step: &&Step| {
            step.rate(Measure::Requests) > baseline.iops * TOLERANCE
                || step.rate(Measure::Mib) > baseline.mibps * TOLERANCE
        };
        let above = recorded.steps().iter().filter(is_above);
        let seconds_pct = 100.0 * above.map(|step| step.seconds).sum::<f64>() / recorded.seconds();
        (seconds_pct > self.request.rule.max_throttled_pct)
            .then_some(WhatIfNote::AboveInstanceBaseline { instance, seconds_pct })
    }

    /// The note on the instance's credits; `None` where its maximum is not requested.
    fn instance_credits(&self, credits: CreditUse) -> Option<WhatIfNote> {
        if !self.instance_burst {
            return None;
        }
        let Some(instance) = self.request.instance else { return Some(WhatIfNote::InstanceUnknown) };
        Some(match credits {
            CreditUse::None => WhatIfNote::NoInstanceBurst { instance },
            CreditUse::Last => WhatIfNote::WithInstanceMaximum { instance },
            CreditUse::RunOut { after_s } => WhatIfNote::WithoutInstanceMaximum { instance, credits_last_s: after_s },
        })
    }
}

impl CreditUse {
    /// The note on burst credits of volumes; `None` where there are none.
    pub(super) fn note(self) -> Option<WhatIfNote> {
        match self {
            CreditUse::None => None,
            CreditUse::Last => Some(WhatIfNote::WithCredits),
            CreditUse::RunOut { after_s } => Some(WhatIfNote::WithoutCredits { credits_last_s: after_s }),
        }
    }
}

/// The note on the limit that the run reached; `None` where none is at least as likely as not.
fn saturated(state: &CurrentState) -> Option<WhatIfNote> {
    let likeliest = state.saturation.as_ref()?.limit.named().next()?;
    Some(WhatIfNote::Saturated { owner: likeliest.owner, has_unmet_demand: state.has_unmet_demand() })
}

/// The note on requests that are larger than those for which latencies are published.
fn large_requests(demand: &Demand) -> Option<WhatIfNote> {
    let bytes = mean_request_bytes(&demand.total())?;
    (bytes > LARGE_REQUEST_BYTES).then_some(WhatIfNote::LargeRequests { mean_kib: bytes / 1_024.0 })
}
