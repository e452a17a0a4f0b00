//! Tests of the program on a machine without EBS volumes: its errors, and that it writes nothing.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn run(directory: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebs-nvme-stats"));
    let Output { status, stderr, .. } = command.arg("--directory").arg(directory).args(arguments).output().unwrap();
    (status.code(), String::from_utf8(stderr).unwrap())
}

#[test]
fn a_file_that_is_no_nvme_device_is_an_error_with_a_hint() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("nvme0");
    fs::write(&file, [0; 4096]).unwrap();
    let pages = temp.path().join("pages");
    let (code, stderr) = run(&pages, &["--once", file.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    let first =
        format!("error: \"{}\" is not an NVMe device: Inappropriate ioctl for device (os error 25)\n", file.display());
    assert!(stderr.starts_with(&first), "{stderr}");
    assert!(stderr.contains("\nhint:  EBS volumes are listed by: grep -H . /sys/class/nvme/*/model\n"), "{stderr}");
    assert_eq!(fs::read_dir(&pages).unwrap().count(), 0);
    assert_eq!(fs::read(&file).unwrap(), [0; 4096]);
}

#[test]
fn a_machine_without_ebs_volumes_is_an_error() {
    let temp = tempfile::tempdir().unwrap();
    let (code, stderr) = run(&temp.path().join("pages"), &["--sysfs", temp.path().to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(stderr.starts_with("error: no EBS volume was found below"), "{stderr}");
}

#[test]
fn an_interval_below_a_second_is_a_usage_error() {
    let temp = tempfile::tempdir().unwrap();
    let (code, stderr) = run(temp.path(), &["--interval", "500ms"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("must be from 1s to 3600s"), "{stderr}");
}
