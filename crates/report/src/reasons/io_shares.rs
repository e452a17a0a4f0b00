//! PostgreSQL's share of the device's bytes, and that of other programs.

use crate::Report;
use ebs_advice::IoSource;
use ebs_base::format::{count, share};
use ebs_workload::io_share::IoShares;

/// Share of others from which they are named on the first screen. A choice.
const WORTH_NAMING: f64 = 0.2;

/// Describes the shares: `Device bytes: PostgreSQL 42 %, others 58 % (81 % in the 10 s with most bytes); all of it is sized for`.
pub fn describe(report: &Report) -> String {
    let Some(shares) = report.io_shares() else {
        return "Device bytes: PostgreSQL's share is unknown; all of it is sized for".to_owned();
    };
    format!("Device bytes: {}; {}", describe_shares(&shares), describe_sizing(report.request.io_source))
}

/// Describes others, behind that word, where they matter to the size: `58 % of the bytes: io_source => 'postgresql' sizes without them`.
pub fn describe_briefly(report: &Report) -> Option<String> {
    let shares = report.io_shares()?;
    let others = share(shares.others.max(shares.others_in_busiest_block));
    let matters = shares.others.max(shares.others_in_busiest_block) >= WORTH_NAMING;
    let of = if shares.others >= shares.others_in_busiest_block {
        "of the bytes".to_owned()
    } else {
        format!("of the bytes in the busiest {} s", count(shares.busiest_s))
    };
    match report.request.io_source {
        IoSource::Postgresql => Some(format!("{others} {of}: not sized for")),
        IoSource::All => matters.then(|| format!("{others} {of}: io_source => 'postgresql' sizes without them")),
    }
}

fn describe_shares(shares: &IoShares) -> String {
    let busiest = match shares.others_in_busiest_block > shares.others {
        true => {
            let others = share(shares.others_in_busiest_block);
            format!(" ({others} in the {} s with most bytes)", count(shares.busiest_s))
        }
        false => String::new(),
    };
    format!("PostgreSQL {}, others {}{busiest}", share(shares.postgresql), share(shares.others))
}

fn describe_sizing(source: IoSource) -> &'static str {
    match source {
        IoSource::All => "all of it is sized for (io_source => 'postgresql' sizes for PostgreSQL alone)",
        IoSource::Postgresql => "only PostgreSQL's is sized for: each second times its share in a block of samples",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_named_with_those_of_the_busiest_block() {
        let shares =
            IoShares { postgresql: 0.97, others: 0.03, others_in_busiest_block: 0.81, busiest_us: 0, busiest_s: 10.0 };
        assert_eq!(describe_shares(&shares), "PostgreSQL 97 %, others 3.0 % (81 % in the 10 s with most bytes)");
        let even = IoShares { others: 0.9, postgresql: 0.1, ..shares };
        assert_eq!(describe_shares(&even), "PostgreSQL 10 %, others 90 %");
    }
}
