//! A volume without its bytes: when each request may be answered, and what was counted. Pure: no I/O, and time is an
//! argument, in nanoseconds since some beginning.

mod credits;
mod emulated_volume;
mod fidelity;
mod limit;
mod request;
mod service;
mod settings;
mod shaper;
mod statistics;
mod time;

pub use emulated_volume::EmulatedVolume;
pub use fidelity::FidelityMonitor;
pub use request::RequestKind;
pub use service::ServiceTime;
pub use settings::{Accounting, Caps, Rate, Settings};
pub use shaper::Shaper;
pub use statistics::Statistics;
