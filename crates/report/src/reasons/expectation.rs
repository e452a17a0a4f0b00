//! Expected performance of the database on volumes.

use super::candidate::{describe_queued, describe_waits};
use super::prediction::{describe_missing_input, describe_source};
use ebs_advice::{Candidate, RoleAdvice};
use ebs_base::format::{brief_ms, estimate, whole_pct};
use ebs_base::range::{Change, Range};
use ebs_prediction::predict::{MissingInput, Source};
use ebs_workload::io_profile::{Metric, find};

/// Describes throughput with its 90 % interval, and latency: `1,130 TPS (90 %: 850 to 1,350), 47 % of 2,420 measured; read 0.9 ms, write 0.7 ms`.
pub fn describe(role: &RoleAdvice, candidate: &Candidate) -> String {
    let throughput = describe_throughput(role, candidate);
    let waits = candidate.outcome.as_ref().and_then(describe_waits);
    let with_waits = |text: String, separator: &str| match &waits {
        Some(waits) => format!("{text}{separator}{waits}"),
        None => text,
    };
    match describe_latency(role, candidate) {
        None if is_at_instance_limit(role) => {
            with_waits(format!("{}; {throughput}", describe_latency_at_instance(role)), "; ")
        }
        Some(latency) if candidate.prediction.is_some() => {
            format!("{throughput}; {}", with_waits(latency, ", "))
        }
        Some(latency) => {
            let latency = format!("{latency} ({})", describe_service_source(candidate));
            format!("{}; {throughput}", with_waits(latency, ", "))
        }
        None if candidate.queued_latency.is_some() => {
            format!("{}; {throughput}", describe_queued_latency(role, candidate))
        }
        None => with_waits(throughput, "; "),
    }
}

/// Describes throughput with its interval alone, where latencies stand beside it; otherwise as [`describe`] does.
pub fn describe_briefly(role: &RoleAdvice, candidate: &Candidate) -> String {
    if candidate.prediction.is_none() || describe_latency(role, candidate).is_none() {
        return describe(role, candidate);
    }
    let waits = candidate.outcome.as_ref().and_then(describe_waits);
    std::iter::once(describe_throughput(role, candidate)).chain(waits).collect::<Vec<_>>().join("; ")
}

/// Describes the measured performance, where the current volumes stay: `as measured: 2,420 TPS`.
pub fn describe_current(role: &RoleAdvice) -> String {
    let observed = role.state.predictor.as_ref().ok().map(|predictor| predictor.observed);
    match observed.filter(|observed| observed.counted) {
        Some(observed) => format!("as measured: {} TPS", estimate(observed.tps)),
        None => "as measured".to_owned(),
    }
}

/// Describes the direction of a ratio to today: `less than today`; `no clear difference to today` where its interval contains one.
pub fn describe_change(ratio: &Range) -> &'static str {
    match ratio.change() {
        Change::Decrease => "less than today",
        Change::Increase => "more than today",
        Change::Unclear => "no clear difference to today",
    }
}

fn describe_throughput(role: &RoleAdvice, candidate: &Candidate) -> String {
    let (predictor, prediction) = match (&role.state.predictor, &candidate.prediction) {
        (Ok(predictor), Some(prediction)) => (predictor, prediction),
        (Err(missing), _) => {
            let ratio = candidate.ratio_without_waits().map(|ratio| describe_ratio(&ratio, "; without wait events"));
            return ratio.unwrap_or_else(|| describe_unpredicted(candidate, *missing));
        }
        (Ok(_), None) => return "throughput not predicted".to_owned(),
    };
    let observed = &predictor.observed;
    let (tps, ratio) = (prediction.tps, prediction.ratio);
    if observed.counted {
        format!(
            "{} TPS (90 %: {} to {}), {} of {} measured",
            estimate(tps.middle),
            estimate(tps.low),
            estimate(tps.high),
            whole_pct(ratio.middle),
            estimate(observed.tps)
        )
    } else {
        describe_ratio(&ratio, "")
    }
}

/// Describes the reason for which nothing is predicted, after the share of the demand that is delivered where that is less:
/// `about 89 % of the observed IOPS at the observed queue depth; throughput not predicted: …`.
fn describe_unpredicted(candidate: &Candidate, missing: MissingInput) -> String {
    let delivered = candidate.queue_limit.map_or(String::new(), |limit| {
        let condition = if limit.is_closed { "" } else { ", if sessions wait for each answer" };
        let share = whole_pct(limit.delivered_share());
        format!("about {share} of the observed IOPS at the observed queue depth{condition}; ")
    });
    format!("{delivered}throughput not predicted: {}", describe_missing_input(missing))
}

/// Describes a ratio: `60 % of today's throughput (90 %: 35 to 102 %; without wait events)`.
fn describe_ratio(ratio: &Range, evidence: &str) -> String {
    let [middle, low, high] = [ratio.middle, ratio.low, ratio.high].map(whole_pct);
    format!("{middle} of today's throughput (90 %: {low} to {high}{evidence})")
}

/// Describes latency, of the directions that the demand has; `None` where it is not known, or only a queue grows.
fn describe_latency(role: &RoleAdvice, candidate: &Candidate) -> Option<String> {
    let (read_ms, write_ms) = latencies_ms(role, candidate);
    describe_parts(read_ms, write_ms)
}

fn describe_parts(read_ms: Option<f64>, write_ms: Option<f64>) -> Option<String> {
    let part = |name: &str, ms: Option<f64>| ms.map(|ms| format!("{name} {} ms", brief_ms(ms)));
    let parts: Vec<String> = part("read", read_ms).into_iter().chain(part("write", write_ms)).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// True where the run queued at the instance's limit, which binds on any volumes.
fn is_at_instance_limit(role: &RoleAdvice) -> bool {
    role.instance_saturation.is_some_and(|instance| instance.reached.is_some())
}

/// Describes the latency of a queue at the instance's limit: `latency stays at today's while the instance binds (read 12 ms)`.
fn describe_latency_at_instance(role: &RoleAdvice) -> String {
    let mean = |metric| find(&role.state.figures, metric).and_then(|figure| figure.mean);
    let today = describe_parts(mean(Metric::ReadLatency), mean(Metric::WriteLatency));
    let today = today.map_or(String::new(), |latency| format!(" ({latency})"));
    format!("latency stays at today's while the instance binds{today}")
}

/// Describes latency without a queue and that if requests stay in flight: `read 0.9 ms without a queue (published for gp3), 8.7 ms a
/// request if 32 stay in flight, at 3,700 IOPS`.
fn describe_queued_latency(role: &RoleAdvice, candidate: &Candidate) -> String {
    let (read_ms, write_ms) = by_direction(role, candidate.unqueued_read_ms(), candidate.unqueued_write_ms());
    let source = describe_service_source(candidate);
    let unqueued = describe_parts(read_ms, write_ms).map(|latency| format!("{latency} without a queue ({source})"));
    let queued = candidate.queued_latency.as_ref().map(describe_queued);
    unqueued.into_iter().chain(queued).collect::<Vec<_>>().join(", ")
}

/// Describes the source of a latency without a queue, in the words of ebs_whatif: `published for gp3`, `as measured in this run`.
fn describe_service_source(candidate: &Candidate) -> String {
    match candidate.latency_source() {
        None | Some(Source::Published) => format!("published for {}", candidate.config.volume_type.name()),
        Some(source) => describe_source(source).to_owned(),
    }
}

/// Mean latencies of reads and of writes, ms; `None` of a direction without requests, where it is not known, where a queue only
/// grows, and where requests may queue for an unknown demand.
pub fn latencies_ms(role: &RoleAdvice, candidate: &Candidate) -> (Option<f64>, Option<f64>) {
    let known = candidate.prediction.is_some() || candidate.latency_ms.is_some();
    by_direction(role, candidate.read_ms().filter(|_| known), candidate.write_ms().filter(|_| known))
}

/// Latencies of the directions that the demand has.
fn by_direction(role: &RoleAdvice, read_ms: Option<f64>, write_ms: Option<f64>) -> (Option<f64>, Option<f64>) {
    let reads = role.state.group.demand.read_share().unwrap_or(0.5);
    (read_ms.filter(|_| reads > 0.0), write_ms.filter(|_| reads < 1.0))
}
