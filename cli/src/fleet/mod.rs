//! Advice for a fleet, on the engine that holds its history.

pub mod transport;
