//! Cards and objects as a table: what each is, and what is known of it.

use anstyle::Style;

use super::paint::STRONG;
use super::{Scene, StyledLine, named, wrap};
use crate::picture::Card;

/// Joins lines that begin alike: `clay: is flat`, `clay: is long`, `clay: has hole` become
/// `clay: is flat, long, has hole`.
fn joined(lines: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    let mut last = "";
    for line in lines {
        let start = line.split_once(": ").map(|(start, _)| start);
        let before = joined
            .last_mut()
            .filter(|before| start.is_some_and(|start| before.starts_with(&format!("{start}: "))));
        match (before, line.split_once(": ")) {
            (Some(before), Some((_, rest))) => {
                before.push_str(", ");
                let same = rest.split_once(' ').filter(|(verb, _)| *verb == last);
                before.push_str(same.map_or(rest, |(_, object)| object));
            }
            _ => joined.push(line.clone()),
        }
        last =
            line.split_once(": ").and_then(|(_, rest)| Some(rest.split_once(' ')?.0)).unwrap_or("");
    }
    joined
}

/// Everything that is known of a card, seats by their names, in at most so many lines. Where that is too
/// much the oldest gives way, and its badges and what was said last stay.
fn known(scene: &Scene, card: &Card, width: usize, most: usize) -> Vec<String> {
    let mut joined = joined(&card.lines);
    let of = |badges: &[String], parts: &[String]| {
        named(scene.table, &[badges, parts].concat().join("; "))
    };
    let whole = wrap(&of(&card.badges, &joined), width);
    if whole.len() <= most {
        return whole;
    }
    // What the first line is called can be guessed.
    if let Some((_, rest)) = joined.first().and_then(|first| first.split_once(": ")) {
        joined[0] = rest.to_owned();
        let unnamed = wrap(&of(&card.badges, &joined), width);
        if unnamed.len() <= most {
            return unnamed;
        }
    }
    let more = if scene.options.unicode { "\u{2026}" } else { ".." };
    let badges = if card.badges.is_empty() { String::new() } else { of(&card.badges, &[]) + "; " };
    let said = of(&[], &joined);
    let rests = said
        .match_indices(' ')
        .map(|(at, _)| wrap(&format!("{badges}{more}{}", &said[at..]), width));
    rests.into_iter().find(|rest| rest.len() <= most).unwrap_or_else(|| whole[..most].to_vec())
}

/// The table of cards in at most `room` lines, if that can be.
pub(super) fn draw(scene: &Scene, room: usize) -> Vec<StyledLine> {
    let cards = &scene.board.cards;
    let titles = cards.iter().map(|card| title(card).chars().count()).max().unwrap_or(0).min(16);
    let ids = cards.iter().map(|card| card.id.chars().count()).max().unwrap_or(0).min(8);
    let indent = ids + titles + 4;
    let width = scene.options.width.saturating_sub(indent).max(20);
    let lengths: Vec<usize> =
        cards.iter().map(|card| known(scene, card, width, usize::MAX).len()).collect();
    let mut drawn = Vec::new();
    for (card, most) in cards.iter().zip(shared(&lengths, room)) {
        let seat = card.seat.trim_start_matches('p').parse().unwrap_or(0);
        let cut = |text: &str, width: usize| text.chars().take(width).collect::<String>();
        let id = format!(" {:<ids$} ", cut(&card.id, ids));
        let mut line = StyledLine::new(scene.seat_style(seat), id);
        line.push(STRONG, &format!(" {:<titles$} ", cut(&title(card), titles)));
        let mut text = known(scene, card, width, most).into_iter();
        line.push(Style::new(), &text.next().unwrap_or_default());
        drawn.push(line);
        drawn.extend(text.map(|text| StyledLine::new(Style::new(), " ".repeat(indent) + &text)));
    }
    drawn
}

/// The lines that cards of these lengths get of a room: at least one each, and from the first card on
/// one more as long as there are any.
fn shared(lengths: &[usize], room: usize) -> Vec<usize> {
    let mut given = vec![1; lengths.len()];
    let mut left = room.saturating_sub(given.len());
    while left > 0 {
        let before = left;
        for (lines, length) in given.iter_mut().zip(lengths) {
            if left > 0 && *lines < *length {
                *lines += 1;
                left -= 1;
            }
        }
        if left == before {
            break;
        }
    }
    given
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
        let lines = [
            "clay: is flat",
            "clay: is long",
            "clay: has hole",
            "clay: is red",
            "Is it alive? no",
            "letter for p2: k",
        ];
        let lines = lines.map(str::to_owned);
        assert_eq!(
            joined(&lines),
            ["clay: is flat, long, has hole, is red", "Is it alive? no", "letter for p2: k"]
        );
    }

    #[test]
    fn what_room_there_is_goes_to_those_who_need_it() {
        assert_eq!(shared(&[1, 3, 2, 1], 4), [1, 1, 1, 1]);
        assert_eq!(shared(&[1, 3, 2, 1], 5), [1, 2, 1, 1]);
        assert_eq!(shared(&[1, 3, 2, 1], 6), [1, 2, 2, 1]);
        assert_eq!(shared(&[1, 3, 2, 1], 9), [1, 3, 2, 1]);
        assert_eq!(shared(&[2, 2], 1), [1, 1]);
    }
}
