//! The server's load while the command runs: transactions a second, and requests to its volumes.

use serde::Deserialize;

use crate::volume_load::VolumeLoad;

/// Query of one sample. ebs_sample() stores nothing, needs no preloading, and measures from its last call in this session to now.
pub const SAMPLE_QUERY: &str = "SELECT pg_catalog.json_build_object(
    'transactions', (SELECT sum(xact_commit + xact_rollback) FROM pg_catalog.pg_stat_database),
    'at', extract(epoch FROM pg_catalog.clock_timestamp())::float8,
    'volumes', (SELECT pg_catalog.json_agg(s) FROM {call} s))::text AS value";

/// Answer to [`SAMPLE_QUERY`]. `None` is not known.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ServerSample {
    transactions: Option<f64>,
    /// Seconds since 1970.
    at: Option<f64>,
    volumes: Option<Vec<VolumeSample>>,
}

/// The columns of ebs_sample() that are shown.
#[derive(Default, Deserialize)]
#[serde(default)]
struct VolumeSample {
    volume: Option<String>,
    requests: Option<f64>,
    read_ms: Option<f64>,
    write_ms: Option<f64>,
}

/// Load between two samples. `None` is not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServerLoad {
    /// Transactions a second of all databases.
    pub tps: Option<f64>,
    /// The volume with the most requests.
    pub volume: Option<VolumeLoad>,
}

impl ServerLoad {
    /// The load from one sample to the next.
    pub fn from_samples(previous: Option<&ServerSample>, sample: &ServerSample) -> ServerLoad {
        ServerLoad { tps: transactions_per_s(previous, sample), volume: busiest_volume(sample) }
    }
}

fn transactions_per_s(previous: Option<&ServerSample>, sample: &ServerSample) -> Option<f64> {
    let previous = previous?;
    let (transactions, seconds) = (sample.transactions? - previous.transactions?, sample.at? - previous.at?);
    // After a reset of the counters, or with a clock that was set back, the rate is not known.
    (transactions >= 0.0 && seconds > 0.0).then(|| transactions / seconds)
}

fn busiest_volume(sample: &ServerSample) -> Option<VolumeLoad> {
    let volumes = sample.volumes.iter().flatten().filter_map(|volume| {
        Some(VolumeLoad {
            name: volume.volume.clone()?,
            iops: volume.requests?,
            read_ms: volume.read_ms,
            write_ms: volume.write_ms,
        })
    });
    volumes.max_by(|a, b| a.iops.total_cmp(&b.iops))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(sample: serde_json::Value) -> ServerSample {
        serde_json::from_value(sample).unwrap()
    }

    #[test]
    fn a_rate_needs_two_samples_and_counters_that_grow() {
        let sample = |transactions: u64, at: f64| parse(json!({ "transactions": transactions, "at": at }));
        assert_eq!(transactions_per_s(Some(&sample(100, 10.0)), &sample(500, 12.0)), Some(200.0));
        assert_eq!(transactions_per_s(None, &sample(500, 12.0)), None);
        assert_eq!(transactions_per_s(Some(&sample(100, 10.0)), &sample(5, 12.0)), None);
        assert_eq!(transactions_per_s(Some(&sample(100, 10.0)), &sample(500, 10.0)), None);
    }

    #[test]
    fn the_busiest_volume_is_described_as_far_as_it_is_known() {
        let sample = parse(json!({ "volumes": [
            { "volume": "vda", "requests": 3.0, "read_ms": 1.0, "write_ms": 1.0 },
            { "volume": "vdb", "requests": 3211.4, "read_ms": 0.42, "write_ms": null },
            { "volume": "vdc", "requests": null },
        ] }));
        assert_eq!(busiest_volume(&sample).unwrap().describe(), "vdb 3,211 IOPS, read 0.42 ms");
        assert_eq!(busiest_volume(&parse(json!({ "volumes": null }))), None);
    }
}
