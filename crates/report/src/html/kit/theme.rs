//! Colours, light and dark. An element with the class of a hue has the variable `--hue`; the other rules of the style sheet
//! colour marks of a plot and entries of its key with it.

/// A colour by its purpose. The eight colours of data can be distinguished with colour blindness, too: after Okabe and Ito
/// (<https://jfly.uni-koeln.de/color/>), made darker or lighter until each has a contrast of 3 with the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hue {
    /// Data.
    Blue,
    /// Data, and recommended volumes.
    Orange,
    /// Data.
    Green,
    /// Data.
    Purple,
    /// Data.
    Rose,
    /// Data.
    Gold,
    /// Data.
    Sky,
    /// Data of less interest.
    Gray,
    /// Text and axes.
    Ink,
    /// Small text.
    Muted,
    /// Lines of the grid.
    Grid,
    /// Background.
    Paper,
}

/// A hue with its name in the style sheet, its light colour and its dark one.
type Entry = (Hue, &'static str, [u8; 3], [u8; 3]);

/// All hues, in the order of their declaration.
const HUES: [Entry; 12] = [
    (Hue::Blue, "blue", [0x1F, 0x6F, 0xB8], [0x63, 0xAE, 0xF2]),
    (Hue::Orange, "orange", [0xC9, 0x56, 0x08], [0xF5, 0x9A, 0x4C]),
    (Hue::Green, "green", [0x0B, 0x86, 0x66], [0x3F, 0xC7, 0xA2]),
    (Hue::Purple, "purple", [0x7A, 0x4F, 0xB0], [0xB9, 0x97, 0xEA]),
    (Hue::Rose, "rose", [0xB8, 0x3B, 0x78], [0xF0, 0x86, 0xB8]),
    (Hue::Gold, "gold", [0x9A, 0x74, 0x00], [0xE2, 0xBE, 0x45]),
    (Hue::Sky, "sky", [0x1C, 0x8F, 0xB0], [0x6C, 0xD0, 0xEA]),
    (Hue::Gray, "gray", [0x7B, 0x84, 0x90], [0x93, 0x9D, 0xA9]),
    (Hue::Ink, "ink", [0x1B, 0x21, 0x28], [0xE4, 0xE8, 0xED]),
    (Hue::Muted, "muted", [0x56, 0x60, 0x6B], [0xA3, 0xAD, 0xB8]),
    (Hue::Grid, "grid", [0xDF, 0xE3, 0xE8], [0x33, 0x3B, 0x44]),
    (Hue::Paper, "paper", [0xFF, 0xFF, 0xFF], [0x15, 0x1A, 0x20]),
];

impl Hue {
    /// Returns the name of class and variable in the style sheet.
    pub fn name(self) -> &'static str {
        // HUES has them in the order of their declaration (a test).
        HUES[self as usize].1
    }
}

/// Returns the style sheet of the page: rules generated from the colours, and fixed ones.
pub fn style_sheet() -> String {
    let variables = |colour: fn(&Entry) -> [u8; 3]| -> String {
        HUES.iter().map(|entry| format!("--{}:{};", entry.1, hex(colour(entry)))).collect()
    };
    let (light, dark) = (variables(|entry| entry.2), variables(|entry| entry.3));
    let mut sheet = format!(
        ":root{{color-scheme:light dark;{light}}}\n\
         @media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    );
    sheet.extend(HUES.iter().map(|(_, name, ..)| format!(".{name}{{--hue:var(--{name})}}")));
    sheet + "\n" + include_str!("style.css")
}

/// Formats a colour: `#1F6FB8`.
fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

#[cfg(test)]
#[path = "theme_tests.rs"]
mod tests;
