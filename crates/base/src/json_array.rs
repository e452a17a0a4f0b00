//! Elements of a JSON array, one after another: an array of hundreds of thousands need not be in memory as a whole.

use std::fmt;

use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_json::Value;

use crate::input::Pieces;

/// The reason why an array was not read to its end.
#[derive(Debug)]
pub enum ArrayError<E> {
    /// The text is not JSON, or nested too deep.
    Malformed(serde_json::Error),
    /// The text is JSON, but not an array.
    NotArray,
    /// `take` returned an error for an element.
    Element(E),
}

/// Hands each element of the array in `text` to `take`; `pause` is called between pieces of the text, and may unwind.
pub fn for_each_element<E>(
    text: &str,
    pause: &dyn Fn(),
    mut take: impl FnMut(Value) -> Result<(), E>,
) -> Result<(), ArrayError<E>> {
    let mut element_error = None;
    let mut reader = serde_json::Deserializer::from_reader(Pieces::new(text, pause));
    let take = |value| take(value).map_err(|error| element_error = Some(error)).is_ok();
    let read = (&mut reader).deserialize_seq(ElementVisitor(take)).and_then(|()| reader.end());
    match (element_error, read) {
        (Some(error), _) => Err(ArrayError::Element(error)),
        (None, Err(error)) if error.is_data() => Err(ArrayError::NotArray),
        (None, Err(error)) => Err(ArrayError::Malformed(error)),
        (None, Ok(())) => Ok(()),
    }
}

/// Visitor that hands over elements as long as they are taken.
struct ElementVisitor<F>(F);

impl<'de, F: FnMut(Value) -> bool> Visitor<'de> for ElementVisitor<F> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        while let Some(element) = elements.next_element()? {
            if !(self.0)(element) {
                return Err(A::Error::custom("an element was not taken"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn collect(text: &str) -> Result<Vec<Value>, ArrayError<Value>> {
        let mut elements = Vec::new();
        for_each_element(text, &|| (), |value| {
            elements.push(value);
            if elements.last() == Some(&json!("no")) { Err(json!("no")) } else { Ok(()) }
        })?;
        Ok(elements)
    }

    #[test]
    fn elements_come_in_their_order() {
        assert_eq!(collect("[1, {\"a\": [2]}, null]").unwrap(), [json!(1), json!({ "a": [2] }), Value::Null]);
        assert!(collect(" [] ").unwrap().is_empty());
    }

    #[test]
    fn what_is_no_array_or_no_json_is_told_apart() {
        for text in ["{\"a\": 1}", "1", "null", "\"[]\""] {
            assert!(matches!(collect(text), Err(ArrayError::NotArray)), "{text}");
        }
        let deep = "[".repeat(200);
        for text in ["[1, 2", "[1] x", "[1e999]", "", &deep] {
            assert!(matches!(collect(text), Err(ArrayError::Malformed(_))), "{text}");
        }
    }

    #[test]
    fn nothing_is_taken_after_an_error() {
        assert!(matches!(collect("[1, \"no\", 1e999]"), Err(ArrayError::Element(value)) if value == "no"));
    }
}
