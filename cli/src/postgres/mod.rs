//! PostgreSQL's servers, by their protocol: connecting as libpq does, queries with bound parameters, answers within bounds. Whatever a
//! server says is data.

mod answer;
mod certificate;
mod channel;
mod connect;
mod connect_error;
mod connection;
mod dial;
mod environment;
mod exchange;
mod extension;
pub mod function;
mod interruption;
mod issuers;
mod session;
mod tls;

pub use answer::Answer;
pub use connection::Connection;
pub use extension::{Extension, INSUFFICIENT_PRIVILEGE};
pub use interruption::flag as stop_flag;
pub use session::{Patience, Session};
