//! Table facts and statement texts, which users control and PostgreSQL passes on.

use ebs_tuning::indexes::Table;
use ebs_tuning::indexes::existing::superfluous;
use ebs_tuning::indexes::statement::{may_write, with_cast_at};

use crate::figures::check_figure;

/// Tables and their superfluous indexes.
pub fn tables(data: &[u8]) {
    let Ok(Ok(tables)) = std::str::from_utf8(data).map(Table::parse) else { return };
    let _ = superfluous(&tables);
    for table in &tables {
        check_figure("share of updates", table.hot_share());
        for column in &table.columns {
            let _ = table.distinct(&column.name);
        }
    }
}

/// Statement of pg_stat_statements, in which the parser reports an error at some byte.
pub fn statement(data: &[u8]) {
    let Some((at, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let _ = may_write(text);
    if let Some(cast) = with_cast_at(text, usize::from(*at)) {
        assert!(cast.len() <= text.len() + 16, "{cast}");
    }
}
