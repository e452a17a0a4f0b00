//! Transports over curl, against a server of our own.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ebs_prometheus::{Limits, Selector, Series};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::arguments::ConnectionArguments;
use super::credentials::Credentials;
use super::fake_server::{FakeServer, Received, Reply};
use super::http::{Client, Export, InstantQuery};
use super::interface::{TimeRange, Transport};
use super::interrupt::Interrupt;
use super::probe::{probe, remote_read};
use super::retry::{Resilient, Retry, RetryPolicy};
use crate::fetch_error::FetchError;

const RANGE: TimeRange = TimeRange { from_ms: 1_000_000, to_ms: 1_999_000 };
/// A secret, which is looked for where it must not be.
const SECRET: &str = "hush-5f1c";

pub fn client_with(server: &FakeServer, arguments: &ConnectionArguments) -> Result<Arc<Client>, FetchError> {
    let environment = |name: &str| match name {
        "AWS_ACCESS_KEY_ID" => Some("AKIDEXAMPLE".to_owned()),
        "AWS_SECRET_ACCESS_KEY" => Some(SECRET.to_owned()),
        "AWS_SESSION_TOKEN" => Some(format!("session-{SECRET}")),
        _ => None,
    };
    let credentials = Credentials::new(arguments, &environment)?;
    Ok(Arc::new(Client::new(server.address(), credentials, Arc::default())))
}

pub fn client(server: &FakeServer) -> Arc<Client> {
    client_with(server, &ConnectionArguments::default()).unwrap()
}

pub fn retry() -> Retry {
    Retry::with_sleep(RetryPolicy { min_piece_ms: 1000, ..RetryPolicy::default() }, Box::new(|_| Ok(())))
}

fn resilient(transport: impl Transport + 'static) -> Resilient {
    Resilient::new(Box::new(transport), retry())
}

fn selectors() -> Vec<Selector> {
    vec![r#"up{job="a b"}"#.parse().unwrap()]
}

pub fn fetch(transport: &dyn Transport) -> Result<Vec<Series>, FetchError> {
    transport.fetch(&selectors(), RANGE)
}

/// Value of a parameter of a form, decoded as far as these tests need.
fn parameter(request: &Received, name: &str) -> String {
    let pairs = request.form.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.clone().find(|(key, _)| *key == name).unwrap_or_else(|| panic!("{name}: {}", request.form));
    let mut decoded = value.to_owned();
    for (code, letter) in
        [("%7B", "{"), ("%7D", "}"), ("%3D", "="), ("%22", "\""), ("%5B", "["), ("%5D", "]"), ("%2C", ",")]
    {
        decoded = decoded.replace(code, letter);
    }
    decoded
}

/// Answer of a server with a sample a second to an instant query for a range.
pub fn matrix(request: &Received) -> String {
    let end_s: i64 = parameter(request, "time").split('.').next().unwrap().parse().unwrap();
    let query = parameter(request, "query");
    let length_ms: i64 = query[query.rfind('[').unwrap() + 1..query.len() - 3].parse().unwrap();
    let values: Vec<String> = (end_s - length_ms / 1000..=end_s).map(|at| format!("[{at},\"{at}\"]")).collect();
    let series = format!(r#"{{"metric":{{"__name__":"up"}},"values":[{}]}}"#, values.join(","));
    format!(r#"{{"status":"success","data":{{"resultType":"matrix","result":[{series}]}}}}"#)
}

pub fn count(series: &[Series]) -> usize {
    series.iter().map(|series| series.samples.len()).sum()
}

#[test]
fn an_instant_query_gives_the_samples_of_the_time_alone() {
    let server = FakeServer::start(|request| Reply::new(200, matrix(request)));
    let series = fetch(&InstantQuery(client(&server))).unwrap();
    assert_eq!(series[0].labels.name(), "up");
    let times: Vec<i64> = series[0].samples.iter().map(|sample| sample.at_ms).collect();
    assert_eq!(times, (1000..=1999).map(|at| at * 1000).collect::<Vec<_>>());
    let request = server.received().remove(0);
    assert_eq!(request.path, "/api/v1/query");
    assert_eq!(parameter(&request, "query"), r#"{__name__="up",job="a%20b"}[999001ms]"#);
    assert_eq!(parameter(&request, "max_source_resolution"), "0s");
    assert_eq!(parameter(&request, "partial_response"), "false");
}

#[test]
fn a_limit_of_the_server_halves_the_time() {
    let server = FakeServer::start(|request| {
        let answer = matrix(request);
        if answer.matches("],[").count() > 300 {
            let error = "query processing would load too many samples into memory in query execution";
            return Reply::new(422, format!(r#"{{"status":"error","errorType":"execution","error":"{error}"}}"#));
        }
        Reply::new(200, answer)
    });
    let series = fetch(&resilient(InstantQuery(client(&server)))).unwrap();
    assert_eq!(count(&series), 1000);
    assert_eq!(server.received().len(), 6);
}

#[test]
fn a_bound_here_halves_the_time_too() {
    let server = FakeServer::start(|request| Reply::new(200, matrix(request)));
    let client = Arc::into_inner(client(&server)).unwrap().with_limits(Limits { samples: 600, ..Limits::default() });
    assert_eq!(count(&fetch(&resilient(InstantQuery(Arc::new(client)))).unwrap()), 1000);
}

#[test]
fn an_unavailable_server_is_asked_again() {
    let mut replies =
        vec![Reply::new(503, "busy").with_header("Retry-After: 7"), Reply::new(429, ""), Reply::new(502, "<html>")];
    let server =
        FakeServer::start(
            move |request| {
                if replies.is_empty() { Reply::new(200, matrix(request)) } else { replies.remove(0) }
            },
        );
    assert_eq!(count(&fetch(&resilient(InstantQuery(client(&server)))).unwrap()), 1000);
    assert_eq!(server.received().len(), 4);
    let busy = FakeServer::start(|_| Reply::new(503, "busy").with_header("Retry-After: 7"));
    let error = fetch(&InstantQuery(client(&busy))).unwrap_err();
    assert_eq!(error.to_string(), "the server cannot answer now (HTTP 503): busy");
    assert_eq!(error.retry_after(), Some(Duration::from_secs(7)));
}

#[test]
fn an_answer_that_is_cut_off_is_never_taken() {
    let line = r#"{"metric":{"__name__":"up"},"values":[1],"timestamps":[1500000]}"#;
    let lines = format!("{line}\n{}\n", line.replace("15", "16"));
    // In the middle of a line, and where a line ends.
    for length in [line.len() / 2, line.len() + 1] {
        let (answer, mut is_first) = (lines.clone(), true);
        let server = FakeServer::start(move |_| {
            let reply = Reply::new(200, answer.clone());
            if std::mem::take(&mut is_first) { reply.cut_off(length) } else { reply }
        });
        let error = fetch(&Export(client(&server))).unwrap_err();
        assert!(matches!(error, FetchError::CutOff(_)), "{error:?}");
        assert!(error.is_transient());
        assert_eq!(count(&fetch(&Export(client(&server))).unwrap()), 2);
    }
}

/// A varint of less than 2^14, a field with bytes, CRC-32C.
fn bytes_field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    let length = if bytes.len() < 128 {
        vec![bytes.len() as u8]
    } else {
        vec![bytes.len() as u8 | 128, (bytes.len() >> 7) as u8]
    };
    [&[tag << 3 | 2][..], &length, bytes].concat()
}

fn crc32c(bytes: &[u8]) -> u32 {
    !bytes
        .iter()
        .fold(!0_u32, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ (0x82F6_3B78 * (crc & 1))))
}

/// An answer with one chunk of three samples, the second and third 1,000 ms after the one before.
fn streamed(encoding: u8) -> Reply {
    let mut chunk = vec![0, 3, 0x80, 0x9F, 0x49];
    chunk.extend(2.0_f64.to_bits().to_be_bytes());
    chunk.extend([0xE8, 0x07, 0]);
    let label = [bytes_field(1, b"__name__"), bytes_field(2, b"up")].concat();
    let chunk = [&[3 << 3, encoding][..], &bytes_field(4, &chunk)].concat();
    let data = bytes_field(1, &[bytes_field(1, &label), bytes_field(2, &chunk)].concat());
    let frame = [&[data.len() as u8][..], &crc32c(&data).to_be_bytes(), &data].concat();
    Reply::new(200, frame)
        .with_header("Content-Type: application/x-streamed-protobuf; proto=prometheus.ChunkedReadResponse")
}

#[test]
fn chunks_are_streamed() {
    let server = FakeServer::start(|_| streamed(1));
    // The chunk lies before the time.
    assert_eq!(fetch(&*remote_read(&client(&server))).unwrap(), []);
    let whole = TimeRange { from_ms: 0, ..RANGE };
    let series = remote_read(&client(&server)).fetch(&selectors(), whole).unwrap();
    assert_eq!(series[0].samples.iter().map(|sample| sample.at_ms).collect::<Vec<_>>(), [600_000, 601_000, 602_000]);
    let request = server.received().remove(0);
    assert_eq!(request.path, "/api/v1/read");
    assert!(request.headers.iter().any(|header| header == "Content-Encoding: snappy"), "{:?}", request.headers);
}

#[test]
fn an_unknown_encoding_leads_to_instant_queries() {
    let server = FakeServer::start(|request| match request.path.as_str() {
        "/api/v1/read" => streamed(4),
        _ => Reply::new(200, matrix(request)),
    });
    let transport = resilient_boxed(remote_read(&client(&server)));
    assert_eq!(transport.name(), "remote read");
    assert_eq!(count(&fetch(&transport).unwrap()), 1000);
    assert_eq!(transport.name(), "instant query");
    assert_eq!(count(&fetch(&transport).unwrap()), 1000);
    let paths: Vec<_> = server.received().into_iter().map(|request| request.path).collect();
    assert_eq!(paths, ["/api/v1/read", "/api/v1/query", "/api/v1/query"]);
}

pub fn resilient_boxed(transport: Box<dyn Transport>) -> Resilient {
    Resilient::new(transport, retry())
}

#[test]
fn a_server_without_us_as_a_user_is_asked_once() {
    let server = FakeServer::start(|_| Reply::new(401, "who are you"));
    let error = fetch(&resilient(Export(client(&server)))).unwrap_err();
    assert_eq!(error.to_string(), "the server refuses the request (HTTP 401): who are you");
    assert!(error.hint().unwrap().contains("--curl-config"));
    assert_eq!(server.received().len(), 1);
    assert!(matches!(probe(&client(&server), &retry()), Err(FetchError::Unauthorized { status: 401, .. })));
}

/// Grafana and login pages answer every path with 200.
#[test]
fn a_page_is_no_answer_and_is_asked_once() {
    let server =
        FakeServer::start(|_| Reply::new(200, "<html></html>").with_header("Content-Type: text/html; charset=UTF-8"));
    let error = fetch(&resilient(Export(client(&server)))).unwrap_err();
    assert!(matches!(&error, FetchError::Invalid(problem) if problem.contains("text/html")), "{error}");
    assert_eq!(server.received().len(), 1);
}

#[test]
fn gzip_is_unpacked() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(br#"{"metric":{},"values":[1],"timestamps":[1500000]}"#).unwrap();
    let packed = encoder.finish().unwrap();
    let server = FakeServer::start(move |_| Reply::new(200, packed.clone()).with_header("Content-Encoding: gzip"));
    // On one machine compression has to be wanted.
    assert!(fetch(&Export(client(&server))).is_err());
    let directory = tempfile::tempdir().unwrap();
    let curl_config = Some(secret_file(&directory, "compressed\n"));
    let arguments = ConnectionArguments { curl_config, ..ConnectionArguments::default() };
    assert_eq!(count(&fetch(&Export(client_with(&server, &arguments).unwrap())).unwrap()), 1);
}

#[test]
fn label_sets_are_listed() {
    let server = FakeServer::start(|_| Reply::new(200, r#"{"status":"success","data":[{"__name__":"up","job":"a"}]}"#));
    let sets = InstantQuery(client(&server)).label_sets(&selectors(), RANGE).unwrap();
    assert_eq!(sets[0].get("job"), Some("a"));
    let request = server.received().remove(0);
    assert_eq!(request.path, "/api/v1/series");
    assert_eq!(
        (parameter(&request, "start"), parameter(&request, "end")),
        ("1000.000".to_owned(), "1999.000".to_owned())
    );
    assert_eq!(parameter(&request, "match%5B%5D"), r#"{__name__="up",job="a%20b"}"#);
}

/// A file that only its owner can read.
fn secret_file(directory: &tempfile::TempDir, text: &str) -> PathBuf {
    let path = directory.path().join("file");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    path
}

/// Headers of a request with these arguments. The secret is in no command line and in no error.
fn headers_with(arguments: &ConnectionArguments) -> Vec<String> {
    let server = FakeServer::start(|_| Reply::new(403, "no"));
    let error = fetch(&Export(client_with(&server, arguments).unwrap())).unwrap_err();
    assert!(!format!("{error} {error:?}").contains(SECRET), "{error:?}");
    let request = server.received().remove(0);
    assert!(request.command_lines.contains("curl --disable"), "{}", request.command_lines);
    assert!(!request.command_lines.contains(SECRET));
    request.headers
}

#[test]
fn credentials_arrive_and_are_on_no_command_line() {
    let directory = tempfile::tempdir().unwrap();
    let bearer_file = Some(secret_file(&directory, &format!("{SECRET}\n")));
    let headers = headers_with(&ConnectionArguments { bearer_file, ..ConnectionArguments::default() });
    assert!(headers.contains(&format!("Authorization: Bearer {SECRET}")), "{headers:?}");

    let options = format!("user = \"name:{SECRET}\"\nheader = \"X-Scope-OrgID: team-a\"\nverbose\n");
    let curl_config = Some(secret_file(&directory, &options));
    let headers = headers_with(&ConnectionArguments { curl_config, ..ConnectionArguments::default() });
    assert!(headers.contains(&"X-Scope-OrgID: team-a".to_owned()), "{headers:?}");
    assert!(headers.iter().any(|header| header.starts_with("Authorization: Basic ")), "{headers:?}");

    let aws_sigv4 = Some("eu-west-1".to_owned());
    let headers = headers_with(&ConnectionArguments { aws_sigv4, ..ConnectionArguments::default() });
    let signature =
        headers.iter().find(|header| header.starts_with("Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"));
    let signature = signature.unwrap_or_else(|| panic!("{headers:?}"));
    assert!(signature.contains("/eu-west-1/aps/aws4_request, SignedHeaders="), "{signature}");
    assert!(!signature.contains(SECRET));
    assert!(headers.contains(&format!("X-Amz-Security-Token: session-{SECRET}")), "{headers:?}");
}

#[test]
fn files_of_secrets_that_others_can_read_are_warned_of() {
    let directory = tempfile::tempdir().unwrap();
    let path = secret_file(&directory, "header = \"a: b\"\n");
    let arguments = ConnectionArguments { curl_config: Some(path.clone()), ..ConnectionArguments::default() };
    let warnings = |arguments| Credentials::new(arguments, &|_| None).map(|credentials| credentials.warnings());
    assert_eq!(warnings(&arguments).unwrap(), Vec::<String>::new());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(warnings(&arguments).unwrap()[0].contains("can be read by other users"));
}

#[test]
fn credentials_that_are_missing_are_errors() {
    let error = |arguments: &ConnectionArguments| Credentials::new(arguments, &|_| None).err().unwrap().to_string();
    let missing = Some(PathBuf::from("/nonexistent"));
    let with_curl = ConnectionArguments { curl_config: missing.clone(), ..ConnectionArguments::default() };
    assert_eq!(error(&with_curl), "\"/nonexistent\": No such file or directory (os error 2)");
    let with_bearer = ConnectionArguments { bearer_file: missing, ..ConnectionArguments::default() };
    assert!(error(&with_bearer).contains("No such file"));
    let with_region =
        |region: &str| ConnectionArguments { aws_sigv4: Some(region.to_owned()), ..ConnectionArguments::default() };
    assert_eq!(error(&with_region("eu-west-1")), "--aws-sigv4: the environment has no AWS_ACCESS_KEY_ID");
    assert_eq!(error(&with_region("a b")), "--aws-sigv4: not a region");
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let address = FakeServer::start(|_| Reply::new(200, "")).address();
    let client = Client::new(address, Credentials::default(), Arc::default());
    let error = fetch(&Export(Arc::new(client))).unwrap_err();
    assert!(matches!(error, FetchError::Unreachable { is_timeout: false, .. }), "{error:?}");
    assert!(error.to_string().contains("Failed to connect to 127.0.0.1"), "{error}");
}

#[test]
fn an_interruption_ends_curl() {
    let interrupt = Arc::new(Interrupt::default());
    let handler = interrupt.clone();
    // The signal comes while the request is answered.
    let server = FakeServer::start(move |_| {
        handler.set();
        Reply::new(200, "{").cut_off(1)
    });
    let client = Client::new(server.address(), Credentials::default(), interrupt);
    assert!(matches!(fetch(&Export(Arc::new(client))), Err(FetchError::Interrupted)));
}
