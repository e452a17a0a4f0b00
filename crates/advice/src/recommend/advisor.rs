//! Evaluation, explanation and prediction of the candidates of each part.

use super::decision::decide;
use super::part::Part;
use super::role_advice::RoleAdvice;
use super::variation::variations;
use crate::current::bottleneck::Bottleneck;
use crate::current::current_volume::CurrentVolume;
use crate::current::size::Space;
use crate::evaluate::bound::Bound;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::candidates::candidates;
use crate::evaluate::context::{EvaluationContext, InstanceShort, least};
use crate::evaluate::evaluation::evaluate;
use crate::evaluate::reason::Reason;
use crate::migration::change;
use crate::migration::procedure::MigrationTarget;
use crate::prediction::predictor::carried;
use crate::request::settings::Request;
use crate::search::{Priced, Task};
use ebs_aws::catalogue::{Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_aws::price::Tariff;
use ebs_samples::evidence::{Coverage, Role, Volume, Window};
use ebs_stats::averaging::COARSE_S;
use ebs_workload::attached::Attached;
use ebs_workload::declarations::Declarations;
use ebs_workload::volume_group::VolumeGroup;

/// The request and the evidence, against which all parts are evaluated.
pub(super) struct Advisor<'a> {
    pub window: &'a Window,
    pub request: &'a Request,
    pub declared: &'a Declarations,
    pub instance_short: Option<InstanceShort>,
    pub coverage: Coverage,
    pub pause: &'a dyn Fn(),
}

/// Fewer averages than this say nothing of what lies between: the interval of a percentile over them is no wider than they
/// are apart. A choice.
const MIN_SAMPLES: usize = 30;

impl Advisor<'_> {
    /// Evaluates the candidates of a part; in no order.
    pub fn evaluate_candidates(&self, part: &Part, task: &Task) -> RoleAdvice {
        let mut role = self.role(part, task);
        role.candidates = candidates(&self.context(part, task, &role));
        role
    }

    /// The advice for a part before anything is searched.
    fn role(&self, part: &Part, task: &Task) -> RoleAdvice {
        let state = part.state.clone();
        let declared = |volume| CurrentVolume::from_declarations(volume, self.declared, part.series(), self.request);
        let bottleneck = state.predictor.as_ref().map(|predictor| Bottleneck::new(&predictor.observed));
        RoleAdvice {
            filesystem_bytes: Space::new(self.window, &state.group.volumes).filesystem_bytes,
            figures: part.figures.clone(),
            requirement: least(task),
            required_without_instance: task.wanted(),
            current: state.group.single(self.window).and_then(declared),
            bottleneck: bottleneck.map_err(|missing| *missing),
            instance_short: self.instance_short,
            candidates: Vec::new(),
            variations: Vec::new(),
            decision: Vec::new(),
            procedure: None,
            state,
        }
    }

    /// Intervals take ten times as long as what they are around: of what is shown alone.
    fn predict(&self, part: &Part, candidate: &mut Candidate) {
        (self.pause)();
        let (config, allowed) = (candidate.config, self.request.rule.max_throttled_pct);
        let ceiling = carried(part.series(), &config, candidate.volumes, allowed, candidate.outcome.as_ref());
        candidate.prediction = part.state.predictor.as_ref().ok().zip(candidate.expected).and_then(|(predictor, _)| {
            let service = predictor.service(config.volume_type)?;
            Some(predictor.predict(part.series(), service, ceiling))
        });
    }

    fn context<'a>(&'a self, part: &'a Part, task: &'a Task<'a>, role: &'a RoleAdvice) -> EvaluationContext<'a> {
        EvaluationContext {
            demand: part.demand(),
            requirement: role.requirement,
            required_without_instance: role.required_without_instance,
            task,
            instance_short: role.instance_short,
            predictor: part.state.predictor.as_ref().ok(),
            saturation: part.state.saturation,
            bottleneck: role.bottleneck.ok(),
            current: role.current.as_ref(),
            coarse: self.coverage.interval_s > COARSE_S,
            few: part.series().steps().len() < MIN_SAMPLES,
            request: self.request,
        }
    }

    /// RDS's dedicated log volume under the WAL of now.
    pub fn log_volume(&self) -> Option<Candidate> {
        let wal = |&&volume: &&usize| self.window.layout.volumes[volume].roles == [Role::Wal];
        let wal = self.window.current.iter().find(wal).filter(|_| self.request.platform.is_rds())?;
        let request = self.request;
        let group = VolumeGroup::from_volume(self.window, *wal);
        let part = Part::new(self.window, group, (request, self.declared), self.pause);
        let class = classes_of(request.platform, VolumeType::Io2, Purpose::Log).next()?;
        let config = VolumeConfig { platform: request.platform, ..class.least(0, 0, 0)? };
        let tariff = Tariff::from_prices(class, request.platform, &request.prices)?;
        let bill = tariff.bill(config.size_gib, config.iops, config.throughput_mibps, 1);
        let required = part.requirement(Some(class.max_gib), request.rule, self.pause);
        let task = Task::new(part.series(), required, request.rule, request.instance_baseline()).pausing(self.pause);
        let role = self.role(&part, &task);
        let mut found = evaluate(&self.context(&part, &task, &role), Priced { config, volumes: 1, bill }, None);
        if found.feasible {
            // There is nothing to choose.
            found.bound = Bound::None;
            found.reason = Reason::LogVolumeSuffices;
        }
        self.predict(&part, &mut found);
        Some(found)
    }

    /// Says how the choice came about, what would change it, and how to get there.
    pub fn explain(&self, part: &Part, task: &Task, role: &mut RoleAdvice) {
        for candidate in &mut role.candidates {
            self.predict(part, candidate);
        }
        let best = role.best().cloned();
        role.variations = variations(&self.context(part, task, role), best.as_ref());
        role.procedure = best.map(|best| {
            let (config, volumes, size_known) = (best.config, best.volumes, part.state.size.size_gib.is_some());
            let target = MigrationTarget { config, volumes, size_known };
            // Several volumes become one by copying.
            let single = part.state.group.single(self.window);
            let attached = single.and_then(|volume| Attached::find(volume, self.declared));
            change(single.unwrap_or(&Volume::default()), attached.as_ref(), &target)
        });
        role.decision = decide(role, self.request, self.coverage.sampled_s);
    }
}
