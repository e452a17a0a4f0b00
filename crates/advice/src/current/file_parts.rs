//! The database's files in two parts, the data and WAL, each with its demand and its size.

use crate::current::current_state::CurrentState;
use crate::current::size::wal_size_gib;
use crate::current::wal_demand::{WalAmount, divide};
use crate::prediction::apart::PartTarget;
use crate::prediction::predictor::ios_per_request;
use crate::replay::{Measure, Series};
use ebs_aws::catalogue::{Ceiling, VolumeType};
use ebs_samples::evidence::{Role, Totals, Window};
use ebs_workload::demand::Demand;
use ebs_workload::volume_group::VolumeGroup;

/// A part of the database's files.
#[derive(Clone, Debug)]
pub struct FilePart {
    /// Its demand, unmet demand beyond a limit included.
    pub demand: Demand,
    /// Series of the demand, for replay and prediction.
    pub series: Series,
    /// I/Os that EBS counts for each request.
    pub ios_per_request: f64,
    /// Its size, GiB; `None` where that is not known.
    pub size_gib: Option<u64>,
}

/// The parts as they were recorded.
#[derive(Clone, Debug)]
pub struct FileParts {
    /// All but WAL.
    pub data: FilePart,
    /// WAL.
    pub wal: FilePart,
    /// True where WAL's share of a common volume is computed from PostgreSQL's counts.
    pub divided: bool,
}

impl FilePart {
    fn new(demand: Demand, series: Series, size_gib: Option<u64>) -> FilePart {
        FilePart { ios_per_request: ios_per_request(&series, &demand.total()), demand, series, size_gib }
    }

    fn from_state(state: &CurrentState) -> FilePart {
        FilePart::new(state.sized_demand().clone(), state.sized_series().clone(), state.size.size_gib)
    }

    fn from_demand(demand: Demand, size_gib: Option<u64>) -> FilePart {
        let series = Series::new(&demand);
        FilePart::new(demand, series, size_gib)
    }

    /// Volumes of a type with these limits together as the target of the part.
    pub fn target(&self, volume_type: VolumeType, ceiling: Ceiling) -> PartTarget<'_> {
        PartTarget { series: &self.series, ios_per_request: self.ios_per_request, volume_type, ceiling }
    }
}

impl FileParts {
    /// The parts of all current volumes: as counted where WAL has a volume of its own, else divided; `None` where PostgreSQL's counts
    /// of WAL are not known.
    pub fn new(
        window: &Window,
        all: &CurrentState,
        max_wal_bytes: Option<u64>,
        state: impl Fn(VolumeGroup) -> CurrentState,
    ) -> Option<FileParts> {
        let is_wal =
            |volume: &&usize| window.layout.volumes.get(**volume).is_some_and(|volume| volume.roles == [Role::Wal]);
        let (wal, data): (Vec<usize>, Vec<usize>) = window.current.iter().partition(is_wal);
        if wal.is_empty() || data.is_empty() {
            return FileParts::divide(all, &window.totals, max_wal_bytes);
        }
        let part = |volumes: &[usize]| FilePart::from_state(&state(VolumeGroup::from_volumes(window, volumes)));
        Some(FileParts { data: part(&data), wal: part(&wal), divided: false })
    }

    /// The largest share of the requests that [`Self::divide`] can give to WAL; `None` where PostgreSQL's counts of it are not known.
    pub fn max_wal_share(all: &CurrentState, totals: &Totals) -> Option<f64> {
        let (demand, requests) = (all.sized_demand(), all.sized_series().sum(Measure::Requests));
        let wal = WalAmount::from_demand(demand, totals, all.sized_scale())?;
        Some(wal.max_share(requests, demand.intervals.len()))
    }

    /// The parts of common volumes, divided by PostgreSQL's counts of WAL; `None` where these are not known. WAL's size follows from
    /// max_wal_size, the data keeps that of both.
    pub fn divide(all: &CurrentState, totals: &Totals, max_wal_bytes: Option<u64>) -> Option<FileParts> {
        let divided = divide(all.sized_demand(), totals, all.sized_scale())?;
        Some(FileParts {
            data: FilePart::from_demand(divided.data, all.size.size_gib),
            wal: FilePart::from_demand(divided.wal, max_wal_bytes.map(wal_size_gib)),
            divided: true,
        })
    }
}
