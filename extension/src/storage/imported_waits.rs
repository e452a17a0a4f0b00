//! Waits of imported runs, which come after their samples.

use ebs_samples::evidence::codec::{FORMAT, encode_with};
use ebs_samples::evidence::{Block, Tier};
use pgrx::prelude::*;

use super::block_rows::read_block;
use super::blocks::for_each_row;
use super::runs::Run;
use crate::errors::Error;
use crate::interrupts::check_interrupts;
use crate::sql::execute;

/// Changes the waits of each block of an imported run. Refuses a run that was sampled, which has waits of its own.
pub fn change_waits(run: &Run, mut change: impl FnMut(&mut Block)) -> Result<(), Error> {
    if !run.imported {
        return Err(own_waits(run));
    }
    const ALL_TIME: (i64, i64) = (0, ebs_base::units::LATEST_US);
    for_each_row(Some(run), ALL_TIME.0, ALL_TIME.1, |row, unreadable| {
        let Some(mut block) = unreadable.read(row, || read_block(row, false))? else { return Ok(None) };
        if block.sampling.tier != Tier::Imported {
            return Err(own_waits(run));
        }
        change(&mut block);
        let (block_id, samples) = (row.get::<i64>(3)?, encode_with(block, &check_interrupts)?);
        execute(
            "UPDATE ebs.sample_block SET format = $2, samples = $3 WHERE block_id = $1",
            &[block_id.into(), FORMAT.into(), samples.into()],
        )?;
        Ok(None)
    })?;
    Ok(())
}

fn own_waits(run: &Run) -> Error {
    let message = format!("run \"{}\" was sampled with its own wait events", run.label);
    let hint = "Wait events of Performance Insights belong to a run of ebs_import_rds_os or ebs_import_cloudwatch.";
    Error::new(PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, message, hint)
}

/// Replaces the limitations of a run that begin with the name of this source.
pub fn replace_doubts(run: &Run, source: &str, doubts: &[String]) -> Result<(), Error> {
    let others = run.doubts.iter().filter(|doubt| !doubt.starts_with(source));
    let all: Vec<&str> = others.chain(doubts).map(String::as_str).collect();
    execute(
        "UPDATE ebs.run SET environment = coalesce(environment, '{}') || jsonb_build_object('doubts', to_jsonb($2)) WHERE run_id = $1",
        &[run.run_id.into(), all.into()],
    )
}
