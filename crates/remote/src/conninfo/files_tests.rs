//! Tests of service files and password files.

use super::fixtures::Fixture;
use super::{ConninfoError, Endpoint, MAX_FILE_BYTES, MAX_PASSWORD_LINE, Secret, Settings, resolve};

const PERSONAL: &str = "/home/dba/.pg_service.conf";
const PASSWORDS: &str = "/home/dba/.pgpass";

fn settings(given: &str, fixture: Fixture) -> Settings {
    resolve(Some(given), &fixture).unwrap()
}

fn error(given: &str, fixture: Fixture) -> String {
    let error: ConninfoError = resolve(Some(given), &fixture).unwrap_err();
    assert!(error.hint().ends_with('.'));
    error.to_string()
}

#[test]
fn a_service_fills_what_the_string_leaves() {
    let text = "# comment\n[other]\nhost=o\n  [s] rest\r\n host=h \nuser=a b\nport=7\n\n[s]\ndbname=second\n";
    let fixture = || Fixture::new().file(PERSONAL, 0o644, text).variable("PGUSER", "v").variable("PGDATABASE", "d");
    let settings = settings("service=s port=8", fixture());
    assert_eq!(settings.endpoints[0].to_string(), "h:8");
    assert_eq!((settings.user.as_str(), settings.dbname.as_str()), ("a b", "d"));
    // The variable names the service, too.
    let settings = resolve(None, &fixture().variable("PGSERVICE", "other")).unwrap();
    assert_eq!((settings.endpoints[0].to_string().as_str(), settings.user.as_str()), ("o:5432", "v"));
}

#[test]
fn service_files_in_their_order() {
    let system = |path| Fixture::new().file(path, 0o644, "[s]\nhost=system\n");
    let host = |fixture| settings("service=s", fixture).endpoints[0].host.clone().unwrap();
    assert_eq!(host(system("/etc/postgresql-common/pg_service.conf")), "system");
    assert_eq!(host(system("/etc/pg_service.conf").file(PERSONAL, 0o600, "[s]\nhost=personal\n")), "personal");
    assert_eq!(host(system("/etc/pg_service.conf").file(PERSONAL, 0o600, "[t]\nhost=personal\n")), "system");
    assert_eq!(host(system("/x/pg_service.conf").variable("PGSYSCONFDIR", "/x")), "system");
    let named = || Fixture::new().file("/n", 0o600, "[s]\nhost=named\n").file("/v", 0o600, "[s]\nhost=variable\n");
    assert_eq!(host(named().variable("PGSERVICEFILE", "/n")), "named");
    let both = settings("service=s servicefile=/v", named().variable("PGSERVICEFILE", "/n"));
    assert_eq!(both.endpoints[0].host.as_deref(), Some("variable"));
    let elsewhere = system("/etc/pg_service.conf").variable("PGSYSCONFDIR", "/x");
    assert_eq!(error("service=s", elsewhere), "definition of service \"s\" not found");
    assert_eq!(error("service=s servicefile=/n", Fixture::new()), "service file \"/n\" not found");
    // HOME counts before the account's directory.
    let home = Fixture::new().variable("HOME", "/h").file("/h/.pg_service.conf", 0o600, "[s]\nhost=home\n");
    assert_eq!(host(home), "home");
}

#[test]
fn lines_of_service_files_that_are_refused() {
    let error = |line: &str| {
        let message = error("service=s", Fixture::new().file(PERSONAL, 0o600, format!("[s]\n{line}\n")));
        message.strip_suffix(" in service file \"/home/dba/.pg_service.conf\", line 2").unwrap_or(&message).to_owned()
    };
    assert_eq!(error("host"), "syntax error: missing \"=\"");
    assert_eq!(error("host =a"), "syntax error: invalid connection option");
    assert_eq!(error("requiressl=1"), "syntax error: invalid connection option");
    assert_eq!(error("service=t"), "nested service specification");
    assert_eq!(error("servicefile=/x"), "nested service specification");
    assert_eq!(error("ldap://h/x?y?z"), "LDAP lookup, which is not supported,");
    assert_eq!(error(&format!("#{}", "x".repeat(1_021))), "line too long");
    assert_eq!(error("gssencmode=require"), "connection parameter \"gssencmode\" is not supported: value \"require\"");
    let large = Fixture::new().file(PERSONAL, 0o600, "#\n".repeat(MAX_FILE_BYTES / 2 + 1));
    let message = resolve(Some("service=s"), &large).unwrap_err().to_string();
    assert_eq!(message, format!("service file \"{PERSONAL}\" is longer than 1048576 bytes"));
}

/// Password of the first server.
fn password(given: &str, text: &str) -> Option<String> {
    let settings = settings(given, Fixture::new().file(PASSWORDS, 0o600, text));
    settings.password_for(&settings.endpoints[0]).map(|password| password.expose().to_owned())
}

#[test]
fn passwords_by_their_line() {
    let given = "host=h port=7 dbname=d user=u";
    let matching = [
        "h:7:d:u:x",
        "*:*:*:*:x",
        "o:7:d:u:y\nh:*:d:*:x\n*:*:*:*:z",
        "h:7:d:u:x:rest",
        "h:7:d:u:x\r\n",
        "\\h:7:d:u:\\x",
        "#h:7:d:u:y\nh:7:d:u:x",
        "\n\nh:7:d:u:x",
    ];
    for text in matching {
        assert_eq!(password(given, text).as_deref(), Some("x"), "{text}");
    }
    for text in
        ["h:7:d:u:", "h:8:d:u:x", "H:7:d:u:x", "h:7:d:u", "hh:7:d:u:x", "*h:7:d:u:x", " h:7:d:u:x", "", "h:7:d:u:a\0b"]
    {
        assert_eq!(password(given, text), None, "{text}");
    }
    assert_eq!(password(given, r"h:7:d:u:a\:b\\c\").as_deref(), Some(r"a:b\c\"));
    assert_eq!(password("host=h dbname='a:b\\\\c' user=u", r"h:5432:a\:b\\c:u:x").as_deref(), Some("x"));
    let long = format!("h:7:d:u:{}\nh:7:d:u:x", "y".repeat(MAX_PASSWORD_LINE));
    assert_eq!(password(given, &long).as_deref(), Some("x"));
}

#[test]
fn hosts_of_the_password_file() {
    let line = |host: &str| format!("{host}:*:*:*:x");
    for (given, host) in [
        ("", "localhost"),
        ("host=/tmp", "localhost"),
        ("host=/tmp", "/tmp"),
        ("host=/run", "/run"),
        ("host=@a", "@a"),
        ("host=h hostaddr=10.0.0.1", "h"),
        ("hostaddr=10.0.0.1", "10.0.0.1"),
        ("hostaddr=::1", r"\:\:1"),
        ("host=/var/run/postgresql", "localhost"),
    ] {
        assert_eq!(password(given, &line(host)).as_deref(), Some("x"), "{given} {host}");
    }
    for (given, host) in [("host=/run", "localhost"), ("host=h hostaddr=10.0.0.1", "10.0.0.1"), ("host=h", "localhost")]
    {
        assert_eq!(password(given, &line(host)), None, "{given} {host}");
    }
    let fixture = Fixture::new().file(PASSWORDS, 0o600, "a:1:*:*:x\nb:2:*:*:y");
    let settings = settings("host=a,b,c port=1,2,3", fixture);
    let find = |endpoint: &Endpoint| settings.password_for(endpoint);
    let found: Vec<_> = settings.endpoints.iter().map(find).collect();
    assert_eq!(found, [Some(Secret::new("x")), Some(Secret::new("y")), None]);
    assert_eq!(settings.password_file(), Some(PASSWORDS));
}

#[test]
fn password_files_that_others_can_read_are_ignored() {
    let warnings = |permissions| {
        let settings = settings("", Fixture::new().file(PASSWORDS, permissions, "*:*:*:*:x"));
        assert_eq!(settings.password_for(&settings.endpoints[0]).is_some(), settings.warnings.is_empty());
        settings.warnings.concat()
    };
    assert_eq!((warnings(0o600), warnings(0o700), warnings(0o400)), Default::default());
    for permissions in [0o640, 0o604, 0o610] {
        assert!(
            warnings(permissions).ends_with("has group or world access; permissions should be u=rw (0600) or less")
        );
    }
    assert_eq!(warnings(0), "password file \"/home/dba/.pgpass\" is not a plain file");
    let large = settings("", Fixture::new().file(PASSWORDS, 0o600, "#".repeat(MAX_FILE_BYTES + 1)));
    assert_eq!(large.warnings, ["password file \"/home/dba/.pgpass\" is longer than 1048576 bytes"]);
}

#[test]
fn password_files_in_their_order() {
    let fixture = || {
        let files = Fixture::new().file(PASSWORDS, 0o600, "*:*:*:*:home").file("/v", 0o600, "*:*:*:*:variable");
        files.file("/g", 0o600, "*:*:*:*:given")
    };
    let password = |given, fixture| {
        let settings = settings(given, fixture);
        settings.password_for(&settings.endpoints[0]).unwrap().expose().to_owned()
    };
    assert_eq!(password("", fixture()), "home");
    assert_eq!(password("", fixture().variable("PGPASSFILE", "/v")), "variable");
    assert_eq!(password("passfile=/g", fixture().variable("PGPASSFILE", "/v")), "given");
    assert_eq!(password("passfile=''", fixture().variable("PGPASSFILE", "/v")), "home");
    assert_eq!(password("passfile=/g", fixture().variable("PGPASSWORD", "password")), "password");
    assert_eq!(password("passfile=/g password=''", fixture().variable("PGPASSWORD", "password")), "given");
}
