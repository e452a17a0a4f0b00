//! Rows of SQL functions: structs inside, tuples for pgrx.

use pgrx::iter::TableIterator;

/// A struct whose fields are the columns of a SQL function, in their order.
pub trait SqlRow: Sized + 'static {
    /// The columns as pgrx takes them.
    type Columns: From<Self>;
}

/// The tuple of a row.
pub type Columns<R> = <R as SqlRow>::Columns;

/// Declares such a struct, and its conversion into the tuple.
macro_rules! sql_row {
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident { $($column:ident: $type:ty,)+ }) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($column: $type,)+
        }

        impl $crate::functions::sql_row::SqlRow for $name {
            type Columns = ($($type,)+);
        }

        impl From<$name> for ($($type,)+) {
            fn from(row: $name) -> Self {
                ($(row.$column,)+)
            }
        }
    };
}
pub(crate) use sql_row;

/// Returns rows as a SQL function does.
pub fn table<R: SqlRow>(rows: impl IntoIterator<Item = R> + 'static) -> TableIterator<'static, R::Columns>
where
    R::Columns: 'static,
{
    TableIterator::new(rows.into_iter().map(R::Columns::from))
}
