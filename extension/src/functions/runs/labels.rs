//! ebs_run_note, ebs_run_tag, ebs_run_untag, ebs_run_rename.

use pgrx::prelude::*;
use pgrx::{AnyElement, JsonB};

use crate::errors::SqlResult;
use crate::functions::documents::{self, NOTE_LIMIT};
use crate::storage;

#[pg_extern(sql = false)]
fn ebs_run_note(label: Option<&str>, note: Option<AnyElement>) -> SqlResult<Option<JsonB>> {
    storage::begin_change(c"ebs_run_note()")?;
    Ok(storage::annotate_run(label, documents::read_note(note, "the note")?, NOTE_LIMIT)?)
}

#[pg_extern(sql = false)]
fn ebs_run_tag(label: Option<&str>, tag: Option<&str>) -> SqlResult<Vec<String>> {
    storage::begin_change(c"ebs_run_tag()")?;
    Ok(storage::tag_run(label, tag)?)
}

#[pg_extern(sql = false)]
fn ebs_run_untag(label: Option<&str>, tag: Option<&str>) -> SqlResult<Vec<String>> {
    storage::begin_change(c"ebs_run_untag()")?;
    Ok(storage::untag_run(label, tag)?)
}

#[pg_extern(sql = false)]
fn ebs_run_rename(label: Option<&str>, new_label: Option<&str>) -> SqlResult<()> {
    storage::begin_change(c"ebs_run_rename()")?;
    Ok(storage::rename_run(label, new_label)?)
}
