//! Names written by users, in every function that looks one up.

use ebs_aws::catalogue::{Platform, VolumeType, instance, known_instance, prices};
use ebs_base::error::InputError;
use ebs_base::names::QUOTED_LIMIT;
use ebs_report::terminal::Metric;
use ebs_samples::evidence::StorageLayout;
use ebs_workload::declarations::check;

/// A name so long that a search for similar ones would take too long.
fn endless() -> String {
    "é".repeat(16 << 20)
}

#[test]
fn every_endless_name_is_refused_with_its_beginning() {
    let name = endless();
    let refusals = [
        name.parse::<Platform>().unwrap_err(),
        name.parse::<VolumeType>().unwrap_err(),
        instance(&name).unwrap_err(),
        prices(&name).unwrap_err(),
        name.parse::<Metric>().map(|_| ()).unwrap_err(),
        check(&StorageLayout::default(), "This cluster", &name, 1).unwrap_err(),
    ];
    for refusal in refusals {
        let InputError::UnknownName { name, accepted, .. } = &refusal else { panic!("{refusal}") };
        assert_eq!(name.chars().count(), QUOTED_LIMIT + 1);
        assert!(!accepted.contains("Perhaps"), "{accepted}");
    }
    assert!(known_instance(&name).is_none());
}
