//! Transports: the ways to raw samples, over HTTP by the program curl, or from files.

mod arguments;
mod credentials;
mod curl;
mod fallback;
mod files;
mod http;
mod interface;
mod interrupt;
mod open;
mod probe;
mod retry;
mod waiting;

#[cfg(test)]
mod fake_server;
#[cfg(test)]
mod http_tests;
#[cfg(test)]
mod probe_tests;
#[cfg(test)]
mod redirect_tests;
#[cfg(test)]
mod retry_tests;

pub use crate::fetch_error::FetchError;
pub use arguments::ConnectionArguments;
pub use interface::{TimeRange, Transport};
pub use interrupt::Interrupt;
pub use open::open;
