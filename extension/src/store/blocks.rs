//! Table ebs.sample_block.

use ebs_advisor_model::evidence::codec::{FORMAT, decode, encode};
use ebs_advisor_model::evidence::{Block, Window};
use pgrx::prelude::*;

use super::runs::Run;
use crate::errors::Failure;

/// Blocks fetched at once: a look-back of weeks must not be in memory as a whole, and can be cancelled in between.
const BATCH: i64 = 1_000;

const INSERT: &str = "
    INSERT INTO ebs.sample_block (started_at, ended_at, ticks, format, samples, run_id)
    VALUES (timestamptz 'epoch' + $1 * interval '1 microsecond',
            timestamptz 'epoch' + $2 * interval '1 microsecond', $3, $4, $5, $6)";

/// The role that owns the table; `None` where the extension is not installed in this database. Whoever may create schemas
/// could create a table of this name: only the extension's own counts.
pub fn owner() -> Result<Option<pg_sys::Oid>, Failure> {
    let owner = Spi::connect(|client| {
        let query = "SELECT c.relowner
             FROM pg_catalog.pg_extension e
             JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
                  AND d.refobjid = e.oid AND d.deptype = 'e' AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
             JOIN pg_catalog.pg_class c ON c.oid = d.objid AND c.relname = 'sample_block'
             JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'ebs'
             WHERE e.extname = 'ebs_advisor'";
        match client.select(query, Some(1), &[])?.next() {
            Some(row) => row.get::<pg_sys::Oid>(1),
            None => Ok(None),
        }
    })?;
    Ok(owner)
}

/// Keeps a block that was sampled here.
pub fn append(block: &Block) -> Result<(), Failure> {
    insert(block, None)
}

/// Keeps a block that belongs to an imported run alone.
pub fn import(block: &Block, run_id: i64) -> Result<(), Failure> {
    insert(block, Some(run_id))
}

fn insert(block: &Block, run_id: Option<i64>) -> Result<(), Failure> {
    let (Some(first), Some(last)) = (block.ticks.first(), block.ticks.last()) else { return Ok(()) };
    let started_us = first.at_us - i64::try_from(first.dt_us).unwrap_or(0);
    let ticks = i32::try_from(block.ticks.len()).unwrap_or(i32::MAX);
    let samples = encode(block)?;
    Spi::run_with_args(
        INSERT,
        &[started_us.into(), last.at_us.into(), ticks.into(), FORMAT.into(), samples.into(), run_id.into()],
    )?;
    Ok(())
}

/// Removes blocks older than this that no run covers.
pub fn expire(older_than_us: i64) -> Result<(), Failure> {
    Spi::run_with_args(
        "DELETE FROM ebs.sample_block b
         WHERE b.run_id IS NULL AND b.ended_at < timestamptz 'epoch' + $1 * interval '1 microsecond'
           AND NOT EXISTS (SELECT FROM ebs.run r
                           WHERE b.ended_at >= r.started_at AND b.started_at <= coalesce(r.ended_at, 'infinity'))",
        &[older_than_us.into()],
    )?;
    Ok(())
}

/// How much is kept, in words.
pub fn history() -> Result<String, Failure> {
    let words = Spi::get_one::<String>(
        "SELECT pg_catalog.format('%s samples in %s blocks, %s; %s runs', coalesce(sum(ticks), 0), count(*),
                    pg_catalog.pg_size_pretty(pg_catalog.pg_total_relation_size('ebs.sample_block')),
                    (SELECT count(*) FROM ebs.run))
         FROM ebs.sample_block",
    )?;
    Ok(words.unwrap_or_default())
}

/// The evidence of a run, or of everything sampled between the two moments.
pub fn evidence(run: Option<&Run>, from_us: i64, to_us: i64) -> Result<Window, Failure> {
    let imported = run.filter(|run| run.imported);
    // Two queries, because IS NOT DISTINCT FROM would use no index.
    let (whose, id) = match imported {
        Some(run) => ("run_id = $3", run.run_id),
        None => ("run_id IS NULL AND $3 = 0", 0),
    };
    let query = format!(
        "SELECT format, samples FROM ebs.sample_block
         WHERE {whose}
           AND ended_at >= timestamptz 'epoch' + $1 * interval '1 microsecond'
           AND started_at <= timestamptz 'epoch' + $2 * interval '1 microsecond'
         ORDER BY ended_at"
    );
    let mut window = Window::new(from_us, to_us);
    Spi::connect(|client| {
        let mut cursor = client.open_cursor(&query, &[from_us.into(), to_us.into(), id.into()]);
        loop {
            let rows = cursor.fetch(BATCH)?;
            if rows.is_empty() {
                return Ok::<_, Failure>(());
            }
            for row in rows {
                let format: i16 = row.get(1)?.unwrap_or(0);
                let samples: Vec<u8> = row.get(2)?.unwrap_or_default();
                window.append(decode(format, &samples)?);
            }
            pgrx::check_for_interrupts!();
        }
    })?;
    Ok(window.finish())
}
