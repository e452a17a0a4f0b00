//! A block: a few seconds of ticks with the names they refer to, the unit in which evidence is written.

use serde::{Deserialize, Serialize};

use super::{DeviceCounts, IoCounts, IoKey, WaitKey, WalCounts};

/// What a part of the cluster is kept for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Role {
    /// The data directory.
    Data,
    /// pg_wal.
    Wal,
}

impl Role {
    /// The name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Role::Data => "data",
            Role::Wal => "wal",
        }
    }
}

/// A block device that carries part of the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Volume {
    /// The kernel's name of the whole device, `nvme1n1`.
    pub device: String,
    /// What is on it, in order, without repetition.
    pub roles: Vec<Role>,
    /// Whether its counts hold times; samples from elsewhere may not.
    pub timed: bool,
    /// Size of the filesystem, bytes; `None` where the evidence does not say.
    pub filesystem_bytes: Option<u64>,
    /// Bytes of it in use.
    pub used_bytes: Option<u64>,
}

impl Volume {
    /// `data`, `wal` or `data+wal`.
    pub fn role(&self) -> String {
        self.roles.iter().map(|role| role.name()).collect::<Vec<_>>().join("+")
    }
}

/// A part of the cluster for which there is no block device, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unplaced {
    /// The part.
    pub role: Role,
    /// For people: `/pgdata is on tmpfs, which lives in memory`.
    pub reason: String,
}

/// Where the parts of the cluster are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Devices found, in the order ticks refer to them.
    pub volumes: Vec<Volume>,
    /// Parts without one.
    pub unplaced: Vec<Unplaced>,
}

/// A probe's answer for one tick. Not knowing is never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reading<T> {
    /// What was counted.
    Known(T),
    /// The counters were reset in between.
    Reset,
    /// The probe failed.
    Failed,
}

/// One tick: everything counted since the one before. Rows in which nothing was counted are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tick {
    /// End of the interval, microseconds since 1970 by the wall clock.
    pub at_us: i64,
    /// Length of the interval, microseconds by the monotonic clock.
    pub dt_us: u64,
    /// By index into [`Place::volumes`].
    pub devices: Vec<(u16, Reading<DeviceCounts>)>,
    /// By index into [`Block::io_keys`].
    pub io: Reading<Vec<(u16, IoCounts)>>,
    /// WAL generated.
    pub wal: Reading<WalCounts>,
    /// Processes seen in each state of [`Block::wait_keys`], summed over the tick's sweeps.
    pub waits: Vec<(u16, u32)>,
    /// Sweeps over the process array in this tick.
    pub sweeps: u32,
    /// Whether track_io_timing was on.
    pub io_timed: bool,
    /// Whether track_wal_io_timing was on.
    pub wal_timed: bool,
}

/// Ticks in time order, and the names that their indexes stand for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// The sampling interval that was set, microseconds.
    pub interval_us: u64,
    /// CPU time the sampler itself used over these ticks, microseconds.
    pub sampler_cpu_us: u64,
    /// Where the cluster's parts were.
    pub place: Place,
    /// Names of pg_stat_io rows.
    pub io_keys: Vec<IoKey>,
    /// Names of waits.
    pub wait_keys: Vec<WaitKey>,
    /// The samples.
    pub ticks: Vec<Tick>,
}
