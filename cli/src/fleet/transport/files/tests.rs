//! Files of JSON lines.

use std::fs;
use std::io::Write;
use std::path::Path;

use ebs_prometheus::{Sample, Selector};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

fn line(name: &str, samples: &[(i64, f64)]) -> String {
    let times: Vec<_> = samples.iter().map(|(at, _)| at).collect();
    let values: Vec<_> = samples.iter().map(|(_, value)| value).collect();
    serde_json::json!({"metric": {"__name__": name, "job": "a"}, "values": values, "timestamps": times}).to_string()
}

fn open(paths: &[&Path]) -> Result<Files, FetchError> {
    Files::open(&paths.iter().map(|path| path.to_path_buf()).collect::<Vec<_>>(), Arc::default())
}

fn fetch(files: &Files, selector: &str) -> Vec<(String, Vec<(i64, f64)>)> {
    let selectors: [Selector; 1] = [selector.parse().unwrap()];
    let series = files.fetch(&selectors, TimeRange { from_ms: 10, to_ms: 99 }).unwrap();
    let one = |series: Series| {
        let samples = series.samples.iter().map(|Sample { at_ms, value }| (*at_ms, *value)).collect();
        (series.labels.name().to_owned(), samples)
    };
    series.into_iter().map(one).collect()
}

fn write(directory: &Path, name: &str, text: &str) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, text).unwrap();
    path
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn pieces_of_several_files_are_put_together() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let first = [line("a", &[(30, 3.0)]), line("a", &[(40, 4.0)]), line("b", &[(20, 0.5)]), line("a", &[(5, 0.0)])];
    let long: Vec<_> = (50..99).map(|at| (at, at as f64 / 3.0)).collect();
    let second = [line("a", &[(10, 1.0), (30, 3.0)]), String::new(), line("c", &long), line("b", &[(10, 0.25)])];
    let plain = write(directory, "1.jsonl", &first.join("\n"));
    let packed = directory.join("2.jsonl.gz");
    fs::write(&packed, gzip(&(second.join("\r\n") + "\n"))).unwrap();
    write(directory, "notes.txt", "not JSON");
    let expected =
        [("a".to_owned(), vec![(10, 1.0), (30, 3.0), (40, 4.0)]), ("b".to_owned(), vec![(10, 0.25), (20, 0.5)])];
    for paths in [&[directory][..], &[&plain, &packed], &[&packed, &plain]] {
        let files = open(paths).unwrap();
        assert_eq!(fetch(&files, r#"{__name__=~"a|b"}"#), expected);
        assert_eq!(fetch(&files, "c"), [("c".to_owned(), long.clone())]);
        assert_eq!(fetch(&files, r#"{job!="a"}"#), []);
        let selectors = [r#"{job="a"}"#.parse().unwrap()];
        let sets = files.label_sets(&selectors, TimeRange { from_ms: 0, to_ms: 0 }).unwrap();
        assert_eq!(sets.len(), 3);
    }
}

#[test]
fn neighbouring_lines_of_a_series_are_one_place() {
    let directory = tempfile::tempdir().unwrap();
    let text: Vec<_> = (0..100).map(|at| line(if at < 60 { "a" } else { "b" }, &[(at, 1.0)])).collect();
    let files = open(&[&write(directory.path(), "x", &text.join("\n"))]).unwrap();
    let selector = CompiledSelector::new(&r#"{job="a"}"#.parse().unwrap()).unwrap();
    let places: Vec<_> = files.index.matching(&[selector]).map(|series| series.extents.len()).collect();
    assert_eq!(places, [1, 1]);
    assert_eq!(fetch(&files, "b")[0].1.len(), 40);
}

#[test]
fn errors_name_the_file_and_the_line() {
    let directory = tempfile::tempdir().unwrap();
    let error = |name: &str, bytes: &[u8]| {
        let path = directory.path().join(name);
        fs::write(&path, bytes).unwrap();
        let message = open(&[&path]).and_then(|files| {
            let selectors = ["a".parse().unwrap()];
            files.fetch(&selectors, TimeRange { from_ms: 0, to_ms: 99 })
        });
        message.unwrap_err().to_string().replace(&path.display().to_string(), name)
    };
    let good = line("a", &[(1, 1.0)]);
    assert!(
        error("x", format!("{good}\n\nnot\n").as_bytes()).starts_with("\"x\", line 3: expected JSON lines of samples")
    );
    assert!(
        error("x", format!("{good}\n{}", &good[..40]).as_bytes()).starts_with("\"x\", line 2: the line is cut off: ")
    );
    // The value of a line is read when its samples are.
    let bad = format!("{good}\n{}\n", good.replace("[1.0]", "[{}]"));
    assert!(error("x", bad.as_bytes()).starts_with("\"x\", line 2: "));
    let unequal = format!("{good}\n{}\n", good.replace("[1.0]", "[1,2]"));
    assert_eq!(error("x", unequal.as_bytes()), "\"x\", line 2: a line has 2 values and 1 timestamps");
    let packed = gzip(&format!("{good}\n{good}\n"));
    for length in [packed.len() - 1, packed.len() - 8] {
        let message = error("x.gz", &packed[..length]);
        assert!(
            message.starts_with("\"x.gz\", line ") && message.ends_with("in the middle of compressed data"),
            "{message}"
        );
    }
    let missing = open(&[Path::new("/nonexistent")]).err().unwrap();
    assert_eq!(missing.to_string(), "\"/nonexistent\": No such file or directory (os error 2)");
    let empty = tempfile::tempdir().unwrap();
    assert!(open(&[empty.path()]).err().unwrap().to_string().ends_with("has no file of JSON lines"));
}

#[test]
fn a_file_that_shrank_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let path = write(directory.path(), "x", &format!("{}\n{}\n", line("a", &[(10, 1.0)]), line("a", &[(20, 1.0)])));
    let files = open(&[&path]).unwrap();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(30).unwrap();
    let selectors = ["a".parse().unwrap()];
    let error = files.fetch(&selectors, TimeRange { from_ms: 0, to_ms: 99 }).unwrap_err();
    assert!(error.to_string().ends_with("line 1: the line is cut off: the file was changed"), "{error}");
}
