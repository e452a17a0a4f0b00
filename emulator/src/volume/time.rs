//! Conversion between the clock's whole nanoseconds and the seconds in which rates are computed.

const SECOND_NS: f64 = 1e9;

/// Nanoseconds as seconds.
pub fn seconds(ns: u64) -> f64 {
    ns as f64 / SECOND_NS
}

/// Seconds rounded to whole nanoseconds.
pub fn nanoseconds(seconds: f64) -> u64 {
    (seconds * SECOND_NS).round() as u64
}
