//! ebs_nvme and ebs_nvme_histogram: EBS's own counters of its volumes.

use ebs_workload::nvme::{figures, histogram};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_bigint, to_percent};

const MISSING: &str = "page of an EBS volume was read";
const HINT: &str = "ebs-nvme-stats reads them, on EC2; see the check nvme of ebs_status(), and docs/nvme.md.";

sql_row! {
    struct NvmeRow {
        volume: String,
        metric: &'static str,
        unit: &'static str,
        value: Option<f64>,
    }
}

#[pg_extern(sql = false)]
fn ebs_nvme(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Columns<NvmeRow>>> {
    let selection = select_run(run, lookback)?;
    let figures = figures(&selection.window);
    selection.hint_if_empty(figures.is_empty(), MISSING, HINT);
    Ok(table(figures.into_iter().map(|figure| NvmeRow {
        volume: figure.volume,
        metric: figure.metric,
        unit: figure.unit,
        value: figure.value,
    })))
}

sql_row! {
    struct BinRow {
        volume: String,
        operation: &'static str,
        lower_us: i64,
        upper_us: Option<i64>,
        requests: i64,
        share_pct: f64,
    }
}

#[pg_extern(sql = false)]
fn ebs_nvme_histogram(
    run: Option<&str>,
    lookback: Option<Interval>,
) -> SqlResult<TableIterator<'static, Columns<BinRow>>> {
    let selection = select_run(run, lookback)?;
    selection.hint_if_empty(selection.window.totals.ebs.is_empty(), MISSING, HINT);
    Ok(table(histogram(&selection.window).into_iter().map(|share| BinRow {
        volume: share.volume,
        operation: share.operation,
        lower_us: to_bigint(share.bin.lower_us),
        upper_us: share.bin.upper_us.map(to_bigint),
        requests: to_bigint(share.bin.count),
        share_pct: to_percent(share.share),
    })))
}
