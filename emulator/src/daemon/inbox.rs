//! Orders to the serving thread from the one that listens to commands: it does them between two requests, so that nothing
//! needs a lock.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::volume::EmulatedVolume;

/// Done by the serving thread, at this time of its clock.
type Order = Box<dyn FnOnce(&mut EmulatedVolume, u64) + Send>;

/// The serving thread's end. Readable when an order came while it slept.
pub struct Inbox {
    orders: Receiver<Order>,
    bell: UnixStream,
}

/// The other end.
pub struct Outbox {
    orders: Sender<Order>,
    bell: UnixStream,
}

/// Both.
pub fn pair() -> io::Result<(Inbox, Outbox)> {
    let (sender, orders) = channel();
    let (bell, ring) = UnixStream::pair()?;
    bell.set_nonblocking(true)?;
    Ok((Inbox { orders, bell }, Outbox { orders: sender, bell: ring }))
}

impl Inbox {
    /// Does what was ordered.
    pub fn obey(&mut self, volume: &mut EmulatedVolume, now_ns: u64) {
        self.orders.try_iter().for_each(|order| order(volume, now_ns));
    }

    /// Takes the rings away. Each comes after its order, so [`Self::obey`] finds that whenever it is called after this.
    pub fn hush(&mut self) {
        let _ = self.bell.read(&mut [0; 64]);
    }
}

impl AsFd for Inbox {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }
}

impl Outbox {
    /// One more, for another thread.
    pub fn another(&self) -> io::Result<Outbox> {
        Ok(Outbox { orders: self.orders.clone(), bell: self.bell.try_clone()? })
    }

    /// What the serving thread answers; `None` when it has ended.
    pub fn ask<T: Send + 'static>(
        &mut self,
        question: impl FnOnce(&mut EmulatedVolume, u64) -> T + Send + 'static,
    ) -> Option<T> {
        let (answer, answered) = channel();
        let order = move |volume: &mut EmulatedVolume, now_ns| drop(answer.send(question(volume, now_ns)));
        self.orders.send(Box::new(order)).ok()?;
        self.bell.write_all(&[1]).ok()?;
        answered.recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use super::*;
    use crate::volume::Settings;

    fn rings(inbox: &Inbox, seconds: i64) -> bool {
        poll(&mut [PollFd::new(inbox, PollFlags::IN)], Some(&Timespec { tv_sec: seconds, tv_nsec: 0 })).unwrap() > 0
    }

    #[test]
    fn an_order_wakes_is_done_once_and_is_answered() {
        let (mut inbox, mut outbox) = pair().unwrap();
        let mut volume = EmulatedVolume::new(Settings::unlimited(), 1);
        assert!(!rings(&inbox, 0));
        let asks = thread::spawn(move || (0..100).map(|_| outbox.ask(|_, now| now)).collect::<Vec<_>>());
        while !asks.is_finished() {
            // Each order rings until it is done: only who is rung for looks.
            if rings(&inbox, 1) {
                inbox.hush();
                inbox.obey(&mut volume, 7);
            }
        }
        assert_eq!(asks.join().unwrap(), [Some(7); 100]);
    }

    #[test]
    fn nobody_waits_for_a_thread_that_has_ended() {
        let (inbox, mut outbox) = pair().unwrap();
        drop(inbox);
        assert_eq!(outbox.ask(|volume, _| volume.queue), None);
    }
}
