//! Programs whose short options are passwords. `-p 5432` is the port of pgbench, and the password of go-tpc.

/// Kind of a program, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Not known: `-p` may be a port or a password.
    Unknown,
    /// PostgreSQL's own: `-p` is a port, and `--password` and `-W` have no value.
    Libpq,
    /// A program with a password in this short option.
    Password(char),
}

/// Beginnings of names of programs, with the short option that is a password.
const PASSWORDS: [(&str, char); 18] = [
    ("mysql", 'p'),
    ("mariadb", 'p'),
    ("mycli", 'p'),
    ("go-tpc", 'p'),
    ("tpcc_", 'p'),
    ("mongo", 'p'),
    ("cqlsh", 'p'),
    ("cassandra-stress", 'p'),
    ("sshpass", 'p'),
    ("pgreplay", 'W'),
    ("redis-", 'a'),
    ("valkey-", 'a'),
    ("memtier_benchmark", 'a'),
    ("sqlcmd", 'P'),
    ("bcp", 'P'),
    ("ldap", 'w'),
    ("htpasswd", 'b'),
    ("ipmitool", 'P'),
];
/// Names of PostgreSQL's programs, beside those that begin with `pg_`.
const LIBPQ: [&str; 11] = [
    "psql",
    "pgbench",
    "createdb",
    "createuser",
    "dropdb",
    "dropuser",
    "clusterdb",
    "reindexdb",
    "vacuumdb",
    "pgcli",
    "postgres",
];

impl Program {
    /// The program that a word names, with or without its directory; `None` of other words.
    pub fn from_word(word: &str) -> Option<Program> {
        let name = word.rsplit('/').next().unwrap_or_default();
        let password = PASSWORDS.iter().find(|(beginning, _)| name.starts_with(beginning));
        match password {
            Some((_, letter)) => Some(Program::Password(*letter)),
            None if name.starts_with("pg_") || LIBPQ.contains(&name) => Some(Program::Libpq),
            None => None,
        }
    }

    /// True if this short option is a password, attached to it or in the next argument.
    pub fn is_password(self, letter: char) -> bool {
        match self {
            Program::Unknown => letter == 'p',
            Program::Libpq => false,
            Program::Password(password) => password == letter,
        }
    }

    /// True of a value that is shown nevertheless: of a program that is not known a port (`5432`, `5432:5432`), and a property
    /// (`recordcount=1000` of ycsb), whose own name says if it is a secret.
    pub fn shows(self, value: &str) -> bool {
        let is_port = value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b'-'));
        self == Program::Unknown && (is_port || value.contains('='))
    }
}
