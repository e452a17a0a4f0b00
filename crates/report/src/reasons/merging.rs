//! Counts of requests that EBS may merge.

use ebs_advice::{Candidate, RoleAdvice};
use ebs_base::format::{brief_iops, count, share, size, usd};
use ebs_prediction::BindingLimit;
use ebs_workload::merging::{CountDoubt, MergeGround, RateLimit};

/// Describes both counts with their grounds, the one that is sized for, and the price for the other. A sentence each, without full
/// stop; none where there is no doubt.
pub fn describe(role: &RoleAdvice) -> Vec<String> {
    let Some(doubt) = &role.state.count_doubt else { return Vec::new() };
    let mut sentences = describe_counts(doubt);
    let condition = if doubt.is_mostly_merged() { "If none are merged" } else { "If all are merged" };
    let other = role.count_option.as_ref().map(describe_option);
    sentences.push(format!("{condition}: {}", other.unwrap_or_else(|| describe_missing_option(role.count_bound))));
    sentences
}

/// Describes both counts: `107,000 IOPS as the device counts them; 1,700 if EBS merges contiguous requests up to 256 KiB`.
pub fn describe_counts(doubt: &CountDoubt) -> Vec<String> {
    let [device, merged, sized] = [doubt.device_iops, doubt.merged_iops, doubt.sized_iops].map(brief_iops);
    let grounds: Vec<String> = doubt.grounds.iter().map(describe_ground).collect();
    vec![
        format!("{device} IOPS as the device counts them; {merged} if EBS merges contiguous requests up to 256 KiB"),
        format!("Sized for {sized}: {}", grounds.join(", ")),
    ]
}

fn describe_ground(ground: &MergeGround) -> String {
    match ground {
        MergeGround::SequentialReads { share: part } => {
            format!("PostgreSQL reads {} of the bytes in small reads in order", share(*part))
        }
        MergeGround::SmallRequests { kib } => format!("requests of {} KiB are smaller than a page", size(*kib)),
        MergeGround::Pages { kib } => format!("requests of {} KiB may be random", size(*kib)),
        MergeGround::PossibleRate(RateLimit::Volumes(iops)) => {
            format!("random ones reach up to {} on general purpose volumes", count(*iops))
        }
        MergeGround::PossibleRate(RateLimit::Instance(iops)) => {
            format!("random ones reach up to {} on the instance", count(*iops))
        }
        MergeGround::HighRate(RateLimit::Volumes(iops)) => {
            format!("random ones do not exceed the {} of general purpose volumes", count(*iops))
        }
        MergeGround::HighRate(RateLimit::Instance(iops)) => {
            format!("the instance has at most {} IOPS for those that are not merged", count(*iops))
        }
        MergeGround::MergedByKernel { share: part } => format!("the kernel merged {} already", share(*part)),
    }
}

/// Describes the reason why there are no volumes for the other count, by the limit of the instance that does not suffice.
fn describe_missing_option(bound: Option<BindingLimit>) -> String {
    match bound {
        Some(BindingLimit::INSTANCE_IOPS) => "the instance's IOPS do not suffice; first a larger instance".to_owned(),
        Some(_) => "the instance's throughput does not suffice; first a larger instance".to_owned(),
        None => "no volume meets everything requested".to_owned(),
    }
}

/// Describes volumes with their price: `io2 with 128,400 IOPS and 4,000 MiB/s, $5,709.00 a month`.
fn describe_option(option: &Candidate) -> String {
    let (many, name) = (option.volumes, option.config.volume_type.name());
    let many = if many > 1 { format!("{many} × ") } else { String::new() };
    let [iops, mibps] =
        [option.config.iops, option.config.throughput_mibps].map(|each| count((each * option.volumes) as f64));
    let price = option.usd_month().map_or(String::new(), |price| format!(", {} a month", usd(price)));
    format!("{many}{name} with {iops} IOPS and {mibps} MiB/s{price}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_that_does_not_suffice_is_named_before_volumes() {
        let missing = [Some(BindingLimit::INSTANCE_IOPS), Some(BindingLimit::INSTANCE_THROUGHPUT), None]
            .map(describe_missing_option);
        assert_eq!(
            missing,
            [
                "the instance's IOPS do not suffice; first a larger instance",
                "the instance's throughput does not suffice; first a larger instance",
                "no volume meets everything requested"
            ]
        );
    }

    #[test]
    fn both_counts_stand_with_their_grounds() {
        let grounds =
            vec![MergeGround::SmallRequests { kib: 4.0 }, MergeGround::HighRate(RateLimit::Volumes(80_000.0))];
        let doubt = CountDoubt { device_iops: 107_000.0, merged_iops: 1_672.0, sized_iops: 1_672.0, grounds };
        assert_eq!(
            describe_counts(&doubt),
            [
                "107,000 IOPS as the device counts them; 1,700 if EBS merges contiguous requests up to 256 KiB",
                "Sized for 1,700: requests of 4.00 KiB are smaller than a page, random ones do not exceed the 80,000 \
                 of general purpose volumes"
            ]
        );
        let reached = [RateLimit::Volumes(80_000.0), RateLimit::Instance(18_750.0)];
        assert_eq!(
            reached.map(|limit| describe_ground(&MergeGround::PossibleRate(limit))),
            [
                "random ones reach up to 80,000 on general purpose volumes",
                "random ones reach up to 18,750 on the instance"
            ]
        );
        let high = MergeGround::HighRate(RateLimit::Instance(18_750.0));
        let grounds = vec![MergeGround::Pages { kib: 8.0 }, high];
        let doubt = CountDoubt { device_iops: 25_000.0, merged_iops: 782.0, sized_iops: 25_000.0, grounds };
        assert_eq!(
            describe_counts(&doubt)[1],
            "Sized for 25,000: requests of 8.00 KiB may be random, the instance has at most 18,750 IOPS for those that \
             are not merged"
        );
        let grounds = vec![MergeGround::SequentialReads { share: 0.8 }, MergeGround::MergedByKernel { share: 0.25 }];
        let doubt = CountDoubt { device_iops: 20_000.0, merged_iops: 4_500.0, sized_iops: 4_500.0, grounds };
        assert_eq!(
            describe_counts(&doubt)[1],
            "Sized for 4,500: PostgreSQL reads 80 % of the bytes in small reads in order, the kernel merged 25 % already"
        );
    }
}
