//! JSON that others wrote. What it would take is counted before anything is made of it: an empty
//! member of six bytes becomes some hundred bytes of memory.

use std::io;

use serde::de::DeserializeOwned;

use super::{damaged, too_large};

/// What a JSON text may hold.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Bytes.
    pub bytes: u64,
    /// Values of all lists and objects.
    pub values: usize,
    /// Objects.
    pub objects: usize,
    /// Members of all objects.
    pub members: usize,
}

/// Reads JSON.
///
/// # Errors
/// When it holds more than that, or something else than is to be read.
pub fn json<T: DeserializeOwned>(text: &[u8], most: &Most) -> io::Result<T> {
    if text.len() as u64 > most.bytes {
        return Err(too_large("it has", most.bytes));
    }
    let found = counts(text);
    let bounds = [
        (found.values, most.values, "values"),
        (found.objects, most.objects, "objects"),
        (found.members, most.members, "members"),
    ];
    if let Some((_, bound, what)) = bounds.into_iter().find(|(count, bound, _)| count > bound) {
        return Err(damaged(format!("it has more than {bound} {what}")));
    }
    serde_json::from_slice(text).map_err(io::Error::from)
}

/// Whether nothing but its line end stands between the words of a JSON text.
#[must_use]
pub fn is_compact(text: &[u8]) -> bool {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    outside_strings(text).all(|byte| !byte.is_ascii_whitespace())
}

#[derive(Default)]
struct Counts {
    values: usize,
    objects: usize,
    members: usize,
}

fn counts(text: &[u8]) -> Counts {
    let mut counts = Counts::default();
    for byte in outside_strings(text) {
        match byte {
            b',' | b'[' => counts.values += 1,
            b'{' => {
                counts.values += 1;
                counts.objects += 1;
            }
            b':' => counts.members += 1,
            _ => {}
        }
    }
    counts
}

fn outside_strings(text: &[u8]) -> impl Iterator<Item = u8> {
    let (mut quoted, mut escaped) = (false, false);
    text.iter().copied().filter(move |&byte| {
        let inside = quoted;
        quoted ^= byte == b'"' && !escaped;
        escaped = quoted && byte == b'\\' && !escaped;
        !inside
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn what_is_too_much_is_refused_before_it_is_made() {
        let most = Most { bytes: 60, values: 8, objects: 2, members: 3 };
        let read = |text: &str| json::<Value>(text.as_bytes(), &most);
        let strings = r#"{"a":"[{,:\"","b":["}",1,2,3,"\\"]}"#;
        assert_eq!(read(strings).unwrap()["b"][4], "\\");
        for (text, says) in [
            ("[1,2,3,4,5,6,7,8,9]", "it has more than 8 values"),
            ("[[],[],[],[],[]]", "it has more than 8 values"),
            ("[{},{},{}]", "it has more than 2 objects"),
            (r#"{"a":1,"b":2,"c":3,"d":4}"#, "it has more than 3 members"),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), says, "{text}");
        }
        assert_eq!(read(&" ".repeat(61)).unwrap_err().to_string(), "it has more than 60 bytes");
        assert!(read("[").is_err() && read("\"").is_err() && read("").is_err());
    }

    #[test]
    fn spaces_between_words_are_found() {
        assert!(is_compact(b"{\"a b\":[\"\\\" \",1]}\n"));
        for padded in ["{\"a\": 1}", "{\"a\":1}\r\n", "{\"a\":1 }", "{\"a\":1}\n\n"] {
            assert!(!is_compact(padded.as_bytes()), "{padded:?}");
        }
    }
}
