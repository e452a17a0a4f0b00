//! Columns of the table, and which of them fit.

use ebs_base::format::{brief_iops, pct};
use ebs_fleet_row::{Action, Row};

use super::cells::{UNKNOWN, label, money, reason, recommended, volumes};
use super::grid::{Cell, Column, width};
use super::style::Style;
use crate::money::{price, saving};
use crate::risk;
use crate::sort::Sort;

/// A column that the table may have.
pub(super) struct Kind {
    title: &'static str,
    cell: fn(&Row) -> Cell,
    is_right: bool,
    /// Rank by importance, 0 for the column that is always there.
    rank: u8,
    /// Widths with which it is of use, where its texts may be clipped or broken.
    narrowed: Option<Narrowed>,
}

/// Widths of a column whose texts may be clipped or broken.
struct Narrowed {
    /// Least width.
    least: usize,
    /// Width that columns less important than the reason leave to it, and up to which it grows before any other grows further.
    usual: usize,
}

/// Rank of the time at a limit, and where the order is by it.
const LIMIT_RANK: u8 = 7;
const LIMIT_RANK_BY_PAIN: u8 = 3;

/// Rank of the reason. Columns of a higher rank yield until names are whole and each reason in few words has one line; before those of a lower
/// rank yield, names are clipped and reasons go on below.
const REASON_RANK: u8 = 6;

/// Width from which on the reason is always there, columns.
const REASON_FROM: usize = 100;

/// Width of a name: more only where every reason has one line.
const NAME: Narrowed = Narrowed { least: 14, usual: 24 };

/// Width of an instance: the longest common types, `r6id.32xlarge`, have 13; an ID has 19, of which the least width shows the first.
const INSTANCE: Narrowed = Narrowed { least: 12, usual: 19 };

/// Width of a reason in few words: the longest have 60 columns.
const REASON: Narrowed = Narrowed { least: 20, usual: 60 };

/// Columns in the order in which they stand.
const KINDS: [Kind; 12] = [
    Kind { title: "VOLUME", cell: |row| Cell::name(label(row)), is_right: false, rank: 0, narrowed: Some(NAME) },
    Kind { title: "ID", cell: |row| Cell::new(&row.volume), is_right: false, rank: 11, narrowed: None },
    Kind { title: "INSTANCE", cell: instance, is_right: false, rank: 9, narrowed: Some(INSTANCE) },
    Kind { title: "NOW", cell: now, is_right: false, rank: 1, narrowed: None },
    Kind { title: "RECOMMENDED", cell: |row| Cell::new(recommended(row)), is_right: false, rank: 2, narrowed: None },
    Kind {
        title: "$/MONTH",
        cell: |row| Cell::new(money(price(row.present.as_ref()))),
        is_right: true,
        rank: 8,
        narrowed: None,
    },
    Kind { title: "SAVED", cell: saved, is_right: true, rank: 3, narrowed: None },
    Kind { title: "LIMIT", cell: at_limit, is_right: true, rank: LIMIT_RANK, narrowed: None },
    Kind { title: "RISK", cell: risk, is_right: false, rank: 4, narrowed: None },
    Kind { title: "CONF.", cell: |row| known(&row.confidence), is_right: false, rank: 5, narrowed: None },
    Kind { title: "P99 IOPS", cell: p99, is_right: true, rank: 12, narrowed: None },
    Kind {
        title: "REASON",
        cell: |row| Cell::sentence(reason(row)),
        is_right: false,
        rank: REASON_RANK,
        narrowed: Some(REASON),
    },
];

/// Columns with their cells, as wide as the terminal allows.
pub(super) struct Chosen {
    /// Their kinds.
    kinds: Vec<&'static Kind>,
    /// Their widths.
    pub(super) columns: Vec<Column>,
}

impl Chosen {
    /// Chooses columns for rows: the most important ones that fit. What is left goes to those whose texts may be clipped or broken: from the left
    /// up to their usual widths, as a broken reason loses nothing, then from the right.
    pub(super) fn new(rows: &[&Row], sort: Sort, room: usize) -> Chosen {
        let natural = |kind: &Kind| {
            let cells = rows.iter().map(|row| width(&(kind.cell)(row).text));
            cells.chain([width(kind.title)]).max().unwrap_or_default()
        };
        let widths: Vec<usize> = KINDS.iter().map(natural).collect();
        let narrowed = |place: usize, to: fn(&Narrowed) -> usize| {
            KINDS[place].narrowed.as_ref().map_or(widths[place], |narrowed| to(narrowed).min(widths[place]))
        };
        let least = |place: usize| narrowed(place, |narrowed| narrowed.least);
        let usual = |place: usize| narrowed(place, |narrowed| narrowed.usual);
        let (mut left, mut chosen) = (room + 1, Vec::new());
        for place in by_importance(sort, room) {
            let needed = least(place) + 1;
            let rank = rank(place, sort, room);
            let reserved = match rank > REASON_RANK {
                true => chosen.iter().map(|place| usual(*place) - least(*place)).sum(),
                false => 0,
            };
            if needed + reserved <= left || rank == 0 {
                left = left.saturating_sub(needed);
                chosen.push(place);
            }
        }
        chosen.sort_unstable();
        let mut given: Vec<usize> = chosen.iter().map(|place| least(*place)).collect();
        let mut grow = |given: &mut usize, to: usize| {
            let extra = left.min(to.saturating_sub(*given));
            left -= extra;
            *given += extra;
        };
        given.iter_mut().zip(&chosen).for_each(|(given, place)| grow(given, usual(*place)));
        given.iter_mut().zip(&chosen).rev().for_each(|(given, place)| grow(given, widths[*place]));
        let columns = chosen.iter().zip(given).map(|(place, width)| Column { width, is_right: KINDS[*place].is_right });
        let columns = columns.collect();
        Chosen { kinds: chosen.iter().map(|place| &KINDS[*place]).collect(), columns }
    }

    /// Returns the titles.
    pub(super) fn titles(&self) -> Vec<Cell> {
        self.kinds.iter().map(|kind| Cell::styled(kind.title, Some(Style::Bold))).collect()
    }

    /// Returns the cells of a row.
    pub(super) fn cells(&self, row: &Row) -> Vec<Cell> {
        self.kinds.iter().map(|kind| (kind.cell)(row)).collect()
    }
}

/// Places of the columns, the most important one first.
fn by_importance(sort: Sort, room: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..KINDS.len()).collect();
    places.sort_by_key(|place| rank(*place, sort, room));
    places
}

/// Rank of a column in an order and at a width.
fn rank(place: usize, sort: Sort, room: usize) -> u8 {
    match KINDS[place].rank {
        REASON_RANK if room >= REASON_FROM => 0,
        LIMIT_RANK if sort == Sort::Pain => LIMIT_RANK_BY_PAIN,
        rank => rank,
    }
}

fn known(text: &Option<String>) -> Cell {
    Cell::new(text.as_deref().unwrap_or(UNKNOWN))
}

/// The type of the instance, or its ID where the type is not known.
fn instance(row: &Row) -> Cell {
    known(if row.instance_type.is_some() { &row.instance_type } else { &row.instance })
}

fn now(row: &Row) -> Cell {
    Cell::new(row.present.as_ref().map_or_else(|| UNKNOWN.to_owned(), volumes))
}

fn saved(row: &Row) -> Cell {
    let saving = saving(row);
    let style = saving.and_then(|saving| match saving.cents() {
        0 => None,
        cents if cents < 0 => Some(Style::Red),
        _ => Some(Style::Green),
    });
    Cell::styled(money(saving), style)
}

fn at_limit(row: &Row) -> Cell {
    let style = row.limit_pct.filter(|pct| *pct > 0.0).map(|_| Style::Yellow);
    Cell::styled(row.limit_pct.map_or_else(|| UNKNOWN.to_owned(), pct), style)
}

fn risk(row: &Row) -> Cell {
    let high = risk::rank(row.risk.as_deref()) >= risk::rank(Some("high"));
    let text = row.risk.as_deref().unwrap_or(UNKNOWN);
    let style = if row.action == Action::NoAnswer { Some(Style::Faint) } else { high.then_some(Style::Red) };
    Cell::styled(text, style)
}

fn p99(row: &Row) -> Cell {
    Cell::new(row.demand.as_ref().map_or_else(|| UNKNOWN.to_owned(), |demand| brief_iops(demand.iops_p99)))
}
