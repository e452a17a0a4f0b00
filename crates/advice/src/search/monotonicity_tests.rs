//! A smaller requirement never costs more.

use super::fixtures::{questions_of_demands, tariffs};
use super::*;
use crate::replay::Series;
use crate::requirement::{Requirement, SizingRule};
use proptest::prelude::*;

proptest! {
    /// Holds for the cost of the solution of a class, or of the nearest candidate if none suffices.
    #[test]
    fn asking_for_less_never_costs_more(
        (demand, (rule, size_gib, instance, _), class) in questions_of_demands(), tariff in tariffs(),
        least in 50.0f64..100.0, (headroom, throttled) in (0.0f64..1.0, 0.0f64..1.0),
    ) {
        let series = Series::new(&demand);
        let cost = |rule: SizingRule| {
            let task = Task::new(TaskLoad::open(&series, rule), Requirement::from_demand(&demand, Some(size_gib), rule, &|| ()), rule.percentile, instance);
            let found = cheapest(&class, &tariff, Platform::Ec2, 2, &task);
            found.map_or_else(|short| (true, short.best.map(|best| best.bill.total())), |found| (false, Some(found.bill.total())))
        };
        let asked = cost(rule);
        let less = [
            SizingRule { percentile: rule.percentile.min(least), ..rule },
            SizingRule { headroom: rule.headroom * headroom, ..rule },
            SizingRule { max_throttled_pct: rule.max_throttled_pct + 50.0 * throttled, ..rule },
        ];
        for rule in less {
            let cost = cost(rule);
            prop_assert!(asked.0 || cost <= asked, "{:?} {:?} {:?}", rule, cost, asked);
        }
    }
}

proptest! {
    #[test]
    fn waiting_less_never_costs_less(
        (demand, (rule, size_gib, instance, _), class) in questions_of_demands(), tariff in tariffs(),
        (magnitude, stricter) in (-3.0f64..8.0, 0.0f64..1.0),
    ) {
        let series = Series::new(&demand);
        let task = Task::new(TaskLoad::open(&series, rule), Requirement::from_demand(&demand, Some(size_gib), rule, &|| ()), rule.percentile, instance);
        let cost = |task: &Task| cheapest(&class, &tariff, Platform::Ec2, 2, task).ok().map(|found| found.bill.total());
        let within = |ms| task.with_max_added_ms(ms).and_then(|task| cost(&task));
        let most = 10f64.powf(magnitude);
        let [less, more, any] = [within(most * stricter), within(most), cost(&task)];
        prop_assert!(less.is_none() || more.is_some_and(|more| Some(more) <= less), "{:?} {:?}", less, more);
        prop_assert!(more.is_none() || any.is_some_and(|any| Some(any) <= more), "{:?} {:?}", more, any);
    }
}
