//! Commands without the passwords in them, because commands are stored and shown.

const HIDDEN: &str = "***";

/// Words that name a secret, at the end of an option's, a variable's or a connection parameter's name.
const SECRETS: [&str; 5] = ["password", "passwd", "pass", "secret", "token"];

fn names_secret(name: &str) -> bool {
    let name = name.trim_end().to_ascii_lowercase();
    SECRETS.iter().any(|secret| name.ends_with(secret))
}

/// The arguments of a command, without passwords: `--pgsql-password=…`, `--password …`, `PGPASSWORD=…`, `password=…` in a
/// connection string, and those in addresses such as `postgresql://user:…@host/`.
pub fn arguments(command: &[String]) -> Vec<String> {
    let mut secret_follows = false;
    let mut shown = Vec::with_capacity(command.len());
    for argument in command {
        let hide = std::mem::replace(&mut secret_follows, is_secret_option(argument));
        shown.push(match hide && !argument.starts_with('-') {
            true => HIDDEN.to_owned(),
            false => address(&parameters(argument)),
        });
    }
    shown
}

/// `--password`, whose value is the next argument. pgbench's own asks for one instead; what follows is hidden all the same.
fn is_secret_option(argument: &str) -> bool {
    argument.starts_with("--") && !argument.starts_with("--no-") && !argument.contains('=') && names_secret(argument)
}

/// Whether a connection string has a password in it.
pub fn has_password(conninfo: &str) -> bool {
    arguments(&[conninfo.to_owned()])[0] != conninfo
}

/// Hides what stands behind `password=`, up to white space, or up to the closing quote.
fn parameters(argument: &str) -> String {
    let mut shown = String::with_capacity(argument.len());
    let mut rest = argument;
    while let Some(at) = rest.find('=') {
        let (name, behind) = (&rest[..at], &rest[at + 1..]);
        shown.push_str(&rest[..=at]);
        rest = behind;
        let word = name.rsplit([' ', '&', '?', ';', ',', '\'', '"', '\n', '\t']).find(|word| !word.is_empty());
        if !word.is_some_and(names_secret) {
            continue;
        }
        let value = behind.trim_start();
        let length = behind.len() - value.len() + value_length(value);
        if !value.is_empty() {
            shown.push_str(HIDDEN);
        }
        rest = &behind[length..];
    }
    shown + rest
}

/// How long a value is, with its quotes.
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
fn address(argument: &str) -> String {
    let mut shown = String::with_capacity(argument.len());
    let mut rest = argument;
    while let Some(at) = rest.find("://") {
        let (before, behind) = rest.split_at(at + 3);
        shown.push_str(before);
        let authority = behind.find(['/', '?', ' ', '\'', '"']).unwrap_or(behind.len());
        // A password may hold an @ of its own: the last one ends it.
        let credentials = behind[..authority].rfind('@').and_then(|end| Some((behind[..end].find(':')?, end)));
        rest = match credentials {
            Some((colon, end)) => {
                shown.push_str(&behind[..=colon]);
                shown.push_str(HIDDEN);
                &behind[end..]
            }
            None => behind,
        };
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(command: &[&str]) -> String {
        arguments(&command.iter().map(|&word| word.to_owned()).collect::<Vec<_>>()).join(" ")
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
            let shown = shown(command);
            assert_eq!(shown, expected);
            assert!(!shown.contains("hush"));
        }
    }

    #[test]
    fn what_is_no_password_stays() {
        for command in [
            &["pgbench", "-c", "16", "-T", "600", "--no-password", "bench"][..],
            &["pgbench", "postgresql://u@host:5432/db", "PGPASSFILE=/root/.pgpass"],
            &["sysbench", "oltp_read_write", "--threads=4", "--db-driver=pgsql", "run"],
            &["x", "", "=", "a=", "://", "é=ü"],
        ] {
            assert_eq!(shown(command), command.join(" "));
        }
        assert!(has_password("host=a password=b"));
        assert!(has_password("postgresql://a:b@c/d"));
        assert!(!has_password("host=a user=b passfile=/c"));
    }
}
