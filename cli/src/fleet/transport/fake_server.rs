//! HTTP server of the tests: one request after the other, answered by a function.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// A request.
#[derive(Clone, Debug, Default)]
pub struct Received {
    /// Path.
    pub path: String,
    /// Headers, a line each, as they came.
    pub headers: Vec<String>,
    /// Parameters of a form.
    pub form: String,
    /// Command lines of all processes while the request was answered.
    pub command_lines: String,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    status: u16,
    headers: Vec<String>,
    body: Vec<u8>,
    /// Bytes that the answer declares and does not have.
    missing: usize,
}

impl Reply {
    /// An answer with a status and a body.
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Reply {
        Reply { status, headers: Vec::new(), body: body.into(), missing: 0 }
    }

    /// The same with a header more.
    pub fn with_header(mut self, header: &str) -> Reply {
        self.headers.push(header.to_owned());
        self
    }

    /// The same, cut off after so many bytes of the body.
    pub fn cut_off(mut self, length: usize) -> Reply {
        self.missing = self.body.len() - length;
        self.body.truncate(length);
        self
    }
}

/// The server; it ends when it is dropped.
pub struct FakeServer {
    address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    is_ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl FakeServer {
    /// Starts a server.
    pub fn start(mut answer: impl FnMut(&Received) -> Reply + Send + 'static) -> FakeServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (received, is_ended) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (requests, ended) = (received.clone(), is_ended.clone());
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if ended.load(Ordering::SeqCst) {
                    break;
                }
                let mut stream = BufReader::new(stream.unwrap());
                let Some(request) = read_request(&mut stream) else { continue };
                let reply = answer(&request);
                requests.lock().unwrap().push(request);
                // The client may have ended in the middle.
                let _ = write_reply(stream.get_mut(), &reply);
            }
        });
        FakeServer { address, received, is_ended, thread: Some(thread) }
    }

    /// Address for `--prometheus`.
    pub fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests so far.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.is_ended.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn read_request(stream: &mut BufReader<TcpStream>) -> Option<Received> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).ok()?;
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let path = lines.first()?.split(' ').nth(1)?.to_owned();
    let length = lines.iter().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).ok()?;
    let form = String::from_utf8_lossy(&body).into_owned();
    Some(Received { path, headers: lines.split_off(1), form, command_lines: command_lines() })
}

fn command_lines() -> String {
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let command_line = |entry: fs::DirEntry| fs::read(entry.path().join("cmdline")).ok();
    let lines: Vec<_> =
        processes.filter_map(command_line).map(|line| String::from_utf8_lossy(&line).into_owned()).collect();
    lines.join("\n").replace('\0', " ")
}

fn write_reply(stream: &mut TcpStream, reply: &Reply) -> std::io::Result<()> {
    let length = reply.body.len() + reply.missing;
    write!(stream, "HTTP/1.1 {} X\r\nContent-Length: {length}\r\nConnection: close\r\n", reply.status)?;
    reply.headers.iter().try_for_each(|header| write!(stream, "{header}\r\n"))?;
    write!(stream, "\r\n")?;
    stream.write_all(&reply.body)
}
