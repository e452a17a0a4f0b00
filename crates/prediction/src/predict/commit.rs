//! Group commit: sessions that commit while WAL is being flushed leave together with the next flush.
//!
//! If x commits come during one flush, a flush carries x of them, but never less than one: g = x + exp(−x), from the
//! chance that none came (arrivals at random). See PostgreSQL's XLogFlush, in which the process that gets the lock flushes for all
//! that wait (src/backend/access/transam/xlog.c).

/// Cost of commits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Commits {
    /// Flushes per transaction.
    pub flushes: f64,
    /// Commits that one flush carries.
    pub group: f64,
    /// Wait of a transaction for its commits, seconds.
    pub wait_s: f64,
}

/// Flushes among `fsyncs` of WAL and `writes` of it, of whatever is counted, beside `device_writes` of the device.
///
/// Each write is a flush, and no fsync is counted, where wal_sync_method is open_sync or open_datasync. No fsync is counted either where fsync
/// is off, but then writes stay in the page cache, and fewer reach the device: none of them is a flush.
pub fn flushes(fsyncs: f64, writes: f64, device_writes: f64) -> f64 {
    match fsyncs > 0.0 {
        true => fsyncs,
        false if writes <= device_writes => writes,
        false => 0.0,
    }
}

/// Computes the cost of `visits` commits of each of `tps` transactions a second of `sessions` sessions, where a flush takes
/// `flush_s`.
pub fn commits(tps: f64, visits: f64, sessions: f64, flush_s: f64) -> Commits {
    if visits <= 0.0 {
        return Commits { group: 1.0, ..Commits::default() };
    }
    // A session does not wait for itself.
    let others = if sessions > 1.0 { (sessions - 1.0) / sessions } else { 0.0 };
    let arrive = tps * visits * flush_s * others;
    let group = arrive + (-arrive).exp();
    let flushes = visits / group;
    // Share of time in which a flush runs: a commit that comes then waits for half of it first.
    let busy = (tps * flushes * flush_s).min(1.0);
    Commits { flushes, group, wait_s: visits * flush_s * (1.0 + busy * others / 2.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_are_flushes_where_they_reach_the_device() {
        assert_eq!([flushes(3.0, 5.0, 4.0), flushes(0.0, 4.0, 4.0), flushes(0.0, 5.0, 4.0)], [3.0, 4.0, 0.0]);
    }

    #[test]
    fn alone_each_commit_is_a_flush() {
        let alone = commits(500.0, 1.0, 1.0, 0.001);
        assert_eq!((alone.flushes, alone.group, alone.wait_s), (1.0, 1.0, 0.001));
    }

    #[test]
    fn who_commits_nothing_waits_for_nothing() {
        assert_eq!(commits(500.0, 0.0, 16.0, 0.001), Commits { flushes: 0.0, group: 1.0, wait_s: 0.0 });
    }

    /// Recorded with pgbench's simple-update at 16 sessions on an emulated volume of 0.8 ms: 3,870 tps, 0.2275 flushes a
    /// transaction of 1.083 ms each.
    #[test]
    fn groups_are_as_large_as_those_measured() {
        let measured = commits(3_870.0, 1.0, 16.0, 1.083e-3);
        assert!((measured.flushes / 0.2275 - 1.0).abs() < 0.15, "{measured:?}");
        assert!(measured.wait_s > 1.083e-3 && measured.wait_s < 1.5 * 1.083e-3);
    }
}
