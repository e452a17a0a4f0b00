//! Answers from samples: discovery, batches, journal.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::thread;

use ebs_aws::catalogue::prices;
use ebs_base::format::plain;
use ebs_fleet::{Batch, CheckedArguments, Fleet, Selection, Settings, discovery_selectors};
use ebs_fleet_report::{Row, row_from_answer, rows_not_evaluated};
use ebs_imports::configuration::Configuration;
use jiff::Timestamp;
use signal_hook::iterator::Signals;

use super::arguments::Arguments;
use super::found::{self, Found};
use super::journal::Journal;
use super::pipeline::{self, BatchError, Work};
use super::progress::Progress;
use super::rows::exit_status;
use super::transport::{self, Interrupt, TimeRange, Transport};
use super::{configuration, output, time, volume_run};
use crate::ending_signals::ending_signals;
use crate::error::Error;
use crate::fetch_error::FetchError;
use crate::message::print_message;

/// Exit status of a run that Ctrl-C or another signal has ended.
const INTERRUPTED: u8 = 130;

/// Answers the volumes of an engine or of files of samples, and returns the exit status.
pub fn answer(arguments: &Arguments) -> Result<u8, Error> {
    let configuration = read_configuration(arguments)?;
    let selection = selection(arguments);
    let range =
        time::range(arguments.run.since, arguments.run.until.as_ref().map_or_else(Timestamp::now, |until| until.at));
    let settings = check_settings(arguments)?;
    arguments.run.until.iter().for_each(|until| found::warn_of_future(until.at));
    if let Some(region) = arguments.volumes.region.as_ref().filter(|region| prices(region).is_err()) {
        print_message!("warning: there are no prices of {region} here: volumes of it are answered without amounts");
    }
    let stop = stop_on_signals()?;
    let opened = transport::open(&arguments.engine, &stop)?;
    opened.warnings.iter().for_each(|warning| print_message!("warning: {warning}"));
    let transport = opened.transport.as_ref();
    if let Some(label) = &arguments.output.run_label {
        let Discovered { fleet, .. } = discover(transport, &configuration, (&selection, &settings), range)?;
        let documented_us = configuration::written_us(&configuration_files(arguments));
        let configuration = &configuration;
        let source = volume_run::SampleSource { fleet: &fleet, transport, range, configuration, documented_us };
        return volume_run::keep(label, &source, &arguments.output);
    }
    let mut journal = open_journal(arguments, &configuration, range)?;
    let range = journal.range;
    let settings = Settings { from_us: range.from_ms * 1_000, to_us: range.to_ms * 1_000, ..settings };
    let Discovered { fleet, unmet, has_series } = discover(transport, &configuration, (&selection, &settings), range)?;
    let in_shard = |key: &str| arguments.run.shard.is_none_or(|shard| shard.has(key));
    let batches: Vec<&Batch> = fleet.batches.iter().filter(|batch| in_shard(&batch.key)).collect();
    let unobserved = fleet.unobserved.iter().filter(|volume| in_shard(&volume.key()));
    let unobserved = unobserved.map(|volume| ebs_fleet::answer_unobserved(volume, &configuration, &settings));
    let mut rows: Vec<Row> = unobserved.map(|answer| row_from_answer(&answer)).collect();
    let work =
        Work { transport, range, configuration: &configuration, settings: &settings, jobs: arguments.run.jobs.get() };
    let all = rows.len() + batches.iter().map(|batch| batch.selected().count()).sum::<usize>();
    let progress = Progress::new(batches.iter().map(|batch| batch.selected().count() as u64).sum(), &opened.bars);
    let failures = answer_batches(&batches, &work, (&mut journal, &stop, progress), &mut rows)?;
    let failed = failures.batches;
    if stop.is_set() {
        print_message!("interrupted: {} of {all} volumes are answered", rows.len());
        if journal.is_kept() {
            print_message!("hint:  Give the same command again to continue.");
        }
        return Ok(INTERRUPTED);
    }
    rows.iter_mut().for_each(|row| row.set_owner(&arguments.volumes.owner_tag));
    let found = (&fleet, &selection, unmet.as_slice());
    let found = Found { found, rows: &rows, batches: batches.len(), has_series, range, failed }.check();
    let status = if found > 0 { found } else { exit_status(&rows) };
    if let Some(description) = opened.describe(&arguments.engine) {
        print_message!("{description}");
    }
    output::write(rows, &arguments.output)?;
    if failed == 0 {
        journal.remove();
    } else {
        failures.print_hints();
        if arguments.engine.is_faster_way_named() {
            print_message!("hint:  Where the server fails on this path alone, ask on another one: --transport query.");
        }
    }
    Ok(status)
}

fn read_configuration(arguments: &Arguments) -> Result<Configuration, Error> {
    configuration::read_files(&configuration_files(arguments))
}

fn configuration_files(arguments: &Arguments) -> Vec<String> {
    [arguments.volumes.volumes.as_slice(), arguments.volumes.databases.as_slice()].concat()
}

fn selection(arguments: &Arguments) -> Selection {
    let volumes = &arguments.volumes;
    Selection {
        matches: arguments.engine.matches.clone(),
        mountpoints: volumes.mountpoint.clone(),
        tags: volumes.tag.clone(),
        claims: volumes.claim.clone(),
        volumes: volumes.volume.clone(),
        replica_labels: volumes.replica_label.clone(),
        root_volumes: volumes.root_volumes,
    }
}

/// The settings, refused here rather than after hours of fetching.
fn check_settings(arguments: &Arguments) -> Result<Settings, Error> {
    arguments.sizing.check()?;
    Ok(Settings {
        advice: CheckedArguments::new(arguments.sizing.settings()?)?,
        durability: arguments.sizing.scoped_durability()?,
        region: arguments.volumes.region.clone(),
        discounts: arguments.sizing.discounts()?,
        ..Settings::default()
    })
}

/// Ends requests and pauses on the signals that end a program.
fn stop_on_signals() -> Result<Arc<Interrupt>, Error> {
    let stop = Arc::new(Interrupt::default());
    let mut signals = Signals::new(ending_signals()).map_err(Error::HandleSignals)?;
    let handler = Arc::clone(&stop);
    thread::spawn(move || signals.forever().for_each(|_| handler.set()));
    Ok(stop)
}

/// The journal of this command: of everything that decides on the rows, and of nothing that only decides on their form.
fn open_journal(arguments: &Arguments, configuration: &Configuration, range: TimeRange) -> Result<Journal, Error> {
    let run = &arguments.run;
    let decisive = format!(
        "{:?}",
        (
            (&arguments.engine.prometheus, &arguments.engine.files),
            selection(arguments),
            (arguments.sizing.settings()?, &arguments.sizing.durability_pct, &arguments.sizing.discount),
            (&arguments.volumes.region, run.since, run.until.as_ref().map(|until| &until.text), run.shard),
            configuration,
        )
    );
    let journal = Journal::open(crc32fast::hash(decisive.as_bytes()), range, run.restart);
    let journal = match journal {
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
            return Err(Error::InvalidArgument {
                message: "the same command is running".to_owned(),
                hint: "Wait for it, or end it.",
            });
        }
        // The state directory of a container is often read-only: the answer does not need it.
        Err(error) => {
            warn_of_journal(&error);
            Journal::none(range)
        }
        Ok(journal) => journal,
    };
    if !journal.done.is_empty() {
        let until = Timestamp::from_millisecond(journal.range.to_ms).map(|time| time.to_string()).unwrap_or_default();
        print_message!("continuing a run that was interrupted, over the time until {until} (--restart starts over)");
    }
    Ok(journal)
}

fn warn_of_journal(error: &io::Error) {
    print_message!("warning: the run cannot be continued after an interruption: {error}");
}

/// Volumes of a fleet, as they are found.
struct Discovered {
    /// The volumes.
    fleet: Fleet,
    /// Arguments that none of them meets.
    unmet: Vec<String>,
    /// True where the engine has any series of volumes in the time: without one, it tells nothing of their use.
    has_series: bool,
}

/// Finds the volumes, and the arguments that none of them meets.
fn discover(
    transport: &dyn Transport,
    configuration: &Configuration,
    (selection, settings): (&Selection, &Settings),
    range: TimeRange,
) -> Result<Discovered, Error> {
    let labels = transport.label_sets(&discovery_selectors(selection), range).map_err(Error::Fetch)?;
    let mut fleet = Fleet::discover(labels.clone(), configuration, selection);
    if !selection.matches.is_empty() && !fleet.unattached_selectors().is_empty() {
        fleet.exclude_unattached(&transport.label_sets(&fleet.unattached_selectors(), range).map_err(Error::Fetch)?);
    }
    let unmet = found::unmet(&fleet, &labels, configuration, (selection, &settings.durability));
    for instance in &fleet.unidentified {
        let instance = plain(instance);
        print_message!("warning: \"{instance}\" shows no serial numbers of its disks: its volumes are not answered");
    }
    if fleet.batches.is_empty() && fleet.unobserved.is_empty() {
        unmet.iter().for_each(|argument| print_message!("warning: no volume meets {argument}"));
        return Err(Error::NoVolumes { excluded: fleet.excluded });
    }
    Ok(Discovered { fleet, unmet, has_series: !labels.is_empty() })
}

/// Batches that were not fetched.
#[derive(Default)]
struct Failures {
    /// Their number.
    batches: usize,
    /// Advice on errors that another attempt does not end.
    hints: BTreeSet<&'static str>,
    /// True where the same command may fetch some of them later.
    may_pass: bool,
}

impl Failures {
    fn add(&mut self, error: &FetchError) {
        self.batches += 1;
        match error.may_pass() {
            true => self.may_pass = true,
            false => self.hints.extend(error.hint()),
        }
    }

    fn print_hints(&self) {
        self.hints.iter().for_each(|hint| print_message!("hint:  {hint}"));
        if self.may_pass {
            print_message!("hint:  Give the same command again to fetch what is missing.");
        }
    }
}

/// Answers the batches that the journal does not hold, adds the rows of all of them, and returns those that failed.
fn answer_batches(
    batches: &[&Batch],
    work: &Work,
    (journal, stop, mut progress): (&mut Journal, &Interrupt, Progress),
    rows: &mut Vec<Row>,
) -> Result<Failures, Error> {
    let volumes = |batch: &Batch| batch.selected().count() as u64;
    let mut open: Vec<&Batch> = Vec::new();
    for batch in batches {
        match journal.done.remove(&batch.key) {
            Some(done) => {
                progress.skip(volumes(batch));
                rows.extend(done);
            }
            None => open.push(batch),
        }
    }
    let mut waiting: BTreeSet<&str> = open.iter().map(|batch| batch.key.as_str()).collect();
    let mut failures = Failures::default();
    let answered = pipeline::answer(&open, work, stop, &mut |batch, outcome| {
        progress.add(volumes(batch));
        waiting.remove(batch.key.as_str());
        match outcome {
            Ok(answered) => {
                let _ = journal.add(&batch.key, &answered).map_err(|error| warn_of_journal(&error));
                rows.extend(answered);
            }
            Err(BatchError::Fetch(error)) => {
                failures.add(&error);
                print_message!("warning: \"{}\" was not fetched: {}", plain(&batch.key), plain(&error.to_string()));
                rows.extend(not_fetched(batch, work));
            }
            Err(BatchError::Panic(message)) => {
                print_message!("warning: \"{}\" was not evaluated: {}", plain(&batch.key), plain(&message));
                print_message!("hint:  This is a defect of ebsctl: please report it with the message of the panic.");
                rows.extend(rows_not_evaluated(batch, work.configuration, work.settings));
            }
        }
        Ok(())
    });
    progress.finish();
    answered?;
    if !stop.is_set() {
        let not_asked: Vec<&&Batch> = open.iter().filter(|batch| waiting.contains(batch.key.as_str())).collect();
        failures.batches += not_asked.len();
        if !not_asked.is_empty() {
            print_message!("warning: {} more instances were not requested", not_asked.len());
        }
        rows.extend(not_asked.iter().flat_map(|batch| not_fetched(batch, work)));
    }
    Ok(failures)
}

fn not_fetched(batch: &Batch, work: &Work) -> Vec<Row> {
    ebs_fleet::unfetched(batch, work.configuration, work.settings).iter().map(row_from_answer).collect()
}
