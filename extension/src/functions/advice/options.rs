//! ebs_options_detail: ranked volumes, and near-misses below them; ebs_options: the columns of an order alone.

use ebs_advice::{Candidate, Excess, Insufficient, insufficient};
use ebs_report::Report;
use ebs_report::reasons::{candidate, evidence, prices};
use pgrx::AnyNumeric;
use pgrx::iter::TableIterator;

use super::answer::answers;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::to_numeric;

sql_row! {
    #[derive(Default)]
    rounded struct OptionRow {
        rank: Option<i32>,
        role: Option<String>,
        volume_type: Option<&'static str>,
        volumes: Option<i32>,
        size_gib: Option<i64>,
        iops: Option<i64>,
        throughput_mibps: Option<i64>,
        usd_month: Option<AnyNumeric>,
        usd_month_saved: Option<AnyNumeric>,
        throttled_pct: Option<f64>,
        read_ms: Option<f64>,
        write_ms: Option<f64>,
        throughput_ratio: Option<f64>,
        throughput_ratio_low: Option<f64>,
        throughput_ratio_high: Option<f64>,
        risk: Option<&'static str>,
        bound_by: Option<&'static str>,
        feasible: bool,
        reason: String,
        usd_storage: Option<AnyNumeric>,
        usd_iops: Option<AnyNumeric>,
        usd_throughput: Option<AnyNumeric>,
        price_doubt: Option<String>,
        throttled_pct_high: Option<f64>,
        added_ms_p99: Option<f64>,
        credits_last_s: Option<f64>,
        missed_by_pct: Option<f64>,
    }
}

impl OptionRow {
    fn new(rank: i32, role: &str, candidate: &Candidate) -> OptionRow {
        let config = &candidate.config;
        // A volume that cannot be ordered by itself has no IOPS or throughput to order.
        let orderable = |count: u64| i64::try_from(count).ok().filter(|_| config.class().is_some());
        let (bill, outcome, ratio) = (candidate.bill, candidate.outcome, candidate.ratio());
        OptionRow {
            rank: Some(rank),
            role: Some(role.to_owned()),
            volume_type: Some(config.volume_type.name()),
            volumes: i32::try_from(candidate.volumes).ok(),
            size_gib: i64::try_from(config.size_gib).ok(),
            iops: orderable(config.iops),
            throughput_mibps: orderable(config.throughput_mibps),
            usd_month: bill.map(|bill| to_numeric(bill.total())),
            usd_month_saved: candidate.saving.map(to_numeric),
            throttled_pct: outcome.map(|outcome| outcome.throttled_pct()),
            read_ms: candidate.read_ms(),
            write_ms: candidate.write_ms(),
            throughput_ratio: ratio.map(|ratio| ratio.middle),
            throughput_ratio_low: ratio.map(|ratio| ratio.low),
            throughput_ratio_high: ratio.map(|ratio| ratio.high),
            risk: candidate.risk.map(|risk| risk.name()),
            bound_by: Some(candidate.bound_by().name()),
            feasible: candidate.feasible,
            reason: candidate::describe_reason(candidate),
            usd_storage: bill.map(|bill| to_numeric(bill.storage)),
            usd_iops: bill.map(|bill| to_numeric(bill.iops)),
            usd_throughput: bill.map(|bill| to_numeric(bill.throughput)),
            price_doubt: prices::describe(&candidate.price_uncertainties),
            throttled_pct_high: outcome.map(|outcome| outcome.throttled_high_pct),
            added_ms_p99: outcome.and_then(|outcome| outcome.added).map(|added| added.p99_ms),
            credits_last_s: outcome.and_then(|outcome| outcome.credits).map(|exhausted| exhausted.after_s),
            missed_by_pct: candidate.excess.as_ref().and_then(Excess::by_pct),
        }
    }

    /// The one row of an answer without enough evidence.
    fn without_evidence(missing: &Insufficient) -> OptionRow {
        OptionRow { reason: evidence::describe_reason_with_heading(missing), ..OptionRow::default() }
    }
}

sql_row! {
    struct OrderRow {
        rank: Option<i32>,
        role: Option<String>,
        volume_type: Option<&'static str>,
        volumes: Option<i32>,
        size_gib: Option<i64>,
        iops: Option<i64>,
        throughput_mibps: Option<i64>,
        usd_month: Option<AnyNumeric>,
        feasible: bool,
    }
}

impl From<OptionRow> for OrderRow {
    fn from(row: OptionRow) -> OrderRow {
        OrderRow {
            rank: row.rank,
            role: row.role,
            volume_type: row.volume_type,
            volumes: row.volumes,
            size_gib: row.size_gib,
            iops: row.iops,
            throughput_mibps: row.throughput_mibps,
            usd_month: row.usd_month,
            feasible: row.feasible,
        }
    }
}

answers!(ebs_options, TableIterator<'static, Columns<OrderRow>>, render_orders);
answers!(ebs_options_detail, TableIterator<'static, Columns<OptionRow>>, render_options);

/// The rows of an order, fit for 120 columns of psql.
fn render_orders(report: &Report) -> TableIterator<'static, Columns<OrderRow>> {
    table(collect_options(report).into_iter().map(OrderRow::from))
}

fn render_options(report: &Report) -> TableIterator<'static, Columns<OptionRow>> {
    table(collect_options(report))
}

/// Every role's candidates, then those of everything on one volume, and last those with WAL apart.
fn collect_options(report: &Report) -> Vec<OptionRow> {
    let Some(advice) = &report.advice else {
        let missing = insufficient(report.window, &report.coverage);
        return missing.iter().map(OptionRow::without_evidence).collect();
    };
    let roles = advice.roles.iter().chain(&advice.consolidated);
    let ranked = roles.flat_map(|role| {
        (1..).zip(&role.candidates).map(|(rank, candidate)| OptionRow::new(rank, &role.state.group.role, candidate))
    });
    let log_volume = advice.log_volume.iter().map(|volume| OptionRow::new(1, "dedicated log volume", volume));
    let separate = advice
        .separate_wal
        .iter()
        .flat_map(|separate| [("data without WAL", &separate.data), ("separate WAL", &separate.wal)]);
    // Without a rank: a query for rank 1 has what is recommended alone.
    let separate = separate.map(|(role, volumes)| OptionRow { rank: None, ..OptionRow::new(0, role, volumes) });
    let smaller = advice.roles.iter().filter_map(|role| role.smaller_storage.as_ref()?.as_ref().ok());
    let smaller =
        smaller.map(|one| OptionRow { rank: None, ..OptionRow::new(0, "smaller by Blue/Green", &one.storage) });
    ranked.chain(log_volume).chain(separate).chain(smaller).collect()
}
