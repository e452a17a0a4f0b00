//! Parsers of the output of monitoring (iostat, sar, CloudWatch, AWR), of the AWS CLI (configuration) and of load drivers (pgbench,
//! HammerDB, sysbench, go-tpc, fio): text or JSON in, samples and figures out; which format a file has ([`formats`]). Knows [`ebs_samples`] and [`ebs_base`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod configuration;
pub mod drivers;
mod foreign;
pub mod format;
pub mod formats;
mod import;
#[cfg(any(test, feature = "made"))]
pub mod made;
pub mod monitoring;
mod unread;
