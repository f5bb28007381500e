//! Positions and moves as text.

use super::diagram;
use super::field::{Field, Refusal, Values};
use super::geometry::{Geometry, SIDES};
use super::moves::{MAX_THROWS, Move, Play, Step};
use super::position::Position;
use super::rule_options::{DoubleMove, Variant};
use super::validate::{parse, read_cell};
use crate::game::{DiagramStyle, Game, Notation, NotationError, OptionValues, Seat, Turn};

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.write())
    }
}

crate::position_traits!(Position);

impl Position {
    fn write(&self) -> String {
        let geometry = self.variant().geometry();
        let sides: Vec<_> = (0..4).map(|side| self.write_pawns(side)).collect();
        let mut text = format!(
            "{} {} {} {} {}",
            sides.join("/"),
            SIDES[self.side()],
            write_sides((0..4).filter(|side| self.gate_open(*side))),
            write_cells(self.fresh(), geometry),
            or_dash(self.throws().iter().map(u8::to_string).collect::<Vec<_>>().join("+")),
        );
        if self.variant().hit_bonus {
            text = format!("{text} {}", write_cells(self.held, geometry));
        }
        if self.variant().play_on {
            let order = self.finishers().iter().map(|side| *side as usize);
            text = format!("{text} {}", write_sides(order));
        }
        text
    }
}

impl Notation for Position {
    fn parse(
        text: &str,
        rules: &OptionValues,
        _viewer: Option<Seat>,
    ) -> Result<Self, NotationError> {
        parse(text, Variant::new(rules)?)
    }

    fn parse_move(&self, token: &str) -> Result<Self::Move, NotationError> {
        if token == "pass" {
            return Ok(Move::Play(Play::default()));
        }
        match token.strip_prefix('t') {
            Some(value) => self.parse_throw(value),
            None => self.parse_play(token),
        }
    }

    fn token(&self, m: &Self::Move) -> String {
        let play = match m {
            Move::Throw(value) => return format!("t{value}"),
            Move::Play(play) => play,
        };
        if play.steps().is_empty() {
            return "pass".into();
        }
        let steps: Vec<_> = play.steps().iter().map(|step| self.write_step(*step)).collect();
        steps.join(",")
    }

    fn explain_illegal(&self, m: &Self::Move) -> String {
        match (self.turn(), m) {
            (Turn::Over, _) => "the game is over".into(),
            (Turn::Chance { .. }, Move::Throw(value)) => format!(
                "{value} cannot be thrown: values are 1 to {} and {}",
                self.variant().bonus(),
                2 * self.variant().bonus()
            ),
            (Turn::Chance { .. }, Move::Play(_)) => format!(
                "{} must throw first: a throw is t1 to t{} or t{}",
                SIDES[self.side()],
                self.variant().bonus(),
                2 * self.variant().bonus()
            ),
            (Turn::Seat(_), Move::Throw(_)) => format!(
                "{} has thrown {} and must play now",
                SIDES[self.side()],
                self.write_values(self.throws())
            ),
            (Turn::Seat(_), Move::Play(play)) => self.explain_play(play),
        }
    }

    fn diagram(&self, style: DiagramStyle) -> String {
        diagram::draw(self, style)
    }
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

impl Position {
    fn write_pawns(&self, side: usize) -> String {
        if !self.seated(side) {
            return "-".into();
        }
        self.pawns(side).iter().map(u8::to_string).collect::<Vec<_>>().join(".")
    }

    fn write_values(&self, values: &[u8]) -> String {
        values.iter().map(u8::to_string).collect::<Vec<_>>().join("+")
    }

    /// The name of a path index of the side to move.
    fn own_name(&self, index: u8) -> String {
        let geometry = self.variant().geometry();
        geometry.name(geometry.cell(self.side(), index))
    }

    fn write_step(&self, step: Step) -> String {
        let together = if step.together() { "d" } else { "" };
        format!("{}{}{together}", self.own_name(step.from()), self.own_name(step.to()))
    }

    fn parse_throw(&self, text: &str) -> Result<Move, NotationError> {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let value = text.parse().ok().filter(|value| digits && self.variant().is_value(*value));
        let Some(value) = value.filter(|_| !text.starts_with('0')) else {
            // It may be anything: what is shown is short and printable.
            let printable = |letter: char| if letter.is_ascii_graphic() { letter } else { '?' };
            let shown: String = text.chars().take(24).map(printable).collect();
            return Err(NotationError::at(
                0,
                format!(
                    "'t{shown}' is no throw: t1 to t{} or t{}",
                    self.variant().bonus(),
                    2 * self.variant().bonus()
                ),
            ));
        };
        Ok(Move::Throw(value))
    }

    fn parse_play(&self, token: &str) -> Result<Move, NotationError> {
        let mut play = Play::default();
        let mut at = 0;
        for text in token.split(',') {
            let step = self.parse_step(text, at)?;
            if !play.push(step) {
                let message = format!("a turn has at most {MAX_THROWS} steps");
                return Err(NotationError::at(at, message));
            }
            at += text.len() + 1;
        }
        Ok(Move::Play(play))
    }

    fn parse_step(&self, text: &str, at: usize) -> Result<Step, NotationError> {
        let geometry = self.variant().geometry();
        let cell = |from: usize| {
            let rest = text.get(from..).unwrap_or("");
            read_cell(rest, geometry).ok_or_else(|| {
                let message = "a cell of this board is expected: a step is two, such as c1e2, then \
                               'd' for two pawns together; steps are joined by commas";
                NotationError::at(at + from, message)
            })
        };
        let (from, length) = cell(0)?;
        let (to, more) = cell(length)?;
        let end = length + more;
        let together = match text.get(end..) {
            Some("") => false,
            Some("d") => true,
            _ => return Err(NotationError::at(at + end, "',' or 'd' or the end is expected")),
        };
        let side = self.side();
        Ok(Step::new(geometry.index(side, from), geometry.index(side, to), together))
    }

    /// Names the first rule that a play breaks.
    fn explain_play(&self, play: &Play) -> String {
        if self.voided() {
            return "the third bonus throw voided the turn: only pass is legal".into();
        }
        let mut field = Field::new(self);
        let mut values = Values::new(self.throws());
        for step in play.steps() {
            let text = self.write_step(*step);
            let Some(value) = field.value_of(*step) else {
                return format!("{text} leads nowhere on {}'s path", SIDES[self.side()]);
            };
            let Some(kind) = values.kind(value) else {
                let left: Vec<u8> = values.each().collect();
                let left = match left.as_slice() {
                    [] => "no value is left".into(),
                    left => format!("left to play is {}", self.write_values(left)),
                };
                return format!("{text} is a step of {value}, but {left}");
            };
            if let Err(refusal) = field.check(*step, value) {
                return format!("{text}: {}", self.explain_refusal(*step, value, refusal));
            }
            field.make(*step);
            values = values.without(kind);
        }
        match values.kinds().find(|(_, value)| field.playable(*value)) {
            Some((_, value)) => {
                format!(
                    "the value {value} can still be played, so it must be: the turn is not over"
                )
            }
            None => "the play is legal".into(),
        }
    }

    fn explain_refusal(&self, step: Step, value: u8, refusal: Refusal) -> String {
        let side = SIDES[self.side()];
        let (from, to) = (self.own_name(step.from()), self.own_name(step.to()));
        match refusal {
            Refusal::NoPawns if step.together() => format!("{side} has no two pawns on {from}"),
            Refusal::NoPawns => format!("{side} has no pawn on {from} to move {value} to {to}"),
            Refusal::NoDoubleOnSafe => {
                format!("{from} is a safe cell, and pawns on safe cells are no double")
            }
            Refusal::DoubleMove if self.variant().double_move == DoubleMove::Half => {
                format!("a double moves by half of an even value, {value} is odd")
            }
            Refusal::DoubleMove => "doubles do not move together (option DoubleMove)".into(),
            Refusal::Beyond => {
                format!("{value} leads beyond the centre, which needs its exact value")
            }
            Refusal::Gate => format!("the gate is closed: {side} has hit nobody and may not go in"),
            Refusal::Wall(index) => {
                format!("an enemy double on {} may not be passed now", self.own_name(index))
            }
            Refusal::Double if step.together() => {
                format!("an enemy double on {to} is not hit (option DoubleHitsDouble)")
            }
            Refusal::Double => format!("a single pawn cannot land on the enemy double on {to}"),
            Refusal::OuterDouble => {
                format!("no double may be formed on {to} (option OuterDoubles)")
            }
        }
    }
}
