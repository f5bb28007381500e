//! What the system gives a program: a clock, a calendar, random bits. A web page has no system: there whoever
//! loads the module gives them, and says what nobody could call a running search for.

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use page::{Instant, Page, file, install};

/// What is wanted of the work that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// It may go on.
    None,
    /// It must end.
    Stop,
    /// The expected move was played.
    PonderHit,
}

/// What is wanted now. Where a search has a thread of its own, nothing is asked this way.
#[inline]
#[must_use]
pub fn signal() -> Signal {
    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    return page::signal();
    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
    Signal::None
}

/// Milliseconds since 1970.
#[must_use]
pub fn milliseconds_since_1970() -> u64 {
    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    return page::milliseconds_since_1970();
    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
    {
        let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

/// Random bits, for what must not be the same twice.
#[must_use]
pub fn random() -> u64 {
    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    return page::random();
    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
    {
        use std::hash::{BuildHasher, Hasher, RandomState};
        RandomState::new().build_hasher().finish()
    }
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod page {
    use std::ops::Add;
    use std::sync::OnceLock;
    use std::time::Duration;

    use super::Signal;

    /// What the page gives.
    #[derive(Clone, Copy, Debug)]
    pub struct Page {
        /// Milliseconds since some time.
        pub now: fn() -> f64,
        /// Milliseconds since 1970.
        pub date: fn() -> f64,
        /// What is wanted of the work that runs.
        pub signal: fn() -> Signal,
        /// Random bits.
        pub random: fn() -> u64,
        /// The text of a file that lies beside the module; empty as long as it was not fetched.
        pub file: fn(&str) -> String,
    }

    static PAGE: OnceLock<Page> = OnceLock::new();

    /// Sets what the page gives, before anything else is called. Without it time stands still.
    pub fn install(page: Page) {
        // The first one stays.
        let _ = PAGE.set(page);
    }

    pub(super) fn signal() -> Signal {
        PAGE.get().map_or(Signal::None, |page| (page.signal)())
    }

    pub(super) fn milliseconds_since_1970() -> u64 {
        PAGE.get().map_or(0, |page| (page.date)() as u64)
    }

    /// The text of a file that lies beside the module; empty as long as it was not fetched.
    #[must_use]
    pub fn file(name: &str) -> String {
        PAGE.get().map_or(String::new(), |page| (page.file)(name))
    }

    pub(super) fn random() -> u64 {
        PAGE.get().map_or(0, |page| (page.random)())
    }

    /// A moment, as that of the standard library.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// Now.
        #[must_use]
        pub fn now() -> Self {
            let milliseconds = PAGE.get().map_or(0.0, |page| (page.now)());
            Instant(Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default())
        }

        /// The time since.
        #[must_use]
        pub fn elapsed(&self) -> Duration {
            Self::now().saturating_duration_since(*self)
        }

        /// The time since an earlier moment.
        #[must_use]
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Instant(self.0.saturating_add(time))
        }
    }
}
