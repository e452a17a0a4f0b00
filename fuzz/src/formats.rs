//! Formats of the registry: a target each, by the reader of its content.

use ebs_imports::configuration;
use ebs_imports::drivers::{Kind, fio};
use ebs_imports::format::{Format, Reader};
use ebs_imports::formats::{formats, recognise};
use ebs_imports::monitoring::{self, MonitoringData, awr, block, rds_os, rds_waits, samples};
use ebs_samples::evidence::codec::{FORMAT, decode_with, encode_with};
use ebs_samples::evidence::{Block, Sample};

use crate::monitoring::{OPTIONS, advise_aurora};
use crate::{configuration::configuration as check_configuration, documents, fleet_answers, seeds};

/// Longest seed, bytes: a choice. Longer inputs are few in the time of a run.
const MAX_SEED_BYTES: usize = 8 << 10;

/// Formats that something reads; a database is read by SQLite.
pub fn read_formats() -> impl Iterator<Item = &'static Format> {
    formats().filter(|format| !matches!(format.reader, Reader::Unread(_) | Reader::Driver(Kind::HammerdbDatabase)))
}

/// Reads an input as of a format; what is accepted has valid figures.
pub fn check(format: &Format, data: &[u8]) {
    recognise(data);
    if matches!(format.reader, Reader::OsEvents) {
        return crate::monitoring::rds_os(data);
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    match format.reader {
        Reader::Demand(reader) => crate::monitoring::demand(reader, text),
        Reader::Waits => crate::monitoring::rds_waits(text),
        Reader::AuroraUsage => crate::monitoring::aurora(data),
        Reader::Samples => {
            crate::monitoring::samples(data);
            let _ = samples::read(text, samples::DEFAULT_DEVICE, &OPTIONS.calendar, &|| ());
        }
        Reader::Totals => {
            crate::monitoring::awr(data);
            let _ = awr::read(text, &OPTIONS.calendar, &|| ());
        }
        Reader::Configuration => check_configuration(data),
        Reader::Driver(kind) => crate::drivers::file(kind, text),
        Reader::Fio => crate::drivers::fio(text),
        Reader::Runs => documents::run_document(data),
        Reader::Prices => documents::prices_document(data),
        Reader::FleetRows => fleet_answers::fleet_answers(data),
        Reader::OsEvents | Reader::Unread(_) => {}
    }
}

/// Initial inputs of a format: its samples and small documents of its generators.
pub fn seeds(format: &Format) -> Vec<Vec<u8>> {
    match format.reader {
        Reader::Samples | Reader::Totals => return seeds::numbers(),
        Reader::Fio => return seeds::fio(),
        Reader::Runs => return seeds::run_document(),
        Reader::Prices => return seeds::prices_document(),
        Reader::FleetRows => return fleet_answers::seeds(),
        _ => {}
    }
    let samples = format.inputs.samples.iter().map(|sample| sample.bytes.to_vec());
    let made = format.inputs.made.iter().map(|made| (made.make)(MAX_SEED_BYTES / 4).into_bytes());
    samples.chain(made).filter(|seed| seed.len() <= MAX_SEED_BYTES).collect()
}

/// Maximum length of an input, bytes.
pub fn max_bytes(format: &Format) -> usize {
    seeds(format).iter().map(Vec::len).max().unwrap_or_default().clamp(512, MAX_SEED_BYTES)
}

/// True if all work of a format calls the hook: files of drivers are read in ebsctl alone, prices by PostgreSQL.
pub fn has_hook(format: &Format) -> bool {
    !matches!(format.reader, Reader::Driver(_) | Reader::Prices)
}

/// Work of an import of a document that is accepted.
pub fn import(format: &Format, text: &str, pause: &dyn Fn()) {
    let json = || ebs_base::input::json(text, pause).expect("JSON");
    match format.reader {
        Reader::Demand(reader) => store_demand(reader.read(text, &OPTIONS, pause).expect("a report"), pause),
        Reader::OsEvents => {
            let mut collector = rds_os::Collector::new(rds_os::Selection::default());
            collector.read(text.as_bytes(), pause).expect("events");
            collector.finish(pause).expect("intervals").blocks.into_iter().for_each(|block| store(block, pause));
        }
        Reader::Waits => {
            let mut block = minute();
            rds_waits::read(text, Some(1), pause).expect("pages").add_to(&mut block);
            store(block, pause);
        }
        Reader::AuroraUsage => {
            let usage = monitoring::aurora(&json(), None, pause).expect("an answer");
            usage.iter().for_each(|usage| advise_aurora(usage, pause));
        }
        Reader::Configuration => drop(configuration::read(text, pause).expect("a configuration")),
        Reader::Driver(kind) => drop(crate::drivers::read(kind, text)),
        Reader::Fio => drop(fio::read(text, pause).expect("a document")),
        Reader::Runs => drop(ebs_comparison::export::read_text(text, pause)),
        Reader::Prices => drop(ebs_aws::offer::read_document(&json()).expect("prices")),
        Reader::FleetRows => drop(ebs_fleet_row::answers::read(text, pause).expect("rows")),
        Reader::Samples => {
            let series = samples::read(text, samples::DEFAULT_DEVICE, &OPTIONS.calendar, pause).expect("samples");
            store(block(&series, None, pause).expect("a block"), pause);
        }
        Reader::Totals => {
            let totals = awr::read(text, &OPTIONS.calendar, pause).expect("reports");
            store_demand(awr::awr(&totals, false, false, pause).expect("totals"), pause);
        }
        Reader::Unread(_) => {}
    }
}

fn store_demand(imported: MonitoringData, pause: &dyn Fn()) {
    for series in &imported.series {
        store(block(series, None, pause).expect("a block"), pause);
    }
}

/// Packs a block and unpacks it.
pub fn store(block: Block, pause: &dyn Fn()) {
    let bytes = encode_with(block, pause).expect("it can be stored");
    decode_with(FORMAT, &bytes, pause).expect("it can be read");
}

/// Seconds of the first minute of the documents that are made.
fn minute() -> Block {
    let sample = |second: i64| Sample {
        at_us: (1_767_225_600 + second) * 1_000_000,
        dt_us: 1_000_000,
        devices: vec![].into(),
        reset: false,
    };
    Block { samples: (1..=60).map(sample).collect(), ..Block::default() }
}
