//! Messages of remote read: those fields of prompb that are used here
//! (<https://github.com/prometheus/prometheus/blob/v2.42.0/prompb/remote.proto>, `types.proto`).

// prost's derive makes items without documentation.
#![allow(missing_docs)]

use prost::bytes::Bytes;

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ReadRequest {
    #[prost(message, repeated, tag = "1")]
    pub(crate) queries: Vec<Query>,
    #[prost(enumeration = "ResponseType", repeated, tag = "2")]
    pub(crate) accepted_response_types: Vec<i32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub(crate) enum ResponseType {
    Samples = 0,
    StreamedXorChunks = 1,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Query {
    #[prost(int64, tag = "1")]
    pub(crate) start_timestamp_ms: i64,
    #[prost(int64, tag = "2")]
    pub(crate) end_timestamp_ms: i64,
    #[prost(message, repeated, tag = "3")]
    pub(crate) matchers: Vec<LabelMatcher>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct LabelMatcher {
    #[prost(enumeration = "MatchType", tag = "1")]
    pub(crate) r#type: i32,
    #[prost(string, tag = "2")]
    pub(crate) name: String,
    #[prost(string, tag = "3")]
    pub(crate) value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub(crate) enum MatchType {
    Equal = 0,
    NotEqual = 1,
    Matches = 2,
    NotMatches = 3,
}

#[cfg(test)]
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ReadResponse {
    #[prost(message, repeated, tag = "1")]
    pub(crate) results: Vec<QueryResult>,
}

#[cfg(test)]
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct QueryResult {
    #[prost(message, repeated, tag = "1")]
    pub(crate) timeseries: Vec<TimeSeries>,
}

#[cfg(test)]
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct TimeSeries {
    #[prost(message, repeated, tag = "1")]
    pub(crate) labels: Vec<Label>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) samples: Vec<WireSample>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Label {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(string, tag = "2")]
    pub(crate) value: String,
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub(crate) struct WireSample {
    #[prost(double, tag = "1")]
    pub(crate) value: f64,
    #[prost(int64, tag = "2")]
    pub(crate) timestamp: i64,
}

#[cfg(test)]
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ChunkedReadResponse {
    #[prost(message, repeated, tag = "1")]
    pub(crate) chunked_series: Vec<ChunkedSeries>,
}

#[cfg(test)]
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ChunkedSeries {
    #[prost(message, repeated, tag = "1")]
    pub(crate) labels: Vec<Label>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) chunks: Vec<Chunk>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Chunk {
    /// Encoding: 1 is XOR.
    #[prost(int32, tag = "3")]
    pub(crate) r#type: i32,
    #[prost(bytes = "bytes", tag = "4")]
    pub(crate) data: Bytes,
}
