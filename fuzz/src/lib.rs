//! Fuzz targets: each function passes bytes to one parser of foreign input, and panics if accepted input gives an invalid result.
//! No input may make a parser panic, hang, or allocate without bound; docs/fuzzing.md has the results.
//!
//! `fuzz_targets/` has each of [`TARGETS`] for libFuzzer, `tests/short.rs` runs all of them on mutated seeds without it, on a small
//! stack ([`stack`]) and also with nested inputs ([`grammar`]).

#![forbid(unsafe_code)]

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
pub mod grammar;
pub mod index_findings;
pub mod indexes;
pub mod linux;
pub mod monitoring;
pub mod offers;
pub mod plans;
pub mod prometheus;
pub mod remote;
pub mod reports;
pub mod seeds;
pub mod stack;
pub mod sysfs;
pub mod words;

/// A fuzz target.
pub struct Target {
    /// Name of the target and of its file in `fuzz_targets/`.
    pub name: &'static str,
    /// The function.
    pub run: fn(&[u8]),
    /// Initial inputs.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Maximum length of an input, bytes.
    pub max_bytes: usize,
}

const fn target(name: &'static str, run: fn(&[u8]), seeds: fn() -> Vec<Vec<u8>>, max_bytes: usize) -> Target {
    Target { name, run, seeds, max_bytes }
}

/// All fuzz targets.
pub const TARGETS: [Target; 42] = [
    target("iostat", monitoring::iostat, seeds::iostat, 4_400),
    target("sar", monitoring::sar, seeds::sar, 2_800),
    target("cloudwatch", monitoring::cloudwatch, seeds::cloudwatch, 2_800),
    target("rds_os", monitoring::rds_os, seeds::rds_os, 8_192),
    target("rds_waits", monitoring::rds_waits, seeds::rds_waits, 2_048),
    target("aurora", monitoring::aurora, seeds::aurora, 2_800),
    target("configuration", configuration::configuration, seeds::configuration, 4_096),
    target("fleet_rows", fleet_rows::fleet_rows, fleet_rows::seeds, 4_096),
    target("fleet_answers", fleet_answers::fleet_answers, fleet_answers::seeds, 4_096),
    target("awr", monitoring::awr, seeds::numbers, 512),
    target("samples", monitoring::samples, seeds::numbers, 512),
    target("recognise", drivers::recognise, seeds::drivers, 2_048),
    target("pgbench", drivers::pgbench, seeds::pgbench, 2_048),
    target("pgbench_log", drivers::pgbench_log, seeds::pgbench_log, 1_024),
    target("hammerdb", drivers::hammerdb, seeds::hammerdb, 4_096),
    target("hammerdb_jobs", drivers::hammerdb_jobs, seeds::hammerdb_jobs, 2_048),
    target("sysbench", drivers::sysbench, seeds::sysbench, 2_048),
    target("gotpc", drivers::gotpc, seeds::gotpc, 2_048),
    target("fio", drivers::fio, seeds::fio, 8_192),
    target("run_document", documents::run_document, seeds::run_document, 8_192),
    target("prices_document", documents::prices_document, seeds::prices_document, 1_024),
    target("reading", documents::reading, seeds::reading, 4_096),
    target("remote", remote::answer, seeds::remote, 4_096),
    target("conninfo", conninfo::conninfo, conninfo::seeds, 2_048),
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
