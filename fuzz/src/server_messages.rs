//! Messages of a PostgreSQL server, as far as they are checked before the client takes them.

use ebs_remote::authentication::Authentication;
use ebs_remote::frames::{Allowance, Frames};

/// A stream of messages, which is taken or refused alike however it is cut.
pub fn server_messages(data: &[u8]) {
    let frames = || Frames::new(Allowance::for_startup(), Authentication::default());
    let whole = frames().check(data);
    let mut cut = frames();
    assert_eq!(data.chunks(7).try_for_each(|bytes| cut.check(bytes)), whole);
}

/// The beginning of a session, and an answer.
pub fn seeds() -> Vec<Vec<u8>> {
    let message = |tag: u8, body: &[u8]| [&[tag][..], &(body.len() as u32 + 4).to_be_bytes(), body].concat();
    let scram = [&11_u32.to_be_bytes()[..], b"r=abc,s=QSXCR+Q6sek8bf92,i=4096"].concat();
    let column = b"\0\x01value\0\0\0\0\0\0\0\0\0\0\x19\xFF\xFF\xFF\xFF\xFF\xFF\0\0";
    let startup = [
        message(b'R', &[&10_u32.to_be_bytes()[..], b"SCRAM-SHA-256\0\0"].concat()),
        message(b'R', &scram),
        message(b'R', &[0; 4]),
        message(b'S', b"server_version\x0018.6\0"),
        message(b'Z', b"I"),
    ];
    let answer = [
        message(b'N', b"SWARNING\0VWARNING\0C01000\0Mbeware\0\0"),
        message(b'T', column),
        message(b'D', b"\0\x01\0\0\0\x01a"),
        message(b'C', b"SELECT 1\0"),
        message(b'Z', b"I"),
    ];
    vec![startup.concat(), answer.concat()]
}
