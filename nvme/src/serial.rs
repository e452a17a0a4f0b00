//! Serial numbers of volumes.

use std::fmt;

/// A volume's serial number, `vol0123456789abcdef0`: its ID without the dash. Its page is named after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Serial(String);

impl Serial {
    /// Parses a serial number. `None` for any other text, because it becomes part of a path.
    pub fn parse(text: &str) -> Option<Serial> {
        let digits = text.trim().strip_prefix("vol")?;
        let id = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
        id.then(|| Serial(format!("vol{digits}")))
    }
}

impl fmt::Display for Serial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_volume_ids_are_serial_numbers() {
        assert_eq!(Serial::parse(" vol0123456789abcdef0 \n").unwrap().to_string(), "vol0123456789abcdef0");
        for other in ["", "vol", "AWS1234", "vol/../../etc/passwd", "vol.page", "vol 1"] {
            assert_eq!(Serial::parse(other), None, "{other:?}");
        }
    }
}
