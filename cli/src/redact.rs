//! Commands without their passwords, because commands are stored and shown.

const HIDDEN: &str = "***";

/// Words that name a secret, at the end of an option's, a variable's or a connection parameter's name.
const SECRETS: [&str; 5] = ["password", "passwd", "pass", "secret", "token"];

fn names_secret(name: &str) -> bool {
    let name = name.trim_end().to_ascii_lowercase();
    SECRETS.iter().any(|secret| name.ends_with(secret))
}

/// The arguments of a command, without passwords: `--pgsql-password=…`, `--password …`, `PGPASSWORD=…`, `password=…` in a
/// connection string, and those in addresses such as `postgresql://user:…@host/`.
pub fn redact(command: &[String]) -> Vec<String> {
    let mut is_value_secret = false;
    let redact_next = |argument: &String| {
        let is_secret = std::mem::replace(&mut is_value_secret, is_secret_option(argument));
        if is_secret && !argument.starts_with('-') { HIDDEN.to_owned() } else { redact_argument(argument) }
    };
    command.iter().map(redact_next).collect()
}

fn redact_argument(argument: &str) -> String {
    redact_addresses(&redact_parameters(argument))
}

/// `--password`, whose value is the next argument. pgbench prompts for one instead; the next argument is hidden nevertheless.
fn is_secret_option(argument: &str) -> bool {
    argument.starts_with("--") && !argument.starts_with("--no-") && !argument.contains('=') && names_secret(argument)
}

/// True if a connection string has a password in it.
pub fn has_password(conninfo: &str) -> bool {
    redact_argument(conninfo) != conninfo
}

/// Hides values of `password=`, up to white space, or up to the closing quote.
fn redact_parameters(argument: &str) -> String {
    let mut output = String::with_capacity(argument.len());
    let mut rest = argument;
    while let Some(at) = rest.find('=') {
        let (name, behind) = (&rest[..at], &rest[at + 1..]);
        output.push_str(&rest[..=at]);
        rest = behind;
        let word = name.rsplit([' ', '&', '?', ';', ',', '\'', '"', '\n', '\t']).find(|word| !word.is_empty());
        if !word.is_some_and(names_secret) {
            continue;
        }
        let value = behind.trim_start();
        let length = behind.len() - value.len() + value_length(value);
        if !value.is_empty() {
            output.push_str(HIDDEN);
        }
        rest = &behind[length..];
    }
    output + rest
}

/// Length of a value in bytes, with its quotes.
fn value_length(value: &str) -> usize {
    let quote = value.chars().next().filter(|first| matches!(first, '\'' | '"'));
    let Some(quote) = quote else {
        return value.find([' ', '&', '\n', '\t', '\'', '"']).unwrap_or(value.len());
    };
    let mut escaped = false;
    for (at, c) in value.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    value.len()
}

/// `postgresql://user:***@host/db`.
fn redact_addresses(argument: &str) -> String {
    let mut output = String::with_capacity(argument.len());
    let mut rest = argument;
    while let Some(at) = rest.find("://") {
        let (before, behind) = rest.split_at(at + 3);
        output.push_str(before);
        let authority = behind.find(['/', '?', ' ', '\'', '"']).unwrap_or(behind.len());
        // A password may hold an @ of its own: the last one ends it.
        let credentials = behind[..authority].rfind('@').and_then(|end| Some((behind[..end].find(':')?, end)));
        rest = match credentials {
            Some((colon, end)) => {
                output.push_str(&behind[..=colon]);
                output.push_str(HIDDEN);
                &behind[end..]
            }
            None => behind,
        };
    }
    output + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redacted(command: &[&str]) -> String {
        redact(&command.iter().map(|&word| word.to_owned()).collect::<Vec<_>>()).join(" ")
    }

    #[test]
    fn no_password_is_shown() {
        for (command, expected) in [
            (&["sysbench", "--pgsql-password=hush", "run"][..], "sysbench --pgsql-password=*** run"),
            (&["x", "--password", "hush", "-v"], "x --password *** -v"),
            (&["env", "PGPASSWORD=hush", "pgbench"], "env PGPASSWORD=*** pgbench"),
            (&["pgbench", "host=a password=hush dbname=b"], "pgbench host=a password=*** dbname=b"),
            (&["pgbench", "password = 'hu\\'s h' user=b"], "pgbench password =*** user=b"),
            (&["pgbench", "postgresql://u:hu@sh@host:5432/db?x=1"], "pgbench postgresql://u:***@host:5432/db?x=1"),
            (
                &["pgbench", "postgresql://host/db?user=u&password=hush&x=y"],
                "pgbench postgresql://host/db?user=u&password=***&x=y",
            ),
            (&["sh", "-c", "PGPASSWORD='hu sh' pgbench -c 4"], "sh -c PGPASSWORD=*** pgbench -c 4"),
            (&["sh", "-c", "PGPASSWORD=hush pgbench --password=hush2"], "sh -c PGPASSWORD=*** pgbench --password=***"),
            (&["go-tpc", "--api-token", "hush"], "go-tpc --api-token ***"),
        ] {
            let redacted = redacted(command);
            assert_eq!(redacted, expected);
            assert!(!redacted.contains("hush"));
        }
    }

    #[test]
    fn other_arguments_stay() {
        for command in [
            &["pgbench", "-c", "16", "-T", "600", "--no-password", "bench"][..],
            &["pgbench", "postgresql://u@host:5432/db", "PGPASSFILE=/root/.pgpass"],
            &["sysbench", "oltp_read_write", "--threads=4", "--db-driver=pgsql", "run"],
            &["x", "", "=", "a=", "://", "é=ü"],
        ] {
            assert_eq!(redacted(command), command.join(" "));
        }
        assert!(has_password("host=a password=b"));
        assert!(has_password("postgresql://a:b@c/d"));
        assert!(!has_password("host=a user=b passfile=/c"));
    }
}
