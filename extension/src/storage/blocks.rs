//! Table ebs.sample_block.

use ebs_base::pause::Pause;
use ebs_base::units::SECOND_US;
use ebs_comparison::export::Samples;
use ebs_samples::evidence::codec::{FORMAT, encode, encode_with, from_plain};
use ebs_samples::evidence::{Block, Window};
use ebs_workload::run_timeline::RunTimeline;
use pgrx::prelude::*;
use pgrx::spi::SpiHeapTupleData;

use super::block_rows::{is_marked, read_block};
use super::runs::Run;
use super::unreadable::UnreadableBlocks;
use crate::errors::Error;
use crate::ffi;
use crate::interrupts::check_interrupts;
use crate::memory;
use crate::sql::{execute, first_text, first_value, fresh_value};

/// Blocks fetched at once: a look-back of weeks must not be in memory as a whole, and can be cancelled in between.
const BATCH: i64 = 1_000;

const INSERT: &str = "
    INSERT INTO ebs.sample_block (started_at, ended_at, span_s, ticks, format, samples, run_id)
    VALUES (timestamptz 'epoch' + $1 * interval '1 microsecond',
            timestamptz 'epoch' + $2 * interval '1 microsecond', $3, $4, $5, $6, $7)";

/// The role that owns the table; `None` where the extension is not installed in this database.
pub fn table_owner() -> Result<Option<pg_sys::Oid>, Error> {
    owner_of_table("sample_block")
}

/// The role that owns a table of the extension's; `None` where there is none. A role that may create schemas could create a table of
/// this name: only the extension's own counts.
pub(super) fn owner_of_table(name: &str) -> Result<Option<pg_sys::Oid>, Error> {
    let query = "SELECT c.relowner
         FROM pg_catalog.pg_extension e
         JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
              AND d.refobjid = e.oid AND d.deptype = 'e' AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
         JOIN pg_catalog.pg_class c ON c.oid = d.objid AND c.relname = $1
         JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'ebs'
         WHERE e.extname = 'ebs_advisor'";
    first_value(query, &[name.into()])
}

/// Stores a block that was sampled here.
pub fn append_block(block: &Block) -> Result<(), Error> {
    insert_block(block.clone(), None)
}

/// Stores a block of an imported run.
pub fn import_block(block: Block, run_id: i64) -> Result<(), Error> {
    insert_block(block, Some(run_id))
}

fn insert_block(block: Block, run_id: Option<i64>) -> Result<(), Error> {
    let (Some(started_us), Some(ended_us)) = (block.started_us(), block.ended_us()) else { return Ok(()) };
    let ticks = i32::try_from(block.samples.len()).unwrap_or(i32::MAX);
    let span_s = i32::try_from(block.downsampled_us / SECOND_US).unwrap_or(i32::MAX);
    // A block that is sampled here is short; an imported one may be millions of readings, while the user waits.
    let bytes = match run_id {
        Some(_) => encode_with(block, &check_interrupts)?,
        None => encode(block)?,
    };
    insert_samples(run_id, Samples { layout: FORMAT, bytes, started_us, ended_us, span_s, ticks })
}

/// Inserts a packed block; `run_id` as in [`insert_block`].
pub(super) fn insert_samples(run_id: Option<i64>, samples: Samples) -> Result<(), Error> {
    let Samples { layout, bytes, started_us, ended_us, span_s, ticks } = samples;
    execute(
        INSERT,
        &[started_us.into(), ended_us.into(), span_s.into(), ticks.into(), layout.into(), bytes.into(), run_id.into()],
    )
}

/// The condition of a block `b` that was sampled here and that no run needs. Only a run that was sampled here needs one: an imported
/// run has samples of its own, and may claim any time.
pub(super) const UNHELD: &str = "b.run_id IS NULL AND NOT EXISTS (
        SELECT FROM ebs.run r
        WHERE NOT r.imported AND b.ended_at >= r.started_at AND b.started_at <= coalesce(r.ended_at, 'infinity'))";

/// Removes blocks older than this that no run needs.
pub fn remove_expired_blocks(older_than_us: i64) -> Result<(), Error> {
    let remove = format!(
        "DELETE FROM ebs.sample_block b
         WHERE b.ended_at < timestamptz 'epoch' + $1 * interval '1 microsecond' AND {UNHELD}"
    );
    execute(&remove, &[older_than_us.into()])
}

/// Counts and sizes of the stored samples and runs, as text.
pub fn describe_history() -> Result<String, Error> {
    first_text(
        "SELECT pg_catalog.format('%s samples in %s blocks, %s; %s runs', coalesce(sum(ticks), 0), count(*),
                    pg_catalog.pg_size_pretty(pg_catalog.pg_total_relation_size('ebs.sample_block')),
                    (SELECT count(*) FROM ebs.run))
         FROM ebs.sample_block",
        &[],
    )
}

/// Loads the evidence of a run, or of everything sampled between the two times.
pub fn load_evidence(run: Option<&Run>, from_us: i64, to_us: i64) -> Result<Window, Error> {
    let mut window = empty_window(from_us, to_us);
    for_each_block(run, from_us, to_us, |block| window.append(block))?;
    finish_window(window)
}

/// Loads the evidence of a run, and its timeline from flush to flush.
pub fn load_evidence_and_timeline(run: &Run, from_us: i64, to_us: i64) -> Result<(Window, RunTimeline), Error> {
    let (mut window, mut timeline) = (empty_window(from_us, to_us), RunTimeline::new(from_us, to_us));
    for_each_block(Some(run), from_us, to_us, |block| {
        timeline.add(&block);
        window.append(block);
    })?;
    let mut window = finish_window(window)?;
    window.checks = run.checks();
    Ok((window, timeline))
}

/// Finishes a window after its last block, with memory for the computations that follow.
fn finish_window(window: Window) -> Result<Window, Error> {
    memory::require(window.bytes_to_finish(), "The evidence")?;
    let window = window.finish();
    check_interrupts();
    Ok(window)
}

/// An empty window whose computations end when the statement is to end.
fn empty_window(from_us: i64, to_us: i64) -> Window {
    Window::new(from_us, to_us).pausing(Pause::new(check_interrupts))
}

/// Calls `visit` with the blocks that touch the time between the two times, in time order.
fn for_each_block(run: Option<&Run>, from_us: i64, to_us: i64, mut visit: impl FnMut(Block)) -> Result<(), Error> {
    let pending = for_each_row(run, from_us, to_us, |row, unreadable| {
        let Some(block) = unreadable.read(row, || read_block(row, is_marked(row)?))? else { return Ok(None) };
        let times = block.started_us().zip(block.ended_us());
        visit(block);
        Ok(times)
    })?;
    pending.into_iter().for_each(visit);
    Ok(())
}

/// Calls `visit`, which returns beginning and end of the block, with a row for each block that touches the time between the two times,
/// in time order: format, samples, number, mark. What `visit` cannot read it leaves to its second argument, of which a warning tells. Returns
/// the blocks that are not among the rows: the sampler has not written them, or wrote them after the rows were selected.
pub(super) fn for_each_row(
    run: Option<&Run>,
    from_us: i64,
    to_us: i64,
    mut visit: impl FnMut(&SpiHeapTupleData, &mut UnreadableBlocks) -> Result<Option<(i64, i64)>, Error>,
) -> Result<Vec<Block>, Error> {
    let imported = run.filter(|run| run.imported);
    // Two queries, because IS NOT DISTINCT FROM would use no index.
    let (condition, id) = match imported {
        Some(run) => ("run_id = $3", run.run_id),
        None => ("run_id IS NULL AND $3 = 0", 0),
    };
    let query = format!(
        "SELECT format, samples, block_id, damaged FROM ebs.sample_block
         WHERE {condition}
           AND ended_at >= timestamptz 'epoch' + $1 * interval '1 microsecond'
           AND started_at <= timestamptz 'epoch' + $2 * interval '1 microsecond'
         ORDER BY ended_at, block_id"
    );
    let mut unreadable = UnreadableBlocks::default();
    let pending = Spi::connect(|client| {
        let mut cursor = client.open_cursor(&query, &[from_us.into(), to_us.into(), id.into()]);
        // Only now that the cursor has its snapshot: blocks written from here on are not among its rows.
        let mut pending = if imported.is_some() { Vec::new() } else { pending_blocks()? };
        loop {
            let rows: Vec<_> = cursor.fetch(BATCH)?.collect();
            if rows.is_empty() {
                return Ok::<_, Error>(pending);
            }
            unreadable.try_batch(&rows);
            for row in &rows {
                check_interrupts();
                let times = visit(row, &mut unreadable)?;
                // The same block, not a later one: time goes back where the wall clock was set back.
                pending.retain(|other| times.is_none() || other.started_us().zip(other.ended_us()) != times);
                check_interrupts();
            }
        }
    })?;
    unreadable.warn();
    Ok(pending)
}

/// Decodes the blocks that the sampler has not written yet.
fn pending_blocks() -> Result<Vec<Block>, Error> {
    Ok(ffi::pending_samples().iter().map(|bytes| from_plain(bytes)).collect::<Result<_, _>>()?)
}

/// Time of the latest sample taken here that is written, microseconds since 1970.
pub fn sampled_until_us() -> Result<Option<i64>, Error> {
    let query =
        "SELECT (extract(epoch FROM max(ended_at)) * 1000000)::bigint FROM ebs.sample_block WHERE run_id IS NULL";
    // A statement waits for rows that are committed after it began.
    fresh_value(query, &[])
}
