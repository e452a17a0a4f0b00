//! Merges the reports of several files of one run.

use ebs_imports::drivers::Report;

/// Adds the figures that `report` lacks; those that both have stay as they are.
pub fn fill_gaps(report: &mut Report, other: Report) {
    let (figures, others) = (&mut report.figures, other.figures);
    figures.tps = figures.tps.or(others.tps);
    figures.latency_ms = figures.latency_ms.or(others.latency_ms);
    figures.latency_stddev_ms = figures.latency_stddev_ms.or(others.latency_stddev_ms);
    figures.latency_max_ms = figures.latency_max_ms.or(others.latency_max_ms);
    figures.nopm = figures.nopm.or(others.nopm);
    figures.tpm = figures.tpm.or(others.tpm);
    figures.clients = figures.clients.or(others.clients);
    figures.seconds = figures.seconds.or(others.seconds);
    figures.transactions = figures.transactions.or(others.transactions);
    figures.failed = figures.failed.or(others.failed);
    fill_if_empty(&mut figures.percentiles, others.percentiles);
    report.job = report.job.take().or(other.job);
    report.version = report.version.take().or(other.version);
    fill_if_empty(&mut report.series, other.series);
    fill_if_empty(&mut report.queries, other.queries);
    fill_if_empty(&mut report.query_sets, other.query_sets);
    fill_if_empty(&mut report.procedures, other.procedures);
    report.failures.extend(other.failures);
}

fn fill_if_empty<T>(list: &mut Vec<T>, other: Vec<T>) {
    if list.is_empty() {
        *list = other;
    }
}
