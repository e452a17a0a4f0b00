//! Sweeps over pg_stat_activity: what each session waits for now.

use serde::Deserialize;

use crate::server::microseconds;

/// Time for which a session that is idle is still reported. Whether it took part is decided after a second (`participation.rs` of
/// ebs_samples); the connections of a pool that are idle for longer would be most of the answer.
const REPORTED_IDLE_S: u32 = 3;

/// Number of sweeps between two readings, each a tenth of the interval after the one before, and by how much it comes earlier or later:
/// activity with the same period is then not always or never seen.
const SWEEPS: u32 = 10;
const SWEEP_INTERVAL_US: u32 = 100_000;
const JITTER_US: u32 = 10_000;

/// Time between the first sweep and the last, microseconds: from the time that sweeps are scheduled from to the reading.
pub const SWEPT_US: i64 = (SWEEPS * SWEEP_INTERVAL_US) as i64;

/// Returns an SQL expression of sweeps, scheduled from this time by the server's clock, microseconds since 1970. The server itself waits
/// between them: over a link each would come late, and one that is woken by the link sees fewer processes at work.
pub(crate) fn sweeps(from_us: i64) -> String {
    let now = microseconds("pg_catalog.clock_timestamp()");
    // The function below pg_stat_activity, with an argument that depends on i and is NULL: the rows of a function whose arguments stay the
    // same are read once. So is the server's snapshot of its sessions in a transaction, unless it is cleared.
    format!(
        "(SELECT pg_catalog.json_agg(pg_catalog.json_build_array( \
           pg_catalog.pg_sleep(least(greatest(({from_us} + i * {SWEEP_INTERVAL_US} + (pg_catalog.random() * 2 - 1) * {JITTER_US} - {now}) \
             / 1e6, 0), 1))::text, \
           pg_catalog.pg_stat_clear_snapshot()::text, \
           (SELECT pg_catalog.json_build_object('at_us', {now}, 'hidden', count(*) FILTER (WHERE backend_type IS NULL), \
             'rows', pg_catalog.json_agg(pg_catalog.json_build_array(pid, backend_type, wait_event_type, wait_event, state, {since}, \
               coalesce(datid::bigint, 0), coalesce(application_name, ''))) \
               FILTER (WHERE backend_type IS NOT NULL)) \
            FROM pg_catalog.pg_stat_get_activity(nullif(i, i)) WHERE pid <> pg_catalog.pg_backend_pid() \
              AND (state IS DISTINCT FROM 'idle' \
                   OR state_change > pg_catalog.clock_timestamp() - interval '{REPORTED_IDLE_S} s')))) \
         FROM pg_catalog.generate_series(1, {SWEEPS}) i)",
        since = microseconds("state_change"),
    )
}

/// Wait events of all processes at one time.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct Sweep {
    /// Time by the server's clock, microseconds since 1970.
    pub at_us: i64,
    /// Number of sessions whose waits the role may not see.
    pub hidden: u64,
    /// Processes that are not hidden, but for idle sessions.
    rows: Option<Vec<ActivityRow>>,
}

/// A process, as pg_stat_activity has it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct ActivityRow {
    /// Process id.
    pub pid: i32,
    /// Kind of process.
    pub backend_type: String,
    /// Class of the wait event; `None` of a process that waits for nothing.
    pub wait_class: Option<String>,
    /// Wait event, likewise.
    pub wait_event: Option<String>,
    /// State; `None` where it has none, or sessions are not tracked.
    pub state: Option<String>,
    /// Time of the last change of the state, microseconds since 1970.
    pub since_us: Option<i64>,
    /// Number of the database, 0 for none.
    pub database: u32,
    /// application_name.
    pub application: String,
}

impl Sweep {
    /// Processes that are not hidden.
    pub fn rows(&self) -> impl Iterator<Item = &ActivityRow> {
        self.rows.iter().flatten()
    }
}
