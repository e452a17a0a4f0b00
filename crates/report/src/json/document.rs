//! The answer of `ebs_advise_json`: the report as one document, for programs (`docs/schema/report.json`). Names and units are
//! those of `ebs_options`; unknown values are null.

use ebs_base::object;
use ebs_prediction::BindingLimit;
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
    serde_json::to_value(Document::from(report)).unwrap_or_default()
}

object! {
    /// Advice on EBS volumes for the demand of a run or a look-back, as ebs_advise_json gives it. Null: unknown, or not given.
    struct Document<'a>(report: &'a Report<'_>)
    where {
        let advice = report.advice.as_ref();
        let type_name = |instance: &ebs_aws::catalogue::Instance| {
            instance_type::describe_type(&instance.instance_type, report.request.platform)
        };
        let role = |role: &'a RoleAdvice| Role::from((role, report));
    } {
        /// Version of this shape: grows when a key changes its meaning or is removed, not when a key is added.
        schema_version: u32 = SCHEMA_VERSION,
        /// The run or look-back, in words: `run tpcc-100`.
        subject: &'a str = &report.subject,
        /// The server that was sampled: `PostgreSQL 18.6`.
        server: &'a str = &report.server,
        /// The arguments, with defaults for those that were not given.
        request: Request<'a> = Request::from(report.request),
        /// The EC2 instance type or RDS instance class whose limits apply; null where none is given, declared or detected.
        instance: Option<Instance<'a>> = report.request.instance.map(Instance::from),
        /// Smallest type of the instance's family that sustains the demand of all volumes, with headroom; null where a larger instance is not
        /// recommended, or the family has none.
        larger_instance: Option<String> =
            advice.and_then(|advice| advice.instance_need).and_then(|need| need.sufficient).map(type_name),
        /// The samples that the answer rests on.
        evidence: Evidence<'a> = Evidence::from(report),
        /// Rows of pg_stat_io with any counts, most bytes first.
        sources: Vec<Source<'a>> = report.sources.rows.iter().map(Source::from).collect(),
        /// PostgreSQL's share of the device's bytes, and others'; null where it is not known.
        io_shares: Option<IoShares> = report.io_shares().map(IoShares::from),
        /// Wait events of sessions.
        waits: Vec<Wait<'a>> = report.waits.iter().map(Wait::from).collect(),
        /// The bottleneck of the database; null where the evidence does not show it.
        bottleneck: Option<Bottleneck> = report.bottleneck().map(Bottleneck::from),
        /// Advice for each volume; empty where the evidence is insufficient.
        roles: Vec<Role<'a>> = report.roles().map(role).collect(),
        /// The recommendation for an idle volume, of which there is no other advice; null of others, and of less than a day.
        idle: Option<Recommendation> = Recommendation::idle(report),
        /// Advice for all roles on one volume; null where they are on one, or the evidence is insufficient.
        together: Option<Role<'a>> = advice.and_then(|advice| advice.consolidated.as_ref()).map(role),
        /// RDS's dedicated log volume, priced in addition to the storage; null on other platforms, and where WAL has no volume of its own.
        dedicated_log_volume: Option<Candidate> =
            advice.and_then(|advice| advice.log_volume.as_ref()).map(Candidate::from),
        /// WAL on a volume of its own; null where it is on one now, or that is not worth it.
        separate_wal: Option<SeparateWal> =
            advice.and_then(|advice| advice.separate_wal.as_ref()).map(SeparateWal::from),
        /// Confidence in the recommendation, with the causes that lower it; null where the evidence is insufficient for advice.
        confidence: Option<Confidence> = report.confidence().as_ref().map(Confidence::from),
        /// US dollars a month of the volumes that the recommendations of all roles name: those to order, those until the instance is larger, or
        /// the nearest misses; null where one names none, or a price is not known.
        usd_month_apart: Option<f64> = advice.and_then(|advice| advice.named_usd(report.request)).map(Usd::dollars),
        /// Causes of I/O to remove before volumes are bought, as ebs_findings has them.
        findings: Vec<Finding> =
            report.findings.iter().map(|finding| Finding::from((finding, &report.arguments))).collect(),
        /// Arguments that would change the recommendation, a sentence each.
        what_would_change: Vec<String> = variation::describe_all(report),
        /// Limitations of the evidence, a sentence each.
        not_known: Vec<String> = limitations::describe(report),
        /// Statements to type next, with the same arguments.
        next_statements: Vec<String> = next_steps::describe_statements(report),
    }
}

object! {
    /// The data and WAL each on volumes of its own: one prediction of the database, and prices to add up.
    struct SeparateWal(separate: &advice::SeparateWal) {
        /// The data's volumes.
        data: Candidate = Candidate::from(&separate.data),
        /// WAL's volume.
        wal: Candidate = Candidate::from(&separate.wal),
        /// US dollars a month of all of them; null where a price is not known.
        usd_month: Option<f64> = separate.usd_month().map(Usd::dollars),
    }
}

object! {
    /// The bottleneck of the database, all volumes together.
    struct Bottleneck(bottleneck: &advice::Bottleneck) {
        /// `latency`, `volume IOPS`, `volume throughput`, `instance IOPS`, `instance throughput`, `CPU`, `locks`, `clients` or
        /// `other waits`.
        by: &'static str = bottleneck.cause.name(),
        /// Another one that is as likely; null where the first is clear.
        also: Option<&'static str> = bottleneck.also.map(BindingLimit::name),
        /// Upper bound of the database's throughput with ideal storage, as a ratio to the current one.
        throughput_ratio_at_most: RatioRange = RatioRange::from(bottleneck.ideal_ratio),
        /// Utilization of the CPUs, 0 to 1.
        cpu_utilization: Option<f64> = bottleneck.utilization,
        /// Average active sessions.
        sessions_at_work: f64 = bottleneck.active_sessions,
    }
}

object! {
    /// Confidence in the recommendation.
    struct Confidence(confidence: &advice::Confidence) {
        /// `low`, `medium` or `high`.
        level: &'static str = confidence.level().name(),
        /// Causes that lower it, major ones first.
        causes: Vec<ConfidenceCause> = confidence.causes.iter().map(ConfidenceCause::from).collect(),
    }
}

object! {
    /// A cause that lowers the confidence.
    struct ConfidenceCause(cause: &advice::ConfidenceCause) {
        /// Name of the cause, as `short_evidence`.
        code: &'static str = cause.code(),
        /// The cause in words.
        text: String = confidence::describe(cause),
    }
}

object! {
    /// A cause of I/O, as in ebs_findings.
    struct Finding((finding, arguments): (&ebs_tuning::findings::Finding, &Arguments)) {
        /// `index`, `statement`, `temporary files`, `checkpoints`, `fillfactor` or `autovacuum`.
        finding: &'static str = finding.kind().name(),
        /// The statement, table or setting that it is about.
        subject: String = findings::describe_subject(finding),
        /// The measurement, in words.
        measured: String = findings::describe_measurement(finding),
        /// Share of the device's requests, 0 to 1.
        demand_share: Option<f64> = finding.share,
        /// Lower estimate of the requests a second that the device would be spared.
        requests_s_saved_low: Option<f64> = finding.saving.map(|saving| saving.low),
        /// Upper estimate of the requests a second that the device would be spared.
        requests_s_saved_high: Option<f64> = finding.saving.map(|saving| saving.high),
        /// Reduction of the recommended volume's price, US dollars a month.
        usd_month_saved: Option<f64> = finding.usd_month_saved.map(Usd::dollars),
        /// Reason and the assumptions of its estimate, in words.
        reason: String = findings::describe_reason(finding),
        /// The remedy, in words or SQL.
        remedy: String = findings::describe_remedy(finding, arguments),
    }
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
