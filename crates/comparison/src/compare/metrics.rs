//! Figures by which runs are compared.

use std::collections::BTreeSet;

use super::note::Note;
use super::{DriverReport, Measurement, Run};
use ebs_base::units::{KIB, MIB, SECOND_US};
use ebs_stats::{Term, figure};
use ebs_workload::demand::DemandInterval;
use ebs_workload::run_timeline::Segment;

type OfRun = Box<dyn Fn(&Run) -> Vec<Term>>;
type OfSegment = Box<dyn Fn(&Segment) -> Option<Term>>;

/// Direction in which a figure improves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// More of it.
    More,
    /// Less of it.
    Less,
    /// Neither: it measures the work, not its quality.
    Neither,
}

/// A figure.
pub struct Metric {
    /// `driver`, `per second` or `per transaction`.
    pub section: &'static str,
    /// Its name, as shown.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Direction in which it improves.
    pub better: Better,
    /// Its noise between runs of the same workload, as a multiple of that of throughput (docs/compare.md).
    pub noise: f64,
    /// Its note.
    pub note: Option<Note>,
    /// The kind of requests that it measures; `None` where it measures none.
    requests: Option<Requests>,
    source: Source,
}

/// Requests of one kind.
#[derive(Clone, Copy)]
enum Requests {
    Reads,
    Writes,
}

impl Requests {
    /// Their share of all requests of a run; `None` where it made none.
    fn share(self, run: &Run) -> Option<f64> {
        let sum = |count: fn(&DemandInterval) -> u64| run.demand.each().map(count).sum::<u64>() as f64;
        let (reads, writes) = (sum(|i| i.counts.reads), sum(|i| i.counts.writes));
        let requests = match self {
            Requests::Reads => reads,
            Requests::Writes => writes,
        };
        (reads + writes > 0.0).then(|| requests / (reads + writes))
    }

    /// Mean size in all of these runs, KiB; `None` where there are none.
    fn mean_kib(self, runs: &[Run]) -> Option<f64> {
        let counted = |i: &DemandInterval| match self {
            Requests::Reads => (i.counts.reads, i.counts.read_bytes),
            Requests::Writes => (i.counts.writes, i.counts.write_bytes),
        };
        let each = runs.iter().flat_map(|run| run.demand.each().map(counted));
        let (requests, size) = each.fold((0.0, 0.0), |sum, (n, bytes)| (sum.0 + n as f64, sum.1 + kib(bytes)));
        (requests > 0.0).then(|| size / requests)
    }
}

/// Share of requests below which a kind is rare: such requests come from other work of the machine. In `make bench
/// BENCH=compare`, where pgbench finds everything in memory, their latency differs by 70 % between runs of the same workload,
/// their number by more.
const MAX_RARE_SHARE: f64 = 0.05;

/// Ratio of mean sizes from which on latencies are not compared: at gp3's 125 MiB/s, 24 KiB instead of 16 add an eighth to 0.5 ms.
const MAX_SIZE_RATIO: f64 = 1.5;

/// Fewest transactions whose counting error, 1/√n, is below the assumed noise between runs, 3.5 %.
const MIN_TRANSACTIONS: f64 = 1_000.0;

/// Source of a figure.
enum Source {
    /// The load driver.
    Driver(fn(&DriverReport) -> Option<f64>),
    /// A series of the run; empty where it is not known.
    Series(OfRun),
}

/// Noise of times of requests and waits, as a multiple of that of throughput.
const NOISE_FACTOR: f64 = 3.0;

impl Metric {
    /// Measures it in a run; `None` where it is not known.
    pub fn measure(&self, run: &Run) -> Option<Measurement> {
        match &self.source {
            Source::Series(terms) => Measurement::from_flushes(&terms(run), &requests(run)),
            // A driver's mean covers the same seconds as the server's count.
            Source::Driver(of) => {
                let counted = Measurement::from_flushes(&transactions(run), &requests(run));
                let within = counted.and_then(|counted| counted.within);
                of(&run.reported).map(|mean| Measurement { mean, within })
            }
        }
    }

    /// True if it is known of a run.
    pub fn is_known(&self, run: &Run) -> bool {
        match &self.source {
            Source::Series(terms) => figure(&terms(run)).is_some(),
            Source::Driver(of) => of(&run.reported).is_some(),
        }
    }

    /// True if the assumed noise includes the spread within a run: drivers report a mean over the whole run, and the assumed noise
    /// is that of such means. So are the server's transactions, unless too few were counted.
    pub fn noise_includes_within(&self, a: &[Run], b: &[Run]) -> bool {
        let counted = |run: &Run| transactions(run).iter().map(|term| term.part).sum::<f64>();
        match self.source {
            Source::Driver(_) => true,
            Source::Series(_) => {
                self.name == TRANSACTIONS && a.iter().chain(b).all(|run| counted(run) >= MIN_TRANSACTIONS)
            }
        }
    }

    /// True if its requests are rare in all of these runs.
    pub fn is_rare(&self, a: &[Run], b: &[Run]) -> bool {
        let rare = |requests: Requests| {
            a.iter().chain(b).all(|run| requests.share(run).is_some_and(|share| share < MAX_RARE_SHARE))
        };
        self.requests.is_some_and(rare)
    }

    /// Mean sizes of its requests on both sides, KiB, if it is their latency, and one is [`MAX_SIZE_RATIO`] times the other or more.
    pub fn different_sizes(&self, a: &[Run], b: &[Run]) -> Option<(f64, f64)> {
        let requests = self.requests.filter(|_| self.better == Better::Less && self.unit == "ms")?;
        let sizes = (requests.mean_kib(a)?, requests.mean_kib(b)?);
        (sizes.0.max(sizes.1) >= MAX_SIZE_RATIO * sizes.0.min(sizes.1)).then_some(sizes)
    }

    fn new(section: &'static str, name: &str, unit: &'static str, better: Better, source: Source) -> Metric {
        Metric { section, name: name.to_owned(), unit, better, noise: 1.0, note: None, requests: None, source }
    }

    fn with_requests(self, requests: Requests) -> Metric {
        Metric { requests: Some(requests), ..self }
    }

    fn noisy(self) -> Metric {
        Metric { noise: NOISE_FACTOR, ..self }
    }
}

const TRANSACTIONS: &str = "transactions";

/// Lists every figure that these runs may have.
pub fn metrics(a: &[Run], b: &[Run]) -> Vec<Metric> {
    let classes: BTreeSet<&String> =
        a.iter().chain(b).flat_map(|run| &run.timeline.segments).flat_map(|segment| segment.at_work.keys()).collect();
    let mut metrics = driver_metrics();
    metrics.extend(metrics_per_second());
    metrics.extend(classes.iter().map(|class| active_sessions(class)));
    let basis = Basis::common(a.iter().chain(b));
    metrics.extend(basis.into_iter().flat_map(|basis| metrics_per_transaction(basis, &classes)));
    metrics
}

/// Finds the primary figure: the first kind of throughput that is known of every run.
pub fn primary(metrics: &[Metric], a: &[Run], b: &[Run]) -> Option<usize> {
    let known = |metric: &Metric| a.iter().chain(b).all(|run| metric.is_known(run));
    let by_name = |name: &str| metrics.iter().position(|metric| metric.name == name && known(metric));
    by_name("NOPM").or_else(|| by_name("tps")).or_else(|| by_name(TRANSACTIONS))
}

fn driver_metrics() -> Vec<Metric> {
    let driver = |name, unit, better, of| Metric::new("driver", name, unit, better, Source::Driver(of));
    vec![
        driver("tps", "1/s", Better::More, |reported| reported.tps),
        driver("latency", "ms", Better::Less, |reported| reported.latency_ms),
        driver("NOPM", "1/min", Better::More, |reported| reported.nopm),
        driver("TPM", "1/min", Better::More, |reported| reported.tpm),
    ]
}

fn metrics_per_second() -> Vec<Metric> {
    let device = |name, unit, better, of: fn(&DemandInterval) -> Term| {
        let terms = move |run: &Run| run.demand.each().map(of).collect();
        Metric::new("per second", name, unit, better, Source::Series(Box::new(terms)))
    };
    let known = |is_known: fn(&Run) -> bool, name, unit, better, of: fn(&DemandInterval) -> Term| {
        let terms = move |run: &Run| if is_known(run) { run.demand.each().map(of).collect() } else { Vec::new() };
        Metric::new("per second", name, unit, better, Source::Series(Box::new(terms)))
    };
    let timed = |name, unit, better, of| known(|run| run.demand.timed, name, unit, better, of);
    let sized = |name, unit, of| known(|run| !run.demand.bytes_unknown, name, unit, Better::Neither, of);
    let segment = |name, unit, of: fn(&Segment) -> Option<Term>| {
        let terms = move |run: &Run| segment_terms(run, of);
        Metric::new("per second", name, unit, Better::Neither, Source::Series(Box::new(terms)))
    };
    vec![
        Metric {
            note: Some(Note::CommitsAndRollbacks),
            ..Metric::new("per second", TRANSACTIONS, "1/s", Better::More, Source::Series(Box::new(transactions)))
        },
        device("requests", "1/s", Better::Neither, |i| rate(i.ssd_requests() as f64, i)),
        device("reads", "1/s", Better::Neither, |i| rate(i.counts.reads as f64, i)).with_requests(Requests::Reads),
        device("writes", "1/s", Better::Neither, |i| rate(i.counts.writes as f64, i)).with_requests(Requests::Writes),
        sized("read throughput", "MiB/s", |i| rate(mib(i.counts.read_bytes), i)).with_requests(Requests::Reads),
        sized("write throughput", "MiB/s", |i| rate(mib(i.counts.write_bytes), i)).with_requests(Requests::Writes),
        sized("request size", "KiB", |i| Term { part: kib(i.bytes()), whole: i.counts.requests() as f64 }),
        timed("read latency", "ms", Better::Less, |i| Term {
            part: i.counts.read_ms as f64,
            whole: i.counts.reads as f64,
        })
        .with_requests(Requests::Reads)
        .noisy(),
        timed("write latency", "ms", Better::Less, |i| Term {
            part: i.counts.write_ms as f64,
            whole: i.counts.writes as f64,
        })
        .with_requests(Requests::Writes)
        .noisy(),
        timed("in flight", "requests", Better::Neither, |i| rate(i.counts.weighted_ms as f64 / 1e3, i)).noisy(),
        segment("WAL", "MiB/s", |segment| known_rate(mib(segment.wal.counts.bytes), segment.wal.known_us)),
        segment("CPU of the server", "cores", |segment| {
            known_rate(seconds(segment.processor.counts.server_us), segment.processor.known_us)
        }),
        segment("CPU of the machine", "cores", |segment| {
            known_rate(seconds(segment.processor.counts.host_us), segment.processor.known_us)
        }),
        segment("sessions at work", "sessions", |segment| {
            known_rate(seconds(segment.at_work.values().sum()), segment.swept_us)
        })
        .noisy(),
    ]
}

/// Average active sessions in a class of wait events.
fn active_sessions(class: &str) -> Metric {
    let of = class.to_owned();
    let terms =
        move |run: &Run| segment_terms(run, |segment| known_rate(seconds(waited_us(segment, &of)), segment.swept_us));
    let source = Source::Series(Box::new(terms));
    Metric::new("per second", &format!("at work: {class}"), "sessions", Better::Neither, source).noisy()
}

fn waited_us(segment: &Segment, class: &str) -> u64 {
    segment.at_work.get(class).copied().unwrap_or(0)
}

/// Source of the number of transactions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Basis {
    /// The server's counters.
    Counted,
    /// The driver's report, because the server's count is not known of every run.
    Driver,
}

impl Basis {
    /// Finds the source that is known of all runs, so that transactions of one kind are compared.
    fn common<'a>(runs: impl Iterator<Item = &'a Run> + Clone) -> Option<Basis> {
        let counted = |run: &Run| figure(&transactions(run)).is_some_and(|rate| rate > 0.0);
        let reported = |run: &Run| run.reported.tps.is_some_and(|tps| tps > 0.0);
        let mut each = runs.clone();
        if each.all(counted) {
            return Some(Basis::Counted);
        }
        let mut each = runs;
        each.all(reported).then_some(Basis::Driver)
    }

    fn note(self) -> Option<Note> {
        (self == Basis::Driver).then_some(Note::DriverTransactions)
    }

    /// Transactions in a segment.
    fn in_segment(self, run: &Run, segment: &Segment) -> Option<f64> {
        match self {
            Basis::Counted => segment.transactions.known().map(|counts| (counts.commits + counts.rollbacks) as f64),
            Basis::Driver => run.reported.tps.map(|tps| tps * seconds(segment.length_us)),
        }
    }
}

fn metrics_per_transaction(basis: Basis, classes: &BTreeSet<&String>) -> Vec<Metric> {
    let named = |name: &str, unit, terms: OfRun| Metric {
        note: basis.note(),
        ..Metric::new("per transaction", name, unit, Better::Less, Source::Series(terms))
    };
    let device = |name, unit, of: fn(&DemandInterval) -> f64| {
        named(name, unit, Box::new(move |run: &Run| on_devices(run, basis, of)))
    };
    let segment = |name: &str, unit, of: OfSegment| {
        let each = move |run: &Run, segment: &Segment| {
            let (rate, transactions) = (of(segment)?, basis.in_segment(run, segment)?);
            (rate.whole > 0.0)
                .then(|| Term { part: rate.part / rate.whole * seconds(segment.length_us), whole: transactions })
        };
        named(name, unit, Box::new(move |run: &Run| segment_terms(run, |segment| each(run, segment))))
    };
    let mut metrics = vec![
        device("reads", "1", |i| i.counts.reads as f64).with_requests(Requests::Reads),
        device("writes", "1", |i| i.counts.writes as f64).with_requests(Requests::Writes),
        device("read", "KiB", |i| kib(i.counts.read_bytes)).with_requests(Requests::Reads),
        device("written", "KiB", |i| kib(i.counts.write_bytes)).with_requests(Requests::Writes),
        segment("WAL", "KiB", Box::new(|segment| known_rate(kib(segment.wal.counts.bytes), segment.wal.known_us))),
        segment(
            "CPU of the server",
            "ms",
            Box::new(|segment| {
                known_rate(1e3 * seconds(segment.processor.counts.server_us), segment.processor.known_us)
            }),
        ),
    ];
    for class in classes {
        let of = (*class).clone();
        let waited = move |segment: &Segment| known_rate(1e3 * seconds(waited_us(segment, &of)), segment.swept_us);
        metrics.push(segment(&format!("at work: {class}"), "ms", Box::new(waited)).noisy());
    }
    metrics
}

/// Demand on the devices and the transactions of each segment; of each interval where transactions are the driver's.
fn on_devices(run: &Run, basis: Basis, of: fn(&DemandInterval) -> f64) -> Vec<Term> {
    if basis == Basis::Driver {
        let tps = run.reported.tps.unwrap_or(0.0);
        return run.demand.each().map(|i| Term { part: of(i), whole: tps * i.seconds }).collect();
    }
    let mut intervals = run.demand.each().peekable();
    let mut terms = Vec::new();
    for segment in &run.timeline.segments {
        let (mut part, mut known_s) = (0.0, 0.0);
        while let Some(interval) =
            intervals.next_if(|interval| interval.ended_us <= segment.ended_us + CLOCK_TOLERANCE_US)
        {
            part += of(interval);
            known_s += interval.seconds;
        }
        let whole = basis.in_segment(run, segment).filter(|_| known_s >= MIN_KNOWN_SHARE * seconds(segment.length_us));
        terms.extend(whole.map(|whole| Term { part, whole }));
    }
    terms
}

/// Largest difference between the two clocks, which are read one after the other.
const CLOCK_TOLERANCE_US: i64 = 5_000;
/// Smallest share of a segment for which its devices are known; other segments are left out.
const MIN_KNOWN_SHARE: f64 = 0.95;

fn transactions(run: &Run) -> Vec<Term> {
    let of = |segment: &Segment| {
        let counts = segment.transactions.known()?;
        known_rate(counts.commits.saturating_add(counts.rollbacks) as f64, segment.transactions.known_us)
    };
    segment_terms(run, of)
}

/// Requests of the devices, each second.
fn requests(run: &Run) -> Vec<Term> {
    run.demand.each().map(|interval| rate(interval.ssd_requests() as f64, interval)).collect()
}

/// Terms of the segments in which they are known.
fn segment_terms(run: &Run, term: impl Fn(&Segment) -> Option<Term>) -> Vec<Term> {
    run.timeline.segments.iter().filter_map(term).collect()
}

/// A sum over the time for which it is known.
fn known_rate(part: f64, known_us: u64) -> Option<Term> {
    (known_us > 0).then(|| Term { part, whole: seconds(known_us) })
}

fn rate(part: f64, interval: &DemandInterval) -> Term {
    Term { part, whole: interval.seconds }
}

fn seconds(us: u64) -> f64 {
    us as f64 / SECOND_US as f64
}

fn kib(bytes: u64) -> f64 {
    bytes as f64 / KIB as f64
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / MIB as f64
}
