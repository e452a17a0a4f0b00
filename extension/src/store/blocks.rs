//! Table ebs.sample_block.

use ebs_advisor_model::evidence::codec::{FORMAT, decode, encode};
use ebs_advisor_model::evidence::{Block, Window};
use pgrx::prelude::*;

use super::runs::Run;
use crate::errors::Failure;

const INSERT: &str = "
    INSERT INTO ebs.sample_block (started_at, ended_at, ticks, format, samples, run_id)
    VALUES (timestamptz 'epoch' + $1 * interval '1 microsecond',
            timestamptz 'epoch' + $2 * interval '1 microsecond', $3, $4, $5, $6)";

/// Whether the extension is installed in this database.
pub fn is_installed() -> Result<bool, Failure> {
    Ok(Spi::get_one::<bool>("SELECT to_regclass('ebs.sample_block') IS NOT NULL")?.unwrap_or(false))
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
    let imported = run.filter(|run| run.imported).map(|run| run.run_id);
    let blocks = Spi::connect(|client| {
        let rows = client.select(
            "SELECT format, samples FROM ebs.sample_block
             WHERE run_id IS NOT DISTINCT FROM $1
               AND ended_at >= timestamptz 'epoch' + $2 * interval '1 microsecond'
               AND started_at <= timestamptz 'epoch' + $3 * interval '1 microsecond'
             ORDER BY started_at",
            None,
            &[imported.into(), from_us.into(), to_us.into()],
        )?;
        let mut blocks = Vec::with_capacity(rows.len());
        for row in rows {
            let format: i16 = row.get(1)?.unwrap_or(0);
            let samples: Vec<u8> = row.get(2)?.unwrap_or_default();
            blocks.push(decode(format, &samples)?);
        }
        Ok::<_, Failure>(blocks)
    })?;
    Ok(Window::assemble(blocks, from_us, to_us))
}
