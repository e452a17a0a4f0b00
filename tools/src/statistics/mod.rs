//! Conclusions of the benchmarks: a table that is printed while readings arrive, and a final figure.

mod overhead;
mod random_order;
mod readings;
mod sampler;
mod timings;

pub use overhead::report_overhead;
pub use random_order::{order_pairs, shuffle};
pub use readings::ReadingError;
pub use sampler::report_sampler;
pub use timings::{report_advice, report_answer};
