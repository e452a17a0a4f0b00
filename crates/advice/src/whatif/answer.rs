//! Answers of a what-if, and their limitations.

use crate::current::refuted_limit::RefutedLimit;
use crate::evaluate::availability::Unavailable;
use crate::insufficient::Insufficient;
use crate::prediction::service::LatencyBasis;
use crate::replay::AddedLatency;
use ebs_aws::catalogue::{Instance, VolumeConfig, VolumeType};
use ebs_base::range::Range;
use ebs_base::units::Usd;
use ebs_prediction::predict::{IoWorkersNeed, MissingInput, Prediction};
use ebs_prediction::{BindingLimit, LimitOwner};

/// Answer for one part of the cluster on these volumes.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIfAnswer {
    /// `data`, `wal` or `data+wal`; `None` where there is no evidence.
    pub role: Option<String>,
    /// True of WAL's own volume, which is only written.
    pub is_wal_alone: bool,
    /// Each volume, completed; `None` where its size is not known because there is no evidence.
    pub config: Option<VolumeConfig>,
    /// Number of volumes.
    pub volumes: u64,
    /// Prediction of the database; `None` where the evidence does not say.
    pub prediction: Option<Prediction>,
    /// Transactions a second of the run; `None` where they were not counted, or nothing is known of its sessions.
    pub run_tps: Option<f64>,
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

impl WhatIfAnswer {
    /// Predicted transactions a second; `None` where those of the run are not known.
    pub fn tps(&self) -> Option<Range> {
        let (prediction, run_tps) = (self.prediction?, self.run_tps?);
        Some(if prediction.without_waits { prediction.ratio.times(run_tps) } else { prediction.tps })
    }
}

/// A limitation of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum WhatIfNote {
    /// There is no evidence.
    Insufficient(Insufficient),
    /// The evidence has no prediction.
    NoPrediction(NoPrediction),
    /// Volumes of this type are not to be had in the place of the present ones, or are not known to be.
    Unavailable {
        /// The type.
        volume_type: VolumeType,
        /// The reason.
        unavailable: Unavailable,
    },
    /// Used space is not known: the size is the smallest that is sold with these IOPS.
    SizeUnknown,
    /// The run was at a limit, at least as likely as not.
    Saturated {
        /// Owner of the likeliest limit.
        owner: LimitOwner,
        /// True where demand beyond it is estimated.
        has_unmet_demand: bool,
    },
    /// The samples show a limit below the declared one: a prediction of the declared volumes is of what was declared.
    DeclaredLimitRefuted(RefutedLimit),
    /// Waits were not sampled: the ratio lies between a closed loop of the requests in flight and a demand that stays.
    WithoutWaits,
    /// Waits were not sampled, and the clients of the run's load driver send the next transaction once they have the answer.
    ClosedDriver {
        /// The clients.
        clients: f64,
    },
    /// Waits were not sampled, and the clients of the run's load driver keep a rate.
    OpenDriver,
    /// PostgreSQL's counts of WAL are not in the evidence: flushes are estimated by the waits for commits.
    FlushesEstimated,
    /// Transactions were not counted: only the ratio is known.
    TransactionsNotCounted,
    /// CPU time is not in the evidence.
    CpuTimeUnknown,
    /// Sessions mostly wait for their clients, which are assumed to keep their pace.
    PacedClients,
    /// The number of sessions that was given is compared with that of the run.
    ClientsInRun {
        /// Sessions that took turns in the run: at work in the same second, on average.
        sessions: f64,
    },
    /// throttled_pct and added_ms_p99 are of the requests as recorded, not of the clients given.
    ThrottlingOfRecordedRequests,
    /// Burst credits last at the predicted load.
    WithCredits,
    /// Burst credits run out at the predicted load: the answer does not count them.
    WithoutCredits {
        /// Seconds until they run out.
        credits_last_s: f64,
    },
    /// Burst credits at the recorded load, where none is predicted: the seconds until they run out; `None` where they last.
    RecordedCredits(Option<f64>),
    /// The instance's maximum was requested, and lasts for the recorded time at the predicted load.
    WithInstanceMaximum {
        /// The instance.
        instance: &'static Instance,
    },
    /// The instance's maximum was requested, and its credits run out within the recorded time: its baseline counts.
    WithoutInstanceMaximum {
        /// The instance.
        instance: &'static Instance,
        /// Seconds until its credits run out.
        credits_last_s: f64,
    },
    /// The instance's maximum was requested, and its baseline is no less.
    NoInstanceBurst {
        /// The instance.
        instance: &'static Instance,
    },
    /// The instance's maximum was requested, and no instance is named, declared or detected.
    InstanceUnknown,
    /// Recorded seconds had more I/O than the instance sustains: they are of another instance, or of its credits.
    AboveInstanceBaseline {
        /// The instance.
        instance: &'static Instance,
        /// Share of the recorded time, per cent.
        seconds_pct: f64,
    },
    /// Both rows have the same prediction of the database, with data and WAL each on its volumes.
    DataAndWalApart,
    /// The requests of WAL are those that PostgreSQL counted, spread evenly over the recorded time.
    WalSpreadEvenly,
    /// Requests are larger than those for which latencies are published.
    LargeRequests {
        /// Mean size, KiB.
        mean_kib: f64,
    },
    /// Another bottleneck is as likely as the one that is named.
    AsLikely {
        /// The other one.
        factor: BindingLimit,
        /// False where the first is one of several that cannot be told apart without wait events, and is not named.
        is_first_known: bool,
    },
    /// Reads are sequential, the stripe has another number of volumes than in the run, and read-ahead is taken to be larger or smaller with
    /// it.
    ReadAheadScaled,
    /// Reads queue for the workers that make them (`io_method = worker`), so that the throughput may be lower.
    IoWorkersShort {
        /// Workers that the predicted throughput needs.
        workers: IoWorkersNeed,
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
    /// No latency of the type of WAL's volume is published, and those given are of the data's type.
    WalLatencyUnpublished {
        /// Type of WAL's volume.
        wal: VolumeType,
        /// Type of the data's volumes.
        data: VolumeType,
    },
    /// PostgreSQL's counts of WAL are not in the evidence.
    WalNotCounted,
}
