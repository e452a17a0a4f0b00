//! Tests of ebsctl fleet as a program, without a server: its arguments, its warnings, and their exit status.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

/// An unattached volume, which is answered without samples, and one that has some.
const VOLUMES: &str = r#"{"Volumes": [{"VolumeId": "vol-0a1", "State": "available", "VolumeType": "gp2", "Size": 100, "Iops": 300,
    "AvailabilityZone": "us-east-1a", "Attachments": [], "Tags": []}, {"VolumeId": "vol-06c1835863d5d7360", "State": "in-use",
    "VolumeType": "gp3", "Size": 100, "Iops": 3000, "Throughput": 125, "AvailabilityZone": "us-east-1a",
    "Attachments": [{"InstanceId": "i-0aaaaaaa"}], "Tags": []}]}"#;

/// Counters of node_exporter at these minutes before now.
fn samples(minutes: &[i64]) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
    let times: Vec<i64> = minutes.iter().map(|minute| now - 60_000 * minute).collect();
    let line = |name: &str, value: &dyn Fn(usize) -> f64| {
        let serial = if name == "node_disk_info" { r#","serial":"vol06c1835863d5d7360""# } else { "" };
        let values: Vec<f64> = (0..times.len()).map(value).collect();
        format!(
            r#"{{"metric":{{"__name__":"{name}","device":"nvme1n1","instance":"i-0aaaaaaa:9100"{serial}}},"values":{values:?},"timestamps":{times:?}}}"#
        )
    };
    let counters = ["reads_completed", "writes_completed", "read_bytes", "written_bytes"];
    let counters = counters.map(|name| line(&format!("node_disk_{name}_total"), &|scrape| 4_096.0 * scrape as f64));
    [line("node_disk_info", &|_| 1.0), counters.join("\n")].join("\n")
}

struct Output {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn ebsctl(arguments: &[&str], state: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebsctl"));
    command.args(arguments).env("XDG_STATE_HOME", state).env_remove("COLUMNS").stdin(Stdio::null());
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Output { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// A directory with a file of samples and one of volumes, whose names are returned.
fn files(directory: &tempfile::TempDir) -> [String; 2] {
    let samples = samples(&[5, 4, 3, 2]);
    [("samples.jsonl", samples.as_str()), ("volumes.json", VOLUMES)].map(|(name, text)| file(directory, name, text))
}

fn file(directory: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = directory.path().join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The exit status and the messages of a selection; standard output has the rows of the documents all the same.
#[test]
fn what_nothing_meets_is_no_success() {
    let directory = tempfile::tempdir().unwrap();
    let [recent, volumes] = files(&directory);
    let old = file(&directory, "old.jsonl", &samples(&[60 * 24 * 40, 60 * 24 * 40 - 1]));
    let empty = file(&directory, "empty.jsonl", "");
    let id = "vol-06c1835863d5d7360";
    for (samples, arguments, code, message) in [
        (&recent, &[][..], 0, ""),
        (&recent, &["--match", "instance=~\"i-.*\""], 0, ""),
        (&recent, &["--match", "job=\"node\""], 1, "error: no volume has series in the time"),
        (&recent, &["--match", "job=\"node\""], 1, "warning: no volume meets --match '{job=\"node\"}'"),
        (
            &recent,
            &["--match", "job=\"node\"", "--match", "device=\"nvme1n1\""],
            4,
            "no volume meets --match '{job=\"node\"}'",
        ),
        (&recent, &["--volume", id], 0, ""),
        (&recent, &["--volume", id, "--volume", "vol-0b2"], 4, "warning: no volume meets --volume \"vol-0b2\""),
        (&recent, &["--volume", "vol-0b2"], 1, "warning: no volume meets --volume \"vol-0b2\""),
        (&recent, &["--tag", "team=none"], 1, "warning: no volume meets --tag \"team=none\""),
        (&recent, &["--claim", "db/*"], 1, "warning: no volume meets --claim \"db/*\""),
        (&recent, &["--durability-pct", "volume:vol-06c1835863d5d7360=99.999"], 0, ""),
        (
            &recent,
            &["--durability-pct", "tag:tier=gold=99.999"],
            4,
            "no volume meets --durability-pct \"tag:tier=gold\"",
        ),
        (&recent, &["--durability-pct", "claim:db/*=99.999"], 4, "no volume meets --durability-pct \"claim:db/*\""),
        (
            &recent,
            &["--durability-pct", "volume:vol-0b2=99.999"],
            4,
            "no volume meets --durability-pct \"volume:vol-0b2\"",
        ),
        (&recent, &["--mountpoint", "/pgdata"], 1, "warning: no volume meets --mountpoint \"/pgdata\""),
        (&recent, &["--until", "30d"], 1, "error: no volume has "),
        (&old, &[], 1, "error: no volume has "),
        (&empty, &[], 1, "empty.jsonl\" has no samples"),
    ] {
        let all = [&["fleet", samples, "--volumes", &volumes, "--restart"], arguments].concat();
        let Output { code: found, stderr, .. } = ebsctl(&all, directory.path());
        assert_eq!(found, Some(code), "{arguments:?}: {stderr}");
        assert!(stderr.contains(message) && (message.is_empty() == stderr.is_empty()), "{arguments:?}: {stderr}");
    }
    let rows = file(&directory, "rows.jsonl", "");
    let none = ebsctl(&["fleet", "--rows", &rows], directory.path());
    assert_eq!((none.code, none.stdout.as_str()), (Some(1), ""), "{}", none.stderr);
    let none = ebsctl(&["fleet", &recent, "--volumes", &rows], directory.path());
    assert_eq!((none.code, none.stdout.as_str()), (Some(1), ""), "{}", none.stderr);
}

/// A file system that is full, a directory, and a directory that is not there: each with its own hint.
#[test]
fn a_file_that_cannot_be_written_has_the_hint_of_its_cause() {
    let directory = tempfile::tempdir().unwrap();
    let [samples, volumes] = files(&directory);
    let place = directory.path().to_str().unwrap();
    let missing = format!("{place}/none/rows");
    for (output, hint) in
        [("/dev/full", "hint:  The file system is full"), (place, "hint:  It is a directory"), (&missing, "mkdir -p")]
    {
        let Output { code, stderr, .. } =
            ebsctl(&["fleet", &samples, "--volumes", &volumes, "--output", output], directory.path());
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stderr.contains(hint), "{stderr}");
    }
}

#[test]
fn the_end_of_the_time_is_a_date_or_a_time() {
    let directory = tempfile::tempdir().unwrap();
    let [samples, volumes] = files(&directory);
    let until = |text| ebsctl(&["fleet", &samples, "--volumes", &volumes, "--until", text], directory.path());
    for text in ["2026-11-28", "1795824000", "2026-11-28T12:00", "0h", "2d"] {
        assert!([Some(0), Some(1)].contains(&until(text).code), "{text}: {}", until(text).stderr);
    }
    assert!(until("2099-01-01").stderr.contains("warning: --until 2099-01-01T00:00:00Z is in the future"));
    let Output { code, stderr, .. } = until("28.11.2026");
    assert!(code == Some(2) && stderr.contains("2026-11-26 (its beginning in UTC)"), "{stderr}");
}

#[test]
fn a_state_directory_that_cannot_be_written_is_a_warning() {
    let directory = tempfile::tempdir().unwrap();
    let [samples, volumes] = files(&directory);
    let arguments = ["fleet", &samples, "--volumes", &volumes, "--format", "json"];
    let whole = ebsctl(&arguments, directory.path());
    assert_eq!((whole.code, whole.stderr.as_str()), (Some(0), ""));
    assert!(whole.stdout.contains("\"vol-0a1\""), "{}", whole.stdout);
    let Output { code, stdout, stderr } = ebsctl(&arguments, Path::new("/dev/null/state"));
    assert_eq!((code, stdout), (Some(0), whole.stdout));
    assert_eq!(
        stderr,
        "warning: the run cannot be continued after an interruption: directory \"/dev/null/state/ebsctl\": Not a directory (os error 20)\n"
    );
}

#[test]
fn arguments_without_effect_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let [samples, volumes] = files(&directory);
    for (arguments, problem) in [
        (&["--limit", "3", "--format", "csv"][..], "--limit is for the table alone"),
        (&["--limit", "3", "--format", "json"], "--limit is for the table alone"),
        (&["--limit", "3", "--changes", "cli"], "--limit is for the table alone"),
        (&["--by", "region", "--format", "json"], "--by is for the table and the page alone"),
        (&["--by", "region", "--changes", "vac"], "--by is for the table and the page alone"),
        (&["--region", "mars-1"], "unknown region \"mars-1\""),
        (&["--region", "us-east-1a"], "unknown region \"us-east-1a\""),
        (&["--durability-pct", "tier=gold=99.999"], "or one of some volumes, such as tag:tier=gold=99.999"),
        (&["--durability-pct", "tag:tier=gold"], "or one of some volumes, such as tag:tier=gold=99.999"),
        (&["--durability-pct", "tag:tier=gold=0.99999"], "--durability-pct must be between 50 and 99.999, not 0.99999"),
        (&["--durability-pct", "99.9", "--durability-pct", "99.8"], "of every volume is given several times"),
        (&["--shard", "2/1"], "it must be a part, counted from 1, and the number of parts, such as 3/16"),
    ] {
        let all = [&["fleet", &samples, "--volumes", &volumes], arguments].concat();
        let Output { code, stdout, stderr } = ebsctl(&all, directory.path());
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
        assert!(stderr.contains(problem), "{stderr}");
    }
    let table = ebsctl(&["fleet", &samples, "--volumes", &volumes, "--limit", "1", "--by", "region"], directory.path());
    assert_eq!(table.code, Some(0), "{}", table.stderr);
    assert!(table.stdout.lines().all(|line| line.chars().count() <= 120), "{}", table.stdout);
}

#[test]
fn a_region_without_prices_is_possible() {
    let directory = tempfile::tempdir().unwrap();
    let [samples, volumes] = files(&directory);
    let Output { code, stderr, .. } =
        ebsctl(&["fleet", &samples, "--volumes", &volumes, "--region", "us-isob-west-1"], directory.path());
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(
        stderr,
        "warning: there are no prices of us-isob-west-1 here: volumes of it are answered without amounts\n"
    );
}

#[test]
fn a_file_of_curl_with_an_error_is_refused_before_anything_is_asked() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("curl");
    fs::write(&path, "user = \"reader:hush\"\nheadr = \"X-Scope-OrgID: hush\"\n").unwrap();
    let file = path.to_str().unwrap();
    // Nothing listens there.
    let arguments = ["fleet", "--prometheus", "http://127.0.0.1:1", "--curl-config", file];
    let Output { code, stdout, stderr } = ebsctl(&arguments, directory.path());
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    let expected = format!(
        "error: \"{file}\", line 2: curl does not know \"headr\"\n\
         hint:  --curl-config has curl's long options, a line each, with values in double quotes: man curl, --config.\n"
    );
    assert_eq!(stderr, expected);
}

/// The exit status of a command whose standard error nobody reads.
fn status_without_reader(arguments: &[&str]) -> Option<i32> {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebsctl"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(writer);
    command.status().unwrap().code()
}

#[test]
fn messages_that_nobody_reads_end_no_command() {
    let directory = tempfile::tempdir().unwrap();
    let [samples, volumes] = files(&directory);
    let warned = ["fleet", &samples, "--volumes", &volumes, "--region", "us-isob-west-1", "--restart"];
    assert_eq!(status_without_reader(&warned), Some(0));
    assert_eq!(status_without_reader(&["fleet"]), Some(2));
    assert_eq!(status_without_reader(&["fleet", "--sort", "nothing"]), Some(2));
    assert_eq!(status_without_reader(&["prices", "--dry-run", &samples]), Some(1));
    assert_eq!(status_without_reader(&["watch", "--label", "a"]), Some(2));
    let run = ["run", "--label", "a", "-d", "host=/nowhere", "--", "true"];
    assert_eq!(status_without_reader(&run), Some(125));
    let report = directory.path().join("report");
    fs::write(&report, "hello\n").unwrap();
    assert_eq!(status_without_reader(&["import", "--dry-run", report.to_str().unwrap()]), Some(1));
}

/// Names in rows, of files and in arguments; a pipe gets the data as they are.
#[test]
fn no_name_reaches_a_terminal_as_a_sequence() {
    let directory = tempfile::tempdir().unwrap();
    let hostile = "a\u{1b}[2J\u{202e}b";
    let missing = directory.path().join(hostile);
    for arguments in [
        &["fleet", missing.to_str().unwrap()][..],
        &["fleet", "--rows", missing.to_str().unwrap()],
        &["fleet", "--volumes", missing.to_str().unwrap(), "x"],
        &["fleet", "--format", hostile],
        &["import", "--dry-run", missing.to_str().unwrap()],
        &["prices", "--dry-run", missing.to_str().unwrap()],
        &[hostile],
    ] {
        let Output { stderr, .. } = ebsctl(arguments, directory.path());
        assert!(stderr.contains("a?[2J?b") && !stderr.contains(['\u{1b}', '\u{202e}']), "{stderr}");
    }
    let rows = directory.path().join("rows");
    let row = serde_json::json!({"volume": "vol-0a", "name": hostile, "reason": {"code": hostile, "text": hostile}});
    fs::write(&rows, format!("{row}\n")).unwrap();
    let rows = rows.to_str().unwrap();
    let table = ebsctl(&["fleet", "--rows", rows], directory.path());
    assert!(!table.stdout.is_empty() && !table.stdout.contains(['\u{1b}', '\u{202e}']), "{}", table.stdout);
    let json = ebsctl(&["fleet", "--rows", rows, "--format", "json"], directory.path());
    assert!(json.stdout.contains('\u{202e}'), "{}", json.stdout);
}

#[test]
fn without_a_directory_of_state_there_is_no_journal() {
    let directory = tempfile::tempdir().unwrap();
    let [samples, volumes] = files(&directory);
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebsctl"));
    command.args(["fleet", &samples, "--volumes", &volumes, "--format", "json"]).env("TMPDIR", directory.path());
    for name in ["HOME", "XDG_STATE_HOME", "STATE_DIRECTORY"] {
        command.env_remove(name);
    }
    let output = command.stdin(Stdio::null()).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && stderr.contains("there is no directory of state"), "{stderr}");
    assert!(!directory.path().join("ebsctl").exists());
}
