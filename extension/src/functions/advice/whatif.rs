//! ebs_whatif: prediction of a run on given volumes.

use ebs_advice::{WalArguments, WhatIfAnswer, WhatIfArguments, WhatIfRequest, whatif};
use ebs_base::names;
use ebs_base::range::Range;
use ebs_prediction::BindingLimit;
use ebs_report::reasons;
use pgrx::AnyNumeric;

use pgrx::prelude::*;

use super::request::{RequestArguments, resolve_request};
use crate::errors::{Error, SqlResult};
use crate::ffi::CalledFunction;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_numeric, to_percent};

sql_row! {
    rounded struct WhatIfRow(what_if: &WhatIfRequest, answer: &WhatIfAnswer)
    where {
        let (config, prediction) = (answer.config, answer.prediction);
        let low = |range: Option<Range>| range.map(|range| range.low);
        let middle = |range: Option<Range>| range.map(|range| range.middle);
        let high = |range: Option<Range>| range.map(|range| range.high);
        let ratio = prediction.map(|prediction| prediction.ratio);
        // Without waits, what the sessions do beside waiting for the volume is not known.
        let with_waits = prediction.filter(|prediction| !prediction.without_waits);
        let response = with_waits.filter(|_| answer.run_tps.is_some()).map(|counted| counted.response_ms);
        let tps = answer.tps();
        let read = prediction.filter(|_| !answer.is_wal_alone).map(|prediction| prediction.read_ms);
        let write = prediction.map(|prediction| prediction.write_ms);
    } {
        role: Option<String> = answer.role.clone(),
        volume_type: Option<&'static str> =
            Some(config.map_or(what_if.volume.volume_type, |config| config.volume_type).name()),
        volumes: Option<i32> = i32::try_from(answer.volumes).ok(),
        size_gib: Option<i64> = config.and_then(|config| i64::try_from(config.size_gib).ok()),
        iops: Option<i64> = config.and_then(|config| i64::try_from(config.iops).ok()),
        throughput_mibps: Option<i64> = config.and_then(|config| i64::try_from(config.throughput_mibps).ok()),
        throughput_ratio: Option<f64> = middle(ratio),
        throughput_ratio_low: Option<f64> = low(ratio),
        throughput_ratio_high: Option<f64> = high(ratio),
        tps: Option<f64> = middle(tps),
        tps_low: Option<f64> = low(tps),
        tps_high: Option<f64> = high(tps),
        response_ms: Option<f64> = middle(response),
        response_ms_low: Option<f64> = low(response),
        response_ms_high: Option<f64> = high(response),
        read_ms: Option<f64> = middle(read),
        read_ms_low: Option<f64> = low(read),
        read_ms_high: Option<f64> = high(read),
        write_ms: Option<f64> = middle(write),
        write_ms_low: Option<f64> = low(write),
        write_ms_high: Option<f64> = high(write),
        active_sessions: Option<f64> = with_waits.map(|prediction| prediction.active_sessions),
        in_flight: Option<f64> = prediction.map(|prediction| prediction.in_flight),
        device_iops: Option<f64> = prediction.map(|prediction| prediction.iops),
        // Requests without bytes are requests of an unknown size.
        device_mibps: Option<f64> = prediction
            .filter(|prediction| prediction.mibps > 0.0 || prediction.iops <= 0.0)
            .map(|prediction| prediction.mibps),
        cpu_pct: Option<f64> = prediction.and_then(|prediction| prediction.utilization).map(to_percent),
        bound_by: Option<&'static str> =
            prediction.and_then(|prediction| prediction.known_bound()).map(BindingLimit::name),
        throttled_pct: Option<f64> = answer.throttled_pct,
        added_ms_p99: Option<f64> = answer.added.map(|added| added.p99_ms),
        usd_month: Option<AnyNumeric> = answer.usd_month.map(to_numeric),
        basis: Option<String> = answer.basis.as_ref().map(reasons::whatif::describe_latency_basis),
        note: Option<String> = (!answer.notes.is_empty())
            .then(|| answer.notes.iter().map(reasons::whatif::describe_note).collect::<Vec<_>>().join("; ")),
    }
}

#[pg_extern(sql = false)]
fn ebs_whatif(call: CalledFunction) -> SqlResult<TableIterator<'static, Columns<WhatIfRow>>> {
    let default = WhatIfArguments::default();
    let volumes = WhatIfArguments {
        volume_type: call.text("volume_type").map_or(default.volume_type, names::owned),
        iops: call.integer("iops"),
        throughput_mibps: call.integer("throughput_mibps"),
        size_gib: call.integer("size_gib"),
        volumes: call.integer("volumes").unwrap_or(default.volumes),
        clients: call.number("clients"),
        read_ms: call.number("read_ms"),
        write_ms: call.number("write_ms"),
        wal: WalArguments {
            volume: call.text("wal_volume").map(names::owned),
            iops: call.integer("wal_iops"),
            throughput_mibps: call.integer("wal_throughput_mibps"),
            size_gib: call.integer("wal_size_gib"),
        },
        instance_burst: call.boolean("instance_burst").unwrap_or(default.instance_burst),
    };
    let (arguments, run) = (RequestArguments::from_call(&call), call.text("run"));
    volumes.check(arguments.check(run)?).map_err(Error::from)?;
    let (selection, request) = resolve_request(&arguments, run, call.interval("lookback"))?;
    let what_if = volumes.check(request).map_err(Error::from)?;
    let answers = whatif(&selection.window, &what_if, &selection.configured.declared).map_err(Error::from)?;
    Ok(table(answers.iter().map(|answer| WhatIfRow::new(&what_if, answer)).collect::<Vec<_>>()))
}
