//! Charts of the parts of a whole, a row each.

use std::collections::BTreeMap;

use super::bar;
use super::room::{Room, cut};
use crate::reasons::card;
use ebs_base::format::{ms, share, size};
use ebs_base::units::MIB;
use ebs_comparison::card::Histogram;
use ebs_workload::io_sources::Sources;
use ebs_workload::waits::{Kind, Wait};

/// Name, text of the value, and the value.
type Row = (String, String, f64);

/// Draws active sessions by wait event.
pub fn draw_waits(waits: &[Wait], room: Room) -> Vec<String> {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for wait in waits.iter().filter(|wait| wait.kind == Kind::Active) {
        let (class, event) = (&wait.key.class, &wait.key.event);
        let name = if class == event { event.clone() } else { format!("{class}:{event}") };
        *sums.entry(name).or_default() += wait.average_active_sessions;
    }
    let rows = sums.into_iter().map(|(name, sessions)| (name, size(sessions), sessions));
    draw("waits: average active sessions by wait event", largest_first(rows.collect()), room)
}

/// Draws PostgreSQL's bytes a second by backend type, object and context.
pub fn draw_sources(sources: &Sources, room: Room) -> Vec<String> {
    let rows = sources.rows.iter().map(|row| {
        let mibps = row.bytes() as f64 / MIB as f64 / sources.seconds.max(1e-9);
        (format!("{}, {}, {}", row.key.backend_type, row.key.object, row.key.context), size(mibps), mibps)
    });
    draw("sources: MiB/s that PostgreSQL counts (pg_stat_io)", rows.collect(), room)
}

/// Draws requests by latency.
pub fn draw_latencies(histograms: &[Histogram], room: Room) -> Vec<String> {
    let mut all = Vec::new();
    for histogram in histograms {
        let device = histogram.device.as_ref().map_or(String::new(), |device| format!(", {device}"));
        let rows = histogram.buckets.iter().map(|bucket| {
            let ms = |us: u64| ms(us as f64 / 1e3);
            let part = histogram.share(bucket);
            let upper = bucket.upper_us.map_or("more".to_owned(), |upper| format!("{} ms", ms(upper)));
            (format!("{} to {upper}", ms(bucket.lower_us)), share(part), part)
        });
        all.extend((!all.is_empty()).then(String::new));
        let title = format!(
            "latencies: share of {}s by {}{device}",
            histogram.kind,
            card::describe_histogram_source(&histogram.source)
        );
        all.extend(draw(&title, rows.collect(), room));
    }
    all
}

fn largest_first(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by(|a, b| b.2.total_cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
    rows
}

fn draw(title: &str, rows: Vec<Row>, room: Room) -> Vec<String> {
    let Some(highest) = rows.iter().map(|row| row.2).reduce(f64::max) else { return Vec::new() };
    let left_out = rows.len().saturating_sub(room.rows);
    let rows: Vec<Row> =
        rows.into_iter().take(room.rows).map(|(name, text, value)| (cut(&name, room.width / 2), text, value)).collect();
    let widest = |column: fn(&Row) -> &String| rows.iter().map(|row| column(row).chars().count()).max().unwrap_or(0);
    let (names, figures) = (widest(|row| &row.0), widest(|row| &row.1));
    let width = room.width.saturating_sub(names + figures + 3);
    let mut lines = room.wrap(&cut(title, 2 * room.width));
    for (name, text, value) in &rows {
        lines.push(
            format!("{name:<names$} {text:>figures$}  {}", bar::draw(*value, *value, highest, width))
                .trim_end()
                .to_owned(),
        );
    }
    lines.extend((left_out > 0).then(|| format!("and {left_out} more (rows => …)")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::{Session, WaitKey};

    #[test]
    fn a_name_cannot_break_a_line() {
        let key = WaitKey {
            backend_type: "client backend".into(),
            class: "Extension".into(),
            event: "a\nb\u{7}".repeat(40),
            session: Session::default(),
        };
        let wait = Wait { key, kind: Kind::Active, average_active_sessions: 1.5, share_of_db_time: Some(1.0) };
        let shown = draw_waits(&[wait], Room::DEFAULT);
        assert!(shown.iter().all(|line| line.chars().count() <= 79 && !line.contains(char::is_control)), "{shown:?}");
    }
}
