//! A figure: title, unit, key, plot in two sizes, text alternative, and its data as a table.

use maud::{Markup, html};

use crate::html::kit::Table;
use crate::html::kit::theme::Hue;
use crate::html::plot::Size;

ebs_base::named! {
    /// Use of a colour in a plot and its key, by the class in the style sheet.
    pub enum Mark {
        /// An area or a bar.
        Area = "area",
        /// A paler area or bar.
        Half = "half",
        /// A band.
        Band = "faint",
        /// A line.
        Line = "line",
        /// A dashed line.
        Dashed = "dashed",
    }
}

/// An entry of the key.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Colour.
    pub hue: Hue,
    /// Use of the colour.
    pub mark: Mark,
    /// Meaning of the mark.
    pub text: String,
}

/// A figure.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Anchor, unique on the page: letters, digits and hyphens.
    pub id: String,
    /// Title.
    pub title: String,
    /// Unit of what is drawn.
    pub unit: String,
    /// Explanation below the title; may be empty.
    pub caption: String,
    /// Text alternative, for readers who cannot see it.
    pub text: String,
    /// Meaning of the colours; empty where the plot names them.
    pub key: Vec<Key>,
    /// Plots, wide and narrow: the content of `svg`.
    pub plots: [(Size, Markup); 2],
    /// The same data as a table.
    pub table: Option<Table>,
}

impl Key {
    /// An entry of the key.
    pub fn new(hue: Hue, mark: Mark, text: impl Into<String>) -> Key {
        Key { hue, mark, text: text.into() }
    }
}

impl Figure {
    /// Renders the figure as HTML.
    pub fn markup(&self) -> Markup {
        html! {
            figure id=(self.id) {
                figcaption {
                    h3 { (self.title) }
                    p class="unit" { (self.unit) }
                    @if !self.caption.is_empty() { p class="caption" { (self.caption) } }
                }
                @if !self.key.is_empty() {
                    ul class="key" { @for entry in &self.key {
                        li { span class={ "swatch " (entry.hue.name()) " " (entry.mark.name()) } aria-hidden="true" {} (entry.text) }
                    } }
                }
                @for (size, drawn) in &self.plots { (self.svg(*size, drawn)) }
                @if let Some(table) = &self.table {
                    details { summary { "The same as a table" } (table.markup()) }
                }
            }
        }
    }

    fn svg(&self, size: Size, drawn: &Markup) -> Markup {
        let (width, height) = size.pixels();
        let (title, text) =
            (format!("{}-{}-title", self.id, size.class()), format!("{}-{}-text", self.id, size.class()));
        html! {
            div class=(size.class()) {
                svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}")) role="img"
                    aria-labelledby=(format!("{title} {text}")) {
                    title id=(title) { (self.title) ", " (self.unit) }
                    desc id=(text) { (self.text) }
                    (drawn)
                }
            }
        }
    }
}
