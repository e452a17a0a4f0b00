//! Texts of a fixed size, as shared memory has them.

/// A text of less than `N` bytes: UTF-8, zero-terminated, cut off where it is longer.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedText<const N: usize>([u8; N]);

impl<const N: usize> Default for FixedText<N> {
    fn default() -> Self {
        FixedText([0; N])
    }
}

impl<const N: usize> FixedText<N> {
    /// Returns the text; `None` if it is empty.
    pub fn get(&self) -> Option<String> {
        let text = self.0.split(|byte| *byte == 0).next().unwrap_or_default();
        (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned())
    }

    /// Replaces the text, and returns true if it was another.
    pub fn set(&mut self, text: Option<&str>) -> bool {
        let mut new = [0; N];
        let bytes = text.unwrap_or_default().bytes().take(N.saturating_sub(1));
        new.iter_mut().zip(bytes).for_each(|(new, byte)| *new = byte);
        std::mem::replace(&mut self.0, new) != new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_once() {
        let mut text = FixedText::<256>::default();
        assert_eq!((text.get(), text.set(None)), (None, false));
        assert_eq!((text.set(Some("no disk")), text.set(Some("no disk"))), (true, false));
        assert_eq!(text.get().as_deref(), Some("no disk"));
        assert_eq!((text.set(Some("no")), text.get().as_deref()), (true, Some("no")));
        assert_eq!((text.set(None), text.get()), (true, None));
    }

    #[test]
    fn a_long_text_is_cut_off() {
        let mut text = FixedText::<8>::default();
        assert!(text.set(Some("123456789")));
        assert_eq!(text.get().as_deref(), Some("1234567"));
        assert!(text.set(Some("123456é")));
        assert_eq!(text.get().as_deref(), Some("123456\u{fffd}"));
    }
}
