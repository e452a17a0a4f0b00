//! Making windows: the evidence of a volume as advice takes it.

pub(crate) mod block_space;
pub(crate) mod evidence;
pub(crate) mod frame;
pub(crate) mod loads;
