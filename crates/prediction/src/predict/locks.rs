//! Waits for locks: their share of a transaction's time, by the number of other sessions.

use super::observed::Observed;
use super::setting::Setting;

/// Largest share of a transaction's time that more sessions are taken to wait for locks, where those of the run waited less. A choice:
/// sessions in proportion would soon wait for more than all of their time.
const MAX_LOCK_SHARE: f64 = 0.5;

/// Largest share of a run's time that counts as waits for locks: the rest of a transaction takes some time. A choice.
const MAX_OBSERVED_SHARE: f64 = 0.9;

/// Share of a transaction's time without its client that passes in waits for locks under the setting.
///
/// It scales with the number of other sessions that a session meets. With as many as in the run it is the share of the run, so that no
/// number of sessions is a step.
pub(super) fn lock_share(observed: &Observed, setting: &Setting) -> f64 {
    let working = observed.response_s() - observed.client_s;
    let share = if working > 0.0 { (observed.lock_s / working).clamp(0.0, MAX_OBSERVED_SHARE) } else { 0.0 };
    let excess = random_excess(observed.sessions);
    let [then, was] = [setting.sessions, observed.sessions].map(|sessions| (sessions - 1.0 + excess).max(0.0));
    if !setting.assumptions.locks_grow {
        // One other session is enough for the same share.
        return share * (then / was.min(1.0)).min(1.0);
    }
    (share * then / was).min(share.max(MAX_LOCK_SHARE))
}

/// Other sessions that a session meets beyond n − 1, where n of them are at work on average.
///
/// n clients that always work meet n − 1 others. A mean of one or less with waits for locks comes from sessions that are more at times.
/// Sessions that come at random (Poisson) are n / (1 − e⁻ⁿ) on average while any is at work, which is n / (eⁿ − 1) more than n: nearly one
/// of few, 0.58 of one, 0.07 of four and nothing of sixteen.
fn random_excess(sessions: f64) -> f64 {
    sessions / sessions.exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predict::predict_tests::{self, TPCB};
    use crate::predict::setting::Assumptions;
    use crate::predict::{Target, predict};

    #[test]
    fn many_sessions_meet_all_others_and_few_meet_some() {
        assert!(
            (random_excess(1.0) - 0.582).abs() < 1e-3 && random_excess(16.0) < 1e-5 && random_excess(2_000.0) == 0.0
        );
        assert!(random_excess(0.02) - 1.0 + 0.02 > 0.0);
    }

    /// TPC-B with waits for locks for this share of its time, by so many sessions.
    fn run(sessions: f64, share: f64) -> Observed {
        let response_s = TPCB.response_s() / (1.0 - share);
        Observed { sessions, tps: sessions / response_s, lock_s: share * response_s, ..TPCB }
    }

    /// A run of one session and a little more has not a few hundredths of another, and sixteen clients not hundreds of times its waits.
    #[test]
    fn sessions_of_about_one_are_no_step() {
        let clients = |share: f64| [1.0, 2.0, 16.0].map(|clients| (share, clients));
        for (share, clients) in [0.005, 0.02, 0.05, 0.2].into_iter().flat_map(clients) {
            let target = Target { sessions: Some(clients), ..predict_tests::own() };
            let predicted = |hundredths: u8| predict(&run(f64::from(hundredths) / 100.0, share), &target).tps;
            for hundredths in 90..130 {
                let (now, next) = (predicted(hundredths), predicted(hundredths + 1));
                for (now, next) in [(now.low, next.low), (now.middle, next.middle), (now.high, next.high)] {
                    assert!((next / now - 1.0).abs() < 0.02, "{share} {clients} {hundredths}: {now} {next}");
                }
            }
        }
    }

    /// The same number of sessions wait for each other as they did, and one client for nobody.
    #[test]
    fn other_sessions_are_what_locks_are_for() {
        let share = |sessions: f64, then: f64, locks_grow: bool| {
            let setting = predict_tests::setting(then);
            let assumptions = Assumptions { locks_grow, ..setting.assumptions };
            lock_share(&run(sessions, 0.1), &Setting { assumptions, ..setting })
        };
        for sessions in [0.5, 1.0, 1.02, 4.0, 200.0] {
            assert!((share(sessions, sessions, true) - 0.1).abs() < 1e-9, "{sessions}");
            assert!((share(sessions, sessions, false) - 0.1).abs() < 1e-9, "{sessions}");
        }
        assert!(share(16.0, 1.0, true) < 1e-6 && share(16.0, 1.0, false) < 1e-5);
        assert!((share(16.0, 4.0, true) / 0.02 - 1.0).abs() < 1e-3 && (share(16.0, 4.0, false) - 0.1).abs() < 1e-9);
        assert_eq!(share(4.0, 64.0, true), MAX_LOCK_SHARE);
    }
}
