//! Advice for one volume of the cluster, or for all of it on one.

use std::borrow::Cow;

use serde::Serialize;

use super::candidate::{Candidate, Price, RatioRange, Replay};
use crate::reasons::{decision, migration, prediction, required_size, variation};
use ebs_advice::{self as advice, RoleAdvice, Saturation};
use ebs_aws::catalogue::VolumeConfig;
use ebs_base::units::MIB;
use ebs_prediction::predict::LimitKind;
use ebs_prediction::saturation::{LimitOwner, LimitSource};
use ebs_workload::io_profile;

/// Advice for one volume.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Role<'a> {
    /// `data`, `wal`, `data+wal`, `tablespace` and its name, or `temp`.
    role: &'a str,
    /// Current block device.
    device: &'a str,
    /// Size of the file system, bytes.
    filesystem_bytes: Option<u64>,
    /// Bytes of it in use.
    used_bytes: Option<u64>,
    /// Share of reads in all requests, 0 to 1.
    read_share: Option<f64>,
    /// The demand, a metric each, as in ebs_io_mix.
    demand: Vec<Figure>,
    /// The limit that the volume was saturated at: the actual demand is at least the observed one. Null where it was not saturated.
    at_limit: Option<AtLimit>,
    /// Capability that is needed.
    need: Need,
    /// The current volumes, as declared; null where nothing was declared.
    now: Option<Now>,
    /// The instance's limit; null where it does not bind or is not known.
    instance_binds: Option<InstanceBinds>,
    /// Volumes that could be ordered: feasible ones first, cheapest first.
    options: Vec<Candidate>,
    /// Arguments that change the recommendation.
    variations: Vec<Variation>,
    /// Size that is needed, and how the file system grows.
    size: Size,
    /// Change to the recommended volumes; null where nothing is recommended.
    procedure: Option<Procedure<'a>>,
    /// Steps of the decision, in the order in which they narrow the choice.
    decision: Vec<Step>,
}

impl<'a> From<&'a RoleAdvice> for Role<'a> {
    fn from(role: &'a RoleAdvice) -> Role<'a> {
        Role {
            role: &role.state.group.role,
            device: &role.state.group.device,
            filesystem_bytes: role.state.size.filesystem_bytes,
            used_bytes: role.state.size.used_bytes,
            read_share: role.state.group.demand.read_share(),
            demand: role.figures.iter().map(Figure::from).collect(),
            at_limit: role.state.saturation.as_ref().map(AtLimit::from),
            need: Need {
                iops: role.requirement.iops,
                throughput_mibps: role.requirement.mibps,
                size_gib: role.requirement.size_gib,
                iops_without_instance: role.required_without_instance.iops,
                throughput_mibps_without_instance: role.required_without_instance.mibps,
            },
            now: role.current.as_ref().map(Now::from),
            instance_binds: role.instance_saturation.as_ref().map(|short| InstanceBinds {
                bound_by: short.bound.name(),
                replay: Replay::from(&short.outcome),
                with_30_min_maximum: short.burst.as_ref().map(Replay::from),
            }),
            options: role.candidates.iter().map(Candidate::from).collect(),
            variations: role.variations.iter().map(Variation::from).collect(),
            size: Size {
                size_gib: role.state.size.size_gib,
                used_bytes: role.state.size.used_bytes,
                growth_bytes_per_day: role.state.size.growth.map(|growth| growth.per_day),
                forecast_high_bytes: role.state.size.growth.map(|growth| growth.forecast_interval.high),
                remark: required_size::describe_remarks(&role.state.size.remarks),
            },
            procedure: role.procedure.as_ref().map(Procedure::from),
            decision: role
                .decision
                .iter()
                .map(|step| Step {
                    question: decision::describe_question(step),
                    answer: decision::describe_answer(step),
                })
                .collect(),
        }
    }
}

/// A metric of the demand over the sampled intervals.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Figure {
    /// `requests`, `throughput`, `read latency` and so on.
    metric: &'static str,
    /// Unit of the values: `1/s`, `MiB/s`, `KiB`, `ms` or a share.
    unit: &'static str,
    /// Mean over the window.
    mean: Option<f64>,
    /// Median over time.
    p50: Option<f64>,
    /// 95th percentile over time.
    p95: Option<f64>,
    /// 99th percentile over time.
    p99: Option<f64>,
    /// Largest interval.
    max: Option<f64>,
    /// Lower end of the 95 % confidence interval of p99.
    p99_low: Option<f64>,
    /// Upper end of the 95 % confidence interval of p99.
    p99_high: Option<f64>,
}

impl From<&io_profile::Figure> for Figure {
    fn from(figure: &io_profile::Figure) -> Figure {
        Figure {
            metric: figure.metric.name(),
            unit: figure.metric.unit(),
            mean: figure.mean,
            p50: figure.p50,
            p95: figure.p95,
            p99: figure.p99,
            max: figure.max,
            p99_low: figure.p99_interval.map(|interval| interval.low),
            p99_high: figure.p99_interval.map(|interval| interval.high),
        }
    }
}

/// Saturation of the volume.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct AtLimit {
    /// `IOPS` or `throughput`.
    limited: &'static str,
    /// The limit, in unit.
    level: f64,
    /// `1/s` or `MiB/s`.
    unit: &'static str,
    /// `volume` or `instance`, whose limit it is.
    of: &'static str,
    /// `declared`, or `inferred` from the samples.
    known_by: &'static str,
    /// False where there is another explanation of the samples.
    sure: bool,
    /// Seconds at the limit, per cent of all.
    seconds_pct: f64,
    /// Average queue depth in these seconds.
    in_flight: f64,
    /// Mean latency of a request in these seconds, ms.
    latency_ms: f64,
    /// Mean latency of a request without a queue, ms.
    latency_without_queue_ms: f64,
    /// True where that was measured below the limit; false where it is published for the type.
    latency_without_queue_measured: bool,
    /// Demand that the same sessions would have without the limit, as a ratio to the demand at it.
    demand_ratio: Option<RatioRange>,
    /// Volume type whose published latency demand_ratio rests on; null where the latency was measured.
    latency_published_for: Option<&'static str>,
    /// True where sessions hardly waited for their clients: such a load saturates any volume.
    closed_loop: Option<bool>,
    /// Reason why demand_ratio is not known, in words.
    not_known: Option<&'static str>,
}

impl From<&Saturation> for AtLimit {
    fn from(saturation: &Saturation) -> AtLimit {
        let limit = &saturation.limit;
        let (limited, unit, level) = match limit.limited {
            LimitKind::Iops => ("IOPS", "1/s", limit.level),
            LimitKind::Throughput => ("throughput", "MiB/s", limit.level / MIB as f64),
        };
        let unmet = saturation.unmet_demand.ok();
        AtLimit {
            limited,
            level,
            unit,
            of: match limit.owner {
                LimitOwner::Volume => "volume",
                LimitOwner::Instance => "instance",
            },
            known_by: match limit.source {
                LimitSource::Declared => "declared",
                LimitSource::Inferred => "inferred",
            },
            sure: limit.is_sure(),
            seconds_pct: 100.0 * limit.seconds_share,
            in_flight: limit.in_flight,
            latency_ms: limit.latency_ms,
            latency_without_queue_ms: limit.unqueued.ms,
            latency_without_queue_measured: limit.unqueued.measured.is_some(),
            demand_ratio: unmet.map(|unmet| RatioRange::from(unmet.factor)),
            latency_published_for: unmet.and_then(|unmet| Some(unmet.published?.name())),
            closed_loop: unmet.map(|unmet| unmet.closed),
            not_known: saturation.unmet_demand.err().map(prediction::describe_missing_input),
        }
    }
}

/// Capability that the volumes of a role must have together.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Need {
    /// I/O operations a second, capped at the instance's limit.
    iops: f64,
    /// MiB/s, capped at the instance's limit.
    throughput_mibps: f64,
    /// GiB.
    size_gib: Option<u64>,
    /// I/O operations a second, without the instance's limit.
    iops_without_instance: f64,
    /// MiB/s, without the instance's limit.
    throughput_mibps_without_instance: f64,
}

/// The current volumes, as declared.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Now {
    /// The volumes, as ebs_volume_declare has them.
    volumes: Vec<CurrentVolume>,
    /// Price of all volumes; null where a part of it is unknown.
    price: Option<Price>,
    /// Replay of the demand; null where the volumes differ.
    replay: Option<Replay>,
}

impl From<&advice::CurrentVolume> for Now {
    fn from(current: &advice::CurrentVolume) -> Now {
        Now {
            volumes: current.volumes.iter().map(CurrentVolume::from).collect(),
            price: current.bill.as_ref().map(Price::from),
            replay: current.outcome.as_ref().map(Replay::from),
        }
    }
}

/// Volumes of one kind.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CurrentVolume {
    /// `gp2`, `gp3`, `io1`, `io2`, `st1`, `sc1` or `standard`.
    volume_type: &'static str,
    /// Number of volumes.
    volumes: u64,
    /// Size of each volume, GiB.
    size_gib: u64,
    /// I/O operations a second of each volume.
    iops: u64,
    /// MiB/s of each volume.
    throughput_mibps: u64,
}

impl From<&(VolumeConfig, u64)> for CurrentVolume {
    fn from((config, volumes): &(VolumeConfig, u64)) -> CurrentVolume {
        CurrentVolume {
            volume_type: config.volume_type.name(),
            volumes: *volumes,
            size_gib: config.size_gib,
            iops: config.iops,
            throughput_mibps: config.throughput_mibps,
        }
    }
}

/// An instance whose limit is below the demand of all volumes together.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct InstanceBinds {
    /// `instance IOPS` or `instance throughput`.
    bound_by: &'static str,
    /// Replay against the instance's baseline alone.
    replay: Replay,
    /// The same with its 30 minutes a day at the maximum; null where that is the baseline.
    with_30_min_maximum: Option<Replay>,
}

/// An argument that changes the recommendation.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Variation {
    /// The argument, `percentile => 100`.
    argument: String,
    /// Its meaning, in words.
    meaning: &'static str,
    /// Volumes that would be recommended; null where none would be feasible.
    recommended: Option<Candidate>,
}

impl From<&advice::Variation> for Variation {
    fn from(variation: &advice::Variation) -> Variation {
        Variation {
            argument: variation::describe_argument(&variation.argument),
            meaning: variation::describe_meaning(&variation.argument),
            recommended: variation.best.as_ref().map(Candidate::from),
        }
    }
}

/// Size of the volumes of a role together.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Size {
    /// GiB needed.
    size_gib: Option<u64>,
    /// Bytes in use.
    used_bytes: Option<u64>,
    /// Growth, bytes a day.
    growth_bytes_per_day: Option<f64>,
    /// Bytes in use 30 days later, upper end of the forecast's interval.
    forecast_high_bytes: Option<f64>,
    /// Remarks on the size, in words.
    remark: Option<String>,
}

/// Change to the recommended volumes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Procedure<'a> {
    /// Commands of the AWS CLI, in order.
    commands: Vec<Command<'a>>,
    /// Steps on the server afterwards, a sentence each.
    then: &'a [String],
    /// Rules of AWS that apply to the change.
    rules: Vec<Rule>,
}

impl<'a> From<&'a advice::Procedure> for Procedure<'a> {
    fn from(procedure: &'a advice::Procedure) -> Procedure<'a> {
        let command = |command: &'a advice::Command| Command { line: &command.line, times: command.times };
        Procedure {
            commands: procedure.commands.iter().map(command).collect(),
            then: &procedure.server_commands,
            rules: procedure
                .rules
                .iter()
                .map(|rule| Rule { text: migration::describe_rule(rule), source: rule.source() })
                .collect(),
        }
    }
}

/// A command.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Command<'a> {
    /// The command line.
    line: &'a str,
    /// Number of times to run it, once for each volume that it creates.
    times: u64,
}

/// A rule and its source.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Rule {
    /// One sentence.
    text: Cow<'static, str>,
    /// Address of the page that states it.
    source: &'static str,
}

/// A step of the decision.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Step {
    /// The question.
    question: String,
    /// The answer, from the evidence and the request.
    answer: String,
}
