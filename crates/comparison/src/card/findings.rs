//! Findings in latencies: two modes, and a slow start. Each has a line, even if it was not found or could not be checked.

use super::first_touch::first_touch;
use super::histogram::{Histogram, Source, histograms};
use super::line::{Basis, Line, Subject};
use super::modes::two_modes;
use super::note::Note;
use ebs_imports::drivers::fio::Fio;
use ebs_samples::evidence::Window;
use ebs_workload::demand::Demand;

/// The lines.
pub fn findings(window: &Window, imports: &[Fio]) -> Vec<Line> {
    let mut lines = modes(&histograms(window, imports));
    lines.extend(starts(window));
    lines
}

fn modes(histograms: &[Histogram]) -> Vec<Line> {
    let lines: Vec<Line> = histograms.iter().filter_map(modes_line).collect();
    match (histograms.len(), lines.is_empty()) {
        (0, _) => vec![Line::new(Subject::Modes, Note::NoHistogram)],
        (histograms, true) => vec![Line::new(Subject::Modes, Note::NoModes { histograms })],
        _ => lines,
    }
}

fn modes_line(histogram: &Histogram) -> Option<Line> {
    let modes = two_modes(&histogram.buckets)?;
    let note = Note::Modes { source: histogram.source.clone(), kind: histogram.kind, modes };
    let basis = Some(match histogram.source {
        Source::Fio(_) => Basis::Fio,
        Source::Ebs => Basis::Ebs,
    });
    Some(Line { device: histogram.device.clone(), basis, ..Line::new(Subject::Modes, note) })
}

fn starts(window: &Window) -> Vec<Line> {
    let compared: Vec<Line> = window
        .current
        .iter()
        .filter_map(|&volume| {
            let start = first_touch(&Demand::from_window(window, volume))?;
            Some(Line {
                device: Some(window.layout.volumes[volume].device.clone()),
                measured: Some(start.ratio),
                basis: Some(Basis::Live),
                ..Line::new(Subject::SlowStart, Note::FirstTouch(start))
            })
        })
        .collect();
    if compared.is_empty() { vec![Line::new(Subject::SlowStart, Note::NotCompared)] } else { compared }
}
