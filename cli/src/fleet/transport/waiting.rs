//! Waits for a server, shown on standard error: as a live line on a terminal, elsewhere as a line once a wait is long, and one each minute
//! after it. Nothing of it is on standard output.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ebs_base::format::plain;
use indicatif::{HumanBytes, MultiProgress, ProgressBar, ProgressStyle};

use crate::fetch_error::FetchError;
use crate::message::print_message;

/// Length of a wait from which on it is shown on a terminal.
const LIVE: Duration = Duration::from_secs(2);
/// Length of a wait from which on it has a line elsewhere.
const LONG: Duration = Duration::from_secs(10);
/// Time between two lines elsewhere.
const BETWEEN: Duration = Duration::from_secs(60);
/// Time between two looks at the waits.
const TICK: Duration = Duration::from_millis(500);
/// Longest delay that a server can ask for (`curl/head.rs`).
const MAX_RETRY_AFTER: Duration = Duration::from_secs(300);

/// Requests and pauses that have not ended.
#[derive(Default)]
pub struct Waiting {
    /// Host of the server, with its port.
    host: String,
    /// Bars of the terminal, this line among them.
    bars: MultiProgress,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    next: u64,
    waits: BTreeMap<u64, Wait>,
    /// Time of the last line.
    printed: Option<Instant>,
    live: Option<ProgressBar>,
}

struct Wait {
    began: Instant,
    kind: Kind,
}

enum Kind {
    Request { bytes: Arc<AtomicU64> },
    Pause { length: Duration, reason: String },
}

/// A wait; it ends when it is dropped.
pub struct WaitGuard<'a> {
    waiting: &'a Waiting,
    number: u64,
    bytes: Arc<AtomicU64>,
}

/// An answer whose bytes are counted.
pub struct Counted<R> {
    inner: R,
    bytes: Arc<AtomicU64>,
}

impl Waiting {
    /// Shows the waits for the server at this address, until it is dropped.
    pub fn start(address: &str, bars: MultiProgress) -> Arc<Waiting> {
        let host = address.split("://").last().and_then(|rest| rest.split('/').next()).unwrap_or_default();
        let waiting = Arc::new(Waiting { host: plain(host), bars, state: Mutex::default() });
        let shown = Arc::downgrade(&waiting);
        let is_terminal = io::stderr().is_terminal();
        thread::spawn(move || {
            while let Some(waiting) = shown.upgrade() {
                waiting.show(is_terminal, Instant::now());
                drop(waiting);
                thread::sleep(TICK);
            }
        });
        waiting
    }

    /// Begins a request.
    pub fn request(&self) -> WaitGuard<'_> {
        let bytes = Arc::new(AtomicU64::new(0));
        let number = self.add(Kind::Request { bytes: bytes.clone() });
        WaitGuard { waiting: self, number, bytes }
    }

    /// Begins a pause of this length after an error.
    pub fn pause(&self, length: Duration, error: &FetchError) -> WaitGuard<'_> {
        let number = self.add(Kind::Pause { length, reason: reason(&self.host, error) });
        WaitGuard { waiting: self, number, bytes: Arc::default() }
    }

    fn add(&self, kind: Kind) -> u64 {
        let mut state = self.lock();
        state.next += 1;
        let number = state.next;
        state.waits.insert(number, Wait { began: Instant::now(), kind });
        number
    }

    fn show(&self, is_terminal: bool, now: Instant) {
        let mut state = self.lock();
        match is_terminal {
            true => {
                let line = state.live_line(&self.host, now);
                state.set_live(&self.bars, line);
            }
            false => {
                let line = state.due_line(&self.host, now);
                drop(state);
                line.into_iter().for_each(|line| print_message!("{line}"));
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The wait that is longest, or will be.
    fn longest(&self, now: Instant) -> Option<(&Wait, Duration)> {
        let length = |wait: &Wait| match &wait.kind {
            Kind::Request { .. } => now.duration_since(wait.began),
            Kind::Pause { length, .. } => *length,
        };
        self.waits.values().map(|wait| (wait, length(wait))).max_by_key(|(_, length)| *length)
    }

    /// Line on a terminal.
    fn live_line(&self, host: &str, now: Instant) -> Option<String> {
        let (wait, _) = self.longest(now).filter(|(_, length)| *length >= LIVE)?;
        Some(wait.describe(host, now))
    }

    /// Line elsewhere, where one is due.
    fn due_line(&mut self, host: &str, now: Instant) -> Option<String> {
        let (wait, _) = self.longest(now).filter(|(_, length)| *length >= LONG)?;
        let is_new = self.printed.is_none_or(|printed| printed < wait.began);
        let is_due = self.printed.is_none_or(|printed| now.duration_since(printed) >= BETWEEN);
        // Several pauses at once, and pauses one after another, are one line in ten seconds.
        let is_free = self.printed.is_none_or(|printed| now.duration_since(printed) >= LONG);
        if !(is_due || is_new && is_free) {
            return None;
        }
        let line = wait.describe(host, now);
        self.printed = Some(now);
        Some(line)
    }

    fn set_live(&mut self, bars: &MultiProgress, line: Option<String>) {
        match (line, self.live.take()) {
            (Some(line), shown) => {
                let style =
                    ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_spinner());
                let bar = shown.unwrap_or_else(|| bars.add(ProgressBar::new_spinner().with_style(style)));
                bar.set_message(line);
                bar.tick();
                self.live = Some(bar);
            }
            (None, Some(shown)) => shown.finish_and_clear(),
            (None, None) => {}
        }
    }
}

impl Wait {
    fn describe(&self, host: &str, now: Instant) -> String {
        let elapsed = now.duration_since(self.began);
        match &self.kind {
            Kind::Pause { length, reason } => {
                let left = length.saturating_sub(elapsed).as_secs_f64().ceil();
                format!("waiting {left} s: {reason}")
            }
            Kind::Request { bytes } => match bytes.load(Ordering::Relaxed) {
                0 => format!("waiting for {host} since {} s: no answer yet", elapsed.as_secs()),
                bytes => format!("waiting for {host} since {} s: {} received", elapsed.as_secs(), HumanBytes(bytes)),
            },
        }
    }
}

/// Reason for a pause.
fn reason(host: &str, error: &FetchError) -> String {
    let FetchError::Unavailable { status, retry_after, .. } = error else { return plain(&error.to_string()) };
    let delay = match retry_after {
        Some(delay) if *delay >= MAX_RETRY_AFTER => " (Retry-After of 300 s or more)".to_owned(),
        Some(delay) => format!(" (Retry-After: {})", delay.as_secs()),
        None => String::new(),
    };
    format!("{host} answered {status}{delay}")
}

impl WaitGuard<'_> {
    /// Counts the bytes of an answer.
    pub fn counted<R>(&self, inner: R) -> Counted<R> {
        Counted { inner, bytes: self.bytes.clone() }
    }
}

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        let mut state = self.waiting.lock();
        state.waits.remove(&self.number);
        if state.waits.is_empty() {
            state.set_live(&self.waiting.bars, None);
        }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: &str = "vm.example:8428";

    fn state(kinds: Vec<Kind>, began: Instant) -> State {
        let waits = (0..).zip(kinds).map(|(number, kind)| (number, Wait { began, kind })).collect();
        State { waits, ..State::default() }
    }

    /// Seconds at which a line is printed, of the first 200.
    fn lines(state: &mut State, began: Instant) -> Vec<(u64, String)> {
        let line = |second| Some((second, state.due_line(HOST, began + Duration::from_secs(second))?));
        (0..200).filter_map(line).collect()
    }

    #[test]
    fn a_silent_server_has_a_line_after_ten_seconds_and_each_minute() {
        let began = Instant::now();
        let bytes = Arc::new(AtomicU64::new(0));
        let mut state = state(vec![Kind::Request { bytes: bytes.clone() }], began);
        let all = lines(&mut state, began);
        assert_eq!(all.iter().map(|(second, _)| *second).collect::<Vec<_>>(), [10, 70, 130, 190]);
        assert_eq!(all[0].1, "waiting for vm.example:8428 since 10 s: no answer yet");
        bytes.store(2_048, Ordering::Relaxed);
        let live = |second| state.live_line(HOST, began + Duration::from_secs(second));
        assert_eq!(
            (live(1), live(5).unwrap()),
            (None, "waiting for vm.example:8428 since 5 s: 2.00 KiB received".to_owned())
        );
    }

    #[test]
    fn a_long_pause_is_named_at_once_and_once_for_all() {
        let began = Instant::now();
        let pause = |length, error: &FetchError| Kind::Pause {
            length: Duration::from_secs(length),
            reason: reason(HOST, error),
        };
        let unavailable = |status, retry_after: Option<u64>| FetchError::Unavailable {
            status,
            message: String::new(),
            retry_after: retry_after.map(Duration::from_secs),
        };
        let many = unavailable(429, Some(60));
        let mut several = state(vec![pause(60, &many), pause(60, &many)], began);
        assert_eq!(
            several.due_line(HOST, began).unwrap(),
            "waiting 60 s: vm.example:8428 answered 429 (Retry-After: 60)"
        );
        assert_eq!(several.due_line(HOST, began + Duration::from_secs(30)), None);
        assert!(several.live_line(HOST, began + Duration::from_secs(18)).unwrap().starts_with("waiting 42 s: "));
        let mut short = state(vec![pause(9, &many)], began);
        assert_eq!(lines(&mut short, began), []);
        assert!(reason(HOST, &unavailable(503, Some(300))).ends_with("answered 503 (Retry-After of 300 s or more)"));
        assert_eq!(reason(HOST, &unavailable(503, None)), "vm.example:8428 answered 503");
        assert_eq!(reason(HOST, &FetchError::CutOff("the answer is cut off".to_owned())), "the answer is cut off");
    }

    #[test]
    fn a_wait_ends_with_its_guard() {
        let waiting = Waiting::default();
        let guard = waiting.request();
        assert_eq!(io::copy(&mut guard.counted(&b"12345"[..]), &mut io::sink()).unwrap(), 5);
        assert_eq!((guard.bytes.load(Ordering::Relaxed), waiting.lock().waits.len()), (5, 1));
        drop(guard);
        assert!(waiting.lock().waits.is_empty());
    }
}
