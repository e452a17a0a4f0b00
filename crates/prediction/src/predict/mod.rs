//! The what-if model: predicts the performance on another volume, or with more or fewer sessions, from one observed run.
//!
//! A transaction's time is made of stations
//! ([`Observed`]), and each responds to something else: CPU time stretches with the utilization of the CPUs ([`processor`]),
//! reads that it waits for take the volume's service time, commits share WAL flushes ([`commit`]), locks are held longer by
//! transactions that take longer, the client and other devices stay as they are. Sessions are a closed population that
//! goes round these stations (interactive response time law: Denning and Buzen, "The operational analysis of queueing
//! network models", ACM Computing Surveys 10(3), 1978, <https://doi.org/10.1145/356733.356735>), so that throughput is where
//! sessions = throughput × time. Where that gives more requests than the volume or the instance carries, each request
//! queues until the rate equals the limit ([`equilibrium`]).
//!
//! Writes of data pages take room in the volume's limit, and no session waits for them unless the limit is reached.
//!
//! No constant is fitted to the run that the prediction starts from. Its measurements are compared with the model, and carried over as
//! ratios within bounds: queueing for CPUs and CPU time inside of waits ([`Residence`]), the wait of commits over the modelled one and the
//! time of a flush over that of a write ([`load`]), and throughput over the modelled one (`anchor` of [`uncertainty`]). An input that its
//! evidence lacks is a constant with its source, and an uncertainty that widens the interval.

mod account;
mod checkpoint_merging;
mod commit;
mod device;
mod equilibrium;
mod extrapolation;
mod io_workers;
mod limiting_factor;
mod load;
mod locks;
mod observed;
mod pace;
mod per_transaction;
mod prediction;
mod processor;
mod root;
mod sampling_error;
mod setting;
mod target;
mod think_time;
mod time_breakdown;
mod uncertainty;
mod without_waits;

pub use account::{MIN_ACTIVE_SESSIONS, MissingInput, Parts, counted_tps};
pub use commit::flushes;
pub use io_workers::{IoWorkers, IoWorkersNeed};
pub use observed::{CpuTime, DriverPace, Observed, Station};
pub use pace::{MAX_CLOSED_SHARE, MIN_OPEN_SHARE, closed_weight};
pub use prediction::{Expected, Prediction, WalPrediction};
pub use processor::Residence;
pub use target::{DeliveredShare, Latency, Limits, Rates, Source, Target, WalTarget};
pub use think_time::closed_loop_ratio;
pub use time_breakdown::TimeBreakdown;
pub use uncertainty::{expect, predict};

#[cfg(test)]
mod backtest_errors_tests;
#[cfg(test)]
mod backtest_tests;
#[cfg(test)]
mod beside_others_tests;
#[cfg(test)]
mod predict_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod published_tests;
