//! Explanations of the figures of the database's activity.

use ebs_base::format;
use ebs_workload::activity::{ActivityMetric, Figure, FlushTime};

/// Minimum share of the time for which a figure is known without a note. Less is missing where the slow probes are read
/// some milliseconds after a block's last sample.
const MIN_COVERAGE: f64 = 0.95;

/// Explains a figure, and says where it is unknown or known for a part of the time.
pub fn describe_figure(figure: &Figure) -> String {
    let meaning = meaning(figure.metric);
    match figure.value {
        None => format!("unknown: {meaning}"),
        Some(_) if figure.coverage < MIN_COVERAGE => {
            format!("{meaning}; known for {} of the time", format::share(figure.coverage))
        }
        Some(_) => meaning,
    }
}

fn meaning(metric: ActivityMetric) -> String {
    let text = match metric {
        ActivityMetric::Transactions => "commits and rollbacks of all databases but the sampler's own",
        ActivityMetric::Commits => "those that only read among them",
        ActivityMetric::Rollbacks => "those after an error among them",
        ActivityMetric::Sessions => {
            "client backends that worked, on average: one that is idle for a second or more is none"
        }
        ActivityMetric::ActiveSessions => "of them, at work or waiting for work to be done",
        ActivityMetric::WaitingForReads => "of the active: until pages have come",
        ActivityMetric::WaitingForWal => "of the active: until WAL is on disk, by their own flush or another's",
        ActivityMetric::WaitingForLocks => "of the active: locks, LWLocks but WALWrite, buffer pins, spinlocks",
        ActivityMetric::OnCpu => "of the active: on a CPU, waiting for one, or in code that reports no wait",
        ActivityMetric::WaitingForOther => "of the active: see ebs_waits",
        ActivityMetric::WaitingForClient => "of them, between two statements or within one",
        ActivityMetric::ParallelWorkers => "at work beside their sessions, on average",
        ActivityMetric::ClientCpu => "client backends and parallel workers, as long as they were there",
        ActivityMetric::EndedCpu => {
            "processes of the server that have ended, after they were last looked at: clients for the most part"
        }
        ActivityMetric::ServerCpu => "all processes of the server: clients, and the sampler, among them",
        ActivityMetric::MachineCpu { from_ticks: false } => "all processes of the machine, the kernel's too",
        ActivityMetric::MachineCpu { from_ticks: true } => {
            "by the kernel's ticks, because processes are hidden or too many: wrong by a factor where what runs is short"
        }
        ActivityMetric::Cpus => {
            "online, not forbidden to the server by its affinity, and within the quota of its cgroup"
        }
        ActivityMetric::Wal => "generated, full-page images among it",
        ActivityMetric::FullPageImages => "pages changed for the first time after a checkpoint",
        ActivityMetric::WalWrites => "calls, by anybody",
        ActivityMetric::WalFlushes => {
            "by anybody; 0 where fsync is off or wal_sync_method is open_sync or open_datasync"
        }
        ActivityMetric::WalFlushesByClients => {
            "by sessions themselves, from PostgreSQL 18 on; one flush may serve many"
        }
        ActivityMetric::WalFlushTime(FlushTime::Measured { fsync_ms }) => {
            return format!("the writes before it among it; the fsync alone {} ms", format::ms(fsync_ms));
        }
        ActivityMetric::WalFlushTime(FlushTime::Untimed) => "track_wal_io_timing was off",
        ActivityMetric::WalFlushTime(FlushTime::NoFlush) => "no flush was counted",
    };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detail(metric: ActivityMetric, value: Option<f64>, coverage: f64) -> String {
        describe_figure(&Figure { metric, value, coverage })
    }

    #[test]
    fn the_coverage_is_told_where_it_is_low() {
        let commits = "those that only read among them";
        assert_eq!(detail(ActivityMetric::Commits, Some(1.0), 0.96), commits);
        assert_eq!(detail(ActivityMetric::Commits, Some(1.0), 0.8), format!("{commits}; known for 80 % of the time"));
        assert_eq!(detail(ActivityMetric::Commits, None, 0.0), format!("unknown: {commits}"));
    }

    #[test]
    fn the_basis_of_a_figure_is_told() {
        let flush = |basis| detail(ActivityMetric::WalFlushTime(basis), Some(3.0), 1.0);
        let measured = FlushTime::Measured { fsync_ms: 2.5 };
        assert_eq!(flush(measured), "the writes before it among it; the fsync alone 2.50 ms");
        assert_eq!(flush(FlushTime::NoFlush), "no flush was counted");
        assert!(detail(ActivityMetric::MachineCpu { from_ticks: true }, Some(1.0), 1.0).contains("ticks"));
    }
}
