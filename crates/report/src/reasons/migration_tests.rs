use super::*;
use ebs_advice::{DatabaseFacts, Settings};
use ebs_aws::catalogue::{known_instance, prices};

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
            .contains("stays at 900 GiB; 500 GiB take a Blue")
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
        (MigrationRule::Rds(RdsRule::CannotGrow { current_gib: 60_000 }), "60,000 GiB cannot grow"),
        (MigrationRule::Rds(RdsRule::AutoscalingLimit { max_gib: 440 }), "raises it to 440 GiB"),
        (MigrationRule::Rds(RdsRule::AutoscalingEnds), "turns autoscaling off"),
        (MigrationRule::Rds(RdsRule::Standby { is_added: true }), "adds a standby"),
        (MigrationRule::Rds(RdsRule::Standby { is_added: false }), "removes the standby"),
        (MigrationRule::Rds(RdsRule::OtherDeployment), "cannot be modified into a Multi-AZ DB cluster"),
        (MigrationRule::RdsBecomesStripe, "Crossing 400 GiB"),
        (MigrationRule::RdsMayBecomeStripe, "From below 400 GiB"),
        (MigrationRule::RdsLogVolumeCopy, "copies WAL to the storage"),
        (MigrationRule::RdsLogVolumeOffered, "--dedicated-log-volume"),
        (MigrationRule::CopiedIntoRds, "copied into RDS"),
    ] {
        assert!(describe_rule(&rule).contains(words), "{rule:?}");
    }
}

/// The class that suffices and the identifier are known, or an ellipsis stands for them.
#[test]
fn a_larger_instance_is_named_as_far_as_it_is_known() {
    let request = |platform: &str, database| {
        let settings = Settings { platform: platform.into(), ..Settings::default() };
        Request { database, ..settings.check(prices("us-east-1").unwrap().clone()).unwrap() }
    };
    let commands = |request: &Request, name: Option<&str>| {
        instance_commands(request, name.and_then(known_instance)).join("\n").replace(" \\\n   ", "")
    };
    let named =
        DatabaseFacts { instance: Some("mydb".to_owned()), cluster: Some("pg".to_owned()), ..DatabaseFacts::default() };
    let single = "aws rds modify-db-instance --apply-immediately --db-instance-identifier mydb \
                  --db-instance-class db.r6g.xlarge";
    assert_eq!(commands(&request("rds-multi-az", named.clone()), Some("r6g.xlarge")), single);
    let cluster = "aws rds modify-db-cluster --apply-immediately --db-cluster-identifier pg \
                   --db-cluster-instance-class db.r6gd.xlarge";
    assert_eq!(commands(&request("rds-cluster", named), Some("r6gd.xlarge")), cluster);
    let unknown = commands(&request("rds", DatabaseFacts::default()), None);
    assert!(unknown.ends_with(" --db-instance-identifier … --db-instance-class …"), "{unknown}");
    let ec2 = commands(&request("ec2", DatabaseFacts::default()), Some("r6g.xlarge"));
    assert!(ec2.contains(" --instance-type Value=r6g.xlarge\n"), "{ec2}");
    let hostile = DatabaseFacts { instance: Some("$(reboot)".to_owned()), ..DatabaseFacts::default() };
    assert!(commands(&request("rds", hostile), None).contains("--db-instance-identifier '$(reboot)' "));
}
