//! Notes of ebs_whatif, and the service times that its predictions rest on.

use super::availability;
use super::declared_limits::describe_refuted;
use super::evidence;
use super::prediction::{describe_missing_input, describe_source};
use ebs_advice::{LatencyBasis, NoPrediction, WhatIfNote};
use ebs_aws::catalogue::{Ceiling, Instance};
use ebs_base::format::{brief, count, ms, size};
use ebs_prediction::predict::{Latency, Source};
use ebs_prediction::{BindingLimit, LimitOwner};

/// Describes a note.
pub fn describe_note(note: &WhatIfNote) -> String {
    match note {
        WhatIfNote::Insufficient(reason) => evidence::describe_reason_with_heading(reason),
        WhatIfNote::NoPrediction(reason) => format!("no prediction: {}", describe_no_prediction(reason)),
        WhatIfNote::Unavailable { volume_type, unavailable } => availability::describe(volume_type.name(), unavailable),
        WhatIfNote::SizeUnknown => "how much is stored is unknown: the least size that is sold so".to_owned(),
        WhatIfNote::Saturated { owner, has_unmet_demand } => describe_saturated(*owner, *has_unmet_demand),
        WhatIfNote::DeclaredLimitRefuted(limit) => format!("{}: check the declared limit first", describe_refuted(limit)),
        WhatIfNote::WithoutWaits => describe_without_waits(),
        WhatIfNote::ClosedDriver { clients } => describe_closed_driver(*clients),
        WhatIfNote::OpenDriver => describe_open_driver(),
        WhatIfNote::FlushesEstimated => "WAL flushes were not counted: estimated by the waits for commits".to_owned(),
        WhatIfNote::TransactionsNotCounted => "transactions were not counted: only the ratio is known".to_owned(),
        WhatIfNote::CpuTimeUnknown => {
            "CPU time is not in the evidence: what the CPUs would allow is unknown".to_owned()
        }
        WhatIfNote::PacedClients => {
            "sessions wait for their clients most of the time: these are taken to ask at their own pace".to_owned()
        }
        WhatIfNote::ClientsInRun { sessions } => {
            format!("clients counts sessions at work in the same second: {} in this run", size(*sessions))
        }
        WhatIfNote::ThrottlingOfRecordedRequests => {
            "throttled_pct and added_ms_p99 are of the requests as recorded".to_owned()
        }
        WhatIfNote::WithCredits => "burst credits last at the predicted load: what is shown is with them".to_owned(),
        WhatIfNote::WithoutCredits { credits_last_s } => {
            let seconds = count(*credits_last_s);
            format!("burst credits last {seconds} s at the predicted load: what is shown is without them")
        }
        WhatIfNote::RecordedCredits(after_s) => describe_recorded_credits(*after_s),
        WhatIfNote::WithInstanceMaximum { instance } => describe_maximum(instance),
        WhatIfNote::WithoutInstanceMaximum { instance, credits_last_s } => describe_baseline(instance, *credits_last_s),
        WhatIfNote::NoInstanceBurst { instance } => {
            format!("{} has no burst: it sustains its maximum", instance.instance_type)
        }
        WhatIfNote::InstanceUnknown => describe_unknown_instance(),
        WhatIfNote::AboveInstanceBaseline { instance, seconds_pct } => describe_above_baseline(instance, *seconds_pct),
        WhatIfNote::DataAndWalApart => {
            "data and WAL are on volumes of their own: both rows have the same prediction of the database, not two to add up"
                .to_owned()
        }
        WhatIfNote::WalSpreadEvenly => {
            "WAL's share of the recorded requests is what PostgreSQL counted, spread evenly over the time".to_owned()
        }
        WhatIfNote::LargeRequests { mean_kib } => {
            format!("latencies are published for 16 KiB, requests here have {} KiB", size(*mean_kib))
        }
        WhatIfNote::AsLikely { factor, is_first_known } => describe_as_likely(*factor, *is_first_known),
        WhatIfNote::ReadAheadScaled => {
            "reads are sequential: read-ahead is taken to scale with the number of volumes, and throughput changes less where it does not"
                .to_owned()
        }
        WhatIfNote::IoWorkersShort { workers } => {
            let (needed, count) = (brief(workers.needed), brief(workers.count));
            format!("this throughput needs {needed} I/O workers, of {count}: reads queue for them, and more io_workers may help")
        }
        WhatIfNote::WideReadLatency { ms: read } => {
            format!("a read may take {} to {} ms", ms(read.low), ms(read.high))
        }
    }
}

fn describe_unknown_instance() -> String {
    "instance_burst has no effect: no instance is named, declared or detected".to_owned()
}

fn describe_recorded_credits(after_s: Option<f64>) -> String {
    let end = after_s.map_or(String::new(), |after_s| format!(" {} s", count(after_s)));
    let baseline = if after_s.is_some() { ", then its baseline binds" } else { "" };
    format!("burst credits last{end} at the recorded load{baseline}")
}

fn describe_as_likely(factor: BindingLimit, is_first_known: bool) -> String {
    let beside = if is_first_known { " as well" } else { "" };
    format!("{} may be the bottleneck{beside}", factor.name())
}

/// Describes the basis of a prediction without waits.
fn describe_without_waits() -> String {
    "predicted without wait events, from the device's requests and latencies: the interval reaches from a demand that stays (CPU, think time) \
     to sessions that only wait for the volume"
        .to_owned()
}

fn describe_closed_driver(clients: f64) -> String {
    format!(
        "predicted without wait events, from the device's requests and latencies and {} clients of the load driver that send the next \
         transaction once they have the answer: the interval reaches from a demand that stays (CPU) to sessions that only wait for the volume",
        count(clients)
    )
}

fn describe_open_driver() -> String {
    "predicted without wait events, from the rate of the load driver: it is kept until a limit binds".to_owned()
}

fn describe_saturated(owner: LimitOwner, has_unmet_demand: bool) -> String {
    let owner = owner.name();
    let demand = if has_unmet_demand { ": demand beyond it is estimated" } else { "" };
    format!("this run was at the limit of its {owner}{demand}")
}

fn describe_maximum(instance: &Instance) -> String {
    let (name, maximum, baseline) = (&instance.instance_type, limits(instance.maximum()), limits(instance.baseline()));
    format!(
        "the maximum of {name} counts, {maximum}: its credits last for the recorded time at the predicted load; later it has {baseline}"
    )
}

fn describe_baseline(instance: &Instance, credits_last_s: f64) -> String {
    let (name, seconds, baseline) = (&instance.instance_type, count(credits_last_s), limits(instance.baseline()));
    format!(
        "the maximum of {name} lasts {seconds} s at the predicted load, less than the recorded time: its baseline counts, {baseline}"
    )
}

fn describe_above_baseline(instance: &Instance, seconds_pct: f64) -> String {
    let (name, baseline) = (&instance.instance_type, limits(instance.baseline()));
    let seconds = count(seconds_pct.max(1.0));
    format!(
        "{seconds} % of the recorded seconds exceed the baseline of {name}, {baseline}: they were on a larger instance or on burst credits"
    )
}

fn describe_no_prediction(reason: &NoPrediction) -> String {
    match reason {
        NoPrediction::Missing(missing) => describe_missing_input(*missing).to_owned(),
        NoPrediction::LatencyUnpublished(volume_type) => {
            format!("no latency of {} is published; read_ms and write_ms say it", volume_type.name())
        }
        NoPrediction::WalLatencyUnpublished { wal, data } => {
            let (wal, data) = (wal.name(), data.name());
            format!(
                "no latency of {wal} is published for WAL, and read_ms and write_ms are of {data}: wal_volume => '{data}' uses them"
            )
        }
        NoPrediction::WalNotCounted => "PostgreSQL's counts of WAL are not in the evidence".to_owned(),
    }
}

/// Describes limits: `3,600 IOPS and 78 MiB/s`.
fn limits(ceiling: Ceiling) -> String {
    format!("{} IOPS and {} MiB/s", count(ceiling.iops), count(ceiling.mibps))
}

/// Describes the source of the latencies: `published 0.60 to 0.91 ms a read, 0.65 to 0.95 ms a write, for gp3 (Percona 2021, …)`.
pub fn describe_latency_basis(basis: &LatencyBasis) -> String {
    let published = |latency: &Latency| match (latency.low_s * 1e3, latency.high_s * 1e3) {
        (low, high) if low == high => format!("{} ms", ms(low)),
        (low, high) => format!("{} to {} ms", ms(low), ms(high)),
    };
    let characteristics = basis.volume_type.characteristics();
    let by = characteristics.latency_source.as_ref().map_or(String::new(), |source| format!(" ({source})"));
    let name = basis.volume_type.name();
    let one = |latency: &Latency, source: Source| match source {
        Source::Published => format!("published {} for {name}{by}", published(latency)),
        source => describe_source(source).to_owned(),
    };
    match (basis.read_source, basis.write_source) {
        (Source::Published, Source::Published) => {
            format!("published {} a read, {} a write, for {name}{by}", published(&basis.read), published(&basis.write))
        }
        (read, write) if read == write => format!("latency {}", describe_source(read)),
        (read, write) => format!("reads {}, writes {}", one(&basis.read, read), one(&basis.write, write)),
    }
}

#[cfg(test)]
#[path = "whatif_tests.rs"]
mod tests;
