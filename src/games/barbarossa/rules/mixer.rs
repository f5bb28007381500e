//! The hash of position keys and of the judge's noise.

use std::hash::Hasher;

use crate::game::splitmix64;

/// A hasher that gives the same result on every machine.
pub(super) struct Mixer(pub(super) u64);

impl Mixer {
    pub(super) fn add(&mut self, value: u64) {
        self.0 = splitmix64(self.0 ^ value.wrapping_mul(0xD6E8_FEB8_6659_FD93));
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            for (to, from) in word.iter_mut().zip(chunk) {
                *to = *from;
            }
            self.add(u64::from_le_bytes(word) ^ (chunk.len() as u64) << 56);
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.add(u64::from(value));
    }

    fn write_u16(&mut self, value: u16) {
        self.add(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.add(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.add(value as u64);
    }
}
