//! Totals below the table.

use ebs_base::format::{count, usd};
use ebs_fleet_row::Action;

use super::grid::{Cell, Column, line, width, wrap};
use super::style::Style;
use crate::action::{ACTIONS, describe};
use crate::totals::{Sum, Total, Totals};

/// Most groups of one property that are listed; the others are counted.
const MAX_GROUPS: usize = 10;

/// Titles of the columns after the name.
const TITLES: [&str; 6] = ["VOLUMES", "$/MONTH", "AFTERWARDS", "SAVED", "ADDED", "NO ANSWER"];

/// Renders the total of all, those of groups, and the numbers of actions and findings.
pub(super) fn render(all: &Total, groups: &[Totals], room: usize, colours: bool) -> Vec<String> {
    let mut lines = vec![cells("all".to_owned(), all)];
    for totals in groups {
        let named = |total: &Total| cells(name(totals, total), total);
        lines.extend(totals.groups.iter().take(MAX_GROUPS).map(named));
        let more = totals.groups.len().saturating_sub(MAX_GROUPS);
        if more > 0 {
            lines.push(vec![Cell::new(format!("{}: {} more", totals.by.name(), count(more as f64)))]);
        }
    }
    let titles: Vec<Cell> =
        ["TOTALS"].iter().chain(&TITLES).map(|title| Cell::styled(*title, Some(Style::Bold))).collect();
    let columns = columns(&titles, &lines, room);
    let mut text = vec![line(&columns, &titles, colours)];
    text.extend(lines.iter().map(|cells| line(&columns, cells, colours)));
    let sentences = [known(all), Some(actions(all)), unanswered(all), findings(all)];
    text.extend(sentences.iter().flatten().flat_map(|sentence| wrap(sentence, room)));
    text
}

fn name(totals: &Totals, total: &Total) -> String {
    format!("{} {}", totals.by.name(), total.name.as_deref().unwrap_or("(unknown)"))
}

fn cells(name: String, total: &Total) -> Vec<Cell> {
    let amount = |usd| price(Sum { usd, known: total.saving_known });
    let saved = Cell::styled(amount(total.saved), (total.saved.cents() > 0).then_some(Style::Green));
    let added = Cell::styled(amount(total.added), (total.added.cents() > 0).then_some(Style::Red));
    let no_answer = total.count(Action::NoAnswer);
    let number = |value: u64| Cell::new(count(value as f64));
    vec![
        Cell::new(name),
        number(total.volumes),
        Cell::new(price(total.present)),
        Cell::new(price(total.after)),
        saved,
        added,
        number(no_answer),
    ]
}

/// A sum; nothing where no price is known.
fn price(sum: Sum) -> String {
    if sum.known > 0 { usd(sum.usd) } else { super::cells::UNKNOWN.to_owned() }
}

fn columns(titles: &[Cell], lines: &[Vec<Cell>], room: usize) -> Vec<Column> {
    let natural = |place: usize| {
        let cells = lines.iter().filter_map(|line| line.get(place));
        cells.chain(titles.get(place)).map(|cell| width(&cell.text)).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..titles.len()).map(natural).collect();
    let figures: usize = widths.iter().skip(1).map(|width| width + 1).sum();
    let fits =
        |place: usize, width: usize| if place == 0 { width.min(room.saturating_sub(figures)).max(8) } else { width };
    widths
        .into_iter()
        .enumerate()
        .map(|(place, width)| Column { width: fits(place, width), is_right: place > 0 })
        .collect()
}

/// Says of how many volumes the prices are known, where it is not of all.
fn known(all: &Total) -> Option<String> {
    let known = [all.present.known, all.after.known, all.saving_known];
    if known.iter().all(|known| *known == all.volumes) {
        return None;
    }
    let [present, after, saving] = known.map(|known| count(known as f64));
    let volumes = count(all.volumes as f64);
    Some(format!("prices known: {present} of {volumes} volumes now, {after} afterwards; savings known: {saving}"))
}

fn actions(all: &Total) -> String {
    let some = ACTIONS.iter().filter(|action| all.count(**action) > 0);
    let texts: Vec<String> =
        some.map(|action| format!("{} {}", count(all.count(*action) as f64), describe(*action))).collect();
    format!("actions: {}", if texts.is_empty() { "none".to_owned() } else { texts.join(" · ") })
}

/// Describes why volumes have no answer: `no answer for 12 volumes: 8 not scraped, 1 Aurora`.
fn unanswered(all: &Total) -> Option<String> {
    let mut reasons: Vec<(&String, u64)> = all.unanswered.iter().map(|(code, number)| (code, *number)).collect();
    reasons.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    let reason = |(code, number): (&String, u64)| format!("{} {}", count(number as f64), describe_unanswered(code));
    let reasons: Vec<String> = reasons.into_iter().map(reason).collect();
    let number = all.count(Action::NoAnswer);
    let volumes = if number == 1 { "volume" } else { "volumes" };
    (!reasons.is_empty()).then(|| format!("no answer for {} {volumes}: {}", count(number as f64), reasons.join(", ")))
}

/// Describes the code of a reason for which there is no answer, after a number of volumes.
fn describe_unanswered(code: &str) -> String {
    match code {
        "configuration_unknown" => "without configuration".to_owned(),
        "no_samples" => "without samples".to_owned(),
        "too_few_samples" => "with too few samples".to_owned(),
        "bytes_missing" => "without throughput".to_owned(),
        "multi_attach" => "attached to several instances".to_owned(),
        "nothing_suffices" => "for which no volume suffices".to_owned(),
        "period_unknown" => "with an unknown CloudWatch period".to_owned(),
        "average_of_counts" => "with averages instead of sums".to_owned(),
        "not_cumulative" => "with gauges instead of counters".to_owned(),
        "aurora" => "Aurora".to_owned(),
        "other_engine" => "of another engine of RDS".to_owned(),
        "rds_on_outpost" => "of RDS on Outposts".to_owned(),
        "" => "without a reason".to_owned(),
        code => code.replace('_', " "),
    }
}

/// Describes the code of a finding, after a number of volumes.
fn describe_finding(code: &str) -> String {
    match code {
        "credits_exhausted" => "out of burst credits".to_owned(),
        "description_exceeded" => "above the described limits".to_owned(),
        "description_refuted" => "below the described limits".to_owned(),
        "fills_up" => "filling up".to_owned(),
        "instance_binds" => "bound by the instance".to_owned(),
        "lower_durability" => "to a lower durability".to_owned(),
        "may_be_slower" => "perhaps to a slower volume".to_owned(),
        "modification_runs" => "not modifiable now".to_owned(),
        "previous_generation" => "of a previous generation".to_owned(),
        "slower" => "to a slower volume".to_owned(),
        "unsuitable_type" => "of an unsuitable type".to_owned(),
        code => code.replace('_', " "),
    }
}

fn findings(all: &Total) -> Option<String> {
    let findings =
        all.findings.iter().map(|(code, number)| format!("{} {}", count(*number as f64), describe_finding(code)));
    let findings = findings.collect::<Vec<_>>().join(" · ");
    (!findings.is_empty()).then(|| format!("findings: {findings}"))
}
