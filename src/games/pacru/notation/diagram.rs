//! The board as a diagram in text.

use std::fmt::Write;

use super::marker_letter;
use crate::game::{DiagramStyle, Game as _};
use crate::games::pacru::rules::{Cell, Direction, Field, Position, winning_markers};

/// Draws ranks 9 to 1 with lines around the borderlands. A field shows `.` for neutral, a letter
/// for a marker, and player and facing for a chevron, with `*` where it stands on its own marker.
pub(super) fn draw(position: &Position, style: DiagramStyle) -> String {
    let width = match style {
        DiagramStyle::Ascii => 5,
        DiagramStyle::Unicode => 4,
    };
    let line = format!("   {}+", format!("+{}", "-".repeat(3 * width + 1)).repeat(3));
    let mut text = format!("{line}\n");
    let mut notes = legend(position, style).into_iter();
    for rank in (0..9).rev() {
        let _ = write!(text, " {} ", rank + 1);
        for file in 0..9 {
            if file % 3 == 0 {
                text.push_str("| ");
            }
            let shown = show(
                Field::at(file, rank).map_or(Cell::NEUTRAL, |field| position.cell(field)),
                style,
            );
            let _ = write!(text, "{shown:<width$}");
        }
        text.push('|');
        if let Some(note) = notes.next().filter(|note| !note.is_empty()) {
            let _ = write!(text, "  {note}");
        }
        text.push('\n');
        if rank % 3 == 0 {
            text.push_str(&line);
            if let Some(note) = notes.next().filter(|note| !note.is_empty()) {
                let _ = write!(text, "  {note}");
            }
            text.push('\n');
        }
    }
    text.push_str("   ");
    for file in 0..9 {
        if file % 3 == 0 {
            text.push_str("  ");
        }
        let letter = (b'a' + file as u8) as char;
        let _ = write!(text, "{letter:<width$}");
    }
    text.trim_end().to_string()
}

fn show(cell: Cell, style: DiagramStyle) -> String {
    if !cell.is_occupied() {
        return cell.marker().map_or('.', marker_letter).to_string();
    }
    let star = if cell.is_chevron_on_marker() { "*" } else { "" };
    let player = cell.chevron_seat() + 1;
    match style {
        DiagramStyle::Ascii => format!("{player}{}{star}", cell.facing()),
        DiagramStyle::Unicode => format!("{player}{}{star}", Direction::arrow(cell.facing())),
    }
}

/// A line for each player with markers, powers and the turn; then the meaning of the signs.
fn legend(position: &Position, style: DiagramStyle) -> Vec<String> {
    let seats = position.seats();
    let goal = winning_markers(seats);
    let mut lines: Vec<String> = (0..seats)
        .map(|seat| {
            let state = if position.winner() == Some(seat) {
                " has won"
            } else if !position.is_over() && position.mover() == seat {
                " to move"
            } else if position.chevron_fields(seat).is_empty() {
                " out"
            } else {
                ""
            };
            let powers =
                position.chevron_fields(seat).iter().map(|field| power(position, seat, *field));
            let powers = powers.collect::<Vec<_>>().join(" ");
            format!(
                "p{} {}{state}: {} of {goal} markers; power {}",
                seat + 1,
                marker_letter(seat),
                position.marker_count(seat),
                if powers.is_empty() { "-" } else { &powers },
            )
        })
        .collect();
    lines.resize(4, String::new());
    let example = |on_marker| show(Cell::chevron(0, Direction::new(1), on_marker), style);
    lines.push(format!("{:<4} chevron of p1 facing NE", example(false)));
    lines.push(format!("{:<4} the same on its own marker", example(true)));
    lines.push("a    marker of p1".into());
    lines.push(".    neutral".into());
    lines
}

fn power(position: &Position, seat: usize, field: Field) -> String {
    format!("{field}:{}", position.power_of(seat, field.borderland()))
}
