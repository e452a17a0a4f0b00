//! The serving thread: receives requests, does their I/O at once, and sends each reply when it is due.
//!
//! One thread, because two on two CPUs were slower: a request takes microseconds, and handing it over costs more.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::pending_reply::{PendingReply, ReplyBody};
use super::softirq::SoftirqTrigger;
use super::task_queue::TaskReceiver;
use crate::fuse::device::{FuseDevice, Received};
use crate::fuse::protocol::{self, ENOSYS, Operation, REQUEST_BYTES, Request};
use crate::volume::{EmulatedVolume, RequestKind};

/// Maximum time of spinning before a reply is due. A sleep ends late by the machine's wake-up delay (5 µs on some, 50 µs on a
/// virtual machine whose CPU was idle), so it is shortened by 1.25 times that delay.
const MAX_SPIN_NS: u64 = 100_000;

/// A volume being served.
pub struct Server {
    device: FuseDevice,
    backing: File,
    size: u64,
    tasks: TaskReceiver,
    softirqs: SoftirqTrigger,
    volume: EmulatedVolume,
    /// Replies by their due time, in nanoseconds, and the sequence number of their request.
    pending: BTreeMap<(u64, u64), PendingReply>,
    spare_buffers: Vec<Vec<u8>>,
    started: Instant,
    requests: u64,
    /// Mean delay of wake-ups.
    wakeup_delay_ns: u64,
}

impl Server {
    pub fn new(
        device: FuseDevice,
        (backing, size): (File, u64),
        tasks: TaskReceiver,
        softirqs: SoftirqTrigger,
        volume: EmulatedVolume,
    ) -> Server {
        Server {
            device,
            backing,
            size,
            tasks,
            softirqs,
            volume,
            pending: BTreeMap::new(),
            spare_buffers: Vec::new(),
            started: Instant::now(),
            requests: 0,
            wakeup_delay_ns: 0,
        }
    }

    /// Serves until the file is unmounted.
    pub fn run(mut self) -> Result<(), Errno> {
        let mut buffer = vec![0; REQUEST_BYTES];
        let (mut woken_ns, mut spun_ns) = (self.now_ns(), 0);
        loop {
            let began_ns = self.now_ns();
            self.volume.queue = self.pending.len();
            self.tasks.run_pending(&mut self.volume, began_ns);
            let replied = self.send_due_replies(began_ns)?;
            let received = self.device.receive(&mut buffer)?;
            let now_ns = self.now_ns();
            if replied {
                self.softirqs.run_pending();
            }
            match received {
                Received::Request(bytes) => {
                    self.handle(&buffer[..bytes])?;
                    continue;
                }
                Received::Unmounted => return Ok(()),
                Received::Nothing => (),
            }
            if !replied {
                spun_ns += now_ns - began_ns;
            }
            let spin_ns = (self.wakeup_delay_ns * 5 / 4).min(MAX_SPIN_NS);
            let due_ns = self.pending.first_key_value().map(|((due_ns, _), _)| *due_ns);
            if due_ns.is_some_and(|due_ns| due_ns < now_ns + spin_ns) {
                std::hint::spin_loop();
                continue;
            }
            self.volume.statistics.fidelity.record_busy((now_ns - woken_ns).saturating_sub(spun_ns));
            self.sleep(due_ns.map(|due_ns| due_ns - spin_ns - now_ns))?;
            (woken_ns, spun_ns) = (self.now_ns(), 0);
        }
    }

    fn now_ns(&self) -> u64 {
        self.started.elapsed().as_nanos() as u64
    }

    /// Waits for a request or a task, up to this time.
    fn sleep(&mut self, timeout_ns: Option<u64>) -> Result<(), Errno> {
        let timeout = timeout_ns.map(|ns| {
            let duration = Duration::from_nanos(ns);
            Timespec { tv_sec: duration.as_secs() as i64, tv_nsec: duration.subsec_nanos().into() }
        });
        let mut fds = [PollFd::new(&self.device, PollFlags::IN), PollFd::new(&self.tasks, PollFlags::IN)];
        let began_ns = self.now_ns();
        let ready = match poll(&mut fds, timeout.as_ref()) {
            Err(Errno::INTR) => return Ok(()),
            ready => ready?,
        };
        if !fds[1].revents().is_empty() {
            self.tasks.drain_wakeups();
        }
        if let (0, Some(timeout_ns)) = (ready, timeout_ns) {
            let delay_ns = (self.now_ns() - began_ns).saturating_sub(timeout_ns).min(MAX_SPIN_NS);
            // Exponentially weighted over dozens of wake-ups, so that one long interruption does not count for much.
            self.wakeup_delay_ns = (15 * self.wakeup_delay_ns + delay_ns) / 16;
        }
        Ok(())
    }

    /// Sends the replies that are due and returns true if there were any.
    fn send_due_replies(&mut self, mut now_ns: u64) -> Result<bool, Errno> {
        let mut replied = false;
        while let Some(first) = self.pending.first_entry().filter(|first| first.key().0 <= now_ns) {
            let ((due_ns, _), reply) = first.remove_entry();
            let body = reply.body.bytes();
            self.device.reply(&protocol::out_header(reply.unique, reply.body.errno(), body.len()), body)?;
            now_ns = self.now_ns();
            self.volume.statistics.record(reply.kind, reply.bytes, now_ns - reply.arrived_ns);
            self.volume.statistics.fidelity.record_reply(due_ns, now_ns);
            self.spare_buffers.extend(reply.body.into_buffer());
            replied = true;
        }
        Ok(replied)
    }

    fn handle(&mut self, request: &[u8]) -> Result<(), Errno> {
        let Some(Request { unique, operation }) = protocol::parse(request) else { return Ok(()) };
        let (errno, body) = match operation {
            Operation::Read { offset, size } => {
                self.admit(unique, RequestKind::Read, size, |server| server.read(offset, size));
                return Ok(());
            }
            Operation::Write { offset, data } => {
                self.admit(unique, RequestKind::Write, data.len(), |server| server.write(offset, data));
                return Ok(());
            }
            Operation::NoReply => return Ok(()),
            Operation::Init { flags } => (0, protocol::init_out(flags)),
            Operation::GetAttr => (0, protocol::attr_out(self.size)),
            Operation::Open => (0, protocol::open_out()),
            Operation::StatFs => (0, protocol::statfs_out(self.size)),
            Operation::NoOp | Operation::Destroy => (0, Vec::new()),
            Operation::Unsupported => (ENOSYS, Vec::new()),
        };
        self.device.reply(&protocol::out_header(unique, errno, body.len()), &body)
    }

    /// Decides when a request that arrives now is replied to, and does its I/O in the meantime.
    fn admit(&mut self, unique: u64, kind: RequestKind, bytes: usize, transfer: impl FnOnce(&mut Server) -> ReplyBody) {
        let (bytes, arrived_ns) = (bytes as u64, self.now_ns());
        let due_ns = self.volume.shaper.admit(arrived_ns, kind, bytes).due_ns;
        let body = transfer(self);
        self.requests += 1;
        self.pending.insert((due_ns, self.requests), PendingReply { unique, kind, bytes, arrived_ns, body });
    }

    fn read(&mut self, offset: u64, size: usize) -> ReplyBody {
        let mut data = self.spare_buffers.pop().unwrap_or_default();
        data.resize(size.min(self.size.saturating_sub(offset) as usize), 0);
        match self.backing.read_exact_at(&mut data, offset) {
            Ok(()) => ReplyBody::Read(data),
            Err(error) => log_failure("read", offset, &error),
        }
    }

    fn write(&mut self, offset: u64, data: &[u8]) -> ReplyBody {
        match self.backing.write_all_at(data, offset) {
            Ok(()) => ReplyBody::Written(protocol::write_out(data.len())),
            Err(error) => log_failure("write", offset, &error),
        }
    }
}

fn log_failure(action: &str, offset: u64, error: &std::io::Error) -> ReplyBody {
    eprintln!("could not {action} the backing file at byte {offset}: {error}");
    ReplyBody::Failed
}
