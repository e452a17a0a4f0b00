//! Evidence of a run that is in memory as a whole, as a document or an import.

use ebs_comparison::export::{Run as RunDocument, RunReading};
use ebs_samples::evidence::codec::{CodecError, decode_with};
use ebs_samples::evidence::{Block, Window};
use ebs_workload::reading::Span;
use ebs_workload::run_timeline::RunTimeline;
use serde_json::Value;

use crate::{Driver, RunHeader};

/// Longest command of a load driver that is read, words.
const MAX_WORDS: usize = 1_000;
/// Longest `driver` of a note that is read, characters.
const MAX_DRIVER: usize = 4_000;

/// Decodes the samples of a document. `pause` is called between pieces of the work.
pub fn decode_samples(run: &RunDocument, pause: &dyn Fn()) -> Result<Vec<Block>, CodecError> {
    run.samples.iter().map(|samples| decode_with(samples.layout, &samples.bytes, pause)).collect()
}

/// Puts blocks together to the evidence of a run, and its timeline from flush to flush.
pub fn assemble_run(run: &RunHeader, blocks: Vec<Block>) -> (Window, RunTimeline) {
    let to_us = run.to_us.unwrap_or(i64::MAX);
    let mut timeline = RunTimeline::new(run.from_us, to_us);
    blocks.iter().for_each(|block| timeline.add(block));
    let mut window = Window::assemble(blocks, run.from_us, to_us);
    window.checks = run.checks();
    window.caveats.clone_from(&run.doubts);
    (window, timeline)
}

/// The readings at both ends of the measured part of a run; `None` where one was not taken.
pub fn reading_pair(document: &RunDocument, run: &RunHeader) -> Option<Span> {
    let readings = document.readings.iter();
    let before = readings.clone().filter(|one| one.moment_us <= run.from_us).max_by_key(|one| one.moment_us);
    let after = readings.filter(|one| run.to_us.is_some_and(|to_us| one.moment_us >= to_us));
    let after = after.min_by_key(|one| one.moment_us);
    let reading = |one: &RunReading| one.reading.clone();
    Some(Span { before: before.map(reading)?, after: after.map(reading)? })
}

impl Driver {
    /// Load driver of a run: the command and the transactions of its last result; the command of its note where no result has one.
    pub fn from_document(run: &RunDocument) -> Driver {
        let mut results: Vec<_> = run.results.iter().collect();
        results.sort_by_key(|result| result.recorded_us);
        let command = |details: &Option<Value>| details.as_ref()?.get("command")?.as_array().cloned();
        let command =
            results.iter().rev().find_map(|result| command(&result.details)).map(|words| {
                words.iter().take(MAX_WORDS).filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
            });
        let noted = || {
            let driver = run.note.as_ref()?.get("driver")?.as_str()?;
            let driver: String = driver.chars().take(MAX_DRIVER).collect();
            Some(driver.split(' ').map(str::to_owned).collect())
        };
        Driver {
            command: command.or_else(noted).unwrap_or_default(),
            tps: results.last().and_then(|result| result.tps),
        }
    }
}

#[cfg(test)]
mod tests {
    use ebs_comparison::export::RunResult;
    use ebs_workload::reading::Reading;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_driver_is_that_of_the_last_result_with_a_command_or_of_the_note() {
        let result = |recorded_us, tps, details| RunResult { recorded_us, tps, details, ..RunResult::default() };
        let results = vec![
            result(2, Some(20.0), None),
            result(1, Some(10.0), Some(json!({"command": ["pgbench", "-c", "4", 5]}))),
        ];
        let note = Some(json!({"driver": "sysbench run"}));
        let noted = RunDocument { note, ..RunDocument::default() };
        let driver = Driver::from_document(&RunDocument { results, ..noted.clone() });
        assert_eq!((driver.command, driver.tps), (vec!["pgbench".into(), "-c".into(), "4".into()], Some(20.0)));
        let driver = Driver::from_document(&noted);
        assert_eq!((driver.command, driver.tps), (vec!["sysbench".to_owned(), "run".to_owned()], None));
        assert!(Driver::from_document(&RunDocument::default()).command.is_empty());
    }

    #[test]
    fn readings_are_those_at_both_ends_of_the_measured_part() {
        let reading = |moment_us: i64| {
            let statements = json!({"Err": "NotRead"});
            let reading = json!({"read_us": moment_us, "block_size": 8192, "statements": statements});
            RunReading { moment_us, reading: serde_json::from_value::<Reading>(reading).unwrap() }
        };
        let document = RunDocument { readings: [10, 20, 30, 40].map(reading).into(), ..RunDocument::default() };
        let header = |from_us, to_us| RunHeader { from_us, to_us: Some(to_us), ..RunHeader::default() };
        let pair = |from_us, to_us| {
            reading_pair(&document, &header(from_us, to_us)).map(|pair| (pair.before.read_us, pair.after.read_us))
        };
        assert_eq!(
            [pair(25, 26), pair(20, 30), pair(5, 30), pair(20, 45)],
            [Some((20, 30)), Some((20, 30)), None, None]
        );
    }
}
