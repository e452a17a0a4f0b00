use super::*;
use crate::WeightedSample;
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;

fn seconds(values: impl IntoIterator<Item = f64>) -> Vec<WeightedSample> {
    values.into_iter().map(|value| WeightedSample { value, seconds: 1.0 }).collect()
}

fn bounds(samples: &[WeightedSample], p: f64, averaged_s: f64) -> QuantileBounds {
    Distribution::new(samples).bounds(p, averaged_s, averaged_s).unwrap()
}

fn high(samples: &[WeightedSample], p: f64, averaged_s: f64) -> f64 {
    bounds(samples, p, averaged_s).interval.high
}

/// Values 1 to n in an order in which large ones do not follow each other.
fn scattered(n: usize) -> Vec<WeightedSample> {
    let step = (1..).map(|k| (n as f64 * 0.618) as usize + k).find(|step| gcd(*step, n) == 1).unwrap();
    seconds((0..n).map(|i| (1 + i * step % n) as f64))
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Worked out by hand: 0.99^298 = 0.05004 and 0.99^299 = 0.04954, so that the maximum bounds p99 from 299 samples on; 0.05^(1/60) = 0.9513.
#[test]
fn the_maximum_bounds_the_99th_percentile_from_299_samples_on() {
    let evidence = |n| bounds(&scattered(n), 0.99, 1.0).evidence;
    assert_eq!((evidence(298).required, evidence(298).bounded.is_some(), evidence(299).bounded), (299, true, None));
    let sixty = evidence(60);
    assert_eq!((sixty.samples, sixty.effective), (60.0, 60.0));
    assert!((sixty.bounded.unwrap() - 0.9513).abs() < 1e-4, "{sixty:?}");
    // 95th percentile: 0.95^59 = 0.0485. 90th: 0.9^29 = 0.047.
    assert_eq!([0.95, 0.9].map(|p| required_samples(p).ceil()), [59.0, 29.0]);
}

/// Worked out by hand: 60 values from 1 to 60 have the median 30. The exponential tail from the quantile 0.9513 on: ln(0.5 / 0.01) = 3.912,
/// ln(0.5 / 0.0487) = 2.329, so 30 + (60 - 30) * 1.680 = 80.4.
#[test]
fn few_samples_add_an_exponential_tail_to_the_maximum() {
    assert!((high(&scattered(60), 0.99, 1.0) - 80.4).abs() < 0.05, "{}", high(&scattered(60), 0.99, 1.0));
    // The 95th percentile is bounded by the maximum: from 59 samples on.
    assert!((high(&scattered(60), 0.95, 1.0) - 60.0).abs() < 0.05);
    // A constant has no tail.
    assert_eq!(high(&seconds([1_000.0; 60]), 0.99, 1.0), 1_000.0);
}

/// A published table (David & Nagaraja, or R's qbinom): of 473 samples the second largest bounds p99 with 95 %
/// (P(Bin(473, 0.01) < 2) = 0.0499); of 1,000 the 15th from the top would hold with 87 %, the fifth with 97 %.
#[test]
fn more_samples_bound_by_a_lower_rank() {
    assert!((rank(0.01, 473.0, 0.95) - 2.0).abs() < 0.01, "{}", rank(0.01, 473.0, 0.95));
    let rank_of_1000 = rank(0.01, 1_000.0, 0.95);
    assert!((5.0..6.0).contains(&rank_of_1000), "{rank_of_1000}");
    // The normal approximation begins without a step.
    let [below, above] = [19_999.0, 20_001.0].map(|samples| rank(0.01, samples, 0.95));
    assert!((below - above).abs() < 0.5, "{below} {above}");
}

/// Near every number of samples the bound changes by less than 2 %, also where the maximum stands alone.
#[test]
fn one_sample_more_makes_no_step() {
    let mut lonely = scattered(700);
    lonely.iter_mut().for_each(|sample| sample.value = 1_000.0 + sample.value / 7.0);
    for averaged_s in [1.0, 300.0] {
        for n in 30..699 {
            let of = |n: usize| {
                let mut samples = lonely[..n].to_vec();
                samples[5].value = 2_000.0;
                samples.iter_mut().for_each(|sample| sample.seconds = averaged_s);
                high(&samples, 0.99, averaged_s)
            };
            let (fewer, more) = (of(n), of(n + 1));
            assert!((more / fewer - 1.0).abs() < 0.02, "{n} of {averaged_s} s: {fewer} {more}");
        }
    }
}

/// Neighbours that are alike: a level of ten seconds each. Above the 95th percentile of 1,200 seconds lie 60, in runs of ten:
/// 2 * 0.95 * 10 - 1 = 18, so that 1,200 samples are worth 66.7.
#[test]
fn dependent_samples_are_worth_fewer() {
    let levels = scattered(120);
    let samples: Vec<WeightedSample> = (0..1_200).map(|i| levels[i / 10]).collect();
    let evidence = bounds(&samples, 0.99, 1.0).evidence;
    assert!((evidence.effective - 1_200.0 / 18.0).abs() < 0.1, "{evidence:?}");
    assert_eq!(bounds(&scattered(1_200), 0.99, 1.0).evidence.effective, 1_200.0);
}

/// The samples of a downsampled span are groups of many seconds: 20 groups of 60 s are 1,200 samples.
#[test]
fn downsampled_seconds_count_as_seconds() {
    let groups: Vec<WeightedSample> =
        scattered(20).into_iter().map(|sample| WeightedSample { seconds: 60.0, ..sample }).collect();
    assert_eq!(bounds(&groups, 0.99, 1.0).evidence.samples, 1_200.0);
    assert_eq!(bounds(&groups, 0.99, 60.0).evidence.samples, 20.0);
}

/// Worked out by hand: six averages over ten minutes hide sqrt(1 - 600^-0.4) = 0.9605 of the deviation; ln(100) - 1 = 3.6052, and the weight
/// is (1/6 - 1/298.1) / (1 - 1/298.1) = 0.1639, so 1,000 * (1 + 3.6052 * 0.9605 * 0.1639) = 1,567. Of up to five it is the assumption.
#[test]
fn a_single_coarse_sample_is_widened_and_more_of_them_narrow_it() {
    let averages = |n: usize| vec![WeightedSample { value: 1_000.0, seconds: 600.0 }; n];
    let of = |n| high(&averages(n), 0.99, 600.0).round();
    assert_eq!([1, 2, 5, 6].map(of), [1_667.0, 1_667.0, 1_667.0, 1_567.0]);
    assert!(of(24) < 1_200.0 && of(299) == 1_000.0, "{} {}", of(24), of(299));
    // From averages over two seconds to single ones there is no step.
    let lengths =
        [2.0, 1.06, 1.01, 1.0].map(|length| high(&[WeightedSample { value: 1_000.0, seconds: length }], 0.99, length));
    assert!(lengths.windows(2).all(|pair| pair[0] > pair[1]) && lengths[3] == 1_000.0, "{lengths:?}");
}

/// A shorter average hides less: of the same mean it is sized for no more than a longer one.
#[test]
fn a_longer_average_has_no_lower_bound() {
    let lengths = std::iter::successors(Some(1.0), |length| Some(length * 1.05)).take_while(|length| *length < 1e5);
    let bounds: Vec<f64> = lengths.map(|length| high(&averages(&[1_000.0], length), 0.99, length)).collect();
    assert!(bounds.windows(2).all(|pair| pair[0] <= pair[1] * (1.0 + 1e-9)), "{bounds:?}");
}

/// Averages of these values, over so many seconds each.
fn averages(values: &[f64], seconds: f64) -> Vec<WeightedSample> {
    values.iter().map(|&value| WeightedSample { value, seconds }).collect()
}

/// The peak within an average of half an hour or more counts for two thirds more than the greatest of them, however few there are, and however
/// much they differ; twice as much with a headroom of 20 %.
#[test]
fn peaks_within_half_an_hour_are_an_assumption_and_no_model() {
    for seconds in [1_800.0, 3_600.0, 86_400.0] {
        for values in [&[4_467.0][..], &[4_467.0, 1_100.0], &[1_100.0, 4_467.0, 2_000.0, 800.0, 3_000.0]] {
            for p in [0.99, 1.0] {
                let of = high(&averages(values, seconds), p, seconds) / 4_467.0;
                assert!((1.0..=1.667).contains(&of), "{} of {seconds} s: {of}", values.len());
            }
        }
        assert!((high(&averages(&[1_000.0], seconds), 0.99, seconds) * 1.2 - 2_000.0).abs() < 0.1);
    }
}

/// Sixty averages of a minute, and twelve of five, have the bound of the model, as before.
#[test]
fn short_averages_keep_the_model() {
    let of = |n, seconds| high(&averages(&vec![1_000.0; n], seconds), 0.99, seconds).round();
    assert_eq!((of(60, 60.0), of(12, 300.0)), (1_043.0, 1_274.0));
    // Mean 1,500, greatest 2,000, 3.13 times as far above it.
    let differing: Vec<f64> = (0..60).map(|n| if n % 2 == 0 { 1_000.0 } else { 2_000.0 }).collect();
    assert!((high(&averages(&differing, 300.0), 0.99, 300.0) - 3_064.6).abs() < 1.0);
}

/// One per cent more of the interval changes the bound by at most 5 %, of few averages as of many, equal or not.
#[test]
fn no_length_of_the_interval_is_an_edge() {
    for values in
        [&[1_000.0][..], &[1_000.0; 2], &[4_467.0, 1_100.0], &[1_000.0; 5], &[900.0, 2_000.0, 400.0, 700.0, 1_200.0]]
    {
        let lengths =
            || std::iter::successors(Some(1.5), |length| Some(length * 1.01)).take_while(|length| *length < 1e5);
        let bounds: Vec<f64> = lengths().map(|length| high(&averages(values, length), 0.99, length)).collect();
        let steps = bounds.windows(2).map(|pair| (pair[1] / pair[0] - 1.0).abs());
        assert!(steps.clone().all(|step| step <= 0.05), "{values:?}: {:?}", steps.max_by(f64::total_cmp));
    }
}

/// Averaging and few samples do not multiply: the greater of the two counts.
#[test]
fn the_greater_of_averaging_and_tail_counts() {
    let samples: Vec<WeightedSample> =
        scattered(60).into_iter().map(|s| WeightedSample { value: 1_000.0 + s.value, seconds: 300.0 }).collect();
    // Mean 1,030.5, maximum 1,060: 1,030.5 + 29.5 * 3.129 = 1,122.8; the tail alone gives 1,080.4; the hidden peak
    // 1,030.5 * (1 + 3.605 * 0.9476 * 0.01337) = 1,077.6.
    assert!((high(&samples, 0.99, 300.0) - 1_122.8).abs() < 0.2, "{}", high(&samples, 0.99, 300.0));
}

fn exponential(n: usize, memory: f64, seed: u64) -> Vec<WeightedSample> {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut level = 1.0;
    let mut next = || {
        let uniform = (random.next_u64() as f64 + 1.0) / (u64::MAX as f64 + 2.0);
        level = memory * level - (1.0 - memory) * uniform.ln();
        level
    };
    seconds((0..n + 50).map(|_| next()).skip(50).collect::<Vec<_>>())
}

/// Exponential seconds have the p99 ln(100) = 4.605: few or many, the bound is above it in about 95 of 100 cases.
#[test]
fn the_bound_holds_about_as_often_as_it_says() {
    for n in [30, 60, 150, 299, 600, 1_200] {
        let holds = (0..400).filter(|seed| high(&exponential(n, 0.0, *seed), 0.99, 1.0) >= 100f64.ln()).count();
        assert!((360..=399).contains(&holds), "{n} samples: {holds} of 400");
    }
}

#[test]
fn the_bound_holds_for_dependent_samples_too() {
    let truth = crate::quantile(&exponential(400_000, 0.7, 99_999), 0.99).unwrap();
    for n in [120, 600, 1_200] {
        let holds = (0..200).filter(|seed| high(&exponential(n, 0.7, *seed), 0.99, 1.0) >= truth).count();
        assert!(holds >= 170, "{n} samples: {holds} of 200");
    }
}

/// The maximum of 600 seconds is seen, and nothing above it; of 60 the 99th percentile may lie above it (ln 50 / ln 10.3 = 1.68 of
/// its distance from the median), and no higher one is taken to lie further.
#[test]
fn no_percentile_is_modelled_beyond_the_99th() {
    let burst = seconds(std::array::from_fn::<_, 600, _>(|i| if i == 300 || i == 301 { 40_000.0 } else { 90.0 }));
    assert_eq!(high(&burst, 1.0, 1.0), 40_000.0);
    assert_eq!(high(&burst, 0.999, 1.0), 40_000.0);
    let few = scattered(60);
    assert_eq!(high(&few, 1.0, 1.0), high(&few, 0.99, 1.0));
}

proptest! {
    /// More samples of the same distribution never raise the upper bound.
    #[test]
    fn more_evidence_never_widens(
        values in prop::collection::vec(0f64..1e5, 1..120), p in 0.5f64..0.9999, averaged_s in 1f64..4_000.0, times in 2usize..8,
    ) {
        let p = if p > 0.999 { 1.0 } else { p };
        let once: Vec<WeightedSample> =
            values.into_iter().map(|value| WeightedSample { value, seconds: averaged_s }).collect();
        let more = once.repeat(times);
        let (before, after) = (high(&once, p, averaged_s), high(&more, p, averaged_s));
        prop_assert!(after <= before * (1.0 + 1e-9), "{} {}", before, after);
    }

    /// A lower quantile never has a higher bound.
    #[test]
    fn a_lower_quantile_has_no_higher_bound(
        values in prop::collection::vec(0f64..1e5, 1..500), p in 0.5f64..1.0, q in 0.5f64..1.001, averaged_s in 1f64..4_000.0,
    ) {
        let samples: Vec<WeightedSample> =
            values.into_iter().map(|value| WeightedSample { value, seconds: averaged_s }).collect();
        let (lower, higher) = (high(&samples, p.min(q), averaged_s), high(&samples, p.max(q), averaged_s));
        prop_assert!(lower <= higher * (1.0 + 1e-9), "{lower} {higher}");
    }

    /// The bounds contain the observed quantile.
    #[test]
    fn the_bounds_contain_the_quantile(values in prop::collection::vec(0f64..1e5, 1..400), p in 0.5f64..0.9999) {
        let samples = seconds(values);
        let observed = crate::quantile(&samples, p).unwrap();
        let interval = bounds(&samples, p, 1.0).interval;
        prop_assert!(interval.low <= observed * (1.0 + 1e-9) && observed <= interval.high * (1.0 + 1e-9), "{interval:?} {observed}");
    }
}

proptest! {
    /// Found without an order, the maximum has the bound that it has in one.
    #[test]
    fn the_maximum_has_the_same_bound_without_an_order(
        samples in prop::collection::vec((0u32..5_000, 1u32..90), 1..400),
        averaged_s in prop::sample::select(vec![0.0, 1.0, 300.0]),
    ) {
        let sample = |(value, seconds): &(u32, u32)| WeightedSample { value: f64::from(*value) / 7.0, seconds: f64::from(*seconds) };
        let samples: Vec<WeightedSample> = samples.iter().map(sample).collect();
        let found = maximum_bound(&samples, averaged_s, averaged_s, Pause::default());
        prop_assert_eq!(found, Some(high(&samples, 1.0, averaged_s)));
    }
}
