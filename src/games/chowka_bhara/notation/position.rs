//! Positions as text: `S/E/N/W turn hits fresh throws`, and the fields that options add.

use std::fmt;

use crate::game::NotationError;
use crate::games::chowka_bhara::rules::{
    Geometry, Impossible, MAX_PAWNS, MAX_THROWS, Position, RuleOptions, SIDES, Setup, ThrowError,
};

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&write(self))
    }
}

fn write(position: &Position) -> String {
    let options = position.options();
    let geometry = options.geometry();
    let sides: Vec<_> = (0..4).map(|side| write_pawns(position, side)).collect();
    let mut text = format!(
        "{} {} {} {} {}",
        sides.join("/"),
        SIDES[position.side()],
        write_sides((0..4).filter(|side| position.gate_open(*side))),
        write_cells(position.fresh(), geometry),
        or_dash(write_values(position.throws())),
    );
    if options.hit_bonus {
        text = format!("{text} {}", write_cells(position.doubles_before(), geometry));
    }
    if options.play_on {
        let order = position.finishers().iter().map(|side| *side as usize);
        text = format!("{text} {}", write_sides(order));
    }
    text
}

fn write_pawns(position: &Position, side: usize) -> String {
    if !position.seated(side) {
        return "-".into();
    }
    position.pawns(side).iter().map(u8::to_string).collect::<Vec<_>>().join(".")
}

/// Values joined by `+`.
pub(super) fn write_values(values: &[u8]) -> String {
    values.iter().map(u8::to_string).collect::<Vec<_>>().join("+")
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "-".into() } else { text }
}

fn write_sides(sides: impl Iterator<Item = usize>) -> String {
    or_dash(sides.map(|side| SIDES[side & 3]).collect())
}

fn write_cells(cells: u64, geometry: &Geometry) -> String {
    let cells = (0..geometry.ring).filter(|cell| cells >> cell & 1 != 0);
    let mut names: Vec<_> = cells.map(|cell| geometry.name(cell)).collect();
    names.sort_unstable();
    or_dash(names.join(","))
}

/// A part of the text and where it begins.
#[derive(Clone, Copy)]
struct Field<'a> {
    at: usize,
    text: &'a str,
}

impl<'a> Field<'a> {
    fn error(&self, message: impl Into<String>) -> NotationError {
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
    let offset = |part: &str| part.as_ptr() as usize - start;
    text.split_ascii_whitespace().map(|part| Field { at: offset(part), text: part }).collect()
}

/// The position of a text, valid in every respect.
pub(super) fn parse(text: &str, options: RuleOptions) -> Result<Position, NotationError> {
    let fields = fields(text);
    let extra = usize::from(options.hit_bonus) + usize::from(options.play_on);
    if fields.len() < 5 || fields.len() > 5 + extra {
        let most = if extra > 0 { format!(" to {}", 5 + extra) } else { String::new() };
        return Err(NotationError::new(format!(
            "a position has 5{most} fields, 'S/E/N/W turn hits fresh throws', not {}",
            fields.len()
        )));
    }
    let mut extra = fields[5..].iter().copied();
    let before = if options.hit_bonus { extra.next() } else { None };
    let finished = if options.play_on { extra.next() } else { None };
    let geometry = options.geometry();
    let (seats, pawns) = parse_pawns(fields[0], &options)?;
    let seated = Seated(seats);
    let setup = Setup {
        seats,
        pawns,
        side: parse_turn(fields[1], seated)?,
        open_gates: parse_gates(fields[2], seated)?,
        fresh: parse_fresh(fields[3], geometry)?,
        throws: parse_throws(fields[4], &options)?,
        doubles_before: before.map(|field| parse_cells(field, geometry)).transpose()?,
        finished: finished.map(|field| parse_order(field, seated)).transpose()?,
    };
    setup
        .position(options)
        .map_err(|why| explain(&why, &options, &fields, finished.unwrap_or(fields[0])))
}

fn parse_pawns(
    field: Field,
    options: &RuleOptions,
) -> Result<(usize, [[u8; MAX_PAWNS]; 4]), NotationError> {
    let sides: Vec<_> = field.parts('/').collect();
    let [_, east, _, west] = sides[..] else {
        return Err(field.error("pawns are given for four sides, 'S/E/N/W', '-' for an empty seat"));
    };
    let seats = match (east.text, west.text) {
        ("-", "-") => 2,
        (_, "-") => 3,
        ("-", _) => {
            return Err(east.error("two seats are S and N, three S, E and N: E is empty, W is not"));
        }
        _ => 4,
    };
    let mut pawns = [[0; MAX_PAWNS]; 4];
    for (side, part) in sides.iter().enumerate() {
        if part.text == "-" {
            if side % 2 == 0 {
                return Err(part.error(format!("{} always plays, its seat is empty", SIDES[side])));
            }
            continue;
        }
        let list = parse_indices(*part, SIDES[side], options)?;
        pawns[side][..list.len()].copy_from_slice(&list);
    }
    Ok((seats, pawns))
}

fn parse_indices(part: Field, side: char, options: &RuleOptions) -> Result<Vec<u8>, NotationError> {
    let centre = options.geometry().centre;
    let mut list = Vec::new();
    for item in part.parts('.') {
        match item.text.parse::<u8>() {
            Ok(index) if index <= centre && item.text.bytes().all(|b| b.is_ascii_digit()) => {
                list.push(index);
            }
            _ => {
                return Err(item.error(format!(
                    "'{}' is no path index: a number from 0 (home) to {centre} (centre)",
                    item.text
                )));
            }
        }
    }
    if list.len() != options.pawns as usize {
        return Err(part.error(format!(
            "{side} has {} pawns, but every seat has {}",
            list.len(),
            options.pawns
        )));
    }
    list.sort_unstable();
    Ok(list)
}

/// The number of seats, which says which sides are in play.
#[derive(Clone, Copy)]
struct Seated(usize);

impl Seated {
    fn side(self, letter: char, field: &Field) -> Result<usize, NotationError> {
        let side = SIDES.iter().position(|known| *known == letter);
        match side {
            Some(side) if Position::seating(self.0).contains(&side) => Ok(side),
            Some(_) => Err(field.error(format!("{letter} is not in play, its seat is empty"))),
            None => Err(field.error(format!("'{}': a side is S, E, N or W", field.text))),
        }
    }

    /// Sides in the order given, none twice; `among` says of what they are.
    fn sides(self, field: Field, among: &str) -> Result<Vec<usize>, NotationError> {
        let mut list = Vec::new();
        for letter in field.text.chars().filter(|_| field.text != "-") {
            let side = self.side(letter, &field)?;
            if list.contains(&side) {
                return Err(field.error(format!("{letter} is named twice among {among}")));
            }
            list.push(side);
        }
        Ok(list)
    }
}

fn parse_turn(field: Field, seated: Seated) -> Result<usize, NotationError> {
    let mut letters = field.text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => seated.side(letter, &field),
        _ => Err(field.error(format!("'{}': the turn is S, E, N or W", field.text))),
    }
}

fn parse_gates(field: Field, seated: Seated) -> Result<u8, NotationError> {
    let sides = seated.sides(field, "the open gates")?;
    Ok(sides.iter().fold(0, |set, side| set | 1 << side))
}

fn parse_order(field: Field, seated: Seated) -> Result<Vec<usize>, NotationError> {
    seated.sides(field, "the finished")
}

fn parse_fresh(field: Field, geometry: &Geometry) -> Result<Vec<u8>, NotationError> {
    let cells = parse_cells(field, geometry)?;
    match cells.iter().enumerate().find(|(at, cell)| cells[..*at].contains(cell)) {
        Some((_, cell)) => {
            let name = geometry.name(*cell);
            Err(field.error(format!("{name} is named twice among the fresh doubles")))
        }
        None => Ok(cells),
    }
}

fn parse_cells(field: Field, geometry: &Geometry) -> Result<Vec<u8>, NotationError> {
    field
        .parts(',')
        .map(|part| {
            read_cell(part.text, geometry)
                .filter(|(_, length)| *length == part.text.len())
                .map(|(cell, _)| cell)
                .ok_or_else(|| {
                    part.error(format!("'{}' is no cell of this board, such as c1", part.text))
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

fn parse_throws(field: Field, options: &RuleOptions) -> Result<Vec<u8>, NotationError> {
    let value = |part: Field| {
        let value = part.text.parse().ok().filter(|value| options.is_value(*value));
        let digits = part.text.bytes().all(|byte| byte.is_ascii_digit());
        value.filter(|_| digits).ok_or_else(|| part.error(not_a_value(part.text, options)))
    };
    field.parts('+').map(value).collect()
}

fn not_a_value(text: &str, options: &RuleOptions) -> String {
    let bonus = options.bonus();
    format!("'{text}' cannot be thrown: values are 1 to {bonus} and {}", 2 * bonus)
}

/// Names the rule that a position breaks, and the field that breaks it.
fn explain(
    why: &Impossible,
    options: &RuleOptions,
    fields: &[Field],
    finished: Field,
) -> NotationError {
    let geometry = options.geometry();
    let pawns = fields[0];
    match why {
        Impossible::InsideClosedGate { side, index } => pawns.error(format!(
            "{0} has a pawn inside at index {index}, but its gate is closed: {0} has hit nobody",
            SIDES[*side]
        )),
        Impossible::Shared { sides: [one, other], cell } => pawns.error(format!(
            "{} and {} both stand on {}, which is no safe cell",
            SIDES[*one],
            SIDES[*other],
            geometry.name(*cell)
        )),
        Impossible::NotFresh(cell) => fields[3].error(format!(
            "{} cannot be fresh: a fresh double is two pawns of one other seat on an unsafe outer \
             cell",
            geometry.name(*cell)
        )),
        Impossible::Throw { at, error } => {
            let part = fields[4].parts('+').nth(*at).unwrap_or(fields[4]);
            part.error(explain_throw(*error, part.text, options))
        }
        Impossible::SecondHome => {
            pawns.error("two seats are home, but the game ends with the first")
        }
        Impossible::WrongOrder => {
            finished.error("the last field names the seats that are home, in order, or is '-'")
        }
        Impossible::MissingOrder => {
            pawns.error("several seats are home: a last field must say in which order")
        }
        Impossible::AllHome => {
            pawns.error("all seats are home, but the last one never plays to its end")
        }
        Impossible::FinishedToMove => {
            finished.error(format!("{} is home and has no turn", fields[1].text))
        }
    }
}

fn explain_throw(error: ThrowError, value: &str, options: &RuleOptions) -> String {
    let bonus = options.bonus();
    match error {
        ThrowError::NotAValue => not_a_value(value, options),
        ThrowError::AfterLast => format!(
            "{value} follows a value that ends the throwing: only {bonus} and {} are thrown on",
            2 * bonus
        ),
        ThrowError::TooMany => format!("a turn has at most {MAX_THROWS} throws"),
        ThrowError::AfterVoid => "the third bonus throw voided the turn, no throw follows".into(),
    }
}
