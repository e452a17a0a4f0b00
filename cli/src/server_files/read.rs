//! Reads files, each by the format that its beginning shows.

use std::collections::HashSet;
use std::fs::canonicalize;
use std::io;
use std::path::PathBuf;

use ebs_answer::{DescribedConfiguration, decode_samples};
use ebs_aws::offer::{ImportedPrice, read_document};
use ebs_base::format::plain;
use ebs_base::input::count_json_values;
use ebs_comparison::export::read_text as read_runs;
use ebs_imports::configuration::{ReadError as ConfigurationReadError, Sources};
use ebs_imports::drivers::fio::{self, Fio};
use ebs_imports::format::arguments::PER_SECOND;
use ebs_imports::format::{DemandReader, Format, Reader};
use ebs_imports::formats::{read_demand, recognise};
use ebs_imports::monitoring::rds_os::{Collector, ReadError};
use ebs_imports::monitoring::rds_waits::{WaitLoad, read as read_waits};
use ebs_imports::monitoring::{ImportError, MonitoringData, awr, samples};
use serde_json::Value;

use super::FileFlags;
use super::decode::{MAX_DOCUMENT, MAX_REPORT, Opened, open, read_text};
use super::demand::{Content, Demand};
use super::file_name::volume_id;
use crate::error::Error;
use crate::file_error::FileError;
use crate::input_file::{Bounded, written_us};
use crate::message::print_message;

/// A file whose content is of no use for advice, or not by itself.
pub struct ServerFile {
    /// Its name.
    pub file: String,
    /// Its format.
    pub format: &'static Format,
}

/// Files of one server.
pub struct ServerFiles<'a> {
    flags: &'a FileFlags,
    /// Sources of demand.
    pub demand: Vec<Demand>,
    /// Answers of CloudWatch, which have a metric each or all of them.
    cloudwatch: Vec<(String, Value)>,
    /// Pages of Performance Insights.
    waits: Vec<(String, String)>,
    /// Documents of the AWS CLI.
    sources: Sources,
    described: Vec<String>,
    /// Reports of fio.
    pub fio: Vec<Fio>,
    /// Prices.
    pub prices: Vec<ImportedPrice>,
    /// Files with something beside demand.
    pub beside: Vec<ServerFile>,
    /// Values of JSON documents so far.
    values: usize,
    /// Texts of files beside demand, for a database; `None` where only what they say is kept.
    texts: Option<Texts>,
}

/// Texts of files beside demand.
#[derive(Default)]
struct Texts {
    configuration: Vec<String>,
    prices: Vec<String>,
    fio: Vec<String>,
}

impl<'a> ServerFiles<'a> {
    /// Reads all files; those that contradict the others are refused.
    pub fn read(files: &[String], flags: &'a FileFlags) -> Result<ServerFiles<'a>, Error> {
        let mut server = ServerFiles::new(files, flags, None)?;
        for file in files {
            let opened = open(file)?;
            server.read_opened(file, recognise(&opened.beginning), opened)?;
        }
        server.finish()?;
        Ok(server)
    }

    /// No file yet of these, whose texts are kept for a database.
    pub fn keeping_texts(files: &[String], flags: &'a FileFlags) -> Result<ServerFiles<'a>, Error> {
        ServerFiles::new(files, flags, Some(Texts::default()))
    }

    fn new(files: &[String], flags: &'a FileFlags, texts: Option<Texts>) -> Result<ServerFiles<'a>, Error> {
        refuse_duplicates(files)?;
        Ok(ServerFiles {
            flags,
            demand: Vec::new(),
            cloudwatch: Vec::new(),
            waits: Vec::new(),
            sources: Sources::default(),
            described: Vec::new(),
            fio: Vec::new(),
            prices: Vec::new(),
            beside: Vec::new(),
            values: 0,
            texts,
        })
    }

    /// Reads a file that is opened, of this format.
    pub fn read_opened(&mut self, file: &str, format: Option<&'static Format>, opened: Opened) -> Result<(), Error> {
        let Some(format) = format else {
            return Err(FileError::Unknown { file: plain(file), beginning: opened.beginning }.into());
        };
        match format.reader {
            Reader::Demand(reader) => self.read_demand(file, format, reader, opened),
            Reader::OsEvents => self.read_events(file, format, opened),
            Reader::Samples => {
                let text = read_text(file, opened, MAX_DOCUMENT)?;
                let device = self.flags.devices().0.unwrap_or(samples::DEFAULT_DEVICE);
                let calendar = self.flags.calendar();
                let series = calendar.and_then(|calendar| samples::read(&text, device, &calendar, &|| ()));
                self.add(
                    file,
                    format,
                    Content::Samples(Box::new(series.map_err(|error| refused(file, format, error))?)),
                )
            }
            Reader::Totals => {
                let (text, flags) = (read_text(file, opened, MAX_DOCUMENT)?, self.flags);
                let totals = flags.calendar().and_then(|calendar| awr::read(&text, &calendar, &|| ()));
                let (per_second, redo_apart) = (flags.is_on(&PER_SECOND), flags.has_redo_apart());
                let data = totals.and_then(|totals| awr::awr(&totals, per_second, redo_apart, &|| ()));
                self.add(file, format, Content::Totals(data.map_err(|error| refused(file, format, error))?))
            }
            Reader::Runs => self.read_runs(file, format, opened),
            Reader::Configuration => self.read_configuration(file, format, opened),
            Reader::Waits => {
                self.waits.push((file.to_owned(), read_text(file, opened, MAX_DOCUMENT)?));
                self.keep_beside(file, format)
            }
            Reader::Fio => {
                let text = read_text(file, opened, MAX_DOCUMENT)?;
                let report = fio::read(&text, &|| ()).map_err(|error| FileError::Fio { file: plain(file), error })?;
                self.fio.push(report);
                self.texts.iter_mut().for_each(|texts| texts.fio.push(text.clone()));
                self.keep_beside(file, format)
            }
            Reader::Prices => {
                let text = read_text(file, opened, MAX_DOCUMENT)?;
                let refused = |error| FileError::Prices { file: plain(file), error };
                let document: Value = serde_json::from_str(&text)
                    .map_err(|error| malformed(file, format, error.line(), &error.to_string()))?;
                self.prices.extend(read_document(&document).map_err(refused)?);
                self.texts.iter_mut().for_each(|texts| texts.prices.push(text.clone()));
                self.keep_beside(file, format)
            }
            Reader::AuroraUsage => Err(refused(file, format, ImportError::AuroraCluster).into()),
            Reader::Driver(_) | Reader::FleetRows | Reader::Unread(_) => {
                Err(FileError::Unsuitable { file: plain(file), format }.into())
            }
        }
    }

    fn keep_beside(&mut self, file: &str, format: &'static Format) -> Result<(), Error> {
        self.beside.push(ServerFile { file: file.to_owned(), format });
        Ok(())
    }

    /// Adds demand; further files of a report's format complete it.
    fn add(&mut self, file: &str, format: &'static Format, content: Content) -> Result<(), Error> {
        let mut demand = Demand { file: file.to_owned(), more: 0, format, content };
        let Some(known) = self.demand.iter_mut().find(|known| known.format.name == format.name) else {
            self.demand.push(demand);
            return Ok(());
        };
        match (&mut known.content, demand.content) {
            (
                Content::Report(known_data) | Content::Totals(known_data),
                Content::Report(data) | Content::Totals(data),
            ) => {
                known_data.merge(data).map_err(|error| refused(file, format, error))?;
                known.more += 1;
            }
            (_, Content::Run(run)) => {
                demand.content = Content::Run(run);
                self.demand.push(demand);
            }
            _ => {
                let message = format!("\"{}\" is {} like another file", plain(file), format.kind);
                return Err(Error::InvalidArgument { message, hint: "Give one file of this kind." });
            }
        }
        Ok(())
    }

    fn read_demand(
        &mut self,
        file: &str,
        format: &'static Format,
        reader: DemandReader,
        opened: Opened,
    ) -> Result<(), Error> {
        let max_bytes = if matches!(reader, DemandReader::Json(_)) { MAX_DOCUMENT } else { MAX_REPORT };
        let text = read_text(file, opened, max_bytes)?;
        self.count_values(file, reader, &text)?;
        if let DemandReader::Json(_) = reader
            && format.name == CLOUDWATCH
        {
            for document in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
                let document = document.map_err(|error| malformed(file, format, error.line(), &error.to_string()))?;
                self.cloudwatch.push((file.to_owned(), with_volume(file, document)));
            }
            return Ok(());
        }
        let options = self.flags.options().map_err(|error| refused(file, format, error))?;
        let data = read_demand(format, &text, &options, &|| ());
        let mut data: MonitoringData = data.map_err(|error| refused(file, format, error))?;
        self.flags.date(&mut data, &options, written_us([file]).unwrap_or(0));
        self.add(file, format, Content::Report(data))
    }

    /// Refuses JSON documents that have more values together than memory is taken for.
    fn count_values(&mut self, file: &str, reader: DemandReader, text: &str) -> Result<(), Error> {
        if let DemandReader::Json(_) = reader {
            self.values = self.values.saturating_add(count_json_values(text, &|| ()));
        }
        if self.values <= MAX_VALUES {
            return Ok(());
        }
        let error = io::Error::new(
            io::ErrorKind::FileTooLarge,
            "the files have more than 8 million values: give a shorter time",
        );
        Err(Error::ReadFile { file: plain(file), error })
    }

    fn read_events(&mut self, file: &str, format: &'static Format, opened: Opened) -> Result<(), Error> {
        let known = self.demand.iter_mut().find_map(|demand| match &mut demand.content {
            Content::Events(collector) => Some(collector),
            _ => None,
        });
        let read = |collector: &mut Collector| {
            collector.read(opened.bytes, &|| ()).map_err(|error| match error {
                ReadError::Source(error) => Error::ReadFile { file: plain(file), error },
                ReadError::Events(error) => refused(file, format, error).into(),
            })
        };
        match known {
            Some(collector) => read(collector),
            None => {
                let mut collector = Box::new(Collector::new(self.flags.selection()));
                read(&mut collector)?;
                self.add(file, format, Content::Events(collector))
            }
        }
    }

    fn read_runs(&mut self, file: &str, format: &'static Format, opened: Opened) -> Result<(), Error> {
        let text = read_text(file, opened, MAX_DOCUMENT)?;
        let refused = |error| FileError::Runs { file: plain(file), error };
        for run in read_runs(&text, &|| ()).map_err(refused)? {
            let blocks = decode_samples(&run, &|| ()).map_err(|error| FileError::Damaged {
                file: plain(file),
                label: plain(&run.label),
                error,
            })?;
            self.add(file, format, Content::Run(Box::new((run, blocks))))?;
        }
        Ok(())
    }

    fn read_configuration(&mut self, file: &str, format: &'static Format, opened: Opened) -> Result<(), Error> {
        let read = match &mut self.texts {
            None => self.sources.read(Bounded::new(opened.bytes, MAX_CONFIGURATION, BEYOND)),
            Some(texts) => {
                let text = read_text(file, opened, MAX_DOCUMENT)?;
                let read = self.sources.read(text.as_bytes());
                texts.configuration.push(text);
                read
            }
        };
        let unfinished = read.map_err(|error| match error {
            ConfigurationReadError::Source(error) => Error::ReadFile { file: plain(file), error },
            ConfigurationReadError::Documents(error) => Error::ConfigurationFile { file: plain(file), error },
        })?;
        for kind in unfinished {
            print_message!("warning: \"{}\" has a NextToken: later pages of {} are missing", plain(file), kind.name());
        }
        self.described.push(file.to_owned());
        self.keep_beside(file, format)
    }

    /// Makes one report of all answers of CloudWatch, after the last file.
    pub fn finish(&mut self) -> Result<(), Error> {
        let Some((file, _)) = self.cloudwatch.first() else { return Ok(()) };
        let (file, format) = (file.clone(), ebs_imports::formats::find(CLOUDWATCH));
        let (Some(format), answers) = (format, std::mem::take(&mut self.cloudwatch)) else { return Ok(()) };
        let answers = Value::Array(answers.into_iter().map(|(_, answer)| answer).collect());
        let refuse = |error| refused(&file, format, error);
        let data = ebs_imports::monitoring::cloudwatch(&answers, self.flags.period_s(), &|| ()).map_err(refuse)?;
        self.add(&file, format, Content::Report(data))
    }

    /// Wait events of all pages of Performance Insights; `None` without any.
    pub fn take_waits(&mut self) -> Result<Option<(String, WaitLoad)>, Error> {
        let Some((file, _)) = self.waits.first() else { return Ok(None) };
        let (file, format) = (file.clone(), &ebs_imports::monitoring::rds_waits::FORMAT);
        let load = read_waits(&self.waits_text().unwrap_or_default(), self.flags.period_s(), &|| ());
        let load = load.map_err(|error| refused(&file, format, error))?;
        self.waits.clear();
        Ok(Some((file, load)))
    }

    /// Text of all pages of Performance Insights; `None` without any.
    pub fn waits_text(&self) -> Option<String> {
        let pages: Vec<&str> = self.waits.iter().map(|(_, text)| text.as_str()).collect();
        (!pages.is_empty()).then(|| pages.join("\n"))
    }

    /// Documents of the AWS CLI, one after another; `None` without any.
    pub fn take_configuration_text(&mut self) -> Option<String> {
        let texts = std::mem::take(&mut self.texts.as_mut()?.configuration);
        (!texts.is_empty()).then(|| texts.join("\n"))
    }

    /// Documents of prices.
    pub fn prices_texts(&mut self) -> Vec<String> {
        self.texts.as_mut().map(|texts| std::mem::take(&mut texts.prices)).unwrap_or_default()
    }

    /// Reports of fio.
    pub fn fio_texts(&mut self) -> Vec<String> {
        self.texts.as_mut().map(|texts| std::mem::take(&mut texts.fio)).unwrap_or_default()
    }

    /// The configuration, as old as the oldest of its files.
    pub fn take_configuration(&mut self) -> DescribedConfiguration {
        let described = std::mem::take(&mut self.described);
        let described_us = written_us(described.iter().map(String::as_str)).unwrap_or(0);
        let configuration = std::mem::take(&mut self.sources).finish();
        DescribedConfiguration { configuration, described_us }
    }
}

/// Most values of JSON documents that are in memory as a whole, of some 100 bytes each: 40 times those of 15 days of minutes of ten metrics.
const MAX_VALUES: usize = 8 << 20;

/// Most bytes of a file of the AWS CLI: some 100,000 volumes, as ebs_import_configuration takes.
const MAX_CONFIGURATION: u64 = 128 << 20;
const BEYOND: &str = "it has more than 128 MiB: describe the volumes of this server alone";

/// An answer of get-metric-statistics with the volume that its file is called by: it does not name it itself.
fn with_volume(file: &str, mut answer: Value) -> Value {
    let id = volume_id(file);
    if answer.get("Datapoints").is_some()
        && let (Some(id), Some(label)) = (id, answer.get("Label").and_then(Value::as_str))
    {
        answer["Label"] = format!("{id} {label}").into();
    }
    answer
}

/// Name of the format whose files complete each other before they are read.
const CLOUDWATCH: &str = "cloudwatch";

fn refused(file: &str, format: &'static Format, error: ImportError) -> FileError {
    FileError::Monitoring { file: plain(file), error, shape: format.shape }
}

fn malformed(file: &str, format: &'static Format, line: usize, problem: &str) -> FileError {
    refused(
        file,
        format,
        ImportError::Malformed { at: format!("line {line}"), problem: problem.chars().take(200).collect() },
    )
}

/// Refuses a file that is named twice, as by overlapping patterns.
fn refuse_duplicates(files: &[String]) -> Result<(), Error> {
    let mut paths = HashSet::new();
    for file in files {
        // A file that does not exist is an error when it is opened.
        if !paths.insert(canonicalize(file).unwrap_or_else(|_| PathBuf::from(file))) {
            let message = format!("\"{}\" is named twice", plain(file));
            return Err(Error::InvalidArgument { message, hint: "Name each file once." });
        }
    }
    Ok(())
}
