//! Parsers of what monitoring and load drivers print: iostat, sar, CloudWatch, AWR; pgbench, HammerDB, sysbench, go-tpc, fio.
//!
//! Text or JSON of other programs in, samples and figures out.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod drivers;
pub mod monitoring;
