//! Service times: duration of a request on a type of volume while nothing waits, and its source.

use ebs_aws::catalogue::VolumeType;
use ebs_base::ramp::weighted_mean;
use ebs_prediction::predict::{DeliveredShare, Expected, Latency, Limits, Observed, Source, Target};
use ebs_prediction::saturation::{MeasuredLatency, ReachedLimit};

/// Latencies that were measured or given, and what the volumes of the run delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Latencies {
    /// Latency of a read as the user measured it, seconds.
    read_s: Option<f64>,
    /// Latency of a write as the user measured it, seconds.
    write_s: Option<f64>,
    /// Latencies of a read and of a write in the run, on volumes of this type.
    measured: Option<(VolumeType, RunLatency, RunLatency)>,
    /// Share of their limit that they delivered, on volumes of this type.
    delivered: Option<(VolumeType, DeliveredShare)>,
}

/// Latency of one kind of requests in the run.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RunLatency {
    /// Mean, seconds; zero where there were none.
    seconds: f64,
    /// Degree to which it is a queue's, so that the published one counts in its place, 0 to 1.
    queue_weight: f64,
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
    /// Share of their limits that such volumes delivered in the run; `None` where it is not known, or was all.
    pub delivered: Option<DeliveredShare>,
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
    /// Latencies of a run on volumes of this type, which may have been at a limit.
    pub fn from_run(observed: &Observed, volume_type: Option<VolumeType>, limit: Option<&ReachedLimit>) -> Latencies {
        let in_run = |own_s: f64, unqueued_ms: fn(MeasuredLatency) -> Option<f64>| match limit {
            None => RunLatency { seconds: own_s, queue_weight: 0.0 },
            Some(limit) => RunLatency::at_limit(own_s, limit, unqueued_ms),
        };
        let read = in_run(observed.read_await_s, |measured| measured.read_ms);
        let write = in_run(observed.write_await_s, |measured| measured.write_ms);
        Latencies {
            measured: volume_type.map(|volume_type| (volume_type, read, write)),
            delivered: volume_type.zip(limit.and_then(ReachedLimit::least_delivered)),
            ..Latencies::default()
        }
    }

    /// Sets the latencies of a read and of a write that the user measured, seconds.
    pub fn with_given(self, read_s: Option<f64>, write_s: Option<f64>) -> Latencies {
        Latencies { read_s, write_s, ..self }
    }

    /// Service of a type: its given latencies, or else the measured, or else the published ones; `None` where there are none.
    /// Where another type was measured, the published ones are scaled as its are, so that all types compare by one source.
    pub fn service(&self, volume_type: VolumeType) -> Option<Service> {
        let choose = |given_s, measured: Option<(VolumeType, RunLatency)>, published: fn(VolumeType) -> _| {
            let measured = measured.filter(|(_, run)| run.seconds > 0.0 && run.queue_weight < 1.0);
            let scale = measured.and_then(|(run_type, run)| {
                let queued = 1e3 * run.seconds / middle_ms(published(run_type))?;
                Some(queued.powf(1.0 - run.queue_weight))
            });
            let same = measured.filter(|(run_type, _)| *run_type == volume_type);
            let same = same.map(|(_, run)| blend(run.seconds, published(volume_type), run.queue_weight));
            choose_latency(given_s, same, scale, published(volume_type))
        };
        let read = choose(self.read_s, self.measured.map(|(one, read, _)| (one, read)), published_read_ms)?;
        let write = choose(self.write_s, self.measured.map(|(one, _, write)| (one, write)), published_write_ms)?;
        Some(Service {
            read: read.latency,
            write: write.latency,
            read_source: read.source,
            write_source: write.source,
            delivered: self.delivered.filter(|(run_type, _)| *run_type == volume_type).map(|(_, delivered)| delivered),
            unlimited: None,
        })
    }
}

impl RunLatency {
    /// Latency of a run that may have been at a limit. Seconds without a queue count, if there were any, by the weight of the limit. Otherwise
    /// the run's own latency counts where requests did not queue, the published one where they certainly did, and a mean of both in between, so
    /// that no prediction depends on which side of a threshold a latency lies.
    fn at_limit(own_s: f64, limit: &ReachedLimit, unqueued_ms: impl Fn(MeasuredLatency) -> Option<f64>) -> RunLatency {
        let (weight, measured_weight) = (limit.latency_weight(), limit.unqueued.measured_weight());
        let at_limit = limit.queue_weight().min(weight);
        let queue_weight = |measured: f64| measured_weight * measured + (1.0 - measured_weight) * at_limit;
        match limit.unqueued.measured.map(unqueued_ms) {
            Some(Some(ms)) => RunLatency {
                seconds: weighted_mean(own_s, ms / 1e3, weight * measured_weight),
                queue_weight: queue_weight(0.0),
            },
            // None of these requests was without a queue.
            Some(None) => RunLatency { seconds: own_s, queue_weight: queue_weight(weight) },
            None => RunLatency { seconds: own_s, queue_weight: at_limit },
        }
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

/// Mean of a measured latency and the published ones, by the weight of these: a geometric one, because factors of latencies count. The
/// measured one where none is published. It is called measured while it is mostly that.
fn blend(measured_s: f64, published_ms: [Option<f64>; 3], weight: f64) -> SourcedLatency {
    let end = |ms: Option<f64>| ms.map_or(measured_s, |ms| weighted_mean(measured_s, ms / 1e3, weight));
    let [low_s, middle_s, high_s] = published_ms.map(end);
    let latency = if weight > 0.0 { Latency { low_s, middle_s, high_s } } else { Latency::known(measured_s) };
    let is_measured = weight < 0.5 || middle_ms(published_ms).is_none();
    SourcedLatency { latency, source: if is_measured { Source::Measured } else { Source::Published } }
}

fn middle_ms([_, middle_ms, _]: [Option<f64>; 3]) -> Option<f64> {
    middle_ms
}

/// Chooses the best known latency: given, measured, or published, this times `scale` where another type was measured.
fn choose_latency(
    given_s: Option<f64>,
    measured: Option<SourcedLatency>,
    scale: Option<f64>,
    published_ms: [Option<f64>; 3],
) -> Option<SourcedLatency> {
    let from = |source| move |seconds| SourcedLatency { latency: Latency::known(seconds), source };
    let published = || {
        let [low, middle, high] = published_ms.map(|ms| ms.map(|ms| scale.unwrap_or(1.0) * ms / 1e3));
        let latency = Latency { low_s: low?, middle_s: middle?, high_s: high? };
        let source = if scale.is_some() { Source::Scaled } else { Source::Published };
        Some(SourcedLatency { latency, source })
    };
    given_s.map(from(Source::Given)).or(measured).or_else(published)
}

impl Service {
    /// Service with latencies of one source, without a prediction.
    pub fn new(read: Latency, write: Latency, source: Source) -> Service {
        Service { read, write, read_source: source, write_source: source, delivered: None, unlimited: None }
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
            wal: None,
            source: self.source(),
            volume: Limits::default(),
            delivered: self.delivered,
            instance: Limits::default(),
            sessions: None,
            added_s: 0.0,
            more_volumes: 1.0,
            is_closed: false,
        }
    }

    /// Weight of the open loop, 0 to 1: one where clients keep their own pace.
    pub(super) fn open_weight(&self) -> f64 {
        self.unlimited.map_or(0.0, |unlimited| 1.0 - unlimited.closed_weight)
    }

    /// The less certain of both sources.
    pub fn source(&self) -> Source {
        let sources = [self.read_source, self.write_source];
        let uncertain = [Source::Published, Source::Scaled, Source::Measured];
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

    /// Latencies on gp3, which are a queue's by this degree.
    fn run(read_s: f64, write_s: f64, queue_weight: f64) -> Option<(VolumeType, RunLatency, RunLatency)> {
        let latency = |seconds| RunLatency { seconds, queue_weight };
        Some((VolumeType::Gp3, latency(read_s), latency(write_s)))
    }

    #[test]
    fn what_was_given_comes_first_then_what_was_measured() {
        let measured = run(0.7e-3, 0.0, 0.0);
        let sources = |latencies: Latencies, volume_type: VolumeType| {
            let service = latencies.service(volume_type)?;
            Some((service.read.middle_s, service.read_source, service.write_source, service.source()))
        };
        let given = Latencies { read_s: Some(1e-3), write_s: Some(2e-3), measured, delivered: None };
        assert_eq!(sources(given, VolumeType::Gp3), Some((1e-3, Source::Given, Source::Given, Source::Given)));
        // No write was measured.
        let found = sources(Latencies { measured, ..Latencies::default() }, VolumeType::Gp3);
        assert_eq!(found, Some((0.7e-3, Source::Measured, Source::Published, Source::Published)));
        let unmeasured = sources(Latencies::default(), VolumeType::Io1);
        assert_eq!(unmeasured, Some((0.55e-3, Source::Published, Source::Published, Source::Published)));
        assert_eq!(Latencies::default().service(VolumeType::St1), None);
        let given = Latencies::default().with_given(Some(1e-2), Some(1e-2));
        assert!(given.service(VolumeType::St1).is_some());
    }

    /// gp3 at 1.48 ms, twice what is published: by the weight of the queue it is the volume's own, half of it by factors, or the queue's.
    #[test]
    fn a_latency_counts_by_as_much_as_it_is_no_queue() {
        let found = |queue_weight: f64, volume_type: VolumeType| {
            let latencies = Latencies { measured: run(1.48e-3, 1.58e-3, queue_weight), ..Latencies::default() };
            let read = latencies.service(volume_type).unwrap().read;
            ((read.middle_s * 1e5).round(), read.high_s > read.low_s)
        };
        let gp3 = [0.0, 0.5, 0.999].map(|weight| found(weight, VolumeType::Gp3));
        assert_eq!(gp3, [(148.0, false), (105.0, true), (74.0, true)]);
        let io1 = [0.0, 0.5, 0.999].map(|weight| found(weight, VolumeType::Io1).0);
        assert_eq!(io1, [110.0, 78.0, 55.0]);
    }

    /// gp3 is published with 0.74 ms a read and 0.79 a write, io1 with 0.55 and 0.60: where reads took 1.48 ms here, twice as
    /// long, they take twice 0.55 on io1, and writes of 0.395, half as long, half of 0.60. The faster type stays the faster.
    #[test]
    fn other_types_are_scaled_as_the_measured_one() {
        let (read_ms, write_ms) = (0.74, 0.79);
        let measured = run(2.0 * read_ms / 1e3, 0.5 * write_ms / 1e3, 0.0);
        let latencies = Latencies { measured, ..Latencies::default() };
        let io1 = latencies.service(VolumeType::Io1).unwrap();
        assert_eq!((io1.read_source, io1.write_source, io1.source()), (Source::Scaled, Source::Scaled, Source::Scaled));
        let close = |seconds: f64, ms: f64| (1e3 * seconds - ms).abs() < 1e-9;
        assert!(close(io1.read.middle_s, 1.1) && close(io1.write.middle_s, 0.3), "{io1:?}");
        let [low_ms, ..] = published_read_ms(VolumeType::Io1);
        assert!(close(io1.read.low_s, 2.0 * low_ms.unwrap()), "{io1:?}");
        let gp3 = latencies.service(VolumeType::Gp3).unwrap();
        assert_eq!((gp3.read_source, gp3.read), (Source::Measured, Latency::known(2.0 * read_ms / 1e3)));
        // Reads alone were measured.
        let reads = Latencies { measured: run(read_ms / 1e3, 0.0, 0.0), ..Latencies::default() };
        let io1 = reads.service(VolumeType::Io1).unwrap();
        assert_eq!(
            (io1.read_source, io1.write_source, io1.source()),
            (Source::Scaled, Source::Published, Source::Published)
        );
    }
}
