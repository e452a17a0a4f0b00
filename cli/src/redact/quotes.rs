//! Quotes around words and values.

/// Quotes that are open, as a shell, libpq and JSON have them.
#[derive(Default)]
pub struct Quotes {
    open: Option<char>,
    is_escaped: bool,
}

impl Quotes {
    /// The quote that is open.
    pub fn open(&self) -> Option<char> {
        self.open
    }

    /// True behind a backslash.
    pub fn is_escaped(&self) -> bool {
        self.is_escaped
    }

    /// Takes the next letter.
    pub fn add(&mut self, letter: char) {
        if std::mem::take(&mut self.is_escaped) {
            return;
        }
        match letter {
            '\\' => self.is_escaped = true,
            letter if self.open == Some(letter) => self.open = None,
            '\'' | '"' if self.open.is_none() => self.open = Some(letter),
            _ => {}
        }
    }
}

/// Words with the white space behind each, as a shell divides a text: a quoted part of a word may have white space.
pub fn words(text: &str) -> Vec<(&str, &str)> {
    let mut words = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut quotes = Quotes::default();
        let ends = |&(_, letter): &(usize, char)| {
            let is_end = letter.is_whitespace() && quotes.open.is_none() && !quotes.is_escaped;
            quotes.add(letter);
            is_end
        };
        let end = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
        let (word, behind) = rest.split_at(end);
        let next = behind.trim_start();
        words.push((word, &behind[..behind.len() - next.len()]));
        rest = next;
    }
    words
}
