//! What to buy and what to change: options, predictions, prices, findings, indexes.

pub mod advise;
pub mod answer;
pub mod findings;
pub mod frontier;
pub mod index_advice;
pub mod index_price;
pub mod options;
pub mod price;
pub mod prices;
pub mod whatif;
