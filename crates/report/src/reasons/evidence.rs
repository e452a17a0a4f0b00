//! The reason why evidence allows no advice.

use ebs_advice::{Insufficient, MIN_SECONDS};
use ebs_base::format::count;

/// Words it: `20 s of device samples, at least 30 s are needed`.
pub fn describe_reason(reason: &Insufficient) -> String {
    match reason {
        Insufficient::NoSamples => "no samples in this window".to_owned(),
        Insufficient::NoDevice { reasons } if reasons.is_empty() => "no block device was sampled".to_owned(),
        Insufficient::NoDevice { reasons } => reasons.join("; "),
        Insufficient::TooShort { device_s, unreadable_s } => {
            let unreadable = match *unreadable_s > 0.0 {
                true => format!(" ({} s more without a readable device)", count(*unreadable_s)),
                false => String::new(),
            };
            let (seconds, min) = (count(*device_s), count(MIN_SECONDS));
            format!("{seconds} s of device samples{unreadable}, at least {min} s are needed")
        }
    }
}

/// Words it with its heading: `insufficient data: no samples in this window`.
pub fn describe_reason_with_heading(reason: &Insufficient) -> String {
    format!("insufficient data: {}", describe_reason(reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_has_its_words() {
        assert_eq!(
            describe_reason_with_heading(&Insufficient::NoSamples),
            "insufficient data: no samples in this window"
        );
        let too_short = Insufficient::TooShort { device_s: 20.0, unreadable_s: 5.0 };
        assert_eq!(
            describe_reason(&too_short),
            "20 s of device samples (5 s more without a readable device), at least 30 s are needed"
        );
        let reasons = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(describe_reason(&Insufficient::NoDevice { reasons }), "a; b");
        assert_eq!(describe_reason(&Insufficient::NoDevice { reasons: Vec::new() }), "no block device was sampled");
    }
}
