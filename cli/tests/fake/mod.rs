//! PostgreSQL server of a test: answers each query by a function, over a Unix socket.

use std::io::{self, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::thread;

/// Query with the values of its parameters.
pub struct Asked {
    /// Text.
    pub query: String,
    /// Values.
    pub values: Vec<Option<String>>,
}

/// Answer to a query.
pub enum Reply {
    /// A row of one value.
    Value(Option<String>),
    /// The same, after a warning.
    Warned(&'static str),
    /// No answer: the connection is closed.
    Closed,
}

/// Serves in a directory, which is the PGHOST of clients; `answer` gets the startup parameters once, as a query of their own.
pub fn serve(directory: &Path, answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) {
    let listener = UnixListener::bind(directory.join(".s.PGSQL.5432")).unwrap();
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let answer = Arc::clone(&answer);
            thread::spawn(move || converse(stream.unwrap(), &*answer));
        }
    });
}

/// Speaks with a client until it leaves.
fn converse(mut stream: UnixStream, answer: &dyn Fn(&Asked) -> Reply) -> io::Result<()> {
    let startup = read_body(&mut stream)?;
    answer(&Asked { query: String::from_utf8_lossy(&startup[4..]).into_owned(), values: Vec::new() });
    let mut greeting = message(b'R', &0_i32.to_be_bytes());
    greeting.extend(message(b'K', &[0; 8]));
    greeting.extend(message(b'Z', b"I"));
    stream.write_all(&greeting)?;
    let mut asked = Asked { query: String::new(), values: Vec::new() };
    loop {
        let mut tag = [0];
        stream.read_exact(&mut tag)?;
        let body = read_body(&mut stream)?;
        match tag[0] {
            b'P' => asked.query = body.split(|byte| *byte == 0).nth(1).map(text).unwrap_or_default(),
            b'B' => asked.values = values(&body),
            b'S' => match answer(&asked) {
                Reply::Closed => return Ok(()),
                Reply::Value(value) => stream.write_all(&row(value.as_deref()))?,
                Reply::Warned(warning) => {
                    let fields = format!("SWARNING\0VWARNING\0C01000\0M{warning}\0\0");
                    stream.write_all(&[message(b'N', fields.as_bytes()), row(Some("done"))].concat())?;
                }
            },
            b'X' => return Ok(()),
            _ => (),
        }
    }
}

fn read_body(stream: &mut UnixStream) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let mut body = vec![0; usize::try_from(u32::from_be_bytes(length)).unwrap() - 4];
    stream.read_exact(&mut body)?;
    Ok(body)
}

fn message(tag: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap().to_be_bytes();
    [&[tag], &length[..], body].concat()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Values of a message Bind: behind two names and the formats, each with its length, -1 for NULL.
fn values(body: &[u8]) -> Vec<Option<String>> {
    let mut rest = body.splitn(3, |byte| *byte == 0).nth(2).unwrap();
    let mut take = |length: usize| {
        let (now, later) = rest.split_at(length);
        rest = later;
        now
    };
    let number = |bytes: &[u8]| usize::from(u16::from_be_bytes(bytes.try_into().unwrap()));
    let formats = number(take(2));
    take(2 * formats);
    let count = number(take(2));
    (0..count)
        .map(|_| {
            let length = i32::from_be_bytes(take(4).try_into().unwrap());
            usize::try_from(length).ok().map(|length| text(take(length)))
        })
        .collect()
}

/// Messages of an answer of one column of type text.
fn row(value: Option<&str>) -> Vec<u8> {
    let mut column = b"\0\x01value\0\0\0\0\0\0\0".to_vec();
    column.extend(25_u32.to_be_bytes());
    column.extend([0xFF; 6]);
    column.extend([0; 2]);
    let data = match value {
        Some(value) => [&b"\0\x01"[..], &u32::try_from(value.len()).unwrap().to_be_bytes(), value.as_bytes()].concat(),
        None => b"\0\x01\xFF\xFF\xFF\xFF".to_vec(),
    };
    [
        message(b'1', b""),
        message(b'2', b""),
        message(b'T', &column),
        message(b'D', &data),
        message(b'C', b"SELECT 1\0"),
        message(b'Z', b"I"),
    ]
    .concat()
}
