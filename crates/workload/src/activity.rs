//! Work of the database: transactions, states of its sessions, CPU time, WAL.

use crate::waits::{Kind, Station};
use ebs_base::counter::Counters;
use ebs_base::format;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{IoCounts, Totals, WaitKey, WaitTotals, Window};

/// One figure of what the database did.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its name, as shown.
    pub metric: &'static str,
    /// Over the whole window; `None` where it is not known.
    pub value: Option<f64>,
    /// Its unit.
    pub unit: &'static str,
    /// Explanation of the figure.
    pub detail: String,
}

/// Computes the figures of the work done over `window`; empty where none of them is known.
pub fn workload(window: &Window) -> Vec<Figure> {
    let totals = &window.totals;
    let sampled_us = window.pause.each(&window.intervals).map(|interval| interval.dt_us).fold(0, u64::saturating_add);
    let of = |known_us| CountedTime { known_us, sampled_us };
    let mut figures = transactions(totals, &of(totals.transactions.known_us));
    figures.extend(sessions(&totals.waits, &of(totals.waits.swept_us)));
    figures.extend(processor(totals, &of(totals.processor.known_us)));
    figures.extend(wal(totals, &of(totals.wal.known_us), &of(totals.wal_writes.known_us)));
    figures.extend(flushes(totals, &of(totals.io.known_us)));
    if figures.iter().all(|figure| figure.value.is_none()) { Vec::new() } else { figures }
}

/// Time in which something was counted.
struct CountedTime {
    known_us: u64,
    sampled_us: u64,
}

/// Minimum share of the time for which a figure is known without a note. Less is missing where the slow probes are only
/// read a few milliseconds after a block's last sample.
const PART: f64 = 0.95;

impl CountedTime {
    /// So much of it a second.
    fn rate(&self, metric: &'static str, unit: &'static str, count: u64, detail: &str) -> Figure {
        let value = (self.known_us > 0).then(|| count as f64 * SECOND_US as f64 / self.known_us as f64);
        self.figure(metric, unit, value, detail)
    }

    /// So many at a time, on average, of these microseconds that they were there.
    fn average(&self, metric: &'static str, unit: &'static str, us: u64, detail: &str) -> Figure {
        let value = (self.known_us > 0).then(|| us as f64 / self.known_us as f64);
        self.figure(metric, unit, value, detail)
    }

    fn figure(&self, metric: &'static str, unit: &'static str, value: Option<f64>, detail: &str) -> Figure {
        let part = self.known_us as f64 / self.sampled_us.max(1) as f64;
        let detail = match value {
            None => format!("not known: {detail}"),
            Some(_) if part < PART => format!("{detail}; known for {} of the time", format::share(part)),
            Some(_) => detail.to_owned(),
        };
        Figure { metric, value, unit, detail }
    }
}

fn transactions(totals: &Totals, counted: &CountedTime) -> Vec<Figure> {
    let counts = totals.transactions.counts;
    let all = counts.commits.saturating_add(counts.rollbacks);
    vec![
        counted.rate("transactions", "1/s", all, "commits and rollbacks of all databases but the sampler's own"),
        counted.rate("commits", "1/s", counts.commits, "those that only read among them"),
        counted.rate("rollbacks", "1/s", counts.rollbacks, "those after an error among them"),
    ]
}

const CLIENT: &str = "client backend";

fn sessions(waits: &WaitTotals, counted: &CountedTime) -> Vec<Figure> {
    let time = |backend_type: &str, of: &dyn Fn(&WaitKey) -> bool| {
        let rows = waits.rows.iter().filter(|(key, _)| key.backend_type == backend_type && of(key));
        rows.fold(0, |sum: u64, (_, us)| sum.saturating_add(*us))
    };
    let active = |key: &WaitKey| Kind::from_key(key) == Kind::Active;
    let at = |station: Station| time(CLIENT, &|key: &WaitKey| active(key) && Station::from_key(key) == station);
    let figure = |metric, us, detail| counted.average(metric, "sessions", us, detail);
    let waiting_for_client = time(CLIENT, &|key| Kind::from_key(key) == Kind::Client);
    vec![
        figure("sessions", time(CLIENT, &|_| true), "client backends that were connected, on average"),
        figure("active sessions", time(CLIENT, &active), "of them, at work or waiting for work to be done"),
        figure("waiting for reads", at(Station::Read), "of the active: until pages have come"),
        figure(
            "waiting for WAL",
            at(Station::Wal),
            "of the active: until WAL is on disk, by their own flush or another's",
        ),
        figure(
            "waiting for locks",
            at(Station::Lock),
            "of the active: locks, LWLocks but WALWrite, buffer pins, spinlocks",
        ),
        figure(
            "on CPU*",
            at(Station::Processor),
            "of the active: on a CPU, waiting for one, or in code that reports no wait",
        ),
        figure("waiting for something else", at(Station::Other), "of the active: see ebs_waits"),
        figure("waiting for the client", waiting_for_client, "of the connected: idle, or idle in a transaction"),
        figure("parallel workers", time("parallel worker", &active), "at work beside their sessions, on average"),
    ]
}

fn processor(totals: &Totals, counted: &CountedTime) -> Vec<Figure> {
    let counts = totals.processor.counts;
    let figure = |metric, us, detail| counted.average(metric, "cores", us, detail);
    let machine = match counts.host_ticked_us {
        0 => "all processes of the machine, the kernel's too",
        _ => {
            "by the kernel's ticks, because processes are hidden or too many: wrong by a factor where what runs is short"
        }
    };
    let cpus = totals.cpus.map(f64::from);
    let not_known = if cpus.is_none() { "not known: " } else { "" };
    vec![
        figure("CPU of clients", counts.client_us, "client backends and parallel workers, as long as they were there"),
        figure(
            "CPU of what ended",
            counts.ended_us,
            "processes of the server that have ended, after they were last looked at: clients for the most part",
        ),
        figure(
            "CPU of the server",
            counts.server_us,
            "all processes of the server: clients, and the sampler, among them",
        ),
        figure("CPU of the machine", counts.host_us, machine),
        Figure {
            metric: "CPUs",
            value: cpus,
            unit: "cores",
            detail: format!(
                "{not_known}online, and not forbidden to the server by its affinity; a cgroup's quota is not regarded"
            ),
        },
    ]
}

fn wal(totals: &Totals, generated: &CountedTime, written: &CountedTime) -> Vec<Figure> {
    let (wal, writes) = (totals.wal.counts, totals.wal_writes.counts.writes);
    vec![
        generated.rate("WAL", "bytes/s", wal.bytes, "generated, full-page images among it"),
        generated.rate(
            "full-page images",
            "1/s",
            wal.full_page_images,
            "pages changed for the first time after a checkpoint",
        ),
        written.rate("WAL writes", "1/s", writes, "calls, by anybody"),
    ]
}

/// Flushes are the fsyncs of WAL: segments that are made (context `init`) are none.
fn flushes(totals: &Totals, counted: &CountedTime) -> Vec<Figure> {
    let rows = || totals.io.rows.iter().filter(|(key, _)| key.object == "wal" && key.context == "normal");
    let all = rows().fold(IoCounts::default(), |sum, (_, counts)| sum.plus(*counts));
    let of_clients = rows().filter(|(key, _)| key.backend_type == CLIENT).map(|(_, counts)| counts.fsyncs).sum();
    // Before PostgreSQL 18 one row has those of all.
    let told_apart = rows().all(|(key, _)| key.backend_type != "any");
    let clients = CountedTime { known_us: if told_apart { counted.known_us } else { 0 }, ..*counted };
    let ms = |us: u64| us as f64 / 1000.0 / all.fsyncs as f64;
    let timed = (totals.io.wal_timed && all.fsyncs > 0).then(|| ms(all.write_us.saturating_add(all.fsync_us)));
    let time = match timed {
        Some(_) => format!("the writes before it among it; the fsync alone {} ms", format::ms(ms(all.fsync_us))),
        None if !totals.io.wal_timed => "track_wal_io_timing was off".to_owned(),
        None => "no flush was counted".to_owned(),
    };
    vec![
        counted.rate(
            "WAL flushes",
            "1/s",
            all.fsyncs,
            "by anybody; 0 where fsync is off or wal_sync_method is open_sync or open_datasync",
        ),
        clients.rate(
            "WAL flushes by clients",
            "1/s",
            of_clients,
            "by sessions themselves, from PostgreSQL 18 on; one flush may serve many",
        ),
        counted.figure("WAL flush time", "ms", timed, &time),
    ]
}

#[cfg(test)]
#[path = "activity_tests.rs"]
mod tests;
