use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

fn count(calls: &AtomicUsize) {
    calls.fetch_add(1, Ordering::Relaxed);
}

#[test]
fn a_pass_calls_it_at_its_beginning_and_again_and_again() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let pause = Pause::new(|| count(&CALLS));
    assert_eq!(pause.each(0..3 * STEP).sum::<usize>(), (0..3 * STEP).sum::<usize>());
    assert_eq!(CALLS.load(Ordering::Relaxed), 3);
    assert_eq!(pause.each([7]).collect::<Vec<i32>>(), vec![7]);
    assert_eq!(CALLS.load(Ordering::Relaxed), 4);
}

#[test]
fn sorting_calls_it_and_sorts() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let pause = Pause::new(|| count(&CALLS));
    let mut values: Vec<usize> = (0..4 * STEP).map(|n| n * 7_919 % (4 * STEP)).collect();
    values.sort_unstable_by(pause.comparing(usize::cmp));
    assert!(values.is_sorted() && CALLS.load(Ordering::Relaxed) >= 4);
}
