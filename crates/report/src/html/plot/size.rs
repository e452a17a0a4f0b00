//! Sizes of a plot: each plot is drawn for a page and for a telephone.

use maud::Markup;

/// A size, with its height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Size on a page.
    Wide(u32),
    /// Size on a telephone.
    Narrow(u32),
}

impl Size {
    /// Returns the class in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Size::Wide(_) => "wide",
            Size::Narrow(_) => "narrow",
        }
    }

    /// Returns width and height.
    pub fn pixels(self) -> (u32, u32) {
        match self {
            Size::Wide(height) => (920, height),
            Size::Narrow(height) => (358, height),
        }
    }

    /// Returns true for a telephone.
    pub fn is_narrow(self) -> bool {
        matches!(self, Size::Narrow(_))
    }
}

/// Draws a plot in both sizes, with these heights.
pub fn in_both_sizes(wide: u32, narrow: u32, mut draw: impl FnMut(Size) -> Markup) -> [(Size, Markup); 2] {
    [Size::Wide(wide), Size::Narrow(narrow)].map(|size| (size, draw(size)))
}
