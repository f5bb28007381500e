//! Comments in files of positions, openings and suites.

/// The line up to a `#` that begins it or follows a blank; a `#` between double quotes is text.
#[must_use]
pub fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let mut before = ' ';
    for (at, character) in line.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '#' if !quoted && before.is_whitespace() => return &line[..at],
            _ => {}
        }
        before = character;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_begins_the_line_or_follows_a_blank_outside_of_quotes() {
        for (line, expected) in [
            ("# all of it", ""),
            ("startpos moves e2e4\t# good", "startpos moves e2e4\t"),
            ("startpos ; id \"a # b\" # c", "startpos ; id \"a # b\" "),
            ("fen a#b w", "fen a#b w"),
            ("", ""),
        ] {
            assert_eq!(without_comment(line), expected);
        }
    }
}
