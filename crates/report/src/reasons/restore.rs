//! Ways of a restore: their names, what they take, and where their times and prices are from.

use ebs_aws::restore::{FAST_RESTORE_REGION, Restore, RestorePlace, RestoreWay};
use ebs_base::format::{count, size};

/// Name of storage of RDS that is restored, which has one way.
pub const RDS_SNAPSHOT: &str = "RDS snapshot";

/// Page and price of the way of RDS.
pub const RDS_SOURCE: &str = "https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_RestoreFromSnapshot.html";

/// Limitation of the way of RDS.
pub const RDS_NOTE: &str = "RDS creates an instance and loads blocks when they are first read; AWS publishes no time, and none of EBS's ways applies";

/// Name of a way.
pub fn name(way: RestoreWay) -> String {
    match way {
        RestoreWay::Default => "snapshot, default rate".to_owned(),
        RestoreWay::InitializationRate(mibps) => format!("snapshot, initialization rate {mibps} MiB/s"),
        RestoreWay::FastRestore => "fast snapshot restore, enabled before".to_owned(),
        RestoreWay::FastRestoreFromNow => "fast snapshot restore, enabled now".to_owned(),
        RestoreWay::Copy => "copy of the volume".to_owned(),
    }
}

/// Page that publishes the time, and origin of the price.
pub fn describe_source(way: RestoreWay, place: &RestorePlace) -> String {
    const INITIALIZE: &str = "https://docs.aws.amazon.com/ebs/latest/userguide/initalize-volume.html";
    const CREDITS: &str = "https://docs.aws.amazon.com/ebs/latest/userguide/volume-creation-credits.html";
    const PRICE: &str = "https://docs.aws.amazon.com/whitepapers/latest/how-aws-pricing-works/amazon-ebs.html";
    match way {
        RestoreWay::Default => INITIALIZE.to_owned(),
        RestoreWay::InitializationRate(_) => format!("{INITIALIZE}; price unverified: no price list read has it"),
        RestoreWay::FastRestore | RestoreWay::FastRestoreFromNow if place.has_fast_restore_price() => {
            format!("{CREDITS}; $0.75 an hour for each snapshot and zone: {PRICE}")
        }
        RestoreWay::FastRestore | RestoreWay::FastRestoreFromNow => {
            format!("{CREDITS}; price in {} unknown: that of {FAST_RESTORE_REGION} is published", place.name())
        }
        RestoreWay::Copy => {
            "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CopyVolumes.html; price unverified: no price list read has it"
                .to_owned()
        }
    }
}

/// Describes what a way takes, and what its time does not say.
pub fn describe_note(way: RestoreWay, restore: &Restore, place: &RestorePlace) -> String {
    let note = match way {
        RestoreWay::Default => {
            "attached at once; a block that is not loaded is read from S3 first; the rate varies, and AWS promises none".to_owned()
        }
        RestoreWay::InitializationRate(_) => {
            format!("attached at once; {} GiB are loaded at this rate, for each volume", count(restore.data_gib as f64))
        }
        RestoreWay::FastRestore => format!(
            "the bucket of each snapshot holds {} and refills {} an hour; taken as full",
            credits(restore.bucket() as f64),
            size(restore.credits_per_hour())
        ),
        RestoreWay::FastRestoreFromNow => format!(
            "60 minutes a TiB until it is enabled, then {} an hour from an empty bucket; at least an hour is billed",
            size(restore.credits_per_hour())
        ),
        RestoreWay::Copy => "from the volume itself, in its zone; attached at once; initialized at a rate that AWS does not publish, and neither \
             an initialization rate nor fast snapshot restore applies"
            .to_owned(),
    };
    match place {
        RestorePlace::Other(name) => format!("{note}; whether {name} offers it is not known"),
        RestorePlace::Region(_) => note,
    }
}

fn credits(number: f64) -> String {
    format!("{} {}", count(number), if number == 1.0 { "volume" } else { "volumes" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_aws::catalogue::Platform;

    #[test]
    fn an_unknown_price_is_said() {
        let source = |way, region| describe_source(way, &RestorePlace::new(region, Platform::Ec2));
        assert!(source(RestoreWay::InitializationRate(300), "us-east-1").contains("price unverified"));
        assert!(source(RestoreWay::FastRestore, "us-east-1").contains("$0.75 an hour"));
        assert!(source(RestoreWay::FastRestore, "eu-west-1").contains("price in eu-west-1 unknown"));
    }

    #[test]
    fn the_bucket_is_described() {
        let restore = Restore { size_gib: 500, data_gib: 400, volumes: 1, copies: 1 };
        let region = RestorePlace::new("us-east-1", Platform::Ec2);
        let note = |way| describe_note(way, &restore, &region);
        assert!(note(RestoreWay::FastRestore).contains("holds 2 volumes and refills 2.05 an hour"));
        assert!(note(RestoreWay::InitializationRate(100)).contains("400 GiB are loaded"));
        for (place, platform, name) in [
            ("us-west-2-lax-1a", Platform::Ec2, "us-west-2-lax-1a"),
            ("us-east-1", Platform::Outposts, "the Outpost"),
            ("us-east-1", Platform::LocalZone, "the Local Zone"),
        ] {
            let note = describe_note(RestoreWay::Copy, &restore, &RestorePlace::new(place, platform));
            assert!(note.ends_with(&format!("whether {name} offers it is not known")), "{note}");
        }
    }
}
