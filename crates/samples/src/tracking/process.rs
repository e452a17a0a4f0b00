//! Processes of the server, as sampling identifies them.

/// Attributes of a session by which waits and I/O are tracked, beyond backend type and event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dimensions {
    /// Database.
    pub database: bool,
    /// Role.
    pub role: bool,
    /// application_name.
    pub application: bool,
    /// Query id.
    pub query_id: bool,
}

/// Identity of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ProcessIdentity {
    /// Backend type, as pg_stat_activity names it.
    pub backend_type: String,
    /// Database, 0 for none.
    pub database: u32,
    /// Role, 0 for none.
    pub role: u32,
    /// application_name.
    pub application: String,
    /// True while it has no state yet, as a client that starts: its application_name may still be to come.
    pub stateless: bool,
}

/// State of a session, as its process reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionState {
    /// Not known: track_activities is off, or the session starts.
    Unknown,
    /// Runs a statement.
    Running,
    /// Waits for the next statement, in a transaction or outside.
    Idle {
        /// Time of its last change of state, microseconds since 1970.
        since_us: i64,
    },
}

/// A number of the catalogue, to be replaced by the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CatalogueName {
    /// A database.
    Database(u32),
    /// A role.
    Role(u32),
}

/// The process array, for the facts that a sweep needs only of processes whose state has changed, and at the end of
/// an interval of sessions that were seen idle alone.
pub trait Processes {
    /// Identity of the process in this slot; `None` while it starts or if it is another one by now.
    fn identity(&self, slot: usize, pid: i32) -> Option<ProcessIdentity>;

    /// Query id of the process in this slot; 0 for none.
    fn query_id(&self, slot: usize) -> i64;

    /// State of the session in this slot; `None` if it has gone.
    fn session_state(&self, slot: usize, pid: i32) -> Option<SessionState>;
}
