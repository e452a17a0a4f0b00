//! Lists of shares.

use std::collections::BTreeMap;

use ebs_base::format::share;

/// Lists shares, largest first, without those below 1 %: `client backends 61 % · WAL 22 %`.
pub(super) fn list_shares(shares: BTreeMap<String, f64>) -> String {
    let mut sorted: Vec<(String, f64)> = shares.into_iter().filter(|(_, part)| *part >= 0.01).collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sorted.iter().map(|(name, part)| format!("{name} {}", share(*part))).collect::<Vec<_>>().join(" · ")
}
