//! The samples that an answer rests on, I/O by source, and wait events.

use serde::Serialize;

use crate::Report;
use crate::reasons::evidence::describe_reason;
use crate::reasons::pending::describe as describe_pending;
use ebs_advice::insufficient;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{self, ChangeTime, PendingCause};
use ebs_workload::{io_share, io_sources, waits};

/// Samples of the run or look-back.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Evidence<'a> {
    /// The window in words, in the session's time zone.
    when: &'a str,
    /// Start of the window, seconds since 1970.
    from_epoch_s: f64,
    /// End of the window, seconds since 1970.
    to_epoch_s: f64,
    /// Time with samples, seconds.
    sampled_s: f64,
    /// Length of the window, seconds.
    window_s: f64,
    /// Longest sampling interval that was set, seconds.
    interval_s: f64,
    /// Sampled time that was downsampled to minutes or hours, seconds.
    aged_s: f64,
    /// Samples that were not taken in time.
    missed_ticks: u64,
    /// Samples over which counters of PostgreSQL or of a device were reset.
    resets: u64,
    /// Sampling tier, in words.
    sampled: &'static str,
    /// Reason why no advice can be given, in words; null where it can.
    insufficient: Option<String>,
    /// Ramp-up, seconds; null where its end was marked or is not known.
    ramp_up_s: Option<f64>,
    /// Whole checkpoint cycles in the window.
    checkpoint_cycles: Option<usize>,
    /// True where the run is steady: no drift, and a ramp-up of less than half of it; null where too little was counted.
    steady: Option<bool>,
    /// Drift of the throughput after ramp-up, from start to end, as a share of its mean: -0.1 is a fall by 10 %.
    drift_share: Option<f64>,
    /// Changes of the configuration of volumes within the window, in time order.
    configuration_changes: Vec<ConfigurationChange<'a>>,
    /// Changes of the volumes that AWS has not completed by the latest import, and that forbid the next one.
    pending_changes: Vec<PendingChange<'a>>,
}

impl<'a> Evidence<'a> {
    pub(super) fn new(report: &'a Report) -> Evidence<'a> {
        let (window, coverage) = (report.window, &report.coverage);
        Evidence {
            when: &report.when,
            from_epoch_s: window.from_us as f64 / 1e6,
            to_epoch_s: window.to_us as f64 / 1e6,
            sampled_s: coverage.sampled_s,
            window_s: coverage.window_s,
            interval_s: coverage.interval_s,
            aged_s: coverage.downsampled_s,
            missed_ticks: coverage.missed_samples,
            resets: coverage.resets,
            sampled: window.sampling.tier.name(),
            insufficient: insufficient(window, coverage).as_ref().map(describe_reason),
            ramp_up_s: report.steadiness.and_then(|steadiness| steadiness.ramp_up.seconds()),
            checkpoint_cycles: report.steadiness.and_then(|steadiness| steadiness.checkpoint_cycles),
            steady: report.steadiness.and_then(|steadiness| steadiness.is_steady()),
            drift_share: report.steadiness.and_then(|steadiness| steadiness.trend).map(|trend| trend.drift),
            configuration_changes: window.changes.iter().map(ConfigurationChange::from).collect(),
            pending_changes: window.pending.iter().map(|one| PendingChange::new(report, one)).collect(),
        }
    }
}

/// A change of the configuration of volumes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ConfigurationChange<'a> {
    /// EBS volume ID, or identifier of the RDS instance.
    name: &'a str,
    /// Its start, seconds since 1970: of the modification, or the last import with the configuration before it.
    from_epoch_s: f64,
    /// Its end, seconds since 1970: of the modification, or the first import with the configuration after it; null of a modification that
    /// had not ended when it was imported.
    to_epoch_s: Option<f64>,
    /// `modification`, or `imports` where the time is between two imports.
    known_by: &'static str,
    /// Configuration before it, in words.
    before: &'a str,
    /// Configuration after it, in words.
    after: &'a str,
    /// The one that `current` is of: `before` or `after`.
    current: &'static str,
}

impl<'a> From<&'a evidence::ConfigurationChange> for ConfigurationChange<'a> {
    fn from(change: &'a evidence::ConfigurationChange) -> ConfigurationChange<'a> {
        let (from_us, to_us, known_by) = match change.time {
            ChangeTime::Modification { started_us, ended_us } => (started_us, ended_us, "modification"),
            ChangeTime::BetweenImports { earliest_us, latest_us } => (earliest_us, Some(latest_us), "imports"),
        };
        ConfigurationChange {
            name: &change.name,
            from_epoch_s: from_us as f64 / 1e6,
            to_epoch_s: to_us.map(|to_us| to_us as f64 / 1e6),
            known_by,
            before: &change.before,
            after: &change.after,
            current: if change.is_after_current { "after" } else { "before" },
        }
    }
}

/// A state of a volume that forbids the next change of it, or that it applies too.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PendingChange<'a> {
    /// EBS volume ID, or identifier of the RDS instance.
    name: &'a str,
    /// `status` of an RDS instance or state of an EBS volume, the `maintenance` window, `queued` values that any change applies too,
    /// `modification` of an EBS volume, `four in a day`, or `managed` by a service.
    cause: &'static str,
    /// Status of the RDS instance, state of the EBS volume or of its modification, or the service; null of other causes.
    state: Option<&'a str>,
    /// Configuration that the change sets, in words; null where no document tells it.
    values: Option<&'a str>,
    /// Time of the import that shows it, seconds since 1970.
    seen_epoch_s: f64,
    /// Earliest time of the next change, seconds since 1970; null where it is not known.
    earliest_epoch_s: Option<f64>,
    /// The same in words.
    text: String,
}

impl<'a> PendingChange<'a> {
    fn new(report: &Report, pending: &'a evidence::PendingChange) -> PendingChange<'a> {
        let (cause, state) = match &pending.cause {
            PendingCause::Status(status) => ("status", Some(status.as_str())),
            PendingCause::Maintenance => ("maintenance", None),
            PendingCause::Queued => ("queued", None),
            PendingCause::Modification(state) => ("modification", Some(state.as_str())),
            PendingCause::FourInADay => ("four in a day", None),
            PendingCause::Managed(principal) => ("managed", Some(principal.as_str())),
        };
        PendingChange {
            name: &pending.name,
            cause,
            state,
            values: pending.values.as_deref(),
            seen_epoch_s: pending.seen_us as f64 / 1e6,
            earliest_epoch_s: pending.earliest_us.map(|earliest_us| earliest_us as f64 / 1e6),
            text: describe_pending(report, pending),
        }
    }
}

/// Shares of the device's bytes, 0 to 1.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct IoShares {
    /// PostgreSQL's.
    postgresql: f64,
    /// Other programs', and the kernel's own.
    others: f64,
    /// Others' in the block of samples with most bytes a second.
    others_in_busiest_block: f64,
    /// End of that block, seconds since 1970.
    busiest_epoch_s: f64,
    /// Length of that block, seconds.
    busiest_s: f64,
}

impl From<io_share::IoShares> for IoShares {
    fn from(shares: io_share::IoShares) -> IoShares {
        IoShares {
            postgresql: shares.postgresql,
            others: shares.others,
            others_in_busiest_block: shares.others_in_busiest_block,
            busiest_epoch_s: shares.busiest_us as f64 / SECOND_US as f64,
            busiest_s: shares.busiest_s,
        }
    }
}

/// A row of pg_stat_io over the window.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Source<'a> {
    /// backend_type of pg_stat_io.
    backend_type: &'a str,
    /// object of pg_stat_io.
    object: &'a str,
    /// context of pg_stat_io.
    context: &'a str,
    /// Bytes read, written and extended.
    bytes: u64,
    /// Share of these bytes in all bytes of PostgreSQL, 0 to 1.
    share: Option<f64>,
}

impl<'a> From<&'a io_sources::Source> for Source<'a> {
    fn from(source: &'a io_sources::Source) -> Source<'a> {
        let key = &source.key;
        Source {
            backend_type: &key.backend_type,
            object: &key.object,
            context: &key.context,
            bytes: source.bytes(),
            share: source.share,
        }
    }
}

/// Time of sessions in one wait event.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Wait<'a> {
    /// backend_type of pg_stat_activity.
    backend_type: &'a str,
    /// wait_event_type of pg_stat_activity; `CPU*` where it has none.
    wait_class: &'a str,
    /// wait_event of pg_stat_activity; `CPU*` where it has none.
    wait_event: &'a str,
    /// Average number of sessions in the wait event.
    average_active_sessions: f64,
    /// Share of database time, per cent; null for clients and idle processes.
    db_time_pct: Option<f64>,
}

impl<'a> From<&'a waits::Wait> for Wait<'a> {
    fn from(wait: &'a waits::Wait) -> Wait<'a> {
        Wait {
            backend_type: &wait.key.backend_type,
            wait_class: &wait.key.class,
            wait_event: &wait.key.event,
            average_active_sessions: wait.average_active_sessions,
            db_time_pct: wait.share_of_db_time.map(|share| 100.0 * share),
        }
    }
}
