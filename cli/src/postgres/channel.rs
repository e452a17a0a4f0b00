//! Stream of a server's messages, in the clear or over TLS, whose frames are checked.

use std::future::{Ready, ready};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready as ready_or_pending};

use ebs_remote::frames::Frames;
use tokio::io::{AsyncRead, AsyncWrite, Empty, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, TlsConnect, TlsStream};

/// Socket, TCP's or a Unix one.
pub trait Socket: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Socket for T {}

/// Socket without TLS.
pub struct Clear(pub Box<dyn Socket>);

/// Stream that passes on what its frames allow.
pub struct Channel {
    stream: Pin<Box<dyn TlsStream + Send>>,
    frames: Frames,
}

impl Channel {
    /// Checks the frames of a stream.
    pub fn new(stream: impl TlsStream + Send + 'static, frames: Frames) -> Channel {
        Channel { stream: Box::pin(stream), frames }
    }
}

/// Hands a channel that is ready to the client, which would negotiate TLS itself otherwise.
pub struct Handover(pub Channel);

impl TlsConnect<Empty> for Handover {
    type Stream = Channel;
    type Error = io::Error;
    type Future = Ready<io::Result<Channel>>;

    fn connect(self, _: Empty) -> Ready<io::Result<Channel>> {
        ready(Ok(self.0))
    }
}

impl TlsStream for Clear {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl TlsStream for Channel {
    fn channel_binding(&self) -> ChannelBinding {
        self.stream.channel_binding()
    }
}

impl AsyncRead for Channel {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready_or_pending!(self.stream.as_mut().poll_read(context, buffer))?;
        let checked = self.frames.check(&buffer.filled()[before..]);
        Poll::Ready(checked.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)))
    }
}

impl AsyncRead for Clear {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

/// Implements `AsyncWrite` by a pinned projection of the value.
macro_rules! write_through {
    ($name:ty, $it:ident, $inner:expr) => {
        impl AsyncWrite for $name {
            fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
                let $it = self.get_mut();
                $inner.poll_write(context, bytes)
            }

            fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
                let $it = self.get_mut();
                $inner.poll_flush(context)
            }

            fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
                let $it = self.get_mut();
                $inner.poll_shutdown(context)
            }
        }
    };
}

write_through!(Channel, it, it.stream.as_mut());
write_through!(Clear, it, Pin::new(&mut it.0));
