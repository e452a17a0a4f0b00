//! Order of rows: by money, and by pain.

use std::cmp::Ordering;
use std::str::FromStr;

use ebs_base::error::InputError;
use ebs_base::names::quoted;
use ebs_fleet_row::Row;

use crate::money::saving;
use crate::risk;

/// Order of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// The largest saving first; those whose saving is not known last.
    #[default]
    Money,
    /// The longest time at a limit first, then the highest risk; those for which neither is known last.
    Pain,
}

impl Sort {
    /// Sorts rows; equal ones by volume.
    pub fn sort(self, rows: &mut [Row]) {
        rows.sort_by(|one, other| self.compare(one, other));
    }

    /// Compares two rows.
    pub fn compare(self, one: &Row, other: &Row) -> Ordering {
        let order = match self {
            Sort::Money => saving(other).cmp(&saving(one)),
            Sort::Pain => compare_pain(one, other),
        };
        order.then_with(|| identity(one).cmp(&identity(other)))
    }
}

fn compare_pain(one: &Row, other: &Row) -> Ordering {
    // A share that is not known is below each that is.
    let at_limit = |row: &Row| row.limit_pct.filter(|pct| pct.is_finite()).unwrap_or(-1.0);
    let by_risk = risk::rank(other.risk.as_deref()).cmp(&risk::rank(one.risk.as_deref()));
    at_limit(other).total_cmp(&at_limit(one)).then(by_risk)
}

fn identity(row: &Row) -> (&str, Option<&str>, Option<&str>) {
    (&row.volume, row.account.as_deref(), row.region.as_deref())
}

impl FromStr for Sort {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Sort, InputError> {
        match text {
            "money" => Ok(Sort::Money),
            "pain" => Ok(Sort::Pain),
            _ => Err(InputError::UnknownName { what: "order", name: quoted(text), accepted: "money, pain".to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(volume: &str, saved: Option<f64>, limit_pct: Option<f64>, risk: Option<&str>) -> Row {
        let risk = risk.map(str::to_owned);
        Row { volume: volume.to_owned(), usd_month_saved: saved, limit_pct, risk, ..Row::default() }
    }

    fn sorted(sort: Sort) -> Vec<String> {
        let mut rows = vec![
            row("a", None, Some(2.0), Some("low")),
            row("b", Some(-5.0), Some(40.0), Some("very high")),
            row("c", Some(10.0), None, Some("high")),
            row("e", Some(0.0), Some(2.0), Some("medium")),
            row("d", Some(10.0), None, None),
            row("f", Some(0.0), Some(0.0), None),
        ];
        sort.sort(&mut rows);
        rows.into_iter().map(|row| row.volume).collect()
    }

    #[test]
    fn what_is_not_known_comes_last() {
        assert_eq!(sorted(Sort::Money), ["c", "d", "e", "f", "b", "a"]);
        assert_eq!(sorted(Sort::Pain), ["b", "e", "a", "f", "c", "d"]);
    }

    #[test]
    fn an_order_has_a_name() {
        assert_eq!(["money", "pain"].map(|name| name.parse::<Sort>().unwrap()), [Sort::Money, Sort::Pain]);
        assert!("size".parse::<Sort>().is_err());
    }
}
