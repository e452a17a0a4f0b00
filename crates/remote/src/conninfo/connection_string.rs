//! Connection strings of either form, and plain database names.

use super::error::{ConninfoError, Source};
use super::keyword_value::{self, Sink};
use super::parameters::{KEYWORDS, Keyword};
use super::uri;
use super::values::Values;

/// Longest connection string, and longest value of a variable, bytes.
pub const MAX_STRING_BYTES: usize = 64 * 1024;

/// Reads a connection string, or the name of a database.
pub(super) fn read(given: &str, values: &mut Values) -> Result<(), ConninfoError> {
    if given.len() > MAX_STRING_BYTES {
        return Err(ConninfoError::TooLong {
            subject: "the connection string".to_owned(),
            max_bytes: MAX_STRING_BYTES,
        });
    }
    // An unquoted slash in a password makes the rest of it a path and a query.
    values.hides_string = uri::strip_scheme(given).is_some_and(uri::has_late_at_sign);
    if uri::strip_scheme(given).is_some() || given.contains('=') {
        store_all(given, &mut |keyword: &str, value, position| store(values, keyword, value, position))
    } else if given.contains("://") {
        Err(ConninfoError::Scheme)
    } else if given.is_empty() {
        Ok(())
    } else {
        values.set(Keyword::DbName, given.to_owned(), Source::ConnectionString)
    }
}

fn store_all(given: &str, sink: &mut Sink<'_>) -> Result<(), ConninfoError> {
    if uri::strip_scheme(given).is_some() { uri::parse(given, sink) } else { keyword_value::parse(given, sink) }
}

fn store(values: &mut Values, keyword: &str, value: String, position: usize) -> Result<(), ConninfoError> {
    // The deprecated predecessor of sslmode.
    let (keyword, value) = if keyword == "requiressl" {
        ("sslmode", if value.starts_with('1') { "require" } else { "prefer" }.to_owned())
    } else {
        (keyword, value)
    };
    let Some(found) = Keyword::find(keyword) else {
        let is_word = keyword.len() < 64 && keyword.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let name = (is_word && !values.hides_string).then(|| keyword.to_owned());
        return Err(ConninfoError::UnknownOption { name, position });
    };
    values.hides_string |= found.parameter().is_secret();
    values.set(found, value, Source::ConnectionString)
}

/// True if a connection string has a password or another secret: anybody who lists the processes of the machine reads it on a
/// command line. A string that cannot be parsed counts as one if it mentions any.
pub fn has_password(given: &str) -> bool {
    let mut found = false;
    let mut look = |keyword: &str, value: String, _| {
        found |= !value.is_empty() && Keyword::find(keyword).is_some_and(|keyword| keyword.parameter().is_secret());
        Ok(())
    };
    let is_uri = uri::strip_scheme(given).is_some();
    let parsed = if is_uri || given.contains('=') { store_all(given, &mut look) } else { Ok(()) };
    let unparsed = parsed.is_err() || (given.contains("://") && !is_uri);
    let mentions = || {
        let secrets = KEYWORDS.iter().map(|keyword| keyword.parameter()).filter(|parameter| parameter.is_secret());
        given.contains('@') || secrets.map(|parameter| parameter.name).any(|name| given.contains(name))
    };
    found || (unparsed && mentions())
}
