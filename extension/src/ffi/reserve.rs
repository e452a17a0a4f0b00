//! Memory that is mapped beforehand and serves when the system refuses.
//!
//! A heap within the library is always there: it is mapped with the library. Further heaps are mapped before work that needs
//! more. Mapped pages that are not touched take address space (and commit charge), no memory.

use std::alloc::Layout;
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use talc::base::Talc;
use talc::base::binning::DefaultBinning;
use talc::source::Manual;

/// Size of the heap within the library, bytes: the catalogue that the first call of a session reads (a quarter of it), the
/// unwinding of an error, and all that is allocated between two checks by a statement that holds little. It is mapped with the
/// library, and not touched unless the system refuses.
pub const BUILT_IN_BYTES: usize = 2 << 20;

/// Most heaps: the one within the library, and those mapped. A new one is mapped only where the others are too small.
const MAX_HEAPS: usize = 8;

/// Step in which heaps are mapped, bytes: a multiple of any page size.
const STEP: usize = 1 << 20;

#[repr(C, align(4096))]
struct Base(UnsafeCell<[u8; BUILT_IN_BYTES]>);

// SAFETY: only the heap that claims it reaches into it, under the reserve's lock.
unsafe impl Sync for Base {}

static MEMORY: Base = Base(UnsafeCell::new([0; BUILT_IN_BYTES]));

/// A heap; one of length 0 does not exist.
struct Heap {
    start: *mut u8,
    length: usize,
    /// Bytes allocated.
    live: usize,
    talc: Talc<Manual, DefaultBinning>,
}

impl Heap {
    const NONE: Heap = Heap { start: null_mut(), length: 0, live: 0, talc: Talc::new(Manual) };

    /// A heap of this memory.
    ///
    /// # Safety
    /// Nothing else uses the memory as long as the heap exists.
    unsafe fn claim(start: *mut u8, length: usize) -> Heap {
        let mut talc = Talc::new(Manual);
        // SAFETY: the caller's promise. It is larger than the metadata (STEP and BUILT_IN_BYTES are).
        let _ = unsafe { talc.claim(start, length) };
        Heap { start, length, live: 0, talc }
    }

    fn contains(&self, address: usize) -> bool {
        let start = self.start as usize;
        (start..start + self.length).contains(&address)
    }

    fn allocate(&mut self, layout: Layout) -> Option<NonNull<u8>> {
        if self.length == 0 {
            return None;
        }
        // SAFETY: a global allocator never gets a layout of size 0.
        let memory = unsafe { self.talc.try_allocate(layout) }?;
        self.live += layout.size();
        Some(memory)
    }
}

/// The heaps, under a lock that is held for as long as one allocation takes.
pub struct Reserve {
    locked: AtomicBool,
    heaps: UnsafeCell<[Heap; MAX_HEAPS]>,
    /// Bytes allocated from all of them: no lock is needed while it is 0.
    live: AtomicUsize,
    /// Bytes that all of them have.
    length: AtomicUsize,
}

// SAFETY: the heaps are only reached under the lock.
unsafe impl Sync for Reserve {}

impl Reserve {
    /// A reserve of the heap within the library alone.
    pub const fn new() -> Reserve {
        Reserve {
            locked: AtomicBool::new(false),
            heaps: UnsafeCell::new([const { Heap::NONE }; MAX_HEAPS]),
            live: AtomicUsize::new(0),
            length: AtomicUsize::new(BUILT_IN_BYTES),
        }
    }

    /// Bytes that are not allocated.
    pub fn free(&self) -> usize {
        self.length.load(Ordering::Relaxed).saturating_sub(self.live.load(Ordering::Relaxed))
    }

    /// Bytes that are allocated.
    fn live(&self) -> usize {
        self.live.load(Ordering::Relaxed)
    }

    /// Allocates from the heap mapped last that has room; null if none has.
    pub fn allocate(&self, layout: Layout) -> *mut u8 {
        let memory = self.with(|heaps| heaps.iter_mut().rev().find_map(|heap| heap.allocate(layout)));
        if memory.is_some() {
            self.live.fetch_add(layout.size(), Ordering::Relaxed);
        }
        memory.map_or(null_mut(), NonNull::as_ptr)
    }

    /// True of memory that was allocated from it.
    pub fn owns(&self, memory: *mut u8) -> bool {
        self.live() > 0 && self.with(|heaps| heaps.iter().any(|heap| heap.contains(memory as usize)))
    }

    /// Frees memory that was allocated from it.
    ///
    /// # Safety
    /// [`Reserve::allocate`] returned `memory` for this layout, and nothing uses it any more.
    pub unsafe fn take_back(&self, memory: *mut u8, layout: Layout) {
        self.with(|heaps| {
            let Some(heap) = heaps.iter_mut().find(|heap| heap.contains(memory as usize)) else { return };
            // SAFETY: the caller's promise.
            unsafe { heap.talc.deallocate(memory, layout) };
            heap.live -= layout.size();
        });
        self.live.fetch_sub(layout.size(), Ordering::Relaxed);
    }

    /// Ensures this many free bytes, in one piece beyond those of the library; false if the system refuses them.
    pub fn grow(&self, bytes: usize) -> bool {
        if self.free() >= bytes {
            return true;
        }
        let Some(length) = bytes.checked_next_multiple_of(STEP) else { return false };
        // The heaps that are too small are unmapped first: with them the reserve would be larger than needed.
        self.shrink();
        let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
        // SAFETY: new memory, wherever the kernel has room.
        let Ok(start) = (unsafe { mmap_anonymous(null_mut(), length, protection, flags) }) else { return false };
        let is_added = self.with(|heaps| {
            let free = heaps.iter_mut().skip(1).find(|heap| heap.length == 0);
            // SAFETY: it was mapped above, and is unmapped only when the heap is gone.
            free.map(|heap| *heap = unsafe { Heap::claim(start.cast(), length) }).is_some()
        });
        if is_added {
            self.length.fetch_add(length, Ordering::Relaxed);
        } else {
            unmap(start, length);
        }
        is_added
    }

    /// Unmaps every mapped heap of which nothing is in use.
    pub fn shrink(&self) {
        if self.length.load(Ordering::Relaxed) == BUILT_IN_BYTES {
            return;
        }
        let unmapped = self.with(|heaps| {
            let unused = heaps.iter_mut().skip(1).filter(|heap| heap.length > 0 && heap.live == 0);
            unused.map(|heap| std::mem::replace(heap, Heap::NONE)).fold(0, |sum, heap| {
                unmap(heap.start.cast(), heap.length);
                sum + heap.length
            })
        });
        self.length.fetch_sub(unmapped, Ordering::Relaxed);
    }

    /// Runs `body` with the heaps, the first of which exists from then on. `body` neither allocates nor panics.
    fn with<R>(&self, body: impl FnOnce(&mut [Heap; MAX_HEAPS]) -> R) -> R {
        while self.locked.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            std::hint::spin_loop();
        }
        // SAFETY: only the holder of the lock reaches them.
        let heaps = unsafe { &mut *self.heaps.get() };
        if heaps[0].length == 0 {
            // SAFETY: nothing else reaches that memory.
            heaps[0] = unsafe { Heap::claim(MEMORY.0.get().cast(), BUILT_IN_BYTES) };
        }
        let result = body(heaps);
        self.locked.store(false, Ordering::Release);
        result
    }
}

fn unmap(start: *mut c_void, length: usize) {
    // SAFETY: mapped by `grow` with this length, and nothing of it is in use.
    let _ = unsafe { munmap(start, length) };
}
