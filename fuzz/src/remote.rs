//! Answers of a server that is watched over one connection.

use std::collections::BTreeMap;

use ebs_remote::accounts::{ProcessAccounts, ProcessTexts, parse_databases, parse_details};
use ebs_remote::clock::Link;
use ebs_remote::files::{RemoteFiles, parse_file, parse_list};
use ebs_remote::layout::{Directories, RemoteLayout, UsedSizes};
use ebs_remote::parse_answer;
use ebs_remote::run_reading::{parse_reading, parse_source, parse_statements};
use ebs_remote::sample::Reading;
use ebs_remote::server::Server;
use ebs_remote::sessions::SessionWaits;
use ebs_samples::evidence::{Accounts, Recorder, StorageLayout, Tier, codec};
use ebs_workload::statements::Missing;

/// Every file has the same content, and every directory the same names.
struct Same<'a>(&'a str);

impl RemoteFiles for Same<'_> {
    fn read(&self, _: &str) -> Option<String> {
        Some(self.0.to_owned())
    }

    fn list(&self, _: &str) -> Option<Vec<String>> {
        Some(vec!["3".to_owned(), "4".to_owned()])
    }
}

/// Every parser of an answer; a reading that is accepted becomes samples that can be stored.
pub fn answer(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let server: Server = parse_answer(text).unwrap_or_default();
    let _ = (parse_databases(text), parse_details(text), parse_file(text), parse_list(text));
    let _ = parse_answer::<BTreeMap<i64, String>>(text);
    let _ = (parse_source(text), parse_statements(text), parse_reading(text, &server, Err(Missing::NotRead)));
    if let Ok(Some(texts)) = ProcessTexts::parse(text) {
        ProcessAccounts::default().add(texts, None, &mut Accounts::default());
    }
    let directories: Directories = parse_answer(text).unwrap_or_default();
    let mut layout = RemoteLayout::find(&directories, &Same(text));
    layout.set_used(&parse_answer::<UsedSizes>(text).unwrap_or_default());
    if let Ok(reading) = Reading::parse(text) {
        record(&reading);
    }
}

/// Records two readings that are the same a second apart.
fn record(reading: &Reading) {
    let mut waits = SessionWaits::new();
    for sweep in &reading.sweeps {
        waits.add(sweep, 100_000);
    }
    let mut link = Link::default();
    let mut recorder = Recorder::new(Tier::Remote, None, 1_000_000, StorageLayout::default());
    let mut mono_us = 0;
    for second in 0..2 {
        let times = reading.times(second * 1_000_000, second * 1_000_000 + 500);
        mono_us += link.add(times, 1_000_000).ok().flatten().unwrap_or(1_000_000);
        recorder.observe(reading.clone().into_snapshot(&times, mono_us, &StorageLayout::default()), 0);
        recorder.add_waits(waits.drain(times.at_us()));
    }
    if let Some(block) = recorder.take(1_000_000, StorageLayout::default()) {
        let bytes = codec::encode(block.clone()).expect("a block of one sample can be stored");
        assert_eq!(codec::decode(codec::FORMAT, &bytes).expect("and read"), block);
    }
}
