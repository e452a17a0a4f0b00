//! Advice for one volume of the cluster, or for all of it on one.

use serde::Serialize;

use super::candidate::{Candidate, Price, Replay};
use super::current_volume::CurrentVolume;
use super::demand::{AtLimit, CountDoubt, Figure, FlatRate, in_unit};
use super::load::Load;
use super::procedure::Procedure;
use super::recommendation::Recommendation;
use super::smaller_storage::SmallerStorage;
use crate::Report;
use crate::reasons::{decision, required_size, variation};
use ebs_advice::{self as advice, RoleAdvice};

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
    /// The demand, a metric each, as in ebs_io_mix; requests by the count that is sized for, where there are two (`count_doubt`).
    demand: Vec<Figure>,
    /// Counts of requests that EBS may merge; null where there is no doubt.
    count_doubt: Option<CountDoubt>,
    /// The limit that the volume was saturated at: the actual demand is at least the observed one. Null where it was not saturated.
    at_limit: Option<AtLimit>,
    /// A rate that is flat at the level of a limit: without latencies the limit cannot be told from demand. Null elsewhere.
    flat_rate: Option<FlatRate>,
    /// Kind of the load, and the demand that follows from it.
    load: Load,
    /// Capability that is needed.
    need: Need,
    /// The current volumes, as declared; null where nothing was declared.
    now: Option<Now>,
    /// The instance's limit; null where it does not bind or is not known.
    instance_binds: Option<InstanceBinds>,
    /// The recommendation.
    recommendation: Recommendation,
    /// Volumes that could be ordered: feasible ones first, cheapest first.
    options: Vec<Candidate>,
    /// Arguments that change the recommendation.
    variations: Vec<Variation>,
    /// Size that is needed, and how the file system grows.
    size: Size,
    /// Change to the recommended volumes, or to those until the instance is larger; null where there are none.
    procedure: Option<Procedure<'a>>,
    /// Smaller storage of RDS by a Blue/Green deployment; null where there is no storage of RDS today.
    smaller_storage: Option<SmallerStorage<'a>>,
    /// Steps of the decision, in the order in which they narrow the choice.
    decision: Vec<Step>,
}

impl<'a> Role<'a> {
    /// The advice for a role, for the arguments that it was computed with.
    pub(super) fn new(role: &'a RoleAdvice, report: &Report) -> Role<'a> {
        let request = report.request;
        let step = |step: &advice::Step| Step {
            question: decision::describe_question(step),
            answer: decision::describe_answer(step, request.platform),
        };
        Role {
            role: &role.state.group.role,
            device: &role.state.group.device,
            filesystem_bytes: role.state.size.filesystem_bytes,
            used_bytes: role.state.size.used_bytes,
            read_share: role.state.group.demand.read_share(),
            demand: role.figures.iter().map(Figure::from).collect(),
            count_doubt: CountDoubt::from_role(role),
            at_limit: role.state.saturation.as_ref().map(AtLimit::from),
            flat_rate: role.state.flat_rate.as_ref().map(FlatRate::from),
            load: Load::from(role),
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
                plateau: short.reached.as_ref().map(Plateau::from),
            }),
            recommendation: Recommendation::from_role(role, report),
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
            smaller_storage: SmallerStorage::from_role(role),
            decision: role.steps(report.request, report.coverage.sampled_s).iter().map(step).collect(),
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
    /// Plateau at which the run reached the limit; null where the replay shows it.
    plateau: Option<Plateau>,
}

/// A plateau at the instance's limit.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Plateau {
    /// Mean rate, in unit.
    rate: f64,
    /// The instance's limit, in unit.
    limit: f64,
    /// `1/s` or `MiB/s`.
    unit: &'static str,
    /// Seconds at it, per cent of all.
    seconds_pct: f64,
    /// Average queue depth in these seconds.
    in_flight: f64,
    /// True where no other limit explains it, and it does not require that burst credits were spent before.
    sure: bool,
}

impl From<&advice::InstancePlateau> for Plateau {
    fn from(plateau: &advice::InstancePlateau) -> Plateau {
        let (_, unit, rate) = in_unit(plateau.limit.limited, plateau.rate);
        Plateau {
            rate,
            limit: in_unit(plateau.limit.limited, plateau.limit.level).2,
            unit,
            seconds_pct: 100.0 * plateau.seconds_share,
            in_flight: plateau.in_flight,
            sure: plateau.sure,
        }
    }
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

/// A step of the decision.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Step {
    /// The question.
    question: String,
    /// The answer, from the evidence and the request.
    answer: String,
}
