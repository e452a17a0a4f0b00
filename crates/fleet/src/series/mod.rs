//! Reading series: counters of a volume, subtracted, and put together from all that saw it.

pub(crate) mod collect;
pub(crate) mod disk_identity;
pub(crate) mod enhanced;
pub(crate) mod exported;
pub(crate) mod index;
pub(crate) mod merge;
pub(crate) mod period;
pub(crate) mod possible;
pub(crate) mod rates;
pub(crate) mod readings;
pub(crate) mod seconds;
pub(crate) mod space;
pub(crate) mod track;
pub(crate) mod usage;
