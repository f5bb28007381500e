//! A recorded game as PGN.

use super::symbol;
use crate::printing::shown;
use crate::protocol::GameResult;
use crate::runner::tournament::record::{Header, Move, Origin, Record};

/// Settings of an engine that limit its search.
const LIMITS: [&str; 4] = ["tc=", "time=", "nodes=", "depth="];

/// The longest line of move text.
const WIDTH: usize = 79;

/// A game with its tags and move text, and an empty line after it.
pub(in crate::runner::tournament) fn game(header: &Header, record: &Record) -> String {
    let result = GameResult::read(&record.result).map_or("*", GameResult::score);
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = shown(value).replace(['\n', '\t'], " ");
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
    if let Some(clock) = time_control(header) {
        tag("TimeControl", clock);
    }
    tag("Game", &record.game.to_string());
    if !header.rules.is_empty() {
        tag("Rules", &header.rules);
    }
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

/// The clock of all engines; none where an engine has limits of its own.
fn time_control(header: &Header) -> Option<&str> {
    let config = &header.config;
    let own = [&config["engines"], &config["each"]].map(ToString::to_string);
    let clock = config["tc"].as_str()?;
    let is_own = own.iter().any(|text| LIMITS.iter().any(|limit| text.contains(limit)));
    (!is_own && clock.starts_with(|c: char| c.is_ascii_digit())).then_some(clock)
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

/// `{+0.35/12 0.104s, p1}`, `{+M3/12 0.104s, p1}`, `{opening, p1}`, `{chance, p2}`: as other match
/// runners write it, and the seat.
fn comment(m: &Move) -> String {
    let mut parts = Vec::new();
    match m.from {
        Some(Origin::Opening) => parts.push("opening".to_owned()),
        Some(Origin::Chance) => parts.push("chance".to_owned()),
        Some(Origin::Substitute) => parts.push("substitute".to_owned()),
        None => {}
    }
    if let Some(cp) = m.cp {
        let depth = m.depth.map_or(String::new(), |depth| format!("/{depth}"));
        let sign = if cp < 0 { '-' } else { '+' };
        parts.push(match m.mate {
            Some(distance) => format!("{sign}M{}{depth}", distance.unsigned_abs()),
            None => format!("{:+.2}{depth}", f64::from(cp) / 100.0),
        });
    }
    if let Some(ms) = m.ms {
        parts.push(format!("{:.4}s", ms / 1000.0));
    }
    let seat = format!("p{}", m.seat);
    if parts.is_empty() {
        format!("{{{seat}}}")
    } else {
        format!("{{{}, {seat}}}", parts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_those_of_other_match_runners_with_the_seat() {
        let m = |cp, mate, ms| Move { seat: 2, cp, mate, ms, depth: Some(7), ..Move::default() };
        assert_eq!(comment(&m(Some(-35), None, Some(104.0))), "{-0.35/7 0.1040s, p2}");
        assert_eq!(comment(&m(Some(31_997), Some(3), None)), "{+M3/7, p2}");
        assert_eq!(comment(&m(Some(-31_998), Some(-2), None)), "{-M2/7, p2}");
        assert_eq!(comment(&m(None, None, None)), "{p2}");
        let opening = Move { seat: 1, from: Some(Origin::Opening), ..Move::default() };
        assert_eq!(comment(&opening), "{opening, p1}");
    }

    #[test]
    fn the_clock_is_a_tag_where_it_is_that_of_all() {
        let header = |config: serde_json::Value| -> Header {
            let value = serde_json::json!({
                "parlor": 2, "seats": 2, "engines": ["a", "b"], "identities": ["a", "b"],
                "rules": "", "bundles": [2], "config": config,
            });
            serde_json::from_value(value).unwrap()
        };
        let clock = |config| time_control(&header(config)).map(str::to_owned);
        let tc = serde_json::json!({"engines": ["a", "b"], "tc": "10+0.1"});
        assert_eq!(clock(tc).as_deref(), Some("10+0.1"));
        let own = serde_json::json!({"engines": ["a", "b nodes=5"], "tc": "10+0.1"});
        assert_eq!(clock(own), None);
        assert_eq!(
            clock(serde_json::json!({"engines": ["a", "b"], "tc": "inf", "nodes": 5})),
            None
        );
        assert_eq!(clock(serde_json::json!({"imported": "chess"})), None);
    }
}
