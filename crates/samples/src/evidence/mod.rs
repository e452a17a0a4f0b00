//! Evidence: samples, sample by sample, before any conclusion from them.
//!
//! The sampler fills [`Block`]s; the store keeps them as bytes ([`codec`]); [`Window::assemble`] puts the blocks of a
//! run or a look-back together again.

mod accounts;
mod backlog;
mod block;
mod block_io;
mod checks;
pub mod codec;
mod columns;
mod configuration_change;
mod counts;
mod coverage;
mod cpu_count;
mod delta;
mod downsampling;
mod ebs;
mod error;
mod layout2;
mod layout4;
mod limits;
mod old_block;
mod packed;
mod pending_change;
mod plausible;
mod recorder;
mod sampling;
mod sessions;
mod timed;
mod totals;
mod used_space;
mod volume;
mod window;

pub use accounts::{Accounts, DatabaseCounts};
pub use backlog::Backlog;
pub use block::{Block, DeviceReadings, Sample};
pub use block_io::{BlockIo, is_wal_alone};
pub use checks::{Balance, CheckedTime, DeviceChecks, SPENT_PCT};
pub use configuration_change::{ChangeTime, ConfigurationChange};
pub use counts::{
    DeviceCounts, EbsCounts, IoBytes, IoCounts, IoKey, ProcessorCounts, RunDelayCounts, SSD_IO_BYTES, Session,
    SessionKey, StorageCounts, TempCounts, TransactionCounts, WaitKey, WalCounts, WalWriteCounts,
};
pub use coverage::Coverage;
pub use cpu_count::CpuCount;
pub use delta::CounterDelta;
pub use downsampling::{MAX_SAMPLES_PER_HOUR, WIDTHS, downsample};
pub use ebs::{Bin, EbsPage, EbsReading, EbsTotals, Gauge};
pub use pending_change::{PendingCause, PendingChange};
pub use plausible::implausible;
pub use recorder::missed as missed_samples;
pub use recorder::{Recorder, Snapshot, Timing};
pub use sampling::{ClockSource, CostCounts, Punctuality, Sampling, Tier};
pub use sessions::SessionTotals;
pub use timed::Timed;
pub use totals::{IoTotals, Totals, WaitTotals};
pub use used_space::SpaceSeries;
pub use volume::{Layout, Medium, Member, Role, StorageLayout, UnresolvedRole, Volume, is_ebs_volume_id};
pub use window::{Interval, LoadDriver, Window};
