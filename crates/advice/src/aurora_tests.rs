use super::*;
use proptest::prelude::*;

type Points = BTreeMap<i64, f64>;

fn usd(text: &str) -> Usd {
    text.parse().unwrap()
}

fn rates(instances_hour: Option<&str>) -> AuroraRates {
    AuroraRates {
        standard_storage: usd("0.10"),
        requests_million: usd("0.20"),
        optimized_storage: usd("0.225"),
        instances_hour: instances_hour.map(usd),
        optimized_instances_hour: None,
        optimized_instances_pct: Some(30),
    }
}

/// Hours with these counts, from 1970 on.
fn hourly(counts: impl IntoIterator<Item = f64>) -> Points {
    (0..).step_by(3_600).zip(counts).collect()
}

fn advise(reads: &Points, writes: &Points, gib: Option<f64>, rates: &AuroraRates) -> AuroraAdvice {
    let used_bytes = gib.map(|gib| (0, gib * GIB as f64)).into_iter().collect();
    aurora_advice(&AuroraDemand { period_s: Some(3_600), reads, writes, used_bytes: &used_bytes }, rates, &|| ())
}

/// AWS's example (agent-toolkit-for-aws, io-optimized-worked-examples.md): two db.r6g.2xlarge at $1.038 an hour, 800 GiB, 1.2 billion
/// requests a month: $1,835 on Standard, of which requests 13.1 %, and $2,150 on I/O-Optimized.
#[test]
fn the_example_of_aws_comes_out() {
    let month = hourly((0..730).map(|_| 0.6e9 / 730.0));
    let advice = advise(&month, &month, Some(800.0), &rates(Some("2.076")));
    let parts = |option: AuroraOption| [option.instances, option.storage, option.requests].map(Option::unwrap);
    assert_eq!(parts(advice.standard), [usd("1515.48"), usd("80"), usd("240")]);
    assert_eq!(parts(advice.optimized), [usd("1970.124"), usd("180"), usd("0")]);
    assert_eq!(advice.cheaper(), Some(AuroraStorage::Standard));
    assert!((advice.request_share().unwrap() - 0.1308).abs() < 1e-4);
    // (454.644 + 100) / 0.20 million requests; of $2,150.124 that is 25.8 %, the rule's 25.
    assert_eq!(advice.break_even_requests, Some(2_773_220_000));
    assert!((advice.break_even_share.unwrap() - 554.644 / 2150.124).abs() < 1e-12);
    // Counts of this month are not whole: sums would be.
    assert_eq!(advice.limitations, [AuroraLimitation::NotWhole]);
}

#[test]
fn a_missing_metric_leaves_only_its_figure_unknown() {
    let (counts, none) = (hourly([1e6; 720]), Points::new());
    let priced = rates(Some("2"));
    let no_writes = advise(&counts, &none, Some(100.0), &priced);
    assert_eq!((no_writes.standard.requests, no_writes.standard.total(), no_writes.cheaper()), (None, None, None));
    assert_eq!(no_writes.optimized.total(), Some(usd("1920.5")));
    assert!(no_writes.break_even_requests.is_some());
    assert_eq!(no_writes.limitations, [AuroraLimitation::MissingMetric("VolumeWriteIOPs")]);
    let no_size = advise(&counts, &counts, None, &priced);
    assert_eq!((no_size.standard.storage, no_size.break_even_requests, no_size.cheaper()), (None, None, None));
    assert_eq!(no_size.standard.requests, Some(usd("292")));
    assert_eq!(no_size.limitations, [AuroraLimitation::MissingMetric("VolumeBytesUsed")]);
}

/// Requests cost $292, 100 GiB $12.50 more: with instances of less than 279.50 / 0.3 a month I/O-Optimized is cheaper.
#[test]
fn without_the_price_of_instances_their_bound_is_known() {
    let counts = hourly([1e6; 720]);
    let bound = |gib| match &advise(&counts, &counts, Some(gib), &rates(None)).limitations[..] {
        [AuroraLimitation::InstancesUnknown { cheaper_below }] => cheaper_below.map(Usd::cents),
        other => panic!("{other:?}"),
    };
    assert_eq!(bound(100.0), Some(93_167));
    assert_eq!(bound(10_000.0), Some(0));
    let elsewhere = AuroraRates { optimized_instances_pct: None, ..rates(Some("2")) };
    let advice = advise(&counts, &counts, Some(100.0), &elsewhere);
    assert_eq!(advice.limitations, [AuroraLimitation::OptimizedInstancesUnknown]);
    assert!(advice.standard.total().is_some() && advice.optimized.total().is_none());
    let given = AuroraRates { optimized_instances_hour: Some(usd("2.5")), ..elsewhere };
    assert_eq!(advise(&counts, &counts, Some(100.0), &given).optimized.instances, Some(usd("1825")));
}

#[test]
fn the_length_of_the_period_is_doubted() {
    let named = |hours: usize, skip: Option<usize>| {
        let reads = hourly((0..hours).map(|hour| 1e6 + (hour / 24 % 7) as f64 * 1e5));
        let mut writes = reads.clone();
        if let Some(every) = skip {
            writes.retain(|second, _| second / 3_600 % every as i64 != 1);
        }
        let advice = advise(&reads, &writes, Some(100.0), &rates(Some("20")));
        (advice.requests.unwrap().interval.is_some(), advice.limitations)
    };
    assert_eq!(named(48, None), (false, vec![AuroraLimitation::ShortPeriod { days: 2.0 }]));
    assert_eq!(named(14 * 24, None), (true, vec![AuroraLimitation::Extrapolated { days: 14.0 }]));
    assert_eq!(named(31 * 24, None), (true, vec![]));
    let (_, found) = named(31 * 24, Some(4));
    assert_eq!(found, [AuroraLimitation::Gaps { share: 0.25 }]);
}

#[test]
fn an_interval_that_contains_the_break_even_decides_nothing() {
    let reads = hourly((0..31 * 24).map(|hour| if hour / 24 % 2 == 0 { 4e6 } else { 1e6 }));
    let none = hourly([0.0; 31 * 24]);
    let price = |hour: &str| advise(&reads, &none, Some(1.0), &rates(Some(hour)));
    let requests = price("1").requests.unwrap();
    let (low, high) = requests.interval.unwrap();
    assert!(low < requests.mean && requests.mean < high);
    // At $1.70 an hour the premium is $372, at $0.40 $88: requests cost $374.
    assert_eq!(price("1.70").limitations, [AuroraLimitation::Undecided]);
    assert_eq!(price("0.40").limitations, []);
}

proptest! {
    /// At the break-even both cost the same, to the cent, and on either side of it the cheaper one changes.
    #[test]
    fn at_the_break_even_both_cost_the_same(
        hour in 1u64..100_000, gib in 1u64..100_000, rate in 1u64..1_000, pct in 1u64..100, reads in 0u64..1_000_000_000,
    ) {
        let milli = |amount: u64| usd("0.001") * amount;
        let rates = AuroraRates {
            requests_million: milli(rate),
            instances_hour: Some(milli(hour)),
            optimized_instances_pct: Some(pct),
            ..rates(None)
        };
        let counts = hourly([reads as f64; 2]);
        let advice = advise(&counts, &counts, Some(gib as f64), &rates);
        let even = advice.break_even_requests.unwrap();
        let at = |requests: u64| AuroraOption { requests: Some(request_cost(&rates, requests)), ..advice.standard };
        let (standard, optimized) = (at(even).total().unwrap(), advice.optimized.total().unwrap());
        prop_assert!((standard - optimized).max(optimized - standard) <= usd("0.000001"));
        let share = request_cost(&rates, even).ratio(standard).unwrap();
        prop_assert!((share - advice.break_even_share.unwrap()).abs() < 1e-6);
        let requests = advice.requests.unwrap().mean.round() as u64;
        if requests.abs_diff(even) > 1_000_000 {
            let cheaper = if requests > even { AuroraStorage::IoOptimized } else { AuroraStorage::Standard };
            prop_assert!(advice.cheaper().is_none_or(|found| found == cheaper));
        }
    }
}
