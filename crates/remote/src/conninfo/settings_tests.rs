//! Tests of settings: their types, their order, and what is refused.

use std::time::Duration;

use super::fixtures::Fixture;
use super::{
    AuthMethod, CertificateCheck, ChannelBinding, ConninfoError, LoadBalance, MAX_HOSTS, RootCertificates, Settings,
    SslCertMode, SslMode, SslNegotiation, TargetSession, TlsVersion, resolve,
};

#[track_caller]
fn settings(given: &str) -> Settings {
    resolve(Some(given), &Fixture::new()).unwrap()
}

#[track_caller]
fn error(given: &str) -> String {
    show(&resolve(Some(given), &Fixture::new()).expect_err(given))
}

fn show(error: &ConninfoError) -> String {
    assert!(error.hint().ends_with('.'), "{}", error.hint());
    error.to_string()
}

fn endpoints(given: &str) -> Vec<String> {
    settings(given).endpoints.iter().map(ToString::to_string).collect()
}

#[test]
fn defaults() {
    let settings = resolve(None, &Fixture::new()).unwrap();
    assert_eq!(settings.endpoints.len(), 1);
    assert_eq!(settings.endpoints[0].sockets(), ["/var/run/postgresql/.s.PGSQL.5432", "/tmp/.s.PGSQL.5432"]);
    assert_eq!((settings.user.as_str(), settings.dbname.as_str()), ("dba", "dba"));
    assert_eq!((settings.connect_timeout, settings.tcp_user_timeout), (None, None));
    assert_eq!((settings.options, settings.application_name, settings.required_peer), (None, None, None));
    assert_eq!(settings.keepalives, Some(Default::default()));
    assert_eq!((settings.tls.mode, settings.tls.negotiation), (SslMode::Prefer, SslNegotiation::Postgres));
    assert_eq!((settings.tls.certificate_mode, settings.tls.sends_server_name), (SslCertMode::Allow, true));
    assert_eq!((settings.tls.min_version, settings.tls.max_version), (Some(TlsVersion::V1_2), None));
    assert_eq!((settings.channel_binding, settings.target_session), (ChannelBinding::Prefer, TargetSession::Any));
    assert_eq!(settings.load_balance, LoadBalance::Disable);
    assert!(
        settings.auth_methods.accepts_all() && settings.warnings.is_empty() && settings.session_parameters.is_empty()
    );
}

#[test]
fn variables_count_where_nothing_else_is_given() {
    let fixture = Fixture::new().variable("PGHOST", "v").variable("PGPORT", "9").variable("PGUSER", "vu");
    let fixture = fixture.variable("PGAPPNAME", "").variable("PGTZ", "UTC").variable("PGDATESTYLE", "Default");
    let settings = resolve(Some("port='' fallback_application_name=f"), &fixture).unwrap();
    assert_eq!(settings.endpoints[0].to_string(), "v:5432");
    assert_eq!((settings.user.as_str(), settings.dbname.as_str()), ("vu", "vu"));
    // An empty name is sent as none, and is no gap.
    assert_eq!(settings.application_name.as_deref(), Some(""));
    assert_eq!(settings.session_parameters, [("timezone", "UTC".to_owned())]);
    let fallback = resolve(Some("d"), &Fixture::new().variable("PGDATABASE", "v")).unwrap();
    assert_eq!(fallback.dbname, "d");
    assert_eq!(settings_of_mode("", Fixture::new().variable("PGREQUIRESSL", "1")), SslMode::Require);
    let both = Fixture::new().variable("PGREQUIRESSL", "1").variable("PGSSLMODE", "disable");
    assert_eq!(settings_of_mode("", both), SslMode::Disable);
    let long = Fixture::new().variable("PGOPTIONS", "x".repeat(65_537).leak());
    assert_eq!(show(&resolve(None, &long).unwrap_err()), "the variable PGOPTIONS is longer than 65536 bytes");
}

fn settings_of_mode(given: &str, fixture: Fixture) -> SslMode {
    resolve(Some(given), &fixture).unwrap().tls.mode
}

#[test]
fn several_hosts() {
    assert_eq!(endpoints("host=a,b port=1,2"), ["a:1", "b:2"]);
    assert_eq!(endpoints("host=a,b port=3"), ["a:3", "b:3"]);
    assert_eq!(
        endpoints("host=a,,/run,@x port=,2,,"),
        ["a:5432", "/var/run/postgresql/.s.PGSQL.2", "/run/.s.PGSQL.5432", "@x/.s.PGSQL.5432"]
    );
    assert_eq!(endpoints("host=a,::2, hostaddr=10.0.0.1,,::1"), ["a:5432 (10.0.0.1)", "[::2]:5432", "[::1]:5432"]);
    assert_eq!(endpoints("host=/run hostaddr=10.0.0.1 port=' 6 '"), ["/run:6 (10.0.0.1)"]);
    assert_eq!(endpoints("postgresql://a:1,b/"), ["a:1", "b:5432"]);
    assert!(!settings("host=/run hostaddr=10.0.0.1").endpoints[0].is_socket());
    assert!(settings("").endpoints[0].is_socket() && settings("host=@a").endpoints[0].is_socket());
    assert_eq!(error("host=a,b hostaddr=10.0.0.1"), "could not match 2 host names to 1 hostaddr values");
    assert_eq!(error("host=a,b port=1,2,3"), "could not match 3 port numbers to 2 hosts");
    assert_eq!(error(&format!("host={}", ",".repeat(MAX_HOSTS))), "more than 256 hosts in the connection parameters");
    assert_eq!(endpoints(&format!("host={}", ",".repeat(MAX_HOSTS - 1))).len(), MAX_HOSTS);
    for port in ["0", "65536", "-1", "x", "1x", "99999999999"] {
        assert_eq!(error(&format!("port={port}")), format!("invalid port value: \"{port}\""));
    }
    assert_eq!(error("hostaddr=localhost"), "invalid hostaddr value: \"localhost\"");
    assert_eq!(endpoints(&format!("host=/{}", "x".repeat(92))).len(), 1);
    let long = error(&format!("host=/{}", "x".repeat(93)));
    assert_eq!(long, "Unix-domain socket path is too long (maximum 107 bytes)");
}

#[test]
fn numbers() {
    let timeout = |text: &str| settings(&format!("connect_timeout={text}")).connect_timeout;
    assert_eq!([timeout("1"), timeout("' 30 '")], [1, 30].map(|seconds| Some(Duration::from_secs(seconds))));
    assert_eq!([timeout("0"), timeout("-5")], [None, None]);
    for text in ["''", "1.5", "2147483648", "1s"] {
        assert!(error(&format!("connect_timeout={text}")).starts_with("invalid connect_timeout value: "));
    }
    assert_eq!(settings("tcp_user_timeout=1500").tcp_user_timeout, Some(Duration::from_millis(1_500)));
    let keepalives = settings("keepalives_idle=60 keepalives_interval=5 keepalives_count=3").keepalives.unwrap();
    assert_eq!((keepalives.idle, keepalives.interval), (Some(Duration::from_secs(60)), Some(Duration::from_secs(5))));
    assert_eq!(keepalives.count, Some(3));
    assert_eq!((settings("keepalives=0").keepalives, settings("keepalives=''").keepalives), (None, None));
    assert!(settings("keepalives=1").keepalives.is_some());
    assert_eq!(error("keepalives=on"), "invalid keepalives value: \"on\"");
}

#[test]
fn values_of_a_fixed_set() {
    assert_eq!(settings("target_session_attrs=prefer-standby").target_session, TargetSession::PreferStandby);
    assert_eq!(settings("load_balance_hosts=random").load_balance, LoadBalance::Random);
    let keywords = [
        "sslmode",
        "sslnegotiation",
        "sslcertmode",
        "channel_binding",
        "target_session_attrs",
        "load_balance_hosts",
        "gssencmode",
        "min_protocol_version",
        "max_protocol_version",
        "ssl_min_protocol_version",
        "require_auth",
    ];
    for keyword in keywords {
        assert_eq!(error(&format!("{keyword}=bogus")), format!("invalid {keyword} value: \"bogus\""));
    }
    assert_eq!(error("sslmode=''"), "invalid sslmode value: \"\"");
    let variable = resolve(None, &Fixture::new().variable("PGSSLMODE", "Require")).unwrap_err();
    assert_eq!(variable.to_string(), "invalid sslmode value: \"Require\"");
    assert_eq!(
        variable.hint(),
        "The value is from the variable PGSSLMODE. Valid: disable, allow, prefer, require, verify-ca, verify-full."
    );
}

#[test]
fn parameters_that_are_refused() {
    for given in [
        "gssencmode=require",
        "replication=database",
        "min_protocol_version=3.2",
        "min_protocol_version=latest",
        "sslkeylogfile=/x",
        "oauth_issuer=x",
        "oauth_client_id=x",
        "oauth_scope=x",
        "oauth_ca_file=/x",
        "ssl_max_protocol_version=TLSv1.1 ssl_min_protocol_version=''",
    ] {
        let (keyword, value) = given.split(' ').next().unwrap().split_once('=').unwrap();
        let expected = format!("connection parameter \"{keyword}\" is not supported: value \"{value}\"");
        assert_eq!(error(given), expected);
    }
    assert_eq!(error("scram_server_key=x"), "connection parameter \"scram_server_key\" is not supported");
    let variable = resolve(None, &Fixture::new().variable("PGGSSENCMODE", "require")).unwrap_err();
    assert!(variable.hint().starts_with("The parameter is from the variable PGGSSENCMODE. Encrypt with TLS"));
    settings("gssencmode=prefer replication=false min_protocol_version=3.0 sslkeylogfile='' oauth_issuer=''");
    settings(
        "max_protocol_version=latest krbsrvname=x gsslib=x gssdelegation=1 sslcompression=1 client_encoding=LATIN1",
    );
}

#[test]
fn certificates() {
    let tls = settings("").tls;
    let RootCertificates::File(root) = &tls.roots else { panic!("{tls:?}") };
    let files = [root, &tls.certificate.clone().unwrap(), &tls.key.clone().unwrap(), &tls.revoked.clone().unwrap()];
    let names = files.map(|file| file.path.strip_prefix("/home/dba/.postgresql/").unwrap());
    assert_eq!(names, ["root.crt", "postgresql.crt", "postgresql.key", "root.crl"]);
    assert!(files.iter().all(|file| !file.is_given));
    let given = settings("sslrootcert=/r sslcert=/c sslkey=/k sslcrldir=/d sslsni=0").tls;
    assert_eq!(given.certificate.map(|file| (file.path, file.is_given)), Some(("/c".to_owned(), true)));
    assert_eq!((given.revoked, given.revoked_directory.as_deref()), (None, Some("/d")));
    assert!(!given.sends_server_name);
    assert_eq!(settings("sslcertmode=disable sslcert=/c").tls.certificate, None);
    assert_eq!(error("sslnegotiation=direct"), "weak sslmode \"prefer\" may not be used with sslnegotiation=direct");
    assert_eq!(settings("sslnegotiation=direct sslmode=require").tls.negotiation, SslNegotiation::Direct);
    assert_eq!(
        error("channel_binding=require sslmode=disable"),
        "channel_binding=require may not be used with sslmode=disable"
    );
}

#[test]
fn the_check_of_the_server() {
    use CertificateCheck::{Chain, ChainAndHost, None};
    let checks = |mode: &str| {
        let tls = settings(&format!("sslmode={mode}")).tls;
        [tls.certificate_check(false), tls.certificate_check(true)].map(|check| check.map_err(|error| show(&error)))
    };
    let missing = || Err("root certificate file \"/home/dba/.postgresql/root.crt\" does not exist".to_owned());
    assert_eq!(checks("disable"), [Ok(None), Ok(None)]);
    assert_eq!(checks("prefer"), [Ok(None), Ok(Chain)]);
    assert_eq!(checks("require"), [Ok(None), Ok(Chain)]);
    assert_eq!(checks("verify-ca"), [missing(), Ok(Chain)]);
    assert_eq!(checks("verify-full"), [missing(), Ok(ChainAndHost)]);
    let system = settings("sslrootcert=system").tls;
    assert_eq!((system.mode, &system.roots), (SslMode::VerifyFull, &RootCertificates::System));
    assert_eq!(system.certificate_check(false).unwrap(), ChainAndHost);
    let weak = "weak sslmode \"require\" may not be used with sslrootcert=system";
    assert_eq!(error("sslrootcert=system sslmode=require"), weak);
    let variable = Fixture::new().variable("PGSSLROOTCERT", "system").variable("PGREQUIRESSL", "1");
    assert_eq!(show(&resolve(Option::None, &variable).unwrap_err()), weak);
}

#[test]
fn versions_of_tls() {
    let versions = |given: &str| (settings(given).tls.min_version, settings(given).tls.max_version);
    assert_eq!(versions("ssl_min_protocol_version=tlsv1.3"), (Some(TlsVersion::V1_3), None));
    assert_eq!(
        versions("ssl_min_protocol_version='' ssl_max_protocol_version=TLSv1.3"),
        (None, Some(TlsVersion::V1_3))
    );
    assert_eq!(versions("ssl_min_protocol_version=TLSv1").0, Some(TlsVersion::V1_0));
    assert_eq!(error("ssl_max_protocol_version=TLSv1.1"), "invalid SSL protocol version range");
}

#[test]
fn methods_of_authentication() {
    let accepts = |given: &str, method| settings(given).auth_methods.accepts(method);
    assert!(accepts("require_auth=scram-sha-256,none", AuthMethod::None));
    assert!(!accepts("require_auth=scram-sha-256,none", AuthMethod::Password));
    assert!(!accepts("require_auth=scram-sha-256", AuthMethod::None));
    assert!(!accepts("require_auth=!password,!md5", AuthMethod::Md5));
    assert!(accepts("require_auth=!password,!md5", AuthMethod::ScramSha256));
    assert!(accepts("", AuthMethod::Password));
    assert!(accepts("require_auth=''", AuthMethod::None) && !accepts("require_auth=''", AuthMethod::Password));
    for text in ["password,!md5", "!md5,password", "md5,md5", "!none,!none", "md5,", "!", ","] {
        assert_eq!(error(&format!("require_auth={text}")), format!("invalid require_auth value: \"{text}\""));
    }
}
