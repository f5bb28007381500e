//! JSON of printable ASCII: other characters as `\uXXXX`, numbers without needless digits.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// Writes compact JSON in which every character is printable ASCII.
struct Ascii;

impl Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for c in fragment.chars() {
            if (' '..='~').contains(&c) {
                writer.write_all(&[c as u8])?;
            } else {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }

    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        write!(writer, "{}", rounded(value))
    }
}

/// A coordinate to three decimals: what is drawn needs no more, and equal pictures give equal bytes.
pub(super) fn rounded(value: f64) -> f64 {
    let thousandths = (value * 1000.0).round() / 1000.0;
    // No negative zero.
    if thousandths == 0.0 || !thousandths.is_finite() { 0.0 } else { thousandths }
}

/// A value of this room as one line of JSON.
///
/// # Errors
/// Never for the types of this room; the error of the serializer for others.
pub fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<String, serde_json::Error> {
    let mut bytes = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut bytes, Ascii))?;
    Ok(bytes.into_iter().map(char::from).collect())
}

/// The same for a value that always has one.
///
/// # Panics
/// If the value has a map whose keys are no strings.
#[must_use]
pub fn to_line<T: Serialize + ?Sized>(value: &T) -> String {
    to_json(value).unwrap_or_else(|error| unreachable!("a picture is JSON: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_printable_ascii_and_reads_back() {
        let text = "naïve \u{1F418}\t\"quoted\" \u{7f}";
        let line = to_line(&(text, 0.1 + 0.2, 3.0, -0.0));
        assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line}");
        assert!(line.ends_with(",0.3,3,0]"), "{line}");
        let (back, ..): (String, f64, f64, f64) = serde_json::from_str(&line).unwrap();
        assert_eq!(back, text);
    }
}
