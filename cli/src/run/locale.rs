//! Locale of a load driver whose output is parsed.

use std::ffi::OsString;

/// Returns variables to set (`Some`) and to remove (`None`), so that messages are English and numbers have a decimal point,
/// whatever a driver, or a script around it, does with a locale. Characters keep the user's encoding. `all` is the user's LC_ALL, which
/// would override the others.
pub fn variables(all: Option<OsString>) -> Vec<(&'static str, Option<OsString>)> {
    let c = |name| (name, Some(OsString::from("C")));
    let mut variables = vec![c("LC_MESSAGES"), c("LC_NUMERIC")];
    if let Some(all) = all.filter(|all| !all.is_empty()) {
        variables.extend([("LC_ALL", None), ("LC_CTYPE", Some(all.clone())), ("LANG", Some(all))]);
    }
    variables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_numbers_are_those_of_c() {
        let found = variables(None);
        assert_eq!(found, [("LC_MESSAGES", Some("C".into())), ("LC_NUMERIC", Some("C".into()))]);
    }

    /// LC_ALL overrides every other variable (POSIX, "Environment Variables", 8.2).
    #[test]
    fn the_users_encoding_outlives_lc_all() {
        let found = variables(Some("de_DE.UTF-8".into()));
        assert!(found.contains(&("LC_ALL", None)) && found.contains(&("LC_CTYPE", Some("de_DE.UTF-8".into()))));
    }
}
