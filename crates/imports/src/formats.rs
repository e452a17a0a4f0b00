//! Registry of all formats.

use crate::drivers::DriverError;
use crate::format::{Format, Reader, recognise_among};
use crate::import::{ImportError, ImportOptions, MonitoringData};
use crate::{configuration, drivers, foreign, monitoring, unread};

/// All formats, in the order of recognition: an archive before its content, output of a driver, which may have lines of monitoring between its own,
/// before that, and last what nothing reads.
pub fn formats() -> impl Iterator<Item = &'static Format> {
    let first: &[&Format] = &[unread::ARCHIVE, unread::VMSTAT];
    let read = [drivers::FORMATS, monitoring::FORMATS, &[&configuration::FORMAT], foreign::FORMATS];
    [first].into_iter().chain(read).chain([unread::FORMATS, &[unread::SAR_WITHOUT_DEVICES]]).flatten().copied()
}

/// The format of this name.
pub fn find(name: &str) -> Option<&'static Format> {
    formats().find(|format| format.name == name)
}

/// The format of a file, by its beginning; `None` where nothing tells.
pub fn recognise(beginning: &[u8]) -> Option<&'static Format> {
    recognise_among(formats(), beginning)
}

/// Reads demand from a text in this format. An error of a text in which nothing of it is found names the format that it has.
pub fn read_demand(
    format: &Format,
    text: &str,
    options: &ImportOptions,
    pause: &dyn Fn(),
) -> Result<MonitoringData, ImportError> {
    let foreign = ImportError::Foreign(format.kind);
    let Reader::Demand(reader) = format.reader else { return Err(foreign) };
    let other = || recognise(text.as_bytes()).filter(|other| other.name != format.name);
    reader.read(text, options, pause).map_err(|error| {
        match other().filter(|_| matches!(error, ImportError::Foreign(_))) {
            Some(other) => ImportError::Resembles { kind: other.kind, hint: other.hint() },
            None => error,
        }
    })
}

/// The format of a text, in place of an error by which nothing was found of the format that was chosen.
pub fn or_recognised(error: DriverError, text: &str, chosen: &Format) -> DriverError {
    let found = recognise(text.as_bytes()).filter(|found| found.name != chosen.name);
    match (&error, found) {
        (DriverError::Foreign(_), Some(Format { name, reader: Reader::Driver(_), .. })) => {
            DriverError::OtherKind { chosen: chosen.name, found: name }
        }
        _ => error,
    }
}

#[cfg(test)]
#[path = "formats_tests.rs"]
mod tests;
