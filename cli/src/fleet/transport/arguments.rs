//! Arguments that say where the samples are.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ebs_prometheus::Selector;

use crate::fetch_error::FetchError;
use crate::redact;

/// Arguments of the connection.
#[derive(Args, Clone, Debug, Default)]
pub struct ConnectionArguments {
    /// Address of Prometheus, VictoriaMetrics, Thanos, Mimir or another with their API, before /api/v1
    #[arg(long, value_name = "URL", conflicts_with_all = ["files", "rows"])]
    pub prometheus: Option<String>,
    /// Files or directories of JSON lines in VictoriaMetrics' export format, plain or gzip, instead of a server
    #[arg(value_name = "FILE", conflicts_with = "rows")]
    pub files: Vec<PathBuf>,
    /// Selector that the series meet, such as 'job="postgres",env=~"prod.*"'; repeated: one of them
    #[arg(long = "match", value_name = "SELECTOR")]
    pub matches: Vec<Selector>,
    /// Way of reading samples
    #[arg(long, value_enum, default_value_t, conflicts_with = "files")]
    pub transport: TransportChoice,
    /// File of curl's options: user, header, cert, key, cacert, proxy, netrc …
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    pub curl_config: Option<PathBuf>,
    /// File with a bearer token alone, read before each request
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "aws_sigv4"])]
    pub bearer_file: Option<PathBuf>,
    /// Signs requests for this region (Amazon Managed Service for Prometheus) with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
    /// AWS_SESSION_TOKEN; REGION:SERVICE for another service than aps
    #[arg(long, value_name = "REGION", conflicts_with = "files")]
    pub aws_sigv4: Option<String>,
}

impl ConnectionArguments {
    /// True where a faster way than instant queries is named, so that those are not tried.
    pub fn is_faster_way_named(&self) -> bool {
        matches!(self.transport, TransportChoice::RemoteRead | TransportChoice::Export)
    }
}

/// Way of reading samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TransportChoice {
    /// The fastest that the server has, found by probing
    #[default]
    Auto,
    /// Prometheus' streamed remote read
    RemoteRead,
    /// VictoriaMetrics' export
    Export,
    /// Instant queries
    Query,
}

/// Address of a server, without a slash at its end.
pub fn check_address(address: &str) -> Result<String, FetchError> {
    let argument = |message: &str, hint| FetchError::Argument { message: format!("--prometheus: {message}"), hint };
    let example = "For example: --prometheus https://prometheus.example:9090";
    if redact::has_password(address) || address.split(['/', '?']).nth(2).is_some_and(|host| host.contains('@')) {
        let hint = "Write user = \"name:password\" into a file that only you can read, and name it with --curl-config.";
        return Err(argument("a password on a command line is seen by all users of the machine", hint));
    }
    let scheme_end = address.find("://").map_or(0, |at| at + 3);
    if !matches!(&address[..scheme_end], "http://" | "https://") || address.len() == scheme_end {
        return Err(argument("the address does not begin with http:// or https://", example));
    }
    if address.contains(['?', '#']) || address.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(argument("the address has more than a host, a port and a path", example));
    }
    Ok(address.trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_host_and_no_password() {
        assert_eq!(check_address("https://a.example/prom//").unwrap(), "https://a.example/prom");
        for (address, problem) in [
            ("a.example:9090", "does not begin with"),
            ("ftp://a", "does not begin with"),
            ("http://", "does not begin with"),
            ("http://a/?x=1", "more than a host"),
            ("http://a b", "more than a host"),
            ("http://user:hush@a/", "a password on a command line"),
            ("http://hush@a/", "a password on a command line"),
        ] {
            let error = check_address(address).unwrap_err();
            assert!(error.to_string().contains(problem), "{error}");
            assert!(!error.to_string().contains("hush"), "{error}");
            assert!(error.hint().is_some());
        }
    }
}
