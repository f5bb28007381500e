//! A recorded game as PGN.

use super::{RESULTS, symbol};
use crate::runner::tournament::record::{Header, Move, Origin, Record};

/// The longest line of move text.
const WIDTH: usize = 79;

/// A game with its tags and move text, and an empty line after it.
pub(super) fn game(header: &Header, record: &Record) -> String {
    let result = RESULTS.iter().find(|(name, _)| *name == record.result);
    let result = result.map_or("*", |(_, name)| name);
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    };
    tag("Event", "parlor match");
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", &record.round.to_string());
    for (index, name) in record.seating.iter().enumerate() {
        match index {
            0 => tag("White", name),
            1 => tag("Black", name),
            _ => tag(&format!("Seat{}", index + 1), name),
        }
    }
    tag("Result", result);
    // To the readers of PGN, a game without this tag is chess.
    if let Some(variant) = variant(header).filter(|name| !name.eq_ignore_ascii_case("chess")) {
        tag("Variant", variant);
    }
    if let Some(fen) = record.start.strip_prefix("fen ") {
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    tag("Game", &record.game.to_string());
    tag("Rules", &header.rules);
    tag("Places", &words(&record.places));
    if let Some(points) = &record.points {
        tag("Points", points);
    }
    tag("Ending", ending(record));
    tag("Termination", &record.reason);
    tag("PlyCount", &record.moves.len().to_string());
    text.push('\n');
    text.push_str(&move_text(&record.moves, result));
    text.push_str("\n\n");
    text
}

/// The name of the game; in old records what the first engine calls itself, without its author.
fn variant(header: &Header) -> Option<&str> {
    let identity = header.identities.first().and_then(|name| name.split(" by ").next());
    let variant = Some(header.variant.as_str()).filter(|name| !name.is_empty());
    variant.or(identity)
}

fn ending(record: &Record) -> &'static str {
    use crate::runner::tournament::record::Ending;
    match record.ending {
        Ending::Rules => "rules",
        Ending::Adjudication => "adjudication",
        Ending::Fault => "fault",
    }
}

fn words<T: ToString>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

/// Numbered by pairs of tokens, in lines of limited width.
fn move_text(moves: &[Move], result: &str) -> String {
    let mut text = String::new();
    let mut column = 0;
    let mut push = |word: &str| {
        if column > 0 {
            let fits = column + 1 + word.len() <= WIDTH;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        text.push_str(word);
        column += word.len();
    };
    for (index, m) in moves.iter().enumerate() {
        if index.is_multiple_of(2) {
            push(&format!("{}.", index / 2 + 1));
        }
        push(&symbol(&m.token));
        let comment = comment(m);
        comment.split(' ').for_each(&mut push);
    }
    push(result);
    text
}

/// `{p1 +0.35/12 0.104s}`, `{chance p2}`, `{opening}`.
fn comment(m: &Move) -> String {
    let mut parts = Vec::new();
    match m.from {
        Some(Origin::Opening) => parts.push("opening".to_owned()),
        Some(Origin::Chance) => parts.push("chance".to_owned()),
        Some(Origin::Substitute) => parts.push("substitute".to_owned()),
        None => {}
    }
    parts.push(format!("p{}", m.seat));
    if let Some(cp) = m.cp {
        let depth = m.depth.map_or(String::new(), |depth| format!("/{depth}"));
        parts.push(format!("{:+.2}{depth}", f64::from(cp) / 100.0));
    }
    if let Some(ms) = m.ms {
        parts.push(format!("{:.4}s", ms / 1000.0));
    }
    format!("{{{}}}", parts.join(" "))
}
