//! ebs_import_configuration, ebs_configuration_reset: the present configuration of an AWS account.

use ebs_imports::configuration::{ConfigurationError, read};
use pgrx::prelude::*;

use crate::errors::{Error, SqlResult, notice_with_hint};
use crate::functions::documents;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::to_bigint;
use crate::interrupts::check_interrupts;
use crate::{probes, storage};

sql_row! {
    struct KindRow(stored: storage::StoredObjects) {
        kind: &'static str = stored.kind,
        objects: i64 = to_bigint(stored.objects),
        changed: i64 = to_bigint(stored.changed),
    }
}

#[pg_extern(sql = false)]
fn ebs_import_configuration(configuration: Option<&str>) -> SqlResult<TableIterator<'static, Columns<KindRow>>> {
    storage::require_writable(c"ebs_import_configuration()");
    let text = documents::check_configuration(configuration)?;
    let found = read(text, &check_interrupts).map_err(import_error)?;
    let stored = storage::store_configuration(&found, probes::wall_us())?;
    for kind in &found.unfinished {
        let message = format!("the last document of \"{}\" has a NextToken: later pages are missing", kind.name());
        let command = kind.command();
        notice_with_hint(message, format!("Run {command} without --max-items, --max-results and --no-paginate."));
    }
    Ok(table(stored.into_iter().map(KindRow::new).collect::<Vec<_>>()))
}

fn import_error(error: ConfigurationError) -> Error {
    let code = match &error {
        ConfigurationError::TooMany | ConfigurationError::TooLarge(_) => PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
        ConfigurationError::Contradiction(_) => PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
        _ => PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION,
    };
    Error::new(code, error.to_string(), error.hint()).with_detail("Nothing was imported.")
}

#[pg_extern(sql = false)]
fn ebs_configuration_reset() -> SqlResult<i64> {
    storage::begin_change(c"ebs_configuration_reset()")?;
    Ok(to_bigint(storage::reset_configuration()?))
}
