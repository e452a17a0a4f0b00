//! Evaluation, explanation and prediction of the candidates of each part.

use ebs_prediction::BindingLimit;
use std::rc::Rc;

use super::decision::decide;
use super::part::Part;
use super::recommendation::Recommendation;
use super::role_advice::RoleAdvice;
use super::variation::variations;
use crate::current::bottleneck::Bottleneck;
use crate::current::current_volume::CurrentVolume;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::candidates::{self, candidates};
use crate::evaluate::context::{EvaluationContext, InstanceSaturation};
use crate::evaluate::evaluated_demand::EvaluatedDemand;
use crate::evaluate::evaluation::evaluate;
use crate::evaluate::reason::Reason;
use crate::evaluate::sizing::Sizings;
use crate::migration::plan_migration;
use crate::migration::procedure::{MigrationTarget, Procedure};
use crate::prediction::credits::{CreditLoad, effective_ceiling};
use crate::prediction::predictor::Predictor;
use crate::replay::Series;
use crate::request::settings::Request;
use crate::requirement::Requirement;
use crate::search::Priced;
use ebs_aws::catalogue::{Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_aws::price::Tariff;
use ebs_base::units::Usd;
use ebs_samples::evidence::{Coverage, PendingChange, Role, Volume, Window};
use ebs_stats::averaging::COARSE_S;
use ebs_workload::attached::Attached;
use ebs_workload::declarations::Declarations;
use ebs_workload::demand::Demand;
use ebs_workload::load_kind::LoadKind;
use ebs_workload::merging::CountDoubt;
use ebs_workload::volume_group::VolumeGroup;

/// The request and the evidence, against which all parts are evaluated.
pub(super) struct Advisor<'a> {
    pub window: &'a Window,
    pub request: &'a Request,
    pub declared: &'a Declarations,
    pub instance_saturation: Option<InstanceSaturation>,
    /// The same by the other count of the requests.
    pub other_count_saturation: Option<InstanceSaturation>,
    pub coverage: Coverage,
    pub pause: &'a dyn Fn(),
}

/// Fewest samples whose percentiles bound the demand between them: the interval of a percentile over fewer is no wider than
/// their own spread. A choice.
const MIN_SAMPLES: usize = 30;

impl Advisor<'_> {
    /// Evaluates the candidates of a part; in no order.
    pub fn evaluate_candidates(&self, part: &Part, sizings: &Sizings) -> RoleAdvice {
        let mut role = self.role(part, sizings);
        role.candidates = candidates(&self.context(part, sizings, &role));
        role
    }

    /// The advice for a part before anything is searched.
    fn role(&self, part: &Part, sizings: &Sizings) -> RoleAdvice {
        let state = Rc::clone(&part.state);
        let owner = state.saturation.map(|saturation| saturation.limit.owner);
        let bottleneck = |predictor: &Predictor| Bottleneck::new(&predictor.observed).with_owner(owner);
        let bottleneck = state.predictor.as_ref().map(bottleneck);
        RoleAdvice {
            figures: part.figures.clone(),
            requirement: sizings.observed.requirement(),
            required_without_instance: sizings.observed.task.required_without_instance(),
            current: self.current(part),
            bottleneck: bottleneck.map_err(|missing| *missing),
            instance_saturation: self.instance_saturation,
            candidates: Vec::new(),
            peak_option: None,
            closed_option: None,
            count_option: None,
            count_bound: None,
            variations: Vec::new(),
            decision: Vec::new(),
            procedure: None,
            smaller_storage: None,
            state,
        }
    }

    /// The current volumes of a part, as far as they were declared: of RDS its data and its dedicated log volume together, which are one
    /// part there.
    fn current(&self, part: &Part) -> Option<CurrentVolume> {
        if let Some(volume) = part.state.group.single(self.window) {
            let series = (&part.state.series, part.series());
            let current = CurrentVolume::from_declarations(volume, self.declared, series, self.request)?;
            let current = current.with_credits_checked(&part.state.group.demand);
            let current = current.with_log_volume(self.log_volume_without_device(), &self.request.prices);
            return Some(current.with_refuted_limit(part.state.refuted_limit.as_ref()));
        }
        let from_volume = |&index: &usize| {
            (self.pause)();
            let series = Series::new(&Demand::from_window(self.window, index));
            let volume = self.window.layout.volumes.get(index)?;
            let current = CurrentVolume::from_declarations(volume, self.declared, (&series, &series), self.request)?;
            let log_bill = current.bill.filter(|_| self.is_log_volume(volume));
            Some(CurrentVolume { log_bill, ..current })
        };
        let is_one_part = self.request.platform.is_rds();
        let volumes = part.state.group.volumes.iter().filter(|_| is_one_part).map(from_volume);
        CurrentVolume::together(volumes.collect::<Option<Vec<_>>>()?)
    }

    /// Predicts a candidate with its intervals, which take ten times as long as the means: only where it is shown.
    pub(super) fn predict(&self, part: &Part, candidate: &mut Candidate) {
        (self.pause)();
        let (series, config) = (part.series(), candidate.config);
        let predict = |predictor: Option<&Predictor>| {
            let predictor = predictor?.on_volumes(candidate.volumes);
            let load = CreditLoad { predictor: Some(&predictor), series, scale: candidate.scale };
            let ceiling = effective_ceiling(load, &config, candidate.volumes, self.request).ceiling;
            predictor.predict(series, config.volume_type, ceiling)
        };
        let by_waits = part.state.predictor.as_ref().ok().filter(|_| candidate.expected.is_some());
        let by_counts = part.state.device_predictor.as_ref().filter(|_| candidate.outcome.is_some());
        let (prediction, without_waits) = (predict(by_waits), predict(by_counts));
        (candidate.prediction, candidate.device_prediction) = (prediction, without_waits);
    }

    pub fn context<'a>(
        &'a self,
        part: &'a Part,
        sizings: &'a Sizings<'a>,
        role: &'a RoleAdvice,
    ) -> EvaluationContext<'a> {
        EvaluationContext {
            demand: EvaluatedDemand::new(part.demand()),
            requirement: sizings.observed.requirement(),
            required_without_instance: sizings.observed.task.required_without_instance(),
            task: &sizings.observed.task,
            scale: 1.0,
            sizings: Some(sizings),
            series: part.series(),
            instance_saturation: role.instance_saturation,
            predictor: part.state.predictor.as_ref().ok(),
            device_predictor: part.state.device_predictor.as_ref(),
            saturation: part.state.saturation,
            bottleneck: role.bottleneck.ok(),
            current: role.current.as_ref(),
            coarse_samples: self.coverage.interval_s > COARSE_S,
            few_samples: part.series().steps().len() < MIN_SAMPLES,
            risky_count: part.state.count_doubt.as_ref().is_some_and(CountDoubt::is_risky),
            request: self.request,
        }
    }

    /// Evaluates RDS's dedicated log volume for the current WAL.
    pub fn log_volume(&self) -> Option<Candidate> {
        let request = self.request;
        let is_wal = |&&volume: &&usize| self.window.layout.volumes[volume].roles == [Role::Wal];
        let wal = self.window.current.iter().find(is_wal).filter(|_| request.platform.is_rds())?;
        let group = VolumeGroup::from_volume(self.window, *wal);
        let part = Part::new(self.window, group, (request, self.declared), self.pause);
        let class = classes_of(request.platform, VolumeType::Io2, Purpose::Log).next()?;
        let config = VolumeConfig { platform: request.platform, ..class.least(0, 0, 0)? };
        let tariff = Tariff::from_prices(class, request.platform, &request.prices)?;
        let sizings = part.sizings(&part.type_demands, Some(class.max_gib), request, self.pause);
        let role = self.role(&part, &sizings);
        let priced = Priced::new(config, 1, &tariff);
        let mut candidate = evaluate(&self.context(&part, &sizings, &role), priced, None);
        if candidate.feasible {
            // Its limits are fixed.
            candidate.bound = BindingLimit::None;
            candidate.reason = Reason::LogVolumeSuffices;
        }
        self.predict(&part, &mut candidate);
        Some(candidate)
    }

    /// The cheapest volumes for the observed demand, where these are sized for less.
    fn peak_option(&self, part: &Part, context: &EvaluationContext, best: &Candidate) -> Option<Candidate> {
        let mut peak =
            (best.scale < 1.0).then(|| candidates::best(&EvaluationContext { sizings: None, ..*context })).flatten()?;
        self.predict(part, &mut peak);
        Some(peak)
    }

    /// The cheapest volumes for a closed loop, where it is not known that there is one.
    fn closed_option(&self, part: &Part, context: &EvaluationContext) -> Option<Candidate> {
        if part.state.load.kind != LoadKind::Unsure {
            return None;
        }
        let demands = part.type_demands(part.series(), 1.0, self.pause);
        let sizings = part.sizings(&demands, part.state.size.size_gib, self.request, self.pause);
        let mut closed = candidates::best(&EvaluationContext { sizings: Some(&sizings), ..*context })?;
        self.predict(part, &mut closed);
        Some(closed)
    }

    /// The cheapest volumes for the other count of the requests, where it is in doubt.
    fn count_option(&self, part: &Part, sizings: &Sizings, context: &EvaluationContext) -> Option<Candidate> {
        let demand = part.state.other_count()?;
        let (series, rule) = (Series::new(&demand), self.request.rule);
        let percentile = Requirement::from_demand(&demand, None, rule, self.pause).percentile;
        let conditions = part.other_count_conditions(&sizings.conditions, percentile, self.request);
        let sizings = Sizings::new(&series, &[], &conditions);
        let instance_saturation = self.other_count_saturation;
        let context = EvaluationContext {
            demand: EvaluatedDemand::new(&demand),
            series: &series,
            predictor: None,
            instance_saturation,
            ..*context
        };
        candidates::best(&EvaluationContext { sizings: Some(&sizings), ..context.with_sizing(&sizings.observed) })
    }

    /// The volumes of a part.
    fn volumes(&self, part: &Part) -> impl Iterator<Item = &Volume> {
        part.state.group.volumes.iter().filter_map(|&volume| self.window.layout.volumes.get(volume))
    }

    /// The volume with the data on RDS, whose storage is one.
    fn storage_of_rds(&self, part: &Part) -> Option<&Volume> {
        self.volumes(part).find(|volume| volume.roles.contains(&Role::Data)).filter(|_| self.request.platform.is_rds())
    }

    /// True where WAL is on a volume of RDS's own now.
    pub fn has_log_volume(&self, part: &Part) -> bool {
        self.log_volume_without_device().is_some() || self.volumes(part).any(|volume| self.is_log_volume(volume))
    }

    /// The dedicated log volume of RDS, of which the samples have no device.
    fn log_volume_without_device(&self) -> Option<VolumeConfig> {
        self.declared.log_volume.filter(|_| self.request.platform.is_rds())
    }

    /// True of the dedicated log volume of RDS.
    pub fn is_log_volume(&self, volume: &Volume) -> bool {
        let attached = Attached::find(volume, self.declared).filter(|_| volume.roles == [Role::Wal]);
        attached.is_some_and(|attached| attached.is_rds())
    }

    /// Plans the change to the volumes that are recommended, or to those until the instance is larger.
    fn plan(&self, part: &Part, role: &RoleAdvice) -> Option<Procedure> {
        let volumes = match role.recommendation(self.request) {
            Recommendation::Volumes(best) => best,
            Recommendation::LargerInstance(interim) => interim?,
            Recommendation::Nothing(_) => return None,
        };
        let target = MigrationTarget {
            config: volumes.config,
            volumes: volumes.volumes,
            size_known: part.state.size.size_gib.is_some(),
            instance: self.request.instance.map(|instance| instance.instance_type.as_str()),
            database: self.request.database.on_platform(volumes.config.platform),
            deployment: self.request.database.deployment,
            max_allocated_gib: self.request.database.max_allocated_gib,
            has_log_volume: self.has_log_volume(part),
            is_multi_attach: role.current.as_ref().is_some_and(|current| current.is_multi_attach),
            role: &part.state.group.role,
        };
        // Consolidating several volumes requires a copy, but of RDS's the data's is the storage.
        let single = part.state.group.single(self.window).or_else(|| self.storage_of_rds(part));
        let attached = single.and_then(|volume| Attached::find(volume, self.declared));
        let procedure = plan_migration(single.unwrap_or(&Volume::default()), attached.as_ref(), &target);
        let ids = || attached.iter().flat_map(|attached| &attached.volumes).filter_map(|volume| volume.id.as_ref());
        let is_of = |pending: &PendingChange| {
            let is_single =
                pending.volume.as_ref().is_none_or(|name| single.is_some_and(|volume| volume.device == *name))
                    || ids().any(|id| *id == pending.name);
            pending.forbids_change() && is_single
        };
        Some(procedure.after_pending(self.window.pending.iter().any(is_of)))
    }

    /// Adds the predictions, the variations, the procedure and the decision; the other roles' volumes cost `others`.
    pub fn explain(&self, part: &Part, sizings: &Sizings, role: &mut RoleAdvice, others: Usd) {
        for candidate in &mut role.candidates {
            self.predict(part, candidate);
        }
        let best = role.best().cloned();
        let context = self.context(part, sizings, role);
        let variations = variations(&context, best.as_ref(), self.request.budget_usd.map(|budget| budget - others));
        let peak_option = best.as_ref().and_then(|best| self.peak_option(part, &context, best));
        let closed_option = self.closed_option(part, &context);
        let count_option = self.count_option(part, sizings, &context);
        (role.variations, role.peak_option, role.closed_option) = (variations, peak_option, closed_option);
        role.count_option = count_option;
        let other_saturation = self.other_count_saturation.filter(|_| role.state.count_doubt.is_some());
        role.count_bound = other_saturation.map(|saturation| saturation.bound);
        let sizing = sizings.get(best.as_ref().map_or(VolumeType::Gp3, |best| best.config.volume_type));
        role.requirement = sizing.requirement();
        role.required_without_instance = sizing.task.required_without_instance();
        role.procedure = self.plan(part, role);
        role.decision = decide(role, self.request, self.coverage.sampled_s);
    }
}
