//! Advice for the whole cluster: each volume by itself, and all of it on one.

use crate::current::bottleneck::Bottleneck;
use crate::current::current_state::predict_part;
use crate::current::current_volume::CurrentVolume;
use crate::current::saturation::Saturation;
use crate::current::size::{SizeNeed, Space};
use crate::evaluate::candidate::{Bound, Candidate};
use crate::evaluate::candidates::{candidates, rank, within_budget};
use crate::evaluate::context::{EvaluationContext, InstanceShort, least};
use crate::evaluate::evaluate::evaluate;
use crate::evaluate::reason::Reason;
use crate::migration::change;
use crate::migration::procedure::Procedure;
use crate::predictor::predictor::{Predictor, carried};
use crate::recommend::advice::Advice;
use crate::recommend::decision::decide;
use crate::recommend::role_advice::RoleAdvice;
use crate::recommend::variation::variations;
use crate::replay::{InstanceLimit, Outcome, Series, replay, replay_ceiling};
use crate::request::settings::{MAX_VOLUMES, Request};
use crate::requirement::{Requirement, SizingRule};
use crate::search::{Priced, Task};
use ebs_aws::catalogue::{Ceiling, Platform, Purpose, Sustained, VolumeConfig, VolumeType, classes_of};
use ebs_aws::price::Tariff;
use ebs_base::units::Usd;
use ebs_prediction::predict::MissingInput;
use ebs_samples::evidence::{Coverage, Role, Volume, Window};
use ebs_stats::averaging::COARSE_S;
use ebs_workload::attached::Attached;
use ebs_workload::declarations::Declarations;
use ebs_workload::demand::Demand;
use ebs_workload::io_profile::{Figure, Metric, brief_figures, find};

/// Advice for the volumes that the cluster is on now. Over a long history that takes seconds: `pause` is called before each
/// replay and each interval (of 600,000 samples some 10 ms, the longest a quarter of a second), and may unwind.
pub fn advise(window: &Window, request: &Request, declared: &Declarations, pause: &dyn Fn()) -> Advice {
    let striped =
        || window.current.iter().filter_map(|&volume| Attached::find(&window.layout.volumes[volume], declared));
    // A stripe that is there can be changed where it is.
    let now = striped().map(|attached| attached.volumes.len() as u64).max().unwrap_or(1).min(MAX_VOLUMES);
    let request = &Request { max_volumes: Some(request.max_volumes.unwrap_or(now)), ..request.clone() };
    let part = |volumes: &[usize]| Part::of(window, volumes, (request, declared), pause);
    let all = part(&window.current);
    let instance_short = instance_short(&all, request, pause);
    let situation =
        Situation { window, request, declared, instance_short, coverage: Coverage::from_window(window), pause };
    let several = window.current.len() > 1 && !request.platform.is_rds();
    let mut parts = Vec::new();
    if several {
        parts.extend(window.current.iter().map(|volume| part(std::slice::from_ref(volume))));
    }
    parts.extend((!window.current.is_empty()).then_some(all));
    let sizes: Vec<SizeNeed> = parts.iter().map(|part| situation.size(part)).collect();
    let tasks: Vec<Task> = parts
        .iter()
        .zip(&sizes)
        .map(|(part, size)| {
            let need = part.need(size.size_gib, request.rule, pause);
            pause();
            Task::new(&part.series, need, request.rule, request.instance_baseline()).pausing(pause)
        })
        .collect();
    let asked = || parts.iter().zip(&tasks);
    let mut roles: Vec<RoleAdvice> =
        asked().zip(sizes).map(|((part, task), size)| situation.advise(part, task, size)).collect();
    if let Some(budget) = request.budget_usd {
        keep_to_budget(&mut roles, several, budget);
    }
    for ((part, task), role) in asked().zip(&mut roles) {
        rank(&mut role.candidates);
        situation.explain(part, task, role);
    }
    let together = if several { roles.pop() } else { None };
    let mut log_volume = situation.log_volume();
    if let (Some(volume), Some(budget)) = (&mut log_volume, request.budget_usd) {
        let others = roles.iter().filter_map(RoleAdvice::best).map(Candidate::total).sum();
        within_budget(std::slice::from_mut(volume), budget, others);
    }
    Advice { roles, together, most_volumes: request.most_volumes(), log_volume }
}

/// A role may cost what the cheapest of the others leave; the last, where there are several, is all of it on one.
fn keep_to_budget(roles: &mut [RoleAdvice], several: bool, budget: Usd) {
    let (apart, together) = roles.split_at_mut(roles.len() - usize::from(several));
    let cheapest = |role: &RoleAdvice| {
        let feasible = role.candidates.iter().filter(|candidate| candidate.feasible);
        feasible.map(Candidate::total).min().unwrap_or_default()
    };
    let each: Vec<Usd> = apart.iter().map(cheapest).collect();
    let all: Usd = each.iter().copied().sum();
    for (role, own) in apart.iter_mut().zip(each) {
        within_budget(&mut role.candidates, budget, all - own);
    }
    for role in together {
        within_budget(&mut role.candidates, budget, Usd::default());
    }
}

/// Volumes of the window, and what was asked of them together.
struct Part {
    volumes: Vec<usize>,
    /// As it was seen.
    demand: Demand,
    /// The limit that it was seen at.
    truncated: Option<Saturation>,
    /// As it is taken to have been asked for, where that is more.
    asked: Option<Demand>,
    /// Of what was asked for.
    series: Series,
    /// Of what was seen.
    figures: Vec<Figure>,
}

impl Part {
    fn of(
        window: &Window,
        volumes: &[usize],
        (request, declared): (&Request, &Declarations),
        pause: &dyn Fn(),
    ) -> Part {
        pause();
        let demand = match volumes {
            [volume] => Demand::from_window(window, *volume),
            _ => Demand::from_all_volumes(window),
        };
        pause();
        let truncated = Saturation::detect(window, volumes, &demand, declared, request.instance_baseline());
        let asked = truncated.filter(Saturation::is_more).map(|truncated| truncated.asked(&demand));
        pause();
        Part {
            volumes: volumes.to_vec(),
            series: Series::new(asked.as_ref().unwrap_or(&demand)),
            figures: brief_figures(&demand, pause),
            demand,
            truncated,
            asked,
        }
    }

    fn asked(&self) -> &Demand {
        self.asked.as_ref().unwrap_or(&self.demand)
    }

    fn need(&self, size_gib: Option<u64>, rule: SizingRule, pause: &dyn Fn()) -> Requirement {
        match self.p99().filter(|_| rule.percentile == 99.0 && self.asked.is_none()) {
            Some(percentile) => Requirement::from_percentile(percentile, size_gib, rule),
            None => Requirement::from_demand(self.asked(), size_gib, rule, pause),
        }
    }

    /// The upper ends of the p99, which the figures have already: of a long history the interval is half of the work.
    fn p99(&self) -> Option<Ceiling> {
        let upper = |metric| {
            let figure = find(&self.figures, metric)?;
            Some(figure.p99_interval?.high.max(figure.p99?))
        };
        Some(Ceiling { iops: upper(Metric::Requests)?, mibps: upper(Metric::Throughput)? })
    }
}

/// What all parts are judged by.
struct Situation<'a> {
    window: &'a Window,
    request: &'a Request,
    declared: &'a Declarations,
    instance_short: Option<InstanceShort>,
    coverage: Coverage,
    pause: &'a dyn Fn(),
}

/// Fewer averages than this say nothing of what lies between: the interval of a percentile over them is no wider than they
/// are apart. A choice.
const MIN_SAMPLES: usize = 30;

impl Situation<'_> {
    /// The one volume of a part; `None` for several.
    fn volume(&self, part: &Part) -> Option<&Volume> {
        match part.volumes.as_slice() {
            [volume] => self.window.layout.volumes.get(*volume),
            _ => None,
        }
    }

    fn size(&self, part: &Part) -> SizeNeed {
        SizeNeed::of_volumes(
            self.window,
            &part.volumes,
            self.request.platform,
            self.request.min_size_gib,
            self.declared,
        )
    }

    /// Advice for a part; candidates in no order.
    fn advise(&self, part: &Part, task: &Task, size: SizeNeed) -> RoleAdvice {
        let mut role = self.role(part, task, size);
        role.candidates = candidates(&self.context(part, task, &role));
        role
    }

    /// What is known of a part before anything is searched.
    fn role(&self, part: &Part, task: &Task, size: SizeNeed) -> RoleAdvice {
        let volumes = || part.volumes.iter().map(|&volume| &self.window.layout.volumes[volume]);
        let present = |volume| CurrentVolume::from_declarations(volume, self.declared, &part.series, self.request);
        let space = Space::new(self.window, &part.volumes);
        let predictor = self.predictor(part);
        RoleAdvice {
            role: volumes().map(Volume::role).collect::<Vec<_>>().join("+"),
            device: volumes().map(|volume| volume.device.as_str()).collect::<Vec<_>>().join(", "),
            filesystem_bytes: space.filesystem_bytes,
            used_bytes: space.used_bytes,
            size,
            figures: part.figures.clone(),
            read_share: part.demand.read_share(),
            requirement: least(task),
            required_without_instance: task.wanted(),
            current: self.volume(part).and_then(present),
            saturation: part.truncated,
            bottleneck: predictor
                .as_ref()
                .map(|predictor| Bottleneck::new(&predictor.observed))
                .map_err(|missing| *missing),
            predictor: predictor.ok(),
            instance_short: self.instance_short,
            candidates: Vec::new(),
            variations: Vec::new(),
            decision: Vec::new(),
            procedure: None,
        }
    }

    /// Of what was seen, whatever is behind it.
    fn predictor(&self, part: &Part) -> Result<Predictor, MissingInput> {
        let seen = part.asked.as_ref().map(|_| Series::new(&part.demand));
        let demand = (&part.demand, seen.as_ref().unwrap_or(&part.series));
        let found = predict_part(self.window, &part.volumes, demand, self.declared)?;
        Ok(found.asked(None, self.request.instance_baseline()))
    }

    /// Intervals take ten times as long as what they are around: of what is shown alone.
    fn foresee(&self, part: &Part, predictor: Option<&Predictor>, candidate: &mut Candidate) {
        (self.pause)();
        let (config, allowed) = (candidate.config, self.request.rule.max_throttled_pct);
        let ceiling = carried(&part.series, &config, candidate.volumes, allowed, candidate.outcome.as_ref());
        candidate.prediction = predictor.zip(candidate.expected).and_then(|(predictor, _)| {
            let service = predictor.service(config.volume_type)?;
            Some(predictor.predict(&part.series, service, ceiling))
        });
    }

    fn context<'a>(&'a self, part: &'a Part, task: &'a Task<'a>, role: &'a RoleAdvice) -> EvaluationContext<'a> {
        EvaluationContext {
            demand: part.asked(),
            requirement: role.requirement,
            required_without_instance: role.required_without_instance,
            task,
            instance_short: role.instance_short,
            predictor: role.predictor.as_ref(),
            saturation: role.saturation,
            bottleneck: role.bottleneck.ok(),
            current: role.current.as_ref(),
            coarse: self.coverage.interval_s > COARSE_S,
            few: part.series.steps().len() < MIN_SAMPLES,
            request: self.request,
        }
    }

    /// RDS's dedicated log volume under the WAL of now.
    fn log_volume(&self) -> Option<Candidate> {
        let wal = |&&volume: &&usize| self.window.layout.volumes[volume].roles == [Role::Wal];
        let wal = self.window.current.iter().find(wal).filter(|_| self.request.platform.is_rds())?;
        let request = self.request;
        let part = Part::of(self.window, std::slice::from_ref(wal), (request, self.declared), self.pause);
        let class = classes_of(request.platform, VolumeType::Io2, Purpose::Log).next()?;
        let config = VolumeConfig { platform: request.platform, ..class.least(0, 0, 0)? };
        let tariff = Tariff::from_prices(class, request.platform, &request.prices)?;
        let bill = tariff.bill(config.size_gib, config.iops, config.throughput_mibps, 1);
        let need = part.need(Some(class.max_gib), request.rule, self.pause);
        let task = Task::new(&part.series, need, request.rule, request.instance_baseline()).pausing(self.pause);
        let role = self.role(&part, &task, self.size(&part));
        let mut found = evaluate(&self.context(&part, &task, &role), Priced { config, volumes: 1, bill }, None);
        if found.feasible {
            // There is nothing to choose.
            found.bound = Bound::None;
            found.reason = Reason::LogVolumeSuffices;
        }
        self.foresee(&part, role.predictor.as_ref(), &mut found);
        Some(found)
    }

    /// Says how the choice came about, what would change it, and how to get there.
    fn explain(&self, part: &Part, task: &Task, role: &mut RoleAdvice) {
        for candidate in &mut role.candidates {
            self.foresee(part, role.predictor.as_ref(), candidate);
        }
        let best = role.best().cloned();
        role.variations = variations(&self.context(part, task, role), best.as_ref());
        role.procedure = best.map(|best| self.procedure(part, &best, role.size.size_gib.is_some()));
        role.decision = decide(role, self.request, self.coverage.sampled_s);
    }

    /// Several volumes become one by copying.
    fn procedure(&self, part: &Part, best: &Candidate, size_known: bool) -> Procedure {
        let mut procedure = match self.volume(part) {
            Some(volume) => change(volume, Attached::find(volume, self.declared).as_ref(), &best.config, best.volumes),
            None => change(&Volume::default(), None, &best.config, best.volumes),
        };
        if !size_known {
            // What stands there is the least that its IOPS allow, not what is to be ordered.
            for command in &mut procedure.commands {
                for option in ["--size", "--allocated-storage"] {
                    command.line = command
                        .line
                        .replace(&format!("{option} {}", best.config.size_gib), &format!("{option} <size>"));
                }
            }
        }
        procedure
    }
}

/// Whether the instance's baseline, rather than any volume, is what the demand of all volumes together meets first.
fn instance_short(all: &Part, request: &Request, pause: &dyn Fn()) -> Option<InstanceShort> {
    let instance = request.instance?;
    let baseline = instance.baseline();
    let outcome = replay_ceiling(&all.series, baseline);
    if outcome.within(request.rule.max_throttled_pct) {
        return None;
    }
    let need = all.need(None, request.rule, pause);
    let iops_bind = need.iops / baseline.iops >= need.mibps / baseline.mibps;
    let bound = if iops_bind { Bound::InstanceIops } else { Bound::InstanceThroughput };
    Some(InstanceShort { instance, bound, baseline, outcome, burst: with_burst(all, request) })
}

/// How the demand would fare on volumes without limits, with the instance's 30 minutes a day; `None` where it has none.
fn with_burst(all: &Part, request: &Request) -> Option<Outcome> {
    let instance = request.instance.filter(|instance| instance.sustained == Sustained::Burst30Min)?;
    let limit = InstanceLimit::Burst { baseline: instance.baseline(), maximum: instance.maximum() };
    // More than any instance moves.
    let io2 = VolumeConfig::new(Platform::Ec2, VolumeType::Io2, 65_536, Some(256_000), None).ok()?;
    replay(&all.series, &io2, 28, limit, 0.0)
}

#[cfg(test)]
#[path = "advise_tests.rs"]
pub(crate) mod tests;
