//! Placeholder until the other branch.
use crate::error::Error; use crate::psql::Connection; use ebs_fleet_report::Row; use jiff::Timestamp;
pub fn check(_c: &Connection) -> Result<(), Error> { Ok(()) }
pub fn store(_c: &Connection, _t: Timestamp, rows: &[Row]) -> Result<u64, Error> { Ok(rows.len() as u64) }
