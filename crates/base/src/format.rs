//! The only place that turns quantities into text, so that a figure looks the same wherever it stands.

use crate::range::Range;
use crate::units::Usd;

/// A whole number with thousands separated: `13,480`.
pub fn count(value: f64) -> String {
    grouped(value.round() as i64)
}

/// A rate per second, with one decimal below ten so that a quiet volume does not read as idle: `8,210`, `3.4`, `0`.
pub fn rate(value: f64) -> String {
    if value == 0.0 || value.abs() >= 9.95 { count(value) } else { format!("{value:.1}") }
}

/// MiB/s or KiB: three significant digits below 100, whole above: `0.42`, `9.9`, `121`.
pub fn size(value: f64) -> String {
    match value.abs() {
        v if v >= 99.95 => count(value),
        v if v >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// A figure whose unit is shown elsewhere: like [`size`], but zero is `0`.
pub fn figure(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { size(value) }
}

/// Milliseconds: `0.38`, `12.5`, `430`.
pub fn ms(value: f64) -> String {
    size(value)
}

/// A share of one as a percentage: `71 %`; one decimal below ten: `0.3 %`.
pub fn share(value: f64) -> String {
    pct(value * 100.0)
}

/// A percentage: `71 %`, `0.3 %`, `0 %`; from 99.5 to below 100 rounded down to a tenth, as what is less than all is not `100 %`.
pub fn pct(value: f64) -> String {
    let size = value.abs();
    if (99.5..100.0).contains(&size) {
        return format!("{:.1} %", (value * 10.0).trunc() / 10.0);
    }
    if value == 0.0 || size >= 9.95 { format!("{value:.0} %") } else { format!("{value:.1} %") }
}

/// A small percentage, with two decimals: `0.05 %`.
pub fn fine_pct(value: f64) -> String {
    format!("{value:.2} %")
}

/// Text from users, made safe for one line of output: characters that move the cursor, ring, hide or reverse text become `?`
/// (control characters, and the format characters of U+200B to U+206F and U+FEFF).
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || misleads(c) { '?' } else { c }).collect()
}

/// The same for a text of several lines.
pub fn plain_page(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' || misleads(c) { '?' } else { c }).collect()
}

/// Format characters: they hide or reverse text.
fn misleads(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// An amount of memory as PostgreSQL's settings have it, rounded up: `64 MB`, below 1 MB in `kB`.
pub fn memory_size(bytes: usize) -> String {
    match bytes >> 20 {
        0 => format!("{} kB", bytes.div_ceil(1 << 10)),
        _ => format!("{} MB", bytes.div_ceil(1 << 20)),
    }
}

/// A ratio to the current value: `0.94`.
pub fn times(value: f64) -> String {
    format!("{value:.2}")
}

/// A ratio with its interval: `1.04 (1.00 to 1.09)`.
pub fn range(of: &Range) -> String {
    format!("{} ({} to {})", times(of.middle), times(of.low), times(of.high))
}

/// An estimate, as far as it is known: three significant digits: `1,130`, `47.2`, `0.51`.
pub fn estimate(value: f64) -> String {
    rounded_to(value, 3)
}

/// A figure on a first screen: one decimal below ten where it has one, whole above: `8.4`, `8`, `80`.
pub fn brief(value: f64) -> String {
    let text = if value.abs() >= 9.95 { count(value) } else { format!("{value:.1}") };
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// I/Os a second on a first screen, in hundreds: `8,900`; below 1,000 in tens, below 100 as a [`rate`].
pub fn brief_iops(value: f64) -> String {
    round_iops(value).map_or_else(|| rate(value), count)
}

/// I/Os a second as [`brief_iops`], to the unit where rounding would exceed a limit that the value does not: `1,197` for 1,197 of 1,197.
pub fn brief_iops_within(value: f64, limit: f64) -> String {
    let exceeds = value < limit + 0.5 && round_iops(value).is_some_and(|rounded| rounded > limit);
    if exceeds { count(value.min(limit)) } else { brief_iops(value) }
}

/// Rounds to hundreds, below 1,000 to tens; `None` below 100.
fn round_iops(value: f64) -> Option<f64> {
    match value.abs() {
        v if v >= 995.0 => Some((value / 100.0).round() * 100.0),
        v if v >= 99.5 => Some((value / 10.0).round() * 10.0),
        _ => None,
    }
}

/// A requirement of I/Os a second, as [`brief_iops`] but never below it: `17,700` for 17,640.
pub fn brief_iops_at_least(value: f64) -> String {
    let step = match value.abs() {
        v if v > 1_000.0 => 100.0,
        v if v > 100.0 => 10.0,
        _ => return rate(value),
    };
    // A value that is whole except for rounding errors stays that number.
    count(((value - 1e-6) / step).ceil() * step)
}

/// Milliseconds to a tenth below ten: `0.4`, `5.2`, `13`; below a tenth to a hundredth, `0.04`.
pub fn brief_ms(value: f64) -> String {
    match value.abs() {
        v if v >= 9.95 => count(value),
        v if v >= 0.095 => format!("{value:.1}"),
        v if v >= 0.005 => format!("{value:.2}"),
        0.0 => "0".to_owned(),
        _ => "<0.01".to_owned(),
    }
}

/// Two figures in this format, or with as many decimals as show that they differ: `0.334` and `0.33`.
pub fn distinct(format: fn(f64) -> String, one: f64, other: f64) -> (String, String) {
    let formatted = (format(one), format(other));
    if formatted.0 != formatted.1 {
        return formatted;
    }
    let with_decimals = |decimals: usize| (format!("{one:.decimals$}"), format!("{other:.decimals$}"));
    let differ = (1..=9).map(with_decimals).find(|(one, other)| one != other);
    differ.map_or(formatted, |(one, other)| (without_zeros(&one), without_zeros(&other)))
}

fn without_zeros(decimals: &str) -> String {
    decimals.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A share of one as whole per cent: `47 %`; a positive one below half of one is `<1 %`.
pub fn whole_pct(value: f64) -> String {
    if value > 0.0 && value < 0.005 { "<1 %".to_owned() } else { format!("{} %", count(100.0 * value)) }
}

/// Length of time in the largest unit of which there are at least two: `90 s`, `20 min`, `36 h`, `14 days`.
pub fn brief_duration(seconds: f64) -> String {
    match seconds {
        s if s < 119.5 => format!("{} s", count(s)),
        s if s < 7_170.0 => format!("{} min", count(s / 60.0)),
        s if s < 170_000.0 => format!("{} h", count(s / 3_600.0)),
        s => format!("{} days", count(s / 86_400.0)),
    }
}

/// Rounds to so many significant digits; whole numbers above.
fn rounded_to(value: f64, digits: i32) -> String {
    if value.abs() < 99.95 {
        return figure(value);
    }
    let step = 10f64.powi((value.abs().log10().floor() as i32 + 1 - digits).max(0));
    count((value / step).round() * step)
}

/// The smallest whole number that is not below the value: `24,742` for 24,741.3.
pub fn at_least(value: f64) -> String {
    // A value that is whole except for rounding errors stays that number.
    count((value - 1e-9).ceil())
}

/// Dollars and cents: `$1,148.00`.
pub fn usd(amount: Usd) -> String {
    let cents = amount.cents();
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}${}.{:02}", grouped(cents.abs() / 100), cents.abs() % 100)
}

/// Dollars and cents as a plain decimal, for a numeric column: `1148.00`.
pub fn usd_plain(amount: Usd) -> String {
    let cents = amount.cents();
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
}

fn grouped(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3 + 1);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0 { format!("-{text}") } else { text }
}

/// Formats a yearly durability, per cent, with two decimals, or five from 99.9 on, without trailing zeros: 98.41, 99.8, 99.999.
pub fn durability(pct: f64) -> String {
    let text = if pct < 99.9 { format!("{pct:.2}") } else { format!("{pct:.5}") };
    without_zeros(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_misleads_is_shown_as_a_question_mark() {
        assert_eq!(plain("gp3\u{202e}3oi\u{1b}[2J\n"), "gp3?3oi?[2J?");
        assert_eq!(plain_page("<p>\u{202e}a\u{feff}\r\n</p>"), "<p>?a??\n</p>");
        assert_eq!(plain("é · █ 日本"), "é · █ 日本");
    }

    #[test]
    fn figures_read_as_in_a_report() {
        assert_eq!(count(1_234_567.4), "1,234,567");
        assert_eq!(count(-999.6), "-1,000");
        assert_eq!([rate(0.0), rate(3.44), rate(9.96), rate(8210.3)], ["0", "3.4", "10", "8,210"]);
        assert_eq!([size(0.423), size(9.99), size(9.996), size(121.2)], ["0.42", "9.99", "10.0", "121"]);
        assert_eq!([figure(0.0), figure(12_345.6), figure(0.4)], ["0", "12,346", "0.40"]);
        assert_eq!([share(0.714), share(0.003), share(0.0)], ["71 %", "0.3 %", "0 %"]);
        assert_eq!([pct(99.49), pct(99.5), pct(99.6), pct(99.94)], ["99 %", "99.5 %", "99.6 %", "99.9 %"]);
        assert_eq!([pct(99.95), pct(99.999), pct(100.0), pct(100.4)], ["99.9 %", "99.9 %", "100 %", "100 %"]);
        assert_eq!([at_least(24_741.3), at_least(1_200.000_000_000_1), fine_pct(0.051)], ["24,742", "1,200", "0.05 %"]);
        assert_eq!(
            [estimate(1_126.4), estimate(47.23), estimate(0.512), estimate(99.96)],
            ["1,130", "47.2", "0.51", "100"]
        );
        assert_eq!([estimate(0.0), estimate(123_456.0), estimate(9_996.0)], ["0", "123,000", "10,000"]);
        assert_eq!(
            [brief_iops(8_928.0), brief_iops(421.0), brief_iops(42.4), brief_iops(996.0)],
            ["8,900", "420", "42", "1,000"]
        );
        let within =
            [(1_197.0, 1_197.0), (1_160.0, 1_197.0), (1_130.0, 1_197.0), (1_197.3, 1_197.0), (3_010.0, 1_197.0)];
        assert_eq!(
            within.map(|(value, limit)| brief_iops_within(value, limit)),
            ["1,197", "1,160", "1,100", "1,197", "3,000"]
        );
        assert_eq!([17_640.0, 17_600.0, 421.0, 42.4].map(brief_iops_at_least), ["17,700", "17,600", "430", "42"]);
        assert_eq!([1_000.0, 1_001.0, 991.0].map(brief_iops_at_least), ["1,000", "1,100", "1,000"]);
        assert_eq!([brief(8.42), brief(8.0), brief(80.4), brief(0.04), brief(9.97)], ["8.4", "8", "80", "0", "10"]);
        assert_eq!([brief_ms(0.14), brief_ms(9.96), brief_ms(0.043), brief_ms(0.0)], ["0.1", "10", "0.04", "0"]);
        let both = |one, other| distinct(size, one, other);
        assert_eq!(both(0.334, 0.33), ("0.334".to_owned(), "0.33".to_owned()));
        assert_eq!([both(0.33, 0.5).0, both(0.33, 0.33).1, both(1_203.1, 1_203.2).1], ["0.33", "0.33", "1203.2"]);
        assert_eq!(
            [whole_pct(0.473), whole_pct(0.004), whole_pct(0.0), whole_pct(13.0)],
            ["47 %", "<1 %", "0 %", "1,300 %"]
        );
        assert_eq!([119.0, 1_200.0, 7_200.0, 1_209_600.0].map(brief_duration), ["119 s", "20 min", "2 h", "14 days"]);
        assert_eq!([memory_size(1), memory_size(1 << 20), memory_size((64 << 20) + 1)], ["1 kB", "1 MB", "65 MB"]);
        assert_eq!(usd("1148".parse().unwrap()), "$1,148.00");
        assert_eq!(usd("-0.5".parse().unwrap()), "-$0.50");
        assert_eq!(usd_plain("4557.604".parse().unwrap()), "4557.60");
    }
}
