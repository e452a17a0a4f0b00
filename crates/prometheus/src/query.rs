//! Answers of `/api/v1/query` and `/api/v1/series`, which are read while they arrive.

use std::fmt;
use std::io::Read;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::collector::{Collector, check_labels};
use super::envelope;
use super::error::{Limits, ReadError};
use super::json_value::{Seconds, Value};
use super::{Labels, Sample};

/// Reads the answer to an instant query for a range of samples, a matrix.
pub fn read_matrix(input: &mut dyn Read, collector: &mut Collector) -> Result<(), ReadError> {
    let (mut failure, limits) = (None, *collector.limits());
    let mut sink = Sink { collector, samples: Vec::new(), failure: &mut failure };
    let result = envelope::read(input, MatrixData(&mut sink), &limits);
    failure.map_or(result, Err)
}

/// Reads the answer of `/api/v1/series`: label sets.
pub fn read_label_sets(input: &mut dyn Read, limits: &Limits) -> Result<Vec<Labels>, ReadError> {
    let (mut sets, mut failure) = (Vec::new(), None);
    let push = |labels: Labels| {
        check_labels(&labels, limits)?;
        if sets.len() >= limits.series {
            return Err(ReadError::TooLarge { bound: limits.series, what: "series" });
        }
        sets.push(labels);
        Ok(())
    };
    let result = envelope::read(input, LabelSets { push, failure: &mut failure }, limits);
    failure.map_or(result, Err).map(|()| sets)
}

/// Destination of a matrix. An error of ours is kept in `failure`, as serde's errors are texts.
struct Sink<'a> {
    collector: &'a mut Collector,
    /// Samples of the present series, whose labels may follow.
    samples: Vec<Sample>,
    failure: &'a mut Option<ReadError>,
}

impl Sink<'_> {
    fn add<E: Error>(&mut self, labels: Labels) -> Result<(), E> {
        let result = self.collector.open(labels).and_then(|mut writer| {
            writer.reserve(self.samples.len());
            self.samples.drain(..).try_for_each(|sample| writer.push(sample.at_ms, sample.value))
        });
        result.map_err(|error| keep(self.failure, error))
    }

    fn push<E: Error>(&mut self, sample: Sample) -> Result<(), E> {
        let bound = self.collector.limits().samples;
        if self.samples.len() >= bound {
            return Err(keep(self.failure, ReadError::TooLarge { bound, what: "samples" }));
        }
        self.samples.push(sample);
        Ok(())
    }
}

fn keep<E: Error>(failure: &mut Option<ReadError>, error: ReadError) -> E {
    let message = error.to_string();
    *failure = Some(error);
    E::custom(message)
}

/// Declares a part of a matrix that is read into the sink; its visitor is the part itself.
macro_rules! part {
    ($(#[$doc:meta])* $name:ident, $method:ident) => {
        $(#[$doc])*
        struct $name<'a, 'b>(&'b mut Sink<'a>);

        impl<'de> DeserializeSeed<'de> for $name<'_, '_> {
            type Value = ();

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
                deserializer.$method(self)
            }
        }
    };
}

part!(
    /// The data: `{"resultType":"matrix","result":[…]}`, or null beside an error.
    MatrixData,
    deserialize_any
);
part!(
    /// All series.
    SeriesList,
    deserialize_seq
);
part!(
    /// One series: `{"metric":{…},"values":[…]}`.
    OneSeries,
    deserialize_map
);
part!(
    /// Its samples: `[[1435781430.781,"1"],…]`.
    Points,
    deserialize_seq
);

impl<'de> Visitor<'de> for MatrixData<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a matrix")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "result" => map.next_value_seed(SeriesList(self.0))?,
                "resultType" if map.next_value::<String>()? != "matrix" => {
                    return Err(M::Error::custom("the result is not a matrix"));
                }
                "resultType" => {}
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for SeriesList<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of series")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut sequence: S) -> Result<(), S::Error> {
        while sequence.next_element_seed(OneSeries(self.0))?.is_some() {}
        Ok(())
    }
}

impl<'de> Visitor<'de> for OneSeries<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a series")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let mut labels = None;
        self.0.samples.clear();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "metric" => labels = Some(map.next_value::<Labels>()?),
                "values" => map.next_value_seed(Points(self.0))?,
                // A sample at one time, of which no selector with a range is the question.
                "value" => return Err(M::Error::custom("the result is not a matrix")),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        self.0.add(labels.ok_or_else(|| M::Error::missing_field("metric"))?)
    }
}

impl<'de> Visitor<'de> for Points<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of samples")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut sequence: S) -> Result<(), S::Error> {
        while let Some((at, value)) = sequence.next_element::<(Seconds, Value)>()? {
            self.0.push(Sample { at_ms: at.0, value: value.0 })?;
        }
        Ok(())
    }
}

/// The data of `/api/v1/series`, a list of label sets, or null beside an error.
struct LabelSets<'a, P> {
    push: P,
    failure: &'a mut Option<ReadError>,
}

impl<'de, P: FnMut(Labels) -> Result<(), ReadError>> DeserializeSeed<'de> for LabelSets<'_, P> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, P: FnMut(Labels) -> Result<(), ReadError>> Visitor<'de> for LabelSets<'_, P> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of label sets")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<S: SeqAccess<'de>>(mut self, mut sequence: S) -> Result<(), S::Error> {
        while let Some(labels) = sequence.next_element::<Labels>()? {
            (self.push)(labels).map_err(|error| keep(self.failure, error))?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
