//! Runs for people: the HTML page, report card, charts, comparison.

pub mod card;
pub mod chart;
pub mod compare;
pub mod html;
