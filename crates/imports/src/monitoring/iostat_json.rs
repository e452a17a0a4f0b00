//! Parser of `iostat -o JSON` (sysstat 11.5 and later): the shape stands in `write_json_ext_stat` of iostat.c.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::ImportError;
use super::iostat_report::IostatReport;
use super::table::{brief, not_a_number, rates_of};
use crate::import::civil;
use ebs_base::input::{Pieces, WorkMeter};

/// The document: `{"sysstat": {"hosts": [{"statistics": […]}]}}`, which sadf shares.
#[derive(Deserialize)]
pub(super) struct Document {
    pub sysstat: Sysstat,
}

#[derive(Deserialize)]
pub(super) struct Sysstat {
    pub hosts: Vec<Host>,
}

#[derive(Deserialize)]
pub(super) struct Host {
    pub statistics: Vec<Statistics>,
}

/// One report.
#[derive(Deserialize)]
pub(super) struct Statistics {
    /// Text of iostat, an object of sadf; iostat has none without `-t`.
    pub timestamp: Option<Value>,
    /// Its devices: names and numbers.
    #[serde(default)]
    pub disk: Vec<Map<String, Value>>,
}

impl Document {
    /// Reads the documents in a text, one behind the other; an error names the line.
    pub fn parse_all(text: &str, pause: &dyn Fn()) -> Result<Vec<Document>, ImportError> {
        let documents = serde_json::Deserializer::from_reader(Pieces::new(text, pause)).into_iter();
        documents.map(|document| document.map_err(|error| Self::refused(&error))).collect()
    }

    fn refused(error: &serde_json::Error) -> ImportError {
        let problem = error.to_string();
        // The place stands in front, as in errors of text.
        let problem = problem.rsplit_once(" at line ").map_or(problem.as_str(), |(problem, _)| problem);
        ImportError::line(error.line(), brief(problem))
    }
}

/// Reports of each host in the text.
pub(super) fn read(text: &str, pause: &dyn Fn()) -> Result<Vec<Vec<IostatReport>>, ImportError> {
    let meter = WorkMeter::new(pause);
    let mut runs = Vec::new();
    let documents = Document::parse_all(text, pause)?;
    for host in documents.into_iter().flat_map(|document| document.sysstat.hosts) {
        let mut run = Vec::with_capacity(host.statistics.len());
        for (number, statistics) in (1..).zip(host.statistics) {
            let mut read = IostatReport { at: format!("report {number}"), ..IostatReport::default() };
            if let Some(timestamp) = &statistics.timestamp {
                let stamp = timestamp.as_str().and_then(civil::stamp);
                read.stamp = Some(stamp.ok_or_else(|| unreadable_time(&read.at, timestamp))?);
            }
            for disk in &statistics.disk {
                meter.step();
                device(&read.at, disk, "disk_device", &mut read.rows)?;
            }
            run.push(read);
        }
        runs.push(run);
    }
    Ok(runs)
}

/// Adds what an object says of the device that `key` names.
pub(super) fn device(
    at: &str,
    disk: &Map<String, Value>,
    key: &str,
    rows: &mut Vec<(String, super::rates::Rates)>,
) -> Result<(), ImportError> {
    let name = disk.get(key).and_then(Value::as_str);
    let name = name.ok_or_else(|| malformed(at, format!("a disk without \"{key}\"")))?;
    let rates = rates_of(rows, name, || at.to_owned())?;
    for (column, value) in disk {
        let number = value.as_f64().filter(|number| (0.0..super::MAX_COUNT).contains(number));
        if rates.set(column, number.unwrap_or(0.0)) && number.is_none() {
            rates.spoil(not_a_number(at.to_owned(), column, &value.to_string()));
        }
    }
    Ok(())
}

/// Error of a time that no shape fits.
pub(super) fn unreadable_time(at: &str, timestamp: &Value) -> ImportError {
    let text = timestamp.as_str().map_or_else(|| timestamp.to_string(), str::to_owned);
    ImportError::UnreadableTime { at: at.to_owned(), text: brief(&text) }
}

pub(super) fn malformed(at: &str, problem: String) -> ImportError {
    ImportError::Malformed { at: at.to_owned(), problem }
}
