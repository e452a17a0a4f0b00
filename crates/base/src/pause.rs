//! Interruption of long computations: a function that evidence carries, and that every pass over it calls.

/// Items between two calls: a pass takes some 10 to 100 ns an item, so that a call comes every millisecond or so.
pub const STEP: usize = 1 << 14;

/// Function that long computations call. It may unwind: they change nothing outside of themselves.
#[derive(Clone, Copy)]
pub struct Pause(fn());

impl Pause {
    /// Returns a pause that calls `function`, which checks for interrupts.
    pub fn new(function: fn()) -> Pause {
        Pause(function)
    }

    /// Calls it.
    pub fn now(self) {
        (self.0)();
    }

    /// The items of a pass; calls it before the first, and before each 16,384th that follows.
    pub fn each<I: IntoIterator>(self, items: I) -> impl Iterator<Item = I::Item> {
        items.into_iter().enumerate().map(move |(index, item)| {
            if index.is_multiple_of(STEP) {
                self.now();
            }
            item
        })
    }

    /// A comparison for sorting, which takes the longest of all passes; calls it before each 16,384th.
    pub fn comparing<T>(
        self,
        compare: impl Fn(&T, &T) -> std::cmp::Ordering,
    ) -> impl FnMut(&T, &T) -> std::cmp::Ordering {
        let mut compared = 0usize;
        move |a, b| {
            if compared.is_multiple_of(STEP) {
                self.now();
            }
            compared += 1;
            compare(a, b)
        }
    }
}

impl Default for Pause {
    /// Does nothing.
    fn default() -> Pause {
        Pause(|| ())
    }
}

impl std::fmt::Debug for Pause {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Pause")
    }
}

impl PartialEq for Pause {
    /// Evidence does not differ by its interruption.
    fn eq(&self, _: &Pause) -> bool {
        true
    }
}

#[cfg(test)]
#[path = "pause_tests.rs"]
mod tests;
