//! Damaged copies of a file: flipped bits, cut ends, foreign bytes, bytes too many.

use parlor::game::Random;

/// How many damaged copies a test tries: 1,000 where the slow tests run too.
pub fn copies(otherwise: usize) -> usize {
    let slow = std::env::var("PARLOR_SLOW_TESTS").is_ok_and(|value| value == "1");
    if slow { 1_000 } else { otherwise }
}

/// Calls `check` with `count` damaged copies of a file and what was done to each; none is equal to
/// the file.
pub fn each(good: &[u8], count: usize, mut check: impl FnMut(&str, &[u8])) {
    let mut random = Random::new(28);
    let mut place = |length: usize| random.below(length as u64) as usize;
    for number in 0..count {
        let mut bytes = good.to_vec();
        let at = place(bytes.len());
        let what = match number % 6 {
            // The header of most formats is the part with the most meanings.
            0 => {
                let at = at % 64.min(good.len());
                bytes[at] ^= 1 << place(8);
                format!("a flipped bit in byte {at}")
            }
            1 => {
                bytes[at] ^= 1 << place(8);
                format!("a flipped bit in byte {at}")
            }
            2 => {
                bytes.truncate(at);
                format!("cut to {at} bytes")
            }
            3 => {
                let end = (at + 1 + place(64)).min(bytes.len());
                bytes[at..end].iter_mut().for_each(|byte| *byte = place(256) as u8);
                format!("foreign bytes from {at} to {end}")
            }
            4 => {
                bytes.remove(at);
                format!("byte {at} left out")
            }
            _ => {
                let more = 1 + place(32);
                bytes.extend((0..more).map(|_| place(256) as u8));
                format!("{more} bytes too many")
            }
        };
        if bytes != good {
            check(&what, &bytes);
        }
    }
}
