//! Statistics of columns that their owner may have made up (`pg_restore_attribute_stats` of PostgreSQL 18): an estimate of a join compares each
//! common value of one side with each of the other, and PostgreSQL does not look in between whether the statement is to end. ANALYZE keeps at
//! most 10,000 (MAX_STATISTICS_TARGET); those of two made-up lists of 250,000 took minutes.

use pgrx::pg_sys::{self, Oid};

use super::catalog::attribute_length;

/// Most common values that ANALYZE keeps of a column.
const MAX_VALUES: usize = 10_000;
/// Longest list of values that estimates read, bytes. ANALYZE keeps no value longer than 1 kB (WIDTH_THRESHOLD), and by default 100 of a
/// column; LIKE compares a pattern with each in time that grows with both lengths.
const MAX_BYTES: usize = 1 << 20;
/// Bytes before the elements of an array without nulls.
const HEADER: usize = 24;
/// Attributes of up to five kinds of statistics: frequencies, of which common values have one each, and values.
const FREQUENCIES: [u32; 5] = [
    pg_sys::Anum_pg_statistic_stanumbers1,
    pg_sys::Anum_pg_statistic_stanumbers2,
    pg_sys::Anum_pg_statistic_stanumbers3,
    pg_sys::Anum_pg_statistic_stanumbers4,
    pg_sys::Anum_pg_statistic_stanumbers5,
];
const VALUES: [u32; 5] = [
    pg_sys::Anum_pg_statistic_stavalues1,
    pg_sys::Anum_pg_statistic_stavalues2,
    pg_sys::Anum_pg_statistic_stavalues3,
    pg_sys::Anum_pg_statistic_stavalues4,
    pg_sys::Anum_pg_statistic_stavalues5,
];

/// True if ANALYZE could have made the statistics of this column.
pub(super) fn are_plausible(table: Oid, column: i16, inherited: bool) -> bool {
    let cache = pg_sys::SysCacheIdentifier::STATRELATTINH as i32;
    // SAFETY: in a transaction; a tuple of pg_statistic, released after its attributes were measured.
    unsafe {
        let keys = [pg_sys::Datum::from(table), pg_sys::Datum::from(column), pg_sys::Datum::from(inherited)];
        let tuple = pg_sys::SearchSysCache3(cache, keys[0], keys[1], keys[2]);
        if tuple.is_null() {
            return true;
        }
        let length = |attribute| attribute_length(cache, tuple, attribute);
        // Of common elements of arrays there are three frequencies more.
        let most = HEADER + (MAX_VALUES + 3) * size_of::<f32>();
        let plausible = FREQUENCIES.into_iter().all(|frequencies| length(frequencies) <= most)
            && VALUES.into_iter().all(|values| length(values) <= MAX_BYTES);
        pg_sys::ReleaseSysCache(tuple);
        plausible
    }
}
