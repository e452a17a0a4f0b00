//! Advice for one volume of the cluster, or for all of it on one.

use super::candidate::{Candidate, Price, Replay};
use super::current_volume::CurrentVolume;
use super::demand::{AtLimit, CountDoubt, Figure, FlatRate, in_unit};
use super::load::Load;
use super::procedure::Procedure;
use super::recommendation::Recommendation;
use super::smaller_storage::SmallerStorage;
use crate::Report;
use crate::reasons::{decision, required_size, variation};
use ebs_advice::{self as advice, Request, RoleAdvice};
use ebs_base::object;

object! {
    /// Advice for one volume.
    pub(super) struct Role<'a>((role, report): (&'a RoleAdvice, &Report<'_>))
    where {
        let steps = role.steps(report.request, report.coverage.sampled_s);
    } {
        /// `data`, `wal`, `data+wal`, `tablespace` and its name, or `temp`.
        role: &'a str = &role.state.group.role,
        /// Current block device.
        device: &'a str = &role.state.group.device,
        /// Size of the file system, bytes.
        filesystem_bytes: Option<u64> = role.state.size.filesystem_bytes,
        /// Bytes of it in use.
        used_bytes: Option<u64> = role.state.size.used_bytes,
        /// Share of reads in all requests, 0 to 1.
        read_share: Option<f64> = role.state.group.demand.read_share(),
        /// The demand, a metric each, as in ebs_io_mix; requests by the count that is sized for, where there are two (`count_doubt`).
        demand: Vec<Figure> = role.state.figures.iter().map(Figure::from).collect(),
        /// Counts of requests that EBS may merge; null where there is no doubt.
        count_doubt: Option<CountDoubt> = role.state.count_doubt.as_ref().map(|doubt| CountDoubt::from((doubt, role))),
        /// The limit that the volume was saturated at: the actual demand is at least the observed one. Null where it was not saturated.
        at_limit: Option<AtLimit> = role.state.saturation.as_ref().map(AtLimit::from),
        /// A rate that is flat at the level of a limit: without latencies the limit cannot be told from demand. Null elsewhere.
        flat_rate: Option<FlatRate> = role.state.flat_rate.as_ref().map(FlatRate::from),
        /// Kind of the load, and the demand that follows from it.
        load: Load = Load::from(role),
        /// Capability that is needed.
        need: Need = Need::from(role),
        /// The current volumes, as declared; null where nothing was declared.
        now: Option<Now> = role.current.as_ref().map(Now::from),
        /// The instance's limit; null where it does not bind or is not known.
        instance_binds: Option<InstanceBinds> = role.instance_saturation.as_ref().map(InstanceBinds::from),
        /// The recommendation.
        recommendation: Recommendation = Recommendation::from_role(role, report),
        /// The cheapest volumes that keep 95 % of the current throughput, where the recommended ones are predicted to lose a tenth of it or
        /// more; else null.
        keeps_throughput: Option<Candidate> = role.that_keep_throughput(report.request).map(Candidate::from),
        /// Volumes that could be ordered: feasible ones first, cheapest first.
        options: Vec<Candidate> = role.candidates.iter().map(Candidate::from).collect(),
        /// Arguments that change the recommendation.
        variations: Vec<Variation> = role.variations.iter().map(Variation::from).collect(),
        /// Size that is needed, and how the file system grows.
        size: Size = Size::from(&role.state.size),
        /// Change to the recommended volumes, or to those until the instance is larger; null where there are none.
        procedure: Option<Procedure<'a>> = role.procedure.as_ref().map(Procedure::from),
        /// Smaller storage of RDS by a Blue/Green deployment; null where there is no storage of RDS today.
        smaller_storage: Option<SmallerStorage<'a>> = role.smaller_storage.as_ref().map(SmallerStorage::from),
        /// Steps of the decision, in the order in which they narrow the choice.
        decision: Vec<Step> = steps.iter().map(|step| Step::from((step, report.request))).collect(),
    }
}

object! {
    /// Capability that the volumes of a role must have together.
    struct Need(role: &RoleAdvice) {
        /// I/O operations a second, capped at the instance's limit.
        iops: f64 = role.requirement.iops,
        /// MiB/s, capped at the instance's limit.
        throughput_mibps: f64 = role.requirement.mibps,
        /// GiB.
        size_gib: Option<u64> = role.requirement.size_gib,
        /// I/O operations a second, without the instance's limit.
        iops_without_instance: f64 = role.required_without_instance.iops,
        /// MiB/s, without the instance's limit.
        throughput_mibps_without_instance: f64 = role.required_without_instance.mibps,
    }
}

object! {
    /// The current volumes, as declared.
    struct Now(current: &advice::CurrentVolume) {
        /// The volumes, as ebs_volume_declare has them.
        volumes: Vec<CurrentVolume> = current.volumes.iter().map(CurrentVolume::from).collect(),
        /// Price of all volumes; null where a part of it is unknown.
        price: Option<Price> = current.bill.as_ref().map(Price::from),
        /// Replay of the demand; null where the volumes differ.
        replay: Option<Replay> = current.outcome.as_ref().map(Replay::from),
    }
}

object! {
    /// An instance whose limit is below the demand of all volumes together.
    struct InstanceBinds(short: &advice::InstanceSaturation) {
        /// `instance IOPS` or `instance throughput`.
        bound_by: &'static str = short.bound.name(),
        /// Replay against the instance's baseline alone.
        replay: Replay = Replay::from(&short.outcome),
        /// The same with its 30 minutes a day at the maximum; null where that is the baseline.
        with_30_min_maximum: Option<Replay> = short.burst.as_ref().map(Replay::from),
        /// Plateau at which the run reached the limit; null where the replay shows it.
        plateau: Option<Plateau> = short.reached.as_ref().map(Plateau::from),
    }
}

object! {
    /// A plateau at the instance's limit.
    struct Plateau(plateau: &advice::InstancePlateau)
    where {
        let (_, unit, rate) = in_unit(plateau.limit.limited, plateau.rate);
    } {
        /// Mean rate, in unit.
        rate: f64 = rate,
        /// The instance's limit, in unit.
        limit: f64 = in_unit(plateau.limit.limited, plateau.limit.level).2,
        /// `1/s` or `MiB/s`.
        unit: &'static str = unit,
        /// Seconds at it, per cent of all.
        seconds_pct: f64 = 100.0 * plateau.seconds_share,
        /// Average queue depth in these seconds.
        in_flight: f64 = plateau.in_flight,
        /// True where no other limit explains it, and it does not require that burst credits were spent before.
        sure: bool = plateau.sure,
    }
}

object! {
    /// An argument that changes the recommendation.
    struct Variation(variation: &advice::Variation) {
        /// The argument, `percentile => 100`.
        argument: String = variation::describe_argument(&variation.argument),
        /// Its meaning, in words.
        meaning: &'static str = variation::describe_meaning(&variation.argument),
        /// Volumes that would be recommended; null where none would be feasible.
        recommended: Option<Candidate> = variation.best.as_ref().map(Candidate::from),
    }
}

object! {
    /// Size of the volumes of a role together.
    struct Size(size: &advice::RequiredSize) {
        /// GiB needed.
        size_gib: Option<u64> = size.size_gib,
        /// Bytes in use.
        used_bytes: Option<u64> = size.used_bytes,
        /// Growth, bytes a day.
        growth_bytes_per_day: Option<f64> = size.growth.map(|growth| growth.per_day),
        /// Bytes in use 30 days later, upper end of the forecast's interval.
        forecast_high_bytes: Option<f64> = size.growth.map(|growth| growth.forecast_interval.high),
        /// Remarks on the size, in words.
        remark: Option<String> = required_size::describe_remarks(&size.remarks),
    }
}

object! {
    /// A step of the decision.
    struct Step((step, request): (&advice::Step, &Request)) {
        /// The question.
        question: String = decision::describe_question(step),
        /// The answer, from the evidence and the request.
        answer: String = decision::describe_answer(step, request.platform),
    }
}
