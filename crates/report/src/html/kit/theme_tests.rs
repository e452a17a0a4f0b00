use super::*;

#[test]
fn each_colour_is_its_own_and_where_it_is_looked_up() {
    for (at, (hue, name, light, dark)) in HUES.iter().enumerate() {
        assert_eq!((*hue as usize, hue.name()), (at, *name));
        assert!(HUES.iter().skip(at + 1).all(|other| other.2 != *light && other.3 != *dark), "{name} twice");
    }
}

/// Contrast by WCAG 2.2 (<https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio>).
fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let linear = |part: u8| match f64::from(part) / 255.0 {
        low if low <= 0.04045 => low / 12.92,
        high => ((high + 0.055) / 1.055).powf(2.4),
    };
    let luminance = |[r, g, b]: [u8; 3]| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn data_stand_out_from_the_paper_and_words_can_be_read() {
    let paper = HUES[Hue::Paper as usize];
    for (hue, name, light, dark) in HUES {
        let least = match hue {
            Hue::Ink | Hue::Muted => 4.5,
            Hue::Grid | Hue::Paper => 1.0,
            _ => 3.0,
        };
        assert!(contrast(light, paper.2) >= least, "{name}, light: {}", contrast(light, paper.2));
        assert!(contrast(dark, paper.3) >= least, "{name}, dark: {}", contrast(dark, paper.3));
    }
}
