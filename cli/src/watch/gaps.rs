//! Gaps in the samples: each reason with the number, the length and the times of its gaps.

use jiff::Timestamp;

/// Most gaps of a reason whose times are named.
const MAX_NAMED: usize = 3;

/// Gaps in the samples, by the server's clock.
#[derive(Clone, Default)]
pub struct Gaps {
    reasons: Vec<Reason>,
}

#[derive(Clone)]
struct Reason {
    text: &'static str,
    count: usize,
    total_us: i64,
    /// Beginnings and ends of the first, microseconds since 1970.
    first: Vec<(i64, i64)>,
}

impl Gaps {
    /// Adds a gap between two times, microseconds since 1970.
    pub fn add(&mut self, text: &'static str, from_us: i64, to_us: i64) {
        let known = self.reasons.iter().position(|reason| reason.text == text);
        let index = known.unwrap_or_else(|| {
            self.reasons.push(Reason { text, count: 0, total_us: 0, first: Vec::new() });
            self.reasons.len() - 1
        });
        let Some(reason) = self.reasons.get_mut(index) else { return };
        reason.count += 1;
        reason.total_us = reason.total_us.saturating_add(to_us.saturating_sub(from_us).max(0));
        if reason.first.len() < MAX_NAMED {
            reason.first.push((from_us, to_us));
        }
    }

    /// Describes the gaps, a sentence for each reason: `3 gaps in the samples, 41 s in all: the connection was lost (2026-11-26 09:31:02 to
    /// 09:31:20 UTC, …)`.
    pub fn describe(&self) -> impl Iterator<Item = String> {
        self.reasons.iter().map(Reason::describe)
    }
}

impl Reason {
    fn describe(&self) -> String {
        let mut times: Vec<String> =
            self.first.iter().map(|(from_us, to_us)| describe_span(*from_us, *to_us)).collect();
        if self.count > times.len() {
            times.push(format!("{} more", self.count - times.len()));
        }
        let head = match self.count {
            1 => "a gap in the samples".to_owned(),
            count => format!("{count} gaps in the samples, {:.0} s in all", self.total_us as f64 / 1e6),
        };
        format!("{head}: {} ({})", self.text, times.join(", "))
    }
}

/// `2026-11-26 09:31:02 to 09:31:20 UTC`, with both dates where they differ.
fn describe_span(from_us: i64, to_us: i64) -> String {
    let time = |us: i64, pattern: &str| {
        Timestamp::from_microsecond(us).map_or_else(|_| String::new(), |time| time.strftime(pattern).to_string())
    };
    let date = "%Y-%m-%d";
    let end = if time(from_us, date) == time(to_us, date) { "%H:%M:%S" } else { "%Y-%m-%d %H:%M:%S" };
    format!("{} to {} UTC", time(from_us, "%Y-%m-%d %H:%M:%S"), time(to_us, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-26 09:31:02 UTC.
    const BEGIN_US: i64 = 1_795_685_462_000_000;

    #[test]
    fn gaps_of_a_reason_are_described_together() {
        let mut gaps = Gaps::default();
        gaps.add("the link was slow", BEGIN_US, BEGIN_US + 18_000_000);
        assert_eq!(
            gaps.describe().collect::<Vec<_>>(),
            ["a gap in the samples: the link was slow (2026-11-26 09:31:02 to 09:31:20 UTC)"]
        );
        gaps.add("the clock was set", BEGIN_US, BEGIN_US - 5_000_000);
        for day in 1..=3 {
            gaps.add("the link was slow", BEGIN_US + day * 3_600_000_000, BEGIN_US + day * 3_600_000_000 + 1_000_000);
        }
        let described: Vec<String> = gaps.describe().collect();
        assert_eq!(
            described[0],
            "4 gaps in the samples, 21 s in all: the link was slow (2026-11-26 09:31:02 to 09:31:20 UTC, 2026-11-26 10:31:02 to 10:31:03 \
             UTC, 2026-11-26 11:31:02 to 11:31:03 UTC, 1 more)"
        );
        assert_eq!(described.len(), 2);
    }
}
