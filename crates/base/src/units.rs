//! Units: money that adds up to the cent, and the byte sizes EBS counts in.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Sub};
use std::str::FromStr;

use crate::names::quoted;

/// Bytes in a KiB.
pub const KIB: u64 = 1024;
/// Bytes in a MiB.
pub const MIB: u64 = 1024 * KIB;
/// Bytes in a GiB. EBS prints "GB" on its bills and means this.
pub const GIB: u64 = 1024 * MIB;
/// Bytes in a sector of /proc/diskstats, whatever the device's own sector size is.
pub const SECTOR: u64 = 512;
/// Bytes in a page of PostgreSQL, the least that it reads or writes; every package is built with this BLCKSZ.
pub const PAGE_BYTES: u64 = 8 * KIB;
/// Microseconds in a second.
pub const SECOND_US: u64 = 1_000_000;
/// The year 10000, microseconds since 1970: no clock shows it, and PostgreSQL accepts it as a time.
pub const LATEST_US: i64 = 253_402_300_800_000_000;

/// An amount of US dollars, held as whole units of 10^-15 dollars: AWS lists prices to as many as 14 decimals
/// ($0.05712001953125 a MiB/s, a price per GiB/s divided by 1,024), quantities are whole, so every bill is exact and
/// rounds once, when it is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Usd(i128);

impl Usd {
    /// Decimals that are kept.
    pub const DECIMALS: usize = 15;
    const ONE: i128 = 1_000_000_000_000_000;

    /// The amount in whole cents, half a cent rounded away from zero.
    pub fn cents(self) -> i64 {
        let cent = Self::ONE / 100;
        let cents = (self.0 + self.0.signum() * cent / 2) / cent;
        i64::try_from(cents).unwrap_or(if cents > 0 { i64::MAX } else { i64::MIN })
    }

    /// An amount of whole cents.
    pub fn from_cents(cents: i64) -> Usd {
        Usd(i128::from(cents) * (Self::ONE / 100))
    }

    /// The amount in whole cents, as a number of dollars.
    pub fn dollars(self) -> f64 {
        self.cents() as f64 / 100.0
    }

    /// The amount as it is shown, in whole cents.
    pub fn rounded(self) -> Usd {
        Usd::from_cents(self.cents())
    }

    /// The amount times a fraction, half of the last decimal rounded away from zero: the price of `parts` where that of `whole` is this.
    /// Zero for a `whole` of zero.
    pub fn fraction(self, parts: u64, whole: u64) -> Usd {
        let whole = i128::from(whole);
        let product = self.0.saturating_mul(i128::from(parts));
        let rounded = product.saturating_add(product.signum() * (whole / 2)).checked_div(whole);
        Usd(rounded.unwrap_or_default())
    }

    /// The ratio of two amounts; `None` where the other is zero.
    pub fn ratio(self, other: Usd) -> Option<f64> {
        (other.0 != 0).then(|| self.0 as f64 / other.0 as f64)
    }

    /// The amount divided by a number; `None` where it has more than 15 decimals, or where the number is zero.
    pub fn divided(self, parts: u64) -> Option<Usd> {
        let parts = i128::from(parts);
        (self.0.checked_rem(parts)? == 0).then(|| Usd(self.0 / parts))
    }
}

/// The amount as a plain decimal with all its digits, without trailing zeros: `0.05712001953125`.
impl fmt::Display for Usd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (amount, one) = (self.0.unsigned_abs(), Self::ONE.unsigned_abs());
        let decimals = format!("{:0>width$}", amount % one, width = Self::DECIMALS);
        let (sign, decimals) = (if self.0 < 0 { "-" } else { "" }, decimals.trim_end_matches('0'));
        let point = if decimals.is_empty() { "" } else { "." };
        write!(f, "{sign}{}{point}{decimals}", amount / one)
    }
}

/// Error of a text that is not an amount of dollars.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("\"{0}\" is not an amount of dollars with at most 15 decimals")]
pub struct NotDollars(String);

impl FromStr for Usd {
    type Err = NotDollars;

    fn from_str(text: &str) -> Result<Self, NotDollars> {
        let refuse = || NotDollars(quoted(text));
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let plain = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || fraction.len() > Self::DECIMALS || !plain(whole) || !plain(fraction) {
            return Err(refuse());
        }
        let whole: i128 = whole.parse().map_err(|_| refuse())?;
        let parts: i128 = format!("{fraction:0<width$}", width = Self::DECIMALS).parse().map_err(|_| refuse())?;
        let amount = whole.checked_mul(Self::ONE).and_then(|whole| whole.checked_add(parts)).ok_or_else(refuse)?;
        Ok(Usd(if negative { -amount } else { amount }))
    }
}

impl Add for Usd {
    type Output = Usd;
    fn add(self, other: Usd) -> Usd {
        Usd(self.0.saturating_add(other.0))
    }
}

impl Sub for Usd {
    type Output = Usd;
    fn sub(self, other: Usd) -> Usd {
        Usd(self.0.saturating_sub(other.0))
    }
}

impl Mul<u64> for Usd {
    type Output = Usd;
    fn mul(self, quantity: u64) -> Usd {
        Usd(self.0.saturating_mul(i128::from(quantity)))
    }
}

impl Sum for Usd {
    fn sum<I: Iterator<Item = Usd>>(amounts: I) -> Usd {
        amounts.fold(Usd::default(), Add::add)
    }
}

/// Bytes as whole GiB, rounded up.
pub fn gib(bytes: u64) -> u64 {
    bytes.div_ceil(GIB)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn half_a_cent_rounds_away_from_zero() {
        for (text, cents) in [("0.005", 1), ("1.005", 101), ("1.0049", 100), ("-1.005", -101)] {
            let amount = text.parse::<Usd>().unwrap();
            assert_eq!((amount.cents(), amount.dollars()), (cents, cents as f64 / 100.0), "{text}");
        }
    }

    #[test]
    fn a_fraction_rounds_its_last_decimal_alone() {
        let amount = |text: &str| text.parse::<Usd>().unwrap();
        assert_eq!(amount("0.20").fraction(1_500_000, 1_000_000), amount("0.30"));
        assert_eq!(amount("1").fraction(2, 3), amount("0.666666666666667"));
        assert_eq!(amount("-1").fraction(2, 3), amount("-0.666666666666667"));
        assert_eq!(amount("1").fraction(1, 0), Usd::default());
        assert_eq!((amount("1").ratio(amount("4")), amount("1").ratio(Usd::default())), (Some(0.25), None));
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for text in ["", ".5", "1e3", "0.1234567890123456", "one", "--1", "+1", "9999999999999999999999999"] {
            assert!(text.parse::<Usd>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_the_same(amount in any::<i64>(), scale in 0u32..9) {
            let amount = Usd(i128::from(amount) * 10i128.pow(scale));
            prop_assert_eq!(amount.to_string().parse::<Usd>(), Ok(amount));
        }

        #[test]
        fn a_bill_does_not_depend_on_how_it_is_split(parts in 0i128..1_000_000_000_000_000, a in 0u64..100_000, b in 0u64..100_000) {
            prop_assert_eq!(Usd(parts) * a + Usd(parts) * b, Usd(parts) * (a + b));
        }
    }
}
