//! The serial number of a volume, which is its ID without the dash and names its page.

use std::fmt;

/// `vol0123456789abcdef0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Serial(String);

impl Serial {
    /// `None` for what is no volume ID: it becomes part of a path, so nothing else passes.
    pub fn of(text: &str) -> Option<Serial> {
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
    fn only_volume_ids_become_names() {
        assert_eq!(Serial::of(" vol0123456789abcdef0 \n").unwrap().to_string(), "vol0123456789abcdef0");
        for other in ["", "vol", "AWS1234", "vol/../../etc/passwd", "vol.page", "vol 1"] {
            assert_eq!(Serial::of(other), None, "{other:?}");
        }
    }
}
