//! Credentials and other hosts: a server that redirects to one gets an error for an answer, and the other one nothing.

use std::fs;

use super::arguments::ConnectionArguments;
use super::fake_server::{FakeServer, Received, Reply};
use super::http::Export;
use super::http_tests::{client_with, fetch};
use super::open::open;
use crate::fetch_error::FetchError;

fn curl_file(directory: &tempfile::TempDir, options: &str) -> ConnectionArguments {
    let path = directory.path().join("curl");
    fs::write(&path, format!("user = \"me:hush\"\nheader = \"X-Api-Key: hush\"\n{options}")).unwrap();
    ConnectionArguments { curl_config: Some(path), ..ConnectionArguments::default() }
}

/// A server that redirects to another one.
fn redirecting(other: &FakeServer) -> FakeServer {
    let location = format!("Location: {}/x", other.address());
    FakeServer::start(move |_: &Received| Reply::new(302, "<a href=/x?hush>Found</a>").with_header(&location))
}

#[test]
fn a_redirection_is_not_followed() {
    let directory = tempfile::tempdir().unwrap();
    let other = FakeServer::start(|_| Reply::new(200, ""));
    let server = redirecting(&other);
    let bearer = directory.path().join("token");
    fs::write(&bearer, "hush").unwrap();
    let with_bearer = ConnectionArguments { bearer_file: Some(bearer), ..ConnectionArguments::default() };
    let with_signature =
        ConnectionArguments { aws_sigv4: Some("eu-west-1".to_owned()), ..ConnectionArguments::default() };
    for arguments in [curl_file(&directory, ""), with_bearer, with_signature] {
        let error = fetch(&Export(client_with(&server, &arguments).unwrap())).unwrap_err();
        assert!(matches!(error, FetchError::Refused { status: 302, .. }), "{error:?}");
        assert!(error.to_string().contains("a redirection to 127.0.0.1:"), "{error}");
        assert!(!error.to_string().contains("hush") && error.hint().unwrap().contains("not followed"), "{error}");
    }
    assert_eq!((server.received().len(), other.received().len()), (3, 0));
}

#[test]
fn an_option_that_follows_redirections_is_refused_before_any_request() {
    let other = FakeServer::start(|_| Reply::new(200, ""));
    let server = redirecting(&other);
    for option in ["location", "location-trusted", "location-t", "LOCATION"] {
        let directory = tempfile::tempdir().unwrap();
        let arguments =
            ConnectionArguments { prometheus: Some(server.address()), ..curl_file(&directory, &format!("{option}\n")) };
        let error = open(&arguments, &Default::default()).err().unwrap();
        assert!(matches!(error, FetchError::CurlFile { line: 3, .. }), "{error:?}");
    }
    assert_eq!((server.received().len(), other.received().len()), (0, 0));
}
