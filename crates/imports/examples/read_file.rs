//! Reads a file of monitoring by the parser of its format, and does nothing else: the peer of `ebsctl advise` in `make bench BENCH=files`.
//!
//! `cargo run --release -p ebs_imports --example read_file -- iostat.txt`

// A program: it reads a file, and prints to its console.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

use ebs_imports::format::Reader;
use ebs_imports::formats::{read_demand, recognise};
use ebs_imports::monitoring::{Calendar, ImportOptions};

/// The allocator of ebsctl.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let file = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(file).expect("a text");
    let format = recognise(text.as_bytes()).filter(|format| matches!(format.reader, Reader::Demand(_)));
    let options = ImportOptions::new(Calendar::new("UTC", false).expect("UTC"));
    let data = read_demand(format.expect("a report of monitoring"), &text, &options, &|| ()).expect("a report");
    println!("{} intervals", data.series.iter().map(|series| series.points.len()).sum::<usize>());
}
