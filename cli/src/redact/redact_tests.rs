use super::*;

fn redacted(command: &[&str]) -> String {
    redact(&command.iter().map(|&word| word.to_owned()).collect::<Vec<_>>()).join(" ")
}

#[track_caller]
fn check(command: &[&str], expected: &str) {
    let redacted = redacted(command);
    assert_eq!(redacted, expected);
    assert!(!redacted.contains("hush"));
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
        check(command, expected);
    }
}

#[test]
fn secrets_have_many_names() {
    for name in [
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "PGSSLPASSWORD",
        "MYSQL_PWD",
        "REDISCLI_AUTH",
        "AccountKey",
        "api_key",
        "client_secret",
        "sslpassword",
        "X-Amz-Signature",
    ] {
        check(&["env", &format!("{name}=hush"), "x"], &format!("env {name}=*** x"));
        check(&["sh", "-c", &format!("{name}=hush x")], &format!("sh -c {name}=*** x"));
    }
    for option in ["--api-key", "--secret-key", "--oauth2-bearer", "--pass", "-password", "-apiKey", "--proxy-pass"] {
        check(&["x", option, "hush", "y"], &format!("x {option} *** y"));
        check(&["x", &format!("{option}=hush hush"), "y"], &format!("x {option}=*** y"));
        check(&["sh", "-c", &format!("x {option} hush y")], &format!("sh -c x {option} *** y"));
    }
    check(&["x", "--apikey=hush"], "x --apikey=***");
    check(&["x", "-Ddb.password=hush"], "x -Ddb.password=***");
    check(
        &["ycsb", "run", "-p", "db.passwd=hush", "-p", "recordcount=9"],
        "ycsb run -p db.passwd=*** -p recordcount=9",
    );
    check(&["psql", "postgresql://h/db?pass%77ord=hush&x=1"], "psql postgresql://h/db?pass%77ord=***&x=1");
}

#[test]
fn a_value_may_begin_with_a_hyphen_and_have_spaces_and_quotes() {
    check(&["x", "--password", "-hush", "y"], "x --password *** y");
    check(&["x", "--password=hu'sh hush\"hush", "y"], "x --password=*** y");
    check(&["env", "PGPASSWORD=hu sh hush", "pgbench"], "env PGPASSWORD=*** pgbench");
    check(&["sh", "-c", "PGPASSWORD=hu' 's'h' hu\"sh\" x"], "sh -c PGPASSWORD=*** hu\"sh\" x");
    check(&["sh", "-c", "PGPASSWORD=hush\\ hush x"], "sh -c PGPASSWORD=*** x");
    check(
        &["sh", "-c", "psql \"host=a password=hush\" -c 'SELECT 1'"],
        "sh -c psql \"host=a password=***\" -c 'SELECT 1'",
    );
    check(&["sh", "-c", "mysql -p 'my hush' x"], "sh -c mysql -p *** x");
}

#[test]
fn a_short_option_is_a_password_by_the_name_of_its_program() {
    for (command, expected) in [
        (&["mysqlslap", "-uroot", "-phush"][..], "mysqlslap -uroot -p***"),
        (&["sudo", "/usr/bin/mysql", "-p", "hush"], "sudo /usr/bin/mysql -p ***"),
        (&["go-tpc", "tpcc", "-P", "5432", "-p", "12345"], "go-tpc tpcc -P 5432 -p ***"),
        (&["mybench", "-p", "hush"], "mybench -p ***"),
        (&["mybench", "-phush"], "mybench -p***"),
        (&["redis-benchmark", "-a", "hush", "-p", "6379"], "redis-benchmark -a *** -p 6379"),
        (&["pgreplay", "-W", "hush", "-p", "5432"], "pgreplay -W *** -p 5432"),
        (&["curl", "-u", "me:hush", "-d", "x"], "curl -u me:*** -d x"),
        (&["curl", "-ume:hush"], "curl -ume:***"),
        (&["curl", "--user", "me:hush", "--proxy-user=you:hush"], "curl --user me:*** --proxy-user=you:***"),
        (&["sh", "-c", "cd x && mysql -phush -u root"], "sh -c cd x && mysql -p*** -u root"),
    ] {
        check(command, expected);
    }
}

#[test]
fn headers_json_statements_and_addresses_are_without_secrets() {
    for (command, expected) in [
        (&["curl", "-H", "Authorization: Bearer hush"][..], "curl -H Authorization: ***"),
        (&["curl", "--header=X-Api-Key:hush"], "curl --header=X-Api-Key:***"),
        (&["curl", "-HProxy-Authorization: Basic hush=="], "curl -HProxy-Authorization: ***"),
        (&["sh", "-c", "curl -H 'Authorization: Basic hush' http://a"], "sh -c curl -H 'Authorization: ***' http://a"),
        (&["x", r#"{"user":"a","password":"hu,sh","b":1}"#], r#"x {"user":"a","password":***,"b":1}"#),
        (&["x", r#"{"password" : "hush"}"#], r#"x {"password" : ***}"#),
        (&["sh", "-c", r#"x "{\"token\": \"hu,sh\", \"b\":1}""#], r#"sh -c x "{\"token\": ***, \"b\":1}""#),
        (&["psql", "-c", "CREATE ROLE a PASSWORD 'hu''sh' LOGIN"], "psql -c CREATE ROLE a PASSWORD *** LOGIN"),
        (&["mysql", "-e", "CREATE USER a IDENTIFIED BY 'hush hush'; x"], "mysql -e CREATE USER a IDENTIFIED BY ***; x"),
        (&["x", "app:hush@tcp(db:3306)/test"], "x app:***@tcp(db:3306)/test"),
        (&["x", "--dsn=app:hush@db/test"], "x --dsn=app:***@db/test"),
        (&["x", "postgresql://u:hu?sh@h/db"], "x postgresql://u:***@h/db"),
        (&["x", "postgresql+psycopg2://u:hu/sh@h/db"], "x postgresql+psycopg2://u:***@h/db"),
        (&["x", "redis://:hush@h:6379/0"], "x redis://:***@h:6379/0"),
    ] {
        check(command, expected);
    }
}

#[test]
fn other_arguments_stay() {
    for command in [
        &["pgbench", "-c", "16", "-T", "600", "--no-password", "bench"][..],
        &["pgbench", "-h", "db", "-p", "5432", "-U", "me:you", "-P5", "--password", "-j", "4"],
        &["pgbench", "postgresql://u@host:5432/db", "PGPASSFILE=/root/.pgpass"],
        &["pgbench", "-f", "tokens.sql@3", "-D", "scale=100", "--aggregate-interval=10"],
        &["sysbench", "oltp_read_write", "--threads=4", "--db-driver=pgsql", "run"],
        &["hammerdbcli", "auto", "run.tcl"],
        &["java", "-jar", "benchbase.jar", "-b", "tpcc", "-c", "config.xml", "--create=true"],
        &["sh", "-c", "pgbench -p 5432 -c 4 | tee 'a b.log'; mybench -p 5432"],
        &["psql", "-c", "SELECT now()::date, 'a' AS password"],
        &["x", "http://token:9090/a:b", "user=app@server", "postgresql://h:5432/db?user=app@server"],
        &["x", "", "=", "a=", "://", "é=ü", ":", "a:", ":@", "-", "--", "\\", "-p"],
    ] {
        assert_eq!(redacted(command), command.join(" "));
    }
    assert!(has_password("host=a password=b"));
    assert!(has_password("host=a sslpassword=b"));
    assert!(has_password("postgresql://a:b@c/d"));
    assert!(!has_password("host=a user=b passfile=/c"));
    assert!(!has_password("http://token:9090"));
    assert!(!has_password("postgresql://h:5432/db?user=app@server"));
}
