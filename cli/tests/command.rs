//! Tests of the program without a database: its output, its errors, and their exit status.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;

/// Offer file of us-east-1 with gp3 at another price. It lacks most prices, so that it needs --partial.
const OFFER: &str = r#""FormatVersion","v1.0"
"Disclaimer","none"
"Publication Date","2026-11-15T19:13:16Z"
"Version","20261115191316"
"OfferCode","AmazonEC2"
"SKU","TermType","StartingRange","EndingRange","Unit","PricePerUnit","Currency","Location Type","Region Code","usageType"
"A","OnDemand","0","Inf","GB-Mo","0.1000000000","USD","AWS Region","us-east-1","EBS:VolumeUsage.gp2"
"B","OnDemand","0","Inf","GB-Mo","0.0850000000","USD","AWS Region","us-east-1","EBS:VolumeUsage.gp3"
"C","OnDemand","0","Inf","GB-Mo","0.1200000000","USD","AWS Local Zone","us-east-1-bos-1","USE1-BOS1-EBS:VolumeUsage.gp3"
"#;

struct Output {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn prices(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebsctl"));
    command.arg("prices").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The program may end without reading all of it.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Output { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn a_dry_run_prints_the_document_and_what_would_change() {
    let Output { code, stdout, stderr } = prices(&["--dry-run", "--partial", "-"], OFFER.as_bytes());
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(
        stdout,
        concat!(
            r#"{"offer":"AmazonEC2","prices":[{"part":"storage","region":"us-east-1","usd":"0.1","volume_type":"gp2"},"#,
            r#"{"part":"storage","region":"us-east-1","usd":"0.085","volume_type":"gp3"}],"#,
            r#""published":"2026-11-15","version":"20261115191316"}"#,
            "\n"
        )
    );
    assert!(stderr.contains("AmazonEC2 20261115191316, published 2026-11-15\n"), "{stderr}");
    assert!(stderr.contains("  us-east-1: 1 as built in, 1 changed, 0 new\n"), "{stderr}");
    assert!(stderr.contains("gp3 storage                      0.08 → 0.085\n"), "{stderr}");
    assert!(stderr.contains("  left out: 1 in a Local Zone or Wavelength Zone\n"), "{stderr}");
    assert!(stderr.starts_with("standard input: read "), "{stderr}");
}

#[test]
fn gzip_is_read_and_a_truncated_file_is_an_error() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(OFFER.as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    let whole = prices(&["--dry-run", "--partial", "-"], &packed);
    assert_eq!(whole.stdout, prices(&["--dry-run", "--partial", "-"], OFFER.as_bytes()).stdout);
    // The checksum and the length stand at the end.
    for end in [packed.len() - 1, packed.len() - 8, packed.len() / 2] {
        let Output { code, stdout, stderr } = prices(&["--dry-run", "--partial", "-"], &packed[..end]);
        assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
        assert!(stderr.contains("error: \"-\": broken at line "), "{stderr}");
    }
}

#[test]
fn an_error_has_its_place_and_a_hint() {
    let Output { code, stdout, stderr } = prices(&["--dry-run", "-"], &OFFER.as_bytes()[..OFFER.len() - 30]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    let expected = "error: \"-\": broken at line 9: the file ends in the middle of it\n\
                detail: Until there 2 products were read and 2 storage prices found; none was taken.\n\
                hint:  Download it again";
    assert!(stderr.starts_with(expected), "{stderr}");
    let Output { code, stderr, .. } = prices(&["--dry-run", "-"], OFFER.as_bytes());
    assert_eq!(code, Some(1));
    assert!(stderr.contains("incomplete: us-east-1 has 2 prices on ec2, and none of gp3 iops"), "{stderr}");
}

#[test]
fn files_are_all_taken_or_none() {
    let temp = tempfile::tempdir().unwrap();
    let path = |name: &str| temp.path().join(name);
    fs::write(path("a.csv"), OFFER).unwrap();
    fs::write(path("b.csv"), &OFFER.as_bytes()[..400]).unwrap();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let (a, b) = (text(&path("a.csv")), text(&path("b.csv")));
    let Output { code, stdout, .. } = prices(&["--dry-run", "--partial", &a, &b], b"");
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    let Output { code, stderr, .. } = prices(&["--dry-run", "--partial", &a, &a], b"");
    assert_eq!(code, Some(1));
    assert!(stderr.contains("has gp2 storage in us-east-1, and so has another file"), "{stderr}");
    let missing = text(&path("none.csv"));
    let Output { code, stderr, .. } = prices(&[&missing], b"");
    assert_eq!(code, Some(1));
    assert!(stderr.starts_with(&format!("error: could not read \"{missing}\": No such file")), "{stderr}");
}

#[test]
fn a_server_that_is_not_there_has_another_exit_status_than_an_invalid_file() {
    let import = |more: &[&str]| prices(&[&["--partial"], more, &["-"]].concat(), OFFER.as_bytes());
    let Output { code, stderr, .. } = import(&["--dbname", "host=/nonexistent user=me"]);
    assert_eq!(code, Some(3));
    assert!(stderr.contains("error: the server was not reached\ndetail: /nonexistent/.s.PGSQL.5432: "), "{stderr}");
    let Output { code, stderr, .. } = import(&["--psql", "/usr/bin/psql"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("runs no psql"), "{stderr}");
    assert_eq!(prices(&[], b"").code, Some(2));
}

/// Runs ebsctl without a database.
fn ebsctl(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebsctl"));
    let output = command.args(arguments).stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Output { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn a_run_that_cannot_be_begun_runs_nothing() {
    let temp = tempfile::tempdir().unwrap();
    let ran = temp.path().join("ran");
    let touch = ["--", "touch", ran.to_str().unwrap()];
    let with = |more: &[&str]| ebsctl(&[&["run", "--label", "a"][..], more, &touch].concat());
    let Output { code, stderr, .. } = with(&["--dbname", "host=/nonexistent user=me"]);
    assert_eq!(code, Some(125));
    assert!(stderr.starts_with("error: the server was not reached\ndetail: /nonexistent/"), "{stderr}");
    assert!(stderr.contains("\nhint:  Connections are as libpq's"), "{stderr}");
    let Output { code, stderr, .. } = with(&["--dbname", "postgresql://me:hush@host/db"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("hint:  Keep it in ~/.pgpass") && !stderr.contains("hush"), "{stderr}");
    for (wrong, reason) in [
        (["--note", "{"], "error: the note is no JSON document: "),
        (["--sweep", "clients=4,2"], "error: the steps of a sweep must rise\n"),
        (["--sweep", "clients=1,2"], "error: the command does not say where the number of clients belongs\n"),
        (["--ramp-up", "0"], "error: invalid value '0'"),
    ] {
        let Output { code, stderr, .. } = with(&wrong);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.starts_with(reason), "{stderr}");
    }
    assert!(!ran.exists());
    assert_eq!(ebsctl(&["run", "--label", "a"]).code, Some(2));
    assert_eq!(ebsctl(&["run", "--", "true"]).code, Some(2));
}

const SUMMARY: &str = "pgbench (18.6)\ntransaction type: <builtin: TPC-B (sort of)>\nnumber of clients: 2\n\
    latency average = 4.000 ms\ntps = 500.000000 (without initial connection time)\n";

#[test]
fn an_import_of_configuration_reads_all_files_or_none() {
    let report = |name: &str| format!("{}/../sql/reports/{name}", env!("CARGO_MANIFEST_DIR"));
    let (ec2, rds) = (report("configuration-ec2.json"), report("configuration-rds.json"));
    // The word of earlier versions says no more than the files.
    for words in [&["import", "--dry-run"][..], &["import", "configuration", "--dry-run"]] {
        let Output { code, stdout, stderr } = ebsctl(&[words, &[&ec2, &rds]].concat());
        assert_eq!(code, Some(0), "{stderr}");
        let expected = "2 volumes, 1 instance, 2 RDS instances, 1 modification: to ebs_import_configuration\n";
        assert_eq!(stdout, expected);
    }
    let broken = tempfile::NamedTempFile::new().unwrap();
    fs::write(broken.path(), "{\"Volumes\": [}").unwrap();
    let Output { code, stdout, stderr } = ebsctl(&["import", "--dry-run", &ec2, broken.path().to_str().unwrap()]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
    assert_eq!(ebsctl(&["import", "configuration"]).code, Some(2));
}

#[test]
fn an_import_reads_all_files_or_none() {
    let temp = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &str| {
        fs::write(temp.path().join(name), content).unwrap();
        temp.path().join(name).to_str().unwrap().to_owned()
    };
    let summary = file("printed", SUMMARY);
    let one = file("log.1", "0 1 4000 0 1763712000 500000\n0 2 6000 0 1763712001 500000\n");
    let two = file("log.2", "1 1 8000 0 1763712001 600000\n");
    let Output { code, stdout, stderr } = ebsctl(&["import", "--dry-run", &summary, &one, &two]);
    assert_eq!(code, Some(0), "{stderr}");
    // Figures of the summary, and those that only the logs have.
    for has in
        ["\"tps\": 500.0", "\"latency_ms\": 4.0", "\"p50\": 6.0", "\"transactions\": 3", "\"printed\"", "\"18.6\""]
    {
        assert!(stdout.contains(has), "{has}: {stdout}");
    }
    let cut = file("cut", &SUMMARY[..60]);
    let Output { code, stdout, stderr } = ebsctl(&["import", "--dry-run", &one, &cut]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    assert!(
        stderr.contains("it ends with line 2, before the line tps = … of pgbench's summary\nhint:  The driver did"),
        "{stderr}"
    );
    let foreign = file("foreign", "hello\n");
    for files in [&[foreign.as_str()][..], &[&one, &foreign]] {
        let Output { code, stdout, stderr } = ebsctl(&[&["import", "--dry-run"], files].concat());
        assert_eq!((code, stdout.as_str()), (Some(1), ""));
        assert!(stderr.contains("it looks like text that begins with \"hello\""), "{stderr}");
        assert_eq!(stderr.lines().count(), 3, "{stderr}");
    }
    let sysbench = ebsctl(&["import", "--dry-run", "--kind", "sysbench", &summary]);
    assert!(sysbench.stderr.contains("it looks like pgbench, not sysbench"), "{}", sysbench.stderr);
    assert_eq!(ebsctl(&["import", &summary]).code, Some(2));
}

#[test]
fn completions_name_the_subcommands() {
    for shell in ["bash", "zsh", "fish"] {
        let Output { code, stdout, stderr } = ebsctl(&["completions", shell]);
        assert_eq!(code, Some(0), "{stderr}");
        assert!(
            ["advise", "prices", "import", "sweep", "max-throttled-pct"].iter().all(|word| stdout.contains(word)),
            "{shell}: {stdout}"
        );
    }
    assert_eq!(ebsctl(&["completions", "tcsh"]).code, Some(2));
}

#[test]
fn each_subcommand_has_a_manual_page() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path().to_str().unwrap();
    let Output { code, stderr, .. } = ebsctl(&["manual", at]);
    assert_eq!(code, Some(0), "{stderr}");
    for page in ["ebsctl", "ebsctl-run", "ebsctl-import", "ebsctl-prices"] {
        let text = fs::read_to_string(directory.path().join(format!("{page}.1"))).unwrap();
        assert!(text.contains(".SH NAME"), "{page}: {text}");
    }
    let Output { code, stderr, .. } = ebsctl(&["manual", &format!("{at}/nowhere")]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("hint:  The directory has to exist"), "{stderr}");
}
