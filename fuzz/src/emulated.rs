//! What the emulator's daemon is asked: by the kernel through /dev/fuse, and by its own commands through a socket.

use ebs_advisor_model::catalogue::known_instance;
use ebs_emulator::asked::Asked;
use ebs_emulator::fuse::protocol::{MAX_TRANSFER, OUT_HEADER_BYTES, Operation, init_out, out_header, parse};
use ebs_emulator::protocol::Command;
use ebs_emulator::resolve::resolve;

use crate::words::hinted;

/// A request of the kernel's: what is to be written lies within it.
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

/// A command: what is accepted is said again in the same words, and a volume that can be has words for itself.
pub fn command(data: &[u8]) {
    let Ok(command) = serde_json::from_slice::<Command>(data) else { return };
    let said = serde_json::to_string(&command).expect("a command can be said");
    let again: Command = serde_json::from_str(&said).expect("what is said is understood");
    assert_eq!(format!("{again:?}"), format!("{command:?}"));
    if let Command::Set { mut change } = command {
        change.instance = change.instance.filter(|name| known_instance(name).is_some() || hinted());
        let changed = Asked { volume_type: Some("gp3".to_owned()), ..Asked::default() }.changed(&change);
        match resolve(&changed) {
            Ok(resolved) => assert!(!resolved.to_string().contains("NaN") && !resolved.to_string().contains("inf")),
            Err(error) => drop(error.to_string()),
        }
    }
}
