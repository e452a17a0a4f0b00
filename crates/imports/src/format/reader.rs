//! Readers of formats: what the content of a file is.

use std::fmt;

use serde_json::Value;

use super::Kind;
use crate::import::{ImportError, ImportOptions, MonitoringData};

/// Reader of a format, by the content of its files.
#[derive(Clone, Copy, Debug)]
pub enum Reader {
    /// Demand of the devices of a server: a run.
    Demand(DemandReader),
    /// Demand and load by events of one instance ([`crate::monitoring::rds_os`]): a run.
    OsEvents,
    /// Sessions by wait event ([`crate::monitoring::rds_waits`]): beside a run that is there.
    Waits,
    /// Metered use of an Aurora cluster ([`crate::monitoring::aurora`]): an answer.
    AuroraUsage,
    /// Samples of a device ([`crate::monitoring::samples`]), whose times PostgreSQL reads: a run.
    Samples,
    /// Totals of hours ([`crate::monitoring::awr`]), whose times PostgreSQL reads: a run.
    Totals,
    /// Present configuration of an account ([`crate::configuration`]).
    Configuration,
    /// Result of a load driver ([`crate::drivers`]): that of a run that is there.
    Driver(Kind),
    /// Results of fio ([`crate::drivers::fio`]): of a run that is there, or of a new one.
    Fio,
    /// Runs, as ebs_advisor exports them; read by ebs_comparison.
    Runs,
    /// Prices; read by ebs_aws.
    Prices,
    /// Answers of a fleet; read by ebs_fleet_row.
    FleetRows,
    /// None: only named, with a sentence on what to do instead; empty where a command reads it.
    Unread(&'static str),
}

type Read<Input> = fn(&Input, &ImportOptions, &dyn Fn()) -> Result<MonitoringData, ImportError>;

/// Reader of demand. Its hook is called between pieces of the work, and may unwind.
#[derive(Clone, Copy)]
pub enum DemandReader {
    /// Reads text.
    Text(Read<str>),
    /// Reads a JSON document.
    Json(Read<Value>),
}

impl DemandReader {
    /// Reads a file as text.
    pub fn read(self, text: &str, options: &ImportOptions, pause: &dyn Fn()) -> Result<MonitoringData, ImportError> {
        match self {
            DemandReader::Text(read) => read(text, options, pause),
            DemandReader::Json(read) => {
                let document: Value = ebs_base::input::json(text, pause)
                    .map_err(|error| ImportError::line(error.line(), error.to_string()))?;
                read(&document, options, pause)
            }
        }
    }
}

impl fmt::Debug for DemandReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DemandReader::Text(_) => "Text",
            DemandReader::Json(_) => "Json",
        })
    }
}
