//! Units of an offer file, and their conversion to ours.

use crate::catalogue::Part;
use ebs_base::units::Usd;

/// The price of one GiB, IOPS or MiB/s, or the reason why it is unknown. AWS writes units in several cases, GB where it means
/// GiB and MB where it means MiB, and gp3's throughput by the GiB/s.
pub(super) fn in_our_unit(part: Part, unit: &str, usd: Usd) -> Result<Usd, String> {
    let unit_of = unit.to_ascii_lowercase();
    match (part, unit_of.as_str()) {
        (Part::Storage, "gb-mo" | "gb-month") => Ok(usd),
        (Part::Iops | Part::IopsAbove32000 | Part::IopsAbove64000, "iops-mo" | "iops-month") => Ok(usd),
        (Part::Throughput, "mibps-mo" | "mbps-mo") => Ok(usd),
        (Part::Throughput, "gibps-mo") => usd
            .divided(1_024)
            .ok_or_else(|| format!("costs ${usd} a GiB/s, which is no price a MiB/s with 15 decimals")),
        _ => {
            let shown: String = unit.chars().take(40).collect();
            Err(format!("is priced by \"{shown}\", not by a unit of {}", part.name()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_by_the_gibps_are_divided_exactly() {
        let usd = |text: &str| text.parse::<Usd>().unwrap();
        let mibps = |text| in_our_unit(Part::Throughput, "GiBps-mo", usd(text)).unwrap().to_string();
        assert_eq!(mibps("40.9600000000"), "0.04");
        assert_eq!(mibps("58.4909000000"), "0.05712001953125");
        assert!(in_our_unit(Part::Throughput, "GiBps-mo", usd("0.000001")).is_err());
        assert_eq!(in_our_unit(Part::Storage, "GB-month", usd("0.125")), Ok(usd("0.125")));
        assert!(in_our_unit(Part::Storage, "Hrs", usd("0.1")).is_err());
        assert!(in_our_unit(Part::Iops, "GB-Mo", usd("0.1")).is_err());
    }
}
