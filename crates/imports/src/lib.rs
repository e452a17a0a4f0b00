//! Parsers of the output of monitoring (iostat, sar, CloudWatch, AWR), of the AWS CLI (configuration) and of load drivers (pgbench,
//! HammerDB, sysbench, go-tpc, fio): text or JSON in, samples and figures out. Knows [`ebs_samples`] and [`ebs_base`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod configuration;
pub mod drivers;
pub mod monitoring;
pub mod resemblance;
