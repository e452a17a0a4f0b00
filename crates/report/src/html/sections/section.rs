//! A section, with its heading and its entry in the contents.

use maud::{Markup, html};

/// A section of the page.
pub struct Section {
    /// Anchor.
    pub id: &'static str,
    /// Name in the contents.
    pub name: &'static str,
    /// Heading.
    pub heading: String,
    /// Everything below the heading.
    pub body: Markup,
}

impl Section {
    /// Renders the section as HTML.
    pub fn markup(&self) -> Markup {
        html! { section id=(self.id) { h2 { (self.heading) } (self.body) } }
    }
}
