//! Input of the emulator's daemon: requests of the kernel through /dev/fuse, and of commands through a socket.

use ebs_aws::catalogue::known_instance;
use ebs_emulator::control::Request;
use ebs_emulator::fuse::protocol::{MAX_TRANSFER, OUT_HEADER_BYTES, Operation, init_out, out_header, parse};
use ebs_emulator::resolve::resolve;
use ebs_emulator::spec::VolumeSpec;

use crate::words::suggests_instances;

/// A request of the kernel. The data of a write are within it.
pub fn fuse_request(data: &[u8]) {
    let Some(request) = parse(data) else { return };
    match request.operation {
        Operation::Write { data: written, .. } => assert!(written.len() < data.len()),
        Operation::Init { flags } => assert_eq!(init_out(flags).len(), 64),
        _ => {}
    }
    assert_eq!(out_header(request.unique, 0, MAX_TRANSFER)[8..], request.unique.to_ne_bytes());
    assert_eq!(OUT_HEADER_BYTES, 16);
}

/// A request of a command. An accepted one is written as JSON and read back unchanged, and a resolved volume has a description.
pub fn command(data: &[u8]) {
    let Ok(request) = serde_json::from_slice::<Request>(data) else { return };
    let written = serde_json::to_string(&request).expect("a request is written");
    let again: Request = serde_json::from_str(&written).expect("a written request is read");
    assert_eq!(format!("{again:?}"), format!("{request:?}"));
    if let Request::Set { mut change } = request {
        change.instance = change.instance.filter(|name| known_instance(name).is_some() || suggests_instances());
        let changed = VolumeSpec { volume_type: Some("gp3".to_owned()), ..VolumeSpec::default() }.with_change(&change);
        match resolve(&changed) {
            Ok(resolved) => assert!(!resolved.to_string().contains("NaN") && !resolved.to_string().contains("inf")),
            Err(error) => drop(error.to_string()),
        }
    }
}
