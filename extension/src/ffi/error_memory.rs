//! Memory that is given back to the system when PostgreSQL raises "out of memory", so that the error can be reported.
//!
//! pgrx copies an error that PostgreSQL raises into the memory context in which it was raised, which may be the one that has no
//! memory left: the copy fails, is caught in the same place and copied again, until PostgreSQL has no room for errors and ends the
//! server with a PANIC.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;
use std::ptr::{addr_of_mut, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};

use pgrx::{PgSqlErrorCode, pg_sys};

/// Twice the most that a memory context asks for when little is allocated: blocks double up to 8 MiB, and are halved down to 1 MiB
/// where the system refuses them.
const LAYOUT: Layout = match Layout::from_size_align(2 << 20, 4096) {
    Ok(layout) => layout,
    Err(_) => Layout::new::<u8>(),
};

static ERROR_MEMORY: AtomicPtr<u8> = AtomicPtr::new(null_mut());

static mut CALLBACK: pg_sys::ErrorContextCallback =
    pg_sys::ErrorContextCallback { previous: null_mut(), callback: Some(give_back), arg: null_mut() };

/// Puts the memory and its callback in place; false if the system refuses it.
pub fn prepare_error_memory() -> bool {
    if ERROR_MEMORY.load(Ordering::Relaxed).is_null() {
        // SAFETY: the layout is not empty.
        ERROR_MEMORY.store(unsafe { System.alloc(LAYOUT) }, Ordering::Relaxed);
    }
    // SAFETY: a process of PostgreSQL has one thread. Each entry of this list is alive, and removes itself by restoring the entry
    // before it, which removes entries that were added later, as this one is. This one is static, and is added at most once.
    unsafe {
        let callback = addr_of_mut!(CALLBACK);
        let mut entry = pg_sys::error_context_stack;
        while !entry.is_null() && entry != callback {
            entry = (*entry).previous;
        }
        if entry.is_null() {
            (*callback).previous = pg_sys::error_context_stack;
            pg_sys::error_context_stack = callback;
        }
    }
    !ERROR_MEMORY.load(Ordering::Relaxed).is_null()
}

/// Gives it back when it is no longer needed.
pub fn free_error_memory() {
    let memory = ERROR_MEMORY.swap(null_mut(), Ordering::Relaxed);
    if !memory.is_null() {
        // SAFETY: it came from there with this layout, and nothing else has it.
        unsafe { System.dealloc(memory, LAYOUT) };
    }
}

/// Called by PostgreSQL for each message, before it jumps to the code that catches it. It neither allocates nor raises.
unsafe extern "C-unwind" fn give_back(_argument: *mut c_void) {
    // SAFETY: called while a message is made.
    let code = unsafe { pg_sys::geterrcode() };
    if PgSqlErrorCode::from(code) == PgSqlErrorCode::ERRCODE_OUT_OF_MEMORY {
        free_error_memory();
    }
}
