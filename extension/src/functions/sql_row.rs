//! Rows of SQL functions: structs inside, tuples for pgrx.

use ebs_base::significant::significant;
use pgrx::AnyNumeric;
use pgrx::datum::Date;
use pgrx::iter::TableIterator;

/// A struct whose fields are the columns of a SQL function, in their order.
pub trait SqlRow: Sized + 'static {
    /// The columns as pgrx takes them.
    type Columns: From<Self>;
}

/// The tuple of a row.
pub type Columns<R> = <R as SqlRow>::Columns;

/// Column of a row of figures, which are rounded to the precision that evidence has.
pub trait RoundedColumn: Sized {
    /// Rounds a figure; every other value stays.
    fn rounded(self) -> Self {
        self
    }
}

impl RoundedColumn for Option<f64> {
    fn rounded(self) -> Self {
        self.map(significant)
    }
}

/// Columns that are no measured figures.
macro_rules! exact_columns {
    ($($type:ty),+) => { $(impl RoundedColumn for $type {})+ };
}
exact_columns!(
    bool,
    String,
    &'static str,
    Option<bool>,
    Option<i32>,
    Option<i64>,
    Option<String>,
    Option<&'static str>,
    Option<Date>,
    Option<AnyNumeric>
);

/// Declares such a struct, and its conversion into the tuple; figures of a `rounded` one are rounded. Where columns have
/// values, `new` computes them from the arguments behind the name, and from what `where` computes first.
macro_rules! sql_row {
    (
        @columns $round:path;
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident { $($column:ident: $type:ty,)+ }
    ) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($column: $type,)+
        }

        impl $crate::functions::sql_row::SqlRow for $name {
            type Columns = ($($type,)+);
        }

        impl From<$name> for ($($type,)+) {
            fn from(row: $name) -> Self {
                ($($round(row.$column),)+)
            }
        }
    };
    (
        @columns $round:path;
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident($($arguments:tt)+)
        $(where { $($first:tt)+ })? { $($column:ident: $type:ty = $value:expr,)+ }
    ) => {
        sql_row!(@columns $round; $(#[$attribute])* $visibility struct $name { $($column: $type,)+ });

        impl $name {
            $visibility fn new($($arguments)+) -> $name {
                $($($first)+)?
                $name { $($column: $value,)+ }
            }
        }
    };
    ($(#[$attribute:meta])* rounded $($row:tt)+) => {
        sql_row!(@columns $crate::functions::sql_row::RoundedColumn::rounded; $(#[$attribute])* $($row)+);
    };
    ($($row:tt)+) => {
        sql_row!(@columns std::convert::identity; $($row)+);
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
