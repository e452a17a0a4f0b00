use super::*;

#[test]
fn figures_stand_in_their_sentences() {
    assert!(
        describe_rule(&MigrationRule::NumberDiffers { from: 1, to: 4 })
            .starts_with("From 1 to 4 volumes: this requires new volumes")
    );
    assert!(
        describe_rule(&MigrationRule::CannotShrink { from_gib: 200, to_gib: 100 })
            .starts_with("From 200 to 100 GiB: a volume cannot shrink")
    );
    assert!(
        describe_rule(&MigrationRule::RdsCannotShrink { current_gib: 900, target_gib: 500 })
            .contains("stays at 900 GiB; 500 GiB take a new")
    );
}

#[test]
fn each_rule_has_its_words() {
    for (rule, words) in [
        (MigrationRule::NotOnEbs, "not on an identified EBS volume"),
        (MigrationRule::StripeCannotGrow, "RAID 0"),
        (MigrationRule::SizeOnlyGrows, "can only grow"),
        (MigrationRule::SizeNotDeclared, "was not declared"),
        (MigrationRule::ModificationsPerDay, "four times in any 24 hours"),
        (MigrationRule::Optimization, "about 6 hours for a full 1 TiB"),
        (MigrationRule::EbsCards { cards: 2 }, "2 EBS cards"),
        (MigrationRule::RootVolume, "root volume cannot become st1"),
        (MigrationRule::RdsGrowth, "at least 10 %"),
        (MigrationRule::RdsBecomesStripe, "Crossing 400 GiB"),
        (MigrationRule::RdsMayBecomeStripe, "From below 400 GiB"),
        (MigrationRule::CopiedIntoRds, "copied into RDS"),
    ] {
        assert!(describe_rule(&rule).contains(words), "{rule:?}");
    }
}
