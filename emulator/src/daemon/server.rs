//! The thread that serves: it takes requests, does their I/O at once, and sends each answer when it is due.
//!
//! One thread, because two on two CPUs were slower: what it does takes microseconds, and handing a request over costs more.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::sockopt::set_socket_keepalive;

use super::inbox::Inbox;
use super::pending::{Body, Pending};
use crate::fuse::device::{Device, Received};
use crate::fuse::protocol::{self, ENOSYS, Operation, REQUEST_BYTES, Request};
use crate::volume::{EmulatedVolume, RequestKind};

/// A sleep ends late by what the machine takes to wake up, 5 µs on some and 50 µs on a virtual machine whose CPU had gone to
/// rest; so it begins to wake that much earlier, and a quarter more, but no more than this: the time is spent awake.
const AWAKE_MOST_NS: u64 = 100_000;

/// A volume being served.
pub struct Server {
    device: Device,
    backing: File,
    size: u64,
    inbox: Inbox,
    volume: EmulatedVolume,
    waiting: BinaryHeap<Reverse<Pending>>,
    spare: Vec<Vec<u8>>,
    began: Instant,
    admitted: u64,
    /// Whether answers were sent since [`Self::finish`].
    unfinished: bool,
    /// How late sleeps end, on average.
    wakes_late_ns: u64,
}

impl Server {
    pub fn new(device: Device, backing: File, size: u64, inbox: Inbox, volume: EmulatedVolume) -> Server {
        let (waiting, spare) = (BinaryHeap::new(), Vec::new());
        Server {
            device,
            backing,
            size,
            inbox,
            volume,
            waiting,
            spare,
            began: Instant::now(),
            admitted: 0,
            unfinished: false,
            wakes_late_ns: 0,
        }
    }

    /// Serves until the file is unmounted.
    pub fn run(mut self) -> Result<(), Errno> {
        let mut buffer = vec![0; REQUEST_BYTES];
        let mut woke = self.now();
        let mut idle = 0;
        loop {
            let began = self.now();
            self.volume.queue = self.waiting.len();
            self.inbox.obey(&mut self.volume, began);
            let answered = self.answer_due(began)?;
            match self.device.receive(&mut buffer)? {
                Received::Request(bytes) => {
                    self.finish();
                    self.handle(&buffer[..bytes])?;
                    continue;
                }
                Received::Gone => return Ok(()),
                Received::Nothing => (),
            }
            let now = self.now();
            if !answered {
                idle += now - began;
            }
            let due = self.waiting.peek().map(|Reverse(first)| first.due_ns);
            let awake = (self.wakes_late_ns * 5 / 4).min(AWAKE_MOST_NS);
            if due.is_some_and(|due| due < now + awake) {
                self.finish();
                std::hint::spin_loop();
                continue;
            }
            self.volume.statistics.punctuality.worked((now - woke).saturating_sub(idle));
            self.finish();
            self.sleep(due.map(|due| due - awake - now))?;
            (woke, idle) = (self.now(), 0);
        }
    }

    /// Has the kernel finish what it answered. The block layer leaves the end of a request to a softirq, which it hands to a
    /// thread of ordinary priority; while this one runs at a real-time priority, that one waits. Letting go of a socket's lock
    /// runs the softirqs that are due (62,000 instead of 44,000 requests a second of 0.5 ms at queue depth 32), and makes the
    /// way back as long for one request as for many, so that it can be taken off the time of service.
    fn finish(&mut self) {
        if std::mem::take(&mut self.unfinished) {
            let _ = set_socket_keepalive(&self.inbox, false);
        }
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_nanos() as u64
    }

    /// Waits for a request, an order, or for so long.
    fn sleep(&mut self, ns: Option<u64>) -> Result<(), Errno> {
        let timeout = ns.map(|ns| {
            let duration = Duration::from_nanos(ns);
            Timespec { tv_sec: duration.as_secs() as i64, tv_nsec: duration.subsec_nanos().into() }
        });
        let mut fds = [PollFd::new(&self.device, PollFlags::IN), PollFd::new(&self.inbox, PollFlags::IN)];
        let began = self.now();
        let ready = match poll(&mut fds, timeout.as_ref()) {
            Err(Errno::INTR) => return Ok(()),
            ready => ready?,
        };
        if !fds[1].revents().is_empty() {
            self.inbox.hush();
        }
        if let (0, Some(ns)) = (ready, ns) {
            let late = (self.now() - began).saturating_sub(ns);
            // A mean of the last dozens, so that one long interruption does not count for much.
            self.wakes_late_ns = (15 * self.wakes_late_ns + late.min(AWAKE_MOST_NS)) / 16;
        }
        Ok(())
    }

    /// Sends what is due; whether there was anything.
    fn answer_due(&mut self, mut now: u64) -> Result<bool, Errno> {
        let mut any = false;
        while self.waiting.peek().is_some_and(|Reverse(first)| first.due_ns <= now) {
            let Some(Reverse(pending)) = self.waiting.pop() else { break };
            let head = protocol::header(pending.unique, pending.body.error(), pending.body.bytes().len());
            self.device.answer(&head, pending.body.bytes())?;
            now = self.now();
            self.volume.statistics.completed(pending.kind, pending.bytes, now - pending.arrived_ns);
            self.volume.statistics.punctuality.answered(pending.due_ns, now);
            self.spare.extend(pending.body.reusable());
            any = true;
        }
        self.unfinished |= any;
        Ok(any)
    }

    fn handle(&mut self, bytes: &[u8]) -> Result<(), Errno> {
        let Some(Request { unique, operation }) = protocol::parse(bytes) else { return Ok(()) };
        let (error, body) = match operation {
            Operation::Read { offset, size } => {
                self.admit(unique, RequestKind::Read, size, |server| server.read(offset, size));
                return Ok(());
            }
            Operation::Write { offset, data } => {
                self.admit(unique, RequestKind::Write, data.len(), |server| server.write(offset, data));
                return Ok(());
            }
            Operation::Silence => return Ok(()),
            Operation::Init { features } => (0, protocol::init(features)),
            Operation::Attributes => (0, protocol::attributes(self.size)),
            Operation::Open => (0, protocol::opened()),
            Operation::FileSystem => (0, protocol::file_system(self.size)),
            Operation::Nothing | Operation::Destroy => (0, Vec::new()),
            Operation::Unknown => (ENOSYS, Vec::new()),
        };
        self.device.answer(&protocol::header(unique, error, body.len()), &body)
    }

    /// A request: its time is set when it comes, its I/O is done while it waits.
    fn admit(&mut self, unique: u64, kind: RequestKind, bytes: usize, transfer: impl FnOnce(&mut Server) -> Body) {
        let arrived_ns = self.now();
        let due_ns = self.volume.shaper.admit(arrived_ns, kind, bytes as u64).due_ns;
        let body = transfer(self);
        self.admitted += 1;
        self.waiting.push(Reverse(Pending {
            due_ns,
            nth: self.admitted,
            unique,
            kind,
            bytes: bytes as u64,
            arrived_ns,
            body,
        }));
    }

    fn read(&mut self, offset: u64, size: usize) -> Body {
        let mut data = self.spare.pop().unwrap_or_default();
        data.resize(size.min(self.size.saturating_sub(offset) as usize), 0);
        match self.backing.read_exact_at(&mut data, offset) {
            Ok(()) => Body::Read(data),
            Err(error) => failed("read", offset, &error),
        }
    }

    fn write(&mut self, offset: u64, data: &[u8]) -> Body {
        match self.backing.write_all_at(data, offset) {
            Ok(()) => Body::Written(protocol::written(data.len())),
            Err(error) => failed("write", offset, &error),
        }
    }
}

fn failed(what: &str, offset: u64, error: &std::io::Error) -> Body {
    eprintln!("could not {what} the backing file at byte {offset}: {error}");
    Body::Failed
}
