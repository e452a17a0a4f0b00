//! Tests that no message shows a password.

use super::fixtures::Fixture;
use super::{ConninfoError, has_password, resolve};

/// Parts of the passwords below.
const PARTS: [&str; 3] = ["s3cr", "et9", "77123"];

#[track_caller]
fn check(error: &ConninfoError) {
    for text in [error.to_string(), error.hint()] {
        assert!(PARTS.iter().all(|part| !text.contains(part)), "{text}");
    }
}

#[test]
fn errors_of_strings_show_no_password() {
    for given in [
        "host=h password=x s3cret9",
        "host=h password=x s3cr=et9",
        "password='s3cret9",
        "password=x s3cret9=' ",
        "password=x port=s3cret9",
        "password=x sslmode=s3cret9",
        "password=x hostaddr=s3cret9",
        "password=x require_auth=s3cret9",
        "password=x gssencmode=s3cret9",
        "scram_client_key=s3cret9",
        "oauth_client_secret=s3cret9",
        "postgresql//u:s3cret9@h/d?user=a",
        "postgres:/u:s3cret9@h/d=x",
        "pg://u:s3cret9@h/d",
        "postgresql://u:s3cr%et9@h/d",
        "postgresql://u:s3cr%zzet9@h/d",
        "postgresql://u:s3cr et9@h/d",
        "postgresql://u:x@s3cret9@h/d",
        "postgresql://u:x@@s3cret9@h/d",
        "postgresql://u:s3cr/et9@h/d",
        "postgresql://u:77123/et9@h/d",
        "postgresql://u:771234/s3?cret9=@h/d",
        "postgresql://u:771234/x?s3cret9=1@h/d",
        "postgresql://u:x[/s3cr?et9@h/d",
        "postgresql://u:x@[s3cret9/d",
        "postgresql://u:p@h/d?password=x&s3cret9=1",
        "postgresql://h/d?password=x&s3cret9",
        "postgresql://h/d?password=x&s3cret9=%z",
        "postgresql://h/d?password=s3cr=et9",
        "postgresql://h/d?password=s3cr%et9",
        "postgresql://u:p@h/d?port=s3cret9",
    ] {
        let error = resolve(Some(given), &Fixture::new()).expect_err(given);
        check(&error);
        let text = error.to_string();
        assert!(
            text.starts_with(|letter: char| letter.is_lowercase() || letter == '"') && !text.ends_with('.'),
            "{text}"
        );
        assert!(!text.contains(given));
    }
}

#[test]
fn settings_show_no_password() {
    let fixture = Fixture::new().file("/home/dba/.pgpass", 0o600, "*:*:*:*:s3cret9");
    for given in ["sslpassword=s3cret9", "password=s3cret9", "postgresql://u:s3cret9@h/d"] {
        let settings = resolve(Some(given), &fixture).unwrap();
        let shown = format!("{settings:?}");
        assert!(shown.contains("Secret(..)") && !shown.contains("s3cr"), "{shown}");
        assert_eq!(settings.password_for(&settings.endpoints[0]).unwrap().expose(), "s3cret9");
    }
    let bad = Fixture::new().variable("PGPASSWORD", "s3cret9\0");
    check(&resolve(None, &bad).unwrap_err());
}

#[test]
fn passwords_on_the_command_line() {
    for given in [
        "password=x",
        " user=a password = 'x'",
        "sslpassword=x",
        "scram_client_key=x",
        "oauth_client_secret=x",
        "postgresql://u:x@h",
        "postgres://:x@h",
        "postgresql:///d?password=x",
        "postgresql:///d?%70assword=x",
        "postgresql:///d?sslpassword=x",
        // Strings that cannot be parsed.
        "foo=1 password=x",
        "password='x",
        "postgresql://u:p/x@h/d",
        "postgresql://u:p@x@h",
        "pg://u:x@h/d",
        "user= 'a password=x",
    ] {
        assert!(has_password(given), "{given}");
    }
    for given in [
        "",
        "d",
        "password",
        "host=h user=u",
        "password=",
        "password='' user=a",
        "postgresql://u@h/d",
        "postgresql://u:@h",
        "postgresql://h:5432/d?password=",
        "passfile=/x",
        "dbname='password=x'",
        "user='a",
        "pg://h/d",
    ] {
        assert!(!has_password(given), "{given}");
    }
}
