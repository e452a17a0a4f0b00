//! Counts by column: the values of one counter in all rows are stored together, less its smallest value and in its largest common
//! power of two. Bytes come in pages and lengths near a second, so that most of what is left fits a byte or two.

use serde::{Deserialize, Serialize};

use super::error::CodecError;
use ebs_base::counter::Counters;

/// One column.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Column {
    base: u64,
    shift: u8,
    /// Empty where every row holds the base.
    rest: Vec<u64>,
}

impl Column {
    /// A column of these values.
    pub(super) fn pack(values: &[u64]) -> Column {
        let base = values.iter().copied().min().unwrap_or(0);
        let rest: Vec<u64> = values.iter().map(|value| value - base).collect();
        let shift = rest.iter().filter(|value| **value > 0).map(|value| value.trailing_zeros()).min();
        let Some(shift) = shift else { return Column { base, shift: 0, rest: Vec::new() } };
        Column { base, shift: shift as u8, rest: rest.into_iter().map(|value| value >> shift).collect() }
    }

    /// Its values in this many rows. None are made yet: a column of three bytes may have millions.
    pub(super) fn unpack(self, rows: usize) -> Result<Values, CodecError> {
        let fits = self.rest.len() == rows && self.shift < 64;
        let in_range = |rest: &u64| {
            let shifted = rest << self.shift;
            shifted >> self.shift == *rest && self.base.checked_add(shifted).is_some()
        };
        match self.rest.is_empty() || fits && self.rest.iter().all(in_range) {
            true => Ok(Values { column: self, rows }),
            false => Err(CodecError::Damaged("a column does not fit its rows".to_owned())),
        }
    }
}

/// A column that fits its rows.
pub(super) struct Values {
    column: Column,
    rows: usize,
}

impl Values {
    /// The value of a row.
    fn at(&self, row: usize) -> u64 {
        let Column { base, shift, rest } = &self.column;
        rest.get(row).map_or(*base, |rest| base + (rest << shift))
    }

    /// The values, row by row.
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> {
        (0..self.rows).map(|row| self.at(row))
    }
}

/// A column for each counter of these rows; `pause` is called before each.
pub(super) fn pack<C: Counters>(rows: &[C], pause: &dyn Fn()) -> Vec<Column> {
    let fields: Vec<Vec<u64>> = rows.iter().map(|counts| counts.fields()).collect();
    let column = |field| {
        pause();
        Column::pack(&fields.iter().map(|row| row[field]).collect::<Vec<_>>())
    };
    (0..C::default().fields().len()).map(column).collect()
}

/// The rows of these columns, without so many of the last counters, which are then zero.
pub(super) fn unpack<C: Counters>(
    mut columns: Vec<Column>,
    rows: usize,
    missing: usize,
) -> Result<impl Iterator<Item = C>, CodecError> {
    let counters = C::default().fields().len();
    if columns.len() + missing != counters {
        return Err(CodecError::Damaged("a column is missing".to_owned()));
    }
    columns.resize_with(counters, || Column { base: 0, shift: 0, rest: Vec::new() });
    let columns = columns.into_iter().map(|column| column.unpack(rows)).collect::<Result<Vec<_>, _>>()?;
    let mut fields = vec![0; counters];
    let row = move |row: usize| {
        fields.iter_mut().zip(&columns).for_each(|(field, column)| *field = column.at(row));
        C::from_fields(&fields)
    };
    // There are as many columns as counters.
    Ok((0..rows).filter_map(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_always_the_same_takes_no_room() {
        assert_eq!(postcard::to_stdvec(&Column::pack(&[0; 1000])).unwrap(), [0, 0, 0]);
        assert_eq!(postcard::to_stdvec(&Column::pack(&[8192, 16384])).unwrap().len(), 6);
    }

    proptest! {
        #[test]
        fn values_come_back(values: Vec<u64>) {
            prop_assert_eq!(Column::pack(&values).unpack(values.len()).unwrap().iter().collect::<Vec<_>>(), values);
        }

        #[test]
        fn damage_is_an_error(base: u64, shift: u8, rest: Vec<u64>, rows in 0usize..10) {
            if let Ok(values) = (Column { base, shift, rest }).unpack(rows) {
                prop_assert_eq!(values.iter().count(), rows);
            }
        }
    }
}
