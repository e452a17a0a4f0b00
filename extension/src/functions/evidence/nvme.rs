//! ebs_nvme and ebs_nvme_histogram: EBS's own counters of its volumes.

use ebs_workload::nvme::{Figure, Share, figures, histogram};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_bigint, to_percent};

const MISSING: &str = "page of an EBS volume was read";
const HINT: &str = "ebs-nvme-stats reads them, on EC2; see the check nvme of ebs_status(), and docs/nvme.md.";

sql_row! {
    struct NvmeRow(figure: Figure) {
        volume: String = figure.volume,
        metric: &'static str = figure.metric,
        unit: &'static str = figure.unit,
        value: Option<f64> = figure.value,
    }
}

#[pg_extern(sql = false)]
fn ebs_nvme(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Columns<NvmeRow>>> {
    let selection = select_run(run, lookback)?;
    let figures = figures(&selection.window);
    selection.hint_if_empty(figures.is_empty(), MISSING, HINT);
    Ok(table(figures.into_iter().map(NvmeRow::new)))
}

sql_row! {
    struct BinRow(share: Share) {
        volume: String = share.volume,
        operation: &'static str = share.operation,
        lower_us: i64 = to_bigint(share.bin.lower_us),
        upper_us: Option<i64> = share.bin.upper_us.map(to_bigint),
        requests: i64 = to_bigint(share.bin.count),
        share_pct: f64 = to_percent(share.share),
    }
}

#[pg_extern(sql = false)]
fn ebs_nvme_histogram(
    run: Option<&str>,
    lookback: Option<Interval>,
) -> SqlResult<TableIterator<'static, Columns<BinRow>>> {
    let selection = select_run(run, lookback)?;
    selection.hint_if_empty(selection.window.totals.ebs.is_empty(), MISSING, HINT);
    Ok(table(histogram(&selection.window).into_iter().map(BinRow::new)))
}
