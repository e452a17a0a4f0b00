use super::*;
use ebs_samples::evidence::Volume;

fn line(subject: Subject, read: Option<i64>, write: Option<i64>) -> Line {
    Line { subject, bytes: Bytes { read, write }, read_pct: None, write_pct: None }
}

#[test]
fn requested_bytes_are_as_long_as_moved_ones() {
    let volume = Volume::default();
    let sheet = [
        line(Subject::Source(Source::Clients), Some(900), Some(100)),
        line(Subject::Source(Source::Wal), None, Some(50)),
        line(Subject::PageCache, Some(-600), Some(0)),
        line(Subject::Others, Some(0), Some(30)),
        line(Subject::Volume(&volume, None), Some(300), Some(180)),
    ];
    let bars: Vec<(String, i64, usize)> =
        sheet_bars(&sheet).iter().map(|bar| (bar.name.clone(), bar.bytes(), bar.parts.len())).collect();
    let expected =
        [("reads requested", 900, 1), ("reads moved", 900, 2), ("writes requested", 180, 3), ("writes moved", 180, 1)];
    assert_eq!(bars, expected.map(|(name, bytes, parts)| (name.to_owned(), bytes, parts)));
}

#[test]
fn lines_of_a_sheet_differ_in_colour() {
    let sources = [
        Source::Clients,
        Source::Vacuum,
        Source::Checkpointer,
        Source::BackgroundWriter,
        Source::Extends,
        Source::Wal,
        Source::NewSegments,
        Source::TemporaryTables,
        Source::Others,
    ];
    let differences = [Subject::PageCache, Subject::Unattributed, Subject::Others, Subject::Residual];
    let subjects = sources.into_iter().map(Subject::Source).chain([Subject::TemporaryFiles(None)]).chain(differences);
    let colours: Vec<(Hue, f64)> = subjects.map(|subject| colour(&subject)).collect();
    for (index, own) in colours.iter().enumerate() {
        assert!(!colours[..index].contains(own), "{index}");
    }
    assert!(figure(&[line(Subject::Source(Source::Wal), None, None)]).is_none());
}
