//! Load of an instance by the demand on all its volumes together, which its limits bind.

use super::inputs::{Extent, Inputs};
use super::instance_limit::{detect_instance_saturation, detect_other_count_saturation};
use super::instance_saturation::InstanceSaturation;
use super::part::Part;
use crate::current::limits::greatest;
use crate::replay::Measure;
use crate::request::settings::Request;
use crate::requirement::Requirement;
use ebs_aws::catalogue::{Ceiling, VolumeConfig};
use ebs_samples::evidence::Window;
use ebs_workload::declarations::Declarations;
use ebs_workload::volume_group::VolumeGroup;

/// Load of an instance.
#[derive(Clone, Copy, Debug, Default)]
pub struct InstanceLoad {
    /// Its saturation; `None` where its baseline suffices, or it is not known.
    pub saturation: Option<InstanceSaturation>,
    /// The same by the other count of the requests.
    pub other_count: Option<InstanceSaturation>,
    /// Requirement of all its volumes together, with headroom; `None` where the answer sizes them itself.
    pub required: Option<Ceiling>,
}

impl InstanceLoad {
    /// Load by the demand on all current volumes of a window, which are all volumes of the instance; empty where one of these is not known.
    pub fn from_window(
        window: &Window,
        request: &Request,
        (declared, volumes): (&Declarations, &[VolumeConfig]),
        pause: &dyn Fn(),
    ) -> InstanceLoad {
        let inputs = Inputs { window, request, declared, busy: None, extent: Extent::Decision, pause };
        let all = Part::new(inputs, VolumeGroup::from_current_volumes(window));
        let required = Requirement::from_percentile(all.percentile(request.rule), None, request.rule).ceiling();
        let volumes: Vec<(VolumeConfig, u64)> = volumes.iter().map(|config| (*config, 1)).collect();
        let required = at_most_limits(&all, required, greatest(&volumes, request.instance));
        InstanceLoad { required: Some(required), ..InstanceLoad::from_part(&all) }
    }

    /// Load by the demand on a part that is all volumes of the instance, without the requirement.
    pub fn from_part(all: &Part) -> InstanceLoad {
        let saturation = detect_instance_saturation(all);
        let other_count = match all.state.other_count() {
            Some(demand) => detect_other_count_saturation(all, &demand),
            None => saturation,
        };
        InstanceLoad { saturation, other_count, required: None }
    }
}

/// A requirement on the instance of all volumes together: at most what these can ask for, which is the sum of their limits, and at least their
/// greatest demand.
pub fn at_most_limits(all: &Part, required: Ceiling, limits: Option<Ceiling>) -> Ceiling {
    let series = all.series();
    let greatest = Ceiling { iops: series.max_rate(Measure::Requests), mibps: series.max_rate(Measure::Mib) };
    limits.map_or(required, |limits| required.min(limits.max(greatest)))
}
