//! Documents that this project writes, and that may be changed before they are read again.

use ebs_aws::offer::read_document;
use ebs_base::units::Usd;
use ebs_comparison::export;
use ebs_workload::reading::{Reading, Span, tables_between};

use crate::evidence;
use crate::figures::check_figure;
use crate::index_findings::check_index_finding;

/// Documents of runs. An accepted one is written and read back unchanged, and answers can be computed from its samples.
pub fn run_document(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let runs = match export::read_text(text, &|| ()) {
        Ok(runs) => runs,
        Err(error) => return drop((error.to_string(), error.hint())),
    };
    let written = export::write(&runs, "0", &|| ()).expect("what fits one way fits the other").to_string();
    assert_eq!(export::read_text(&written, &|| ()).expect("what is written can be read"), runs);
    runs.iter().flat_map(|run| &run.samples).for_each(evidence::compute_answers);
    runs.iter().flat_map(|run| run.index_findings.iter().flatten()).for_each(check_index_finding);
}

/// Documents of prices. Accepted prices are above zero, and the text of an amount is read as the same amount.
pub fn prices_document(data: &[u8]) {
    let Ok(document) = serde_json::from_slice(data) else { return };
    for (region, item, price) in read_document(&document).into_iter().flatten() {
        assert!(price.usd > Usd::default() && item.is_sold() && !region.is_empty());
        assert_eq!(price.usd.to_string().parse(), Ok(price.usd));
    }
}

/// An array of two readings, at the beginning and the end of a run.
pub fn reading(data: &[u8]) {
    let Ok([before, after]) = serde_json::from_slice::<[Reading; 2]>(data) else { return };
    for reading in [&before, &after] {
        let kept = serde_json::to_string(reading).expect("it can be kept");
        assert_eq!(serde_json::from_str::<Reading>(&kept).expect("what is kept can be read"), *reading);
    }
    if let (Some(old), Some(new)) = (&before.checkpoints, &after.checkpoints) {
        let _ = new.since(old);
    }
    if let (Some(old), Some(new)) = (&before.tables, &after.tables) {
        tables_between(old, new);
    }
    let span = Span { before, after };
    check_figure("seconds", span.seconds());
    let _ = span.statements();
}
