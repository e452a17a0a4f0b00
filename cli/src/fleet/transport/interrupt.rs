//! Interruption of requests: the user's signal ends the programs that run, and every pause.

use std::collections::HashSet;
use std::process::Child;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::fetch_error::FetchError;

/// State that a handler of signals and all threads share.
#[derive(Debug, Default)]
pub struct Interrupt {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    is_set: bool,
    /// Processes that run and have not been waited for.
    running: HashSet<Pid>,
}

impl Interrupt {
    /// Ends the programs that run; requests fail from now on.
    pub fn set(&self) {
        let mut state = self.lock();
        state.is_set = true;
        for &pid in &state.running {
            let _ = kill_process(pid, Signal::TERM);
        }
        self.changed.notify_all();
    }

    /// True after [`Interrupt::set`].
    pub fn is_set(&self) -> bool {
        self.lock().is_set
    }

    /// An error after [`Interrupt::set`].
    pub fn check(&self) -> Result<(), FetchError> {
        if self.is_set() { Err(FetchError::Interrupted) } else { Ok(()) }
    }

    /// Waits so long, or until the interruption, which is an error.
    pub fn sleep(&self, pause: Duration) -> Result<(), FetchError> {
        let (state, _) = self
            .changed
            .wait_timeout_while(self.lock(), pause, |state| !state.is_set)
            .unwrap_or_else(PoisonError::into_inner);
        if state.is_set { Err(FetchError::Interrupted) } else { Ok(()) }
    }

    /// Registers a program that was started, to be ended by [`Interrupt::set`], which may have come before.
    pub fn register(&self, child: &Child) {
        let Some(pid) = pid_of(child) else { return };
        let mut state = self.lock();
        state.running.insert(pid);
        if state.is_set {
            let _ = kill_process(pid, Signal::TERM);
        }
    }

    /// Removes a program, before it is waited for: its number may belong to another one afterwards.
    pub fn unregister(&self, child: &Child) {
        if let Some(pid) = pid_of(child) {
            self.lock().running.remove(&pid);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn pid_of(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}
