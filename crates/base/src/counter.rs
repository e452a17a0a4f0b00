//! Cumulative counters: the only place in the project that subtracts two readings of one.
//!
//! PostgreSQL and the kernel count upwards until they do not: a reset, a crash, a detached device or a wrap-around make
//! a later reading smaller. That is a value here ([`Delta::Reset`]), never a negative or a huge number.

/// Difference of a set of counters between two readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delta<T> {
    /// Every counter stayed or grew; the differences.
    Advanced(T),
    /// At least one counter went backwards: the counts between the readings are unknown.
    Reset,
}

/// A fixed set of counters that are read together.
pub trait Counters: Copy + Default + PartialEq {
    /// Applies `f` to each pair of counters; `None` as soon as one gives `None`.
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> Option<u64>) -> Option<Self>;

    /// Every counter, in the order they are declared.
    fn fields(self) -> Vec<u64>;

    /// Builds the set from counters in that order; `None` if there are more or fewer.
    fn from_fields(fields: &[u64]) -> Option<Self>;

    /// Subtracts the earlier reading `before` from this one.
    fn since(self, before: Self) -> Delta<Self> {
        match self.zip(before, u64::checked_sub) {
            Some(advanced) => Delta::Advanced(advanced),
            None => Delta::Reset,
        }
    }

    /// Adds both counts; a sum stops at the largest number.
    fn plus(self, other: Self) -> Self {
        self.zip(other, |a, b| Some(a.saturating_add(b))).unwrap_or_default()
    }

    /// Returns true if nothing was counted.
    fn is_zero(self) -> bool {
        self == Self::default()
    }
}

/// Subtracts the bins of the earlier histogram `before` from those of `now`, each with its bounds. Counts of bins with
/// different bounds cannot be compared: that is a reset too.
pub fn bins_since<B: Copy + PartialEq>(now: &[(B, u64)], before: &[(B, u64)]) -> Delta<Vec<(B, u64)>> {
    if now.len() != before.len() {
        return Delta::Reset;
    }
    let counted = |(&(bounds, now), &(bounds_before, before)): (&(B, u64), &(B, u64))| {
        let same = bounds == bounds_before;
        same.then(|| Some((bounds, now.checked_sub(before)?))).flatten()
    };
    now.iter().zip(before).map(counted).collect::<Option<_>>().map_or(Delta::Reset, Delta::Advanced)
}

/// Declares a struct of `u64` counters that are read together.
#[macro_export]
macro_rules! counters {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub struct $name { $($(#[$field_doc])* pub $field: u64,)* }

        impl $crate::counter::Counters for $name {
            #[inline]
            fn zip(self, other: Self, f: impl Fn(u64, u64) -> Option<u64>) -> Option<Self> {
                Some($name { $($field: f(self.$field, other.$field)?,)* })
            }

            fn fields(self) -> Vec<u64> {
                vec![$(self.$field,)*]
            }

            fn from_fields(fields: &[u64]) -> Option<Self> {
                let mut fields = fields.iter().copied();
                let counts = $name { $($field: fields.next()?,)* };
                fields.next().is_none().then_some(counts)
            }
        }
    };
}
#[doc(inline)]
pub use counters;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    counters! {
        /// Two counters are enough to show that one of them going backwards is a reset of both.
        Pair { a, b, }
    }

    proptest! {
        #[test]
        fn a_delta_is_what_was_added_or_a_reset(a0: u32, b0: u32, a1: u32, b1: u32) {
            let before = Pair { a: a0.into(), b: b0.into() };
            let after = Pair { a: a1.into(), b: b1.into() };
            match after.since(before) {
                Delta::Advanced(delta) => prop_assert_eq!(before.plus(delta), after),
                Delta::Reset => prop_assert!(a1 < a0 || b1 < b0),
            }
        }

        #[test]
        fn splitting_an_interval_keeps_its_total(start: u32, first: u32, second: u32) {
            let (start, first, second) = (u64::from(start), u64::from(first), u64::from(second));
            let [s, m, e] = [start, start + first, start + first + second].map(|a| Pair { a, b: 0 });
            let (Delta::Advanced(x), Delta::Advanced(y), Delta::Advanced(whole)) = (m.since(s), e.since(m), e.since(s))
            else { panic!("counters that only grow do not reset") };
            prop_assert_eq!(x.plus(y), whole);
        }

        #[test]
        fn bins_advance_together_or_not_at_all(
            before in prop::collection::vec((any::<u8>(), any::<u32>()), 0..5), now in prop::collection::vec(any::<u32>(), 0..5),
            other_bounds: bool,
        ) {
            let before: Vec<(u8, u64)> = before.into_iter().map(|(bounds, count)| (bounds, count.into())).collect();
            let bounds = |n: usize| before.get(n).map_or(0, |row| row.0).wrapping_add(u8::from(other_bounds));
            let now: Vec<(u8, u64)> = now.into_iter().enumerate().map(|(n, count)| (bounds(n), count.into())).collect();
            let forwards = now.iter().zip(&before).all(|(now, before)| now.1 >= before.1);
            match bins_since(&now, &before) {
                Delta::Advanced(counted) => {
                    prop_assert!(forwards && now.len() == before.len() && (!other_bounds || now.is_empty()));
                    let after = counted.iter().zip(&before).map(|(counted, before)| (before.0, before.1 + counted.1));
                    prop_assert_eq!(after.collect::<Vec<_>>(), now);
                }
                Delta::Reset => prop_assert!(!forwards || now.len() != before.len() || other_bounds),
            }
        }
    }
}
