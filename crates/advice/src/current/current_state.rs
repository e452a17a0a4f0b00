//! The parts of the cluster as they stand, each with what it asks for and what it would do elsewhere.

use crate::current::limits::{one_type, plateau, present};
use crate::current::size::SizeNeed;
use crate::predictor::predictor::Predictor;
use crate::replay::Series;
use ebs_aws::catalogue::{Ceiling, Platform};
use ebs_prediction::predict::MissingInput;
use ebs_samples::evidence::{Volume, Window};
use ebs_workload::declarations::Declarations;
use ebs_workload::demand::Demand;

/// A part of the cluster: one volume, or all of them together.
pub struct CurrentState {
    /// `data`, `wal` or `data+wal`.
    pub role: String,
    /// What was asked of it.
    pub demand: Demand,
    /// The same, for replay.
    pub series: Series,
    /// GiB of all its volumes together; `None` where nothing says.
    pub size_gib: Option<u64>,
    /// What the database would do elsewhere, or why that is not known.
    pub predictor: Result<Predictor, MissingInput>,
}

/// Each volume that the cluster is on now, and all of them together where there are several; on RDS, whose storage is one,
/// only that. With so many `sessions`, on an instance that carries so much; `size_gib` is what was asked for, of each role.
pub fn standings(
    window: &Window,
    platform: Platform,
    declared: &Declarations,
    (sessions, instance, size_gib): (Option<f64>, Option<Ceiling>, Option<u64>),
) -> Vec<CurrentState> {
    let several = window.current.len() > 1;
    let mut parts: Vec<&[usize]> = Vec::new();
    if several && !platform.is_rds() {
        parts.extend(window.current.iter().map(std::slice::from_ref));
    }
    parts.push(&window.current);
    let standing = |volumes: &[usize]| {
        let demand = match volumes {
            [volume] => Demand::from_window(window, *volume),
            _ => Demand::from_all_volumes(window),
        };
        let series = Series::new(&demand);
        let each = || volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume));
        CurrentState {
            role: each().map(Volume::role).collect::<Vec<_>>().join("+"),
            size_gib: SizeNeed::of_volumes(window, volumes, platform, size_gib, declared).size_gib,
            predictor: predict_part(window, volumes, (&demand, &series), declared)
                .map(|predictor| predictor.asked(sessions, instance)),
            demand,
            series,
        }
    };
    parts.into_iter().map(standing).collect()
}

/// What a part would do elsewhere.
pub fn predict_part(
    window: &Window,
    volumes: &[usize],
    demand: (&Demand, &Series),
    declared: &Declarations,
) -> Result<Predictor, MissingInput> {
    let each = volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume));
    let now = present(each, declared);
    let limited = plateau(window, volumes, demand.0, declared).map(|plateau| plateau.limited);
    Predictor::new(window, volumes, demand, limited, one_type(&now))
}
