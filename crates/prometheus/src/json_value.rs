//! Numbers as JSON answers write them: values as numbers, as strings (`"NaN"`, `"+Inf"`, `"Infinity"`) or as null; times in seconds or
//! milliseconds.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// Value of a sample. Null is NaN: VictoriaMetrics writes NaN and markers of staleness so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value(pub(crate) f64);

struct ValueVisitor;

impl Visitor<'_> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number, a number as a string, or null")
    }

    #[inline]
    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value(value as f64))
    }

    #[inline]
    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value(value as f64))
    }

    #[inline]
    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value(value))
    }

    #[inline]
    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        // f64 reads "NaN", "Inf", "-Inf" and "Infinity" too.
        value.parse().map(Value).map_err(|_| E::custom("a value is not a number"))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value(f64::NAN))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

/// Time in milliseconds since 1970, written in this unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Milliseconds(pub(crate) i64);

impl<'de> Deserialize<'de> for Milliseconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Milliseconds, D::Error> {
        struct TimeVisitor;
        impl Visitor<'_> for TimeVisitor {
            type Value = Milliseconds;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a time in milliseconds")
            }

            #[inline]
            fn visit_u64<E: Error>(self, time: u64) -> Result<Milliseconds, E> {
                i64::try_from(time).map(Milliseconds).map_err(|_| E::custom("a time is out of range"))
            }

            #[inline]
            fn visit_i64<E: Error>(self, time: i64) -> Result<Milliseconds, E> {
                Ok(Milliseconds(time))
            }

            fn visit_f64<E: Error>(self, time: f64) -> Result<Milliseconds, E> {
                round(time).map(Milliseconds).ok_or_else(|| E::custom("a time is out of range"))
            }
        }
        deserializer.deserialize_any(TimeVisitor)
    }
}

/// Time in milliseconds since 1970, written in seconds with a fraction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seconds(pub(crate) i64);

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seconds, D::Error> {
        let seconds = f64::deserialize(deserializer)?;
        round(seconds * 1000.0).map(Seconds).ok_or_else(|| D::Error::custom("a time is out of range"))
    }
}

/// The nearest integer; `None` beyond those that f64 holds exactly.
fn round(value: f64) -> Option<i64> {
    let rounded = value.round();
    (rounded.abs() < (1_u64 << 53) as f64).then_some(rounded as i64)
}
