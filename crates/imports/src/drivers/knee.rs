//! Saturation point (knee) of a sweep over client counts: beyond it more clients add no throughput.

/// Result of one step of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Clients.
    pub clients: u64,
    /// Throughput, in whatever unit, the same for all steps.
    pub throughput: f64,
}

/// Saturation point of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knee {
    /// The step of the fewest clients that reach [`SATURATION_SHARE`] of the best.
    pub at: Step,
    /// The step that brought most.
    pub best: Step,
    /// True if the sweep has steps with more clients; otherwise the sweep just ends there.
    pub is_saturated: bool,
}

/// Share of the best throughput that counts as reaching it. A choice: single short runs differ by some per cent.
pub const SATURATION_SHARE: f64 = 0.95;

/// Finds the saturation point of these steps, in any order; `None` of fewer than two, or where nothing was done.
pub fn knee(steps: &[Step]) -> Option<Knee> {
    let best = steps.iter().copied().max_by(|a, b| a.throughput.total_cmp(&b.throughput))?;
    let enough = steps.iter().filter(|step| step.throughput >= SATURATION_SHARE * best.throughput);
    let at = *enough.min_by_key(|step| step.clients)?;
    let most = steps.iter().map(|step| step.clients).max()?;
    let sensible = steps.len() > 1 && best.throughput > 0.0;
    sensible.then_some(Knee { at, best, is_saturated: at.clients < most })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn steps(of: &[(u64, f64)]) -> Vec<Step> {
        of.iter().map(|&(clients, throughput)| Step { clients, throughput }).collect()
    }

    #[test]
    fn the_fewest_clients_that_reach_nearly_the_best() {
        let found = knee(&steps(&[(1, 100.0), (2, 190.0), (4, 285.0), (8, 300.0), (16, 296.0)])).unwrap();
        assert_eq!((found.at.clients, found.best.clients, found.is_saturated), (4, 8, true));
        // The order of the steps does not matter.
        assert_eq!(knee(&steps(&[(16, 296.0), (4, 285.0), (8, 300.0)])).unwrap().at.clients, 4);
    }

    #[test]
    fn what_still_rises_is_no_plateau() {
        let found = knee(&steps(&[(1, 100.0), (2, 200.0), (4, 400.0)])).unwrap();
        assert_eq!((found.at.clients, found.is_saturated), (4, false));
        assert_eq!(knee(&steps(&[(4, 100.0)])), None);
        assert_eq!(knee(&steps(&[(1, 0.0), (2, 0.0)])), None);
        assert_eq!(knee(&[]), None);
    }

    proptest! {
        #[test]
        fn it_reaches_enough_and_no_step_below_it_does(of in prop::collection::vec((1u64..100, 0.1f64..1e6), 2..20)) {
            let steps = steps(&of);
            let found = knee(&steps).unwrap();
            prop_assert!(found.at.throughput >= SATURATION_SHARE * found.best.throughput);
            prop_assert!(steps.iter().all(|s| s.clients >= found.at.clients || s.throughput < SATURATION_SHARE * found.best.throughput));
        }
    }
}
