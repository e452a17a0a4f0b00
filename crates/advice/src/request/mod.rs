//! The arguments of a request, checked.

pub(crate) mod argument;
pub mod arguments;
mod check;
pub(crate) mod database_facts;
pub(crate) mod given;
pub(crate) mod settings;
pub(crate) mod volume_request;
pub(crate) mod wal_placement;
pub(crate) mod whatif_request;
