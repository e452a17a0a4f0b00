//! Advice on errors of requests and files, by the cause of each.

use std::io;

use crate::fetch_error::FetchError;
use crate::file_hint::write_hint;

const ADDRESS: &str =
    "--prometheus is the address before /api/v1, with the path where there is one, such as /prometheus.";

impl FetchError {
    /// Advice to the user.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            FetchError::Unauthorized { status, .. } => unauthorized_hint(*status),
            FetchError::Unavailable { status, .. } => unavailable_hint(*status),
            FetchError::Unreachable { is_timeout: true, .. } => {
                "The server is too slow, or a firewall drops the connection: give a shorter --since, fewer --jobs, or narrower selectors \
                 with --match."
            }
            FetchError::Unreachable { .. } => {
                "Check the host and the port of --prometheus, and the proxy: http_proxy, https_proxy and ALL_PROXY of the environment name \
                 one, and the file of --curl-config."
            }
            FetchError::Refused { status, message, is_of_api } => refused_hint(*status, message, *is_of_api),
            FetchError::NoTransport { last, .. } => return last.hint(),
            FetchError::Invalid(_) => {
                "--prometheus is the address before /api/v1; a page of a login there means that the server wants credentials."
            }
            FetchError::Closed(_) => {
                "A server that wants a client's certificate closes a connection without one: name cert and key in the file of --curl-config."
            }
            FetchError::Certificate(_) => "Name cacert, cert and key in the file of --curl-config.",
            FetchError::Configuration(_) | FetchError::CurlFile { .. } => {
                "--curl-config has curl's long options, a line each, with values in double quotes: man curl, --config."
            }
            FetchError::StartCurl(_) => "Install the program curl.",
            FetchError::TooLarge(_) | FetchError::TooSlow { .. } => {
                "Give a shorter --since, or narrower selectors with --match."
            }
            FetchError::Partial(_) => "A store of the server does not answer; its own log says which.",
            FetchError::Line { problem, .. } if problem.contains("describe-db-instances") => {
                "Name documents of RDS by --databases; the arguments are files of samples."
            }
            FetchError::Line { problem, .. } if problem.contains("describe-") => {
                "Name documents of volumes and instances by --volumes; the arguments are files of samples."
            }
            FetchError::Line { .. } => {
                "A file has VictoriaMetrics' export format, JSON lines: {\"metric\":{…},\"values\":[…],\"timestamps\":[…]}."
            }
            FetchError::File { error, .. } => return file_hint(error),
            FetchError::EmptyFile { .. } => {
                "Export the series of node_exporter again, for example by /api/v1/export of VictoriaMetrics (docs/fleet.md)."
            }
            FetchError::Pattern(_) => "Regular expressions of --match are those of RE2, and match the whole value.",
            FetchError::Argument { hint, .. } => hint,
            FetchError::Exhausted { error, .. } => return error.hint(),
            FetchError::CutOff(_) | FetchError::UnknownEncoding(_) | FetchError::Interrupted => return None,
        })
    }
}

fn unauthorized_hint(status: u16) -> &'static str {
    match status {
        403 => {
            "Give credentials that may read with --bearer-file, --aws-sigv4 or --curl-config, and the tenant where there are several."
        }
        407 => "The proxy wants credentials: proxy-user in the file of --curl-config.",
        _ => {
            "Give credentials with --bearer-file, --aws-sigv4 or --curl-config, and the tenant where there are several."
        }
    }
}

fn unavailable_hint(status: u16) -> &'static str {
    match status {
        429 => "The server limits the rate of requests: give fewer --jobs, or raise its limit.",
        408 | 504 => {
            "The server or a gateway before it ended the request: give a shorter --since, or narrower selectors with --match."
        }
        _ => "The log of the server, or of a gateway before it, has the reason.",
    }
}

/// Texts of errors about a regular expression, of RE2 and of VictoriaMetrics.
const PATTERN_TEXTS: [&str; 3] = ["regexp", "regex", "regular expression"];

fn refused_hint(status: u16, message: &str, is_of_api: bool) -> &'static str {
    let text = message.to_ascii_lowercase();
    match status {
        300..400 => {
            "Redirections are not followed, as another host could get the credentials: name the right address with --prometheus; one to a \
             login means that the server wants credentials."
        }
        404 | 405 => ADDRESS,
        _ if PATTERN_TEXTS.iter().any(|pattern| text.contains(pattern)) => {
            "The server refuses a regular expression of --match: it takes RE2, which matches the whole value."
        }
        400 | 422 if is_of_api => {
            "The server refuses the selector or the time: compare --match, --since and --until with its message."
        }
        _ => "The server, or a gateway before it, refuses the request for the reason that it names.",
    }
}

/// Advice on a file that was read, or on a temporary one that was written.
fn file_hint(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        io::ErrorKind::NotFound => Some("Check the path of the file; that of temporary files is TMPDIR's."),
        io::ErrorKind::PermissionDenied => Some("This account may not open it."),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::ReadOnlyFilesystem => {
            Some("Name a directory with free space by TMPDIR.")
        }
        _ => write_hint(error),
    }
}

#[cfg(test)]
mod tests {
    use ebs_prometheus::ServerError;

    use super::*;

    fn hint(status: u16, kind: &str, message: &str) -> &'static str {
        let error = ServerError { kind: kind.to_owned(), message: message.to_owned() };
        FetchError::from_status(status, &error, None).hint().unwrap()
    }

    /// Messages of Prometheus 2.42 and VictoriaMetrics 1.79, of gateways, and of statuses without any.
    #[test]
    fn each_cause_has_its_own_hint() {
        let pattern =
            "invalid parameter \"match[]\": 1:12: parse error: error parsing regexp: missing closing ): `prod(`";
        for (status, kind, message, part) in [
            (400, "bad_data", pattern, "regular expression of --match"),
            (422, "422", "cannot parse regexp filter", "regular expression of --match"),
            (400, "bad_data", "1:7: parse error: unexpected identifier", "refuses the selector"),
            (422, "execution", "unknown function", "refuses the selector"),
            (400, "", "Bad Request", "for the reason"),
            (302, "", "a redirection to sso.example", "are not followed"),
            (404, "", "404 page not found", "before /api/v1"),
            (405, "", "", "before /api/v1"),
            (401, "", "", "Give credentials with"),
            (403, "", "", "that may read"),
            (407, "", "", "proxy-user"),
            (204, "", "", "for the reason"),
            (402, "", "", "for the reason"),
            (530, "", "", "log of the server"),
            (429, "", "", "--jobs"),
            (500, "", "", "log of the server"),
            (503, "", "", "log of the server"),
            (504, "", "", "shorter --since"),
        ] {
            let hint = hint(status, kind, message);
            assert!(hint.contains(part), "{status} {message}: {hint}");
            assert_eq!(hint.contains("/api/v1"), matches!(status, 404 | 405), "{status} {message}: {hint}");
        }
    }
}
