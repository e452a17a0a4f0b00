//! Service times: how long a request takes on a type of volume while nothing waits, and who says so.

use ebs_aws::catalogue::VolumeType;
use ebs_prediction::predict::{Expected, Latency, Observed, Source};

/// Latencies that were measured or given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Latencies {
    /// Latency of a read as the user measured it, seconds.
    read_s: Option<f64>,
    /// Of a write.
    write_s: Option<f64>,
    /// Latencies of a read and of a write in the run, on volumes of this type.
    measured: Option<(VolumeType, f64, f64)>,
}

/// Service of volumes of a type, but for their limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Service {
    /// A read.
    pub read: Latency,
    /// A write.
    pub write: Latency,
    /// Source of the read latency.
    pub read_source: Source,
    /// Source of the write latency.
    pub write_source: Source,
    /// Predicted means of the database without a limit.
    pub free: Option<Expected>,
}

/// Service times of a prediction, and their sources.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyBasis {
    /// The type of the volumes.
    pub volume_type: VolumeType,
    /// Service time of a read.
    pub read: Latency,
    /// Source of it.
    pub read_source: Source,
    /// Service time of a write.
    pub write: Latency,
    /// Source of it.
    pub write_source: Source,
}

/// One latency, and who says so.
struct Known {
    latency: Latency,
    source: Source,
}

impl Latencies {
    /// Latencies of a run on a volume of type `own`; none of a saturated run, which measured a queue.
    pub fn measured(observed: &Observed, own: Option<VolumeType>) -> Latencies {
        let own = own.filter(|_| observed.limited.is_none());
        let measured = own.map(|own| (own, observed.read_await_s, observed.write_await_s));
        Latencies { measured, ..Latencies::default() }
    }

    /// The same, and what the user measured of a read and of a write, seconds.
    pub fn with(self, read_s: Option<f64>, write_s: Option<f64>) -> Latencies {
        Latencies { read_s, write_s, ..self }
    }

    /// Of a type: what was given, or else measured, or else published; `None` where nobody says.
    pub fn service(&self, volume_type: VolumeType) -> Option<Service> {
        let characteristics = volume_type.characteristics();
        let measured = self.measured.filter(|measured| measured.0 == volume_type);
        let read = known(
            self.read_s,
            measured.map(|measured| measured.1),
            [characteristics.read_low_ms, characteristics.read_ms, characteristics.read_high_ms],
        )?;
        let write = known(
            self.write_s,
            measured.map(|measured| measured.2),
            [characteristics.write_low_ms, characteristics.write_ms, characteristics.write_high_ms],
        )?;
        Some(Service {
            read: read.latency,
            write: write.latency,
            read_source: read.source,
            write_source: write.source,
            free: None,
        })
    }
}

/// A latency of zero was not measured: there was no such request.
fn known(given_s: Option<f64>, measured_s: Option<f64>, published_ms: [Option<f64>; 3]) -> Option<Known> {
    let of = |source| move |seconds| Known { latency: Latency::known(seconds), source };
    let published = || {
        let [low, middle, high] = published_ms.map(|ms| ms.map(|ms| ms / 1e3));
        let latency = Latency { low_s: low?, middle_s: middle?, high_s: high? };
        Some(Known { latency, source: Source::Published })
    };
    let measured = measured_s.filter(|seconds| *seconds > 0.0).map(of(Source::Measured));
    given_s.map(of(Source::Given)).or(measured).or_else(published)
}

impl Service {
    /// The less certain of both sources.
    pub fn source(&self) -> Source {
        let sources = [self.read_source, self.write_source];
        let uncertain = [Source::Published, Source::Measured];
        uncertain.into_iter().find(|source| sources.contains(source)).unwrap_or(Source::Given)
    }

    /// The latencies and their sources, for volumes of the type.
    pub fn basis(&self, volume_type: VolumeType) -> LatencyBasis {
        let Service { read, write, read_source, write_source, .. } = *self;
        LatencyBasis { volume_type, read, read_source, write, write_source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_comes_first_then_what_was_measured() {
        let measured = Some((VolumeType::Gp3, 0.7e-3, 0.0));
        let sources = |latencies: Latencies, volume_type: VolumeType| {
            let service = latencies.service(volume_type)?;
            Some((service.read.middle_s, service.read_source, service.write_source, service.source()))
        };
        let given = Latencies { read_s: Some(1e-3), write_s: Some(2e-3), measured };
        assert_eq!(sources(given, VolumeType::Gp3), Some((1e-3, Source::Given, Source::Given, Source::Given)));
        // No write was measured.
        let found = sources(Latencies { measured, ..Latencies::default() }, VolumeType::Gp3);
        assert_eq!(found, Some((0.7e-3, Source::Measured, Source::Published, Source::Published)));
        let published = sources(Latencies { measured, ..Latencies::default() }, VolumeType::Io1);
        assert_eq!(published, Some((0.5e-3, Source::Published, Source::Published, Source::Published)));
        assert_eq!(Latencies::default().service(VolumeType::St1), None);
        assert!(
            Latencies { read_s: Some(1e-2), write_s: Some(1e-2), measured: None }.service(VolumeType::St1).is_some()
        );
    }
}
