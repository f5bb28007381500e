//! Reading a position: first its fields, then whether the rules allow it.

use super::geometry::{Geometry, MAX_PAWNS, SIDES};
use super::moves::MAX_THROWS;
use super::position::{Ending, Position};
use super::rule_options::{Gate, Variant};
use crate::game::NotationError;

type Fault = NotationError;

/// A word of the text and where it begins.
#[derive(Clone, Copy)]
struct Field<'a> {
    at: usize,
    text: &'a str,
}

impl<'a> Field<'a> {
    fn fault(&self, message: impl Into<String>) -> Fault {
        NotationError::at(self.at, message)
    }

    /// The parts between separators, with their own offsets; none of `-`.
    fn parts(self, separator: char) -> impl Iterator<Item = Field<'a>> {
        let list = if self.text == "-" { None } else { Some(self.text.split(separator)) };
        let start = self.text.as_ptr() as usize;
        list.into_iter()
            .flatten()
            .map(move |text| Field { at: self.at + (text.as_ptr() as usize - start), text })
    }
}

fn fields(text: &str) -> Vec<Field<'_>> {
    let start = text.as_ptr() as usize;
    let field = |word: &str| word.as_ptr() as usize - start;
    text.split_ascii_whitespace().map(|word| Field { at: field(word), text: word }).collect()
}

/// The position of a text, valid in every respect.
pub(super) fn parse(text: &str, variant: Variant) -> Result<Position, Fault> {
    let words = fields(text);
    let extra = usize::from(variant.hit_bonus) + usize::from(variant.play_on);
    if words.len() < 5 || words.len() > 5 + extra {
        let most = if extra > 0 { format!(" to {}", 5 + extra) } else { String::new() };
        return Err(NotationError::new(format!(
            "a position has 5{most} fields, 'S/E/N/W turn hits fresh throws', not {}",
            words.len()
        )));
    }
    let (seats, pawns) = parse_pawns(words[0], &variant)?;
    let mut position = Position::starting(variant, seats);
    position.pawns = pawns;
    position.side = parse_turn(words[1], &position)?;
    position.gates = parse_sides(words[2], &position)?;
    check_gates(words[0], &position)?;
    check_colours(words[0], &position)?;
    let fresh = parse_cells(words[3], variant.geometry())?;
    check_fresh(words[3], &fresh, &position)?;
    position.fresh = fresh.iter().fold(0, |set, cell| set | 1 << cell);
    parse_throws(words[4], &mut position)?;
    let mut extra = words[5..].iter().copied();
    if variant.hit_bonus {
        let held = match extra.next() {
            Some(field) => parse_held(field, &position)?,
            None => position.outer_doubles(position.side()),
        };
        position.held = held;
    }
    parse_finished(extra.next(), words[0], &mut position)?;
    position.ending = position.find_ending();
    if position.ending != Ending::None {
        position.held = 0;
    }
    position.key = crate::game::Game::fresh_key(&position);
    Ok(position)
}

fn parse_pawns(field: Field, variant: &Variant) -> Result<(usize, [[u8; MAX_PAWNS]; 4]), Fault> {
    let sides: Vec<_> = field.parts('/').collect();
    let [_, east, _, west] = sides[..] else {
        return Err(field.fault("pawns are given for four sides, 'S/E/N/W', '-' for an empty seat"));
    };
    let seats = match (east.text, west.text) {
        ("-", "-") => 2,
        (_, "-") => 3,
        ("-", _) => {
            return Err(east.fault("two seats are S and N, three S, E and N: E is empty, W is not"));
        }
        _ => 4,
    };
    let mut pawns = [[0; MAX_PAWNS]; 4];
    for (side, part) in sides.iter().enumerate() {
        if part.text == "-" {
            if side % 2 == 0 {
                return Err(part.fault(format!("{} always plays, its seat is empty", SIDES[side])));
            }
            continue;
        }
        let list = parse_indices(*part, SIDES[side], variant)?;
        pawns[side][..list.len()].copy_from_slice(&list);
    }
    Ok((seats, pawns))
}

fn parse_indices(part: Field, side: char, variant: &Variant) -> Result<Vec<u8>, Fault> {
    let centre = variant.geometry().centre;
    let mut list = Vec::new();
    for item in part.parts('.') {
        match item.text.parse::<u8>() {
            Ok(index) if index <= centre && item.text.bytes().all(|b| b.is_ascii_digit()) => {
                list.push(index);
            }
            _ => {
                return Err(item.fault(format!(
                    "'{}' is no path index: a number from 0 (home) to {centre} (centre)",
                    item.text
                )));
            }
        }
    }
    if list.len() != variant.pawns as usize {
        return Err(part.fault(format!(
            "{side} has {} pawns, but every seat has {}",
            list.len(),
            variant.pawns
        )));
    }
    list.sort_unstable();
    Ok(list)
}

fn side_of(letter: char, field: &Field, position: &Position) -> Result<usize, Fault> {
    let side = SIDES.iter().position(|known| *known == letter);
    match side {
        Some(side) if position.seated(side) => Ok(side),
        Some(_) => Err(field.fault(format!("{letter} is not in play, its seat is empty"))),
        None => Err(field.fault(format!("'{}': a side is S, E, N or W", field.text))),
    }
}

fn parse_turn(field: Field, position: &Position) -> Result<u8, Fault> {
    let mut letters = field.text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Ok(side_of(letter, &field, position)? as u8),
        _ => Err(field.fault(format!("'{}': the turn is S, E, N or W", field.text))),
    }
}

fn parse_sides(field: Field, position: &Position) -> Result<u8, Fault> {
    let mut set = 0;
    if field.text == "-" {
        return Ok(set);
    }
    for letter in field.text.chars() {
        let bit = 1 << side_of(letter, &field, position)?;
        if set & bit != 0 {
            return Err(field.fault(format!("{letter} is named twice among the open gates")));
        }
        set |= bit;
    }
    Ok(set)
}

fn check_gates(field: Field, position: &Position) -> Result<(), Fault> {
    let ring = position.variant.geometry().ring;
    if position.variant.gate == Gate::Off {
        return Ok(());
    }
    for side in position.sides() {
        let inside = position.pawns(*side).iter().find(|index| **index >= ring);
        if let Some(index) = inside
            && !position.gate_open(*side)
        {
            return Err(field.fault(format!(
                "{0} has a pawn inside at index {index}, but its gate is closed: {0} has hit nobody",
                SIDES[*side]
            )));
        }
    }
    Ok(())
}

fn check_colours(field: Field, position: &Position) -> Result<(), Fault> {
    let geometry = position.variant.geometry();
    let safe = geometry.safe(position.variant.safe_corners);
    for cell in (0..geometry.centre).filter(|cell| safe >> cell & 1 == 0) {
        let mut here = position
            .sides()
            .iter()
            .filter(|side| position.pawns(**side).contains(&geometry.index(**side, cell)));
        if let (Some(one), Some(other)) = (here.next(), here.next()) {
            return Err(field.fault(format!(
                "{} and {} both stand on {}, which is no safe cell",
                SIDES[*one],
                SIDES[*other],
                geometry.name(cell)
            )));
        }
    }
    Ok(())
}

fn parse_cells(field: Field, geometry: &Geometry) -> Result<Vec<u8>, Fault> {
    field
        .parts(',')
        .map(|part| {
            read_cell(part.text, geometry)
                .filter(|(_, length)| *length == part.text.len())
                .map(|(cell, _)| cell)
                .ok_or_else(|| {
                    part.fault(format!("'{}' is no cell of this board, such as c1", part.text))
                })
        })
        .collect()
}

/// The cell named at the start of a text, and the length of its name.
pub(super) fn read_cell(text: &str, geometry: &Geometry) -> Option<(u8, usize)> {
    let bytes = text.as_bytes();
    let file = bytes.first()?.checked_sub(b'a')?;
    let digits = bytes[1..].iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 || bytes[1] == b'0' {
        return None;
    }
    let rank: u8 = text.get(1..1 + digits)?.parse().ok()?;
    if file >= geometry.size || rank > geometry.size {
        return None;
    }
    Some((geometry.at(file, rank - 1)?, 1 + digits))
}

fn check_fresh(field: Field, cells: &[u8], position: &Position) -> Result<(), Fault> {
    let others = position
        .sides()
        .iter()
        .filter(|side| **side != position.side())
        .fold(0, |set, side| set | position.outer_doubles(*side));
    for (at, cell) in cells.iter().enumerate() {
        let name = position.variant.geometry().name(*cell);
        if *cell >= position.variant.geometry().ring || others >> cell & 1 == 0 {
            return Err(field.fault(format!(
                "{name} cannot be fresh: a fresh double is two pawns of one other seat on an \
                 unsafe outer cell"
            )));
        }
        if cells[..at].contains(cell) {
            return Err(field.fault(format!("{name} is named twice among the fresh doubles")));
        }
    }
    Ok(())
}

fn parse_throws(field: Field, position: &mut Position) -> Result<(), Fault> {
    let variant = position.variant;
    for part in field.parts('+') {
        let value = part.text.parse().ok().filter(|value| variant.is_value(*value));
        let Some(value) = value.filter(|_| part.text.bytes().all(|b| b.is_ascii_digit())) else {
            return Err(part.fault(format!(
                "'{}' cannot be thrown: values are 1 to {} and {}",
                part.text,
                variant.bonus(),
                2 * variant.bonus()
            )));
        };
        if position.throws().last().is_some_and(|last| !variant.is_bonus(*last)) {
            return Err(part.fault(format!(
                "{} follows a value that ends the throwing: only {} and {} are thrown on",
                value,
                variant.bonus(),
                2 * variant.bonus()
            )));
        }
        if position.throws().len() == MAX_THROWS {
            return Err(part.fault(format!("a turn has at most {MAX_THROWS} throws")));
        }
        if position.voided() {
            return Err(part.fault("the third bonus throw voided the turn, no throw follows"));
        }
        position.add_throw(value);
    }
    Ok(())
}

fn parse_held(field: Field, position: &Position) -> Result<u64, Fault> {
    let geometry = position.variant.geometry();
    let safe = geometry.safe(position.variant.safe_corners);
    let unsafe_outer = |cell: &u8| *cell < geometry.ring && safe >> cell & 1 == 0;
    let cells = parse_cells(field, geometry)?;
    Ok(cells.iter().filter(|cell| unsafe_outer(cell)).fold(0, |set, cell| set | 1 << cell))
}

fn parse_finished(
    field: Option<Field>,
    pawns: Field,
    position: &mut Position,
) -> Result<(), Fault> {
    let home: Vec<usize> =
        position.sides().iter().copied().filter(|side| position.is_home(*side)).collect();
    if !position.variant.play_on {
        return if home.len() > 1 {
            Err(pawns.fault("two seats are home, but the game ends with the first"))
        } else {
            Ok(())
        };
    }
    let order = match field {
        Some(field) => parse_order(field, position)?,
        None => home.clone(),
    };
    let at = field.unwrap_or(pawns);
    if order.len() != home.len() || home.iter().any(|side| !order.contains(side)) {
        return Err(at.fault("the last field names the seats that are home, in order, or is '-'"));
    }
    if home.len() > 1 && field.is_none() {
        return Err(pawns.fault("several seats are home: a last field must say in which order"));
    }
    if home.len() == position.seats as usize {
        return Err(pawns.fault("all seats are home, but the last one never plays to its end"));
    }
    for side in order {
        position.finished[position.finishers as usize] = side as u8;
        position.finishers += 1;
    }
    let over = home.len() + 1 >= position.seats as usize;
    if !over && home.contains(&position.side()) {
        return Err(at.fault(format!("{} is home and has no turn", SIDES[position.side()])));
    }
    Ok(())
}

fn parse_order(field: Field, position: &Position) -> Result<Vec<usize>, Fault> {
    let mut order = Vec::new();
    for letter in field.text.chars().filter(|_| field.text != "-") {
        let side = side_of(letter, &field, position)?;
        if order.contains(&side) {
            return Err(field.fault(format!("{letter} is named twice among the finished")));
        }
        order.push(side);
    }
    Ok(order)
}
