//! Service times: how long a request takes on a type of volume while nothing waits, and who says so.

use ebs_aws::catalogue::{Promise, VolumeType};
use ebs_base::format::ms;
use ebs_prediction::predict::{Expected, Latency, Observed, Source};

/// What is known of latencies beside what is published.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Latencies {
    /// What the user measured of a read, seconds.
    read_s: Option<f64>,
    /// Of a write.
    write_s: Option<f64>,
    /// What the run measured of a read and of a write, on volumes of this type.
    measured: Option<(VolumeType, f64, f64)>,
}

/// What volumes of a type are, but for their limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Service {
    /// A read.
    pub read: Latency,
    /// A write.
    pub write: Latency,
    /// The less sure of their sources.
    pub source: Source,
    /// Where they come from, for people.
    pub basis: String,
    /// What the database would do if there were no limit.
    pub free: Option<Expected>,
}

/// One latency, and who says so.
struct Known {
    latency: Latency,
    source: Source,
}

impl Latencies {
    /// What a run measured on a volume of type `own`. At a limit it measured a queue.
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
    pub fn of(&self, volume_type: VolumeType) -> Option<Service> {
        let promise = volume_type.promise();
        let measured = self.measured.filter(|measured| measured.0 == volume_type);
        let read = known(
            self.read_s,
            measured.map(|measured| measured.1),
            [promise.read_low_ms, promise.read_ms, promise.read_high_ms],
        )?;
        let write = known(
            self.write_s,
            measured.map(|measured| measured.2),
            [promise.write_low_ms, promise.write_ms, promise.write_high_ms],
        )?;
        Some(Service {
            read: read.latency,
            write: write.latency,
            source: less_sure(read.source, write.source),
            basis: basis(&read, &write, promise),
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

fn less_sure(a: Source, b: Source) -> Source {
    [Source::Published, Source::Measured].into_iter().find(|source| [a, b].contains(source)).unwrap_or(Source::Given)
}

/// `published 0.60 to 0.91 ms a read, 0.65 to 0.95 ms a write, for gp3 (Percona 2021)`.
fn basis(read: &Known, write: &Known, promise: &Promise) -> String {
    let published = |known: &Known| match (known.latency.low_s * 1e3, known.latency.high_s * 1e3) {
        (low, high) if low == high => format!("{} ms", ms(low)),
        (low, high) => format!("{} to {} ms", ms(low), ms(high)),
    };
    let by = promise.latency_source.as_ref().map_or(String::new(), |source| format!(" ({source})"));
    let name = promise.volume_type.name();
    let one = |known: &Known| match known.source {
        Source::Published => format!("published {} for {name}{by}", published(known)),
        source => source.name().to_owned(),
    };
    match (read.source, write.source) {
        (Source::Published, Source::Published) => {
            format!("published {} a read, {} a write, for {name}{by}", published(read), published(write))
        }
        (read, write) if read == write => format!("latency {}", read.name()),
        _ => format!("reads {}, writes {}", one(read), one(write)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_comes_first_then_what_was_measured() {
        let measured = Some((VolumeType::Gp3, 0.7e-3, 0.0));
        let of = |latencies: Latencies, volume_type: VolumeType| {
            latencies.of(volume_type).map(|service| (service.read.middle_s, service.source, service.basis))
        };
        let given = Latencies { read_s: Some(1e-3), write_s: Some(2e-3), measured };
        assert_eq!(of(given, VolumeType::Gp3), Some((1e-3, Source::Given, "latency as given".to_owned())));
        // No write was measured.
        let found = of(Latencies { measured, ..Latencies::default() }, VolumeType::Gp3).unwrap();
        assert_eq!(found.1, Source::Published);
        assert_eq!(found.2, "reads as measured in this run, writes published 0.65 to 0.95 ms for gp3 (Percona 2021)");
        let published = of(Latencies { measured, ..Latencies::default() }, VolumeType::Io1).unwrap();
        assert_eq!(
            (published.0, published.2.as_str()),
            (0.5e-3, "published 0.50 to 0.60 ms a read, 0.50 to 0.73 ms a write, for io1 (Percona 2021)")
        );
        assert_eq!(of(Latencies::default(), VolumeType::St1), None);
        assert!(of(Latencies { read_s: Some(1e-2), write_s: Some(1e-2), measured: None }, VolumeType::St1).is_some());
    }
}
