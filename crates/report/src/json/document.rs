//! The answer of `ebs_advise_json`: the report as one document, for programs (`docs/schema/report.json`). Names and units are
//! those of `ebs_options`; unknown values are null.

use ebs_prediction::BindingLimit;
use serde::Serialize;
use serde_json::Value;

use super::candidate::{Candidate, RatioRange};
use super::evidence::{Evidence, IoShares, Source, Wait};
use super::recommendation::Recommendation;
use super::request::{Instance, Request};
use super::role::Role;
use crate::reasons::{confidence, findings, instance_type, limitations, next_steps, variation};
use crate::{Arguments, Report};
use ebs_advice::{self as advice, RoleAdvice};
use ebs_base::units::Usd;

/// Version of the document: grows when a key changes its meaning or is removed, not when a key is added.
const SCHEMA_VERSION: u32 = 1;

/// Renders the report as a JSON document.
pub fn render(report: &Report) -> Value {
    // Serialization fails only on maps whose keys are not text; the document has none.
    serde_json::to_value(Document::new(report)).unwrap_or_default()
}

/// Advice on EBS volumes for the demand of a run or a look-back, as ebs_advise_json gives it. Null: unknown, or not given.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Document<'a> {
    /// Version of this shape: grows when a key changes its meaning or is removed, not when a key is added.
    schema_version: u32,
    /// The run or look-back, in words: `run tpcc-100`.
    subject: &'a str,
    /// The server that was sampled: `PostgreSQL 18.6`.
    server: &'a str,
    /// The arguments, with defaults for those that were not given.
    request: Request<'a>,
    /// The EC2 instance type or RDS instance class whose limits apply; null where none is given, declared or detected.
    instance: Option<Instance<'a>>,
    /// Smallest type of the instance's family that sustains the demand of all volumes, with headroom; null where a larger instance is not
    /// recommended, or the family has none.
    larger_instance: Option<String>,
    /// The samples that the answer rests on.
    evidence: Evidence<'a>,
    /// Rows of pg_stat_io with any counts, most bytes first.
    sources: Vec<Source<'a>>,
    /// PostgreSQL's share of the device's bytes, and others'; null where it is not known.
    io_shares: Option<IoShares>,
    /// Wait events of sessions.
    waits: Vec<Wait<'a>>,
    /// The bottleneck of the database; null where the evidence does not show it.
    bottleneck: Option<Bottleneck>,
    /// Advice for each volume; empty where the evidence is insufficient.
    roles: Vec<Role<'a>>,
    /// The recommendation for an idle volume, of which there is no other advice; null of others, and of less than a day.
    idle: Option<Recommendation>,
    /// Advice for all roles on one volume; null where they are on one, or the evidence is insufficient.
    together: Option<Role<'a>>,
    /// RDS's dedicated log volume, priced in addition to the storage; null on other platforms, and where WAL has no volume of its own.
    dedicated_log_volume: Option<Candidate>,
    /// WAL on a volume of its own; null where it is on one now, or that is not worth it.
    separate_wal: Option<SeparateWal>,
    /// Confidence in the recommendation, with the causes that lower it; null where the evidence is insufficient for advice.
    confidence: Option<Confidence>,
    /// US dollars a month of the volumes that the recommendations of all roles name: those to order, those until the instance is larger, or
    /// the nearest misses; null where one names none, or a price is not known.
    usd_month_apart: Option<f64>,
    /// Causes of I/O to remove before volumes are bought, as ebs_findings has them.
    findings: Vec<Finding>,
    /// Arguments that would change the recommendation, a sentence each.
    what_would_change: Vec<String>,
    /// Limitations of the evidence, a sentence each.
    not_known: Vec<String>,
    /// Statements to type next, with the same arguments.
    next_statements: Vec<String>,
}

impl<'a> Document<'a> {
    fn new(report: &'a Report) -> Document<'a> {
        let advice = report.advice.as_ref();
        let type_name = |instance: &ebs_aws::catalogue::Instance| {
            instance_type::describe_type(&instance.instance_type, report.request.platform)
        };
        let role = |role: &'a RoleAdvice| Role::new(role, report);
        Document {
            schema_version: SCHEMA_VERSION,
            subject: &report.subject,
            server: &report.server,
            request: Request::from(report.request),
            instance: report.request.instance.map(Instance::from),
            larger_instance: advice
                .and_then(|advice| advice.instance_need)
                .and_then(|need| need.sufficient)
                .map(type_name),
            evidence: Evidence::new(report),
            sources: report.sources.rows.iter().map(Source::from).collect(),
            io_shares: report.io_shares().map(IoShares::from),
            waits: report.waits.iter().map(Wait::from).collect(),
            bottleneck: report.bottleneck().map(Bottleneck::from),
            roles: report.roles().map(role).collect(),
            idle: report.idle_decision().map(|decision| Recommendation::idle(&decision, report)),
            together: advice.and_then(|advice| advice.consolidated.as_ref()).map(role),
            dedicated_log_volume: advice.and_then(|advice| advice.log_volume.as_ref()).map(Candidate::from),
            separate_wal: advice.and_then(|advice| advice.separate_wal.as_ref()).map(SeparateWal::from),
            confidence: report.confidence().as_ref().map(Confidence::from),
            usd_month_apart: advice.and_then(|advice| advice.named_usd(report.request)).map(Usd::dollars),
            findings: report.findings.iter().map(|finding| Finding::new(finding, &report.arguments)).collect(),
            what_would_change: variation::describe_all(report),
            not_known: limitations::describe(report),
            next_statements: next_steps::describe_statements(report),
        }
    }
}

/// The data and WAL each on volumes of its own: one prediction of the database, and prices to add up.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SeparateWal {
    /// The data's volumes.
    data: Candidate,
    /// WAL's volume.
    wal: Candidate,
    /// US dollars a month of all of them; null where a price is not known.
    usd_month: Option<f64>,
}

impl From<&advice::SeparateWal> for SeparateWal {
    fn from(separate: &advice::SeparateWal) -> SeparateWal {
        SeparateWal {
            data: Candidate::from(&separate.data),
            wal: Candidate::from(&separate.wal),
            usd_month: separate.usd_month().map(Usd::dollars),
        }
    }
}

/// The bottleneck of the database, all volumes together.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Bottleneck {
    /// `latency`, `volume IOPS`, `volume throughput`, `instance IOPS`, `instance throughput`, `CPU`, `locks`, `clients` or
    /// `other waits`.
    by: &'static str,
    /// Another one that is as likely; null where the first is clear.
    also: Option<&'static str>,
    /// Upper bound of the database's throughput with ideal storage, as a ratio to the current one.
    throughput_ratio_at_most: RatioRange,
    /// Utilization of the CPUs, 0 to 1.
    cpu_utilization: Option<f64>,
    /// Average active sessions.
    sessions_at_work: f64,
}

impl From<&advice::Bottleneck> for Bottleneck {
    fn from(bottleneck: &advice::Bottleneck) -> Bottleneck {
        Bottleneck {
            by: bottleneck.cause.name(),
            also: bottleneck.also.map(BindingLimit::name),
            throughput_ratio_at_most: RatioRange::from(bottleneck.ideal_ratio),
            cpu_utilization: bottleneck.utilization,
            sessions_at_work: bottleneck.active_sessions,
        }
    }
}

/// Confidence in the recommendation.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Confidence {
    /// `low`, `medium` or `high`.
    level: &'static str,
    /// Causes that lower it, major ones first.
    causes: Vec<ConfidenceCause>,
}

/// A cause that lowers the confidence.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ConfidenceCause {
    /// Name of the cause, as `short_evidence`.
    code: &'static str,
    /// The cause in words.
    text: String,
}

impl From<&advice::Confidence> for Confidence {
    fn from(confidence: &advice::Confidence) -> Confidence {
        let cause =
            |cause: &advice::ConfidenceCause| ConfidenceCause { code: cause.code(), text: confidence::describe(cause) };
        Confidence { level: confidence.level().name(), causes: confidence.causes.iter().map(cause).collect() }
    }
}

/// A cause of I/O, as in ebs_findings.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Finding {
    /// `index`, `statement`, `temporary files`, `checkpoints`, `fillfactor` or `autovacuum`.
    finding: &'static str,
    /// The statement, table or setting that it is about.
    subject: String,
    /// The measurement, in words.
    measured: String,
    /// Share of the device's requests, 0 to 1.
    demand_share: Option<f64>,
    /// Lower estimate of the requests a second that the device would be spared.
    requests_s_saved_low: Option<f64>,
    /// Upper estimate of the requests a second that the device would be spared.
    requests_s_saved_high: Option<f64>,
    /// Reduction of the recommended volume's price, US dollars a month.
    usd_month_saved: Option<f64>,
    /// Reason and the assumptions of its estimate, in words.
    reason: String,
    /// The remedy, in words or SQL.
    remedy: String,
}

impl Finding {
    fn new(finding: &ebs_tuning::findings::Finding, arguments: &Arguments) -> Finding {
        Finding {
            finding: finding.kind().name(),
            subject: findings::describe_subject(finding),
            measured: findings::describe_measurement(finding),
            demand_share: finding.share,
            requests_s_saved_low: finding.saving.map(|saving| saving.low),
            requests_s_saved_high: finding.saving.map(|saving| saving.high),
            usd_month_saved: finding.usd_month_saved.map(Usd::dollars),
            reason: findings::describe_reason(finding),
            remedy: findings::describe_remedy(finding, arguments),
        }
    }
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
