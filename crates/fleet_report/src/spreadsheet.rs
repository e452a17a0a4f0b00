//! Rows as CSV by RFC 4180: one line a volume, stable column names, nothing that a spreadsheet would compute.

use std::borrow::Cow;
use std::io::{self, Write};

use csv::{Terminator, WriterBuilder};
use ebs_base::format::{plain, usd_plain};
use ebs_base::units::Usd;
use ebs_fleet_row::{Coded, Demand, Row, Volumes};

use crate::money::{price, saving};

/// A column: its name, and its value of a row.
type Column = (&'static str, fn(&Row) -> Option<Cow<'_, str>>);

/// Columns in their order. New ones are added at the end.
const COLUMNS: &[Column] = &[
    ("volume", |row| text(Some(&row.volume))),
    ("platform", |row| text(Some(&row.platform))),
    ("name", |row| text(row.name.as_deref())),
    ("claim", |row| text(row.claim.as_deref())),
    ("owner", |row| text(row.owner.as_deref())),
    ("account", |row| text(row.account.as_deref())),
    ("region", |row| text(row.region.as_deref())),
    ("zone", |row| text(row.zone.as_deref())),
    ("instance", |row| text(row.instance.as_deref())),
    ("instance_type", |row| text(row.instance_type.as_deref())),
    ("mountpoint", |row| text(row.mountpoint.as_deref())),
    ("state", |row| text(row.state.as_deref())),
    ("action", |row| whole(row.action)),
    ("reason_code", |row| text(Some(&row.reason.code))),
    ("reason", |row| text(Some(&row.reason.text))),
    ("usd_month", |row| money(price(row.present.as_ref()))),
    ("usd_month_recommended", |row| money(price(row.recommended.as_ref()))),
    ("usd_month_saved", |row| money(saving(row))),
    ("risk", |row| text(row.risk.as_deref())),
    ("confidence", |row| text(row.confidence.as_deref())),
    ("binding_limit", |row| text(row.binding_limit.as_deref())),
    ("limit_pct", |row| number(row.limit_pct)),
    ("type", |row| row.present.as_ref().and_then(|volumes| text(Some(&volumes.volume_type)))),
    ("volumes", |row| present(row, |volumes| volumes.volumes)),
    ("size_gib", |row| present(row, |volumes| volumes.size_gib)),
    ("iops", |row| present(row, |volumes| volumes.iops)),
    ("throughput_mibps", |row| present(row, |volumes| volumes.throughput_mibps)),
    ("recommended_type", |row| row.recommended.as_ref().and_then(|volumes| text(Some(&volumes.volume_type)))),
    ("recommended_volumes", |row| recommended(row, |volumes| volumes.volumes)),
    ("recommended_size_gib", |row| recommended(row, |volumes| volumes.size_gib)),
    ("recommended_iops", |row| recommended(row, |volumes| volumes.iops)),
    ("recommended_throughput_mibps", |row| recommended(row, |volumes| volumes.throughput_mibps)),
    ("iops_p50", |row| demand(row, |demand| Some(demand.iops_p50))),
    ("iops_p99", |row| demand(row, |demand| Some(demand.iops_p99))),
    ("iops_p99_low", |row| demand(row, |demand| demand.iops_p99_low)),
    ("iops_p99_high", |row| demand(row, |demand| demand.iops_p99_high)),
    ("iops_max", |row| demand(row, |demand| Some(demand.iops_max))),
    ("mibps_p50", |row| demand(row, |demand| Some(demand.mibps_p50))),
    ("mibps_p99", |row| demand(row, |demand| Some(demand.mibps_p99))),
    ("mibps_p99_low", |row| demand(row, |demand| demand.mibps_p99_low)),
    ("mibps_p99_high", |row| demand(row, |demand| demand.mibps_p99_high)),
    ("mibps_max", |row| demand(row, |demand| Some(demand.mibps_max))),
    ("read_pct", |row| demand(row, |demand| demand.read_pct)),
    ("request_kib", |row| demand(row, |demand| demand.request_kib)),
    ("read_ms", |row| demand(row, |demand| demand.read_ms)),
    ("write_ms", |row| demand(row, |demand| demand.write_ms)),
    ("queue_depth", |row| demand(row, |demand| demand.queue_depth)),
    ("used_gib", |row| number(row.space.as_ref().map(|space| space.used_gib))),
    ("filesystem_gib", |row| number(row.space.as_ref().map(|space| space.size_gib))),
    ("growth_gib_day", |row| number(row.space.as_ref().and_then(|space| space.growth_gib_day))),
    ("full_in_days", |row| number(row.space.as_ref().and_then(|space| space.full_in_days))),
    ("source", |row| text(Some(&row.evidence.source))),
    ("grade", |row| text(Some(&row.evidence.grade))),
    ("from", |row| text(row.evidence.from.as_deref())),
    ("to", |row| text(row.evidence.to.as_deref())),
    ("coverage_pct", |row| number(Some(row.evidence.coverage_pct))),
    ("interval_s", |row| number(row.evidence.interval_s)),
    ("resets", |row| whole(row.evidence.resets)),
    ("gaps", |row| whole(row.evidence.gaps)),
    ("findings", |row| codes(&row.findings)),
    ("unknown", |row| codes(&row.unknown)),
    ("tags", |row| text(serde_json::to_string(&row.tags).ok().filter(|_| !row.tags.is_empty()).as_deref()).map(owned)),
    ("busy_pct", |row| number(row.evidence.busy_pct)),
    ("busy_iops", |row| number(row.evidence.busy_iops)),
    ("busy_mibps", |row| number(row.evidence.busy_mibps)),
    ("larger_instance", |row| text(row.larger_instance.as_deref())),
];

/// Beginnings of a formula, as spreadsheets have them; some take full width for half.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// Writes rows with a header. A value that is not known is an empty field. A text that begins like a formula of a spreadsheet
/// (`=`, `+`, `-`, `@`, also in full width, a tab, a carriage return) has an apostrophe in front, and characters that control a terminal or reverse text are question
/// marks: the exact text is in the JSON lines.
pub fn write_csv<'a>(rows: impl IntoIterator<Item = &'a Row>, writer: &mut impl Write) -> io::Result<()> {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(writer);
    writer.write_record(COLUMNS.iter().map(|(name, _)| *name))?;
    for row in rows {
        writer.write_record(COLUMNS.iter().map(|(_, value)| value(row).unwrap_or_default().into_owned()))?;
    }
    writer.flush()
}

fn text(text: Option<&str>) -> Option<Cow<'_, str>> {
    text.map(|text| match replaced(text) {
        formula if formula.starts_with(FORMULA) => Cow::Owned(format!("'{formula}")),
        same if same == text => Cow::Borrowed(text),
        replaced => Cow::Owned(replaced),
    })
}

/// The text with question marks for characters that control a terminal or reverse text, but for those that a quoted field may have.
fn replaced(text: &str) -> String {
    let stays = |letter: char| matches!(letter, '\t' | '\r' | '\n');
    text.chars().zip(plain(text).chars()).map(|(letter, shown)| if stays(letter) { letter } else { shown }).collect()
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

fn money(amount: Option<Usd>) -> Option<Cow<'static, str>> {
    amount.map(|amount| usd_plain(amount).into())
}

fn number(value: Option<f64>) -> Option<Cow<'static, str>> {
    value.filter(|value| value.is_finite()).map(|value| value.to_string().into())
}

fn whole(value: impl ToString) -> Option<Cow<'static, str>> {
    Some(value.to_string().into())
}

fn present(row: &Row, figure: fn(&Volumes) -> u64) -> Option<Cow<'static, str>> {
    row.present.as_ref().and_then(|volumes| whole(figure(volumes)))
}

fn recommended(row: &Row, figure: fn(&Volumes) -> u64) -> Option<Cow<'static, str>> {
    row.recommended.as_ref().and_then(|volumes| whole(figure(volumes)))
}

fn demand(row: &Row, figure: fn(&Demand) -> Option<f64>) -> Option<Cow<'static, str>> {
    number(row.demand.as_ref().and_then(figure))
}

/// Codes, with a blank between them.
fn codes(coded: &[Coded]) -> Option<Cow<'static, str>> {
    let codes: Vec<&str> = coded.iter().map(|coded| coded.code.as_str()).collect();
    text(Some(&codes.join(" "))).map(owned)
}

#[cfg(test)]
#[path = "spreadsheet_tests.rs"]
mod tests;
