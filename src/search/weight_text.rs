//! Weights of a weighted sum as text: whole numbers between blanks and line ends. From `#` to the end
//! of a line is a remark.
//!
//! ```
//! use parlor::search::weight_text;
//!
//! const WEIGHTS: [i16; 3] = weight_text::read("# of an example\n12 -7 # mobility\n40 # tempo\n");
//! assert_eq!(WEIGHTS, [12, -7, 40]);
//! ```

/// Reads the weights. Meant for text in the program: in a constant, text that is wrong does not
/// compile.
///
/// # Panics
/// If there are not `N` numbers of 16 bits, or something else between them.
#[must_use]
pub const fn read<const N: usize>(text: &str) -> [i16; N] {
    let text = text.as_bytes();
    let mut weights = [0; N];
    let (mut count, mut at) = (0, 0);
    while at < text.len() {
        match text[at] {
            b' ' | b'\n' => at += 1,
            b'#' => {
                while at < text.len() && text[at] != b'\n' {
                    at += 1;
                }
            }
            _ => {
                assert!(count < N, "more weights than the evaluation has");
                (weights[count], at) = number(text, at);
                count += 1;
            }
        }
    }
    assert!(count == N, "fewer weights than the evaluation has");
    weights
}

/// The number that begins at an index, and the index after it.
const fn number(text: &[u8], mut at: usize) -> (i16, usize) {
    let negative = text[at] == b'-';
    at += negative as usize;
    let (first, mut number) = (at, 0i32);
    while at < text.len() && text[at].is_ascii_digit() {
        number = number * 10 + (text[at] - b'0') as i32;
        assert!(number <= 32_768, "a weight has 16 bits");
        at += 1;
    }
    assert!(at > first, "a weight is a whole number");
    let number = if negative { -number } else { number };
    assert!(number <= i16::MAX as i32, "a weight has 16 bits");
    (number as i16, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_list_of_as_many_weights_is_refused() {
        for text in ["1 2", "1 2 3 4", "1 2 x", "1 2 32768", "1 2 -", "1 2 99999999999"] {
            assert!(std::panic::catch_unwind(|| read::<3>(text)).is_err(), "{text}");
        }
        assert_eq!(read::<3>("-32768 32767\n# 5\n0"), [i16::MIN, i16::MAX, 0]);
    }
}
