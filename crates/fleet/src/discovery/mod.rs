//! Finding volumes: what exporters and documents name, and where it is.

pub(crate) mod claims;
pub(crate) mod components;
pub(crate) mod described;
pub(crate) mod device;
pub(crate) mod discover;
pub(crate) mod fleet;
pub(crate) mod location;
pub(crate) mod machine;
pub(crate) mod metric;
pub(crate) mod rds_instance;
pub(crate) mod selection;
pub(crate) mod shard;
pub(crate) mod source;
pub(crate) mod target;
pub(crate) mod unattached;
