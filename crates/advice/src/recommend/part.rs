//! A volume group with the demand that it is sized for.

use crate::current::current_state::{CurrentState, StateArguments};
use crate::current::saturation::Saturation;
use crate::replay::Series;
use crate::request::settings::Request;
use crate::requirement::{Requirement, SizingRule};
use crate::search::Task;
use ebs_aws::catalogue::Ceiling;
use ebs_samples::evidence::Window;
use ebs_workload::declarations::Declarations;
use ebs_workload::demand::Demand;
use ebs_workload::io_profile::{Figure, Metric, brief_figures, find};
use ebs_workload::volume_group::VolumeGroup;

/// A volume group with the demand that it is sized for.
pub(super) struct Part {
    /// Its observed state.
    pub state: CurrentState,
    /// Observed and unmet demand, and its series; `None` where there is no unmet demand.
    scaled: Option<(Demand, Series)>,
    /// Figures of the observed demand.
    pub figures: Vec<Figure>,
}

impl Part {
    /// Derives the state and the unmet demand of a group.
    pub fn new(
        window: &Window,
        group: VolumeGroup,
        (request, declared): (&Request, &Declarations),
        pause: &dyn Fn(),
    ) -> Part {
        pause();
        let arguments = StateArguments {
            platform: request.platform,
            instance: request.instance_baseline(),
            sessions: None,
            min_size_gib: request.min_size_gib,
        };
        let state = CurrentState::new(window, group, declared, &arguments);
        pause();
        let scaled = state.saturation.filter(Saturation::has_unmet_demand).map(|saturation| {
            let demand = saturation.scale(&state.group.demand);
            let series = Series::new(&demand);
            (demand, series)
        });
        let figures = brief_figures(&state.group.demand, pause);
        Part { state, scaled, figures }
    }

    /// The demand that it is sized for.
    pub fn demand(&self) -> &Demand {
        self.scaled.as_ref().map_or(&self.state.group.demand, |(demand, _)| demand)
    }

    /// Series of this demand, for replay.
    pub fn series(&self) -> &Series {
        self.scaled.as_ref().map_or(&self.state.series, |(_, series)| series)
    }

    /// Its requirement, before any replay.
    pub fn requirement(&self, size_gib: Option<u64>, rule: SizingRule, pause: &dyn Fn()) -> Requirement {
        match self.p99().filter(|_| rule.percentile == 99.0 && self.scaled.is_none()) {
            Some(percentile) => Requirement::from_percentile(percentile, size_gib, rule),
            None => Requirement::from_demand(self.demand(), size_gib, rule, pause),
        }
    }

    /// The task of the search, with a size for all volumes together.
    pub fn task<'a>(&'a self, size_gib: Option<u64>, request: &Request, pause: &'a dyn Fn()) -> Task<'a> {
        let requirement = self.requirement(size_gib, request.rule, pause);
        pause();
        Task::new(self.series(), requirement, request.rule, request.instance_baseline()).with_pause(pause)
    }

    /// Upper ends of the p99, which the figures contain already: the interval is half of the work over a long history.
    fn p99(&self) -> Option<Ceiling> {
        let upper = |metric| {
            let figure = find(&self.figures, metric)?;
            Some(figure.p99_interval?.high.max(figure.p99?))
        };
        Some(Ceiling { iops: upper(Metric::Requests)?, mibps: upper(Metric::Throughput)? })
    }
}
