//! The changes in the programs that they are for: a shell with an `aws` that is none, terraform's formatter.

// A test: it starts programs.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods, clippy::disallowed_types)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use ebs_fleet_report::{ChangeFormat, ChangeOptions, Row, changes};

#[path = "browser/fleet.rs"]
mod fleet;

/// An `aws` that keeps the configuration of each volume in a file, in a directory named VOLUMES, and logs what it modifies.
const AWS: &str = r#"#!/usr/bin/env bash
set -eu
all="$*" volume= type= iops= throughput=
while [ $# -gt 0 ]; do
  case $1 in
  --volume-id | --volume-ids) volume=$2 ;;
  --volume-type) type=$2 ;;
  --iops) iops=$2 ;;
  --throughput) throughput=$2 ;;
  --query) query=$2 ;;
  esac
  shift
done
case $all in
*get-caller-identity*) cat "$VOLUMES/account" ;;
*describe-volumes-modifications*) cat "$VOLUMES/modifying" ;;
*describe-volumes*)
  read -r t size i m <"$VOLUMES/$volume"
  case $query in
  *Throughput*) printf '%s\t%s\t%s\t%s\n' "$t" "$size" "$i" "$m" ;;
  *Iops*) printf '%s\t%s\t%s\n' "$t" "$size" "$i" ;;
  *) printf '%s\t%s\n' "$t" "$size" ;;
  esac
  ;;
*modify-volume*)
  read -r t size i m <"$VOLUMES/$volume"
  echo "$type $size ${iops:-0} ${throughput:-0}" >"$VOLUMES/$volume"
  echo "$volume" >>"$VOLUMES/log"
  ;;
esac
"#;

/// A script of changes with its AWS.
struct Scene {
    directory: tempfile::TempDir,
    waves: usize,
}

impl Scene {
    fn new(rows: &[Row]) -> Scene {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        let script = changes(rows, ChangeFormat::Cli, &ChangeOptions::default());
        fs::write(path.join("changes.sh"), &script).unwrap();
        fs::write(path.join("aws"), AWS).unwrap();
        fs::set_permissions(path.join("aws"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(path.join("account"), "100000000000\n").unwrap();
        fs::write(path.join("modifying"), "0\n").unwrap();
        for row in rows {
            let present = row.present.as_ref().unwrap();
            let text =
                format!("{} {} {} {}\n", present.volume_type, present.size_gib, present.iops, present.throughput_mibps);
            fs::write(path.join(&row.volume), text).unwrap();
        }
        Scene { waves: script.lines().filter(|line| line.starts_with("wave-")).count(), directory }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn run(&self, argument: &str) -> Output {
        let path = format!("{}:{}", self.path().display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("bash");
        command.arg(self.path().join("changes.sh")).arg(argument).env("PATH", path).env("VOLUMES", self.path());
        command.current_dir(self.path()).output().unwrap()
    }

    fn volume(&self, row: &Row) -> String {
        fs::read_to_string(self.path().join(&row.volume)).unwrap().trim().to_owned()
    }

    fn modified(&self) -> usize {
        fs::read_to_string(self.path().join("log")).unwrap_or_default().lines().count()
    }
}

/// Rows of one account that are modified, some with names that would be commands.
fn rows() -> Vec<Row> {
    let rows = fleet::rows(400, 3).into_iter().filter(|row| row.recommended.is_some());
    rows.map(|row| Row { account: Some("100000000000".to_owned()), region: Some("eu-west-1".to_owned()), ..row })
        .collect()
}

#[test]
fn a_wave_is_made_checked_and_undone() {
    let rows = rows();
    let scene = Scene::new(&rows);
    assert_eq!(scene.run("").status.code(), Some(2));
    assert_eq!(scene.modified(), 0, "without an argument nothing is modified");
    let present: Vec<String> = rows.iter().map(|row| scene.volume(row)).collect();
    assert!(!scene.run("check-1").status.success(), "nothing is completed yet");

    for wave in 1..=scene.waves {
        let output = scene.run(&format!("wave-{wave}"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let output = scene.run(&format!("check-{wave}"));
        assert_eq!(String::from_utf8_lossy(&output.stdout), format!("wave {wave} is completed\n"));
    }
    assert_eq!(scene.modified(), rows.len());
    for row in &rows {
        assert_eq!(scene.volume(row), format!("gp3 {} 5000 125", row.present.as_ref().unwrap().size_gib));
    }
    // A wave that is made twice modifies nothing again.
    assert!(scene.run("wave-1").status.success());
    assert_eq!(scene.modified(), rows.len());

    for wave in (1..=scene.waves).rev() {
        assert!(scene.run(&format!("back-{wave}")).status.success());
    }
    for (row, present) in rows.iter().zip(&present) {
        // IOPS and throughput come back as far as the type has a choice of them.
        let figures = match row.present.as_ref().unwrap().volume_type.as_str() {
            "gp2" => 2,
            "gp3" => 4,
            _ => 3,
        };
        let first = |text: &str| text.split(' ').take(figures).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(first(&scene.volume(row)), first(present));
    }
    assert!(!scene.path().join("hit").exists(), "a name was run");
}

#[test]
fn a_running_modification_and_another_account_stop_a_wave() {
    let scene = Scene::new(&rows());
    for (file, value, message) in
        [("modifying", "1\n", "is \"1\", not \"0\""), ("account", "2\n", "is \"2\", not \"100000000000\"")]
    {
        let kept = fs::read_to_string(scene.path().join(file)).unwrap();
        fs::write(scene.path().join(file), value).unwrap();
        let output = scene.run("wave-1");
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains(message), "{output:?}");
        fs::write(scene.path().join(file), kept).unwrap();
    }
    assert_eq!(scene.modified(), 0);
}

#[test]
fn a_volume_that_was_changed_meanwhile_stays() {
    let rows = rows();
    let scene = Scene::new(&rows);
    fs::write(scene.path().join(&rows[0].volume), "io2 100 7777 0\n").unwrap();
    for wave in 1..=scene.waves {
        assert!(scene.run(&format!("wave-{wave}")).status.success());
    }
    assert_eq!(scene.volume(&rows[0]), "io2 100 7777 0");
    assert_eq!(scene.modified(), rows.len() - 1);
}

#[test]
fn terraform_reads_its_changes() {
    if Command::new("terraform").arg("version").output().is_err() {
        eprintln!("skipped: there is no terraform");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("changes.tf");
    fs::write(&file, changes(&rows(), ChangeFormat::Terraform, &ChangeOptions::default())).unwrap();
    let output = Command::new("terraform")
        .args(["fmt", "-check", "-diff", "changes.tf"])
        .current_dir(directory.path())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
