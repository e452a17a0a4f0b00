//! Counts by column: what one counter said in every row stands together, less its smallest value and in its largest common
//! power of two. Bytes come in pages and lengths near a second, so that most of what is left fits a byte or two.

use serde::{Deserialize, Serialize};

use super::codec::CodecError;
use crate::counter::Counters;

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

    /// Its values in this many rows.
    pub(super) fn unpack(self, rows: usize) -> Result<Vec<u64>, CodecError> {
        let damaged = || CodecError::Damaged("a column does not fit its rows".to_owned());
        if self.rest.is_empty() {
            return Ok(vec![self.base; rows]);
        }
        if self.rest.len() != rows || self.shift >= 64 {
            return Err(damaged());
        }
        let value = |rest: u64| {
            let shifted = rest << self.shift;
            (shifted >> self.shift == rest).then(|| self.base.checked_add(shifted)).flatten().ok_or_else(damaged)
        };
        self.rest.iter().map(|rest| value(*rest)).collect()
    }
}

/// A column for each counter of these rows.
pub(super) fn pack<C: Counters>(rows: &[C]) -> Vec<Column> {
    let fields: Vec<Vec<u64>> = rows.iter().map(|counts| counts.fields()).collect();
    let column = |field| Column::pack(&fields.iter().map(|row| row[field]).collect::<Vec<_>>());
    (0..C::default().fields().len()).map(column).collect()
}

/// The rows of these columns.
pub(super) fn unpack<C: Counters>(columns: Vec<Column>, rows: usize) -> Result<Vec<C>, CodecError> {
    let columns = columns.into_iter().map(|column| column.unpack(rows)).collect::<Result<Vec<_>, _>>()?;
    let row = |row: usize| C::from_fields(&columns.iter().map(|column| column[row]).collect::<Vec<_>>());
    (0..rows).map(row).map(|row| row.ok_or_else(|| CodecError::Damaged("a column is missing".to_owned()))).collect()
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
            prop_assert_eq!(Column::pack(&values).unpack(values.len()).unwrap(), values);
        }

        #[test]
        fn damage_is_an_error(base: u64, shift: u8, rest: Vec<u64>, rows in 0usize..10) {
            let _ = Column { base, shift, rest }.unpack(rows);
        }
    }
}
