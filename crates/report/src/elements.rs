//! Elements of a JSON array, one after another: an array of hundreds of thousands need not be in memory as a whole.

use std::fmt;

use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_json::Value;

use ebs_base::input::Pieces;

/// Why the elements ended early.
#[derive(Debug)]
pub enum Stop<E> {
    /// The text is no JSON, or nested too deep.
    Malformed(serde_json::Error),
    /// It is something else than an array.
    NoArray,
    /// The receiver of the elements refused one.
    Refused(E),
}

/// Gives each element of the array in `text` to `give`; `pause` is called between pieces of the text, and may unwind.
pub fn elements<E>(text: &str, pause: &dyn Fn(), mut give: impl FnMut(Value) -> Result<(), E>) -> Result<(), Stop<E>> {
    let mut refused = None;
    let mut reader = serde_json::Deserializer::from_reader(Pieces::new(text, pause));
    let give = |value| give(value).map_err(|error| refused = Some(error)).is_ok();
    let read = (&mut reader).deserialize_seq(Each(give)).and_then(|()| reader.end());
    match (refused, read) {
        (Some(error), _) => Err(Stop::Refused(error)),
        (None, Err(error)) if error.is_data() => Err(Stop::NoArray),
        (None, Err(error)) => Err(Stop::Malformed(error)),
        (None, Ok(())) => Ok(()),
    }
}

/// Hands over elements as long as they are taken.
struct Each<F>(F);

impl<'de, F: FnMut(Value) -> bool> Visitor<'de> for Each<F> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        while let Some(element) = elements.next_element()? {
            if !(self.0)(element) {
                return Err(A::Error::custom("refused"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(text: &str) -> Result<Vec<Value>, Stop<Value>> {
        let mut found = Vec::new();
        elements(text, &|| (), |value| {
            found.push(value);
            if found.last() == Some(&json!("no")) { Err(json!("no")) } else { Ok(()) }
        })?;
        Ok(found)
    }

    #[test]
    fn elements_come_in_their_order() {
        assert_eq!(of("[1, {\"a\": [2]}, null]").unwrap(), [json!(1), json!({ "a": [2] }), Value::Null]);
        assert!(of(" [] ").unwrap().is_empty());
    }

    #[test]
    fn what_is_no_array_or_no_json_is_told_apart() {
        for text in ["{\"a\": 1}", "1", "null", "\"[]\""] {
            assert!(matches!(of(text), Err(Stop::NoArray)), "{text}");
        }
        let deep = "[".repeat(200);
        for text in ["[1, 2", "[1] x", "[1e999]", "", &deep] {
            assert!(matches!(of(text), Err(Stop::Malformed(_))), "{text}");
        }
    }

    #[test]
    fn nothing_is_given_after_a_refusal() {
        assert!(matches!(of("[1, \"no\", 1e999]"), Err(Stop::Refused(value)) if value == "no"));
    }
}
