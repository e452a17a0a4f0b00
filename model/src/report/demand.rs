//! What was asked of a volume.

use crate::advice::RoleAdvice;
use crate::format::{count, ms, rate, share, size};
use crate::mix::{Figure, find};
use crate::need::gib;

pub(super) fn lines(role: &RoleAdvice) -> Vec<String> {
    let mut lines = vec![
        format!("What was asked of {} ({})", role.role, device(role)),
        format!("{:<22}{:>9}{:>9}{:>9}{:>9}   p99 between", "", "mean", "p95", "p99", "max"),
    ];
    let reads = role.read_share.map_or(String::new(), |reads| format!("{} reads", share(reads)));
    let request_size = mean(role, "request size").map_or(String::new(), |kib| format!("{} KiB a request", size(kib)));
    lines.extend(row(role, "requests", "requests/s", rate, &reads));
    lines.extend(row(role, "throughput", "MiB/s", size, &request_size));
    let latency = |metric| mean(role, metric).map_or("–".to_owned(), ms);
    let in_flight = mean(role, "concurrency").map_or("–".to_owned(), size);
    lines.push(format!(
        "  read / write ms     {:>9}   in flight {in_flight}",
        format!("{} / {}", latency("read latency"), latency("write latency"))
    ));
    lines
}

fn device(role: &RoleAdvice) -> String {
    match (role.filesystem_bytes, role.used_bytes) {
        (Some(all), Some(used)) => {
            format!("{}, {} of {} GiB in use", role.device, count(gib(used) as f64), count(gib(all) as f64))
        }
        _ => role.device.clone(),
    }
}

fn mean(role: &RoleAdvice, metric: &str) -> Option<f64> {
    find(&role.figures, metric).and_then(|figure| figure.mean)
}

fn row(role: &RoleAdvice, metric: &str, label: &str, text: fn(f64) -> String, aside: &str) -> Option<String> {
    let figure: &Figure = find(&role.figures, metric)?;
    let cell = |value: Option<f64>| value.map_or("–".to_owned(), text);
    let between = figure.p99_interval.map_or(String::new(), |i| format!("{} and {}", text(i.low), text(i.high)));
    let line = format!(
        "  {label:<20}{:>9}{:>9}{:>9}{:>9}   {between:<22} {aside}",
        cell(figure.mean),
        cell(figure.p95),
        cell(figure.p99),
        cell(figure.max)
    );
    Some(line.trim_end().to_owned())
}
