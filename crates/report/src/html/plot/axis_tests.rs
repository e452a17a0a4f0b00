use super::*;

fn labels(axis: &Axis) -> Vec<&str> {
    axis.ticks.iter().map(|(_, text)| text.as_str()).collect()
}

#[test]
fn figures_are_round_and_hold_what_is_shown() {
    let axis = Axis::from_zero(16_157.0, 5);
    assert_eq!((axis.high, labels(&axis)), (20_000.0, vec!["0", "5,000", "10,000", "15,000", "20,000"]));
    assert_eq!(labels(&Axis::from_zero(0.93, 5)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
    assert_eq!(labels(&Axis::from_zero(0.0, 5))[0], "0");
    let ratio = Axis::logarithmic(0.5, 4.0, 7);
    assert_eq!(labels(&ratio), ["0.5", "0.7", "1", "1.5", "2", "3"]);
}

#[test]
fn what_lies_outside_is_at_the_nearer_end() {
    let axis = Axis::from_zero(4.0, 4);
    assert_eq!([-1.0, 0.0, 1.0, 4.0, 9.0].map(|at| axis.share(at)), [0.0, 0.0, 0.25, 1.0, 1.0]);
}

#[test]
fn moments_are_round_in_the_readers_time() {
    // 2026-01-01 00:00:24 UTC is 00:59:24 at UTC+00:59.
    let utc_offset = UtcOffset::from_seconds(3_540);
    let from_us = 1_767_225_624_000_000;
    let axis = Axis::time(from_us, from_us + 60_000_000, &utc_offset, 6);
    assert_eq!(labels(&axis), ["00:59:30", "00:59:40", "00:59:50", "01:00:00", "01:00:10", "01:00:20"]);
    assert_eq!(axis.ticks[0].0, 6.0);
    let days = Axis::time(from_us, from_us + 14 * 86_400_000_000, &UtcOffset::default(), 8);
    assert_eq!(labels(&days), ["01-03", "01-05", "01-07", "01-09", "01-11", "01-13", "01-15"]);
}
