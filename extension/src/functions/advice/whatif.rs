//! ebs_whatif: what a run would do on volumes that somebody names.

use ebs_advice::advice::{Answer, Asked, Question, Settings, whatif};
use ebs_base::names;
use ebs_base::range::Range;
use ebs_prediction::predict::Prediction;
use pgrx::AnyNumeric;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::answer::seen;
use super::price::numeric;
use crate::errors::{Error, SqlResult};
use crate::functions::subject::subject;
use crate::storage;

type Row = (
    name!(role, Option<String>),
    name!(volume_type, Option<&'static str>),
    name!(volumes, Option<i32>),
    name!(size_gib, Option<i64>),
    name!(iops, Option<i64>),
    name!(throughput_mibps, Option<i64>),
    name!(throughput_ratio, Option<f64>),
    name!(throughput_ratio_low, Option<f64>),
    name!(throughput_ratio_high, Option<f64>),
    name!(tps, Option<f64>),
    name!(tps_low, Option<f64>),
    name!(tps_high, Option<f64>),
    name!(response_ms, Option<f64>),
    name!(response_ms_low, Option<f64>),
    name!(response_ms_high, Option<f64>),
    name!(read_ms, Option<f64>),
    name!(read_ms_low, Option<f64>),
    name!(read_ms_high, Option<f64>),
    name!(write_ms, Option<f64>),
    name!(write_ms_low, Option<f64>),
    name!(write_ms_high, Option<f64>),
    name!(active_sessions, Option<f64>),
    name!(in_flight, Option<f64>),
    name!(device_iops, Option<f64>),
    name!(device_mibps, Option<f64>),
    name!(cpu_pct, Option<f64>),
    name!(bound_by, Option<&'static str>),
    name!(throttled_pct, Option<f64>),
    name!(added_ms_p99, Option<f64>),
    name!(usd_month, Option<AnyNumeric>),
    name!(basis, Option<String>),
    name!(note, Option<String>),
);

#[allow(clippy::too_many_arguments, reason = "the contract's arguments")]
#[pg_extern(sql = false)]
fn ebs_whatif(
    run: Option<&str>,
    volume_type: Option<&str>,
    iops: Option<i64>,
    throughput_mibps: Option<i64>,
    size_gib: Option<i64>,
    volumes: Option<i32>,
    platform: Option<&str>,
    region: Option<&str>,
    instance: Option<&str>,
    clients: Option<f64>,
    read_ms: Option<f64>,
    write_ms: Option<f64>,
    lookback: Option<Interval>,
) -> SqlResult<TableIterator<'static, Row>> {
    let default = Settings::default();
    let asked = Asked {
        volume_type: names::owned(volume_type.unwrap_or("gp3")),
        iops,
        throughput_mibps,
        size_gib,
        volumes: volumes.unwrap_or(1),
        platform: names::owned(platform.unwrap_or(&default.platform)),
        region: names::owned(region.unwrap_or(&default.region)),
        instance: instance.map(names::owned),
        clients,
        read_ms,
        write_ms,
    };
    // Arguments are checked before evidence is read: a mistyped one should not cost a look-back's time.
    let question = asked.check(storage::prices_of_region(&asked.region)?).map_err(Error::from)?;
    let subject = subject(run, lookback)?;
    let question = Question { instance: question.instance.or_else(|| seen(&subject)), ..question };
    let answers = whatif(&subject.window, &question, &subject.declared).map_err(Error::from)?;
    let rows = answers.iter().map(|answer| row(&question, answer)).collect::<Vec<_>>();
    Ok(TableIterator::new(rows))
}

fn row(question: &Question, answer: &Answer) -> Row {
    let signed = |count: u64| i64::try_from(count).ok();
    let (config, found) = (answer.config, answer.prediction);
    let counted = found.filter(|_| answer.counted);
    let low = |of: Option<Range>| of.map(|range| range.low);
    let middle = |of: Option<Range>| of.map(|range| range.middle);
    let high = |of: Option<Range>| of.map(|range| range.high);
    let ratio = found.map(|found| found.ratio);
    let tps = counted.map(|found| found.tps);
    let response = counted.map(|found| found.response_ms);
    let (read, write) = (found.map(|found| found.read_ms), found.map(|found| found.write_ms));
    (
        answer.role.clone(),
        Some(question.volume_type.name()),
        i32::try_from(answer.volumes).ok(),
        config.and_then(|config| signed(config.size_gib)),
        config.and_then(|config| signed(config.iops)),
        config.and_then(|config| signed(config.throughput_mibps)),
        middle(ratio),
        low(ratio),
        high(ratio),
        middle(tps),
        low(tps),
        high(tps),
        middle(response),
        low(response),
        high(response),
        middle(read),
        low(read),
        high(read),
        middle(write),
        low(write),
        high(write),
        found.map(|found| found.active_sessions),
        found.map(|found| found.in_flight),
        found.map(|found| found.iops),
        found.map(|found| found.mibps),
        found.and_then(busy_pct),
        found.map(|found| found.regime.name()),
        answer.throttled_pct,
        answer.added.map(|added| added.p99_ms),
        answer.usd_month.map(numeric),
        answer.basis.clone(),
        (!answer.notes.is_empty()).then(|| answer.notes.join("; ")),
    )
}

fn busy_pct(found: Prediction) -> Option<f64> {
    Some(100.0 * found.utilization?)
}
