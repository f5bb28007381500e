//! The memory of a transposition table: zeroed, and aligned to a cache line.

#[cfg(not(feature = "engine"))]
pub(super) use allocated::Allocated as Memory;
#[cfg(feature = "engine")]
pub(super) use mapped::Mapped as Memory;

/// Memory that the operating system provides zeroed as it is first touched; in large pages where it
/// has them, because nearly every access is to another page.
#[cfg(feature = "engine")]
mod mapped {
    use std::ptr::NonNull;

    use memmap2::MmapMut;

    use crate::search::table::LARGE_PAGE;

    pub(crate) struct Mapped(MmapMut);

    impl Mapped {
        /// `bytes` bytes of zeroes, or `None` where memory is short.
        pub(crate) fn zeroed(bytes: usize) -> Option<Self> {
            let bytes = bytes.checked_add(LARGE_PAGE)?;
            let memory = MmapMut::map_anon(bytes).ok()?;
            #[cfg(target_os = "linux")]
            if bytes > 4 * LARGE_PAGE {
                // A small table would take more memory than it was given.
                if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
                    log::debug!("no large pages for the table: {error}");
                }
            }
            Some(Mapped(memory))
        }

        /// The first byte, at the beginning of a large page.
        pub(crate) fn pointer(&mut self) -> Option<NonNull<u8>> {
            let skipped = self.0.as_ptr().align_offset(LARGE_PAGE);
            NonNull::new(self.0.get_mut(skipped..)?.as_mut_ptr())
        }
    }
}

/// Memory of the global allocator, for builds without system calls of their own.
#[cfg(any(test, not(feature = "engine")))]
mod allocated {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    const CACHE_LINE: usize = 64;

    pub(crate) struct Allocated {
        pointer: NonNull<u8>,
        layout: Layout,
    }

    impl Allocated {
        /// `bytes` bytes of zeroes, or `None` where memory is short.
        pub(crate) fn zeroed(bytes: usize) -> Option<Self> {
            let layout = Layout::from_size_align(bytes, CACHE_LINE).ok()?;
            if bytes == 0 {
                return None;
            }
            // SAFETY: the layout is not of size zero.
            let pointer = NonNull::new(unsafe { alloc_zeroed(layout) })?;
            Some(Allocated { pointer, layout })
        }

        /// The first byte.
        pub(crate) fn pointer(&mut self) -> Option<NonNull<u8>> {
            Some(self.pointer)
        }
    }

    impl Drop for Allocated {
        fn drop(&mut self) {
            // SAFETY: allocated with this layout in `zeroed`, and freed nowhere else.
            unsafe { dealloc(self.pointer.as_ptr(), self.layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use super::allocated::Allocated;

    #[test]
    fn both_kinds_of_memory_are_zeroed_and_aligned() {
        let bytes = 3 << 20;
        let (mut one, mut other) = (Memory::zeroed(bytes), Allocated::zeroed(bytes));
        let pointers = [one.as_mut().map(|m| m.pointer()), other.as_mut().map(|m| m.pointer())];
        for pointer in pointers {
            let pointer = pointer.flatten().expect("memory");
            assert_eq!(pointer.as_ptr() as usize % 64, 0);
            // SAFETY: `bytes` bytes were asked for, and nothing else reads or writes them.
            let contents = unsafe { std::slice::from_raw_parts(pointer.as_ptr(), bytes) };
            assert!(contents.iter().all(|byte| *byte == 0));
        }
        assert!(Memory::zeroed(usize::MAX - 100).is_none());
        assert!(Allocated::zeroed(usize::MAX - 100).is_none());
    }
}
