//! Tests of ebsctl run with a fake psql: the statements of a run, the exit status, the stored result.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// Fake psql, which logs the queries. The session that marks `$LOSE_AT` ends there, as if the server had been stopped.
const PSQL: &str = r#"#!/bin/sh
query= value=
echo "PGAPPNAME=$PGAPPNAME" >>"$QUERIES.settings"
while IFS= read -r line; do
  case $line in
    *' \gset ebsctl_')
      query=$query${line% *gset*}
      case $query in
        *ebs_sample*) value= ;;
        *pg_extension*) value=public ;;
        *has_table_privilege*) value=true ;;
        *"ebs_run_mark('${LOSE_AT:-none}')"*) echo 'server closed the connection' >&2; exit 2 ;;
        *ebs_run_begin*) value=done; [ -z "$UNSAMPLED" ] || echo 'WARNING:  this run may be missing samples' >&2 ;;
        *ebs_run_mark* | *ebs_run_end*) value=done ;;
        *) value= ;;
      esac
      printf '%s\n' "$query" >>"$QUERIES"
      query= ;;
    '\warn '*'-value '*) line=${line#?warn }; echo "${line%:*}${value:-:ebsctl_value}" >&2 ;;
    '\warn '*'-end '*) line=${line#?warn }; echo "${line%%:*}false 00000" >&2 ;;
    '\warn '*) line=${line#?warn }; echo "${line%:*}" >&2 ;;
    *\;) echo "$line" >>"$QUERIES.settings" ;;
    *) query=$query$line ;;
  esac
done
"#;

const HAMMERDB: &str = "#!/bin/sh
echo 'Vuser 1:Beginning rampup time of 1 minutes'
echo 'Vuser 1:Rampup complete, Taking start Transaction Count.'
echo 'Vuser 1:Timing test period of 2 in minutes'
echo 'Vuser 1:Test complete, Taking end Transaction Count.'
echo 'Vuser 1:TEST RESULT : System achieved 20753 NOPM from 48102 PostgreSQL TPM'
echo 'ALL VIRTUAL USERS COMPLETE'
";

struct Programs(tempfile::TempDir);

impl Programs {
    fn new() -> Programs {
        let programs = Programs(tempfile::tempdir().unwrap());
        for (name, script) in [("psql", PSQL), ("hammerdbcli", HAMMERDB)] {
            fs::write(programs.path(name), script).unwrap();
            fs::set_permissions(programs.path(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
        programs
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, lose_at: &str, command: &[&str]) -> Output {
        self.run_with(&[("LOSE_AT", lose_at)], command)
    }

    fn run_with(&self, variables: &[(&str, &str)], command: &[&str]) -> Output {
        let mut ebsctl = Command::new(env!("CARGO_BIN_EXE_ebsctl"));
        ebsctl.args(["run", "--label", "it's", "--psql"]).arg(self.path("psql")).arg("--").args(command);
        ebsctl
            .envs(variables.iter().copied())
            .env("QUERIES", self.path("queries"))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    fn queries(&self) -> String {
        fs::read_to_string(self.path("queries")).unwrap()
    }

    /// Names of the functions that changed the run, with the phase that was marked.
    fn changes(&self) -> Vec<String> {
        let queries = self.queries();
        let changes = queries.lines().filter_map(|query| query.split("ebs_run_").nth(1));
        changes.map(|change| change.split(')').next().unwrap().to_owned()).collect()
    }

    fn details(&self) -> Value {
        let queries = self.queries();
        let details = queries.split("details => '").nth(1).unwrap().split("'::jsonb").next().unwrap();
        serde_json::from_str(&details.replace("''", "'")).unwrap()
    }
}

#[test]
fn a_run_is_marked_by_the_driver_and_stores_its_result() {
    let programs = Programs::new();
    let driver = programs.path("hammerdbcli");
    let output = programs.run("", &[driver.to_str().unwrap(), "auto", "--password", "hush"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 6, "all lines of the driver");
    assert!(stderr.contains("run \"it's\" finished after "), "{stderr}");
    assert!(stderr.contains(" · 20,753 NOPM, 48,102 TPM\nnext: "), "{stderr}");
    let expected = [
        "begin('it''s', NULL::jsonb",
        "mark('ramp-up'",
        "mark('measure'",
        "mark('after'",
        "end(",
        "result('it''s', tps => NULL, latency_ms => NULL, nopm => 20753, tpm => 48102, details => ",
    ];
    for (change, expected) in programs.changes().iter().zip(expected) {
        assert!(change.starts_with(expected), "{change}");
    }
    assert_eq!(programs.changes().len(), expected.len());
    let details = programs.details();
    assert_eq!((&details["ended"], &details["exit_status"]), (&json!("finished"), &json!(0)));
    assert_eq!(details["command"].as_array().unwrap()[1..], [json!("auto"), json!("--password"), json!("***")]);
}

/// The extension leaves our session out of the clients by its name; the name that the user gave is the command's.
#[test]
fn our_session_has_our_name_and_the_command_that_of_the_user() {
    let programs = Programs::new();
    let output = programs.run_with(&[("PGAPPNAME", "theirs")], &["sh", "-c", "echo \"$PGAPPNAME\""]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "theirs\n");
    let settings = fs::read_to_string(programs.path("queries.settings")).unwrap();
    assert_eq!(settings.lines().next(), Some("PGAPPNAME=ebsctl"));
    let queries = fs::read_to_string(programs.path("queries")).unwrap();
    let first = queries.lines().next().unwrap();
    assert!(first.contains("set_config(") && first.contains("('application_name', 'ebsctl')"), "{first}");
}

#[test]
fn a_command_that_fails_has_no_result_and_passes_its_status_on() {
    let programs = Programs::new();
    assert_eq!(programs.run("", &["sh", "-c", "exit 42"]).status.code(), Some(42));
    let details = programs.details();
    assert_eq!((&details["ended"], &details["exit_status"]), (&json!("failed"), &json!(42)));
    let programs = Programs::new();
    assert_eq!(programs.run("", &["sh", "-c", "kill -TERM $$"]).status.code(), Some(143));
    assert_eq!(programs.details()["exit_signal"], "SIGTERM");
}

#[test]
fn a_command_that_does_not_start_leaves_no_run() {
    let programs = Programs::new();
    let output = programs.run("", &[programs.path("missing").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(127));
    assert_eq!(programs.changes(), ["begin('it''s', NULL::jsonb", "end(", "drop('it''s'"]);
}

#[test]
fn a_run_that_is_not_sampled_does_not_start_its_command() {
    let programs = Programs::new();
    let touched = programs.path("touched");
    let output = programs.run_with(&[("UNSAMPLED", "yes")], &["touch", touched.to_str().unwrap()]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), touched.exists()), (Some(125), false), "{stderr}");
    assert!(stderr.contains("run \"it's\" is not sampled, and the command was not started\nhint:"), "{stderr}");
    assert_eq!(programs.changes(), ["begin('it''s', NULL::jsonb", "end(", "drop('it''s'"]);
}

/// Two minutes are announced, of which a moment was measured.
#[test]
fn a_run_that_fails_while_it_measures_has_measured_until_then() {
    let programs = Programs::new();
    let driver = programs.path("hammerdbcli");
    fs::write(&driver, format!("{}exit 1\n", HAMMERDB.split_once("echo 'Vuser 1:Test complete").unwrap().0)).unwrap();
    assert_eq!(programs.run("", &[driver.to_str().unwrap()]).status.code(), Some(1));
    let measured_s = programs.details()["measured_s"].as_f64();
    assert!(measured_s.is_some_and(|seconds| seconds < 100.0), "{measured_s:?}");
}

#[test]
fn a_server_that_goes_away_ends_neither_the_command_nor_the_run() {
    let programs = Programs::new();
    let driver = programs.path("hammerdbcli");
    let output = programs.run("measure", &[driver.to_str().unwrap()]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(125), "{stderr}");
    assert!(stderr.contains("warning: the server went away\ndetail: server closed the connection\n"), "{stderr}");
    let names: Vec<String> =
        programs.changes().iter().map(|change| change.split('(').next().unwrap().to_owned()).collect();
    assert_eq!(names, ["begin", "mark", "end", "result"]);
    assert_eq!(programs.details()["ended"], "finished");
}
