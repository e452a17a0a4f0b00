//! Numbers as load drivers print them.

/// Figures are below this: nothing that a load driver counts reaches it.
const MAX_FIGURE: f64 = 1e15;

/// A finite number of at least 0. Quotes around it, which HammerDB's documents have, do not matter.
pub(super) fn figure(text: &str) -> Option<f64> {
    let value: f64 = text.trim().trim_matches(['"', '\\']).parse().ok()?;
    (0.0..MAX_FIGURE).contains(&value).then_some(value)
}

/// A number, and what stands behind it: `4.003 ms` is 4.003 and `ms`.
pub(super) fn leading(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| !matches!(c, '0'..='9' | '.' | 'e' | '+' | '-')).unwrap_or(text.len());
    // 5s would otherwise be fine and 5e not, because of the exponent.
    let digits = text[..end].trim_end_matches(['e', '+', '-']);
    Some((figure(digits)?, text[digits.len()..].trim_start()))
}

/// The number between two words: `tps: ` and ` ` in `tps: 702.00 qps: …`.
pub(super) fn between(text: &str, before: &str, after: &str) -> Option<f64> {
    let start = text.find(before)? + before.len();
    let rest = text[start..].trim_start();
    figure(rest.split_once(after).map_or(rest, |(number, _)| number))
}

/// A count.
pub(super) fn count(text: &str) -> Option<u64> {
    text.trim().trim_matches(['"', '\\']).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_what_stands_around_them() {
        assert_eq!(figure(" 988.6 "), Some(988.6));
        assert_eq!(figure("\"0.58\""), Some(0.58));
        for wrong in ["", "NaN", "inf", "-1", "1e15", "5s", "0x10"] {
            assert_eq!(figure(wrong), None, "{wrong}");
        }
        assert_eq!(leading("4.003 ms stddev"), Some((4.003, "ms stddev")));
        assert_eq!(leading("10.0042s"), Some((10.0042, "s")));
        assert_eq!(leading("5e"), Some((5.0, "e")));
        assert_eq!(leading("ms"), None);
        assert_eq!(between("tps: 702.00 qps: 1", "tps: ", " "), Some(702.0));
        assert_eq!(between("err/s: 0.20", "err/s: ", " "), Some(0.2));
    }
}
