//! Evidence: what was sampled, tick by tick, before anything is concluded from it.
//!
//! The sampler fills [`Block`]s; the store keeps them as bytes ([`codec`]); [`Window::assemble`] puts the blocks of a
//! run or a look-back together again.

mod block;
pub mod codec;
mod counts;
mod coverage;
pub mod import;
mod recorder;
mod window;

pub use block::{Block, Place, Reading, Role, Tick, Unplaced, Volume};
pub use counts::{DeviceCounts, IoCounts, IoKey, WaitKey, WalCounts};
pub use coverage::Coverage;
pub use recorder::{Recorder, Snapshot, Timing};
pub use window::{IoTotals, Moment, WaitTotals, Window};
