//! C strings of PostgreSQL's.

use std::ffi::{CStr, c_char};

/// A copy of a C string; empty for a null pointer.
///
/// # Safety
/// `text` is null or points to a zero-terminated string.
pub(super) unsafe fn copy_c_string(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
