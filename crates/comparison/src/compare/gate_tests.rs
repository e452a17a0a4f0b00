//! The conditions of runs that a gate compares.

use super::tests::{UNEVEN, compare, find, run};
use super::*;

/// The result of the driver has its clients, whatever the note says.
#[test]
fn clients_of_a_result_are_compared() {
    let with = |label: &str, from_s, clients| Run {
        reported: DriverReport { clients, ..DriverReport::default() },
        ..run(label, from_s, &UNEVEN, 1_000)
    };
    let verdict = |a, b| {
        let rows = compare(&[with("a", 0, a)], &[with("b", 100, b)], &Options::default());
        find(&rows, "gate", "clients").verdict
    };
    assert_eq!(verdict(Some(16.0), Some(16.0)), Some(Verdict::Same));
    assert_eq!(verdict(Some(16.0), Some(32.0)), Some(Verdict::Differs));
    // Eight by the note.
    assert_eq!(verdict(Some(16.0), None), Some(Verdict::Differs));
    assert_eq!(verdict(None, None), Some(Verdict::Same));
}
