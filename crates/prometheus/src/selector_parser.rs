//! Parser of selectors, as PromQL writes them, with or without braces
//! (<https://prometheus.io/docs/prometheus/latest/querying/basics/#time-series-selectors>).

use std::iter::Peekable;
use std::str::{CharIndices, FromStr};

use super::selector::{Matcher, Operator, Selector};

/// Maximum length of a selector, bytes.
const MAX_BYTES: usize = 64 << 10;
/// Label of the name of a metric.
const NAME: &str = "__name__";

/// Error of a selector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at character {position} of the selector")]
pub struct SelectorError {
    /// Problem.
    pub problem: String,
    /// Position, counted in letters from 1.
    pub position: usize,
}

impl FromStr for Selector {
    type Err = SelectorError;

    /// Parses `node_disk_info{job="postgres",env=~"prod.*"}`, `{…}`, or the matchers alone.
    fn from_str(text: &str) -> Result<Selector, SelectorError> {
        let mut parser = Parser { text, rest: text.char_indices().peekable() };
        if text.len() > MAX_BYTES {
            return Err(parser.error(format!("more than {MAX_BYTES} bytes")));
        }
        let selector = parser.parse()?;
        if selector.matchers.is_empty() {
            return Err(parser.error("no label is compared".to_owned()));
        }
        Ok(selector)
    }
}

struct Parser<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
}

impl<'a> Parser<'a> {
    fn parse(&mut self) -> Result<Selector, SelectorError> {
        let mut matchers = Vec::new();
        self.skip_space();
        let word = self.parse_name();
        let in_braces = match word {
            Some(word) if !self.is_at_operator() => {
                matchers.push(Matcher::new(NAME, Operator::Equal, word));
                self.skip_space();
                if self.rest.peek().is_none() {
                    return Ok(Selector { matchers });
                }
                self.expect('{')?;
                true
            }
            Some(word) => {
                let matcher = self.parse_comparison(word.to_owned())?;
                matchers.push(matcher);
                if !self.skip(',') {
                    self.expect_end()?;
                    return Ok(Selector { matchers });
                }
                false
            }
            None => self.skip('{'),
        };
        self.parse_matchers(in_braces, &mut matchers)?;
        self.expect_end()?;
        Ok(Selector { matchers })
    }

    /// Matchers up to the closing brace, or to the end of the text; a comma may follow the last one.
    fn parse_matchers(&mut self, in_braces: bool, matchers: &mut Vec<Matcher>) -> Result<(), SelectorError> {
        loop {
            self.skip_space();
            let is_end = if in_braces { self.skip('}') } else { self.rest.peek().is_none() };
            if is_end {
                return Ok(());
            }
            matchers.push(self.parse_matcher()?);
            if !self.skip(',') {
                return if in_braces { self.expect('}') } else { Ok(()) };
            }
        }
    }

    fn parse_matcher(&mut self) -> Result<Matcher, SelectorError> {
        if matches!(self.rest.peek(), Some((_, '"' | '\'' | '`'))) {
            let quoted = self.parse_string()?;
            if !self.is_at_operator() {
                return Ok(Matcher::new(NAME, Operator::Equal, &quoted));
            }
            return self.parse_comparison(quoted);
        }
        match self.parse_name() {
            Some(label) => self.parse_comparison(label.to_owned()),
            None => Err(self.error("a label is missing".to_owned())),
        }
    }

    fn parse_comparison(&mut self, label: String) -> Result<Matcher, SelectorError> {
        self.skip_space();
        let operator = match (self.skip('='), self.skip('!')) {
            (true, false) if self.skip('~') => Operator::Matches,
            (true, false) => Operator::Equal,
            (false, true) if self.skip('~') => Operator::NotMatches,
            (false, true) if self.skip('=') => Operator::NotEqual,
            _ => return Err(self.error("an operator (=, !=, =~ or !~) is missing".to_owned())),
        };
        self.skip_space();
        Ok(Matcher { label, operator, value: self.parse_string()? })
    }

    fn parse_name(&mut self) -> Option<&'a str> {
        let is_first = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | ':');
        let (start, _) = self.rest.next_if(|&(_, c)| is_first(c))?;
        while self.rest.next_if(|&(_, c)| is_first(c) || c.is_ascii_digit()).is_some() {}
        Some(&self.text[start..self.offset()])
    }

    /// Parses a string in double or single quotes, with Go's escapes, or in backticks, without any.
    fn parse_string(&mut self) -> Result<String, SelectorError> {
        let Some((_, quote)) = self.rest.next_if(|(_, c)| matches!(c, '"' | '\'' | '`')) else {
            return Err(self.error("a value in quotes is missing".to_owned()));
        };
        let mut value = Vec::new();
        loop {
            match self.rest.next() {
                Some((_, c)) if c == quote => break,
                Some((_, '\\')) if quote != '`' => self.parse_escape(&mut value)?,
                None | Some((_, '\n')) if quote != '`' => return Err(self.error("the quote is not closed".to_owned())),
                None => return Err(self.error("the quote is not closed".to_owned())),
                Some((_, c)) => value.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        String::from_utf8(value).map_err(|_| self.error("the value is not UTF-8".to_owned()))
    }

    /// Parses what follows a backslash; `\xHH` and `\OOO` are bytes, the others letters.
    fn parse_escape(&mut self, value: &mut Vec<u8>) -> Result<(), SelectorError> {
        let Some((_, c)) = self.rest.next() else { return Err(self.error("the quote is not closed".to_owned())) };
        let byte = match c {
            'a' => 0x07,
            'b' => 0x08,
            'f' => 0x0C,
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'v' => 0x0B,
            '\\' | '"' | '\'' => c as u8,
            'x' => self.parse_digits(16, 2, 0)? as u8,
            '0'..='3' => self.parse_digits(8, 2, u32::from(c) - u32::from('0'))? as u8,
            'u' | 'U' => {
                let code = self.parse_digits(16, if c == 'u' { 4 } else { 8 }, 0)?;
                let letter = char::from_u32(code).ok_or_else(|| self.error("no such letter".to_owned()))?;
                value.extend(letter.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return Err(self.error(format!("\\{c} is not an escape; write a backslash as \\\\"))),
        };
        value.push(byte);
        Ok(())
    }

    fn parse_digits(&mut self, radix: u32, count: u32, first: u32) -> Result<u32, SelectorError> {
        let mut number = first;
        for _ in 0..count {
            let digit = self.rest.next().and_then(|(_, c)| c.to_digit(radix));
            let digit = digit.ok_or_else(|| self.error("a digit of the escape is missing".to_owned()))?;
            number = number << radix.ilog2() | digit;
        }
        Ok(number)
    }

    fn is_at_operator(&mut self) -> bool {
        self.skip_space();
        matches!(self.rest.peek(), Some((_, '=' | '!')))
    }

    fn expect(&mut self, letter: char) -> Result<(), SelectorError> {
        if self.skip(letter) { Ok(()) } else { Err(self.error(format!("a {letter} is missing"))) }
    }

    fn expect_end(&mut self) -> Result<(), SelectorError> {
        self.skip_space();
        if self.rest.peek().is_none() {
            return Ok(());
        }
        Err(self.error("a selector alone is expected, without a range or a function, but more follows".to_owned()))
    }

    /// Skips a letter, and white space before it, if it is the next one.
    fn skip(&mut self, letter: char) -> bool {
        if matches!(letter, ',' | '{' | '}') {
            self.skip_space();
        }
        self.rest.next_if(|&(_, c)| c == letter).is_some()
    }

    fn skip_space(&mut self) {
        while self.rest.next_if(|(_, c)| c.is_whitespace()).is_some() {}
    }

    fn offset(&mut self) -> usize {
        self.rest.peek().map_or(self.text.len(), |&(at, _)| at)
    }

    fn error(&mut self, problem: String) -> SelectorError {
        let offset = self.offset();
        SelectorError { problem, position: self.text[..offset].chars().count() + 1 }
    }
}

#[cfg(test)]
#[path = "selector_parser_tests.rs"]
mod tests;
