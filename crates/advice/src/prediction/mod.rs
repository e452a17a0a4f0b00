//! Prediction of the database on volumes of another type, from one part of the cluster.

pub(crate) mod apart;
pub(crate) mod credits;
pub(crate) mod kept_throughput;
pub(crate) mod limiting;
pub(crate) mod predictor;
pub(crate) mod run_bound;
pub(crate) mod service;
