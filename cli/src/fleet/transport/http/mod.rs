//! Transports over HTTP.

mod client;
mod export;
mod form;
mod instant_query;
mod remote_read;

pub use client::Client;
pub use export::Export;
pub use instant_query::InstantQuery;
pub use remote_read::RemoteRead;
