//! Length of the interval that each event stands for.

use super::reading::OsReading;
use ebs_base::units::SECOND_US;

/// Intervals that Enhanced Monitoring has, seconds.
const NOMINAL_S: [f64; 6] = [1.0, 5.0, 10.0, 15.0, 30.0, 60.0];

/// Seconds by which two times of whole seconds may be wrong.
const ROUNDING_S: f64 = 0.6;

/// Factor of an interval up to which a distance of two events is one interval.
const TOLERANCE: f64 = 1.25;

/// Longest distance of two events that is one interval, seconds.
const MAX_S: f64 = 60.0 * TOLERANCE;

/// Lengths of the intervals of these readings, which are in time order, microseconds. An interval ends with its reading and is as
/// long as the bytes of the interval over their rate say, or else as the distance to the reading before. A greater distance is a gap
/// before it, whose counts are not known. Without either the last length counts, since an instance keeps its interval until somebody
/// changes it.
pub(super) fn lengths(readings: &[OsReading]) -> Vec<i64> {
    let mut lengths = Vec::with_capacity(readings.len());
    let mut last_s: Option<f64> = None;
    let mut distance_s = None;
    for (index, reading) in readings.iter().enumerate() {
        let next_s = readings.get(index + 1).map(|next| seconds(next.at_us - reading.at_us));
        let length_s = length(distance_s, reading.hint_s.map(f64::from), last_s, next_s);
        last_s = length_s.or(last_s);
        distance_s = next_s;
        lengths.push((length_s.unwrap_or(0.0) * SECOND_US as f64).round() as i64);
    }
    lengths
}

fn seconds(us: i64) -> f64 {
    us as f64 / SECOND_US as f64
}

fn length(distance_s: Option<f64>, hint_s: Option<f64>, last_s: Option<f64>, next_s: Option<f64>) -> Option<f64> {
    let fits = |distance_s: f64, length_s: f64| distance_s <= TOLERANCE * length_s + ROUNDING_S;
    match (distance_s, hint_s) {
        (Some(distance_s), Some(hint_s)) if fits(distance_s, hint_s) => Some(distance_s),
        (_, Some(hint_s)) => Some(nominal(hint_s)),
        (Some(distance_s), None) => match (last_s, next_s) {
            (Some(last_s), _) if fits(distance_s, nominal(last_s)) => Some(distance_s),
            // The interval has changed: the next event is as far away.
            (_, Some(next_s)) if distance_s <= MAX_S && fits(distance_s, next_s) && fits(next_s, distance_s) => {
                Some(distance_s.min(nominal(next_s)))
            }
            (Some(last_s), _) => Some(nominal(last_s).min(distance_s)),
            (None, _) => (distance_s <= MAX_S).then_some(distance_s),
        },
        (None, None) => next_s.filter(|next_s| *next_s <= MAX_S),
    }
}

/// The nearest interval that there is; the length itself where none is near.
fn nominal(length_s: f64) -> f64 {
    let near = |nominal: &&f64| length_s <= TOLERANCE * **nominal && **nominal <= TOLERANCE * length_s;
    NOMINAL_S.iter().find(near).copied().unwrap_or(length_s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitoring::rds_os::load::Load;

    fn readings(events: &[(f64, Option<f32>)]) -> Vec<OsReading> {
        let reading = |&(second, hint_s): &(f64, Option<f32>)| OsReading {
            at_us: (second * SECOND_US as f64) as i64,
            hint_s,
            busy_pct: None,
            vcpus: 0,
            data: Load::default(),
            log: None,
            space: None,
        };
        events.iter().map(reading).collect()
    }

    fn lengths_s(events: &[(f64, Option<f32>)]) -> Vec<f64> {
        lengths(&readings(events)).into_iter().map(|us| us as f64 / SECOND_US as f64).collect()
    }

    #[test]
    fn intervals_are_distances_and_gaps_are_not() {
        let idle = |seconds: &[f64]| lengths_s(&seconds.iter().map(|second| (*second, None)).collect::<Vec<_>>());
        assert_eq!(idle(&[1.0, 2.0, 3.0, 9.0, 10.0]), [1.0; 5]);
        assert_eq!(idle(&[60.0, 120.0, 180.0, 900.0]), [60.0; 4]);
        // From a minute to a second and back.
        assert_eq!(idle(&[60.0, 120.0, 121.0, 122.0, 182.0, 242.0]), [60.0, 60.0, 1.0, 1.0, 60.0, 60.0]);
    }

    #[test]
    fn bytes_over_their_rate_tell_a_gap_from_a_long_interval() {
        assert_eq!(lengths_s(&[(60.0, Some(59.98)), (120.0, Some(60.0))]), [60.0, 60.0]);
        assert_eq!(lengths_s(&[(1.0, Some(1.0)), (31.0, Some(1.0)), (61.0, Some(30.0))]), [1.0, 1.0, 30.0]);
        // One event alone, whose bytes are known.
        assert_eq!(lengths_s(&[(1.0, Some(9.9))]), [10.0]);
        assert_eq!(lengths_s(&[(1.0, None)]), [0.0]);
    }

    /// Whole seconds of a sampler that is a little slower than a second.
    #[test]
    fn a_second_that_is_jumped_over_is_a_gap() {
        assert_eq!(lengths_s(&[(1.0, Some(1.0)), (2.0, Some(1.0)), (4.0, Some(1.01)), (5.0, Some(1.0))]), [1.0; 4]);
    }
}
