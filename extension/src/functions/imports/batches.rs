//! Arrays of objects that users write. PostgreSQL parses their times, in batches, so that all of its formats are accepted.

use ebs_imports::monitoring::members::{Layout, Members};
use pgrx::AnyElement;
use pgrx::prelude::*;

use super::imported_run::import_error;
use crate::errors::Error;
use crate::functions::documents;
use crate::interrupts::check_interrupts;
use crate::memory;

/// Objects whose times PostgreSQL parses at once: a few milliseconds.
const BATCH: usize = 1_000;

/// Array of objects as error messages name it.
#[derive(Clone, Copy)]
pub struct ArrayName<'a> {
    /// `samples`.
    pub objects: &'a str,
    /// `the array of samples`.
    pub document: &'a str,
    /// Hint on the accepted form.
    pub shape: &'a str,
}

/// Reads an array of objects; NULL, or anything else, is refused. `keep` gets the times of each, microseconds since 1970, and its
/// counts. Interrupts are checked before each batch: PostgreSQL makes no check within one array.
pub fn read_objects<const TIMES: usize, const COUNTS: usize>(
    array: Option<AnyElement>,
    name: ArrayName,
    layout: &Layout<TIMES, COUNTS>,
    mut keep: impl FnMut([Option<i64>; TIMES], [Option<f64>; COUNTS]),
) -> Result<(), Error> {
    let mut batch = Vec::new();
    let mut read = 0;
    let mut read_batch = |batch: &mut Vec<Members<TIMES, COUNTS>>| {
        let times = read_times(batch, name, layout, read)?;
        read += batch.len();
        for (members, times) in batch.drain(..).zip(times) {
            keep(times, members.counts);
        }
        Ok(())
    };
    let mut number = 0;
    documents::read_array(
        array,
        name.document,
        || no_array(name),
        |object| {
            let object = object.as_object().ok_or_else(|| no_array(name))?;
            number += 1;
            batch.push(layout.read(number, object).map_err(|error| import_error(error, name.shape))?);
            if batch.len() == BATCH { read_batch(&mut batch) } else { Ok(()) }
        },
    )?;
    read_batch(&mut batch)
}

/// Times of the objects of a batch, of which the first is number `before` + 1; `None` also where no clock shows it: times that
/// PostgreSQL accepts (`infinity`, the year 294276) have no place in a bigint of microseconds.
fn read_times<const TIMES: usize, const COUNTS: usize>(
    batch: &[Members<TIMES, COUNTS>],
    name: ArrayName,
    layout: &Layout<TIMES, COUNTS>,
    before: usize,
) -> Result<Vec<[Option<i64>; TIMES]>, Error> {
    check_interrupts();
    let mut all = vec![[None; TIMES]; batch.len()];
    for (column, member) in layout.times.into_iter().enumerate() {
        let texts: Vec<Option<&str>> = batch.iter().map(|members| members.times[column].as_deref()).collect();
        // As an array, as texts of rows, and copied once more.
        memory::require(4 * texts.iter().flatten().map(|text| text.len()).sum::<usize>(), "The array")?;
        Spi::connect(|client| {
            let rows = client.select(TIMES_OF_TEXTS, None, &[texts.as_slice().into()])?;
            for (index, row) in rows.enumerate() {
                if row.get::<bool>(1)? == Some(false) {
                    let text = texts[index].unwrap_or_default();
                    let error = layout.invalid_time(before + index + 1, member, text);
                    return Err(import_error(error, name.shape));
                }
                all[index][column] = row.get(2)?;
            }
            Ok(())
        })?;
    }
    Ok(all)
}

/// Query of each text of an array: is it a time, and its microseconds since 1970.
const TIMES_OF_TEXTS: &str = "
    SELECT is_time, CASE WHEN is_time THEN (
        SELECT (pg_catalog.extract('epoch', ts) * 1000000)::bigint FROM (SELECT text::timestamptz AS ts) AS cast_text
        WHERE ts >= '1970-01-01 00:00:00+00' AND ts < '10000-01-01 00:00:00+00') END
    FROM (SELECT text, ordinality, pg_catalog.pg_input_is_valid(text, 'timestamptz') AS is_time
          FROM pg_catalog.unnest($1) WITH ORDINALITY AS texts (text, ordinality)) AS checked
    ORDER BY ordinality";

fn no_array(name: ArrayName) -> Error {
    let message = format!("{} must be a JSON array of objects", name.objects);
    Error::invalid_parameter(message, name.shape).with_detail("Nothing was imported.")
}
