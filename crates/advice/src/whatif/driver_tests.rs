//! Predictions without waits of a run whose load driver is known.

use super::whatif_tests::{asked, reading, request, window};
use super::*;
use crate::{Request, WhatIfArguments};
use ebs_aws::catalogue::Platform;
use ebs_prediction::BindingLimit;
use ebs_samples::evidence::{LoadDriver, Totals};
use ebs_workload::load_kind::LoadKind;

/// A run with one of these drivers on io2 with so many IOPS, whose requests take 1 ms.
fn answer(driver_load: Option<LoadKind>, transactions: bool, iops: i64) -> WhatIfAnswer {
    let volumes = WhatIfArguments { iops: Some(iops), read_ms: Some(1.0), write_ms: Some(1.0), ..asked("io2") };
    let mut block = reading();
    block.totals = match transactions {
        true => Totals { transactions: block.totals.transactions, ..Totals::default() },
        false => Totals::default(),
    };
    let driver = Some(LoadDriver { clients: 8.0, tps: Some(1_999.0) });
    let question = volumes.check(Request { driver_load, ..request(Platform::Ec2) }).unwrap();
    whatif(&Window { driver, ..window(block) }, &question, &Declarations::default()).unwrap().remove(0)
}

/// Transactions a second, as counted and as the driver reported them.
const TPS: [(bool, f64); 2] = [(true, 2_000.0), (false, 1_999.0)];

/// Eight clients, of which four wait for reads of 0.5 ms, 8,000 a second, at each moment, and four do not: with reads of 1 ms, 8 + 4 in the place of
/// 4 + 4. The demand stays where these four wait for a CPU.
#[test]
fn clients_of_a_closed_driver_are_known_without_waits() {
    for (transactions, tps) in TPS {
        let closed = answer(Some(LoadKind::Closed), transactions, 20_000);
        let (ratio, found) = (closed.prediction.unwrap().ratio, closed.tps().unwrap());
        assert!((ratio.middle - 8.0 / 12.0).abs() < 1e-9 && ratio.low < 0.65 && ratio.high > 1.0, "{closed:?}");
        assert_eq!([found.low, found.middle, found.high], [ratio.low, ratio.middle, ratio.high].map(|r| tps * r));
        assert_eq!(closed.notes, [WhatIfNote::ClosedDriver { clients: 8.0 }]);
    }
    let unknown = answer(None, true, 20_000);
    assert_eq!((unknown.tps(), unknown.notes), (None, vec![WhatIfNote::WithoutWaits]));
}

/// The same driver with a rate keeps it, until half of its requests are all that the volume lets through.
#[test]
fn a_driver_with_a_rate_keeps_it_without_waits() {
    for (transactions, tps) in TPS {
        let open = answer(Some(LoadKind::Open), transactions, 20_000);
        let (ratio, found) = (open.prediction.unwrap().ratio, open.tps().unwrap());
        assert!(ratio.middle == 1.0 && ratio.low > 0.9 && ratio.high < 1.1, "{open:?}");
        assert_eq!((found.middle, open.notes), (tps, vec![WhatIfNote::OpenDriver]));
        let limited = answer(Some(LoadKind::Open), transactions, 4_000);
        let (prediction, found) = (limited.prediction.unwrap(), limited.tps().unwrap());
        assert!((prediction.ratio.middle - 0.5).abs() < 1e-9 && prediction.ratio.high < 0.56, "{limited:?}");
        assert!(
            (found.middle / tps - 0.5).abs() < 1e-9 && prediction.bound_by == BindingLimit::VOLUME_IOPS,
            "{limited:?}"
        );
    }
}
