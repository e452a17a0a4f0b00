use super::*;

fn limit(owner: LimitOwner, weight: f64) -> LimitMatch {
    let source = LimitSource::Declared;
    LimitMatch {
        owner,
        limited: LimitKind::Iops,
        level: 20_000.0,
        source,
        share: 0.98,
        weight,
        requires_spent_credits: false,
    }
}

/// 0.86 is 0, 0.94 is 1, and each hundredth between them an eighth: 0.895 is 0.4375, 0.905 is 0.5625.
#[test]
fn a_limit_explains_a_plateau_some_10_pct_below_it() {
    let expected = [(0.85, 0.0), (0.86, 0.0), (0.895, 0.4375), (0.9, 0.5), (0.905, 0.5625), (0.94, 1.0), (1.005, 1.0)];
    for (share, weight) in expected {
        assert!((nearness(share) - weight).abs() < 1e-9, "{share}: {}", nearness(share));
    }
}

#[test]
fn the_instance_stands_first_among_equals() {
    let order = |volume, instance| {
        let matches = LimitMatches::new([limit(LimitOwner::Volume, volume), limit(LimitOwner::Instance, instance)]);
        matches.iter().map(|one| one.owner).collect::<Vec<_>>()
    };
    assert_eq!(order(1.0, 1.0), [LimitOwner::Instance, LimitOwner::Volume]);
    assert_eq!(order(1.0, 0.9), [LimitOwner::Volume, LimitOwner::Instance]);
    assert_eq!(order(1.0, 0.0), [LimitOwner::Volume]);
}

/// A plateau of all of the time: half of it counted, or more, names the owner; a quarter half of it; none leaves what was possible.
#[test]
fn counts_of_ebs_decide_the_owner() {
    let both = LimitMatches::new([limit(LimitOwner::Volume, 1.0), limit(LimitOwner::Instance, 1.0)]);
    let weights = |counts: ExceededShares| {
        let found = both.with_counts(&counts, 1.0, (19_700.0, 1.0));
        let weight = |owner| found.iter().find(|one| one.owner == owner).map(|one| one.weight);
        (weight(LimitOwner::Volume), weight(LimitOwner::Instance), found.is_counted())
    };
    let none = Some(0.0);
    let none =
        ExceededShares { volume_iops: none, volume_throughput: none, instance_iops: none, instance_throughput: none };
    let instance = |share| ExceededShares { instance_iops: Some(share), ..none };
    assert_eq!(weights(instance(0.5)), (None, Some(1.0), true));
    assert_eq!(weights(ExceededShares { volume_iops: Some(1.0), ..instance(1.0) }), (Some(1.0), Some(1.0), true));
    assert_eq!(weights(instance(0.25)), (Some(0.2), Some(0.5), false));
    assert_eq!(weights(instance(0.0)), (Some(0.4), Some(0.4), false));
    // A limit that was not counted is as likely as before, as far as no other explains the plateau.
    let volume = |share| ExceededShares { volume_iops: Some(share), ..ExceededShares::default() };
    assert_eq!(weights(volume(0.0)), (Some(0.4), Some(1.0), false));
    assert_eq!(weights(volume(0.5)), (Some(1.0), None, true));
    // A limit that was not known is named with the rate that was seen.
    let bytes = ExceededShares { instance_throughput: Some(0.9), ..none };
    let found = both.with_counts(&bytes, 1.0, (19_700.0, 1e8));
    let first = found.first().unwrap();
    assert_eq!((first.owner, first.limited, first.level), (LimitOwner::Instance, LimitKind::Throughput, 1e8));
}
