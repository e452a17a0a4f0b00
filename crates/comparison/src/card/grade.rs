//! Tests and thresholds. They are data: a figure is graded by that table alone.
//!
//! They are those published with the open-source fio scripts on which this card is based, and grade the suitability for an OLTP
//! database, not the compliance with a volume type's limits.

/// Grades, best first.
pub const LETTERS: [&str; 8] = ["A+", "A", "A-", "B", "B-", "C", "C-", "D"];

/// Reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Reads.
    Read,
    /// Writes.
    Write,
}

/// A test of latency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// Its name.
    pub name: &'static str,
    /// fio's option `rw`.
    pub rw: &'static str,
    /// Kind of its requests.
    pub kind: Kind,
    /// Bytes of each request.
    pub block_bytes: u64,
    /// Jobs at the same time, one request in flight each.
    pub users: u64,
    /// Jobs at the same time in the test of its scaling.
    pub scaled_users: u64,
    /// Limit of the 95th percentile, ms, for each letter but the last; the limit itself is excluded.
    pub below_ms: [f64; 7],
}

/// The four tests.
pub static TESTS: [Test; 4] = [
    Test {
        name: "8 KiB random read, 16 users",
        rw: "randread",
        kind: Kind::Read,
        block_bytes: 8 << 10,
        users: 16,
        scaled_users: 32,
        below_ms: [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0],
    },
    Test {
        name: "1 MiB sequential read, 1 user",
        rw: "read",
        kind: Kind::Read,
        block_bytes: 1 << 20,
        users: 1,
        scaled_users: 8,
        below_ms: [12.0, 14.0, 16.0, 18.0, 20.0, 22.0, 24.0],
    },
    Test {
        name: "1 KiB sequential write, 4 users",
        rw: "write",
        kind: Kind::Write,
        block_bytes: 1 << 10,
        users: 4,
        scaled_users: 16,
        below_ms: [0.2, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0],
    },
    Test {
        name: "128 KiB sequential write, 4 users",
        rw: "write",
        kind: Kind::Write,
        block_bytes: 128 << 10,
        users: 4,
        scaled_users: 16,
        below_ms: [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0],
    },
];

/// Largest growth of the 95th percentile, divided by the growth of users, for each letter but the last.
pub const MAX_GROWTH: [f64; 7] = [0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.9];

impl Test {
    /// Growth of users from the test to its scaling.
    pub fn factor(&self) -> f64 {
        self.scaled_users as f64 / self.users as f64
    }
}

/// The grade of a 95th percentile; `None` where it is not a latency.
pub fn latency_grade(test: &Test, p95_ms: f64) -> Option<&'static str> {
    (p95_ms.is_finite() && p95_ms >= 0.0).then(|| letter(&test.below_ms, |limit| p95_ms < limit))
}

/// The grade of a test's scaling: `(scaled p95 / p95 - 1) / factor`; less latency with more users is the best grade.
pub fn scaling_grade(growth: f64) -> Option<&'static str> {
    growth.is_finite().then(|| letter(&MAX_GROWTH, |limit| growth <= limit))
}

fn letter(limits: &[f64; 7], holds: impl Fn(f64) -> bool) -> &'static str {
    let index = limits.iter().position(|limit| holds(*limit)).unwrap_or(limits.len());
    LETTERS[index]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rank(grade: Option<&str>) -> usize {
        LETTERS.iter().position(|letter| Some(*letter) == grade).unwrap()
    }

    #[test]
    fn a_limit_belongs_to_the_worse_grade_of_latency_and_to_the_better_of_scaling() {
        let [read, _, log, _] = &TESTS;
        assert_eq!([1.999, 2.0, 13.9, 14.0].map(|ms| latency_grade(read, ms).unwrap()), ["A+", "A", "C-", "D"]);
        assert_eq!([0.19, 0.2, 2.99, 3.0].map(|ms| latency_grade(log, ms).unwrap()), ["A+", "A", "C-", "D"]);
        assert_eq!([-0.3, 0.05, 0.051, 0.9, 0.91].map(|x| scaling_grade(x).unwrap()), ["A+", "A+", "A", "C-", "D"]);
        assert_eq!(
            (latency_grade(read, f64::NAN), latency_grade(read, -1.0), scaling_grade(f64::NAN)),
            (None, None, None)
        );
    }

    #[test]
    fn thresholds_ascend_and_factors_are_those_of_the_pairs() {
        assert!(TESTS.iter().map(|test| &test.below_ms).chain([&MAX_GROWTH]).all(|limits| limits.is_sorted()));
        assert_eq!(TESTS.map(|test| test.factor()), [2.0, 8.0, 4.0, 4.0]);
    }

    proptest! {
        #[test]
        fn more_latency_is_no_better_grade(which in 0usize..4, a in 0f64..40.0, b in 0f64..40.0) {
            let grade = |ms: f64| rank(latency_grade(&TESTS[which], ms));
            prop_assert!(grade(a.min(b)) <= grade(a.max(b)));
        }

        #[test]
        fn more_growth_is_no_better_grade(a in -1f64..2.0, b in -1f64..2.0) {
            let grade = |growth: f64| rank(scaling_grade(growth));
            prop_assert!(grade(a.min(b)) <= grade(a.max(b)));
        }

        #[test]
        fn every_letter_can_be_had(which in 0usize..4) {
            let test = &TESTS[which];
            let found: Vec<usize> =
                test.below_ms.iter().map(|ms| rank(latency_grade(test, ms - 1e-9))).chain([rank(latency_grade(test, 1e9))]).collect();
            prop_assert_eq!(found, (0..LETTERS.len()).collect::<Vec<_>>());
        }
    }
}
