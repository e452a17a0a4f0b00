//! Flags for facts that files lack, which the SQL functions that import take as arguments.

use std::collections::BTreeMap;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use ebs_base::argument::{Argument, Value};
use ebs_base::names::{quoted, truncated};
use ebs_imports::format::arguments::{
    DEVICE, INSTANCE, INTERVAL_S, PER_SECOND, PERIOD_S, REDO_APART, SINCE_BOOT, STARTED_AT, TIME_ZONE, WAL_DEVICE,
};
use ebs_imports::monitoring::rds_os::Selection;
use ebs_imports::monitoring::{Calendar, ImportError, ImportOptions, MonitoringData};
use jiff::tz::TimeZone;

use crate::flags::{flag, import_flag, import_id, typed};

/// Heading of the flags in the help.
const HEADING: &str = "Files";

/// Longest time zone that is read, characters.
const MAX_TIME_ZONE: usize = 200;

/// The arguments, with the names of their values in the help.
const ARGUMENTS: [(&Argument, &str); 10] = [
    (&DEVICE, "NAME"),
    (&WAL_DEVICE, "NAME"),
    (&INSTANCE, "NAME"),
    (&TIME_ZONE, "ZONE"),
    (&STARTED_AT, "TIME"),
    (&INTERVAL_S, "SECONDS"),
    (&SINCE_BOOT, "true|false"),
    (&PERIOD_S, "SECONDS"),
    (&PER_SECOND, "true|false"),
    (&REDO_APART, "true|false"),
];

/// Values of the flags, as text, by the names of their arguments; that of `instance` is `db_instance`.
#[derive(Debug, Default)]
pub struct FileFlags(BTreeMap<&'static str, String>);

/// Default of an argument, which is another for files than for SQL.
fn default_of(argument: &Argument) -> Option<&'static str> {
    match argument.name {
        name if name == TIME_ZONE.name => Some("that of this machine"),
        name if name == STARTED_AT.name => Some("the last ended when the file was written"),
        _ => None,
    }
}

impl FileFlags {
    /// Flags that were given, with their values.
    pub fn typed(&self) -> impl Iterator<Item = (String, &str)> {
        ARGUMENTS.iter().filter_map(|(argument, _)| Some((import_flag(argument.name), self.text(argument)?)))
    }

    /// Text of an argument, if it is given.
    pub fn text(&self, argument: &'static Argument) -> Option<&str> {
        self.0.get(import_id(argument.name)).map(String::as_str)
    }

    fn value(&self, argument: &'static Argument) -> Option<Value<'_>> {
        typed(argument, self.text(argument)?)
    }

    /// True of a switch that is on.
    pub fn is_on(&self, argument: &'static Argument) -> bool {
        let value = self.value(argument).or(argument.default.value());
        matches!(value, Some(Value::Boolean(true)))
    }

    fn integer(&self, argument: &'static Argument) -> Option<i64> {
        match self.value(argument)? {
            Value::Integer(integer) => Some(integer),
            _ => None,
        }
    }

    /// Length of a period, seconds.
    pub fn period_s(&self) -> Option<i64> {
        self.integer(&PERIOD_S)
    }

    /// True where redo is on a device of its own.
    pub fn has_redo_apart(&self) -> bool {
        self.is_on(&REDO_APART)
    }

    /// Devices of data and of WAL.
    pub fn devices(&self) -> (Option<&str>, Option<&str>) {
        (self.text(&DEVICE), self.text(&WAL_DEVICE))
    }

    /// Choice among the events of Enhanced Monitoring.
    pub fn selection(&self) -> Selection {
        let owned = |argument| self.text(argument).map(str::to_owned);
        Selection { device: owned(&DEVICE), wal_device: owned(&WAL_DEVICE), instance: owned(&INSTANCE) }
    }

    /// Time zone of times without one: that of this machine unless another is given.
    pub fn calendar(&self) -> Result<Calendar, ImportError> {
        let zone = self.text(&TIME_ZONE).map(|zone| truncated(zone, MAX_TIME_ZONE));
        Calendar::new(&zone.unwrap_or_else(|| local_zone().iana_name().unwrap_or("UTC").to_owned()), false)
    }

    /// Facts that a report lacks.
    pub fn options(&self) -> Result<ImportOptions, ImportError> {
        let calendar = self.calendar()?;
        let began = |text: &str| {
            let problem = || ImportError::Argument(format!("started_at is no time: \"{}\"", quoted(text)));
            calendar.read(text).ok_or_else(problem)
        };
        let began_us = self.text(&STARTED_AT).map_or(Ok(0), began)?;
        let (since_boot, period_s) = (self.is_on(&SINCE_BOOT), self.period_s());
        let options = ImportOptions { since_boot, period_s, ..ImportOptions::new(calendar) };
        match self.value(&INTERVAL_S) {
            Some(Value::Number(interval_s)) => options.with_times(began_us, interval_s),
            _ => Ok(options),
        }
    }

    /// Dates a report without times whose start is not given: its last interval ended at `written_us`, microseconds since 1970.
    pub fn date(&self, data: &mut MonitoringData, options: &ImportOptions, written_us: i64) {
        let Some((_, interval_us)) = options.untimed.filter(|_| self.text(&STARTED_AT).is_none()) else { return };
        // Times of a report that has some are later by years.
        if let Some((_, ended_us)) = data.span_us().filter(|(began_us, _)| *began_us <= interval_us) {
            data.shift((written_us - ended_us).max(0));
        }
    }
}

/// Time zone of this machine; UTC where it is not known.
pub fn local_zone() -> TimeZone {
    TimeZone::try_system().unwrap_or(TimeZone::UTC)
}

impl FromArgMatches for FileFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<FileFlags, clap::Error> {
        let given = ARGUMENTS.iter().map(|(argument, _)| import_id(argument.name));
        Ok(FileFlags(given.filter_map(|id| Some((id, matches.get_one::<String>(id)?.clone()))).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = FileFlags::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for FileFlags {
    fn augment_args(command: Command) -> Command {
        let flags = ARGUMENTS.iter().map(|(argument, value_name)| {
            let (id, name) = (import_id(argument.name), import_flag(argument.name));
            flag(argument, name, value_name, argument.help(default_of(argument))).id(id).help_heading(HEADING)
        });
        command.args(flags)
    }

    fn augment_args_for_update(command: Command) -> Command {
        FileFlags::augment_args(command)
    }
}
