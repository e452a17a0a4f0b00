//! gp2's burst credits, exactly as published
//! (<https://docs.aws.amazon.com/ebs/latest/userguide/general-purpose.html>, section gp2).

use crate::catalogue::{Ceiling, VolumeConfig, VolumeType};

/// Credits a bucket holds, one an I/O. A new volume starts with a full one.
pub const CAPACITY: f64 = 5_400_000.0;
/// IOPS while there are credits.
pub const BURST_IOPS: f64 = 3_000.0;

/// A volume's credits; a stripe of several has several such buckets that move as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bucket {
    credits: f64,
    baseline: Ceiling,
    burst: Ceiling,
    volumes: f64,
}

impl Bucket {
    /// The full bucket of a gp2 volume below 3,000 IOPS; `None` for volumes without one.
    pub fn full(config: &VolumeConfig, volumes: u64) -> Option<Bucket> {
        if config.volume_type != VolumeType::Gp2 || config.iops as f64 >= BURST_IOPS {
            return None;
        }
        let volumes = volumes as f64;
        // Above 170 GiB the volume reaches 250 MiB/s while it has credits, at 334 GiB always.
        let burst_mibps = if config.size_gib > 170 { 250.0 } else { 128.0 };
        Some(Bucket {
            credits: CAPACITY * volumes,
            baseline: config.ceiling(volumes as u64),
            burst: Ceiling { iops: BURST_IOPS * volumes, mibps: burst_mibps * volumes },
            volumes,
        })
    }

    /// What the volume can do over the next `seconds`.
    pub fn ceiling(&self, seconds: f64) -> Ceiling {
        if self.credits <= 0.0 {
            return self.baseline;
        }
        let sustained = self.baseline.iops + self.credits / seconds;
        Ceiling { iops: self.burst.iops.min(sustained), mibps: self.burst.mibps }
    }

    /// Takes the credits for `served` I/Os over `seconds` and adds what was earned.
    pub fn spend(&mut self, served: f64, seconds: f64) {
        let earned = self.baseline.iops * seconds;
        self.credits = (self.credits + earned - served).clamp(0.0, CAPACITY * self.volumes);
    }

    /// Credits left.
    pub fn credits(&self) -> f64 {
        self.credits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn gp2(size: u64) -> Bucket {
        let config = VolumeConfig::new(VolumeType::Gp2, size, None, None).unwrap();
        Bucket::full(&config, 1).unwrap()
    }

    #[test]
    fn a_full_bucket_lasts_as_long_as_published() {
        // 100 GiB: 300 IOPS baseline, 2,000 s at 3,000 IOPS; 334 GiB: 2,703 s (ebs.md 1.3).
        for (size, published) in [(100, 2_000.0), (334, 2_703.0), (33, 1_862.0)] {
            let (mut bucket, mut lasted) = (gp2(size), 0.0f64);
            while bucket.ceiling(1.0).iops >= BURST_IOPS {
                bucket.spend(BURST_IOPS, 1.0);
                lasted += 1.0;
            }
            assert!((lasted - published).abs() <= 1.0, "{size} GiB lasted {lasted} s");
        }
    }

    #[test]
    fn volumes_of_3000_iops_and_other_types_have_no_bucket() {
        let volume = |t, size| VolumeConfig::new(t, size, None, None).unwrap();
        assert_eq!(Bucket::full(&volume(VolumeType::Gp2, 1_000), 1), None);
        assert_eq!(Bucket::full(&volume(VolumeType::Gp3, 100), 1), None);
    }

    proptest! {
        #[test]
        fn credits_stay_within_the_bucket(size in 1u64..999, spent in prop::collection::vec(0f64..10_000.0, 1..50)) {
            let mut bucket = gp2(size);
            for served in spent {
                bucket.spend(served, 60.0);
                prop_assert!((0.0..=CAPACITY).contains(&bucket.credits()));
            }
        }
    }
}
