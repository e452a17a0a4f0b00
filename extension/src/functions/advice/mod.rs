//! Advice: options, predictions, prices, findings, indexes.

mod advise;
pub mod answer;
mod aurora;
mod findings;
mod frontier;
mod imported_indexes;
mod index_advice;
mod options;
mod price;
pub mod request;
mod restore;
mod unit_prices;
mod whatif;
