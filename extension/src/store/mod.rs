//! Our tables: the only place that names them.

mod blocks;
mod environment;
mod runs;
mod session;

pub use blocks::{append, evidence, expire, history, import, owner};
pub use runs::{begin, drop_run, end, find, mark, record_result};
pub use session::prepare_session;
