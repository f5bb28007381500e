//! Which of two compilations of the hot functions runs: one for every machine, one for those that
//! count and scan bits in one instruction.
//!
//! Generator and evaluation are written once, as functions that are always inlined, and compiled
//! twice. Which one runs is asked once a position, never for a single look-up. Results are the
//! same.

use std::sync::atomic::{AtomicU8, Ordering};

const UNKNOWN: u8 = 0;
const FAST: u8 = 1;
const PORTABLE: u8 = 2;

/// Which path runs.
static PATH: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Makes the whole process use the portable path, or again the best one for this machine. Results
/// are the same.
pub fn use_portable(portable: bool) {
    PATH.store(if portable { PORTABLE } else { detect() }, Ordering::Relaxed);
}

#[cfg(target_arch = "x86_64")]
fn detect() -> u8 {
    let fast = is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2");
    if fast { FAST } else { PORTABLE }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> u8 {
    PORTABLE
}

/// Whether the fast path runs.
#[inline(always)]
pub(super) fn is_fast() -> bool {
    match PATH.load(Ordering::Relaxed) {
        UNKNOWN => {
            let path = detect();
            PATH.store(path, Ordering::Relaxed);
            path == FAST
        }
        path => path == FAST,
    }
}

/// Calls a function in the form that suits this machine.
macro_rules! dispatch {
    ($portable:expr, $fast:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            if $crate::games::barca::path::is_fast() {
                // SAFETY: `detect` found every feature the function was compiled with.
                unsafe { $fast }
            } else {
                $portable
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            $portable
        }
    }};
}

pub(super) use dispatch;
