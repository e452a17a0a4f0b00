//! Predictions without waits of a run whose load driver is known.

use super::whatif_tests::{asked, reading, request, window};
use super::*;
use crate::{Request, WhatIfArguments};
use ebs_aws::catalogue::Platform;
use ebs_samples::evidence::{LoadDriver, Totals};
use ebs_workload::load_kind::LoadKind;

/// Eight clients, of which four wait for reads of 0.5 ms, 8,000 a second, at each moment, and four do not: with reads of 1 ms, 8 + 4 in the place of
/// 4 + 4. The demand stays where these four wait for a CPU.
#[test]
fn clients_of_a_closed_driver_are_known_without_waits() {
    let wide = WhatIfArguments { iops: Some(20_000), read_ms: Some(1.0), write_ms: Some(1.0), ..asked("io2") };
    let answer = |driver_load: Option<LoadKind>, transactions: bool| {
        let mut block = reading();
        block.totals = Totals { transactions: block.totals.transactions, ..Totals::default() };
        if !transactions {
            block.totals = Totals::default();
        }
        let driver = Some(LoadDriver { clients: 8.0, tps: Some(1_999.0) });
        let question = wide.check(Request { driver_load, ..request(Platform::Ec2) }).unwrap();
        whatif(&Window { driver, ..window(block) }, &question, &Declarations::default()).unwrap().remove(0)
    };
    for (transactions, tps) in [(true, 2_000.0), (false, 1_999.0)] {
        let closed = answer(Some(LoadKind::Closed), transactions);
        let (ratio, found) = (closed.prediction.unwrap().ratio, closed.tps().unwrap());
        assert!((ratio.middle - 8.0 / 12.0).abs() < 1e-9 && ratio.low < 0.65 && ratio.high > 1.0, "{closed:?}");
        assert_eq!([found.low, found.middle, found.high], [ratio.low, ratio.middle, ratio.high].map(|r| tps * r));
        assert_eq!(closed.notes, [WhatIfNote::ClosedDriver { clients: 8.0 }]);
    }
    // The same driver with a rate, and one that is not known.
    for driver_load in [Some(LoadKind::Open), None] {
        let open = answer(driver_load, true);
        assert_eq!((open.tps(), open.notes), (None, vec![WhatIfNote::WithoutWaits]));
    }
}
