//! Head of an answer: its status and the headers that matter here.

use std::io::{self, BufRead, Read};
use std::time::Duration;

use jiff::Timestamp;

/// Maximum length of all heads of an answer, bytes.
const MAX_BYTES: u64 = 256 << 10;
/// Beginning of each head.
const PROTOCOL: &str = "HTTP/";
/// Maximum delay that a server can ask for.
const MAX_DELAY: Duration = Duration::from_secs(300);

/// Head of an answer.
#[derive(Debug, Default, PartialEq)]
pub struct Head {
    /// Status, such as 200.
    pub status: u16,
    /// Media type of the body with its parameters, in lower case; empty where it is not given.
    pub content_type: String,
    retry_after: Option<String>,
    location: Option<String>,
}

impl Head {
    /// Reads the head; `None` if there is none. Of several answers, such as 100 Continue, or those of an authentication in
    /// two steps, only the last one counts.
    pub fn read(input: &mut impl BufRead) -> io::Result<Option<Head>> {
        let mut heads = input.by_ref().take(MAX_BYTES);
        let mut last = None;
        while last.as_ref().is_none_or(|head: &Head| head.status < 200)
            || heads.fill_buf()?.starts_with(PROTOCOL.as_bytes())
        {
            match read_block(&mut heads)? {
                Some(head) => last = Some(head),
                None => break,
            }
        }
        // A server may send heads without end; the rest is too short for another one.
        if heads.limit() < PROTOCOL.len() as u64 { Err(cut_off()) } else { Ok(last) }
    }

    /// The delay that the server asks for: seconds, or a time.
    pub fn retry_after(&self) -> Option<Duration> {
        self.delay_at(Timestamp::now())
    }

    fn delay_at(&self, now: Timestamp) -> Option<Duration> {
        let value = self.retry_after.as_deref()?;
        let delay = match value.parse() {
            Ok(seconds) => Duration::from_secs(seconds),
            Err(_) => {
                let time = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
                Duration::try_from(time.duration_since(now)).unwrap_or_default()
            }
        };
        Some(delay.min(MAX_DELAY))
    }

    /// True of a status that leads elsewhere, with its target.
    pub fn is_redirection(&self) -> bool {
        (300..400).contains(&self.status) && self.location.is_some()
    }

    /// The reason of a status where the body has none: the target of a redirection, without its path, which may hold a secret.
    pub fn reason(&self) -> String {
        let Some(location) = &self.location else { return String::new() };
        let host = location.split_once("://").map_or("", |(_, rest)| rest.split('/').next().unwrap_or_default());
        let host = host.rsplit('@').next().unwrap_or_default();
        match host {
            "" if location.starts_with("//") || location.contains("://") => "a redirection".to_owned(),
            "" => "a redirection to another path of the same host".to_owned(),
            host => format!("a redirection to {host}"),
        }
    }
}

fn read_block(input: &mut impl BufRead) -> io::Result<Option<Head>> {
    let mut line = String::new();
    let mut head = Head::default();
    if read_line(input, &mut line)? == 0 {
        return Ok(None);
    }
    let status =
        line.strip_prefix(PROTOCOL).and_then(|rest| rest.split_whitespace().nth(1)).and_then(|s| s.parse().ok());
    head.status = status.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "it has no status"))?;
    loop {
        if read_line(input, &mut line)? == 0 {
            return Err(cut_off());
        }
        if line.trim().is_empty() {
            return Ok(Some(head));
        }
        let Some((name, value)) = line.split_once(':') else { continue };
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-type" => head.content_type = value.to_ascii_lowercase(),
            "retry-after" => head.retry_after = Some(value.to_owned()),
            "location" => head.location = Some(value.to_owned()),
            _ => {}
        }
    }
}

fn cut_off() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "its head is cut off, or too long")
}

/// Reads a line, of any letters, and returns its length in bytes.
fn read_line(input: &mut impl BufRead, line: &mut String) -> io::Result<usize> {
    let mut bytes = Vec::new();
    let read = input.read_until(b'\n', &mut bytes)?;
    *line = String::from_utf8_lossy(&bytes).into_owned();
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Head {
        Head::read(&mut text.as_bytes()).unwrap().unwrap()
    }

    #[test]
    fn the_last_head_counts() {
        let text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 401 Unauthorized\r\nA: b\r\n\r\nHTTP/2 200\r\nContent-Type: A/B\r\n\r\n{}";
        let mut input = text.as_bytes();
        let head = Head::read(&mut input).unwrap().unwrap();
        assert_eq!((head.status, head.content_type.as_str(), input), (200, "a/b", &b"{}"[..]));
        assert_eq!(Head::read(&mut &b""[..]).unwrap(), None);
        assert!(Head::read(&mut &b"HTTP/1.1 200\r\nA: b\r\n"[..]).is_err());
        assert!(Head::read(&mut &b"x\r\n"[..]).is_err());
    }

    #[test]
    fn heads_without_end_are_an_error() {
        for head in
            ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\na: b"]
        {
            let endless = head.as_bytes().iter().cycle().take(4 << 20).copied().collect::<Vec<u8>>();
            let mut input = endless.as_slice();
            assert!(Head::read(&mut input).unwrap_err().to_string().ends_with("too long"), "{head}");
            assert!(endless.len() - input.len() <= MAX_BYTES as usize);
        }
    }

    #[test]
    fn delays_are_seconds_or_times() {
        let delay = |value: &str| {
            let now: Timestamp = "2015-10-21T07:27:58Z".parse().unwrap();
            read(&format!("HTTP/1.1 503\r\nretry-after: {value}\r\n\r\n")).delay_at(now).map(|delay| delay.as_secs())
        };
        assert_eq!(delay("7"), Some(7));
        assert_eq!(delay("Wed, 21 Oct 2015 07:28:00 GMT"), Some(2));
        assert_eq!(delay("Wed, 21 Oct 2015 07:27:00 GMT"), Some(0));
        assert_eq!(delay("99999999"), Some(300));
        assert_eq!(delay("soon"), None);
    }

    #[test]
    fn a_redirection_names_its_host_alone() {
        let reason = |value: &str| read(&format!("HTTP/1.1 302\r\nLocation: {value}\r\n\r\n")).reason();
        assert_eq!(reason("https://u:hush@sso.example/login?x=hush"), "a redirection to sso.example");
        assert_eq!(reason("/login?x=hush"), "a redirection to another path of the same host");
        assert_eq!(reason("//sso.example/login"), "a redirection");
    }
}
