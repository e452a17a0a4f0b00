//! ebs_options_detail: ranked volumes, and near-misses below them; ebs_options: the columns of an order alone.

use ebs_advice::{Candidate, Excess, Insufficient, PricedVolumes, insufficient};
use ebs_prediction::BindingLimit;
use ebs_report::Report;
use ebs_report::reasons::idle::IdleAnswer;
use ebs_report::reasons::{candidate, evidence, prices};
use pgrx::iter::TableIterator;
use pgrx::{AnyNumeric, pg_extern};

use super::answer::answer;
use crate::errors::SqlResult;
use crate::ffi::CalledFunction;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::to_numeric;

sql_row! {
    #[derive(Default)]
    rounded struct OptionRow(rank: i32, role: &str, candidate: &Candidate)
    where {
        let config = &candidate.config;
        // A volume that cannot be ordered by itself has no IOPS or throughput to order.
        let orderable = |count: u64| i64::try_from(count).ok().filter(|_| config.class().is_some());
        let (bill, outcome, ratio) = (candidate.bill, candidate.outcome, candidate.ratio());
    } {
        rank: Option<i32> = Some(rank),
        role: Option<String> = Some(role.to_owned()),
        volume_type: Option<&'static str> = Some(config.volume_type.name()),
        volumes: Option<i32> = i32::try_from(candidate.volumes).ok(),
        size_gib: Option<i64> = i64::try_from(config.size_gib).ok(),
        iops: Option<i64> = orderable(config.iops),
        throughput_mibps: Option<i64> = orderable(config.throughput_mibps),
        usd_month: Option<AnyNumeric> = bill.map(|bill| to_numeric(bill.total())),
        usd_month_saved: Option<AnyNumeric> = candidate.saving.map(to_numeric),
        throttled_pct: Option<f64> = outcome.map(|outcome| outcome.throttled_pct()),
        read_ms: Option<f64> = candidate.read_ms(),
        write_ms: Option<f64> = candidate.write_ms(),
        throughput_ratio: Option<f64> = ratio.map(|ratio| ratio.middle),
        throughput_ratio_low: Option<f64> = ratio.map(|ratio| ratio.low),
        throughput_ratio_high: Option<f64> = ratio.map(|ratio| ratio.high),
        risk: Option<&'static str> = candidate.risk.map(|risk| risk.name()),
        bound_by: Option<&'static str> = Some(candidate.bound_by().name()),
        feasible: bool = candidate.feasible,
        reason: String = candidate::describe_reason(candidate),
        usd_storage: Option<AnyNumeric> = bill.map(|bill| to_numeric(bill.storage)),
        usd_iops: Option<AnyNumeric> = bill.map(|bill| to_numeric(bill.iops)),
        usd_throughput: Option<AnyNumeric> = bill.map(|bill| to_numeric(bill.throughput)),
        price_doubt: Option<String> = prices::describe(&candidate.price_uncertainties),
        throttled_pct_high: Option<f64> = outcome.map(|outcome| outcome.throttled_high_pct),
        added_ms_p99: Option<f64> = outcome.and_then(|outcome| outcome.added).map(|added| added.p99_ms),
        credits_last_s: Option<f64> = outcome.and_then(|outcome| outcome.credits).map(|exhausted| exhausted.after_s),
        missed_by_pct: Option<f64> = candidate.excess.as_ref().and_then(Excess::by_pct),
    }
}

impl OptionRow {
    /// The one row of an idle volume: what it should be, by the price that its type includes.
    fn of_idle(idle: IdleAnswer) -> OptionRow {
        let PricedVolumes { config, volumes, usd_month } = idle.volumes;
        let whole = |count: u64| i64::try_from(count).ok();
        OptionRow {
            rank: Some(1),
            role: Some(idle.role),
            volume_type: Some(config.volume_type.name()),
            volumes: i32::try_from(volumes).ok(),
            size_gib: whole(config.size_gib),
            iops: whole(config.iops),
            throughput_mibps: whole(config.throughput_mibps),
            usd_month: usd_month.map(to_numeric),
            usd_month_saved: idle.saved.map(to_numeric),
            bound_by: Some(BindingLimit::None.name()),
            feasible: true,
            reason: idle.reason,
            usd_storage: idle.bill.map(|bill| to_numeric(bill.storage)),
            usd_iops: idle.bill.map(|bill| to_numeric(bill.iops)),
            usd_throughput: idle.bill.map(|bill| to_numeric(bill.throughput)),
            price_doubt: prices::describe(&idle.price_uncertainties),
            ..OptionRow::default()
        }
    }

    /// The one row of an answer without enough evidence.
    fn without_evidence(missing: &Insufficient) -> OptionRow {
        OptionRow { reason: evidence::describe_reason_with_heading(missing), ..OptionRow::default() }
    }
}

sql_row! {
    struct OrderRow(row: OptionRow) {
        rank: Option<i32> = row.rank,
        role: Option<String> = row.role,
        volume_type: Option<&'static str> = row.volume_type,
        volumes: Option<i32> = row.volumes,
        size_gib: Option<i64> = row.size_gib,
        iops: Option<i64> = row.iops,
        throughput_mibps: Option<i64> = row.throughput_mibps,
        usd_month: Option<AnyNumeric> = row.usd_month,
        feasible: bool = row.feasible,
    }
}

/// The rows of an order, fit for 120 columns of psql.
#[pg_extern(sql = false)]
fn ebs_options(call: CalledFunction) -> SqlResult<TableIterator<'static, Columns<OrderRow>>> {
    Ok(answer(&call, |report, _| Ok(table(collect_options(report).into_iter().map(OrderRow::new))))?)
}

#[pg_extern(sql = false)]
fn ebs_options_detail(call: CalledFunction) -> SqlResult<TableIterator<'static, Columns<OptionRow>>> {
    Ok(answer(&call, |report, _| Ok(table(collect_options(report))))?)
}

/// Every role's candidates, then those of everything on one volume, and last those with WAL apart.
fn collect_options(report: &Report) -> Vec<OptionRow> {
    if let Some(idle) = IdleAnswer::from_report(report) {
        return vec![OptionRow::of_idle(idle)];
    }
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
