//! The samples that an answer rests on, I/O by source, and wait events.

use crate::Report;
use crate::reasons::evidence::describe_reason;
use crate::reasons::pending::describe as describe_pending;
use ebs_advice::insufficient;
use ebs_base::object;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{self, ChangeTime, PendingCause};
use ebs_workload::{io_share, io_sources, waits};

object! {
    /// Samples of the run or look-back.
    pub(super) struct Evidence<'a>(report: &'a Report<'_>)
    where {
        let (window, coverage) = (report.window, &report.coverage);
    } {
        /// The window in words, in the session's time zone.
        when: &'a str = &report.when,
        /// Start of the window, seconds since 1970.
        from_epoch_s: f64 = window.from_us as f64 / 1e6,
        /// End of the window, seconds since 1970.
        to_epoch_s: f64 = window.to_us as f64 / 1e6,
        /// Time with samples, seconds.
        sampled_s: f64 = coverage.sampled_s,
        /// Length of the window, seconds.
        window_s: f64 = coverage.window_s,
        /// Longest sampling interval that was set, seconds.
        interval_s: f64 = coverage.interval_s,
        /// Sampled time that was downsampled to minutes or hours, seconds.
        aged_s: f64 = coverage.downsampled_s,
        /// Samples that were not taken in time.
        missed_ticks: u64 = coverage.missed_samples,
        /// Samples over which counters of PostgreSQL or of a device were reset.
        resets: u64 = coverage.resets,
        /// Sampling tier, in words.
        sampled: &'static str = window.sampling.tier.name(),
        /// Reason why no advice can be given, in words; null where it can.
        insufficient: Option<String> = insufficient(window, coverage).as_ref().map(describe_reason),
        /// Ramp-up, seconds; null where its end was marked or is not known.
        ramp_up_s: Option<f64> = report.steadiness.and_then(|steadiness| steadiness.ramp_up.seconds()),
        /// Whole checkpoint cycles in the window.
        checkpoint_cycles: Option<usize> = report.steadiness.and_then(|steadiness| steadiness.checkpoint_cycles),
        /// True where the run is steady: no drift, and a ramp-up of less than half of it; null where too little was counted.
        steady: Option<bool> = report.steadiness.and_then(|steadiness| steadiness.is_steady()),
        /// Drift of the throughput after ramp-up, from start to end, as a share of its mean: -0.1 is a fall by 10 %.
        drift_share: Option<f64> = report.steadiness.and_then(|steadiness| steadiness.trend).map(|trend| trend.drift),
        /// Changes of the configuration of volumes within the window, in time order.
        configuration_changes: Vec<ConfigurationChange<'a>> =
            window.changes.iter().map(ConfigurationChange::from).collect(),
        /// Changes of the volumes that AWS has not completed by the latest import, and that forbid the next one.
        pending_changes: Vec<PendingChange<'a>> =
            window.pending.iter().map(|one| PendingChange::from((report, one))).collect(),
    }
}

object! {
    /// A change of the configuration of volumes.
    struct ConfigurationChange<'a>(change: &'a evidence::ConfigurationChange)
    where {
        let (from_us, to_us, known_by) = match change.time {
            ChangeTime::Modification { started_us, ended_us } => (started_us, ended_us, "modification"),
            ChangeTime::BetweenImports { earliest_us, latest_us } => (earliest_us, Some(latest_us), "imports"),
        };
    } {
        /// EBS volume ID, or identifier of the RDS instance.
        name: &'a str = &change.name,
        /// Its start, seconds since 1970: of the modification, or the last import with the configuration before it.
        from_epoch_s: f64 = from_us as f64 / 1e6,
        /// Its end, seconds since 1970: of the modification, or the first import with the configuration after it; null of a modification that
        /// had not ended when it was imported.
        to_epoch_s: Option<f64> = to_us.map(|to_us| to_us as f64 / 1e6),
        /// `modification`, or `imports` where the time is between two imports.
        known_by: &'static str = known_by,
        /// Configuration before it, in words.
        before: &'a str = &change.before,
        /// Configuration after it, in words.
        after: &'a str = &change.after,
        /// The one that `current` is of: `before` or `after`.
        current: &'static str = if change.is_after_current { "after" } else { "before" },
    }
}

object! {
    /// A state of a volume that forbids the next change of it, or that it applies too.
    struct PendingChange<'a>((report, pending): (&Report<'_>, &'a evidence::PendingChange))
    where {
        let (cause, state) = match &pending.cause {
            PendingCause::Status(status) => ("status", Some(status.as_str())),
            PendingCause::Maintenance => ("maintenance", None),
            PendingCause::Queued => ("queued", None),
            PendingCause::Modification(state) => ("modification", Some(state.as_str())),
            PendingCause::FourInADay => ("four in a day", None),
            PendingCause::Managed(principal) => ("managed", Some(principal.as_str())),
        };
    } {
        /// EBS volume ID, or identifier of the RDS instance.
        name: &'a str = &pending.name,
        /// `status` of an RDS instance or state of an EBS volume, the `maintenance` window, `queued` values that any change applies too,
        /// `modification` of an EBS volume, `four in a day`, or `managed` by a service.
        cause: &'static str = cause,
        /// Status of the RDS instance, state of the EBS volume or of its modification, or the service; null of other causes.
        state: Option<&'a str> = state,
        /// Configuration that the change sets, in words; null where no document tells it.
        values: Option<&'a str> = pending.values.as_deref(),
        /// Time of the import that shows it, seconds since 1970.
        seen_epoch_s: f64 = pending.seen_us as f64 / 1e6,
        /// Earliest time of the next change, seconds since 1970; null where it is not known.
        earliest_epoch_s: Option<f64> = pending.earliest_us.map(|earliest_us| earliest_us as f64 / 1e6),
        /// The same in words.
        text: String = describe_pending(report, pending),
    }
}

object! {
    /// Shares of the device's bytes, 0 to 1.
    pub(super) struct IoShares(shares: io_share::IoShares) {
        /// PostgreSQL's.
        postgresql: f64 = shares.postgresql,
        /// Other programs', and the kernel's own.
        others: f64 = shares.others,
        /// Others' in the block of samples with most bytes a second.
        others_in_busiest_block: f64 = shares.others_in_busiest_block,
        /// End of that block, seconds since 1970.
        busiest_epoch_s: f64 = shares.busiest_us as f64 / SECOND_US as f64,
        /// Length of that block, seconds.
        busiest_s: f64 = shares.busiest_s,
    }
}

object! {
    /// A row of pg_stat_io over the window.
    pub(super) struct Source<'a>(source: &'a io_sources::Source)
    where {
        let key = &source.key;
    } {
        /// backend_type of pg_stat_io.
        backend_type: &'a str = &key.backend_type,
        /// object of pg_stat_io.
        object: &'a str = &key.object,
        /// context of pg_stat_io.
        context: &'a str = &key.context,
        /// Bytes read, written and extended.
        bytes: u64 = source.bytes(),
        /// Share of these bytes in all bytes of PostgreSQL, 0 to 1.
        share: Option<f64> = source.share,
    }
}

object! {
    /// Time of sessions in one wait event.
    pub(super) struct Wait<'a>(wait: &'a waits::Wait) {
        /// backend_type of pg_stat_activity.
        backend_type: &'a str = &wait.key.backend_type,
        /// wait_event_type of pg_stat_activity; `CPU*` where it has none.
        wait_class: &'a str = &wait.key.class,
        /// wait_event of pg_stat_activity; `CPU*` where it has none.
        wait_event: &'a str = &wait.key.event,
        /// Average number of sessions in the wait event.
        average_active_sessions: f64 = wait.average_active_sessions,
        /// Share of database time, per cent; null for clients and idle processes.
        db_time_pct: Option<f64> = wait.share_of_db_time.map(|share| 100.0 * share),
    }
}
