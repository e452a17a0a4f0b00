//! A row from the answer for a volume: values rounded to what the evidence shows, and sentences.

use ebs_advice::{Action, ActionReason, PricedVolumes, UsedSpace};
use ebs_base::units::{GIB, SECOND_US, Usd};
use ebs_fleet::{Batch, DemandFigures, Reason, Settings, Source, VolumeAnswer, unfetched};
use ebs_fleet_row::{self as row, Coded, Row};
use ebs_imports::configuration::Configuration;
use ebs_report::reasons::instance_type::describe_type;
use ebs_workload::io_profile::{Figure, Metric};
use jiff::Timestamp;

use super::words::{describe_finding, describe_reason, describe_reason_briefly, describe_unknown};

/// Words the answer for a volume as a row.
pub fn row_from_answer(answer: &VolumeAnswer) -> Row {
    let identity = &answer.identity;
    let mut row = Row {
        volume: identity.id.clone(),
        platform: identity.platform.name().to_owned(),
        name: identity.tags.get("Name").cloned(),
        claim: identity.claim.clone(),
        owner: None,
        account: identity.account.clone(),
        region: identity.region.clone(),
        zone: identity.zone.clone(),
        instance: identity.instance.clone(),
        instance_type: identity.instance_type.clone(),
        mountpoint: (!identity.mountpoints.is_empty()).then(|| identity.mountpoints.join(", ")),
        state: identity.state.clone(),
        tags: identity.tags.clone(),
        evidence: evidence(answer),
        demand: answer.demand.as_ref().map(demand),
        present: answer.present.as_ref().map(volumes),
        recommended: answer.recommended.as_ref().map(volumes),
        larger_instance: larger_instance(answer),
        action: action(answer.action),
        usd_month_saved: answer.saved.map(Usd::dollars),
        risk: answer.risk.map(|risk| risk.name().to_owned()),
        confidence: answer.confidence.map(|level| level.name().to_owned()),
        binding_limit: answer.binding.map(|bound| bound.name().to_owned()),
        limit_pct: answer.limit_share.map(|share| rounded(100.0 * share, 2)),
        space: answer.space.as_ref().map(space),
        reason: describe_reason(answer),
        reason_brief: Some(describe_reason_briefly(answer)),
        findings: answer.findings.iter().map(|finding| describe_finding(finding, answer)).collect(),
        unknown: answer.unknown.iter().map(describe_unknown).collect(),
    };
    row.set_owner("owner");
    row
}

/// Returns rows of the selected volumes of a batch whose evaluation failed.
pub fn rows_not_evaluated(batch: &Batch, configuration: &Configuration, settings: &Settings) -> Vec<Row> {
    let text = "its evaluation failed by a defect of ebsctl";
    let reason = || Coded { code: "not_evaluated".to_owned(), text: text.to_owned() };
    let reason_brief = || Some("evaluation failed: a defect of ebsctl".to_owned());
    let row = |answer: &VolumeAnswer| Row { reason: reason(), reason_brief: reason_brief(), ..row_from_answer(answer) };
    unfetched(batch, configuration, settings).iter().map(row).collect()
}

/// The instance type that an instance which binds leads to.
fn larger_instance(answer: &VolumeAnswer) -> Option<String> {
    match &answer.reason {
        Reason::Decided(ActionReason::InstanceBinds { sufficient, .. }) => {
            sufficient.map(|larger| describe_type(&larger.instance_type, answer.identity.platform))
        }
        _ => None,
    }
}

fn action(action: Action) -> row::Action {
    match action {
        Action::Keep => row::Action::Keep,
        Action::Modify => row::Action::Modify,
        Action::LargerInstance => row::Action::LargerInstance,
        Action::Delete => row::Action::Delete,
        Action::NoAnswer => row::Action::NoAnswer,
    }
}

fn evidence(answer: &VolumeAnswer) -> row::Evidence {
    let evidence = &answer.evidence;
    let time = |us: i64| Timestamp::from_second(us.div_euclid(SECOND_US as i64)).ok().map(|time| time.to_string());
    row::Evidence {
        source: evidence.source.map_or("", Source::name).to_owned(),
        from: time(evidence.from_us),
        to: time(evidence.to_us),
        coverage_pct: rounded(100.0 * evidence.coverage, 1),
        interval_s: evidence.interval_s.map(|seconds| rounded(seconds, 1)),
        grade: evidence.grade.name().to_owned(),
        resets: evidence.resets,
        gaps: evidence.gaps,
        busy_pct: evidence.busy.map(|busy| rounded(100.0 * busy.share, 1)),
        busy_iops: evidence.busy.map(|busy| rounded(busy.iops, 1)),
        busy_mibps: evidence.busy.map(|busy| rounded(busy.mibps, 2)),
    }
}

fn demand(demand: &DemandFigures) -> row::Demand {
    let value = |metric, decimals, of: fn(&Figure) -> Option<f64>| Some(rounded(of(demand.find(metric)?)?, decimals));
    let iops = |of| value(Metric::Requests, 1, of);
    let mibps = |of| value(Metric::Throughput, 2, of);
    let mean = |metric, decimals| demand.mean(metric).map(|mean| rounded(mean, decimals));
    row::Demand {
        iops_p50: iops(|figure| figure.p50).unwrap_or_default(),
        iops_p99: iops(|figure| figure.p99).unwrap_or_default(),
        iops_p99_low: iops(|figure| Some(figure.p99_interval?.low)),
        iops_p99_high: iops(|figure| Some(figure.p99_interval?.high)),
        iops_max: iops(|figure| figure.max).unwrap_or_default(),
        mibps_p50: mibps(|figure| figure.p50).unwrap_or_default(),
        mibps_p99: mibps(|figure| figure.p99).unwrap_or_default(),
        mibps_p99_low: mibps(|figure| Some(figure.p99_interval?.low)),
        mibps_p99_high: mibps(|figure| Some(figure.p99_interval?.high)),
        mibps_max: mibps(|figure| figure.max).unwrap_or_default(),
        read_pct: mean(Metric::ReadShare, 1),
        request_kib: mean(Metric::RequestSize, 1),
        read_ms: mean(Metric::ReadLatency, 3),
        write_ms: mean(Metric::WriteLatency, 3),
        queue_depth: mean(Metric::Concurrency, 2),
        iops_over_time: demand.iops_over_time.iter().map(|mean| mean.map(|mean| rounded(mean, 1))).collect(),
    }
}

fn volumes(priced: &PricedVolumes) -> row::Volumes {
    let config = &priced.config;
    row::Volumes {
        volume_type: config.volume_type.name().to_owned(),
        volumes: priced.volumes,
        size_gib: config.size_gib,
        iops: config.iops,
        throughput_mibps: config.throughput_mibps,
        usd_month: priced.usd_month.map(Usd::dollars),
    }
}

fn space(figures: &UsedSpace) -> row::Space {
    let gib = |bytes: f64| rounded(bytes / GIB as f64, 2);
    row::Space {
        used_gib: gib(figures.used),
        size_gib: gib(figures.size),
        growth_gib_day: figures.per_day.map(gib),
        full_in_days: figures.full_in_days.map(|days| rounded(days, 1)),
    }
}

/// A number with so many decimals.
fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    (value * scale).round() / scale
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
