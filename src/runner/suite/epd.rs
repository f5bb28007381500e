//! Lines of EPD: where the position ends, and chess moves in the short notation that they are written
//! in (SAN), compared with a move in coordinates.

/// See [`is_silent`]: of the standard, those without a number.
const SILENT: [&str; 21] = [
    "acd",
    "acn",
    "acs",
    "ce",
    "draw_accept",
    "draw_claim",
    "draw_offer",
    "draw_reject",
    "eco",
    "fmvn",
    "hmvc",
    "nic",
    "noop",
    "pm",
    "pv",
    "rc",
    "resign",
    "sm",
    "tcgs",
    "tcri",
    "tcsi",
];

/// The operations that ask nothing of an engine: comments, results of other searches, counters.
pub(super) fn is_silent(opcode: &str) -> bool {
    let numbered = opcode.len() == 2 && opcode.starts_with(['c', 'v']);
    numbered && opcode.ends_with(|letter: char| letter.is_ascii_digit()) || SILENT.contains(&opcode)
}

/// The argument of `position`, and the operations, of a line that begins with a position: no other
/// word that begins a line has a stroke in it. A position of chess has four fields, and its counters
/// stand after them or in operations.
pub(super) fn split(line: &str) -> Option<(String, &str)> {
    let first = line.split_whitespace().next()?;
    if !first.contains('/') {
        return None;
    }
    let is_chess = first.matches('/').count() == 7;
    let (position, rest) = match is_chess.then(|| end_of_fields(line, 4)).flatten() {
        Some(end) => line.split_at_checked(end)?,
        None => line.split_once(';').unwrap_or((line, "")),
    };
    if !is_chess {
        return Some((format!("fen {}", position.trim()), rest));
    }
    let mut words = rest.split_whitespace();
    let counters = [words.next(), words.next()].map(|word| word.filter(|word| is_number(word)));
    if let [Some(half), Some(full)] = counters {
        let rest = end_of_fields(rest, 2).and_then(|end| rest.get(end..)).unwrap_or("");
        return Some((format!("fen {position} {half} {full}"), rest));
    }
    let counter = |opcode: &str, usual: &'static str| {
        let operation = rest.split(';').find_map(|text| text.trim().strip_prefix(opcode));
        operation.map(str::trim).filter(|text| is_number(text)).unwrap_or(usual).to_owned()
    };
    let (half, full) = (counter("hmvc ", "0"), counter("fmvn ", "1"));
    Some((format!("fen {position} {half} {full}"), rest))
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Where the first `count` words of a line end.
fn end_of_fields(line: &str, count: usize) -> Option<usize> {
    let last = line.split_whitespace().nth(count - 1)?;
    Some(last.as_ptr().addr() - line.as_ptr().addr() + last.len())
}

/// Whether a move in coordinates is the one that a suite names: in the same words, or as SAN in a
/// position of chess. That the move is legal is taken for granted.
pub(super) fn is_move(position: &str, played: &str, named: &str) -> bool {
    played == named || is_san(position, played, named).unwrap_or(false)
}

fn is_san(position: &str, played: &str, named: &str) -> Option<bool> {
    let from = square(played.get(..2)?)?;
    let to = square(played.get(2..4)?)?;
    let promotion = played.get(4..)?.to_ascii_uppercase();
    let piece = piece_on(position.strip_prefix("fen ")?, from)?.to_ascii_uppercase();
    let san = named.trim_end_matches(['+', '#', '!', '?']);
    if san.starts_with("O-O") || san.starts_with("0-0") {
        let file = if san.len() > 3 { 'c' } else { 'g' };
        return Some(piece == 'K' && from.0 == 'e' && to == (file, from.1) && from != to);
    }
    let (san, promotes) = match san.split_once('=') {
        Some((san, promotes)) => (san, promotes),
        None => match san.char_indices().last()? {
            (at, letter) if letter.is_ascii_uppercase() => san.split_at_checked(at)?,
            _ => (san, ""),
        },
    };
    let letter = san.chars().next().filter(char::is_ascii_uppercase);
    let (named_piece, san) = (letter.unwrap_or('P'), san.get(usize::from(letter.is_some())..)?);
    let (hints, target) = san.split_at_checked(san.len().checked_sub(2)?)?;
    let fits = |hint: char| hint == 'x' || hint == '-' || hint == from.0 || hint == from.1;
    Some(
        named_piece == piece
            && square(target)? == to
            && promotion == promotes
            && hints.chars().all(fits),
    )
}

/// File and rank.
fn square(text: &str) -> Option<(char, char)> {
    let mut letters = text.chars();
    let square = (letters.next()?, letters.next()?);
    let is_square = matches!(square, ('a'..='h', '1'..='8')) && letters.next().is_none();
    is_square.then_some(square)
}

/// The letter on a square of a board in FEN.
fn piece_on(fen: &str, (file, rank): (char, char)) -> Option<char> {
    let row = fen.split(' ').next()?.split('/').nth(('8' as usize).checked_sub(rank as usize)?)?;
    let wanted = (file as usize).checked_sub('a' as usize)?;
    let mut at = 0;
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(empty) => at += empty as usize,
            None if at == wanted => return Some(letter),
            None => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_chess_are_compared_with_short_notation() {
        let fen = "fen r3k2r/1P4p1/8/2N3N1/4p3/3P4/8/R3K2R w KQkq - 0 1";
        for (played, named) in [
            ("g5e4", "Ngxe4"),
            ("g5e4", "Nxe4"),
            ("c5e4", "Ncxe4+"),
            ("d3e4", "dxe4"),
            ("e1g1", "O-O"),
            ("e1c1", "O-O-O+"),
            ("b7a8q", "bxa8=Q+"),
            ("b7b8n", "b8N"),
            ("e1g1", "e1g1"),
            ("a1a8", "R1xa8#"),
        ] {
            assert!(is_move(fen, played, named), "{played} {named}");
        }
        for (played, named) in [
            ("c5e4", "Ngxe4"),
            ("d3e4", "Nxe4"),
            ("d3d4", "dxe4"),
            ("e1c1", "O-O"),
            ("b7a8q", "bxa8=N"),
            ("e1f1", "O-O"),
            ("0000", "Kf1"),
            ("b7", "b8=Q"),
            ("e1g1", ""),
            ("e1g1", "\u{e9}"),
        ] {
            assert!(!is_move(fen, played, named), "{played} {named}");
        }
    }
}
