//! Text from outside, as it is read: its lines and its JSON, with pauses between pieces so that the user who waits
//! can cancel.

use std::cell::Cell;
use std::io::{self, Read};

use serde::de::DeserializeOwned;

/// Bytes between two pauses: reading and keeping them takes a few milliseconds at most.
const PIECE: usize = 64 << 10;

/// Work of one step (a line, a value, a sample) beside its text, in bytes: a thousand steps are a piece.
const STEP: usize = 64;

/// Counts work, and calls a hook after each piece of it. The hook may unwind.
pub struct WorkMeter<'a> {
    pause: &'a dyn Fn(),
    done: Cell<usize>,
}

impl<'a> WorkMeter<'a> {
    /// Returns a meter that calls `pause`.
    pub fn new(pause: &'a dyn Fn()) -> WorkMeter<'a> {
        WorkMeter { pause, done: Cell::new(0) }
    }

    /// Calls the hook now: before work that is not counted.
    pub fn pause(&self) {
        self.done.set(0);
        (self.pause)();
    }

    /// Counts one step.
    pub fn step(&self) {
        self.work(0);
    }

    /// Counts one byte of many.
    #[inline]
    pub fn byte(&self) {
        let done = self.done.get() + 1;
        self.done.set(done);
        if done >= PIECE {
            self.pause();
        }
    }

    /// Counts one step over this many bytes.
    pub fn work(&self, bytes: usize) {
        let done = self.done.get().saturating_add(bytes).saturating_add(STEP);
        if done < PIECE {
            return self.done.set(done);
        }
        self.done.set(0);
        (self.pause)();
    }
}

/// Returns the lines of a text without their ends; `pause` is called after each piece.
pub fn lines<'a>(text: &'a str, pause: &'a dyn Fn()) -> impl Iterator<Item = &'a str> {
    let meter = WorkMeter::new(pause);
    text.lines().inspect(move |line| meter.work(line.len()))
}

/// Reads a JSON text; `pause` is called after each piece. Nesting ends after 127 levels, which is serde_json's own bound.
pub fn json<T: DeserializeOwned>(text: &str, pause: &dyn Fn()) -> serde_json::Result<T> {
    serde_json::from_reader(Pieces::new(text, pause))
}

/// A text as a source of bytes that pauses after each piece.
pub struct Pieces<'a> {
    rest: &'a [u8],
    /// Bytes until the next pause.
    left: usize,
    pause: &'a dyn Fn(),
}

impl<'a> Pieces<'a> {
    /// Returns the bytes of a text as a source.
    pub fn new(text: &'a str, pause: &'a dyn Fn()) -> Pieces<'a> {
        Pieces { rest: text.as_bytes(), left: PIECE, pause }
    }
}

impl Read for Pieces<'_> {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            (self.pause)();
            self.left = PIECE;
        }
        let count = self.rest.len().min(buffer.len()).min(self.left);
        let (taken, rest) = self.rest.split_at(count);
        buffer[..count].copy_from_slice(taken);
        (self.rest, self.left) = (rest, self.left - count);
        Ok(count)
    }
}

/// Returns the number of values in a JSON text, from the characters that begin and separate them. Those inside of strings are
/// counted too. `pause` is called after each piece.
pub fn count_json_values(text: &str, pause: &dyn Fn()) -> usize {
    let in_piece = |piece: &[u8]| {
        pause();
        piece.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count()
    };
    text.as_bytes().chunks(PIECE).map(in_piece).sum()
}

/// Returns true for a text of at most this many characters, in time that does not grow with the text.
pub fn is_short(text: &str, characters: usize) -> bool {
    text.char_indices().nth(characters).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn pauses(read: impl Fn(&dyn Fn())) -> usize {
        let count = Cell::new(0);
        read(&|| count.set(count.get() + 1));
        count.get()
    }

    #[test]
    fn every_piece_of_a_text_is_followed_by_a_pause() {
        let text = format!("[{}0]", "0,".repeat(5 * PIECE));
        assert_eq!(pauses(|pause| drop(json::<Value>(&text, pause).unwrap())), 10);
        let text = "a line of twenty-two b\n".repeat(PIECE / 10);
        let paused = pauses(|pause| assert_eq!(lines(&text, pause).count(), PIECE / 10));
        assert!((8..=9).contains(&paused), "{paused}");
        let blank = "\n".repeat(10 * PIECE / STEP);
        assert_eq!(pauses(|pause| assert!(lines(&blank, pause).count() > 0)), 10);
    }

    #[test]
    fn json_is_read_as_without_pauses() {
        for text in ["{\"a\": [1.5, \"é\u{10000}\\n\"]}", "[1, 2", "nul", "", "{} x"] {
            let (paced, plain) = (json::<Value>(text, &|| ()), serde_json::from_str::<Value>(text));
            assert_eq!(paced.as_ref().ok(), plain.as_ref().ok(), "{text}");
            assert_eq!(paced.err().map(|e| e.line()), plain.err().map(|e| e.line()), "{text}");
        }
    }

    #[test]
    fn values_are_counted_with_pauses() {
        assert_eq!(count_json_values("{\"a\": [1, 2, {\"b\": null}], \"c\": \"x,y\"}", &|| ()), 7);
        assert_eq!(count_json_values("1", &|| ()), 0);
        assert_eq!(pauses(|pause| assert_eq!(count_json_values(&",".repeat(3 * PIECE), pause), 3 * PIECE)), 3);
    }

    #[test]
    fn a_text_is_short_by_its_characters() {
        assert!(is_short("äöü", 3) && !is_short("äöüß", 3) && is_short("", 0));
    }
}
