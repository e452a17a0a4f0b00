//! BindingLimit of the samples that are in memory at once, over all threads.

use std::sync::{Condvar, Mutex, PoisonError};

/// Samples that may be in memory, with the answers that are computed from them: 16 bytes each as they are fetched, and some 200 more
/// for each interval of a volume while it is evaluated.
pub const MAX_SAMPLES: u64 = 6_000_000;

/// A number of samples that threads share. A thread takes as many as its batch will have, and waits until they are free.
pub struct SampleBudget {
    free: Mutex<u64>,
    returned: Condvar,
    limit: u64,
}

/// Samples that a thread has taken; returned when it is dropped.
pub struct Taken<'a> {
    budget: &'a SampleBudget,
    samples: u64,
}

impl SampleBudget {
    /// A budget of this many samples.
    pub fn new(limit: u64) -> SampleBudget {
        SampleBudget { free: Mutex::new(limit), returned: Condvar::new(), limit }
    }

    /// Waits until this many samples are free, and takes them. A batch that is larger than the whole budget takes all of it, and is alone.
    pub fn take(&self, samples: u64) -> Taken<'_> {
        let samples = samples.min(self.limit);
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free < samples {
            free = self.returned.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        *free -= samples;
        Taken { budget: self, samples }
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *self.budget.free.lock().unwrap_or_else(PoisonError::into_inner) += self.samples;
        self.budget.returned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn who_takes_more_than_is_free_waits_until_it_is_returned() {
        let budget = SampleBudget::new(10);
        let first = budget.take(7);
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            let budget = &budget;
            scope.spawn(move || {
                // More than the whole budget is the whole of it.
                let _second = budget.take(50);
                sender.send(*budget.free.lock().unwrap()).unwrap();
            });
            assert_eq!(*budget.free.lock().unwrap(), 3);
            assert!(receiver.try_recv().is_err());
            drop(first);
            assert_eq!(receiver.recv().unwrap(), 0);
        });
        assert_eq!(*budget.free.lock().unwrap(), 10);
    }
}
