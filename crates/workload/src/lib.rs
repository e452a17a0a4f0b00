//! Figures of a run or a window: demand, I/O profile, wait events, I/O sources, balance, statements, steady state, growth, declared
//! volumes. Knows samples, statistics and AWS's volume types, and has no opinion of volumes to buy.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod activity;
pub mod attached;
pub mod balance;
pub mod busy_rates;
pub mod declarations;
pub mod demand;
pub mod demand_summary;
pub mod exceeded;
pub mod growth;
pub mod io_profile;
pub mod io_share;
pub mod io_sources;
pub mod load_kind;
pub mod merging;
pub mod nvme;
pub mod reading;
pub mod run_timeline;
pub mod sessions;
pub mod settings;
pub mod statements;
pub mod steady_state;
pub mod timeline;
pub mod volume_group;
pub mod waits;
