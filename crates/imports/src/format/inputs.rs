//! Inputs of a format for tests of everything that reads it: bounds of memory and work, cancel, fuzzing, recognition.

/// Inputs of a format.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    /// Recorded files and texts.
    pub samples: &'static [Sample],
    /// Generators of documents of any size.
    pub made: &'static [Made],
}

/// A recorded file or a text.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Name in `sql/reports`; `None` of a text that stands in the sources.
    pub file: Option<&'static str>,
    /// Content.
    pub bytes: &'static [u8],
}

impl Sample {
    /// A text that stands in the sources.
    pub const fn text(text: &'static str) -> Sample {
        Sample { file: None, bytes: text.as_bytes() }
    }
}

/// Generator of documents.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// Name: `many devices`.
    pub what: &'static str,
    /// Document of about so many bytes, whose work grows as they do.
    pub make: fn(usize) -> String,
}

/// Recorded file of this name in `sql/reports`.
macro_rules! recorded {
    ($name:literal) => {
        $crate::format::Sample {
            file: Some($name),
            bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sql/reports/", $name)),
        }
    };
}

pub(crate) use recorded;
