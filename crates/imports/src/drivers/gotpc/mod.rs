//! go-tpc's TPC-C, as of 1.0.4 to 1.0.12 (<https://github.com/pingcap/go-tpc>).

mod output;
mod row;

pub(super) use output::{FORMAT, Gotpc};
