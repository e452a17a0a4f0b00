//! Evidence as it is sampled, stored and read again: intervals, blocks, windows, the recorder, the codec, downsampling, and the
//! schedules of the sampler. Knows [`ebs_base`] alone, whose [`counter`](ebs_base::counter) subtracts cumulative counters.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod demand_exposition;
pub mod demand_histogram;
pub mod evidence;
pub mod schedule;
pub mod tracking;
