//! Accepts connections. One that has not said hello with a good token is a stranger's: strangers
//! may send little, and when there are many, the oldest of the address with the most has to go. So
//! nobody who is silent keeps others out.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::time::{Instant, Sleep, sleep};

/// The most connections of strangers at once.
const MAX_STRANGERS: usize = 200;

/// The most bytes that a stranger may send: some hundred requests for files of the page.
const MAX_FROM_STRANGER: usize = 256 << 10;

/// How long a connection may be silent. A page's socket is asked for a sign of life more often.
const SILENCE: Duration = Duration::from_secs(75);

/// A connection of which nothing is known yet.
struct Stranger {
    number: u64,
    address: IpAddr,
    /// Ends it; dropped where it becomes known.
    end: oneshot::Sender<()>,
}

/// All strangers, in the order in which they came.
#[derive(Clone, Default)]
struct Strangers(Arc<Mutex<Vec<Stranger>>>);

impl Strangers {
    fn all(&self) -> MutexGuard<'_, Vec<Stranger>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes one in, and ends another one where there are too many.
    fn add(&self, address: IpAddr) -> (Visitor, oneshot::Receiver<()>) {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut all = self.all();
        if all.len() >= MAX_STRANGERS {
            let alike = |one: &Stranger| all.iter().filter(|s| s.address == one.address).count();
            let most = all.iter().map(alike).max();
            if let Some(place) = all.iter().position(|one| Some(alike(one)) == most) {
                // It may have ended by itself.
                let _ = all.remove(place).end.send(());
            }
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let (end, ended) = oneshot::channel();
        all.push(Stranger { number, address, end });
        (Visitor { number, strangers: self.clone() }, ended)
    }
}

/// Who a connection belongs to, for those who read what it says.
#[derive(Clone)]
pub(super) struct Visitor {
    number: u64,
    strangers: Strangers,
}

impl Visitor {
    /// It is no stranger any more.
    pub(super) fn is_known(&self) {
        self.strangers.all().retain(|stranger| stranger.number != self.number);
    }
}

impl Connected<IncomingStream<'_, Limited>> for Visitor {
    fn connect_info(stream: IncomingStream<'_, Limited>) -> Self {
        stream.io().visitor.clone()
    }
}

/// A listener with limits.
pub(super) struct Limited {
    listener: TcpListener,
    strangers: Strangers,
}

impl Limited {
    pub(super) fn new(listener: TcpListener) -> Self {
        Limited { listener, strangers: Strangers::default() }
    }
}

impl Listener for Limited {
    type Io = Guarded;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Guarded, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // Answers are small and wanted at once.
                    let _ = stream.set_nodelay(true);
                    let (visitor, ended) = self.strangers.add(address.ip());
                    let standing = Standing::Stranger { ended, left: MAX_FROM_STRANGER };
                    let idle = Box::pin(sleep(SILENCE));
                    return (Guarded { stream, visitor, standing, idle }, address);
                }
                // Too many open files, or a connection that is gone already: a little later.
                Err(_) => sleep(Duration::from_millis(100)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// How a connection stands.
enum Standing {
    /// Until it is known or ended; with the bytes that it may still send.
    Stranger {
        ended: oneshot::Receiver<()>,
        left: usize,
    },
    Known,
    Ended,
}

/// A connection that ends after a long silence, or when a stranger has to go.
pub(super) struct Guarded {
    stream: TcpStream,
    visitor: Visitor,
    standing: Standing,
    idle: Pin<Box<Sleep>>,
}

impl Guarded {
    /// Whether it goes on.
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if let Standing::Stranger { ended, .. } = &mut self.standing
            && let Poll::Ready(end) = Pin::new(ended).poll(context)
        {
            self.standing = if end.is_ok() { Standing::Ended } else { Standing::Known };
        }
        if self.idle.as_mut().poll(context).is_ready() {
            self.standing = Standing::Ended;
        }
        match self.standing {
            Standing::Ended => Err(io::ErrorKind::TimedOut.into()),
            Standing::Stranger { .. } | Standing::Known => Ok(()),
        }
    }

    /// Something was read.
    fn heard(&mut self, count: usize) {
        self.idle.as_mut().reset(Instant::now() + SILENCE);
        if let Standing::Stranger { left, .. } = &mut self.standing {
            match left.checked_sub(count) {
                Some(rest) => *left = rest,
                None => self.standing = Standing::Ended,
            }
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.visitor.is_known();
    }
}

impl AsyncRead for Guarded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check(context)?;
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_ready() {
            self.heard(buffer.filled().len() - before);
        }
        read
    }
}

impl AsyncWrite for Guarded {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
