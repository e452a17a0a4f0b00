//! Seeds of each target: the inputs of other tests, read from their places, and a few more.

use std::fs;
use std::path::{Path, PathBuf};

use ebs_comparison::export::{FioImport, Mark, Run, RunReading, RunResult, Samples, write};
use ebs_imports::drivers::fio;
use ebs_samples::evidence::codec::{self, FORMAT, decode};
use ebs_workload::reading::{Checkpoints, Reading, Table, Tables};
use ebs_workload::statements::{Entry, StatementKey, Statements};
use serde_json::json;

use crate::index_findings::index_findings;
use crate::sysfs::SEPARATOR;

/// Offer files of the tests of ebs_aws.
#[path = "../../crates/aws/src/offer/samples.rs"]
#[allow(dead_code, missing_docs)]
mod offers;

/// Inputs of a target.
type Seeds = Vec<Vec<u8>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn reports(names: &[&str]) -> Seeds {
    let read =
        |name: &&str| fs::read(root().join("sql/reports").join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    names.iter().map(read).collect()
}

fn texts(texts: &[&str]) -> Seeds {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Answers of a server that is watched.
pub fn remote() -> Seeds {
    texts(&[
        r#"{"pid":7,"started_us":1,"arrived_us":9,"sweeps":[["","",{"at_us":10,"hidden":0,"rows":[[1,"client backend","IO","DataFileRead",
           "active",5,5,"app"],[2,"client backend",null,null,"idle",5,5,"app"]]}]],"began_us":10,"ended_us":12,
           "disks":" 259 1 nvme1n1 100 5 800 70 30 2 240 90 1 60 161\n","io":[["client backend","relation","normal",[8192,16384,0,0,9,1000,
           2000,0,0],2]],"wal":[5,1,4096,7,6,300,400],"epoch":3,"io_timed":true,"wal_timed":false}"#,
        r#"{"version":"17.5","version_num":170005,"block_size":8192,"started_us":5,"data_directory":"/pgdata","role":"watcher",
           "sees_sessions":true,"settings":{"fsync":"on"}}"#,
        r#"{"own":12,"machine":"cpu  1 2 3 4 5 6 7 8 9 0\n","clients":[13],"processes":[[12,"12 (p) S 10 0 0 0 0 0 0 0 0 0 3 0 0 0 20 0 1 0 100
           0 0 18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0"],[13,null]]}"#,
        r#"{"data":"/pgdata","wal_writer":77,"temporary":"fast","tablespaces":[["fast","/fast"]]}"#,
        r#"{"wal":1000,"tablespaces":[["pg_default",500],["fast",7]]}"#,
        r#"[[5,0,10,2,1,8192],[16384,77,1,0,0,0]]"#,
        r#"[[10,"rchar: 1\nwchar: 1\nsyscr: 1\nsyscw: 1\nread_bytes: 1\nwrite_bytes: 1\ncancelled_write_bytes: 0\n","5000000 7000 3\n"]]"#,
        r#"{"evictions":0,"reset_us":5,"timed":true,"roles":{"10":"a"},"databases":{"5":"app"},
           "statements":{"hidden":1,"rows":[[10,5,-77,true,null,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]]}}"#,
        r#"{"read_us":9,"checkpoints":[3,1,2,50],"database":"app","reset_us":null,"tables":[{"number":16400,"name":"public.t","fillfactor":90,"indexes":2,"pages":10,"inserted":1,"updated":2,
            "hot_updated":3,"newpage_updated":4,"deleted":5,"vacuums":6}]}"#,
        r#"{"preloaded":true,"database":"app","role":"watcher","schema":"public","version":"1.11","columns":["userid","toplevel"],
           "allowed":true,"has_info":true}"#,
    ])
}

/// Bytes for targets that read numbers.
pub fn numbers() -> Seeds {
    vec![(0..=255).collect(), vec![1; 200], [0, 255].repeat(100)]
}

/// fio's JSON: single jobs of recorded reports, which are too long for many executions.
pub fn fio() -> Seeds {
    let whole =
        |name: &str| serde_json::from_slice::<serde_json::Value>(&reports(&[name])[0]).expect("a report is JSON");
    let one = |mut report: serde_json::Value, number: usize| {
        report["jobs"] = json!([report["jobs"][number]]);
        // Only the first bins of json+.
        for side in ["read", "write"] {
            let bins = report.pointer_mut(&format!("/jobs/0/{side}/clat_ns/bins"));
            if let Some(bins) = bins.and_then(serde_json::Value::as_object_mut) {
                *bins = std::mem::take(bins).into_iter().take(8).collect();
            }
        }
        report.to_string().into_bytes()
    };
    vec![one(whole("fio-3.33-plus.json"), 0), one(whole("fio-3.33.json"), 4)]
}

/// Stored blocks from a file of hexadecimal digits, without the word before them.
fn stored(name: &str) -> Seeds {
    let text = String::from_utf8(reports(&[name]).remove(0)).expect("digits");
    let bytes = |digits: &str| {
        let pair = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal");
        (0..digits.len()).step_by(2).map(pair).collect()
    };
    text.lines().filter_map(|line| line.split_whitespace().last()).map(bytes).collect()
}

/// Files of recorded blocks, with the layout that these are in.
const RECORDED: [(&str, i16); 5] =
    [("apart.hex", 5), ("held.hex", 5), ("queries.hex", 3), ("reading.hex", 5), ("workload.hex", 3)];

/// Recorded blocks of these files, each with its layout.
fn recorded(files: &[&str]) -> Vec<(i16, Vec<u8>)> {
    let chosen = RECORDED.iter().filter(|(name, _)| files.contains(name));
    chosen.flat_map(|(name, format)| stored(name).into_iter().map(|bytes| (*format, bytes))).collect()
}

/// Blocks as they are stored, and uncompressed ones, which the target compresses.
pub fn blocks() -> Seeds {
    let all = recorded(&RECORDED.map(|(name, _)| name));
    let packed_already = all.iter().map(|(format, bytes)| [&[*format as u8], &bytes[..]].concat());
    let of_layout_2 = stored("layout-2.hex").into_iter().map(|bytes| [vec![2], bytes].concat());
    let unpacked = all.iter().map(|(format, bytes)| [&[FORMAT as u8 | 0x80], &unpacked(*format, bytes)[..]].concat());
    packed_already.chain(of_layout_2).chain(unpacked).collect()
}

/// Uncompressed bytes of a block, encoded again because the codec compresses with a dictionary of its own.
fn unpacked(format: i16, bytes: &[u8]) -> Vec<u8> {
    let block = decode(format, bytes).expect("a block");
    codec::unpacked(block).expect("columns")
}

fn read() -> Reading {
    let key = StatementKey { query_id: -7, ..StatementKey::default() };
    let statements = Statements {
        timed: true,
        evictions: Some(1),
        roles: [(10, "postgres".to_owned())].into(),
        entries: [(key, Entry { since_us: Some(5), ..Entry::default() })].into(),
        ..Statements::default()
    };
    let table = Table { name: "public.t".to_owned(), fillfactor: 90, indexes: 1, bytes: 8_192, ..Table::default() };
    let tables = Tables { database: "bench".to_owned(), reset_us: None, tables: [(1, table)].into() };
    Reading {
        read_us: 1_700_000_000_000_123,
        block_size: 8_192,
        statements: Ok(statements),
        checkpoints: Some(Checkpoints::default()),
        tables: Some(tables),
    }
}

/// Two readings.
pub fn reading() -> Seeds {
    vec![
        serde_json::to_vec(&[read(), Reading { read_us: 1_700_000_060_000_000, ..read() }]).expect("readings are JSON"),
    ]
}

/// Documents of runs with every member.
pub fn run_document() -> Seeds {
    let report = String::from_utf8(fio().remove(1)).expect("text");
    let run = |number: usize, format: i16, bytes: Vec<u8>| Run {
        label: format!("run {number}"),
        started_us: 1_700_000_000_000_000,
        ended_us: 1_700_000_060_000_000,
        note: Some(json!({ "why": "a seed" })),
        environment: Some(json!({ "server_version": "18.6", "doubts": ["one"] })),
        tags: vec!["gp3".to_owned()],
        marks: vec![Mark { phase: "measure".to_owned(), marked_us: 1_700_000_001_000_000 }],
        results: vec![RunResult { recorded_us: 7, tps: Some(1_234.5), ..RunResult::default() }],
        fio: vec![FioImport { recorded_us: 8, fio: fio::read(&report, &|| ()).expect("a report") }],
        readings: vec![RunReading { moment_us: 1_700_000_000_000_000, reading: read() }],
        index_findings: Some(index_findings()),
        samples: Samples::from_stored(format, bytes, &|| ()).expect("samples").into_iter().collect(),
        ..Run::default()
    };
    let blocks = recorded(&["reading.hex", "workload.hex"]);
    let document = |(number, (format, bytes)): (usize, (i16, Vec<u8>))| {
        write(&[run(number, format, bytes)], "0.1.0", &|| ()).expect("it fits").to_string()
    };
    blocks.into_iter().enumerate().map(document).map(String::into_bytes).collect()
}

/// Documents of prices.
pub fn prices_document() -> Seeds {
    let prices =
        |part: &str, usd: &str| json!([{ "region": "us-east-1", "volume_type": "gp3", "part": part, "usd": usd }]);
    let offer = |code: &str, prices: serde_json::Value| json!({ "offer": code, "version": "1", "published": "2026-10-15", "prices": prices });
    let one = offer("AmazonEC2", prices("storage", "0.08"));
    let two = json!([one, offer("AmazonRDS", prices("iops", "0.02"))]);
    vec![one.to_string().into_bytes(), two.to_string().into_bytes()]
}

/// Offer files as CSV.
pub fn offer_csv() -> Seeds {
    vec![
        offers::csv("AmazonEC2", &offers::ec2(), false).into_bytes(),
        offers::csv("AmazonRDS", &offers::rds(), true).into_bytes(),
        offers::csv("AmazonEC2", &offers::ec2()[6..9], false).into_bytes(),
    ]
}

/// Offer files as JSON.
pub fn offer_json() -> Seeds {
    vec![
        offers::json("AmazonEC2", &offers::ec2()).into_bytes(),
        offers::json("AmazonRDS", &offers::rds()).into_bytes(),
        offers::json("AmazonEC2", &offers::ec2()[6..9]).into_bytes(),
    ]
}

/// Directories of machines in tests/trees.
const MACHINES: [&str; 5] = ["btrfs", "container/host", "nitro", "overlay", "xen"];

fn machine_files(file: &str) -> Seeds {
    MACHINES.iter().filter_map(|machine| fs::read(root().join("tests/trees").join(machine).join(file)).ok()).collect()
}

/// Lines of /proc/diskstats.
pub fn diskstats() -> Seeds {
    machine_files("proc/diskstats")
}

/// Lines of /proc/self/mountinfo.
pub fn mountinfo() -> Seeds {
    machine_files("proc/self/mountinfo")
}

/// Files of a process.
pub fn process() -> Seeds {
    texts(&[
        "12 (odd ) S 1 name) S 4711 1 1 0 -1 4194560 1 1 0 0 3 4 5 6 20 0 1 0 100 1000 10 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
        "rchar: 3000\nwchar: 4000\nsyscr: 3\nsyscw: 4\nread_bytes: 100\nwrite_bytes: 200\ncancelled_write_bytes: 50\n",
        "cpu  100 20 30 9999 777 4 5 600 50 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n",
        "12 34 56 ",
    ])
}

/// Statistics page with a bin in each histogram.
pub fn nvme_page() -> Seeds {
    let mut page = vec![0; 4_096];
    page[..4].copy_from_slice(&0x3C23_B510u32.to_le_bytes());
    for at in [504, 504 + 8 + 64 * 24] {
        page[at] = 2;
        page[at + 16] = 64;
        page[at + 24] = 3;
        page[at + 32] = 64;
    }
    vec![page]
}

/// Machines of tests/trees as the target's text.
pub fn sysfs() -> Seeds {
    let machine = |name: &&str| {
        let at = root().join("tests/trees").join(name);
        let text = |file: &str| fs::read_to_string(at.join(file)).unwrap_or_default();
        let mut lines = Vec::new();
        walk(&at.join("sys").canonicalize().expect("a tree"), "", &mut lines);
        [text("proc/self/mountinfo"), text("proc/diskstats"), lines.join("\n")].join(SEPARATOR).into_bytes()
    };
    MACHINES.iter().map(machine).collect()
}

/// Adds a line for each file and symlink below a directory of a tree.
fn walk(tree: &Path, below: &str, lines: &mut Vec<String>) {
    let entries = fs::read_dir(tree.join(below)).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    for name in names {
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        let here = tree.join(&path);
        if here.is_symlink() {
            let target = here.canonicalize().ok();
            let target = target.as_deref().and_then(|target| target.strip_prefix(tree).ok()).and_then(Path::to_str);
            lines.extend(target.map(|target| format!("{path}>{target}")));
        } else if here.is_dir() {
            walk(tree, &path, lines);
        } else if let Ok(content) = fs::read_to_string(&here) {
            lines.push(format!("{path}={}", content.trim()));
        }
    }
}

/// Tables.
pub fn tables() -> Seeds {
    texts(&[
        r#"[{"schema":"public","name":"orders","pages":1000,"rows":1e5,"inserted":1,"updated":10,"hot_updated":4,"columns":[{"name":"id","ordered":true,"width":8,"distinct":-1,"correlation":1},{"name":"a b","distinct":5}],"indexes":[{"name":"orders_pkey","method":"btree","unique":true,"needed":true,"valid":true,"keys":["id/1978/0/0"],"key_columns":["id"],"size_bytes":8192,"scans":0},{"name":"again","method":"btree","valid":true,"keys":["id/1978/0/0"],"key_columns":["id"],"include":["total"],"predicate":"(id > 5)"}],"referenced_by":[{"name":"lines_fk","schema":"public","table":"lines","columns":["order_id"]}]}]"#,
    ])
}

/// Statements, as pg_stat_statements writes them.
pub fn statements() -> Seeds {
    texts(&[
        "0SELECT date $1, extract($2 FROM created_at) FROM orders",
        "fWITH gone AS (DELETE FROM orders WHERE created_at < now() - interval $1 RETURNING *) SELECT count(*) FROM gone",
        "\x1bSELECT interval\n  $1, date $2",
    ])
}

/// Requests of FUSE.
pub fn fuse_requests() -> Seeds {
    let request = |opcode: u32, arguments: &[u8]| {
        let head = [40 + arguments.len() as u32, opcode, 77, 0, 1, 0, 0, 0, 0, 0];
        head.iter().flat_map(|word| word.to_ne_bytes()).chain(arguments.iter().copied()).collect()
    };
    let mut transfer = [0; 43];
    (transfer[9], transfer[16]) = (2, 3);
    [3, 14, 15, 16, 17, 18, 26, 38].map(|opcode| request(opcode, &transfer)).into()
}

/// Commands to the emulator's daemon.
pub fn emulator_commands() -> Seeds {
    texts(&[
        r#""open""#,
        r#"{"compensate":{"overhead_us":12.5}}"#,
        r#"{"stats":{"reset":true}}"#,
        r#"{"set":{"change":{"volume_type":"gp2","size":100,"credits":50.0,"instance":"m5.large"}}}"#,
        r#"{"set":{"change":{"volume_type":"plain","iops":{"of":3000},"throughput":"unlimited","read_ms":0.5,"sigma":0.2,"burst_ms":10.0}}}"#,
    ])
}

/// Words.
pub fn words() -> Seeds {
    texts(&[
        "0.05712001953125",
        "-12.5",
        "gp3",
        "io2",
        "rds-multi-az",
        "throughput",
        "unlimited",
        "3000",
        "m5.large",
        "db.r6g.large",
    ])
}
