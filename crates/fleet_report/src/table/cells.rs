//! Texts of cells.

use ebs_base::format::{count, usd};
use ebs_base::units::Usd;
use ebs_fleet_row::{Action, Row, Volumes};

use crate::action::describe_named;
use crate::volume_type::has_chosen_throughput;

/// Text for what is not known.
pub(super) const UNKNOWN: &str = "–";

/// Least amount that is shown in whole dollars, cents.
const WHOLE_DOLLARS_CENTS: i64 = 1_000;

/// Name of a volume as people know it: its tag `Name`, its claim, or its ID.
pub(super) fn label(row: &Row) -> &str {
    [&row.name, &row.claim].into_iter().flatten().find(|name| !name.is_empty()).unwrap_or(&row.volume)
}

/// Volumes in few letters: `io1 500G 10,000`, `gp3 2T 6,000/250`.
pub(super) fn volumes(volumes: &Volumes) -> String {
    let Volumes { volume_type, size_gib, .. } = volumes;
    format!("{}{volume_type} {} {}", number(volumes), size(*size_gib), limits(volumes))
}

/// The recommended volumes, their size only where it differs from the present one; or the action, with the larger instance.
pub(super) fn recommended(row: &Row) -> String {
    let (Some(after), Action::Modify) = (&row.recommended, row.action) else { return describe_named(row).into_owned() };
    let stays = |present: &Volumes| (present.size_gib, present.volumes) == (after.size_gib, after.volumes);
    match row.present.as_ref().is_some_and(stays) {
        true => format!("{}{} {}", number(after), after.volume_type, limits(after)),
        false => volumes(after),
    }
}

/// The reason in few words; the whole of it in a row of an earlier version, which has no other.
pub(super) fn reason(row: &Row) -> &str {
    row.reason_brief.as_deref().unwrap_or(&row.reason.text).trim_end_matches('.')
}

fn number(volumes: &Volumes) -> String {
    if volumes.volumes > 1 { format!("{}× ", volumes.volumes) } else { String::new() }
}

/// A size as lsblk shows it: `500G`, `2T`.
fn size(gib: u64) -> String {
    if gib > 0 && gib.is_multiple_of(1_024) { format!("{}T", gib / 1_024) } else { format!("{gib}G") }
}

/// IOPS, and MiB/s of the type for which they are ordered.
fn limits(volumes: &Volumes) -> String {
    let iops = count(volumes.iops as f64);
    if has_chosen_throughput(volumes) { format!("{iops}/{}", count(volumes.throughput_mibps as f64)) } else { iops }
}

/// An amount: `$3.20`, `$1,650`.
pub(super) fn money(amount: Option<Usd>) -> String {
    match amount {
        Some(amount) if amount.cents().abs() >= WHOLE_DOLLARS_CENTS => {
            let sign = if amount.cents() < 0 { "-" } else { "" };
            format!("{sign}${}", count(amount.dollars().abs()))
        }
        Some(amount) => usd(amount),
        None => UNKNOWN.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;

    #[test]
    fn volumes_in_few_letters() {
        let text =
            |volume_type, size_gib, iops, mibps| volumes(&fixtures::volumes(volume_type, size_gib, iops, mibps, 1.0));
        assert_eq!(text("io1", 500, 10_000, 500), "io1 500G 10,000");
        assert_eq!(text("gp3", 2_048, 6_000, 250), "gp3 2T 6,000/250");
        assert_eq!(volumes(&Volumes { volumes: 4, ..fixtures::volumes("gp2", 100, 300, 128, 1.0) }), "4× gp2 100G 300");
    }

    #[test]
    fn the_size_is_said_where_it_changes() {
        let mut row = fixtures::full();
        assert_eq!(recommended(&row), "gp3 5,000/250");
        row.recommended = Some(fixtures::volumes("gp3", 600, 5_000, 250, 1.0));
        assert_eq!(recommended(&row), "gp3 600G 5,000/250");
        row.action = Action::LargerInstance;
        assert_eq!(recommended(&row), "larger instance");
        row.larger_instance = Some("m5.4xlarge".to_owned());
        assert_eq!(recommended(&row), "instance m5.4xlarge");
        row.action = Action::Keep;
        assert_eq!(recommended(&row), "keep");
    }

    #[test]
    fn amounts_are_short() {
        let text = |cents| money(Some(Usd::from_cents(cents)));
        assert_eq!([320, -320, 999, 1_000, -165_049].map(text), ["$3.20", "-$3.20", "$9.99", "$10", "-$1,650"]);
        assert_eq!(money(None), "–");
    }

    #[test]
    fn the_label_is_the_name_or_the_claim() {
        let mut row = fixtures::full();
        assert_eq!(label(&row), "orders-data");
        row.name = Some(String::new());
        row.claim = Some("db/data-0".to_owned());
        assert_eq!(label(&row), "db/data-0");
        row.claim = None;
        assert_eq!(label(&row), "vol-06c1835863d5d7360");
    }
}
