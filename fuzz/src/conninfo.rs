//! Connection strings, with the service file, the password file and the variables behind them.

use std::io;

use ebs_remote::conninfo::{ConninfoError, Environment, FileStatus, MAX_HOSTS, has_password, resolve};

/// Every file has one text. A variable that the text has as `NAME=value` in its first lines is set; without a text nothing exists.
pub struct Texts<'a>(
    /// The text.
    pub Option<&'a str>,
);

impl Environment for Texts<'_> {
    fn variable(&self, name: &str) -> Option<String> {
        let mut lines = self.0?.lines().take(64);
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix('=')).map(str::to_owned)
    }

    fn read(&self, _: &str) -> io::Result<String> {
        self.0.map(str::to_owned).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn status(&self, _: &str) -> io::Result<FileStatus> {
        self.0
            .map(|_| FileStatus { is_regular: true, permissions: 0o600 })
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn account(&self) -> Result<String, String> {
        Ok("dba".to_owned())
    }

    fn account_home(&self) -> Option<String> {
        Some("/home/dba".to_owned())
    }
}

/// A connection string in the first line; files and variables behind it.
pub fn conninfo(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (given, texts) = text.split_once('\n').unwrap_or((text, ""));
    check_error(
        given,
        resolve(Some(given), &Texts(Some(texts))).map(|settings| {
            assert!((1..=MAX_HOSTS).contains(&settings.endpoints.len()));
            assert!(settings.endpoints.iter().all(|endpoint| endpoint.is_socket() != endpoint.sockets().is_empty()));
            let passwords = settings.endpoints.iter().filter_map(|endpoint| settings.password_for(endpoint));
            assert!(passwords.map(|password| password.expose().to_owned()).all(|password| !password.is_empty()));
        }),
    );
    check_error(
        given,
        resolve(Some(given), &Texts(None)).map(|settings| {
            let password = settings.password_for(&settings.endpoints[0]);
            assert!(password.is_none() || has_password(given), "a password that is not recognized");
        }),
    );
}

/// A message is short, and does not quote a whole string that can have a password.
fn check_error(given: &str, result: Result<(), ConninfoError>) {
    if let Err(error) = result {
        let message = error.to_string();
        assert!(!message.ends_with('.') && error.hint().ends_with('.'), "{message}");
        assert!(given.len() < 16 || !has_password(given) || !message.contains(given), "{message}");
    }
}

/// Strings of both forms, and what stands behind them.
pub fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "host=a,/run,@b port=1,2,3 user='a \\'b' dbname = d sslmode=verify-full connect_timeout=10\na:1:d:*:secret\\:1\n*:*:*:*:x\n",
        "postgresql://u:p%40@[::1]:5433,h/d?sslmode=require&target_session_attrs=read-write&options=-c%20a%3Db\n",
        "service=s keepalives_idle=60\n# comment\n[t]\nhost=o\n[s]\nhost=h\nport=6\nrequire_auth=scram-sha-256,none\n",
        "d\nPGHOST=h\nPGHOSTADDR=10.0.0.1\nPGSSLMODE=require\nPGSSLROOTCERT=/r\nPGTZ=UTC\nh:5432:d:dba:x\n",
        "hostaddr=::1 gssencmode=prefer require_auth=!password,!md5 ssl_min_protocol_version=TLSv1.3 sslrootcert=system\n",
        "postgres://%2Frun/d?ssl=true&password=x\n",
        "\nPGSERVICE=s\nPGSERVICEFILE=/s\n[s]\nuser=u\npassword=x\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}
