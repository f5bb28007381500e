//! Pieces and marks as one to three characters, and what they mean.

use super::Scene;
use crate::picture::{Cell, Kind, Mark, Piece, icons};

/// Where a piece faces, by eighths of a turn.
const ARROWS: [&str; 8] = [
    "\u{2191}", "\u{2197}", "\u{2192}", "\u{2198}", "\u{2193}", "\u{2199}", "\u{2190}", "\u{2196}",
];
/// The same in letters.
const COMPASS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

impl Scene<'_> {
    /// Whether every piece is told by its seat alone.
    pub(super) fn has_one_symbol(&self) -> bool {
        self.table.symbols.len() == 1
    }

    /// What a seat is called on the board: the first letter of its name, or its number.
    pub(super) fn initial(&self, seat: u8) -> String {
        let initials: Vec<Option<char>> =
            self.table.seats.iter().map(|seat| seat.name.chars().next()).collect();
        let distinct =
            (1..initials.len()).all(|index| !initials[..index].contains(&initials[index]));
        let own = usize::from(seat).checked_sub(1).and_then(|index| *initials.get(index)?);
        match own {
            Some(letter) if distinct && letter.is_ascii_alphabetic() => letter.to_string(),
            _ => seat.to_string(),
        }
    }

    /// A piece as it stands on the board.
    pub(super) fn piece_text(&self, piece: &Piece) -> String {
        let symbol = self.table.symbols.get(&piece.symbol);
        let letter = symbol.and_then(|symbol| {
            symbol.letter.clone().or_else(|| symbol.label.chars().next().map(String::from))
        });
        let letter = letter.unwrap_or_else(|| piece.symbol.clone()).to_uppercase();
        let mut text = match piece.seat {
            0 => letter,
            seat if self.has_one_symbol() => self.initial(seat),
            2 if self.options.lowercase => letter.to_lowercase(),
            seat if self.table.seats.len() > 2 => format!("{letter}{seat}"),
            _ => letter,
        };
        if let Some(turn) = piece.turn.filter(|_| symbol.is_some_and(|symbol| symbol.turns)) {
            text.push_str(self.facing(turn));
        }
        if let Some(count) = piece.count {
            text.push_str(&count.to_string());
        }
        text.chars().filter(|c| self.options.unicode || c.is_ascii()).take(4).collect()
    }

    fn facing(&self, turn: f64) -> &'static str {
        let eighth = |turn: f64| {
            let eighth = (turn / 45.0).round().rem_euclid(8.0);
            if eighth.is_finite() { eighth as usize % 8 } else { 0 }
        };
        match self.options.unicode {
            true => ARROWS[eighth(turn + 90.0 * self.quarters as f64)],
            false => COMPASS[eighth(turn)],
        }
    }

    /// The character of an empty space, and of the ground below a piece.
    pub(super) fn ground_text(&self, cell: &Cell) -> Option<char> {
        let kind = self.table.kinds.get(cell.kind.as_ref()?)?;
        ground_character(kind)
    }

    /// A mark as it stands behind a piece, or alone.
    pub(super) fn mark_text(&self, mark: &Mark) -> String {
        let kind = self.table.kinds.get(&mark.kind);
        if mark.seat > 0 {
            return self.initial(mark.seat).to_lowercase();
        }
        mark_character(kind).to_string()
    }

    /// What the characters mean, an entry each.
    pub(super) fn legend(&self) -> Vec<String> {
        let mut entries = Vec::new();
        match self.has_one_symbol() {
            true => entries.extend(self.seat_entries()),
            false => entries.extend(self.symbol_entries()),
        }
        let used =
            |name: &String| self.table.cells.iter().any(|cell| cell.kind.as_ref() == Some(name));
        let seated = self.board.marks.iter().any(|mark| mark.seat > 0);
        for (name, kind) in &self.table.kinds {
            let ground = ground_character(kind);
            match ground {
                Some('(') if used(name) => entries.push(format!("( ) {}", kind.label)),
                Some(ground) if used(name) => entries.push(format!("{ground} {}", kind.label)),
                None if used(name) => {}
                _ if kind.mark.is_none() => {
                    if seated || self.board.marks.is_empty() {
                        entries.push(format!("{} {} of each", self.seat_letters(), kind.label));
                    }
                }
                _ => entries.push(format!("{} {}", mark_character(Some(kind)), kind.label)),
            }
        }
        if self.board.last.is_some() {
            entries.push("[ ] the last move".into());
        }
        entries
    }

    fn seat_letters(&self) -> String {
        let letters =
            (1..=self.table.seats.len() as u8).map(|seat| self.initial(seat).to_lowercase());
        letters.collect::<Vec<_>>().join(" ")
    }

    fn seat_entries(&self) -> Vec<String> {
        let Some(symbol) = self.table.symbols.values().next() else { return Vec::new() };
        let entry = |(index, seat): (usize, &crate::picture::TableSeat)| {
            let initial = self.initial(index as u8 + 1);
            let after = match (symbol.turns, self.options.unicode) {
                (true, true) => "\u{2191}",
                (true, false) => "N",
                _ => "",
            };
            format!("{initial}{after} {} of {}", symbol.label, seat.name)
        };
        self.table.seats.iter().enumerate().map(entry).collect()
    }

    fn symbol_entries(&self) -> Vec<String> {
        let entry = |(name, symbol): (&String, &crate::picture::Symbol)| {
            let piece = |seat| Piece::new("", name, seat);
            let stripped = |seat| {
                let text = self.piece_text(&piece(seat));
                text.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
            };
            match self.options.lowercase {
                true => format!("{} {} {}", stripped(1), stripped(2), symbol.label),
                false => format!("{} {}", stripped(1), symbol.label),
            }
        };
        let mut entries: Vec<String> = self.table.symbols.iter().map(entry).collect();
        if let ([_, second], true) = (self.table.seats.as_slice(), self.options.lowercase) {
            entries.push(format!("small letters: {}", second.name));
        }
        entries
    }
}

/// How a piece is marked.
fn mark_character(kind: Option<&Kind>) -> char {
    let sign = kind.and_then(|kind| icons::sign(kind.mark.as_deref()?));
    sign.map_or('\'', |sign| sign.on_piece)
}

/// How a space without pieces is marked.
fn ground_character(kind: &Kind) -> Option<char> {
    Some(icons::sign(kind.mark.as_deref()?)?.on_cell)
}
