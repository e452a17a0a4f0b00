//! Money of rows: figures of JSON, made amounts that add up to the cent.

use ebs_base::units::Usd;
use ebs_fleet_row::{Action, Row, Volumes};

/// Largest amount of a row that is summed, US dollars a month: a larger one is damaged.
const MAX_DOLLARS: f64 = 1e12;

/// Returns the amount in whole cents; `None` for a figure that is not one.
pub(crate) fn amount(dollars: f64) -> Option<Usd> {
    (dollars.is_finite() && dollars.abs() <= MAX_DOLLARS).then(|| Usd::from_cents((dollars * 100.0).round() as i64))
}

/// Returns the price of volumes a month; `None` where it is not known.
pub(crate) fn price(volumes: Option<&Volumes>) -> Option<Usd> {
    volumes.and_then(|volumes| volumes.usd_month).and_then(amount)
}

/// Returns the price a month once the action is done: nothing for a deleted volume, the present price for one that stays.
pub(crate) fn price_after(row: &Row) -> Option<Usd> {
    let present = price(row.present.as_ref());
    match row.action {
        Action::Modify => price(row.recommended.as_ref()),
        Action::LargerInstance => price(row.recommended.as_ref()).or(present),
        Action::Delete => present.map(|_| Usd::default()),
        Action::Keep | Action::NoAnswer => present,
    }
}

/// Returns the saving of the action a month, negative where it costs more; `None` where it is not known.
pub(crate) fn saving(row: &Row) -> Option<Usd> {
    row.usd_month_saved.and_then(amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_become_cents() {
        assert_eq!(
            [0.1 + 0.2, -1.005, 1e11].map(|dollars| amount(dollars).unwrap().cents()),
            [30, -100, 10_000_000_000_000]
        );
        assert_eq!([f64::NAN, f64::INFINITY, 1e13].map(amount), [None; 3]);
    }

    #[test]
    fn a_price_that_is_not_known_is_not_zero() {
        let priced = |usd_month| Some(Volumes { usd_month, ..Volumes::default() });
        let row = |action, present, recommended| Row {
            action,
            present: priced(present),
            recommended: priced(recommended),
            ..Row::default()
        };
        let after = |action, present, recommended| price_after(&row(action, present, recommended)).map(Usd::cents);
        assert_eq!(after(Action::Modify, Some(9.0), None), None);
        assert_eq!(after(Action::Modify, Some(9.0), Some(4.0)), Some(400));
        assert_eq!(after(Action::Keep, Some(9.0), None), Some(900));
        assert_eq!(after(Action::Delete, Some(9.0), None), Some(0));
        assert_eq!(after(Action::Delete, None, None), None);
        assert_eq!(after(Action::LargerInstance, Some(9.0), None), Some(900));
    }
}
