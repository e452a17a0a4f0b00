//! Figures at the head of a page.

use maud::{Markup, html};

/// A figure with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Name.
    pub name: &'static str,
    /// Figure with its unit.
    pub figure: String,
    /// Note below it; empty for none.
    pub note: String,
    /// Class that colours the figure.
    pub class: Option<&'static str>,
}

impl Tile {
    /// Returns a figure without a class.
    pub fn new(name: &'static str, figure: String, note: impl Into<String>) -> Tile {
        Tile { name, figure, note: note.into(), class: None }
    }
}

/// Renders tiles.
pub fn tiles(tiles: &[Tile]) -> Markup {
    html! {
        dl class="tiles" {
            @for Tile { name, figure, note, class } in tiles {
                div { dt { (name) } dd class=[class] { (figure) @if !note.is_empty() { small { (note) } } } }
            }
        }
    }
}
