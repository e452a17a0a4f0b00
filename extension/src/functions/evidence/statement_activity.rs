//! Activity of statements in a run: from the readings stored with it to the requests that reached the device.

use std::collections::BTreeMap;

use ebs_answer::{StatementActivity, imported_texts};
use ebs_workload::reading::Span;
use ebs_workload::statements::{Missing, Observed, StatementKey, attribute, standing};

use crate::errors::Error;
use crate::functions::run_selection::RunSelection;
use crate::{probes, storage};

/// The readings at both ends of the measured part of a run, the present one where it is open; `None` where none was taken.
pub fn reading_pair(selection: &RunSelection) -> Result<Option<Span>, Error> {
    let Some(run) = &selection.run else { return Ok(None) };
    let Some(before) = storage::reading_before(run)? else { return Ok(None) };
    let after = match run.to_us {
        Some(_) => storage::reading_after(run)?,
        None => Some(probes::take_run_reading()?),
    };
    Ok(after.map(|after| Span { before, after }))
}

/// Activity of statements in a run. Of a look-back it is that since the last reset of pg_stat_statements, which is another
/// time: the share of the device's requests is then not known.
pub fn statement_activity(selection: &RunSelection) -> Result<Result<StatementActivity, Missing>, Error> {
    if selection.run.is_none() {
        let statements = probes::read_statements()?;
        let at_us = probes::wall_us();
        return Ok(statements.map(|statements| {
            let observed = standing(at_us, &statements, probes::block_size());
            StatementActivity { observed, device: None }
        }));
    }
    let Some(readings) = reading_pair(selection)? else { return Ok(Err(Missing::NotRead)) };
    Ok(readings.statements().map(|mut observed| {
        let device = attribute(&mut observed, &selection.window);
        StatementActivity { observed, device }
    }))
}

/// Texts of statements, as the calling role may read them; those of a run from another server are the ones that are kept with it.
pub fn statement_texts(selection: &RunSelection, observed: &Observed) -> Result<BTreeMap<StatementKey, String>, Error> {
    if selection.run.as_ref().is_some_and(|run| run.imported) {
        return Ok(imported_texts(observed));
    }
    probes::read_statement_texts(observed.statements.iter().map(|statement| statement.query_id).collect())
}
