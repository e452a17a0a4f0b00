//! Arrays of objects, which PostgreSQL reads in batches: it parses times and numbers of imports, so that a malformed one raises
//! PostgreSQL's own, well-known error.

use pgrx::{AnyElement, JsonB};
use serde_json::Value;

use crate::errors::Error;
use crate::functions::documents;
use crate::interrupts::check_interrupts;
use crate::{memory, storage};

/// Most members of one object of an array: eight have a meaning.
const MEMBER_LIMIT: usize = 64;

/// Objects that PostgreSQL reads at once: a few milliseconds.
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

/// Reads an array of objects; NULL, or anything else, is refused. `read` gets them as arrays of a thousand, with a check of
/// interrupts before each: PostgreSQL makes none within one array, and the whole array takes ten times its text.
pub fn read_in_batches(
    array: Option<AnyElement>,
    name: ArrayName,
    mut read: impl FnMut(JsonB) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut batch = Vec::new();
    documents::read_array(
        array,
        name.document,
        || no_array(name),
        |object| {
            check_object(&object, name)?;
            batch.push(object);
            if batch.len() == BATCH { read_batch(&mut batch, &mut read) } else { Ok(()) }
        },
    )?;
    read_batch(&mut batch, &mut read)
}

fn read_batch(batch: &mut Vec<Value>, read: &mut impl FnMut(JsonB) -> Result<(), Error>) -> Result<(), Error> {
    if batch.is_empty() {
        return Ok(());
    }
    check_interrupts();
    // PostgreSQL gets it as text, in a buffer that grows, and copies it once more.
    memory::require(4 * storage::json_length(batch), "The array")?;
    read(JsonB(Value::Array(std::mem::take(batch))))
}

fn no_array(name: ArrayName) -> Error {
    let message = format!("{} must be a JSON array of objects", name.objects);
    Error::invalid_parameter(message, name.shape).with_detail("Nothing was imported.")
}

fn check_object(object: &Value, name: ArrayName) -> Result<(), Error> {
    let members = object.as_object().ok_or_else(|| no_array(name))?.len();
    if members <= MEMBER_LIMIT {
        return Ok(());
    }
    let detail = format!("At most {MEMBER_LIMIT} are taken.");
    let message = format!("{} have an object with too many members", name.objects);
    Err(documents::limit_exceeded(message, detail, name.shape))
}

/// SQL for the time of a column as microseconds since 1970; NULL where no clock shows it: times that PostgreSQL accepts
/// (`infinity`, the year 294276) have no place in a bigint of microseconds.
pub fn microseconds(column: &str) -> String {
    format!(
        "CASE WHEN {column} >= '1970-01-01 00:00:00+00' AND {column} < '10000-01-01 00:00:00+00'
              THEN (extract(epoch FROM {column}) * 1000000)::bigint END"
    )
}
