//! The arguments of a request, checked.

pub(crate) mod settings;
pub(crate) mod whatif_request;
