//! Work of each reader by the size of its input. It is counted by the hook for query cancel, which is called at least once in
//! [`MAX_BYTES_PER_CALL`] bytes, so that a cancel takes effect, and twice as often for twice as many bytes. Work without the hook
//! is bounded by CPU time at sizes with a ratio of 4: the times have a ratio of 4 if the work is linear, 16 if quadratic. That test
//! measures, so `make test-quiet` runs it.

use std::cell::Cell;

use ebs_advisor_fuzz::conninfo::Texts;
use ebs_advisor_fuzz::reports::{self, settings, utc};
use ebs_advisor_fuzz::{answers, fleet, stack};
use ebs_comparison::export::read_text;
use ebs_fleet_report::{ChangeFormat, ChangeOptions, PageOptions, TableOptions};
use ebs_imports::configuration;
use ebs_imports::drivers::{self, Driver, PgbenchLogs, fio};
use ebs_imports::monitoring::{self, MonitoringData, block, rds_os, rds_waits};
use ebs_prometheus::{Collector, CompiledSelector, Labels, Limits, ReadError, Selector};
use ebs_remote::accounts::{ProcessAccounts, ProcessTexts};
use ebs_remote::conninfo::{has_password, resolve};
use ebs_remote::plans::PlanReader;
use ebs_remote::run_reading::parse_statements;
use ebs_remote::sample::Reading;
use ebs_remote::sessions::SessionWaits;
use ebs_samples::evidence::codec::{FORMAT, decode_with, encode_with};
use ebs_samples::evidence::{Accounts, Block, Sample};
use rustix::time::{ClockId, clock_gettime};

type Read = fn(&str, &dyn Fn());

/// A kind of input: its name, a generator by the approximate number of bytes, and its reader.
struct Kind {
    name: &'static str,
    make: fn(usize) -> String,
    read: Read,
}

/// Work of an import after reading: builds blocks, encodes and decodes them.
fn import(imported: MonitoringData, pause: &dyn Fn()) {
    for series in &imported.series {
        store(block(series, None, pause).expect("a block"), pause);
    }
}

fn store(block: Block, pause: &dyn Fn()) {
    let bytes = encode_with(block, pause).expect("it can be stored");
    decode_with(FORMAT, &bytes, pause).expect("it can be read");
}

fn iostat(text: &str, pause: &dyn Fn()) {
    import(monitoring::iostat(text, &settings(), pause).expect("a report"), pause);
}

fn sar(text: &str, pause: &dyn Fn()) {
    import(monitoring::sar(text, &utc(), pause).expect("a report"), pause);
}

fn cloudwatch(text: &str, pause: &dyn Fn()) {
    let answer = ebs_base::input::json(text, pause).expect("JSON");
    import(monitoring::cloudwatch(&answer, None, pause).expect("an answer"), pause);
}

fn read_rds_os(text: &str, pause: &dyn Fn()) {
    let mut collector = rds_os::Collector::new(rds_os::Selection::default());
    collector.read(text.as_bytes(), pause).expect("events");
    collector.finish(pause).expect("intervals").blocks.into_iter().for_each(|block| store(block, pause));
}

/// Waits of a minute of seconds, of all that are read.
fn read_rds_waits(text: &str, pause: &dyn Fn()) {
    let load = rds_waits::read(text, Some(1), pause).expect("pages");
    let sample = |second: i64| Sample {
        at_us: (1_767_225_600 + second) * 1_000_000,
        dt_us: 1_000_000,
        devices: vec![].into(),
        reset: false,
    };
    let mut block = Block { samples: (1..=60).map(sample).collect(), ..Block::default() };
    load.add_to(&mut block);
    store(block, pause);
}

fn aurora(text: &str, pause: &dyn Fn()) {
    let answer = ebs_base::input::json(text, pause).expect("JSON");
    for usage in monitoring::aurora(&answer, None, pause).expect("an answer") {
        ebs_advisor_fuzz::monitoring::advise_aurora(&usage, pause);
    }
}

fn read_configuration(text: &str, pause: &dyn Fn()) {
    configuration::read(text, pause).expect("a configuration");
}

fn read_fleet_answers(text: &str, pause: &dyn Fn()) {
    ebs_fleet_row::answers::read(text, pause).expect("rows");
}

fn read_fio(text: &str, pause: &dyn Fn()) {
    fio::read(text, pause).expect("a document");
}

fn read_run(text: &str, pause: &dyn Fn()) {
    let _ = read_text(text, pause);
}

/// Kinds of input whose readers call the hook.
const WITH_HOOK: [Kind; 23] = [
    Kind { name: "iostat, one device", make: |n| reports::iostat(n / 75, 1), read: iostat },
    Kind { name: "iostat, many devices", make: |n| reports::iostat(n / 30_000 + 1, 1_000), read: iostat },
    Kind { name: "iostat as JSON", make: |n| reports::iostat_json(n / 70, 1), read: iostat },
    Kind { name: "iostat as JSON, many devices", make: |n| reports::iostat_json(n / 66_000 + 1, 1_000), read: iostat },
    Kind { name: "sar", make: |n| reports::sar(n / 24, 1), read: sar },
    Kind { name: "sar, many devices", make: |n| reports::sar(n / 26_000 + 1, 1_000), read: sar },
    Kind { name: "sadf", make: |n| reports::sadf(n / 28, 1), read: sar },
    Kind { name: "sadf, many devices", make: |n| reports::sadf(n / 30_000 + 1, 1_000), read: sar },
    Kind { name: "CloudWatch, many periods", make: |n| reports::cloudwatch(1, n / 40), read: cloudwatch },
    Kind { name: "CloudWatch, many volumes", make: |n| reports::cloudwatch(100, n / 4_000), read: cloudwatch },
    Kind { name: "Aurora, many periods", make: |n| reports::aurora(1, n / 30), read: aurora },
    Kind { name: "Aurora, many clusters", make: |n| reports::aurora(100, n / 3_000), read: aurora },
    Kind { name: "Enhanced Monitoring, one volume", make: |n| reports::rds_os(n / 190, 1), read: read_rds_os },
    Kind { name: "Enhanced Monitoring, many volumes", make: |n| reports::rds_os(n / 11_800, 100), read: read_rds_os },
    Kind { name: "Performance Insights, one event", make: |n| reports::rds_waits(1, n / 37), read: read_rds_waits },
    Kind {
        name: "Performance Insights, many events",
        make: |n| reports::rds_waits(500, n / 18_500),
        read: read_rds_waits,
    },
    Kind { name: "configuration", make: |n| reports::configuration(n / 150), read: read_configuration },
    Kind { name: "rows of a fleet, imported", make: |n| fleet::rows(n / 480), read: read_fleet_answers },
    Kind { name: "fio, many jobs", make: |n| reports::fio(n / 800, false, 20, 20), read: read_fio },
    Kind { name: "fio, many copies", make: |n| reports::fio(n / 800, true, 20, 20), read: read_fio },
    Kind {
        name: "fio, many documents",
        make: |n| (reports::fio(1, true, 20, 20) + "\n").repeat(n / 800),
        read: read_fio,
    },
    Kind { name: "runs, many statements", make: |n| reports::run(&reports::statements(30, n / 62)), read: read_run },
    Kind {
        name: "runs, nested lists",
        make: |n| reports::run(&format!(r#""note":[{}0]"#, "[[[0]]],".repeat(n / 8))),
        read: read_run,
    },
];

fn output(driver: Driver, text: &str) {
    let _ = drivers::read(driver, text, true);
}

/// Samples of a watched server's answer.
fn watch(text: &str) {
    let reading = Reading::parse(text).expect("a reading");
    let mut waits = SessionWaits::new();
    assert!(reading.sweeps.iter().all(|sweep| waits.add(sweep, 100_000)));
    waits.drain(1_000_000_000);
}

/// Bytes as text, a letter each.
fn letters(bytes: Vec<u8>) -> String {
    bytes.into_iter().map(char::from).collect()
}

fn read_series(text: &str, read: fn(&mut &[u8], &mut Collector) -> Result<(), ReadError>) {
    let bytes: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
    let mut collector = Collector::new(0, i64::MAX, Limits::default());
    read(&mut bytes.as_slice(), &mut collector).expect("an answer");
    assert!(!collector.finish().is_empty());
}

fn read_streamed(text: &str, _: &dyn Fn()) {
    read_series(text, |input, collector| ebs_prometheus::read_streamed(input, collector));
}

fn read_samples(text: &str, _: &dyn Fn()) {
    read_series(text, |input, collector| ebs_prometheus::read_samples(input, collector));
}

fn read_export(text: &str, _: &dyn Fn()) {
    read_series(text, |input, collector| ebs_prometheus::read_lines(input, collector));
}

fn read_matrix(text: &str, _: &dyn Fn()) {
    read_series(text, |input, collector| ebs_prometheus::read_matrix(input, collector));
}

fn read_selector(text: &str, _: &dyn Fn()) {
    let selector: Selector = text.parse().expect("a selector");
    CompiledSelector::new(&selector).expect("patterns").matches(&Labels::default());
}

/// Every output of the rows of a fleet.
fn read_rows(text: &str, _: &dyn Fn()) {
    let rows: Result<Vec<_>, _> = ebs_fleet_report::read_rows(text.as_bytes()).collect();
    let rows = ebs_fleet_report::merge(rows.expect("rows")).rows;
    ebs_fleet_report::render_table(&rows, &TableOptions::default());
    ebs_fleet_report::render_page(&rows, &PageOptions::new(Default::default()));
    ebs_fleet_report::write_csv(&rows, &mut Vec::new()).expect("rows can be written");
    for format in [ChangeFormat::Cli, ChangeFormat::Terraform, ChangeFormat::Vac] {
        ebs_fleet_report::changes(&rows, format, &ChangeOptions::default());
    }
}

fn read_plan(text: &str, _: &dyn Fn()) {
    PlanReader::new().read(text).expect("a plan");
}

/// A connection string.
fn read_conninfo(text: &str, _: &dyn Fn()) {
    assert!(!has_password(text));
    resolve(Some(text), &Texts(None)).expect("connection parameters");
}

/// Password of one server out of a password file.
fn read_passwords(text: &str, _: &dyn Fn()) {
    let settings = resolve(Some("host=h"), &Texts(Some(text))).expect("connection parameters");
    assert_eq!(settings.password_for(&settings.endpoints[0]), None);
}

/// Kinds of input whose readers run in ebsctl, which a signal ends, and call no hook.
const WITHOUT_HOOK: [Kind; 29] = [
    Kind {
        name: "sessions of a watched server",
        make: |n| answers::sweeps(10, n / 640, (100, 0)),
        read: |text, _| watch(text),
    },
    Kind {
        name: "wait events of a watched server",
        make: |n| answers::sweeps(10, n / 640, (100_000, 1_000)),
        read: |text, _| watch(text),
    },
    Kind { name: "disks of a watched server", make: |n| answers::disks(n / 46), read: |text, _| watch(text) },
    Kind {
        name: "statements of a watched server",
        make: |n| answers::statements(n / 77),
        read: |text, _| drop(parse_statements(text).expect("statements")),
    },
    Kind {
        name: "processes of a watched server",
        make: |n| answers::processes(n / 130),
        read: |text, _| {
            let texts = ProcessTexts::parse(text).expect("processes").expect("the machine's time");
            ProcessAccounts::default().add(texts, None, &mut Accounts::default());
        },
    },
    Kind { name: "remote read, many chunks", make: |n| letters(fleet::streamed(1, n / 29)), read: read_streamed },
    Kind { name: "remote read, many series", make: |n| letters(fleet::streamed(n / 57, 1)), read: read_streamed },
    // Equal samples are compressed to a twentieth.
    Kind { name: "remote read, samples", make: |n| letters(fleet::samples(1, n)), read: read_samples },
    Kind { name: "export, one series", make: |n| fleet::export(1, n / 16), read: read_export },
    Kind { name: "export, many series", make: |n| fleet::export(n / 60, 1), read: read_export },
    Kind { name: "instant query, one series", make: |n| fleet::matrix(1, n / 16), read: read_matrix },
    Kind { name: "instant query, many series", make: |n| fleet::matrix(n / 50, 1), read: read_matrix },
    Kind {
        name: "label sets",
        make: |n| fleet::label_sets(n / 36),
        read: |text, _| {
            ebs_prometheus::read_label_sets(&mut text.as_bytes(), &Limits::default()).expect("label sets");
        },
    },
    Kind { name: "selectors", make: |n| r#"a!="b","#.repeat(n / 16 / 7), read: read_selector },
    Kind { name: "connection strings", make: |n| "user=a ".repeat(n / 16 / 7), read: read_conninfo },
    Kind {
        name: "connection URIs",
        make: |n| "postgresql:///?".to_owned() + &"user=%41&".repeat(n / 17 / 9),
        read: read_conninfo,
    },
    Kind {
        name: "service files",
        make: |n| "[a]\nhost=a\n".repeat(n / 12) + "[s]\nhost=h\n",
        read: |text, _| drop(resolve(Some("service=s"), &Texts(Some(text))).expect("connection parameters")),
    },
    Kind { name: "password files", make: |n| "h:5432:dba:\\a\n".repeat(n / 14), read: read_passwords },
    Kind { name: "rows of a fleet", make: |n| fleet::rows(n / 480), read: read_rows },
    Kind { name: "plans, many nodes", make: |n| answers::plan(n / 260, 4), read: read_plan },
    Kind { name: "plans, many columns", make: |n| answers::plan(20, n / 740), read: read_plan },
    Kind { name: "plans, nested nodes", make: |n| answers::nested_plan(n / 130), read: read_plan },
    Kind {
        name: "errors of HammerDB's users",
        make: |n| {
            let errors: String = (0..n / 60).map(|user| format!("Error in Virtual User {user}: x\n")).collect();
            errors + &"Vuser 99999999:FINISHED FAILED\n".repeat(n / 60)
        },
        read: |text, _| output(Driver::Hammerdb, text),
    },
    Kind {
        name: "sets of HammerDB's queries",
        make: |n| {
            "Vuser 1:Completed 1 query set(s) in 19 seconds\n".repeat(n / 110)
                + &"Vuser 2:Geometric mean of query times returning rows (22) is 0.5\n".repeat(n / 110)
        },
        read: |text, _| output(Driver::Hammerdb, text),
    },
    Kind { name: "a line of users", make: |n| "Vuser ".repeat(n / 6), read: |text, _| output(Driver::Hammerdb, text) },
    Kind {
        name: "percentiles of go-tpc",
        make: |n| "[Summary] NEW_ORDER - Takes(s): 1, Avg(ms): 1, ".to_owned() + &"99th(ms): 1, ".repeat(n / 13),
        read: |text, _| output(Driver::Gotpc, text),
    },
    Kind {
        name: "progress of pgbench",
        make: |n| "progress: 5.0 s, 988.6 tps, lat 4.003 ms stddev 4.967, 0 failed\n".repeat(n / 64),
        read: |text, _| output(Driver::Pgbench, text),
    },
    Kind {
        name: "transactions of pgbench",
        make: |n| (0..n / 32).map(|i| format!("{i} 1 4000 0 {} 500000\n", 1_763_712_000 + i)).collect(),
        read: |text, _| {
            let mut logs = PgbenchLogs::default();
            text.lines().for_each(|line| logs.line(line).expect("a transaction"));
        },
    },
    Kind {
        name: "HammerDB's documents",
        make: |n| r#"{"a":{"nopm":"1"}}"#.repeat(n / 18),
        read: |text, _| drop(drivers::jobs(text, None)),
    },
];

/// Maximum number of bytes between two calls of the hook: a few milliseconds of any reader.
const MAX_BYTES_PER_CALL: usize = 64 << 10;

fn count_calls(kind: &Kind, text: &str) -> usize {
    stack::small(|| {
        let count = Cell::new(0);
        (kind.read)(text, &|| count.set(count.get() + 1));
        count.get()
    })
}

#[test]
fn the_hook_is_called_in_proportion_to_the_input() {
    for kind in &WITH_HOOK {
        let (once, twice) = ((kind.make)(2 << 20), (kind.make)(4 << 20));
        let (few, many) = (count_calls(kind, &once), count_calls(kind, &twice));
        let (name, bytes) = (kind.name, once.len());
        assert!(few >= bytes / MAX_BYTES_PER_CALL, "{name}: {few} calls in {bytes} bytes");
        let growth = twice.len() as f64 / bytes as f64;
        assert!(
            (many as f64) <= 1.1 * growth * few as f64 + 40.0,
            "{name}: {few} calls, then {many}, for {growth} times as much"
        );
    }
}

/// CPU time of this thread, nanoseconds.
fn thread_cpu_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Minimum CPU time of several readings, nanoseconds.
fn cost(kind: &Kind, text: &str) -> u64 {
    let once = || {
        let before = thread_cpu_ns();
        (kind.read)(text, &|| ());
        thread_cpu_ns() - before
    };
    (0..5).map(|_| once()).min().unwrap_or(0).max(1)
}

#[test]
#[ignore = "measures CPU time: make test-quiet"]
fn four_times_the_input_is_no_more_than_nine_times_the_work() {
    for kind in WITH_HOOK.iter().chain(&WITHOUT_HOOK) {
        let (small, large) = ((kind.make)(256 << 10), (kind.make)(1 << 20));
        let growth = large.len() as f64 / small.len() as f64;
        let ratio = stack::small(|| cost(kind, &large) as f64 / cost(kind, &small) as f64);
        assert!(ratio <= 2.25 * growth, "{}: {ratio:.1} times the work for {growth:.1} times the input", kind.name);
    }
}
