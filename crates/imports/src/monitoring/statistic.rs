//! Statistics of CloudWatch, which an answer tells in labels and ids alone: `${PROP('Stat')}` of a label, `readLatency_p99`.
//!
//! Source: <https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Statistics-definitions.html>.

use super::ImportError;

ebs_base::named! {
    /// Statistic that turns the values of a period into one.
    pub(super) enum Statistic {
        Average = "Average",
        Sum = "Sum",
        Minimum = "Minimum",
        Maximum = "Maximum",
        /// A count of samples, a percentile, a mean without outliers.
        Other = "another statistic",
    }
}

/// Letters in front of the per cent of a percentile, a trimmed mean, count or sum, a winsorized mean.
const OF_PER_CENT: [&str; 5] = ["p", "tm", "tc", "ts", "wm"];

impl Statistic {
    /// The statistic of this name. Below 10 per cent a name such as `p1` is rather that of a server.
    fn named(word: &str) -> Option<Statistic> {
        let of_range = ["TM(", "TC(", "TS(", "WM(", "PR("].iter().any(|begin| word.starts_with(begin));
        let per_cent = |letters: &&str| word.strip_prefix(*letters).and_then(|number| number.parse::<f64>().ok());
        let in_range = |number: f64| (10.0..=100.0).contains(&number);
        match word.to_ascii_lowercase().as_str() {
            "average" => Some(Statistic::Average),
            "sum" => Some(Statistic::Sum),
            "minimum" => Some(Statistic::Minimum),
            "maximum" => Some(Statistic::Maximum),
            "samplecount" | "iqm" => Some(Statistic::Other),
            _ => (of_range || OF_PER_CENT.iter().find_map(per_cent).is_some_and(in_range)).then_some(Statistic::Other),
        }
    }

    /// Words of a label without those that name a statistic.
    pub fn without(label: &str) -> Vec<&str> {
        label.split_whitespace().filter(|word| Self::named(word).is_none()).collect()
    }

    /// An id without the statistic at its end.
    pub fn without_last(id: &str) -> &str {
        id.rsplit_once('_').filter(|(_, last)| Self::named(last).is_some()).map_or(id, |(before, _)| before)
    }

    /// Refuses a metric (its name) whose label or id names another statistic than this one.
    pub fn check(self, metric: &str, label: &str, id: &str) -> Result<(), ImportError> {
        let last = id.rsplit_once('_').map(|(_, last)| last);
        let wrong = |word: &&str| Self::named(word).is_some_and(|named| named != self);
        match label.split_whitespace().chain(last).find(wrong) {
            Some(word) => Err(ImportError::Malformed {
                at: format!("{metric} {word}"),
                problem: format!("{} is needed", self.name()),
            }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statistic_is_known_by_its_name() {
        for (word, statistic) in [
            ("Average", Some(Statistic::Average)),
            ("maximum", Some(Statistic::Maximum)),
            ("p99", Some(Statistic::Other)),
            ("p99.9", Some(Statistic::Other)),
            ("tm90", Some(Statistic::Other)),
            ("TM(10%:90%)", Some(Statistic::Other)),
            ("IQM", Some(Statistic::Other)),
            ("p1", None),
            ("prod", None),
            ("ts", None),
            ("p-99", None),
            ("é", None),
        ] {
            assert_eq!(Statistic::named(word), statistic, "{word}");
        }
        assert_eq!(Statistic::without("prod ReadIOPS Average"), ["prod", "ReadIOPS"]);
        assert_eq!(
            (Statistic::without_last("readIOPS_db1_p99"), Statistic::without_last("p99")),
            ("readIOPS_db1", "p99")
        );
    }
}
