//! Parts of every page: its shell, its style, tables, and figures at its head. Texts of others are escaped by maud.

mod shell;
mod table;
pub(super) mod theme;
mod tile;

pub use shell::{Shell, has_policy};
pub use table::{Table, UNKNOWN, cell, scrolling};
pub use tile::{Tile, tiles};
