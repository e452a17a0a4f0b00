//! Single words: amounts, names of types, platforms and parts, limits. An accepted word is written as one with the same meaning.

use ebs_aws::catalogue::{Part, Platform, VolumeType, instance, known_instance};
use ebs_base::units::Usd;
use ebs_emulator::spec::LimitSpec;

/// A word, parsed as each of them.
pub fn words(data: &[u8]) {
    let Ok(word) = std::str::from_utf8(data) else { return };
    if let Ok(amount) = word.parse::<Usd>() {
        assert_eq!(amount.to_string().parse(), Ok(amount));
        let _ = (amount.cents(), amount.rounded(), amount.divided(3));
    }
    if let Ok(known) = word.parse::<VolumeType>() {
        assert_eq!(known.name().parse::<VolumeType>().ok(), Some(known));
    }
    if let Ok(known) = word.parse::<Platform>() {
        assert_eq!(known.name().parse::<Platform>().ok(), Some(known));
    }
    if let Ok(known) = word.parse::<Part>() {
        assert_eq!(known.name().parse::<Part>().ok(), Some(known));
    }
    let _ = word.parse::<LimitSpec>();
    if let Some(known) = known_instance(word) {
        assert_eq!(known_instance(&known.instance_type).map(|again| &again.instance_type), Some(&known.instance_type));
    } else if suggests_instances() {
        drop(instance(word).expect_err("the catalogue does not have it").to_string());
    }
}

/// True if the hint for an unknown instance type is computed too. It compares with every known name and contains no parser, so
/// libFuzzer, which prefers expensive inputs, runs without it.
pub fn suggests_instances() -> bool {
    cfg!(not(fuzzing))
}
