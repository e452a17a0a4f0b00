//! Reports: the HTML page, report card, charts, comparison.

mod card;
mod chart;
mod compare;
mod compare_change;
mod fio_reports;
mod page;
