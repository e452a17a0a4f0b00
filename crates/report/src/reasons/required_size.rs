//! The size that volumes need: its reason, growth, and remarks on it.

use ebs_advice::{Candidate, FREE_SHARE, RequiredSize, SizeBasis, SizeRemark};
use ebs_aws::catalogue::grown_storage_gib;
use ebs_base::format::{brief, count, rate, share, size};
use ebs_base::units::GIB;
use ebs_workload::growth::{Growth, HORIZON_DAYS, MIN_DAYS, Steps};

/// The remark on an order for data of unknown size.
pub const UNKNOWN: &str = "size unknown: the smallest that its IOPS allow (give min_size_gib => …)";

/// Describes the remarks on a size; `None` where there are none.
pub fn describe_remarks(remarks: &[SizeRemark]) -> Option<String> {
    let words: Vec<String> = remarks.iter().map(describe_remark).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// Describes growth and its forecast: `grows by 1.2 GiB a day (0.9 to 1.5), in 30 days at most 164 GiB used`.
pub fn describe_growth(growth: &Growth) -> String {
    let gib = |bytes: f64| size(bytes / GIB as f64);
    let (low, high) = (gib(growth.per_day_interval.low), gib(growth.per_day_interval.high));
    format!(
        "grows by {} GiB a day ({low} to {high}), in {} days at most {} GiB used",
        gib(growth.per_day),
        count(HORIZON_DAYS),
        gib(growth.forecast_interval.high)
    )
}

/// Describes the basis of the size that is needed: `20 % of it free then`.
pub fn describe_basis(need: &RequiredSize) -> String {
    match need.basis {
        SizeBasis::Requested => "min_size_gib".to_owned(),
        SizeBasis::Forecast => format!("{} of it free then", share(FREE_SHARE)),
        SizeBasis::Used => format!("{} of it free now", share(FREE_SHARE)),
        SizeBasis::CurrentVolumes => "that of the present volumes".to_owned(),
        SizeBasis::CurrentStorage => "that of the present storage".to_owned(),
        SizeBasis::Filesystem | SizeBasis::Unknown => "that of the filesystem".to_owned(),
    }
}

fn describe_remark(remark: &SizeRemark) -> String {
    match remark {
        SizeRemark::CannotShrink { required_gib } => {
            format!("EBS volumes cannot shrink: a new one could have {} GiB", count(*required_gib as f64))
        }
        SizeRemark::LargerStorage { required_gib } => {
            format!(
                "no modification shrinks it: a Blue/Green deployment could have {} GiB",
                count(*required_gib as f64)
            )
        }
        SizeRemark::BelowForecast { requested_gib, required_gib } => format!(
            "{} GiB requested, and the known use needs {}",
            count(*requested_gib as f64),
            count(*required_gib as f64)
        ),
        SizeRemark::GrowthInSteps { steps, step_days } => describe_steps(steps, *step_days),
        SizeRemark::GrowthUnknown => {
            format!("growth unknown: it takes {} days of samples with the size of the filesystem", count(MIN_DAYS))
        }
    }
}

fn describe_steps(steps: &Steps, step_days: f64) -> String {
    let (gib, days_ago) = (size(steps.bytes / GIB as f64), rate(steps.days_ago));
    let what = match steps.count {
        1 => format!("{gib} GiB came at once {days_ago} days before the end"),
        several => format!("{gib} GiB came in {several} steps, the last {days_ago} days before the end"),
    };
    let (days, horizon) = (rate(step_days), count(HORIZON_DAYS));
    format!("{what}: no trend, but the most in {horizon} days allows for as much again in each {days} days")
}

/// Describes why volumes of so many GiB together are ordered: `28 GiB: gp3 of 13,700 IOPS is sold from that size on (8 GiB needed)`.
pub fn describe_order(need: &RequiredSize, candidate: &Candidate) -> String {
    let ordered = candidate.config.size_gib * candidate.volumes;
    let gib = |gib: u64| format!("{} GiB", count(gib as f64));
    let Some(required) = need.size_gib else {
        return format!("{}, the smallest for its IOPS; size of the data unknown (min_size_gib => …)", gib(ordered));
    };
    let (ordered_words, why) = (gib(ordered), describe_brief_basis(need));
    if let Some(current) = need.storage_gib.filter(|current| ordered == grown_storage_gib(*current, current + 1)) {
        return format!(
            "{ordered_words}, 10 % more than the current {}, the least growth of RDS storage",
            gib(current)
        );
    }
    if ordered > required + candidate.volumes {
        return format!("{ordered_words}, the smallest for its limits; the data needs {}: {why}", gib(required));
    }
    let remark = need.remarks.iter().find_map(describe_shortage).map_or(String::new(), |words| format!("; {words}"));
    format!("{ordered_words}: {why}{remark}")
}

/// Describes the size of present volumes that stay: `500 GiB as today; the data needs 112 GiB: 80.0 GiB used and 25 % more`.
pub fn describe_current(need: &RequiredSize, candidate: &Candidate) -> String {
    let ordered = candidate.config.size_gib * candidate.volumes;
    match need.size_gib.filter(|required| ordered > required + candidate.volumes) {
        Some(required) => {
            let (today, needed) = (count(ordered as f64), count(required as f64));
            format!("{today} GiB as today; the data needs {needed}: {}", describe_brief_basis(need))
        }
        None => describe_order(need, candidate),
    }
}

/// Describes that the requested size is too small: `the known use needs 100 GiB`.
fn describe_shortage(remark: &SizeRemark) -> Option<String> {
    match remark {
        SizeRemark::BelowForecast { required_gib, .. } => {
            Some(format!("the known use needs {} GiB", count(*required_gib as f64)))
        }
        _ => None,
    }
}

fn describe_brief_basis(need: &RequiredSize) -> String {
    let used = need.used_bytes.map_or(String::new(), |bytes| format!("{} GiB used", brief(bytes as f64 / GIB as f64)));
    match need.basis {
        SizeBasis::Requested => "min_size_gib".to_owned(),
        SizeBasis::Forecast => match &need.growth {
            Some(growth) => format!(
                "at most {} GiB used in {} days and {} free",
                brief(growth.forecast_interval.high / GIB as f64),
                count(HORIZON_DAYS),
                share(FREE_SHARE)
            ),
            None => format!("{used} and {} free", share(FREE_SHARE)),
        },
        SizeBasis::Used => format!("{used} and {} free; growth unknown", share(FREE_SHARE)),
        SizeBasis::CurrentVolumes => "as large as the current volumes, which cannot shrink".to_owned(),
        SizeBasis::CurrentStorage => "as the current storage, which no modification shrinks".to_owned(),
        SizeBasis::Filesystem | SizeBasis::Unknown => "as large as the filesystem; its use is unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_remark_has_its_words() {
        let words = |remark| describe_remarks(&[remark]).unwrap();
        assert_eq!(describe_remarks(&[]), None);
        assert_eq!(
            words(SizeRemark::CannotShrink { required_gib: 238 }),
            "EBS volumes cannot shrink: a new one could have 238 GiB"
        );
        assert_eq!(
            words(SizeRemark::BelowForecast { requested_gib: 150, required_gib: 238 }),
            "150 GiB requested, and the known use needs 238"
        );
        let steps = Steps { count: 1, bytes: 50.0 * GIB as f64, days_ago: 9.2 };
        let steps = words(SizeRemark::GrowthInSteps { steps, step_days: 14.0 });
        assert!(steps.starts_with("50.0 GiB came at once 9.2 days before the end: no trend"), "{steps}");
        assert!(words(SizeRemark::GrowthUnknown).contains("growth unknown"));
    }
}
