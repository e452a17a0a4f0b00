//! A volume without its bytes: decides when each request is replied to, and counts requests. Pure: no I/O, and time is an
//! argument, in nanoseconds of the caller's clock.

mod credit_balance;
mod emulated_volume;
mod fidelity;
mod rate_limiter;
mod request;
mod service_time;
mod settings;
mod shaper;
mod statistics;
mod time;

pub use emulated_volume::EmulatedVolume;
pub use fidelity::Fidelity;
pub use request::RequestKind;
pub use service_time::ServiceTime;
pub use settings::{Accounting, Caps, Rate, Settings};
