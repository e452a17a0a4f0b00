//! Samples: intervals, blocks, windows, the recorder, the codec, downsampling, and the schedules of the sampler.
//!
//! Evidence as it is sampled, stored and read again; the only place where cumulative counters are subtracted is [`ebs_base::counter`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod evidence;
pub mod schedule;
pub mod tracking;
