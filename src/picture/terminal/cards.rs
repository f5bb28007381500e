//! Cards and objects as a table: what each is, and what is known of it.

use anstyle::Style;

use super::paint::STRONG;
use super::{Scene, StyledLine, named, wrap};
use crate::picture::{Card, Table};

/// Joins lines that begin alike: `clay: is flat`, `clay: has hole` become one.
fn joined(lines: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for line in lines {
        let start = line.split_once(": ").map(|(start, _)| start);
        let before = joined
            .last_mut()
            .filter(|before| start.is_some_and(|start| before.starts_with(&format!("{start}: "))));
        match (before, line.split_once(": ")) {
            (Some(before), Some((_, rest))) => {
                before.push_str(", ");
                before.push_str(rest);
            }
            _ => joined.push(line.clone()),
        }
    }
    joined
}

/// Everything that is known of a card in one line, seats by their names.
fn known(table: &Table, card: &Card) -> String {
    let mut parts = card.badges.clone();
    parts.extend(joined(&card.lines));
    named(table, &parts.join("; "))
}

/// The table of cards in at most `room` lines, if that can be.
pub(super) fn draw(scene: &Scene, room: usize) -> Vec<StyledLine> {
    let cards = &scene.board.cards;
    let titles = cards.iter().map(|card| title(card).chars().count()).max().unwrap_or(0).min(16);
    let ids = cards.iter().map(|card| card.id.chars().count()).max().unwrap_or(0).min(8);
    let indent = ids + titles + 4;
    let width = scene.options.width.saturating_sub(indent).max(20);
    let texts: Vec<Vec<String>> =
        cards.iter().map(|card| wrap(&known(scene.table, card), width)).collect();
    let fitting = (1..=room)
        .rev()
        .find(|most| texts.iter().map(|lines| lines.len().clamp(1, *most)).sum::<usize>() <= room);
    let most = fitting.unwrap_or(1);
    let mut drawn = Vec::new();
    for (card, mut text) in cards.iter().zip(texts) {
        let seat = card.seat.trim_start_matches('p').parse().unwrap_or(0);
        let cut = |text: &str, width: usize| text.chars().take(width).collect::<String>();
        let id = format!(" {:<ids$} ", cut(&card.id, ids));
        let mut line = StyledLine::new(scene.seat_style(seat), id);
        line.push(STRONG, &format!(" {:<titles$} ", cut(&title(card), titles)));
        if text.len() > most {
            let more = if scene.options.unicode { "\u{2026}" } else { ".." };
            // The oldest gives way: what was answered last stays.
            let whole = text.join(" ");
            let words: Vec<&str> = whole.split(' ').collect();
            let fitting =
                (0..words.len()).map(|from| format!("{more} {}", words[from..].join(" ")));
            let mut fitting = fitting.map(|kept| wrap(&kept, width));
            text = fitting.find(|kept| kept.len() <= most).unwrap_or_default();
        }
        let mut text = text.into_iter();
        line.push(Style::new(), &text.next().unwrap_or_default());
        drawn.push(line);
        drawn.extend(text.map(|text| StyledLine::new(Style::new(), " ".repeat(indent) + &text)));
    }
    drawn
}

/// What stands on a card.
fn title(card: &Card) -> String {
    match card.title.as_str() {
        "" => "-".into(),
        title => title.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_begin_alike_are_joined() {
        let lines = ["clay: is flat", "clay: has hole", "Is it alive? no", "letter for p2: k"];
        let lines = lines.map(str::to_owned);
        assert_eq!(
            joined(&lines),
            ["clay: is flat, has hole", "Is it alive? no", "letter for p2: k"]
        );
    }
}
