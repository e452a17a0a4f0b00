//! I/O by statement: pg_stat_statements' counters from a run's beginning to its end, and the part of their reads that
//! reached the device.

mod attribute;
mod columns;
mod counts;
mod delta;
mod demand;
mod entry;
mod installation;
mod reading;
mod rows;

pub use attribute::{Device, attribute};
pub use columns::column_list;
pub use counts::{StatementCounts, StatementKey};
pub use delta::{Lost, Observed, between, standing};
pub use demand::{Known, StatementDemand};
pub use entry::Entry;
pub use installation::{INSTALLATION_QUERY, Installation, StatementsSource};
pub use reading::{Missing, Statements};
