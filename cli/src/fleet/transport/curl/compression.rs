//! Compression of answers.

use std::net::IpAddr;

/// True where an answer is faster compressed: not on this machine, where gzip takes three to eight times as long as the answer itself.
pub fn is_worthwhile(url: &str) -> bool {
    let authority = url.split("://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next(),
        None => authority.split(':').next(),
    };
    let host = host.unwrap_or_default();
    !(host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_recognised() {
        for url in ["http://localhost:9090/api", "http://127.0.0.1/api", "https://[::1]:8428/api", "http://127.1.2.3:1"]
        {
            assert!(!is_worthwhile(url), "{url}");
        }
        for url in [
            "http://prometheus:9090/api",
            "http://10.0.0.1/api",
            "https://[2001:db8::1]:1/",
            "http://localhost.example",
        ] {
            assert!(is_worthwhile(url), "{url}");
        }
    }
}
