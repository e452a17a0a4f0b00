//! Price of a month, where it is known.

use ebs_base::format::usd;
use ebs_base::units::Usd;

/// Describes the price: `$12.00 a month`, or `price unknown`.
pub fn describe(amount: Option<Usd>) -> String {
    amount.map_or(UNKNOWN.to_owned(), |amount| format!("{} a month", usd(amount)))
}

/// Describes the price as the right end of a line: `$12.00 / month`, or `price unknown`.
pub fn describe_briefly(amount: Option<Usd>) -> String {
    amount.map_or(UNKNOWN.to_owned(), |amount| format!("{} / month", usd(amount)))
}

const UNKNOWN: &str = "price unknown";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_price_is_no_zero() {
        let amount = Some(Usd::from_cents(1_200));
        assert_eq!([describe(amount), describe_briefly(amount)], ["$12.00 a month", "$12.00 / month"]);
        assert_eq!([describe(None), describe_briefly(None)], ["price unknown", "price unknown"]);
    }
}
