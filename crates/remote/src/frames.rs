//! Bounds on a server's messages, checked on their frames before the client buffers them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::BytesMut;
use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::Message;

use crate::authentication::{Authentication, Refusal};

/// Longest message that is taken, bytes: facts of 10,000 tables.
pub const MAX_MESSAGE: usize = 16 << 20;

/// Most bytes of the messages beside the answer: notices.
const MAX_BESIDE: usize = 1 << 20;

/// Most bytes until a session is ready: a server reports some 15 parameters of its own.
const MAX_STARTUP: usize = 1 << 20;

/// Longest message that is looked into, bytes: one of authentication, or the description of two columns.
const MAX_INSPECTED: usize = 16 << 10;

/// Number of the type text.
const TEXT: u32 = 25;

/// Bytes of a tag and a length.
const HEADER: usize = 5;

/// Bytes that a server may still send.
#[derive(Clone)]
pub struct Allowance(Arc<AtomicUsize>);

impl Allowance {
    /// Allowance of the messages until a session is ready.
    pub fn for_startup() -> Allowance {
        Allowance(Arc::new(AtomicUsize::new(MAX_STARTUP)))
    }

    /// Begins an answer of at most so many bytes.
    pub fn begin_answer(&self, max_bytes: usize) {
        self.0.store(max_bytes + MAX_BESIDE, Ordering::Relaxed);
    }

    fn has(&self, bytes: usize) -> Result<(), FrameError> {
        if bytes > self.0.load(Ordering::Relaxed) { Err(FrameError::AnswerTooLong) } else { Ok(()) }
    }

    fn take(&self, bytes: usize) -> Result<(), FrameError> {
        self.has(bytes)?;
        self.0.store(self.0.load(Ordering::Relaxed) - bytes, Ordering::Relaxed);
        Ok(())
    }
}

/// Reason for which a server's messages are not taken.
#[derive(Debug, PartialEq, Eq)]
pub enum FrameError {
    /// A length that no message has.
    Malformed,
    /// Longer than any message that is taken.
    MessageTooLong(usize),
    /// More than any answer has.
    AnswerTooLong,
    /// Columns that no query of ours has: their types would be looked up, for as long as the server likes.
    Columns,
    /// A way of authentication that is not taken.
    Authentication(Refusal),
}

impl fmt::Display for FrameError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            FrameError::Malformed => formatter.write_str("it does not speak PostgreSQL's protocol"),
            FrameError::MessageTooLong(bytes) => {
                write!(formatter, "it sends a message of {bytes} bytes; at most {} MiB are taken", MAX_MESSAGE >> 20)
            }
            FrameError::AnswerTooLong => formatter.write_str("it sends more than an answer has"),
            FrameError::Columns => formatter.write_str("its answer has other columns than the query"),
            FrameError::Authentication(refusal) => refusal.fmt(formatter),
        }
    }
}

impl std::error::Error for FrameError {}

/// State of the frames of a stream of messages.
pub struct Frames {
    allowance: Allowance,
    authentication: Authentication,
    header: [u8; HEADER],
    header_length: usize,
    /// Bytes that are left of the message.
    left: usize,
    /// The message, if it is looked into.
    inspected: Option<BytesMut>,
}

impl Frames {
    /// Begins with the first message after the negotiation of TLS.
    pub fn new(allowance: Allowance, authentication: Authentication) -> Frames {
        Frames { allowance, authentication, header: [0; HEADER], header_length: 0, left: 0, inspected: None }
    }

    /// Checks the next bytes, which the client has not seen.
    pub fn check(&mut self, mut bytes: &[u8]) -> Result<(), FrameError> {
        self.allowance.take(bytes.len())?;
        while !bytes.is_empty() {
            if self.header_length < HEADER {
                let (now, later) = bytes.split_at((HEADER - self.header_length).min(bytes.len()));
                self.header[self.header_length..self.header_length + now.len()].copy_from_slice(now);
                self.header_length += now.len();
                bytes = later;
                if self.header_length < HEADER {
                    return Ok(());
                }
                self.begin_message(bytes.len())?;
            } else {
                let (now, later) = bytes.split_at(self.left.min(bytes.len()));
                self.left -= now.len();
                bytes = later;
                self.inspected.iter_mut().for_each(|message| message.extend_from_slice(now));
            }
            if self.left == 0 {
                self.end_message()?;
            }
        }
        Ok(())
    }

    /// Begins with the header of a message, of which so many bytes are here already.
    fn begin_message(&mut self, ahead: usize) -> Result<(), FrameError> {
        let [tag, length @ ..] = self.header;
        let length = i32::from_be_bytes(length);
        // The length counts itself.
        self.left = usize::try_from(length).ok().filter(|length| *length >= 4).ok_or(FrameError::Malformed)? - 4;
        if self.left > MAX_MESSAGE {
            return Err(FrameError::MessageTooLong(self.left));
        }
        // A message that cannot be taken to its end is not buffered up to there.
        self.allowance.has(self.left.saturating_sub(ahead))?;
        if matches!(tag, b'R' | b'T') {
            if self.left > MAX_INSPECTED {
                return Err(if tag == b'T' { FrameError::Columns } else { FrameError::Malformed });
            }
            self.inspected = Some(BytesMut::from(&self.header[..]));
        }
        Ok(())
    }

    fn end_message(&mut self) -> Result<(), FrameError> {
        self.header_length = 0;
        let Some(mut message) = self.inspected.take() else { return Ok(()) };
        match Message::parse(&mut message).map_err(|_| FrameError::Malformed)? {
            Some(Message::RowDescription(body)) => {
                let is_text = body.fields().all(|field| Ok(field.type_oid() == TEXT));
                if is_text.map_err(|_| FrameError::Malformed)? { Ok(()) } else { Err(FrameError::Columns) }
            }
            Some(message) => self.authentication.check(&message).map_err(FrameError::Authentication),
            None => Err(FrameError::Malformed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(tag: u8, body: &[u8]) -> Vec<u8> {
        let length = i32::try_from(body.len() + 4).unwrap();
        [&[tag], &length.to_be_bytes()[..], body].concat()
    }

    fn columns(types: &[u32]) -> Vec<u8> {
        let column = |oid: &u32| [b"value\0\0\0\0\0\0\0".as_slice(), &oid.to_be_bytes(), &[255; 6], &[0, 0]].concat();
        let count = u16::try_from(types.len()).unwrap().to_be_bytes();
        message(b'T', &[&count[..], &types.iter().flat_map(column).collect::<Vec<u8>>()].concat())
    }

    fn frames() -> Frames {
        let frames = Frames::new(Allowance::for_startup(), Authentication::default());
        frames.allowance.begin_answer(MAX_MESSAGE);
        frames
    }

    /// The messages are checked alike however they are cut.
    fn check(bytes: &[u8]) -> Result<(), FrameError> {
        let whole = frames().check(bytes);
        let mut one_by_one = frames();
        assert_eq!(bytes.iter().try_for_each(|byte| one_by_one.check(&[*byte])), whole);
        whole
    }

    #[test]
    fn answers_of_text_pass() {
        let answer = [columns(&[25, 25]), message(b'D', b"\0\x01\0\0\0\x01a"), message(b'Z', b"I")].concat();
        assert_eq!(check(&answer), Ok(()));
        assert_eq!(check(&message(b'1', b"")), Ok(()));
    }

    #[test]
    fn columns_of_other_types_are_refused() {
        for types in [&[23][..], &[25, 705], &[25, 4_000_000_000]] {
            assert_eq!(check(&columns(types)), Err(FrameError::Columns));
        }
        assert_eq!(check(&columns(&[25; 2_000])), Err(FrameError::Columns), "it is too long to be looked into");
    }

    #[test]
    fn lengths_are_bounded_before_anything_is_buffered() {
        for (length, error) in [
            (900_000_004, FrameError::MessageTooLong(900_000_000)),
            (0, FrameError::Malformed),
            (3, FrameError::Malformed),
            (-1, FrameError::Malformed),
        ] {
            let header = [&b"N"[..], &i32::to_be_bytes(length)].concat();
            assert_eq!(frames().check(&header), Err(error));
        }
        let mut small = frames();
        small.allowance.begin_answer(1_000);
        let beyond = i32::try_from(MAX_BESIDE + 1_000).unwrap();
        assert_eq!(small.check(&[&b"D"[..], &beyond.to_be_bytes()].concat()), Err(FrameError::AnswerTooLong));
        let most = i32::try_from(MAX_MESSAGE + 4).unwrap();
        assert_eq!(frames().check(&[&b"D"[..], &most.to_be_bytes()].concat()), Ok(()));
    }

    #[test]
    fn messages_without_end_end() {
        let (mut frames, notice) = (frames(), message(b'N', &[b'x'; 100_000]));
        let taken = (0..).position(|_| frames.check(&notice) == Err(FrameError::AnswerTooLong)).unwrap();
        assert_eq!(taken, (MAX_MESSAGE + MAX_BESIDE) / notice.len());
        frames.allowance.begin_answer(MAX_MESSAGE);
        assert_eq!(frames.allowance.take(MAX_MESSAGE), Ok(()));
        let mut startup = Frames::new(Allowance::for_startup(), Authentication::default());
        assert!((0..).take(11).any(|_| startup.check(&notice) == Err(FrameError::AnswerTooLong)));
    }
}
