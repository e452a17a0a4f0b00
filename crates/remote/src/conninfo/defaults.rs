//! Variables and defaults, for parameters that neither the connection string nor the service gives.

use super::connection_string::MAX_STRING_BYTES;
use super::environment::Environment;
use super::error::{ConninfoError, Source};
use super::parameters::{KEYWORDS, Keyword};
use super::values::Values;

/// Fills the gaps, as libpq's conninfo_add_defaults does.
pub(super) fn add_defaults(values: &mut Values, environment: &dyn Environment) -> Result<(), ConninfoError> {
    for keyword in KEYWORDS {
        let variable = keyword.parameter().variable;
        if let Some((name, text)) = variable.and_then(|name| Some((name, environment.variable(name)?))) {
            if text.len() > MAX_STRING_BYTES {
                let subject = format!("the variable {name}");
                return Err(ConninfoError::TooLong { subject, max_bytes: MAX_STRING_BYTES });
            }
            values.fill(keyword, text, Source::Variable(name))?;
        }
    }
    add_ssl_mode(values, environment)?;
    for keyword in KEYWORDS {
        if let Some(default) = keyword.parameter().default {
            values.fill(keyword, default.to_owned(), Source::Default)?;
        }
    }
    Ok(())
}

/// `PGREQUIRESSL`, which is deprecated, and the default that `sslrootcert=system` has.
fn add_ssl_mode(values: &mut Values, environment: &dyn Environment) -> Result<(), ConninfoError> {
    let variable = "PGREQUIRESSL";
    if environment.variable(variable).is_some_and(|text| text.starts_with('1')) {
        values.fill(Keyword::SslMode, "require".to_owned(), Source::Variable(variable))?;
    }
    if values.get(Keyword::SslRootCert) == Some("system") {
        values.fill(Keyword::SslMode, "verify-full".to_owned(), Source::Default)?;
    }
    Ok(())
}
