//! Errors of the pure crates: refused input, in words that a DBA can act on. The caller maps each kind to a SQLSTATE.

use crate::names::quoted;

/// A refused input.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputError {
    /// A name the catalogue does not have.
    #[error("unknown {what} \"{name}\"")]
    UnknownName {
        /// Kind of thing that was named.
        what: &'static str,
        /// Name as written.
        name: String,
        /// Names that are accepted, as the text of the hint.
        accepted: String,
    },
    /// A value that an argument does not have.
    #[error("unrecognized value for {argument}: \"{value}\"")]
    UnknownValue {
        /// The argument.
        argument: &'static str,
        /// Value as written.
        value: String,
        /// The values that it has, a sentence.
        detail: String,
        /// The way out, as the text of the hint.
        remedy: &'static str,
    },
    /// A number outside its range.
    #[error("{argument} must be between {min} and {max}, not {value}")]
    OutOfRange {
        /// The argument.
        argument: &'static str,
        /// Number as written.
        value: f64,
        /// Least accepted.
        min: f64,
        /// Most accepted.
        max: f64,
        /// Meaning of the argument, with its unit.
        meaning: &'static str,
    },
    /// A combination that cannot be ordered.
    #[error("{reason}")]
    Illegal {
        /// The reason, as the whole message.
        reason: String,
        /// The way out, as the text of the hint.
        remedy: &'static str,
    },
    /// An argument that others of the call leave without a meaning.
    #[error("{argument} {reason}")]
    Conflict {
        /// The argument.
        argument: &'static str,
        /// The reason, as the predicate of the sentence.
        reason: &'static str,
        /// The way out, as the text of the hint.
        remedy: &'static str,
    },
    /// A number of volumes that differs from that of the disks behind the name.
    #[error("\"{name}\" is made of {}, not {volumes}", if *made_of == 1 { "1 disk".to_owned() } else { format!("{made_of} disks") })]
    NotMadeOf {
        /// Name of the volume.
        name: String,
        /// Number of its disks.
        made_of: usize,
        /// Volumes that were declared.
        volumes: u64,
        /// Its disks, for the hint.
        disks: String,
    },
}

impl InputError {
    /// Returns the refusal of a name, which it repeats shortened: a name may be as long as an argument, 1 GB.
    pub fn unknown(what: &'static str, name: &str, accepted: String) -> InputError {
        InputError::UnknownName { what, name: quoted(name), accepted }
    }

    /// Returns the text of the DETAIL line: the accepted values.
    pub fn detail(&self) -> Option<&str> {
        match self {
            InputError::UnknownValue { detail, .. } => Some(detail),
            _ => None,
        }
    }

    /// Returns the text of the HINT line: the accepted input.
    pub fn hint(&self) -> String {
        match self {
            InputError::UnknownName { accepted, .. } => accepted.clone(),
            InputError::OutOfRange { meaning, .. } => (*meaning).to_owned(),
            InputError::Conflict { remedy, .. }
            | InputError::Illegal { remedy, .. }
            | InputError::UnknownValue { remedy, .. } => (*remedy).to_owned(),
            InputError::NotMadeOf { made_of: 1, .. } => {
                "Name what the disks make together by its role or its device.".to_owned()
            }
            InputError::NotMadeOf { made_of, disks, .. } => {
                format!("Say volumes => {made_of} if they are alike, or declare each by itself: {disks}.")
            }
        }
    }
}

/// Returns `value` if it lies between `min` and `max`, both included; NaN does not.
pub fn within(
    argument: &'static str,
    value: f64,
    (min, max): (f64, f64),
    meaning: &'static str,
) -> Result<f64, InputError> {
    if (min..=max).contains(&value) {
        // Minus zero is shown as zero.
        Ok(value + 0.0)
    } else {
        Err(InputError::OutOfRange { argument, value, min, max, meaning })
    }
}
