//! Bound of the memory that one element takes while it is read. JSON of some bytes can be a value of a hundred times as many: the text
//! `{"":0},` has a map of its own.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// Estimated memory of one element, bytes: a reservation of 1,000 instances has 60,000 objects and takes half of it.
const MAX_ELEMENT_BYTES: u64 = 128 << 20;
/// Memory of an object: the first node of its map.
const OBJECT_BYTES: u64 = 700;
/// Memory of a value in an array or an object.
const VALUE_BYTES: u64 = 32;

/// Memory that the present element may take yet.
#[derive(Clone, Default)]
pub(super) struct Meter(Rc<Cell<Budget>>);

#[derive(Clone, Copy, Default, PartialEq)]
enum Budget {
    /// Nothing is kept.
    #[default]
    Unlimited,
    Left(u64),
    Exceeded,
}

impl Meter {
    /// Begins a value that is kept.
    pub(super) fn begin(&self) {
        self.0.set(Budget::Left(MAX_ELEMENT_BYTES));
    }

    /// Begins what is not kept.
    pub(super) fn end(&self) {
        self.0.set(Budget::Unlimited);
    }

    /// True of a value that would take too much.
    pub(super) fn is_exceeded(&self) -> bool {
        self.0.get() == Budget::Exceeded
    }

    fn add(&self, byte: u8) -> io::Result<()> {
        let Budget::Left(left) = self.0.get() else { return Ok(()) };
        let cost = match byte {
            b'{' => OBJECT_BYTES,
            b'[' | b',' => VALUE_BYTES,
            _ => 1,
        };
        if cost > left {
            self.0.set(Budget::Exceeded);
            return Err(io::Error::other("the value is too large"));
        }
        self.0.set(Budget::Left(left - cost));
        Ok(())
    }
}

/// A source whose bytes are metered as they are read, one at a time.
pub(super) struct Metered<R> {
    pub(super) source: R,
    pub(super) meter: Meter,
}

impl<R: Read> Read for Metered<R> {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // More at once could belong to the next element.
        let length = buffer.len().min(1);
        let count = self.source.read(&mut buffer[..length])?;
        buffer[..count].iter().try_for_each(|byte| self.meter.add(*byte))?;
        Ok(count)
    }
}
