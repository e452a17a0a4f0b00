//! Notes, tags and labels of runs: columns of ebs.run.

use ebs_base::labels::{MAX_TAGS, TAG_LIMIT, bounded_label, like_pattern, printable_tag, quoted_label};
use ebs_base::names;
use ebs_base::storage_limits::check_note;
use pgrx::prelude::*;
use pgrx::{JsonB, PgSqlErrorCode};

use super::fio::run_number;
use super::limits::check_run_storage;
use super::runs::{checked_new_label, find_run, label_taken_error, latest_runs_hint};
use crate::errors::Error;
use crate::sql::{RUN_DOCUMENT, execute, first_value, fresh_value};

/// Adds these keys to the note of a run, over those of the same name, and returns the note. One that is no object becomes the key
/// `note`. It grows to `max_bytes` at most.
pub fn annotate_run(label: Option<&str>, note: Option<JsonB>, max_bytes: usize) -> Result<Option<JsonB>, Error> {
    let run = find_run(label.unwrap_or_default())?;
    let object = note.filter(|JsonB(note)| note.is_object());
    let object = object.ok_or_else(|| {
        Error::invalid_parameter(
            "a note must be a JSON object",
            "For example: SELECT ebs_run_note('my-run', '{\"scale\": 100}');",
        )
    })?;
    check_run_storage()?;
    let merge = "UPDATE ebs.run SET note = CASE WHEN note IS NULL THEN $2
                     WHEN pg_catalog.jsonb_typeof(note) = 'object' THEN note || $2
                     ELSE pg_catalog.jsonb_build_object('note', note) || $2 END
                 WHERE run_id = $1 RETURNING note::pg_catalog.text, pg_catalog.octet_length(note::pg_catalog.text)::pg_catalog.int8";
    Spi::connect_mut(|client| match client.update(merge, None, &[run.run_id.into(), object.into()])?.next() {
        Some(row) => {
            check_note(row.get::<i64>(2)?.unwrap_or(0), max_bytes)?;
            Ok(RUN_DOCUMENT.read(&row, 1)?.map(JsonB))
        }
        None => Ok(None),
    })
}

/// Tags a run, and returns its tags.
pub fn tag_run(label: Option<&str>, tag: Option<&str>) -> Result<Vec<String>, Error> {
    let run = find_run(label.unwrap_or_default())?;
    let tag = checked_tag(tag.unwrap_or_default())?;
    let mut tags = lock_tags(run.run_id)?;
    tags.push(tag);
    set_tags(run.run_id, tags)
}

/// Removes a tag of a run, and returns the others.
pub fn untag_run(label: Option<&str>, tag: Option<&str>) -> Result<Vec<String>, Error> {
    let run = find_run(label.unwrap_or_default())?;
    let (tag, mut tags) = (tag.unwrap_or_default(), lock_tags(run.run_id)?);
    let name = names::bounded(tag);
    let Some(position) = tags.iter().position(|known| Some(known.as_str()) == name) else {
        let hint =
            if tags.is_empty() { "It has none.".to_owned() } else { format!("Its tags are {}.", tags.join(", ")) };
        let message = format!("run \"{}\" has no tag \"{}\"", run.label, names::quoted(name.unwrap_or(tag)));
        return Err(Error::new(PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT, message, hint));
    };
    tags.remove(position);
    set_tags(run.run_id, tags)
}

/// Gives a run another label.
pub fn rename_run(label: Option<&str>, new_label: Option<&str>) -> Result<(), Error> {
    let run = find_run(label.unwrap_or_default())?;
    let new_label = checked_new_label(new_label)?;
    if run_number(new_label)?.is_some_and(|other| other != run.run_id) {
        return Err(label_taken_error(new_label));
    }
    execute("UPDATE ebs.run SET label = $2 WHERE run_id = $1", &[run.run_id.into(), new_label.into()])
}

/// Reads the tags of a run, and locks its row until the transaction ends.
fn lock_tags(run_id: i64) -> Result<Vec<String>, Error> {
    let query = "SELECT tags FROM ebs.run WHERE run_id = $1 FOR UPDATE";
    Ok(fresh_value(query, &[run_id.into()])?.unwrap_or_default())
}

fn set_tags(run_id: i64, tags: Vec<String>) -> Result<Vec<String>, Error> {
    let tags = checked_tags(tags)?;
    execute("UPDATE ebs.run SET tags = $2 WHERE run_id = $1", &[run_id.into(), tags.clone().into()])?;
    Ok(tags)
}

/// Tags in order, each once.
pub(super) fn checked_tags(tags: Vec<String>) -> Result<Vec<String>, Error> {
    let mut tags = tags.iter().map(|tag| checked_tag(tag)).collect::<Result<Vec<_>, _>>()?;
    tags.sort_unstable();
    tags.dedup();
    if tags.len() > MAX_TAGS {
        let hint = "What is not a tag may be noted: SELECT ebs_run_note('my-run', '{\"scale\": 100}');";
        return Err(Error::invalid_parameter(format!("a run has at most {MAX_TAGS} tags"), hint));
    }
    Ok(tags)
}

fn checked_tag(tag: &str) -> Result<String, Error> {
    printable_tag(tag).map(str::to_owned).ok_or_else(|| {
        let hint = "For example: SELECT ebs_run_tag('my-run', 'gp3');";
        Error::invalid_parameter(format!("a tag needs 1 to {TAG_LIMIT} printable characters"), hint)
    })
}

/// Labels of the runs that match a label or, where it has a `*` for any characters, a pattern; earliest first.
pub fn matching_labels(pattern: &str) -> Result<Vec<String>, Error> {
    let pattern = bounded_label(pattern).ok_or_else(|| no_match_error(pattern))?;
    let exact = find_run(pattern);
    if exact.is_ok() || !pattern.contains('*') {
        return Ok(vec![exact?.header.label]);
    }
    let query = "SELECT array_agg(label ORDER BY started_at, run_id) FROM ebs.run WHERE label LIKE $1";
    let labels: Vec<String> = first_value(query, &[like_pattern(pattern).into()])?.unwrap_or_default();
    if labels.is_empty() {
        return Err(no_match_error(pattern));
    }
    Ok(labels)
}

fn no_match_error(pattern: &str) -> Error {
    Error::new(
        PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT,
        format!("no run matches \"{}\"", quoted_label(pattern)),
        latest_runs_hint(),
    )
    .with_detail("A star stands for any characters.")
}
