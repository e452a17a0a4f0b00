use std::collections::BTreeSet;

use super::*;
use crate::drivers::{Driver, read};
use crate::format::Beginning;
use crate::import::Calendar;

/// Formats whose files may have a sign of another, which stands behind them.
const BEFORE: [(&str, &str); 7] = [
    ("sar", "iostat"),
    ("aurora", "cloudwatch"),
    ("rds-os", "log-events"),
    ("runs", "fleet"),
    ("vmstat", "pgbench-log"),
    ("sar", "sar-without-devices"),
    ("iostat", "sar-without-devices"),
];

#[test]
fn each_sample_is_of_its_format_and_of_no_other() {
    for format in formats() {
        assert!(!format.inputs.samples.is_empty(), "{} has no sample", format.name);
        for sample in format.inputs.samples {
            let beginning = Beginning::new(sample.bytes);
            let others = formats().filter(|other| other.name != format.name && other.is_recognised(&beginning));
            let others: Vec<_> = others.map(|other| (format.name, other.name)).collect();
            assert!(format.is_recognised(&beginning), "{}: {:?}", format.name, sample.file);
            assert!(others.iter().all(|pair| BEFORE.contains(pair)), "{:?}: {others:?}", sample.file);
            assert_eq!(recognise(sample.bytes).map(|found| found.name), Some(format.name), "{:?}", sample.file);
        }
    }
}

#[test]
fn a_format_stands_before_one_whose_signs_its_files_may_have() {
    let at = |name| formats().position(|format| format.name == name);
    for (before, behind) in BEFORE {
        assert!(at(before) < at(behind), "{before} {behind}");
    }
}

#[test]
fn names_are_unique_and_each_format_that_is_read_has_made_documents() {
    let names: BTreeSet<_> = formats().map(|format| format.name).collect();
    assert_eq!(names.len(), formats().count());
    for format in formats() {
        let has_reader = !matches!(format.reader, Reader::Unread(_)) && format.name != "hammerdb-database";
        assert_eq!(has_reader, !format.inputs.made.is_empty(), "{}", format.name);
        for made in format.inputs.made {
            let (once, twice) = ((made.make)(300_000).len(), (made.make)(600_000).len());
            assert!((220_000..400_000).contains(&once), "{}, {}: {once}", format.name, made.what);
            assert!(twice as f64 / once as f64 > 1.8, "{}, {}: {once}, {twice}", format.name, made.what);
        }
    }
}

#[test]
fn foreign_texts_are_of_no_format() {
    for foreign in [
        "",
        "Linux 6.1.0 (host)\n",
        "hello\nworld\n",
        "12:00:01 AM  CPU  tps\n",
        "\u{0}\u{1}",
        "{\"a\": 1}",
        "{\"674F\": {\"b\": 1}}",
        "Volumes \"Volumes\"",
    ] {
        assert_eq!(recognise(foreign.as_bytes()).map(|found| found.name), None, "{foreign}");
    }
    // Only the beginning tells.
    assert!(recognise(format!("{}progress: 5.0 s", " \n".repeat(8 << 10)).as_bytes()).is_none());
}

#[test]
fn a_hint_names_function_or_command_and_page() {
    let hint = |name| find(name).unwrap().hint();
    assert_eq!(hint("iostat"), "The SQL function ebs_import_iostat (docs/importing.md) reads it.");
    assert_eq!(hint("rds-os"), "ebsctl import (docs/importing.md) reads it.");
    assert_eq!(hint("gzip"), "After gzip -d the command for its content reads it.");
}

#[test]
fn another_format_than_the_chosen_one_is_named() {
    let pgbench = "progress: 5.0 s, 988.6 tps\n";
    let error = read(Driver::Sysbench, pgbench, false).unwrap_err();
    let sysbench = find("sysbench").unwrap();
    let named = or_recognised(error.clone(), pgbench, sysbench);
    assert_eq!(named.to_string(), "it looks like pgbench, not sysbench");
    assert_eq!(or_recognised(error.clone(), "hello", sysbench), error);
    let options = ImportOptions::new(Calendar::new("UTC", false).unwrap());
    let demand = |name, text| read_demand(find(name).unwrap(), text, &options, &|| ()).unwrap_err();
    let iostat = include_str!("../../../sql/reports/iostat-12.txt");
    assert_eq!(demand("sar", iostat).to_string(), "this looks like a report of iostat");
    assert_eq!(demand("sar", "hello").to_string(), "no report of sar -d or sadf found");
    assert_eq!(demand("pgbench", iostat).to_string(), "no output of pgbench found");
}

#[test]
fn the_document_is_an_argument_of_the_function() {
    for function in formats().filter_map(|format| format.sql) {
        assert!(function.arguments.contains(&function.document), "{}", function.name);
    }
}
