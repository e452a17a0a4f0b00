//! Tests of ebsctl run with a fake server: the statements of a run, the exit status, the stored result.

mod fake;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use self::fake::{Asked, Reply};

const HAMMERDB: &str = "#!/bin/sh
echo 'Vuser 1:Beginning rampup time of 1 minutes'
echo 'Vuser 1:Rampup complete, Taking start Transaction Count.'
echo 'Vuser 1:Timing test period of 2 in minutes'
echo 'Vuser 1:Test complete, Taking end Transaction Count.'
echo 'Vuser 1:TEST RESULT : System achieved 20753 NOPM from 48102 PostgreSQL TPM'
echo 'ALL VIRTUAL USERS COMPLETE'
";

struct Programs {
    directory: tempfile::TempDir,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// Answers of a server that has the extension, and loses the session that marks this phase.
fn answer(asked: &Asked, lose_at: &str, is_sampled: bool) -> Reply {
    let has = |part: &str| asked.query.contains(part);
    let value = |text: &str| Reply::Value(Some(text.to_owned()));
    match () {
        () if has("pg_extension") => value(r#"["odd\"name", "0.2.0"]"#),
        () if has("has_table_privilege") => value("true"),
        () if has("ebs_run_mark") && asked.values[0].as_deref() == Some(lose_at) => Reply::Closed,
        () if has("ebs_run_begin") && !is_sampled => Reply::Warned("this run may be missing samples"),
        () if has("ebs_run_begin") || has("ebs_run_mark") || has("ebs_run_end") => value("done"),
        () => Reply::Value(None),
    }
}

impl Programs {
    fn new() -> Programs {
        Programs::with("none", true)
    }

    fn with(lose_at: &'static str, is_sampled: bool) -> Programs {
        let programs = Programs { directory: tempfile::tempdir().unwrap(), asked: Arc::default() };
        fs::write(programs.path("hammerdbcli"), HAMMERDB).unwrap();
        fs::set_permissions(programs.path("hammerdbcli"), fs::Permissions::from_mode(0o755)).unwrap();
        let log = Arc::clone(&programs.asked);
        fake::serve(programs.directory.path(), move |asked| {
            let Asked { query, values } = asked;
            log.lock().unwrap().push(Asked { query: query.clone(), values: values.clone() });
            answer(asked, lose_at, is_sampled)
        });
        programs
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn run(&self, command: &[&str]) -> Output {
        self.command(command).output().unwrap()
    }

    fn command(&self, command: &[&str]) -> Command {
        let mut ebsctl = Command::new(env!("CARGO_BIN_EXE_ebsctl"));
        ebsctl.args(["run", "--label", "it's", "--"]).args(command);
        let variables = [("PGUSER", "me"), ("PGPORT", "5432"), ("PGAPPNAME", "theirs")];
        ebsctl.envs(variables).env("PGHOST", self.directory.path()).stdin(Stdio::null());
        ebsctl
    }

    /// Queries that changed the run: the name of the function, and its first value.
    fn changes(&self) -> Vec<String> {
        let change = |asked: &Asked| {
            let call = asked.query.split("\"odd\"\"name\".ebs_run_").nth(1)?;
            Some(format!("{} {}", call.split('(').next()?, asked.values.first()?.as_deref()?))
        };
        self.asked.lock().unwrap().iter().filter_map(change).collect()
    }

    fn result(&self) -> Vec<Option<String>> {
        let asked = self.asked.lock().unwrap();
        asked.iter().find(|asked| asked.query.contains("ebs_run_result")).unwrap().values.clone()
    }

    fn details(&self) -> Value {
        serde_json::from_str(self.result()[5].as_deref().unwrap()).unwrap()
    }
}

#[test]
fn a_run_is_marked_by_the_driver_and_stores_its_result() {
    let programs = Programs::new();
    let driver = programs.path("hammerdbcli");
    let output = programs.run(&[driver.to_str().unwrap(), "auto", "--password", "hush"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 6, "all lines of the driver");
    assert!(stderr.contains("run \"it's\" finished after "), "{stderr}");
    assert!(stderr.contains(" · 20,753 NOPM, 48,102 TPM\nnext: "), "{stderr}");
    let expected = ["begin it's", "mark ramp-up", "mark measure", "mark after", "end it's", "result it's"];
    assert_eq!(programs.changes(), expected);
    assert_eq!(programs.result()[1..5], [None, None, Some("20753".to_owned()), Some("48102".to_owned())]);
    let details = programs.details();
    assert_eq!((&details["ended"], &details["exit_status"]), (&json!("finished"), &json!(0)));
    assert_eq!(details["command"].as_array().unwrap()[1..], [json!("auto"), json!("--password"), json!("***")]);
}

/// The extension leaves our session out of the clients by its name; the name that the user gave is the command's.
#[test]
fn our_session_has_our_name_and_the_command_that_of_the_user() {
    let programs = Programs::new();
    let output = programs.run(&["sh", "-c", "echo \"$PGAPPNAME\""]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "theirs\n");
    let asked = programs.asked.lock().unwrap();
    assert!(asked[0].query.contains("application_name\0ebsctl\0"), "{}", asked[0].query);
    let values = &asked[1].values;
    assert!(asked[1].query.contains("set_config(") && values.contains(&Some("ebsctl".to_owned())), "{values:?}");
    assert_eq!(values[..2], ["search_path", "pg_catalog, pg_temp"].map(|value| Some(value.to_owned())));
}

/// pgbench translates its report, and its numbers have a decimal comma, as the locale of the user says.
#[test]
fn the_report_of_a_driver_is_that_of_the_c_locale() {
    let programs = Programs::new();
    let script = "#!/bin/sh
case ${LC_ALL:-${LC_MESSAGES:-$LANG}}${LC_ALL:-${LC_NUMERIC:-$LANG}} in
  CC) printf 'latency average = 0.500 ms\\ntps = 2000.5 (without initial connection time)\\n' ;;
  *) printf 'Latenzmittelwert = 0,500 ms\\ntps = 2000,5 (ohne initiale Verbindungszeit)\\n' ;;
esac
echo \"$LC_CTYPE\" >&2
";
    fs::write(programs.path("pgbench"), script).unwrap();
    fs::set_permissions(programs.path("pgbench"), fs::Permissions::from_mode(0o755)).unwrap();
    let output = programs.command(&[programs.path("pgbench").to_str().unwrap()]).env("LC_ALL", "de_DE.UTF-8").output();
    let output = output.unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(stdout.contains("tps = 2000.5") && stderr.contains("de_DE.UTF-8"), "{stdout}{stderr}");
}

#[test]
fn a_command_that_fails_has_no_result_and_passes_its_status_on() {
    let programs = Programs::new();
    assert_eq!(programs.run(&["sh", "-c", "exit 42"]).status.code(), Some(42));
    let details = programs.details();
    assert_eq!((&details["ended"], &details["exit_status"]), (&json!("failed"), &json!(42)));
    let programs = Programs::new();
    assert_eq!(programs.run(&["sh", "-c", "kill -TERM $$"]).status.code(), Some(143));
    assert_eq!(programs.details()["exit_signal"], "SIGTERM");
}

#[test]
fn a_command_that_does_not_start_leaves_no_run() {
    let programs = Programs::new();
    let output = programs.run(&[programs.path("missing").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(127));
    assert_eq!(programs.changes(), ["begin it's", "end it's", "drop it's"]);
}

#[test]
fn a_run_that_is_not_sampled_does_not_start_its_command() {
    let programs = Programs::with("none", false);
    let touched = programs.path("touched");
    let output = programs.run(&["touch", touched.to_str().unwrap()]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), touched.exists()), (Some(125), false), "{stderr}");
    assert!(stderr.contains("run \"it's\" is not sampled, and the command was not started\nhint:"), "{stderr}");
    assert_eq!(programs.changes(), ["begin it's", "end it's", "drop it's"]);
}

/// Two minutes are announced, of which a moment was measured.
#[test]
fn a_run_that_fails_while_it_measures_has_measured_until_then() {
    let programs = Programs::new();
    let driver = programs.path("hammerdbcli");
    fs::write(&driver, format!("{}exit 1\n", HAMMERDB.split_once("echo 'Vuser 1:Test complete").unwrap().0)).unwrap();
    assert_eq!(programs.run(&[driver.to_str().unwrap()]).status.code(), Some(1));
    let measured_s = programs.details()["measured_s"].as_f64();
    assert!(measured_s.is_some_and(|seconds| seconds < 100.0), "{measured_s:?}");
}

#[test]
fn a_server_that_goes_away_ends_neither_the_command_nor_the_run() {
    let programs = Programs::with("measure", true);
    let driver = programs.path("hammerdbcli");
    let output = programs.run(&[driver.to_str().unwrap()]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(125), "{stderr}");
    assert!(stderr.contains("warning: the server went away\ndetail: it closed the connection\n"), "{stderr}");
    assert_eq!(programs.changes(), ["begin it's", "mark ramp-up", "mark measure", "end it's", "result it's"]);
    assert_eq!(programs.details()["ended"], "finished");
}
