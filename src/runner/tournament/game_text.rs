//! Games as text.

use super::record::{Ending, Move, Origin, Record};
use crate::printing;

/// Prints a position of a running game: the last token, then the referee's diagram.
pub(super) fn print_position(last: Option<&Move>, count: usize, diagram: &[String]) {
    let mut lines: Vec<String> = last.map(|m| move_line(m, count)).into_iter().collect();
    lines.extend_from_slice(diagram);
    lines.push(String::new());
    printing::print(&lines.join("\n"));
}

/// One token with its number, its seat, and what its engine reported.
pub(super) fn move_line(m: &Move, number: usize) -> String {
    let who = match (m.from, m.seat) {
        (Some(Origin::Opening), _) => "opening".to_owned(),
        (Some(Origin::Chance), 0) => "chance".to_owned(),
        (Some(Origin::Chance), seat) => format!("p{seat} throws"),
        (Some(Origin::Substitute), seat) => format!("p{seat} (random)"),
        (None, seat) => format!("p{seat}"),
    };
    let mut line = format!("{number:4}. {who:<9} {}", m.token);
    let mut details = Vec::new();
    match (m.mate, m.cp) {
        (Some(distance), _) if distance > 0 => details.push(format!("mate in {distance}")),
        (Some(distance), _) => details.push(format!("mated in {}", distance.unsigned_abs())),
        (None, Some(cp)) => details.push(format!("{cp:+} cp")),
        (None, None) => {}
    }
    if let Some(depth) = m.depth {
        details.push(format!("depth {depth}"));
    }
    if let Some(nodes) = m.nodes {
        details.push(format!("{nodes} nodes"));
    }
    if let Some(ms) = m.ms {
        details.push(format!("{ms:.1} ms"));
    }
    if !m.luck.is_empty() {
        let luck: Vec<String> = m.luck.iter().map(|x| format!("{:+.1}", 100.0 * x)).collect();
        details.push(format!("luck {} %", luck.join(" ")));
    }
    if !details.is_empty() {
        line = format!("{line:<28} {}", details.join(", "));
    }
    line
}

/// How a game ended, in one line.
pub(super) fn ending_line(record: &Record) -> String {
    let winners: Vec<String> = record
        .places
        .iter()
        .zip(&record.seating)
        .enumerate()
        .filter(|(_, (place, _))| **place == 1)
        .map(|(index, (_, name))| format!("p{} {name}", index + 1))
        .collect();
    let verdict = if winners.len() == record.seating.len() {
        "draw".to_owned()
    } else if winners.len() == 1 {
        format!("{} wins", winners.concat())
    } else {
        format!("{} share the first place", winners.join(", "))
    };
    let how = match record.ending {
        Ending::Rules => record.reason.clone(),
        Ending::Adjudication => format!("adjudicated: {}", record.reason),
        Ending::Fault => {
            let fault = record.faults.last();
            let seat = fault.map_or(0, |fault| fault.seat);
            let detail = fault.map_or("", |fault| fault.fault.detail.as_str());
            format!("{} of p{seat}: {detail}", record.reason)
        }
    };
    let moves = record.moves.len();
    format!("{verdict}, {how} ({moves} tokens)")
}

/// A whole game as text.
pub(super) fn text(record: &Record) -> String {
    let mut lines = vec![format!("Game {}, round {}", record.game, record.round)];
    for (index, name) in record.seating.iter().enumerate() {
        lines.push(format!("p{}: {name}", index + 1));
    }
    lines.push(format!("Start: {}", record.start));
    for (index, m) in record.moves.iter().enumerate() {
        lines.push(move_line(m, index + 1));
    }
    for fault in &record.faults {
        lines.push(format!("Fault of p{} ({}): {}", fault.seat, fault.engine, fault.fault));
        if !fault.fault.position.is_empty() {
            lines.push(format!("  {}", fault.fault.position));
        }
        if !fault.fault.command.is_empty() {
            lines.push(format!("  {}", fault.fault.command));
        }
    }
    if let Some(points) = &record.points {
        lines.push(format!("Points: {points}"));
    }
    if let Some(luck) = &record.luck {
        let luck: Vec<String> = luck.iter().map(|x| format!("{:+.1}", 100.0 * x)).collect();
        lines.push(format!("Luck: {} %", luck.join(" ")));
    }
    let places: Vec<String> = record.places.iter().map(u32::to_string).collect();
    lines.push(format!("Places: {}", places.join(" ")));
    lines.push(format!("Result: {}", ending_line(record)));
    lines.push(String::new());
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Outcome;

    #[test]
    fn a_line_tells_who_played_and_what_was_expected() {
        let by = |seat, from| Move { seat, from, ..Move::default() };
        let expecting = |cp, mate| Move { seat: 1, cp: Some(cp), mate, ..Move::default() };
        for (m, expected) in [
            (by(1, Some(Origin::Opening)), "3. opening x"),
            (by(0, Some(Origin::Chance)), "3. chance x"),
            (by(2, Some(Origin::Chance)), "3. p2 throws x"),
            (by(2, Some(Origin::Substitute)), "3. p2 (random) x"),
            (by(2, None), "3. p2 x"),
            (expecting(-35, None), "3. p1 x -35 cp"),
            (expecting(31_997, Some(3)), "3. p1 x mate in 3"),
            (expecting(-31_996, Some(-4)), "3. p1 x mated in 4"),
        ] {
            let line = move_line(&Move { token: "x".to_owned(), ..m }, 3);
            assert_eq!(line.split_whitespace().collect::<Vec<_>>().join(" "), expected);
        }
    }

    #[test]
    fn the_end_names_the_seats_in_the_first_place() {
        for (places, ending, expected) in [
            (vec![2, 1], Ending::Rules, "p2 B wins, end (0 tokens)"),
            (vec![1, 2, 1], Ending::Rules, "p1 A, p3 C share the first place, end (0 tokens)"),
            (vec![1, 1], Ending::Adjudication, "draw, adjudicated: end (0 tokens)"),
        ] {
            let seating = ["A", "B", "C"].map(str::to_owned)[..places.len()].to_vec();
            let outcome = Outcome::of_places(places, "end");
            let record = Record { seating, ..Record::of(outcome, ending) };
            assert_eq!(ending_line(&record), expected);
        }
    }
}
