//! Queue of tasks from other threads, which the serving thread runs between two requests, so that the volume needs no lock.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use rustix::event::{EventfdFlags, eventfd};

use crate::volume::EmulatedVolume;

/// Task of the serving thread, called with the volume and the time of its clock in nanoseconds.
type Task = Box<dyn FnOnce(&mut EmulatedVolume, u64) + Send>;

/// Receiving end, of the serving thread. Its waker is readable from a task's arrival until [`Self::drain_wakeups`].
pub struct TaskReceiver {
    tasks: Receiver<Task>,
    waker: Arc<OwnedFd>,
}

/// Sending end, of other threads.
#[derive(Clone)]
pub struct TaskSender {
    tasks: Sender<Task>,
    waker: Arc<OwnedFd>,
}

/// Creates both ends of a queue.
pub fn task_queue() -> io::Result<(TaskSender, TaskReceiver)> {
    let (sender, receiver) = channel();
    let waker = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
    Ok((TaskSender { tasks: sender, waker: waker.clone() }, TaskReceiver { tasks: receiver, waker }))
}

impl TaskReceiver {
    /// Runs the tasks that have arrived.
    pub fn run_pending(&mut self, volume: &mut EmulatedVolume, now_ns: u64) {
        self.tasks.try_iter().for_each(|task| task(volume, now_ns));
    }

    /// Makes the waker unreadable. Each wake-up follows its task, so a later [`Self::run_pending`] finds that task.
    pub fn drain_wakeups(&mut self) {
        let _ = rustix::io::read(&self.waker, &mut [0; size_of::<u64>()]);
    }
}

impl AsFd for TaskReceiver {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.waker.as_fd()
    }
}

impl TaskSender {
    /// Runs a task on the serving thread and returns its result; `None` if that thread has ended.
    pub fn run<T: Send + 'static>(
        &self,
        task: impl FnOnce(&mut EmulatedVolume, u64) -> T + Send + 'static,
    ) -> Option<T> {
        let (result_sender, result) = channel();
        let task = move |volume: &mut EmulatedVolume, now_ns| drop(result_sender.send(task(volume, now_ns)));
        self.tasks.send(Box::new(task)).ok()?;
        rustix::io::write(&self.waker, &1u64.to_ne_bytes()).ok()?;
        result.recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use super::*;
    use crate::volume::Settings;

    fn is_woken(tasks: &TaskReceiver, seconds: i64) -> bool {
        poll(&mut [PollFd::new(tasks, PollFlags::IN)], Some(&Timespec { tv_sec: seconds, tv_nsec: 0 })).unwrap() > 0
    }

    #[test]
    fn a_task_wakes_the_receiver_runs_once_and_returns_its_result() {
        let (sender, mut receiver) = task_queue().unwrap();
        let mut volume = EmulatedVolume::new(Settings::unlimited(), 1).unwrap();
        assert!(!is_woken(&receiver, 0));
        let caller = thread::spawn(move || (0..100).map(|_| sender.run(|_, now| now)).collect::<Vec<_>>());
        while !caller.is_finished() {
            // Tasks are run only after a wake-up: if it is missing, the caller waits indefinitely.
            if is_woken(&receiver, 1) {
                receiver.drain_wakeups();
                receiver.run_pending(&mut volume, 7);
            }
        }
        assert_eq!(caller.join().unwrap(), [Some(7); 100]);
    }

    #[test]
    fn no_caller_waits_for_a_thread_that_has_ended() {
        let (sender, receiver) = task_queue().unwrap();
        drop(receiver);
        assert_eq!(sender.run(|volume, _| volume.queue), None);
    }
}
