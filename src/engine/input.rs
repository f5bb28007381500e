//! Lines from a client: bounded in length, checked to be ASCII.

use std::io::{self, BufRead};

use crate::protocol::{Code, ProtocolError};

/// A longer line is read to its end and refused without being stored.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// Bytes kept of a refused line: enough to know its first word.
const KEPT: usize = 64;

/// One line as it arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum InputLine {
    /// Printable ASCII and blanks, without the line end.
    Text(String),
    /// A line that is refused unread.
    Refused {
        /// Its first word, as far as it is ASCII.
        first_word: String,
        /// Why.
        error: ProtocolError,
    },
}

impl InputLine {
    /// The bytes of its text.
    pub(super) fn length(&self) -> usize {
        match self {
            InputLine::Text(text) => text.len(),
            InputLine::Refused { first_word, error } => first_word.len() + error.text.len(),
        }
    }
}

/// Reads the next line; `None` at the end of the input.
pub(super) fn read_line(reader: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut line = Vec::new();
    let mut length = 0;
    loop {
        let buffer = match reader.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            return Ok((length > 0).then(|| judge(line, length)));
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        length += part.len();
        if length <= LONGEST_LINE {
            line.extend_from_slice(part);
        } else {
            line.truncate(KEPT);
        }
        let used = part.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            return Ok(Some(judge(line, length)));
        }
    }
}

/// A line that is known as a whole, without its line end.
pub(super) fn whole_line(bytes: &[u8]) -> InputLine {
    judge(bytes[..bytes.len().min(LONGEST_LINE)].into(), bytes.len())
}

fn judge(mut line: Vec<u8>, length: usize) -> InputLine {
    if length > LONGEST_LINE {
        let text = format!("a line of {length} bytes; the longest allowed is {LONGEST_LINE}");
        return refuse(&line, ProtocolError::new(Code::TooLong, text));
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    // It may wait for long, and waiting lines are counted by their length.
    line.shrink_to_fit();
    let wrong = line.iter().position(|byte| !matches!(byte, b' '..=b'~' | b'\t' | b'\r'));
    if let Some(at) = wrong {
        let text =
            format!("byte {:#04x} at character {}; lines are printable ASCII", line[at], at + 1);
        return refuse(&line, ProtocolError::new(Code::NotAscii, text));
    }
    match String::from_utf8(line) {
        Ok(text) => InputLine::Text(text),
        Err(error) => {
            let fault = ProtocolError::new(Code::NotAscii, "lines are printable ASCII");
            refuse(error.as_bytes(), fault)
        }
    }
}

fn refuse(line: &[u8], error: ProtocolError) -> InputLine {
    let first_word = line
        .iter()
        .skip_while(|byte| byte.is_ascii_whitespace())
        .take_while(|byte| byte.is_ascii_graphic())
        .map(|byte| char::from(*byte))
        .collect();
    InputLine::Refused { first_word, error }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<InputLine> {
        let mut reader = io::BufReader::with_capacity(7, bytes);
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut reader).unwrap() {
            lines.push(line);
        }
        lines
    }

    #[test]
    fn line_ends_of_both_kinds_and_a_last_line_without_one() {
        let expected = ["uci", "", "isready", "quit"].map(|text| InputLine::Text(text.into()));
        assert_eq!(lines(b"uci\r\n\nisready\nquit"), expected);
    }

    #[test]
    fn a_line_known_as_a_whole_is_judged_as_one_that_is_read() {
        let long = [b'x'; LONGEST_LINE + 1];
        for line in [&b""[..], b"isready\r", b"query \xff", &long[1..], &long] {
            let read = lines(&[line, b"\n"].concat());
            let InputLine::Refused { error, .. } = &read[0] else {
                assert_eq!(whole_line(line), read[0]);
                continue;
            };
            let InputLine::Refused { error: whole, .. } = whole_line(line) else {
                panic!("{error}");
            };
            assert_eq!(&whole, error);
        }
    }

    #[test]
    fn a_long_line_is_refused_and_the_next_one_read() {
        let mut bytes = b"position ".to_vec();
        bytes.resize(10_000_000, b'x');
        bytes.extend_from_slice(b"\nisready\n");
        let lines = lines(&bytes);
        let InputLine::Refused { first_word, error } = &lines[0] else { panic!("{:?}", lines[0]) };
        assert_eq!((first_word.as_str(), error.code), ("position", Code::TooLong));
        assert_eq!(lines[1], InputLine::Text("isready".into()));
    }

    #[test]
    fn bytes_outside_ascii_are_named_with_their_place() {
        for bytes in [&b"query \0"[..], b"query \xff", "query é".as_bytes()] {
            let lines = lines(bytes);
            let InputLine::Refused { first_word, error } = &lines[0] else { panic!("{bytes:?}") };
            assert_eq!((first_word.as_str(), error.code), ("query", Code::NotAscii));
            assert!(error.text.contains("character 7"), "{}", error.text);
        }
    }
}
