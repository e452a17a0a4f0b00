//! Blocks whose samples cannot be read: they stay as they are, are left out of answers and of downsampling, and are named.

use std::sync::Mutex;

use pgrx::prelude::*;
use pgrx::spi::SpiHeapTupleData;

use super::block_rows::read_block;
use crate::errors::{Error, warning_with_hint};
use crate::ffi;
use crate::interrupts::check_interrupts;
use crate::sql::{execute, first_value};

/// Numbers of blocks that a message names.
const MAX_NAMED: usize = 10;

/// Blocks that one round of upkeep reads again.
const MAX_READ_AGAIN: i64 = 1_000;

/// Command that removes the marked blocks.
pub const REMOVE_DAMAGED_BLOCKS: &str = "DELETE FROM ebs.sample_block WHERE damaged;";

/// Blocks that could not be read.
#[derive(Default)]
pub struct UnreadableBlocks {
    numbers: Vec<i64>,
    /// Reason of the first.
    reason: String,
    /// True while PostgreSQL is known to read the values of the rows at hand.
    is_stored_well: bool,
}

impl UnreadableBlocks {
    /// Has PostgreSQL read the samples of these rows, all in one subtransaction: where it can, [`read`](Self::read) needs none for
    /// each, and answers read tens of thousands.
    pub fn try_batch(&mut self, rows: &[SpiHeapTupleData]) {
        let samples_of = |row: &SpiHeapTupleData| {
            check_interrupts();
            row.get::<&[u8]>(2).map(|_| ())
        };
        self.is_stored_well = matches!(ffi::attempt_to_read(|| rows.iter().try_for_each(samples_of)), Ok(Ok(())));
    }

    /// Runs `read` for a row of format, samples and number; `None` if its block is damaged, which is recorded. Other errors stay
    /// errors. In a subtransaction that is rolled back, because PostgreSQL itself may find that the samples are damaged.
    pub fn read<T>(
        &mut self,
        row: &SpiHeapTupleData,
        read: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let outcome = if self.is_stored_well { Ok(read()) } else { ffi::attempt_to_read(read) };
        let reason = match outcome {
            Ok(Err(error)) if error.is_corruption() => error.to_string(),
            Ok(outcome) => return outcome.map(Some),
            Err(message) => message,
        };
        if self.numbers.is_empty() {
            self.reason = reason;
        }
        self.numbers.push(row.get(3)?.unwrap_or(0));
        Ok(None)
    }

    /// Their numbers, as many as a message names, and the reason of the first; `None` if there are none.
    pub fn describe(&self) -> Option<String> {
        let named: Vec<String> = self.numbers.iter().take(MAX_NAMED).map(i64::to_string).collect();
        let more = self.numbers.len().saturating_sub(MAX_NAMED);
        let subject = match (self.numbers.len(), more) {
            (0, _) => return None,
            (1, _) => format!("block {} of ebs.sample_block", named.join("")),
            (_, 0) => format!("blocks {} of ebs.sample_block", named.join(", ")),
            _ => format!("blocks {} and {more} more of ebs.sample_block", named.join(", ")),
        };
        Some(format!("{subject} cannot be read: {}", self.reason))
    }

    /// Warns that an answer leaves them out, once a statement: some answers read their samples twice.
    pub(super) fn warn(&self) {
        static LAST: Mutex<Option<(i64, Vec<i64>)>> = Mutex::new(None);
        let Some(subject) = self.describe() else { return };
        let warning = Some((ffi::statement_start(), self.numbers.clone()));
        let mut last = LAST.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if *last == warning {
            return;
        }
        *last = warning;
        drop(last);
        let hint = "Their seconds count as missing. Restore them from a backup, or remove them from the table.";
        warning_with_hint(format!("the answer lacks samples: {subject}"), hint);
    }

    /// Marks them, so that downsampling passes over them.
    pub(super) fn mark(&self) -> Result<(), Error> {
        set_damaged(&self.numbers, true)
    }
}

fn set_damaged(numbers: &[i64], damaged: bool) -> Result<(), Error> {
    if numbers.is_empty() {
        return Ok(());
    }
    let change = "UPDATE ebs.sample_block SET damaged = $2 WHERE block_id = ANY ($1) AND run_id IS NULL";
    execute(change, &[numbers.to_vec().into(), damaged.into()])
}

/// Reads the marked blocks again, the oldest of them, and lifts the mark of those that can be read: they were restored, or written by
/// a later version that is installed now.
pub fn read_damaged_blocks_again() -> Result<(), Error> {
    const MARKED: &str = "SELECT format, samples, block_id FROM ebs.sample_block
        WHERE damaged AND run_id IS NULL ORDER BY ended_at, block_id LIMIT $1";
    let mut readable = Vec::new();
    Spi::connect(|client| {
        for row in client.select(MARKED, None, &[MAX_READ_AGAIN.into()])? {
            check_interrupts();
            if UnreadableBlocks::default().read(&row, || read_block(&row, true))?.is_some() {
                readable.extend(row.get::<i64>(3)?);
            }
        }
        Ok::<_, Error>(())
    })?;
    set_damaged(&readable, false)
}

/// Describes the marked blocks: `2 blocks cannot be read: 17, 18`; `None` if there are none.
pub fn describe_damaged_blocks() -> Result<Option<String>, Error> {
    let query = format!(
        "SELECT CASE WHEN count(*) > 0 THEN pg_catalog.format('%s cannot be read: %s%s',
                    CASE count(*) WHEN 1 THEN '1 block' ELSE count(*) || ' blocks' END,
                    pg_catalog.array_to_string((array_agg(block_id ORDER BY ended_at, block_id))[:{MAX_NAMED}], ', '),
                    CASE WHEN count(*) > {MAX_NAMED} THEN ', …' ELSE '' END) END
         FROM ebs.sample_block WHERE damaged"
    );
    first_value(&query, &[])
}
