//! ebsctl fleet.
mod configuration;
mod journal;
mod memory;
mod progress;
mod time;
mod transport;
