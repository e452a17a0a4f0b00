//! Fuzz targets: each function passes bytes to one parser of foreign input, and panics if accepted input gives an invalid result.
//! No input may make a parser panic, hang, or allocate without bound; docs/fuzzing.md has the results.
//!
//! `fuzz_targets/target.rs` has each of [`targets`] for libFuzzer, `tests/short.rs` runs all of them on mutated seeds without it, on a small
//! stack ([`stack`]) and also with nested inputs ([`grammar`]).

#![forbid(unsafe_code)]

use ebs_imports::format::Format;
pub use ebs_imports::made;

pub mod answers;
pub mod configuration;
pub mod conninfo;
pub mod documents;
pub mod drivers;
pub mod emulator;
pub mod evidence;
pub mod figures;
pub mod fleet;
pub mod fleet_answers;
pub mod fleet_rows;
pub mod formats;
pub mod grammar;
pub mod hostile;
pub mod index_findings;
pub mod indexes;
pub mod linux;
pub mod monitoring;
pub mod offers;
pub mod plans;
pub mod prometheus;
pub mod remote;
pub mod seeds;
pub mod server_messages;
pub mod stack;
pub mod sysfs;
pub mod words;

/// A fuzz target.
pub struct Target {
    /// Name.
    pub name: &'static str,
    /// Reader of its inputs.
    reader: TargetReader,
    /// Maximum length of an input, bytes.
    pub max_bytes: usize,
}

/// Reader of the inputs of a target.
enum TargetReader {
    Format(&'static Format),
    Function { run: fn(&[u8]), seeds: fn() -> Vec<Vec<u8>> },
}

impl Target {
    /// Reads an input.
    pub fn run(&self, data: &[u8]) {
        match self.reader {
            TargetReader::Format(format) => formats::check(format, data),
            TargetReader::Function { run, .. } => run(data),
        }
    }

    /// Initial inputs.
    pub fn seeds(&self) -> Vec<Vec<u8>> {
        match self.reader {
            TargetReader::Format(format) => formats::seeds(format),
            TargetReader::Function { seeds, .. } => seeds(),
        }
    }
}

const fn target(name: &'static str, run: fn(&[u8]), seeds: fn() -> Vec<Vec<u8>>, max_bytes: usize) -> Target {
    Target { name, reader: TargetReader::Function { run, seeds }, max_bytes }
}

/// All fuzz targets: one for each format that is read, and the others.
pub fn targets() -> impl Iterator<Item = Target> {
    let of_format = |format: &'static Format| Target {
        name: format.name,
        reader: TargetReader::Format(format),
        max_bytes: formats::max_bytes(format),
    };
    formats::read_formats().map(of_format).chain(OTHERS)
}

/// Targets of what is no format of a file.
const OTHERS: [Target; 23] = [
    target("fleet_rows", fleet_rows::fleet_rows, fleet_rows::seeds, 4_096),
    target("reading", documents::reading, seeds::reading, 4_096),
    target("remote", remote::answer, seeds::remote, 4_096),
    target("conninfo", conninfo::conninfo, conninfo::seeds, 2_048),
    target("server_messages", server_messages::server_messages, server_messages::seeds, 2_048),
    target("plan_document", plans::plan_document, plans::seeds, 8_192),
    target("remote_read", prometheus::remote_read, prometheus::remote_read_seeds, 4_096),
    target("export_lines", prometheus::export_lines, prometheus::export_seeds, 4_096),
    target("query_answer", prometheus::query_answer, prometheus::query_seeds, 4_096),
    target("selector", prometheus::selector, prometheus::selector_seeds, 256),
    target("offer_csv", offers::csv, seeds::offer_csv, 8_192),
    target("offer_json", offers::json, seeds::offer_json, 16_384),
    target("diskstats", linux::diskstats, seeds::diskstats, 1_024),
    target("mountinfo", linux::mountinfo, seeds::mountinfo, 1_024),
    target("process", linux::process, seeds::process, 512),
    target("nvme_page", linux::nvme_page, seeds::nvme_page, 4_097),
    target("sysfs", sysfs::sysfs, seeds::sysfs, 12_288),
    target("block", evidence::block, seeds::blocks, 1_024),
    target("tables", indexes::tables, seeds::tables, 2_048),
    target("statement", indexes::statement, seeds::statements, 512),
    target("fuse_request", emulator::fuse_request, seeds::fuse_requests, 256),
    target("emulator_command", emulator::command, seeds::emulator_commands, 512),
    target("words", words::words, seeds::words, 64),
];
