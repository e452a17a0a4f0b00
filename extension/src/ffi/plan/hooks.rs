//! A hook of PostgreSQL's that is ours for a while.

use std::cell::Cell;

use pgrx::pg_sys::ffi::pg_guard_ffi_boundary;

/// A hook, with the function that was in its place before ours.
///
/// A library that is loaded meanwhile may put its own function in front of ours, which then cannot be taken out: it stays behind that one,
/// and passes every call on.
pub(super) struct Hook<F> {
    previous: Cell<Option<F>>,
    stays: Cell<bool>,
}

impl<F: Copy + PartialEq> Hook<F> {
    pub(super) const fn new() -> Hook<F> {
        Hook { previous: Cell::new(None), stays: Cell::new(false) }
    }

    /// Puts our function in place.
    ///
    /// # Safety
    /// The place of a hook of this process, and a function that does as this hook's are to do.
    pub(super) unsafe fn set(&self, place: *mut Option<F>, ours: F) {
        if self.stays.get() {
            return;
        }
        // SAFETY: as the caller promises; a backend has one thread.
        unsafe {
            self.previous.set(*place);
            *place = Some(ours);
        }
    }

    /// Puts back what was there before; the same arguments as of [`Hook::set`].
    ///
    /// # Safety
    /// The promises of [`Hook::set`].
    pub(super) unsafe fn unset(&self, place: *mut Option<F>, ours: F) {
        // SAFETY: as the caller promises.
        unsafe {
            if *place == Some(ours) {
                *place = self.previous.get();
            } else {
                self.stays.set(true);
            }
        }
    }

    /// Calls the function that was there before; `None` where there was none. Its errors may be PostgreSQL's own.
    pub(super) fn pass_on<R: Copy>(&self, call: impl FnOnce(F) -> R) -> Option<R> {
        // SAFETY: nothing that would need to be dropped lives in between.
        self.previous.get().map(|previous| unsafe { pg_guard_ffi_boundary(|| call(previous)) })
    }
}
