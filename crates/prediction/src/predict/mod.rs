//! What the database would do on another volume, or with more or fewer sessions, from one observed run.
//!
//! A transaction's time is made of stations
//! ([`Observed`]), and each answers to something else: CPU time stretches with how busy the CPUs are ([`processor`]), reads
//! that it waits for take the volume's service time, commits share WAL flushes ([`commit`]), locks are held longer by
//! whom everything takes longer, the client and other devices stay as they are. Sessions are a closed population that
//! goes round these stations (interactive response time law: Denning and Buzen, "The operational analysis of queueing
//! network models", ACM Computing Surveys 10(3), 1978, <https://doi.org/10.1145/356733.356735>), so that throughput is where
//! sessions = throughput × time. Where more requests would come of it than the volume or the instance carries, each request
//! waits for its turn until just as many come ([`equilibrium`]).
//!
//! Writes of data pages take room in the volume's limit and are waited for by nobody, unless the limit is full.
//!
//! Nothing here is fitted to the run that is predicted from: what is not in its evidence is a constant with its source, and a
//! doubt ([`doubt`]) that widens the interval.

mod account;
mod commit;
mod device;
mod doubt;
mod equilibrium;
mod load;
mod observed;
mod per_transaction;
mod processor;
mod regime;
mod root;
mod setting;
mod spent;
mod target;

pub use account::{Missing, Parts};
pub use doubt::{Expected, Prediction, expect, predict};
pub use observed::{Limited, Observed, Station};
pub use regime::Regime;
pub use spent::Spent;
pub use target::{Latency, Limits, Source, Target};

#[cfg(test)]
mod backtest_tests;
#[cfg(test)]
mod predict_tests;
