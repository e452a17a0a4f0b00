//! Service times: duration of a request on a type of volume while nothing waits, and its source.

use ebs_aws::catalogue::VolumeType;
use ebs_prediction::predict::{Expected, Latency, Limits, Observed, Source, Target};

/// Latencies that were measured or given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Latencies {
    /// Latency of a read as the user measured it, seconds.
    read_s: Option<f64>,
    /// Latency of a write as the user measured it, seconds.
    write_s: Option<f64>,
    /// Latencies of a read and of a write in the run, on volumes of this type.
    measured: Option<(VolumeType, f64, f64)>,
}

/// Service of volumes of a type, without their limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Service {
    /// Service time of a read.
    pub read: Latency,
    /// Service time of a write.
    pub write: Latency,
    /// Source of the read latency.
    pub read_source: Source,
    /// Source of the write latency.
    pub write_source: Source,
    /// Predicted means of the database without a limit.
    pub unlimited: Option<Expected>,
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

/// A latency and its source.
struct SourcedLatency {
    latency: Latency,
    source: Source,
}

impl Latencies {
    /// Latencies of a run on volumes of this type; none of a saturated run, which measured a queue.
    pub fn from_run(observed: &Observed, volume_type: Option<VolumeType>) -> Latencies {
        let volume_type = volume_type.filter(|_| observed.limited.is_none());
        let measured = volume_type.map(|volume_type| (volume_type, observed.read_await_s, observed.write_await_s));
        Latencies { measured, ..Latencies::default() }
    }

    /// Sets the latencies of a read and of a write that the user measured, seconds.
    pub fn with_given(self, read_s: Option<f64>, write_s: Option<f64>) -> Latencies {
        Latencies { read_s, write_s, ..self }
    }

    /// Service of a type: its given latencies, or else the measured, or else the published ones; `None` where there are none.
    pub fn service(&self, volume_type: VolumeType) -> Option<Service> {
        let measured = self.measured.filter(|measured| measured.0 == volume_type);
        let read = choose_latency(self.read_s, measured.map(|measured| measured.1), published_read_ms(volume_type))?;
        let write = choose_latency(self.write_s, measured.map(|measured| measured.2), published_write_ms(volume_type))?;
        Some(Service {
            read: read.latency,
            write: write.latency,
            read_source: read.source,
            write_source: write.source,
            unlimited: None,
        })
    }
}

/// Published latency of a read, ms: low, middle and high.
pub fn published_read_ms(volume_type: VolumeType) -> [Option<f64>; 3] {
    let characteristics = volume_type.characteristics();
    [characteristics.read_low_ms, characteristics.read_ms, characteristics.read_high_ms]
}

/// Published latency of a write, ms: low, middle and high.
pub fn published_write_ms(volume_type: VolumeType) -> [Option<f64>; 3] {
    let characteristics = volume_type.characteristics();
    [characteristics.write_low_ms, characteristics.write_ms, characteristics.write_high_ms]
}

/// Chooses the best known latency. A measured latency of zero counts as none: there was no such request.
fn choose_latency(
    given_s: Option<f64>,
    measured_s: Option<f64>,
    published_ms: [Option<f64>; 3],
) -> Option<SourcedLatency> {
    let from = |source| move |seconds| SourcedLatency { latency: Latency::known(seconds), source };
    let published = || {
        let [low, middle, high] = published_ms.map(|ms| ms.map(|ms| ms / 1e3));
        let latency = Latency { low_s: low?, middle_s: middle?, high_s: high? };
        Some(SourcedLatency { latency, source: Source::Published })
    };
    let measured = measured_s.filter(|seconds| *seconds > 0.0).map(from(Source::Measured));
    given_s.map(from(Source::Given)).or(measured).or_else(published)
}

impl Service {
    /// Service with latencies of one source, without a prediction.
    pub fn new(read: Latency, write: Latency, source: Source) -> Service {
        Service { read, write, read_source: source, write_source: source, unlimited: None }
    }

    /// Target of a prediction with these mean latencies, seconds, without limits.
    pub fn unlimited_target(read_s: f64, write_s: f64) -> Target {
        Service::new(Latency::known(read_s), Latency::known(write_s), Source::Measured).target()
    }

    /// Target of a prediction with these latencies, without limits.
    pub fn target(&self) -> Target {
        Target {
            read: self.read,
            write: self.write,
            source: self.source(),
            volume: Limits::default(),
            instance: Limits::default(),
            sessions: None,
            added_s: 0.0,
        }
    }

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
