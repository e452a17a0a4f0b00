//! Reads files, each by the format that its beginning shows.

use std::collections::HashSet;
use std::fs::canonicalize;
use std::path::PathBuf;

use ebs_answer::{DescribedConfiguration, decode_samples};
use ebs_aws::offer::{ImportedPrice, read_document};
use ebs_base::format::plain;
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
use super::decode::{Opened, open, read_text};
use super::demand::{Content, Demand};
use crate::error::Error;
use crate::input_file::written_us;
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
}

impl<'a> ServerFiles<'a> {
    /// Reads all files; those that contradict the others are refused.
    pub fn read(files: &[String], flags: &'a FileFlags) -> Result<ServerFiles<'a>, Error> {
        refuse_duplicates(files)?;
        let mut server = ServerFiles {
            flags,
            demand: Vec::new(),
            cloudwatch: Vec::new(),
            waits: Vec::new(),
            sources: Sources::default(),
            described: Vec::new(),
            fio: Vec::new(),
            prices: Vec::new(),
            beside: Vec::new(),
        };
        files.iter().try_for_each(|file| server.read_file(file))?;
        server.finish_cloudwatch()?;
        Ok(server)
    }

    fn read_file(&mut self, file: &str) -> Result<(), Error> {
        let opened = open(file)?;
        let Some(format) = recognise(&opened.beginning) else {
            return Err(Error::UnknownFile { file: plain(file), beginning: opened.beginning });
        };
        match format.reader {
            Reader::Demand(reader) => self.read_demand(file, format, reader, opened),
            Reader::OsEvents => self.read_events(file, format, opened),
            Reader::Samples => {
                let text = read_text(file, opened.bytes)?;
                let device = self.flags.devices().0.unwrap_or(samples::DEFAULT_DEVICE);
                let calendar = self.flags.calendar();
                let series = calendar.and_then(|calendar| samples::read(&text, device, &calendar, &|| ()));
                self.add(file, format, Content::Samples(series.map_err(|error| refused(file, format, error))?))
            }
            Reader::Totals => {
                let (text, flags) = (read_text(file, opened.bytes)?, self.flags);
                let totals = flags.calendar().and_then(|calendar| awr::read(&text, &calendar, &|| ()));
                let (per_second, redo_apart) = (flags.is_on(&PER_SECOND), flags.has_redo_apart());
                let data = totals.and_then(|totals| awr::awr(&totals, per_second, redo_apart, &|| ()));
                self.add(file, format, Content::Totals(data.map_err(|error| refused(file, format, error))?))
            }
            Reader::Runs => self.read_runs(file, format, opened),
            Reader::Configuration => self.read_configuration(file, format, opened),
            Reader::Waits => {
                self.waits.push((file.to_owned(), read_text(file, opened.bytes)?));
                self.keep_beside(file, format)
            }
            Reader::Fio => {
                let text = read_text(file, opened.bytes)?;
                let report = fio::read(&text, &|| ()).map_err(|error| Error::FioFile { file: plain(file), error })?;
                self.fio.push(report);
                self.keep_beside(file, format)
            }
            Reader::Prices => {
                let text = read_text(file, opened.bytes)?;
                let refused = |error| Error::PricesFile { file: plain(file), error };
                let document: Value = serde_json::from_str(&text)
                    .map_err(|error| malformed(file, format, error.line(), &error.to_string()))?;
                self.prices.extend(read_document(&document).map_err(refused)?);
                self.keep_beside(file, format)
            }
            Reader::AuroraUsage => Err(refused(file, format, ImportError::AuroraCluster)),
            Reader::Driver(_) | Reader::FleetRows | Reader::Unread(_) => {
                Err(Error::UnsuitableFile { file: plain(file), format })
            }
        }
    }

    fn keep_beside(&mut self, file: &str, format: &'static Format) -> Result<(), Error> {
        self.beside.push(ServerFile { file: file.to_owned(), format });
        Ok(())
    }

    /// Adds demand; further files of a report's format complete it.
    fn add(&mut self, file: &str, format: &'static Format, content: Content) -> Result<(), Error> {
        let same = self.demand.iter_mut().find(|known| known.format.name == format.name);
        match (same.map(|same| &mut same.content), content) {
            (None, content) => self.demand.push(Demand { file: file.to_owned(), format, content }),
            (Some(Content::Report(known) | Content::Totals(known)), Content::Report(data) | Content::Totals(data)) => {
                known.merge(data);
            }
            (Some(_), Content::Run(run)) => {
                self.demand.push(Demand { file: file.to_owned(), format, content: Content::Run(run) })
            }
            (Some(_), _) => {
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
        let text = read_text(file, opened.bytes)?;
        if let DemandReader::Json(_) = reader
            && format.name == CLOUDWATCH
        {
            for document in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
                let document = document.map_err(|error| malformed(file, format, error.line(), &error.to_string()))?;
                self.cloudwatch.push((file.to_owned(), document));
            }
            return Ok(());
        }
        let options = self.flags.options().map_err(|error| refused(file, format, error))?;
        let data = read_demand(format, &text, &options, &|| ());
        let mut data: MonitoringData = data.map_err(|error| refused(file, format, error))?;
        self.flags.date(&mut data, &options, written_us([file]).unwrap_or(0));
        self.add(file, format, Content::Report(data))
    }

    fn read_events(&mut self, file: &str, format: &'static Format, opened: Opened) -> Result<(), Error> {
        let known = self.demand.iter_mut().find_map(|demand| match &mut demand.content {
            Content::Events(collector) => Some(collector),
            _ => None,
        });
        let read = |collector: &mut Collector| {
            collector.read(opened.bytes, &|| ()).map_err(|error| match error {
                ReadError::Source(error) => Error::ReadFile { file: plain(file), error },
                ReadError::Events(error) => refused(file, format, error),
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
        let text = read_text(file, opened.bytes)?;
        let refused = |error| Error::RunsFile { file: plain(file), error };
        for run in read_runs(&text, &|| ()).map_err(refused)? {
            let blocks = decode_samples(&run, &|| ()).map_err(|error| Error::DamagedRun {
                file: plain(file),
                label: plain(&run.label),
                error,
            })?;
            self.add(file, format, Content::Run(Box::new((run, blocks))))?;
        }
        Ok(())
    }

    fn read_configuration(&mut self, file: &str, format: &'static Format, opened: Opened) -> Result<(), Error> {
        let unfinished = self.sources.read(opened.bytes).map_err(|error| match error {
            ConfigurationReadError::Source(error) => Error::ReadFile { file: plain(file), error },
            ConfigurationReadError::Documents(error) => Error::ConfigurationFile { file: plain(file), error },
        })?;
        for kind in unfinished {
            print_message!("warning: \"{}\" has a NextToken: later pages of {} are missing", plain(file), kind.name());
        }
        self.described.push(file.to_owned());
        self.keep_beside(file, format)
    }

    /// Makes one report of all answers of CloudWatch.
    fn finish_cloudwatch(&mut self) -> Result<(), Error> {
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
        let pages: Vec<&str> = self.waits.iter().map(|(_, text)| text.as_str()).collect();
        let load = read_waits(&pages.join("\n"), self.flags.period_s(), &|| ());
        let load = load.map_err(|error| refused(&file, format, error))?;
        self.waits.clear();
        Ok(Some((file, load)))
    }

    /// The configuration, as old as the oldest of its files.
    pub fn take_configuration(&mut self) -> DescribedConfiguration {
        let described = std::mem::take(&mut self.described);
        let described_us = written_us(described.iter().map(String::as_str)).unwrap_or(0);
        let configuration = std::mem::take(&mut self.sources).finish();
        DescribedConfiguration { configuration, described_us }
    }
}

/// Name of the format whose files complete each other before they are read.
const CLOUDWATCH: &str = "cloudwatch";

fn refused(file: &str, format: &'static Format, error: ImportError) -> Error {
    Error::MonitoringFile { file: plain(file), error, shape: format.shape }
}

fn malformed(file: &str, format: &'static Format, line: usize, problem: &str) -> Error {
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
