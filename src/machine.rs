//! Dispatch to the instruction set of this machine.
//!
//! Hot functions (move generators, evaluations) are written once, as methods that are always
//! inlined, and compiled twice: portably, and for processors that have all of popcnt, lzcnt, bmi1,
//! bmi2 and avx2; the hottest ones that calculate with vectors of numbers a third time, for
//! processors that also have AVX-512. The choice is made once per call of such a function, never for
//! a single look-up. All paths give identical results.

// Not every game has such functions, and only search has some of the kinds.
#![cfg_attr(
    not(all(feature = "all-games", feature = "search")),
    allow(dead_code, unused_imports, unused_macros)
)]

use std::sync::atomic::{AtomicU8, Ordering};

const UNKNOWN: u8 = 0;
const PORTABLE: u8 = 1;
const FAST: u8 = 2;
const WIDE: u8 = 3;

static PATH: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Makes the whole process use the portable path, or again the best one for this machine.
pub fn use_portable(portable: bool) {
    PATH.store(if portable { PORTABLE } else { detect() }, Ordering::Relaxed);
}

#[cfg(target_arch = "x86_64")]
fn detect() -> u8 {
    let fast = is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("avx2");
    // The first processors with AVX-512 slow down when they use it; those with vbmi2 do not.
    let wide = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi2");
    match (fast, wide) {
        (true, true) => WIDE,
        (true, false) => FAST,
        (false, _) => PORTABLE,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> u8 {
    PORTABLE
}

/// Whether functions compiled with `popcnt,lzcnt,bmi1,bmi2,avx2` may be called.
#[inline(always)]
#[must_use]
pub fn is_fast() -> bool {
    path() >= FAST
}

/// Whether functions compiled with AVX-512 as well may be called.
#[inline(always)]
#[must_use]
pub fn is_wide() -> bool {
    path() == WIDE
}

#[inline(always)]
fn path() -> u8 {
    match PATH.load(Ordering::Relaxed) {
        UNKNOWN => {
            use_portable(false);
            PATH.load(Ordering::Relaxed)
        }
        path => path,
    }
}

/// Declares a method that runs an `#[inline(always)]` body in the form that suits this machine:
/// with the bit instructions, and after `wide` also with those on vectors of numbers, which do not
/// help with sets of squares. A third name is that of the form with AVX-512.
#[macro_export]
macro_rules! dispatched {
    (wide $(#[$meta:meta])* $visibility:vis fn
        $name:ident / $fast:ident / $wide:ident
        = $body:ident (&self $(, $argument:ident: $type:ty)*) $(-> $result:ty)?) => {
        $(#[$meta])*
        #[inline]
        $visibility fn $name (&self $(, $argument: $type)*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            if $crate::machine::is_wide() {
                // SAFETY: `is_wide` found every feature the function is compiled with.
                return unsafe { self.$wide($($argument),*) };
            }
            #[cfg(target_arch = "x86_64")]
            if $crate::machine::is_fast() {
                // SAFETY: `is_fast` found every feature the function is compiled with.
                return unsafe { self.$fast($($argument),*) };
            }
            self.$body($($argument),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2,avx2")]
        fn $fast (&self $(, $argument: $type)*) $(-> $result)? {
            self.$body($($argument),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(
            enable = "popcnt,lzcnt,bmi1,bmi2,avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2"
        )]
        fn $wide (&self $(, $argument: $type)*) $(-> $result)? {
            self.$body($($argument),*)
        }
    };
    (wide $($rest:tt)*) => {
        $crate::machine::dispatched! { @"popcnt,lzcnt,bmi1,bmi2,avx2", $($rest)* }
    };
    (@$features:literal, $(#[$meta:meta])* $visibility:vis fn
        $name:ident $(<$generic:ident>)? / $fast:ident
        = $body:ident (&self $(, $argument:ident: $type:ty)*) $(-> $result:ty)?) => {
        $(#[$meta])*
        #[inline]
        $visibility fn $name $(<$generic>)? (&self $(, $argument: $type)*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            if $crate::machine::is_fast() {
                // SAFETY: `is_fast` found every feature the function is compiled with.
                return unsafe { self.$fast($($argument),*) };
            }
            self.$body($($argument),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        fn $fast $(<$generic>)? (&self $(, $argument: $type)*) $(-> $result)? {
            self.$body($($argument),*)
        }
    };
    ($($rest:tt)*) => {
        $crate::machine::dispatched! { @"popcnt,lzcnt,bmi1,bmi2", $($rest)* }
    };
}

pub use dispatched;
