use super::*;

const SECOND_US: i128 = 1_000_000;
const DAY_US: i128 = 86_400 * SECOND_US;

fn lookback(us: i128) -> Lookback {
    Lookback::from_us(us).unwrap()
}

#[test]
fn a_look_back_is_longer_than_zero_and_at_most_ten_years() {
    assert_eq!(Lookback::from_us(0), None);
    assert_eq!(Lookback::from_us(-1), None);
    assert_eq!(Lookback::from_us(1).map(Lookback::us), Some(1));
    assert_eq!(Lookback::from_us(3_660 * DAY_US).map(|lookback| i128::from(lookback.us())), Some(3_660 * DAY_US));
    assert_eq!(Lookback::from_us(3_660 * DAY_US + 1), None);
    assert_eq!(Lookback::from_us(i128::MAX), None);
}

#[test]
fn it_is_shown_in_the_largest_unit_of_which_it_is_a_multiple() {
    let shown = |us| (lookback(us).to_interval(), lookback(us).to_string());
    let expect = |interval: &str, words: &str| (interval.to_owned(), words.to_owned());
    assert_eq!(shown(14 * DAY_US), expect("14 days", "the last 14 days"));
    assert_eq!(shown(DAY_US), expect("1 day", "the last day"));
    assert_eq!(shown(DAY_US / 24), expect("1 hour", "the last hour"));
    assert_eq!(shown(90 * 60 * SECOND_US), expect("90 minutes", "the last 90 minutes"));
    assert_eq!(shown(60 * SECOND_US), expect("1 minute", "the last minute"));
    assert_eq!(shown(59 * SECOND_US), expect("59 seconds", "the last 59 seconds"));
    assert_eq!(Lookback::DEFAULT, lookback(14 * DAY_US));
}
