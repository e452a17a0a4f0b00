//! Choice of a transport, against a server of our own.

use super::fake_server::{FakeServer, Received, Reply};
use super::http_tests::{client, count, fetch, matrix, resilient_boxed, retry};
use super::interface::Transport;
use super::probe::{probe, remote_read};

#[test]
fn the_fastest_transport_is_chosen() {
    type Answer = fn(&Received) -> Reply;
    let prometheus: Answer = |request| match request.path.as_str() {
        "/api/v1/read" => Reply::new(200, "").with_header("Content-Type: application/x-streamed-protobuf"),
        _ => Reply::new(404, "404 page not found"),
    };
    let thanos: Answer = |request| match request.path.as_str() {
        "/api/v1/query" => Reply::new(200, matrix(request)),
        // A page for people, as proxies give it for any path.
        "/api/v1/export" => Reply::new(200, "<html></html>").with_header("Content-Type: text/html"),
        _ => Reply::new(403, "not allowed"),
    };
    let victoria: Answer = |_| Reply::new(200, "").with_header("Content-Type: application/stream+json; charset=utf-8");
    for (answer, expected) in [(prometheus, "remote read"), (thanos, "instant query"), (victoria, "export")] {
        let server = FakeServer::start(answer);
        assert_eq!(probe(&client(&server), &retry()).ok().map(|transport| transport.name()), Some(expected));
    }
    let other = FakeServer::start(|_| Reply::new(404, "404 page not found"));
    let error = probe(&client(&other), &retry()).err().unwrap();
    assert!(error.to_string().starts_with("no transport works: export: the server refuses the request (HTTP 404): "));
}

#[test]
fn a_path_that_fails_for_good_is_replaced_by_queries() {
    let probed = |answer: fn(&Received) -> Reply| {
        let server = FakeServer::start(answer);
        let probed = probe(&client(&server), &retry());
        let count = server.received().iter().filter(|request| request.path == "/api/v1/read").count();
        (probed.map(|transport| (transport.name(), transport.replaced())), count)
    };
    let (found, attempts) = probed(|request| match request.path.as_str() {
        "/api/v1/query" => Reply::new(200, matrix(request)),
        "/api/v1/read" => Reply::new(500, "read store"),
        _ => Reply::new(404, "404 page not found"),
    });
    let reason = "remote read: the server cannot answer now (HTTP 500): read store".to_owned();
    assert_eq!((found.unwrap(), attempts), (("instant query", Some(reason)), 6));
    // Nor is anything decided by a server that answers nothing, or has too much to do.
    let (found, _) = probed(|request| Reply::new(if request.path.ends_with("export") { 404 } else { 503 }, ""));
    assert_eq!(found.unwrap_err().to_string(), "the server cannot answer now (HTTP 503) (after 6 attempts)");
    let (found, _) = probed(|request| match request.path.as_str() {
        "/api/v1/query" => Reply::new(200, matrix(request)),
        _ => Reply::new(429, ""),
    });
    assert_eq!(found.unwrap_err().to_string(), "the server cannot answer now (HTTP 429) (after 6 attempts)");
}

#[test]
fn a_path_that_fails_for_real_requests_alone_is_replaced_too() {
    let server = FakeServer::start(|request| match request.path.as_str() {
        "/api/v1/query" => Reply::new(200, matrix(request)),
        // The probe has a name of its own in its body, which is compressed and short.
        "/api/v1/read" if request.form.contains("ebsctl_probe") => {
            Reply::new(200, "").with_header("Content-Type: application/x-streamed-protobuf")
        }
        "/api/v1/read" => Reply::new(500, ""),
        _ => Reply::new(404, ""),
    });
    let transport = resilient_boxed(probe(&client(&server), &retry()).unwrap());
    assert_eq!((transport.name(), transport.replaced()), ("remote read", None));
    assert_eq!(count(&fetch(&transport).unwrap()), 1000);
    assert_eq!(transport.name(), "instant query");
    assert_eq!(transport.replaced().unwrap(), "remote read: the server cannot answer now (HTTP 500)");
    // One that was named stays.
    let named = resilient_boxed(remote_read(&client(&server)));
    assert!(fetch(&named).unwrap_err().is_server_error());
}
