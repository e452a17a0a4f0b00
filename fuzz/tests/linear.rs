//! Work of each reader by the size of its input. It is counted by the hook for query cancel, which is called at least once in
//! [`MAX_BYTES_PER_CALL`] bytes, so that a cancel takes effect, and twice as often for twice as many bytes. Work without the hook
//! is bounded by CPU time at sizes with a ratio of 4: the times have a ratio of 4 if the work is linear, 16 if quadratic. That test
//! measures, so `make test-quiet` runs it.

use std::cell::Cell;

use ebs_advisor_fuzz::conninfo::Texts;
use ebs_advisor_fuzz::formats::{has_hook, import, read_formats};
use ebs_advisor_fuzz::{answers, fleet, made, stack};
use ebs_comparison::export::read_text;
use ebs_fleet_report::{ChangeFormat, ChangeOptions, PageOptions, TableOptions};
use ebs_prometheus::{Collector, CompiledSelector, Labels, Limits, ReadError, Selector};
use ebs_remote::accounts::{ProcessAccounts, ProcessTexts};
use ebs_remote::conninfo::{has_password, resolve};
use ebs_remote::plans::PlanReader;
use ebs_remote::run_reading::parse_statements;
use ebs_remote::sample::Reading;
use ebs_remote::sessions::SessionWaits;
use ebs_samples::evidence::Accounts;
use rustix::time::{ClockId, clock_gettime};

/// Reader of a text, with its hook.
type Read = dyn Fn(&str, &dyn Fn()) + Send + Sync;

/// A kind of input: its name, a generator by the approximate number of bytes, and its reader.
struct Kind {
    name: String,
    make: fn(usize) -> String,
    read: Box<Read>,
}

/// Documents of the formats, with or without a hook.
fn of_formats(with_hook: bool) -> impl Iterator<Item = Kind> {
    let formats = read_formats().filter(move |format| has_hook(format) == with_hook);
    formats.flat_map(|format| {
        format.inputs.made.iter().map(|made| Kind {
            name: format!("{}, {}", format.name, made.what),
            make: made.make,
            read: Box::new(|text, pause| import(format, text, pause)),
        })
    })
}

/// Kinds of input whose readers call the hook.
fn with_hook() -> impl Iterator<Item = Kind> {
    let nested = Kind {
        name: "runs, nested lists".to_owned(),
        make: |n| made::run(&format!(r#""note":[{}0]"#, "[[[0]]],".repeat(n / 8))),
        read: Box::new(|text, pause| drop(read_text(text, pause))),
    };
    of_formats(true).chain([nested])
}

/// Kinds of input whose readers run in ebsctl, which a signal ends, and call no hook.
fn without_hook() -> impl Iterator<Item = Kind> {
    let others = WITHOUT_HOOK.iter().map(|(name, make, read)| Kind {
        name: (*name).to_owned(),
        make: *make,
        read: Box::new(|text, _| read(text)),
    });
    others.chain(of_formats(false))
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

fn read_streamed(text: &str) {
    read_series(text, |input, collector| ebs_prometheus::read_streamed(input, collector));
}

fn read_samples(text: &str) {
    read_series(text, |input, collector| ebs_prometheus::read_samples(input, collector));
}

fn read_export(text: &str) {
    read_series(text, |input, collector| ebs_prometheus::read_lines(input, collector));
}

fn read_matrix(text: &str) {
    read_series(text, |input, collector| ebs_prometheus::read_matrix(input, collector));
}

fn read_selector(text: &str) {
    let selector: Selector = text.parse().expect("a selector");
    CompiledSelector::new(&selector).expect("patterns").matches(&Labels::default());
}

/// Every output of the rows of a fleet.
fn read_rows(text: &str) {
    let rows: Result<Vec<_>, _> = ebs_fleet_report::read_rows(text.as_bytes()).collect();
    let rows = ebs_fleet_report::merge(rows.expect("rows")).rows;
    ebs_fleet_report::render_table(&rows, &TableOptions::default());
    ebs_fleet_report::render_page(&rows, &PageOptions::new(Default::default()));
    ebs_fleet_report::write_csv(&rows, &mut Vec::new()).expect("rows can be written");
    for format in [ChangeFormat::Cli, ChangeFormat::Terraform, ChangeFormat::Vac] {
        ebs_fleet_report::changes(&rows, format, &ChangeOptions::default());
    }
}

fn read_plan(text: &str) {
    PlanReader::new().read(text).expect("a plan");
}

/// A connection string.
fn read_conninfo(text: &str) {
    assert!(!has_password(text));
    resolve(Some(text), &Texts(None)).expect("connection parameters");
}

/// Password of one server out of a password file.
fn read_passwords(text: &str) {
    let settings = resolve(Some("host=h"), &Texts(Some(text))).expect("connection parameters");
    assert_eq!(settings.password_for(&settings.endpoints[0]), None);
}

/// Name, generator and reader of an input that is no file of a format.
type Other = (&'static str, fn(usize) -> String, fn(&str));

const WITHOUT_HOOK: [Other; 22] = [
    ("sessions of a watched server", |n| answers::sweeps(10, n / 640, (100, 0)), |text| watch(text)),
    ("wait events of a watched server", |n| answers::sweeps(10, n / 640, (100_000, 1_000)), |text| watch(text)),
    ("disks of a watched server", |n| answers::disks(n / 46), |text| watch(text)),
    (
        "statements of a watched server",
        |n| answers::statements(n / 77),
        |text| drop(parse_statements(text).expect("statements")),
    ),
    (
        "processes of a watched server",
        |n| answers::processes(n / 130),
        |text| {
            let texts = ProcessTexts::parse(text).expect("processes").expect("the machine's time");
            ProcessAccounts::default().add(texts, None, &mut Accounts::default());
        },
    ),
    ("remote read, many chunks", |n| letters(fleet::streamed(1, n / 29)), read_streamed),
    ("remote read, many series", |n| letters(fleet::streamed(n / 57, 1)), read_streamed),
    // Equal samples are compressed to a twentieth.
    ("remote read, samples", |n| letters(fleet::samples(1, n)), read_samples),
    ("export, one series", |n| fleet::export(1, n / 16), read_export),
    ("export, many series", |n| fleet::export(n / 60, 1), read_export),
    ("instant query, one series", |n| fleet::matrix(1, n / 16), read_matrix),
    ("instant query, many series", |n| fleet::matrix(n / 50, 1), read_matrix),
    (
        "label sets",
        |n| fleet::label_sets(n / 36),
        |text| {
            ebs_prometheus::read_label_sets(&mut text.as_bytes(), &Limits::default()).expect("label sets");
        },
    ),
    ("selectors", |n| r#"a!="b","#.repeat(n / 16 / 7), read_selector),
    ("connection strings", |n| "user=a ".repeat(n / 16 / 7), read_conninfo),
    ("connection URIs", |n| "postgresql:///?".to_owned() + &"user=%41&".repeat(n / 17 / 9), read_conninfo),
    (
        "service files",
        |n| "[a]\nhost=a\n".repeat(n / 12) + "[s]\nhost=h\n",
        |text| drop(resolve(Some("service=s"), &Texts(Some(text))).expect("connection parameters")),
    ),
    ("password files", |n| "h:5432:dba:\\a\n".repeat(n / 14), read_passwords),
    ("rows of a fleet", |n| fleet::rows(n / 480), read_rows),
    ("plans, many nodes", |n| answers::plan(n / 260, 4), read_plan),
    ("plans, many columns", |n| answers::plan(20, n / 740), read_plan),
    ("plans, nested nodes", |n| answers::nested_plan(n / 130), read_plan),
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
    for kind in with_hook() {
        let (once, twice) = ((kind.make)(2 << 20), (kind.make)(4 << 20));
        let (few, many) = (count_calls(&kind, &once), count_calls(&kind, &twice));
        let (name, bytes) = (&kind.name, once.len());
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
    for kind in with_hook().chain(without_hook()) {
        let (small, large) = ((kind.make)(256 << 10), (kind.make)(1 << 20));
        let growth = large.len() as f64 / small.len() as f64;
        let ratio = stack::small(|| cost(&kind, &large) as f64 / cost(&kind, &small) as f64);
        assert!(ratio <= 2.25 * growth, "{}: {ratio:.1} times the work for {growth:.1} times the input", kind.name);
    }
}
