//! The allocator of this library: the system's, which counts, and a reserve for when the system refuses.
//!
//! Rust aborts where an allocation fails, and PostgreSQL then restarts the server. A global allocator must not unwind, so that it
//! cannot raise an ERROR either: it serves out of the reserve, records that, and the next check raises the ERROR (`memory.rs`).

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::reserve::Reserve;

struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

static RESERVE: Reserve = Reserve::new();

/// Bytes that an allocation takes beside its own: its header, and rounding.
const HEADER: usize = 16;

/// Bytes in use, with their headers.
static LIVE: AtomicUsize = AtomicUsize::new(0);
/// Most bytes in use since [`high_water`] was last called.
static HIGH: AtomicUsize = AtomicUsize::new(0);
/// Bytes of the largest allocation that the system refused and no error has reported; 0 where there is none.
static REFUSED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: memory comes from the system's allocator or from the reserve, and goes back to the one it came from. Nothing unwinds.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those of the system's allocator.
        let memory = unsafe { System.alloc(layout) };
        count_allocation(if memory.is_null() { allocate_from_reserve(layout) } else { memory }, layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let mut memory = unsafe { System.alloc_zeroed(layout) };
        if memory.is_null() {
            memory = allocate_from_reserve(layout);
            if !memory.is_null() {
                // SAFETY: this many bytes were just allocated.
                unsafe { memory.write_bytes(0, layout.size()) };
            }
        }
        count_allocation(memory, layout)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() + HEADER, Ordering::Relaxed);
        // SAFETY: the caller's promises; it goes back to where it came from.
        unsafe {
            match RESERVE.owns(memory) {
                true => RESERVE.take_back(memory, layout),
                false => System.dealloc(memory, layout),
            }
        }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !RESERVE.owns(memory) {
            // SAFETY: the caller's promises are those of the system's allocator, from which this came.
            let grown = unsafe { System.realloc(memory, layout, size) };
            if !grown.is_null() {
                if size > layout.size() {
                    add(size - layout.size());
                } else {
                    LIVE.fetch_sub(layout.size() - size, Ordering::Relaxed);
                }
                return grown;
            }
        }
        // SAFETY: the caller promises that the new size makes a layout; both pieces are at least as long as what is copied.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(memory, layout.size().min(size));
                self.dealloc(memory, layout);
            }
            new
        }
    }
}

fn allocate_from_reserve(layout: Layout) -> *mut u8 {
    REFUSED.fetch_max(layout.size(), Ordering::Relaxed);
    RESERVE.allocate(layout)
}

fn count_allocation(memory: *mut u8, layout: Layout) -> *mut u8 {
    if memory.is_null() {
        return memory;
    }
    add(layout.size() + HEADER);
    memory
}

fn add(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed) + bytes;
    // A process of PostgreSQL has one thread.
    if live > HIGH.load(Ordering::Relaxed) {
        HIGH.store(live, Ordering::Relaxed);
    }
}

/// Bytes that this library has in use.
pub fn live_bytes() -> usize {
    LIVE.load(Ordering::Relaxed)
}

/// Most bytes in use since the last call.
pub fn high_water() -> usize {
    HIGH.swap(live_bytes(), Ordering::Relaxed)
}

/// Largest allocation that the system refused since the last call, bytes.
pub fn take_refused() -> Option<usize> {
    Some(REFUSED.load(Ordering::Relaxed)).filter(|bytes| *bytes > 0).inspect(|_| REFUSED.store(0, Ordering::Relaxed))
}

/// Free bytes of the reserve, which are available even if the system refuses more.
pub fn free_reserve() -> usize {
    RESERVE.free()
}

/// Makes the reserve at least `bytes` large; false if the system refuses.
pub fn grow_reserve(bytes: usize) -> bool {
    RESERVE.grow(bytes)
}

/// Gives back the part of the reserve that is not in use.
pub fn shrink_reserve() {
    RESERVE.shrink();
}
