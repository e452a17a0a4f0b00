//! Facts of tables, and the texts of statements: what PostgreSQL hands over of what others wrote.

use ebs_tuning::indexes::Table;
use ebs_tuning::indexes::existing::superfluous;
use ebs_tuning::indexes::statement::{may_write, with_cast_at};

use crate::figures::sound;

/// Tables, and which of their indexes serve nothing.
pub fn tables(data: &[u8]) {
    let Ok(Ok(tables)) = std::str::from_utf8(data).map(Table::parse) else { return };
    let _ = superfluous(&tables);
    for table in &tables {
        sound("share of updates", table.hot_share());
        for column in &table.columns {
            let _ = table.distinct(&column.name);
        }
    }
}

/// A statement of pg_stat_statements, refused at some byte of it.
pub fn statement(data: &[u8]) {
    let Some((at, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let _ = may_write(text);
    if let Some(cast) = with_cast_at(text, usize::from(*at)) {
        assert!(cast.len() <= text.len() + 16, "{cast}");
    }
}
