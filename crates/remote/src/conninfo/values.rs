//! Values of parameters, before their types are known.

use super::choices::Choice;
use super::error::{ConninfoError, Source};
use super::parameters::{KEYWORDS, Keyword};

/// Longest value in a message, bytes.
const MAX_SHOWN: usize = 64;

struct Value {
    text: String,
    source: Source,
}

/// Values of parameters by keyword, each with its source. A later value of a connection string replaces an earlier one; everything
/// else only fills gaps.
pub(super) struct Values {
    values: [Option<Value>; KEYWORDS.len()],
    /// True if values of the connection string could be parts of a password that was not quoted.
    pub hides_string: bool,
}

impl Values {
    pub fn new() -> Self {
        Self { values: [const { None }; KEYWORDS.len()], hides_string: false }
    }

    /// Sets a value, also over an earlier one.
    pub fn set(&mut self, keyword: Keyword, text: String, source: Source) -> Result<(), ConninfoError> {
        if text.contains('\0') {
            return Err(ConninfoError::NulByte(keyword.parameter().name));
        }
        self.values[keyword as usize] = Some(Value { text, source });
        Ok(())
    }

    /// Sets a value where there is none.
    pub fn fill(&mut self, keyword: Keyword, text: String, source: Source) -> Result<(), ConninfoError> {
        if self.values[keyword as usize].is_some() { Ok(()) } else { self.set(keyword, text, source) }
    }

    /// Value of a parameter, which may be empty.
    pub fn get(&self, keyword: Keyword) -> Option<&str> {
        self.values[keyword as usize].as_ref().map(|value| value.text.as_str())
    }

    /// Value of a parameter that treats an empty one as none.
    pub fn non_empty(&self, keyword: Keyword) -> Option<&str> {
        self.get(keyword).filter(|text| !text.is_empty())
    }

    /// Value of a parameter that has a fixed set of them.
    pub fn choice<T: Choice>(&self, keyword: Keyword) -> Result<T, ConninfoError> {
        let value = self.get(keyword).and_then(T::parse);
        value.ok_or_else(|| self.invalid(keyword, keyword.parameter().choices.join(", ")))
    }

    /// Source of a parameter's value.
    pub fn source(&self, keyword: Keyword) -> Source {
        self.values[keyword as usize].as_ref().map_or(Source::Default, |value| value.source.clone())
    }

    /// Value for a message, if it cannot be a secret.
    pub fn shown(&self, keyword: Keyword) -> Option<String> {
        let hidden = self.hides_string && self.source(keyword) == Source::ConnectionString;
        let text = self.get(keyword).filter(|text| text.len() <= MAX_SHOWN)?;
        (!hidden && !keyword.parameter().is_secret()).then(|| text.to_owned())
    }

    /// Error about a parameter's value.
    pub fn invalid(&self, keyword: Keyword, valid: impl Into<String>) -> ConninfoError {
        ConninfoError::InvalidValue {
            parameter: keyword.parameter().name,
            value: self.shown(keyword),
            source_of_value: self.source(keyword),
            valid: valid.into(),
        }
    }

    /// Error about a parameter that is not implemented.
    pub fn unsupported(&self, keyword: Keyword, alternative: &'static str) -> ConninfoError {
        ConninfoError::Unsupported {
            parameter: keyword.parameter().name,
            value: self.shown(keyword),
            source_of_value: self.source(keyword),
            alternative,
        }
    }
}
