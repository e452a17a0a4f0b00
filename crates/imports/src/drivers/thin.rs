//! A series of many points as one of fewer.

use super::event::Progress;
use super::percentile::Percentile;

/// Returns at most this many points: neighbours are joined, with the mean of each figure and the sum of failures. A figure that
/// only some of them have is the mean of those.
pub fn thin(series: &[Progress], most: usize) -> Vec<Progress> {
    let together = series.len().div_ceil(most.max(1)).max(1);
    series.chunks(together).map(merged).collect()
}

fn merged(points: &[Progress]) -> Progress {
    let last = points.last().copied().unwrap_or_default();
    let mean = |of: fn(&Progress) -> Option<f64>| {
        let known: Vec<f64> = points.iter().filter_map(of).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    };
    let failed: Vec<f64> = points.iter().filter_map(|point| point.failed).collect();
    Progress {
        elapsed_s: last.elapsed_s,
        epoch_s: last.epoch_s,
        tps: mean(|point| point.tps),
        tpm: mean(|point| point.tpm),
        nopm: mean(|point| point.nopm),
        latency_ms: mean(|point| point.latency_ms),
        percentile: percentile(points),
        failed: (!failed.is_empty()).then(|| failed.iter().sum()),
    }
}

/// The percentile of one point; those of several cannot be joined.
fn percentile(points: &[Progress]) -> Option<Percentile> {
    if let [point] = points { point.percentile } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_become_one() {
        let point = |at: u32, latency_ms| Progress {
            elapsed_s: Some(f64::from(at)),
            tps: Some(f64::from(at)),
            failed: Some(1.0),
            latency_ms,
            ..Progress::default()
        };
        let series = [point(1, Some(2.0)), point(2, None), point(3, None)];
        assert_eq!(thin(&series, 3), series);
        let [pair, single] = thin(&series, 2)[..] else { panic!("not two points") };
        assert_eq!(
            (pair.elapsed_s, pair.tps, pair.latency_ms, pair.failed),
            (Some(2.0), Some(1.5), Some(2.0), Some(2.0))
        );
        assert_eq!((single.latency_ms, single.failed), (None, Some(1.0)));
        assert!(thin(&[], 2).is_empty());
    }
}
