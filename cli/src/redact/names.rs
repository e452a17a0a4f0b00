//! Names of secrets: options, variables, connection parameters, headers, keys of JSON.

/// Text in place of a secret.
pub const HIDDEN: &str = "***";

/// Ends of names of secrets, in lower case and without hyphens, underscores and points.
const SECRETS: [&str; 21] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pass",
    "pwd",
    "secret",
    "token",
    "bearer",
    "accesskey",
    "accountkey",
    "apikey",
    "appkey",
    "encryptionkey",
    "licensekey",
    "masterkey",
    "privatekey",
    "secretkey",
    "signature",
    "credential",
    "credentials",
];
/// Whole names of secrets: as ends they would hide other words.
const WHOLE: [&str; 10] = [
    "rediscliauth",
    "authorization",
    "proxyauthorization",
    "auth",
    "cookie",
    "setcookie",
    "pw",
    "sig",
    "pat",
    "githubpat",
];
/// Names of options whose value is a user or a file, a colon and a password.
const CREDENTIALS: [&str; 5] = ["user", "proxy-user", "cert", "proxy-cert", "login"];

/// True of a name of a secret; libpq decodes names in addresses, such as `pass%77ord`.
pub fn is_secret(name: &str) -> bool {
    let decoded = decode(name.trim_end());
    let name: String =
        decoded.chars().filter(|c| !matches!(c, '-' | '_' | '.')).collect::<String>().to_ascii_lowercase();
    SECRETS.iter().any(|secret| name.ends_with(secret)) || WHOLE.contains(&name.as_str())
}

/// True of a long option, without its hyphens, whose value has a password behind a colon.
pub fn is_credentials(option: &str) -> bool {
    CREDENTIALS.contains(&option)
}

/// A name without its percent-encoding.
fn decode(name: &str) -> String {
    let mut parts = name.split('%');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok()).filter(u8::is_ascii);
        match code {
            Some(code) => {
                decoded.push(char::from(code));
                decoded.push_str(&part[2..]);
            }
            None => decoded.push_str(part),
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_their_marks() {
        for name in
            ["--pgsql-password", "AWS_SECRET_ACCESS_KEY", "X-Api-Key", "db.passwd", "pass%77ord", "sessionToken"]
        {
            assert!(is_secret(name), "{name}");
        }
        for name in ["passfile", "PGPASSFILE", "AWS_ACCESS_KEY_ID", "tokens", "author", "key", "%", "pass%zzfile"] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
