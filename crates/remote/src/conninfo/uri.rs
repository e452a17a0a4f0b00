//! Connection URIs: `postgresql://user@host:5432,other/database?sslmode=require`.

use super::error::ConninfoError;
use super::keyword_value::Sink;
use super::parameters::Keyword;

const SCHEMES: [&str; 2] = ["postgresql://", "postgres://"];

/// Returns the text behind the scheme of a connection URI.
pub(super) fn strip_scheme(text: &str) -> Option<&str> {
    SCHEMES.iter().find_map(|scheme| text.strip_prefix(scheme))
}

/// A URI that is being parsed.
struct Uri<'a> {
    text: &'a str,
}

impl Uri<'_> {
    /// Position in the URI at which a rest of it begins.
    fn position(&self, rest: &str) -> usize {
        self.text.len() - rest.len() + 1
    }

    fn error(&self, problem: &'static str, rest: &str) -> ConninfoError {
        ConninfoError::Uri { problem, position: self.position(rest) }
    }
}

/// Parses a connection URI as libpq's conninfo_uri_parse does. An `@` where a password was probably not percent-encoded is refused:
/// the rest of the password would appear as the name of a host.
pub(super) fn parse(text: &str, sink: &mut Sink<'_>) -> Result<(), ConninfoError> {
    let uri = Uri { text };
    let rest = strip_scheme(text).ok_or(ConninfoError::Scheme)?;
    let (credentials, rest) = split_credentials(rest);
    if let Some(credentials) = credentials {
        let (user, password) = credentials.split_once(':').unwrap_or((credentials, ""));
        for (keyword, value) in [("user", user), ("password", password)] {
            store_decoded(keyword, value, uri.position(rest), sink)?;
        }
    }
    let (hosts, ports, behind) = split_locations(&uri, rest)?;
    check_at_signs(&uri, credentials.is_some(), rest, behind)?;
    let position = uri.position(rest);
    store_decoded("host", &hosts, position, sink)?;
    store_decoded("port", &ports, position, sink)?;
    let query = match behind.strip_prefix('/') {
        Some(path) => {
            let (name, query) = path.split_once('?').map_or((path, None), |(name, query)| (name, Some(query)));
            store_decoded("dbname", name, uri.position(path), sink)?;
            query
        }
        None => behind.strip_prefix('?'),
    };
    query.map_or(Ok(()), |query| parse_query(&uri, query, sink))
}

/// Splits `user:password` off, if there is an `@` before the first slash.
fn split_credentials(rest: &str) -> (Option<&str>, &str) {
    match rest.find(['@', '/']) {
        Some(end) if rest[end..].starts_with('@') => (Some(&rest[..end]), &rest[end + 1..]),
        _ => (None, rest),
    }
}

/// True if there are no credentials, but an `@` behind the first slash.
pub(super) fn has_late_at_sign(rest: &str) -> bool {
    split_credentials(rest).0.is_none() && rest.contains('@')
}

/// Reads `host:port,host:port`: the hosts and the ports, both with commas, and the rest of the URI.
fn split_locations<'a>(uri: &Uri<'_>, text: &'a str) -> Result<(String, String, &'a str), ConninfoError> {
    let (mut hosts, mut ports) = (String::new(), String::new());
    let mut rest = text;
    loop {
        if let Some(bracketed) = rest.strip_prefix('[') {
            let end = bracketed.find(']').ok_or_else(|| uri.error("missing \"]\" of an IPv6 address", rest))?;
            if end == 0 {
                return Err(uri.error("empty IPv6 address", rest));
            }
            hosts.push_str(&bracketed[..end]);
            rest = &bracketed[end + 1..];
            if !rest.is_empty() && !rest.starts_with([':', '/', '?', ',']) {
                return Err(uri.error("unexpected character", rest));
            }
        } else {
            let end = rest.find([':', '/', '?', ',']).unwrap_or(rest.len());
            hosts.push_str(&rest[..end]);
            rest = &rest[end..];
        }
        if let Some(port) = rest.strip_prefix(':') {
            let end = port.find(['/', '?', ',']).unwrap_or(port.len());
            ports.push_str(&port[..end]);
            rest = &port[end..];
        }
        match rest.strip_prefix(',') {
            Some(next) => rest = next,
            None => return Ok((hosts, ports, rest)),
        }
        hosts.push(',');
        ports.push(',');
    }
}

/// Refuses an `@` in a host behind credentials, and in a database name behind something like `user:pass`, which also is a host
/// with a port.
fn check_at_signs(uri: &Uri<'_>, has_credentials: bool, locations: &str, behind: &str) -> Result<(), ConninfoError> {
    let authority = &locations[..locations.len() - behind.len()];
    let in_path = behind.split('?').next().is_some_and(|path| path.contains('@'));
    if has_credentials && authority.contains('@') {
        return Err(
            uri.error("\"@\" in a host name or port: a password with \"@\" that is not percent-encoded?", locations)
        );
    }
    if !has_credentials && authority.contains(':') && !authority.starts_with('[') && in_path {
        return Err(uri.error("\"@\" in a database name: a password with \"/\" that is not percent-encoded?", behind));
    }
    Ok(())
}

fn store_decoded(keyword: &str, value: &str, position: usize, sink: &mut Sink<'_>) -> Result<(), ConninfoError> {
    if value.is_empty() { Ok(()) } else { sink(keyword, decode(value, keyword)?, position) }
}

/// Parses `keyword=value&keyword=value`.
fn parse_query(uri: &Uri<'_>, query: &str, sink: &mut Sink<'_>) -> Result<(), ConninfoError> {
    let mut rest = query;
    while !rest.is_empty() {
        let position = uri.position(rest);
        let (pair, behind) = rest.split_once('&').unwrap_or((rest, ""));
        let (keyword, value) = pair.split_once('=').ok_or_else(|| uri.error("query parameter without \"=\"", rest))?;
        if value.contains('=') {
            return Err(uri.error("extra \"=\" in the query parameter", rest));
        }
        let keyword = decode(keyword, "a keyword")?;
        let value = decode(value, if Keyword::find(&keyword).is_some() { &keyword } else { "a value" })?;
        // As JDBC's drivers spell it.
        if keyword == "ssl" && value == "true" {
            sink("sslmode", "require".to_owned(), position)?;
        } else {
            sink(&keyword, value, position)?;
        }
        rest = behind;
    }
    Ok(())
}

/// Decodes percent-encoded bytes. Spaces at both ends are dropped, others are refused, as PostgreSQL 18 does.
fn decode(text: &str, part: &str) -> Result<String, ConninfoError> {
    let error = |problem| ConninfoError::Encoding { problem, part: part.to_owned() };
    let text = text.trim_matches(' ');
    if text.contains(' ') {
        return Err(error("unexpected space (write it as %20)"));
    }
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            decoded.push(byte);
            continue;
        }
        let mut digit = || bytes.next().and_then(|byte| char::from(byte).to_digit(16));
        match digit().zip(digit()) {
            None => return Err(error("invalid percent-encoded token")),
            Some((0, 0)) => return Err(error("forbidden value %00")),
            Some((high, low)) => decoded.push((high * 16 + low) as u8),
        }
    }
    String::from_utf8(decoded).map_err(|_| error("percent-encoded bytes that are not UTF-8"))
}
