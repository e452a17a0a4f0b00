//! Time until a volume is restored, by each way that EBS has: from a snapshot, or as a copy of a volume in the same zone.
//!
//! Sources: <https://docs.aws.amazon.com/ebs/latest/userguide/initalize-volume.html> (default and provisioned rate),
//! <https://docs.aws.amazon.com/ebs/latest/userguide/volume-creation-credits.html> (bucket of fast snapshot restore),
//! <https://docs.aws.amazon.com/ebs/latest/userguide/view-fsr-enabled-snapshots.html> (60 minutes a TiB until it is enabled),
//! <https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CopyVolumes.html>; read on 2026-11-28.

use ebs_base::units::Usd;

use crate::catalogue::{Platform, Zone};

/// Way of a restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoreWay {
    /// Snapshot, loaded block by block, when they are first read or by AWS in the background, at a rate that is not promised.
    Default,
    /// Snapshot, loaded at a provisioned rate, MiB/s.
    InitializationRate(u64),
    /// Snapshot whose fast snapshot restore was enabled before, with a full bucket.
    FastRestore,
    /// Snapshot whose fast snapshot restore is enabled for this restore.
    FastRestoreFromNow,
    /// Copy of a volume of the same zone (CopyVolumes).
    Copy,
}

/// Lowest and highest rate that can be provisioned, MiB/s.
pub const INITIALIZATION_MIBPS: [u64; 2] = [100, 300];

/// Largest volume whose snapshot can have fast snapshot restore, GiB.
pub const MAX_FAST_RESTORE_GIB: u64 = 16_384;

/// Size of the volumes of which a bucket has one credit, and refills one an hour, GiB.
const GIB_PER_CREDIT: f64 = 1_024.0;

/// Most credits of a bucket, and most that come back an hour.
const MAX_CREDITS: f64 = 10.0;

/// Price of fast snapshot restore in us-east-1, US cents an hour for each snapshot in each zone
/// (<https://docs.aws.amazon.com/whitepapers/latest/how-aws-pricing-works/amazon-ebs.html>, read on 2026-11-28).
const FAST_RESTORE_CENTS: i64 = 75;

/// Region of that price.
pub const FAST_RESTORE_REGION: &str = "us-east-1";

/// Hours that AWS bills a month for.
const HOURS_PER_MONTH: u64 = 730;

/// Place of the volumes that are restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestorePlace {
    /// A region, by its code.
    Region(String),
    /// A Local or Wavelength Zone or an Outpost, by its name: AWS does not publish which ways it offers, nor their prices there.
    Other(String),
}

impl RestorePlace {
    /// The place by a region or the name of a zone, and the platform of the volumes.
    pub fn new(place: &str, platform: Platform) -> RestorePlace {
        match (Zone::parse(place), platform) {
            (_, Platform::Outposts) => RestorePlace::Other("the Outpost".to_owned()),
            (Some(zone), _) => RestorePlace::Other(zone.name),
            (None, Platform::LocalZone) => RestorePlace::Other("the Local Zone".to_owned()),
            (None, Platform::Wavelength) => RestorePlace::Other("the Wavelength Zone".to_owned()),
            (None, _) => RestorePlace::Region(place.to_owned()),
        }
    }

    /// Name: `eu-west-1`, `us-west-2-lax-1a`, `the Outpost`.
    pub fn name(&self) -> &str {
        match self {
            RestorePlace::Region(name) | RestorePlace::Other(name) => name,
        }
    }

    /// True where the price of fast snapshot restore is published.
    pub fn has_fast_restore_price(&self) -> bool {
        matches!(self, RestorePlace::Region(region) if region == FAST_RESTORE_REGION)
    }
}

/// Volumes to restore.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restore {
    /// Size of each volume, GiB.
    pub size_gib: u64,
    /// Data of each in its snapshot, GiB; at most its size.
    pub data_gib: u64,
    /// Number of volumes, each with a snapshot of its own.
    pub volumes: u64,
    /// Number of times that each is restored, all at once.
    pub copies: u64,
}

/// Time and price of one way. Unknown is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestoreTime {
    /// The way.
    pub way: RestoreWay,
    /// Hours until the volumes can be attached.
    pub available_hours: Option<f64>,
    /// Hours until they have their full performance.
    pub fast_hours: Option<f64>,
    /// Price of this restore beside that of the volumes.
    pub usd: Option<Usd>,
    /// Price a month of being ready for it.
    pub usd_month: Option<Usd>,
}

impl Restore {
    /// All ways, in a place.
    pub fn ways(&self, place: &RestorePlace) -> Vec<RestoreTime> {
        let free = Some(Usd::default());
        let time =
            |way, fast_hours, usd| RestoreTime { way, available_hours: Some(0.0), fast_hours, usd, usd_month: free };
        let mut ways = vec![time(RestoreWay::Default, None, free)];
        let rates =
            INITIALIZATION_MIBPS.map(|mibps| (RestoreWay::InitializationRate(mibps), self.loading_hours(mibps)));
        ways.extend(rates.map(|(way, hours)| time(way, Some(hours), None)));
        ways.extend(self.fast_restores(place));
        ways.push(time(RestoreWay::Copy, None, None));
        ways
    }

    /// Hours that the data of a volume takes at a rate: each volume has the rate for itself.
    fn loading_hours(&self, mibps: u64) -> f64 {
        self.data_gib as f64 * 1_024.0 / mibps as f64 / 3_600.0
    }

    /// Fast snapshot restore, where the size allows it.
    fn fast_restores(&self, place: &RestorePlace) -> Vec<RestoreTime> {
        if self.size_gib > MAX_FAST_RESTORE_GIB {
            return Vec::new();
        }
        let cents = place.has_fast_restore_price().then_some(FAST_RESTORE_CENTS);
        let hourly = cents.map(|cents| Usd::from_cents(cents) * self.volumes);
        let before = self.hours_with_bucket();
        let now = self.hours_from_now();
        // A minimum of one hour is billed, then each minute.
        let minutes = (60.0 * now.max(1.0)).ceil() as u64;
        let ready = RestoreTime {
            way: RestoreWay::FastRestore,
            available_hours: Some(before),
            fast_hours: Some(before),
            usd: Some(Usd::default()),
            usd_month: hourly.map(|hourly| hourly * HOURS_PER_MONTH),
        };
        let from_now = RestoreTime {
            way: RestoreWay::FastRestoreFromNow,
            available_hours: Some(now),
            fast_hours: Some(now),
            usd: hourly.map(|hourly| hourly.fraction(minutes, 60)),
            usd_month: Some(Usd::default()),
        };
        vec![ready, from_now]
    }

    /// Credits that come back an hour: min(10, 1,024 / GiB).
    pub fn credits_per_hour(&self) -> f64 {
        (GIB_PER_CREDIT / self.size_gib.max(1) as f64).min(MAX_CREDITS)
    }

    /// Volumes that a full bucket gives at once: max(1, min(10, 1,024 / GiB)), whole ones.
    pub fn bucket(&self) -> u64 {
        self.credits_per_hour().floor().max(1.0) as u64
    }

    /// Hours until the last of the copies has a credit of a full bucket.
    fn hours_with_bucket(&self) -> f64 {
        self.copies.saturating_sub(self.bucket()) as f64 / self.credits_per_hour()
    }

    /// Hours from the request until then: an hour a TiB until it is enabled, with an empty bucket.
    fn hours_from_now(&self) -> f64 {
        self.size_gib as f64 / GIB_PER_CREDIT + self.copies as f64 / self.credits_per_hour()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn restore(size_gib: u64, copies: u64) -> Restore {
        Restore { size_gib, data_gib: size_gib, volumes: 1, copies }
    }

    type Row = (RestoreWay, Option<f64>, Option<String>, Option<String>);

    fn times(restore: Restore, region: &str) -> Vec<Row> {
        let text = |usd: Option<Usd>| usd.map(ebs_base::format::usd_plain);
        let row = |one: RestoreTime| (one.way, one.fast_hours, text(one.usd), text(one.usd_month));
        restore.ways(&RestorePlace::Region(region.to_owned())).into_iter().map(row).collect()
    }

    /// 1,024 GiB are 1,048,576 MiB: 10,485.76 s at 100 MiB/s, a third of that at 300. A bucket of 1 that refills one an hour: two copies
    /// wait an hour for the second. From now: an hour until it is enabled, two for two credits, $0.75 each.
    #[test]
    fn a_tib_by_each_way() {
        let usd = |text: &str| Some(text.to_owned());
        let found = times(restore(1_024, 2), "us-east-1");
        let [slow, quick] = [10_485.76 / 3_600.0, 10_485.76 / 3.0 / 3_600.0];
        assert_eq!(
            found,
            [
                (RestoreWay::Default, None, usd("0.00"), usd("0.00")),
                (RestoreWay::InitializationRate(100), Some(slow), None, usd("0.00")),
                (RestoreWay::InitializationRate(300), Some(quick), None, usd("0.00")),
                (RestoreWay::FastRestore, Some(1.0), usd("0.00"), usd("547.50")),
                (RestoreWay::FastRestoreFromNow, Some(3.0), usd("2.25"), usd("0.00")),
                (RestoreWay::Copy, None, None, usd("0.00")),
            ]
        );
    }

    /// Prices of other regions are not known; 17 TiB have no fast snapshot restore.
    #[test]
    fn what_is_not_known_is_no_zero() {
        let found = times(restore(100, 1), "eu-west-1");
        assert_eq!((&found[3].2, &found[3].3, &found[4].2), (&Some("0.00".to_owned()), &None, &None));
        assert_eq!(times(restore(17_408, 1), "us-east-1").len(), 4);
    }

    /// The bucket: 10 up to 102 GiB, 2 of 500, 1 from 1,024 on; refilled 2.048 an hour of 500 GiB, half of one of 2,048.
    #[test]
    fn the_bucket_depends_on_the_size() {
        let bucket = |size_gib| (restore(size_gib, 1).bucket(), restore(size_gib, 1).credits_per_hour());
        assert_eq!(bucket(1), (10, 10.0));
        assert_eq!(bucket(500), (2, 2.048));
        assert_eq!(bucket(1_024), (1, 1.0));
        assert_eq!(bucket(2_048), (1, 0.5));
        let fast = |size_gib, copies| times(restore(size_gib, copies), "us-east-1")[3].1.unwrap();
        assert_eq!((fast(500, 2), fast(2_048, 3)), (0.0, 4.0));
    }

    proptest! {
        /// More data, a larger volume or more copies are never restored earlier.
        #[test]
        fn more_takes_no_less(size_gib in 1u64..16_000, copies in 1u64..50, more in 0u64..300) {
            let [few, many] = [copies, copies + more].map(|copies| restore(size_gib, copies).ways(&RestorePlace::Region(FAST_RESTORE_REGION.to_owned())));
            let larger = restore(size_gib + more, copies).ways(&RestorePlace::Region(FAST_RESTORE_REGION.to_owned()));
            for ((few, many), larger) in few.iter().zip(&many).zip(&larger) {
                prop_assert!(few.fast_hours <= many.fast_hours);
                prop_assert!(few.fast_hours <= larger.fast_hours.or(few.fast_hours));
            }
        }
    }
}
