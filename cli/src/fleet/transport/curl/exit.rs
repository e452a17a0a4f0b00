//! Exit statuses of curl (<https://curl.se/docs/manpage.html#EXIT>).

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use crate::fetch_error::FetchError;
use crate::redact::redact;

/// The error of a curl that did not succeed; `is_tls` of a request over TLS. Its own last message is used, never other lines, which could show headers.
pub fn error_of_exit(status: ExitStatus, messages: &str, is_tls: bool) -> FetchError {
    let line = messages.lines().rev().find(|line| line.starts_with("curl: ")).unwrap_or_default();
    let message = line.trim_start_matches("curl: ");
    let message = match message.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
        Some((_, text)) => text,
        None => message,
    };
    let mut message = redact(&[message.to_owned()]).concat();
    let code = status.code();
    if message.is_empty() {
        message = match (code, status.signal()) {
            (_, Some(signal)) => format!("curl was ended by signal {signal}"),
            (code, None) => format!("curl ended with exit status {}", code.unwrap_or_default()),
        };
    }
    match code {
        // The other end's reason; with TLS 1.3 it comes after the handshake, as an answer.
        Some(35 | 55 | 56) if message.contains(" alert ") => FetchError::Certificate(message),
        // The same, where the connection was closed before curl had read the reason.
        Some(35 | 52 | 55) if is_tls => FetchError::Closed(message),
        // Resolved, connected, silence, TLS handshake, sent, received: all may go well later.
        Some(5 | 6 | 7 | 28 | 35 | 52 | 55 | 16) | None => {
            FetchError::Unreachable { message, is_timeout: code == Some(28) }
        }
        // Cut off, or of another encoding than its head says.
        Some(61) => FetchError::CutOff(format!("the answer cannot be decompressed: {message}")),
        Some(18 | 23 | 56 | 92 | 95 | 96) => FetchError::CutOff(format!("the answer is cut off: {message}")),
        Some(51 | 53 | 54 | 58 | 59 | 60 | 64 | 66 | 77 | 80 | 82 | 83 | 90 | 91) => FetchError::Certificate(message),
        _ => FetchError::Configuration(message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: i32, messages: &str) -> FetchError {
        error_of_exit(ExitStatus::from_raw(code << 8), messages, false)
    }

    #[test]
    fn exits_are_told_apart() {
        let refused = error(7, "curl: (7) Failed to connect to a port 9 after 0 ms: Couldn't connect to server\n");
        assert!(refused.is_transient() && !refused.is_timeout());
        assert_eq!(
            refused.to_string(),
            "the server was not reached: Failed to connect to a port 9 after 0 ms: Couldn't connect to server"
        );
        assert!(error(28, "").is_timeout());
        assert!(matches!(error(18, ""), FetchError::CutOff(_)));
        assert!(matches!(error(60, ""), FetchError::Certificate(_)));
        let option = error(2, "> Authorization: hush\ncurl: option --x: is unknown\n");
        assert_eq!(option.to_string(), "curl: option --x: is unknown");
        assert!(!option.is_transient());
        assert!(error_of_exit(ExitStatus::from_raw(9), "", true).to_string().ends_with("curl was ended by signal 9"));
    }

    #[test]
    fn a_missing_certificate_is_told_from_a_broken_connection() {
        let alert = "curl: (56) OpenSSL SSL_read: OpenSSL/3.0.19: error:0A000412:SSL routines::sslv3 alert bad certificate, errno 0\n";
        assert!(matches!(error(56, alert), FetchError::Certificate(_)));
        assert!(matches!(error(35, &alert.replace("56", "35")), FetchError::Certificate(_)));
        let closed = |is_tls| {
            let message = "curl: (55) getpeername() failed with errno 107: Transport endpoint is not connected\n";
            error_of_exit(ExitStatus::from_raw(55 << 8), message, is_tls)
        };
        assert!(closed(true).is_transient() && closed(true).hint().unwrap().contains("cert and key"));
        assert!(matches!(closed(false), FetchError::Unreachable { .. }));
        assert!(matches!(error(56, "curl: (56) Recv failure: Connection reset by peer"), FetchError::CutOff(_)));
    }
}
