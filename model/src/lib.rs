//! The pure core of ebs_advisor: everything that can be concluded from evidence, and nothing that touches the world.
//!
//! # Layout
//! - [`schedule`]: when the sampler samples.
//! - [`counter`], [`evidence`]: what was sampled; the only place where cumulative counters are subtracted.
//! - [`card`]: grades of latency and scaling; [`export`]: runs as one document.
//! - [`imported`]: what was sampled by others (iostat, sar, CloudWatch, AWR), made into evidence.
//! - [`driver`]: what load drivers print (pgbench, HammerDB, sysbench, go-tpc), read line by line.
//! - [`linux`]: from what Linux says of devices, mounts and processes to disks (readers and trees in, values out).
//! - [`demand`], [`mix`], [`nvme`], [`sources`], [`sessions`], [`balance`], [`waits`],
//!   [`workload`]: what the evidence shows.
//! - [`pause`]: what long computations call, so that they can be given up.
//! - [`stats`]: quantiles and their intervals; [`names`]: names that users write, bounded.
//! - [`catalogue`], [`price`]: what AWS sells, and for how much.
//! - [`offer`]: AWS's offer files, from which users refresh prices.
//! - [`reading`]: what is read when a run begins and ends; [`queries`]: which statements cause the I/O.
//! - [`declared`]: what users say of their volumes, because it cannot be seen.
//! - [`growth`], [`attached`]: how fast a volume fills; what the cluster is on now.
//! - [`course`], [`steady`]: what a run did from flush to flush; where its ramp-up ended, whether the rest was steady.
//! - [`compare`]: what two sets of runs differ by, and how sure that is.
//! - [`plateau`], [`predict`]: whether a run was at its volume's limit; what the database would do on another volume.
//! - [`bucket`], [`replay`], [`need`], [`search`], [`advice`]: from demand to ranked volumes.
//! - [`findings`]: what to put right before a volume is bought.
//! - [`indexes`]: which indexes would spare reads, and which cost writes for nothing.
//! - [`format`](mod@format), [`report`]: text for people; [`timeline`], [`chart`], [`page`]: bars for a terminal, and
//!   the report as one page with plots.
//!
//! Time is an argument, randomness has a fixed seed: the same input gives the same output, digit for digit.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod advice;
pub mod attached;
pub mod balance;
pub mod bucket;
pub mod card;
pub mod catalogue;
pub mod chart;
pub mod compare;
pub mod counter;
pub mod course;
pub mod declared;
pub mod demand;
pub mod driver;
#[cfg(test)]
mod edited;
pub mod elements;
pub mod error;
pub mod evidence;
pub mod export;
pub mod findings;
pub mod format;
pub mod growth;
pub mod imported;
pub mod indexes;
pub mod input;
pub mod linux;
pub mod mix;
pub mod names;
pub mod need;
pub mod nvme;
pub mod offer;
pub mod page;
pub mod pause;
pub mod plateau;
pub mod predict;
pub mod price;
pub mod queries;
pub mod reading;
pub mod replay;
pub mod report;
pub mod schedule;
pub mod search;
pub mod sessions;
pub mod sources;
pub mod stats;
pub mod steady;
pub mod timeline;
pub mod units;
pub mod waits;
pub mod workload;
