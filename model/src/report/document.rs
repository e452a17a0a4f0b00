//! The answer of `ebs_advise_json`: the report as one document, for programs. Names and units are those of `ebs_options`;
//! what is not known is null.

use serde_json::{Value, json};

use super::{Report, at_limit, doubts, findings, held, volumes};
use crate::advice::{Advice, Candidate, Present, Procedure, RoleAdvice, Variation, insufficient};
use crate::catalogue::{Ceiling, VolumeConfig};
use crate::format::usd_plain;
use crate::mix::Figure;
use crate::predict::Range;
use crate::price::Bill;
use crate::replay::Outcome;
use crate::units::Usd;

/// Grows when a key changes its meaning or goes; new keys do not change it.
pub const SCHEMA_VERSION: u32 = 1;

/// The whole answer.
pub fn document(report: &Report) -> Value {
    let request = report.request;
    json!({
        "schema_version": SCHEMA_VERSION,
        "subject": report.subject,
        "server": report.server,
        "request": {
            "platform": request.platform.name(),
            "region": request.prices.region,
            "prices_as_of": request.prices.as_of(request.platform),
            "percentile": request.rule.percentile,
            "headroom": request.rule.headroom,
            "max_throttled_pct": request.rule.max_throttled_pct,
            "min_throughput_ratio": request.min_throughput_ratio,
            "latency_target_ms": request.latency_target_ms,
            "durability_pct": request.durability_pct,
            "budget_usd": request.budget_usd.map(dollars),
            "max_volumes": request.max_volumes,
            "min_size_gib": request.min_size_gib,
        },
        "instance": request.instance.map(|instance| json!({
            "instance_type": instance.instance_type,
            "baseline": ceiling(instance.baseline()),
            "maximum_30_min": ceiling(instance.maximum()),
            "as_of": instance.source_snapshot,
        })),
        "evidence": evidence(report),
        "sources": report.sources.rows.iter().map(|row| json!({
            "backend_type": row.key.backend_type, "object": row.key.object, "context": row.key.context,
            "bytes": row.bytes(), "share": row.share,
        })).collect::<Vec<_>>(),
        "waits": report.waits.iter().map(|wait| json!({
            "backend_type": wait.key.backend_type, "wait_class": wait.key.class, "wait_event": wait.key.event,
            "average_active_sessions": wait.average_active_sessions, "db_time_pct": wait.share_of_db_time.map(|share| 100.0 * share),
        })).collect::<Vec<_>>(),
        "held_back": held::as_json(report),
        "roles": report.roles().map(role).collect::<Vec<_>>(),
        "together": report.advice.as_ref().and_then(|advice| advice.together.as_ref()).map(role),
        "dedicated_log_volume": report.advice.as_ref().and_then(|advice| advice.log_volume.as_ref()).map(candidate),
        "usd_month_apart": report.advice.as_ref().and_then(Advice::apart_usd).map(dollars),
        "findings": findings::as_json(report),
        "what_would_change": volumes::changes(report),
        "not_known": doubts::doubts(report),
    })
}

fn evidence(report: &Report) -> Value {
    let (window, coverage) = (report.window, &report.coverage);
    json!({
        "when": report.when,
        "from_epoch_s": window.from_us as f64 / 1e6,
        "to_epoch_s": window.to_us as f64 / 1e6,
        "sampled_s": coverage.sampled_s,
        "window_s": coverage.window_s,
        "interval_s": coverage.interval_s,
        "aged_s": coverage.aged_s,
        "missed_ticks": coverage.missed_ticks,
        "resets": coverage.resets,
        "sampled": window.sampling.tier.name(),
        "insufficient": insufficient(window, coverage),
        "ramp_up_s": report.steadiness.and_then(|steadiness| steadiness.ramp_up.seconds()),
        "checkpoint_cycles": report.steadiness.and_then(|steadiness| steadiness.checkpoint_cycles),
        "steady": report.steadiness.and_then(|steadiness| steadiness.is_steady()),
        "drift_share": report.steadiness.and_then(|steadiness| steadiness.trend).map(|trend| trend.drift),
    })
}

fn role(role: &RoleAdvice) -> Value {
    json!({
        "role": role.role,
        "device": role.device,
        "filesystem_bytes": role.filesystem_bytes,
        "used_bytes": role.used_bytes,
        "read_share": role.read_share,
        "demand": role.figures.iter().map(figure).collect::<Vec<_>>(),
        "at_limit": role.truncated.as_ref().map(at_limit::as_json),
        "need": {
            "iops": role.need.iops,
            "throughput_mibps": role.need.mibps,
            "size_gib": role.need.size_gib,
            "iops_without_instance": role.wanted.iops,
            "throughput_mibps_without_instance": role.wanted.mibps,
        },
        "now": role.present.as_ref().map(present),
        "instance_binds": role.instance_short.as_ref().map(|short| json!({
            "bound_by": short.bound.name(), "replay": outcome(&short.outcome),
            "with_30_min_maximum": short.burst.as_ref().map(outcome),
        })),
        "options": role.candidates.iter().map(candidate).collect::<Vec<_>>(),
        "variations": role.variations.iter().map(variation).collect::<Vec<_>>(),
        "size": {
            "size_gib": role.size.size_gib,
            "used_bytes": role.size.used_bytes,
            "growth_bytes_per_day": role.size.growth.map(|growth| growth.per_day),
            "forecast_high_bytes": role.size.growth.map(|growth| growth.forecast_interval.high),
            "remark": role.size.remark,
        },
        "procedure": role.procedure.as_ref().map(procedure),
        "decision": role.path.iter().map(|step| json!({
            "question": step.question, "answer": step.answer,
        })).collect::<Vec<_>>(),
    })
}

fn figure(figure: &Figure) -> Value {
    json!({
        "metric": figure.metric, "unit": figure.unit, "mean": figure.mean, "p50": figure.p50, "p95": figure.p95,
        "p99": figure.p99, "max": figure.max, "p99_low": figure.p99_interval.map(|interval| interval.low),
        "p99_high": figure.p99_interval.map(|interval| interval.high),
    })
}

fn present(present: &Present) -> Value {
    let volume = |(config, volumes): &(VolumeConfig, u64)| {
        json!({
            "volume_type": config.volume_type.name(), "volumes": volumes, "size_gib": config.size_gib,
            "iops": config.iops, "throughput_mibps": config.throughput_mibps,
        })
    };
    json!({
        "volumes": present.volumes.iter().map(volume).collect::<Vec<_>>(),
        "price": present.bill.as_ref().map(bill),
        "replay": present.outcome.as_ref().map(outcome),
    })
}

fn candidate(candidate: &Candidate) -> Value {
    let config = &candidate.config;
    let sold = config.class().is_some();
    json!({
        "volume_type": config.volume_type.name(),
        "volumes": candidate.volumes,
        "size_gib": config.size_gib,
        "iops": sold.then_some(config.iops),
        "throughput_mibps": sold.then_some(config.throughput_mibps),
        "price": candidate.bill.as_ref().map(bill),
        "price_doubts": candidate.price_doubts,
        "usd_month_saved": candidate.saved.map(dollars),
        "replay": candidate.outcome.as_ref().map(outcome),
        "latency_ms": candidate.latency_ms,
        "throughput_ratio": candidate.ratio().as_ref().map(ratio),
        "risk": candidate.risk.map(|risk| risk.name()),
        "bound_by": candidate.bound.name(),
        "feasible": candidate.feasible,
        "missed_by_pct": candidate.missed.and_then(|missed| missed.by_pct()),
        "reason": candidate.reason,
    })
}

fn variation(variation: &Variation) -> Value {
    json!({
        "argument": variation.argument, "meaning": variation.meaning, "recommended": variation.best.as_ref().map(candidate),
    })
}

fn procedure(procedure: &Procedure) -> Value {
    json!({
        "commands": procedure.commands.iter().map(|command| json!({
            "line": command.line, "times": command.times,
        })).collect::<Vec<_>>(),
        "then": procedure.then,
        "rules": procedure.rules.iter().map(|rule| json!({
            "text": rule.text, "source": rule.source,
        })).collect::<Vec<_>>(),
    })
}

/// A ratio to now with its interval.
pub(super) fn ratio(ratio: &Range) -> Value {
    json!({ "middle": ratio.middle, "low": ratio.low, "high": ratio.high })
}

fn outcome(outcome: &Outcome) -> Value {
    json!({
        "seconds": outcome.seconds,
        "throttled_s": outcome.throttled_s,
        "throttled_pct": outcome.throttled_pct(),
        "throttled_pct_high": outcome.throttled_high_pct,
        "added_ms_mean": outcome.added.map(|added| added.mean_ms),
        "added_ms_p99": outcome.added.map(|added| added.p99_ms),
        "credits_last_s": outcome.credits.map(|exhausted| exhausted.after_s),
        "peak": outcome.peak,
    })
}

fn bill(bill: &Bill) -> Value {
    json!({
        "usd_month": dollars(bill.total()), "usd_storage": dollars(bill.storage), "usd_iops": dollars(bill.iops),
        "usd_throughput": dollars(bill.throughput),
    })
}

fn ceiling(ceiling: Ceiling) -> Value {
    json!({ "iops": ceiling.iops, "throughput_mibps": ceiling.mibps })
}

/// Whole cents as a JSON number.
pub(super) fn dollars(amount: Usd) -> Value {
    serde_json::from_str(&usd_plain(amount)).unwrap_or(Value::Null)
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
