//! Conclusions of the benchmarks: a table that is printed while readings arrive, and a final figure.

mod lot;
mod overhead;
mod readings;
mod sampler;
mod timings;

pub use lot::{order_pairs, shuffle};
pub use overhead::report_overhead;
pub use readings::ReadingError;
pub use sampler::report_sampler;
pub use timings::{report_advice, report_answer};
