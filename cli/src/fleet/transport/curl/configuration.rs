//! Options in the format of curl's configuration files (<https://curl.se/docs/manpage.html#-K>).

use std::path::Path;

/// Seconds until a connection has to be there.
const CONNECT_SECONDS: u32 = 20;
/// Seconds of less than the minimum rate, or of silence, after which a request is given up; servers end a query after two minutes.
const SLOW_SECONDS: u32 = 180;
/// Minimum rate, bytes a second: an engine that has begun to answer sends thousands of times as much, even over a modem.
const MIN_RATE: u32 = 1_000;
/// Seconds after which a request is given up however fast its answer is, unless the user's file says otherwise. The largest answer that is
/// taken, 20 million samples, comes in minutes; a server could send for ever.
pub const MAX_SECONDS: u32 = 1_800;

/// Options of one request. No `Debug`: secrets are in no message.
pub struct Configuration(String);

impl Configuration {
    /// Options of a request with a body in a file, and credentials.
    pub fn new(url: &str, headers: &[&str], body: &Path, credentials: &[(&'static str, String)]) -> Configuration {
        let mut configuration = Configuration(String::new());
        // Without a buffer, the head of an answer is known before the first piece of its body is whole.
        for flag in ["include", "no-buffer", "no-progress-meter", "show-error", "globoff", "suppress-connect-headers"] {
            configuration.0.push_str(flag);
            configuration.0.push('\n');
        }
        configuration.set("url", url);
        configuration.set("proto", "=http,https");
        configuration.set("data-binary", &format!("@{}", body.display()));
        configuration.set("connect-timeout", &CONNECT_SECONDS.to_string());
        configuration.set("speed-limit", &MIN_RATE.to_string());
        configuration.set("speed-time", &SLOW_SECONDS.to_string());
        configuration.set("user-agent", concat!("ebsctl/", env!("CARGO_PKG_VERSION")));
        // Bodies are sent at once, without a second of waiting for the server's consent.
        configuration.set("header", "Expect:");
        headers.iter().for_each(|header| configuration.set("header", header));
        credentials.iter().for_each(|(name, value)| configuration.set(name, value));
        configuration
    }

    fn set(&mut self, name: &str, value: &str) {
        self.0.push_str(name);
        self.0.push_str(" = \"");
        for letter in value.chars() {
            match letter {
                '\\' => self.0.push_str("\\\\"),
                '"' => self.0.push_str("\\\""),
                '\n' => self.0.push_str("\\n"),
                '\r' => self.0.push_str("\\r"),
                '\t' => self.0.push_str("\\t"),
                letter => self.0.push(letter),
            }
        }
        self.0.push_str("\"\n");
    }

    /// The text for curl's standard input.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted() {
        let configuration =
            Configuration::new("http://a/\"\\\n", &["X-A: b"], Path::new("/tmp/x"), &[("user", "a:b\"c".to_owned())]);
        for line in [
            r#"url = "http://a/\"\\\n""#,
            r#"data-binary = "@/tmp/x""#,
            r#"header = "X-A: b""#,
            r#"user = "a:b\"c""#,
            "include",
        ] {
            assert!(configuration.0.lines().any(|found| found == line), "{line}");
        }
    }
}
