//! What must hold in every game, checked on random games, new ones above all.
//!
//! [`RuleChecks::check`] plays random games under the default rules and under every other value of
//! every rule option, and stops at the first contradiction. It compares
//!
//! - the incremental key with the key computed afresh, and both with that of the text read back;
//! - positions and tokens with what reading their text gives;
//! - the list of legal moves with `is_legal`, for listed moves and for moves of other positions;
//! - the end of the game with turn, reason, outcome and points;
//! - throws with the listed outcomes of chance;
//! - every seat's view, carried along by masked moves, with the view of the full position;
//! - mirrored positions with mirrored moves, for every [`Symmetry`] that the game names.
//!
//! ```
//! use parlor::game::RuleChecks;
//! # #[cfg(feature = "barca")]
//! RuleChecks::<parlor::games::barca::Position>::new(2, 40).check().unwrap();
//! ```

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::{
    Chance, Chances, Game, Hidden, MoveList, MoveListing, Notation, OptionKind, OptionValues,
    Random, Rules, Seat, Turn,
};

/// A game that can be checked.
pub trait Testable: Chance + Hidden + Notation + Rules {}

impl<G: Chance + Hidden + Notation + Rules> Testable for G {}

/// What was found to contradict: one paragraph for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{law}\n  position {position}\n  rules {rules}\n  {details}")]
pub struct Contradiction {
    /// What should hold.
    pub law: &'static str,
    /// The text of the position.
    pub position: String,
    /// The rule options as `Name=value`.
    pub rules: String,
    /// What was found instead.
    pub details: String,
}

/// A map of the board onto itself that the rules do not notice.
#[derive(Clone, Copy)]
pub struct Symmetry<G: Game> {
    /// What it does, for messages.
    pub name: &'static str,
    /// The mirrored position.
    pub position: fn(&G) -> G,
    /// The mirrored move; the position is the one before mirroring.
    pub token: fn(&G, &G::Move) -> G::Move,
    /// Which seat takes the part of a seat.
    pub seat: fn(Seat) -> Seat,
}

/// Random games to be played and checked.
pub struct RuleChecks<G: Game> {
    games: u64,
    plies: usize,
    symmetries: Vec<Symmetry<G>>,
    foreign: Vec<G::Move>,
}

/// How many moves of other positions are kept to be tried as illegal ones.
const FOREIGN: usize = 64;

impl<G: Testable> RuleChecks<G> {
    /// The number of games under each set of rules, and the most plies of each.
    #[must_use]
    pub fn new(games: u64, plies: usize) -> Self {
        RuleChecks { games, plies, symmetries: Vec::new(), foreign: Vec::new() }
    }

    /// Also checks a symmetry.
    #[must_use]
    pub fn symmetry(mut self, symmetry: Symmetry<G>) -> Self {
        self.symmetries.push(symmetry);
        self
    }

    /// Checks the game under every set of rules of [`rule_sets`]. Returns the number of positions.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn check(mut self) -> Result<u64, Contradiction> {
        let mut positions = 0;
        for rules in rule_sets::<G>() {
            positions += self.check_rules(&rules)?;
        }
        Ok(positions)
    }

    /// The same under one set of rules.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn check_rules(&mut self, rules: &OptionValues) -> Result<u64, Contradiction> {
        let mut positions = 0;
        for game in 0..self.games {
            positions += self.check_game(rules, &mut Random::new(game))?;
        }
        Ok(positions)
    }

    fn check_game(
        &mut self,
        rules: &OptionValues,
        random: &mut Random,
    ) -> Result<u64, Contradiction> {
        let start = |viewer| {
            G::start(rules, viewer).map_err(|error| Contradiction {
                law: "the rules have a starting position",
                position: String::new(),
                rules: described(rules),
                details: error.to_string(),
            })
        };
        let mut position = start(None)?;
        let mut views = Vec::new();
        if G::SECRETS {
            for seat in Seat::all(position.seats()) {
                views.push(start(Some(seat))?);
            }
        }
        for ply in 0..self.plies {
            let probe = Probe { position: &position, rules };
            probe.check(None)?;
            probe.check_views(&views)?;
            probe.check_foreign(&self.foreign)?;
            for symmetry in &self.symmetries {
                probe.check_symmetry(symmetry)?;
            }
            let Some(m) = position.random_move(random) else {
                return Ok(ply as u64 + 1);
            };
            probe.ensure("a random move is legal", position.is_legal(&m), || format!("{m:?}"))?;
            for (seat, view) in Seat::all(position.seats()).zip(&mut views) {
                let masked = position.mask(&m, seat);
                probe.ensure(
                    "a masked move is legal in the view",
                    view.is_legal(&masked),
                    || format!("{masked:?} for {seat}: {}", view.explain_illegal(&masked)),
                )?;
                view.play(&masked);
            }
            self.keep(&m, random);
            position.play(&m);
        }
        Ok(self.plies as u64)
    }

    fn keep(&mut self, m: &G::Move, random: &mut Random) {
        if self.foreign.len() < FOREIGN {
            self.foreign.push(m.clone());
        } else {
            self.foreign[random.below(FOREIGN as u64) as usize] = m.clone();
        }
    }
}

/// The default rules, and for every rule option each other value, all else at its default. Of a
/// range of numbers the two ends are taken; text stays at its default, and a value that has no
/// starting position beside the other defaults is left out.
#[must_use]
pub fn rule_sets<G: Rules>() -> Vec<OptionValues> {
    let default = G::default_rules();
    let mut sets = vec![default.clone()];
    for spec in default.specs() {
        let values: Vec<String> = match &spec.kind {
            OptionKind::Check { default } => vec![(!default).to_string()],
            OptionKind::Spin { min, max, .. } => vec![min.to_string(), max.to_string()],
            OptionKind::Combo { values } => values.iter().skip(1).cloned().collect(),
            OptionKind::Text { .. } | OptionKind::Button => Vec::new(),
        };
        for value in values {
            let mut rules = default.clone();
            // A value may be refused beside the defaults of other options.
            let accepted = rules.set(&spec.name, &value).is_ok() && G::start(&rules, None).is_ok();
            if accepted && rules != default {
                sets.push(rules);
            }
        }
    }
    sets
}

fn described(rules: &OptionValues) -> String {
    let pairs = rules.iter().map(|(spec, value)| format!("{}={value}", spec.name));
    pairs.collect::<Vec<_>>().join(" ")
}

/// One position under test.
struct Probe<'a, G: Testable> {
    position: &'a G,
    rules: &'a OptionValues,
}

impl<G: Testable> Probe<'_, G> {
    fn ensure(
        &self,
        law: &'static str,
        holds: bool,
        details: impl FnOnce() -> String,
    ) -> Result<(), Contradiction> {
        if holds {
            return Ok(());
        }
        Err(Contradiction {
            law,
            position: self.position.to_string(),
            rules: described(self.rules),
            details: details(),
        })
    }

    /// Everything that one position must satisfy by itself.
    fn check(&self, viewer: Option<Seat>) -> Result<(), Contradiction> {
        self.check_text(viewer)?;
        self.check_end()?;
        self.check_chance()?;
        if self.position.move_listing() == MoveListing::Listed {
            self.check_moves()?;
        }
        Ok(())
    }

    fn check_text(&self, viewer: Option<Seat>) -> Result<(), Contradiction> {
        let position = self.position;
        let (key, fresh) = (position.key(), position.fresh_key());
        self.ensure("the incremental key is the fresh one", key == fresh, || {
            format!("{key:016x} is kept, {fresh:016x} computed")
        })?;
        let text = position.to_string();
        let one_line = text.is_ascii() && !text.contains(['\n', '\r']) && !text.is_empty();
        self.ensure("a position is one line of ASCII", one_line, || format!("{text:?}"))?;
        let read = G::parse(&text, self.rules, viewer);
        self.ensure("a position reads back equal", read.as_ref() == Ok(position), || {
            read.as_ref().map_or_else(ToString::to_string, |other| format!("read as {other}"))
        })?;
        let key_read = read.map_or(0, |read| read.key());
        self.ensure("a position read back has the same key", key_read == key, String::new)
    }

    fn check_end(&self) -> Result<(), Contradiction> {
        let position = self.position;
        let over = position.turn() == Turn::Over;
        let ends = (position.outcome().is_some(), position.reason().is_some());
        self.ensure("turn, outcome and reason agree on the end", ends == (over, over), || {
            format!("turn {}, outcome {:?}", position.turn(), position.outcome())
        })?;
        let points = position.points().map_or(position.seats(), |points| points.len());
        self.ensure("points stand for every seat", points == position.seats(), String::new)?;
        let tokens = position.count_moves();
        let none = !over || position.move_listing() != MoveListing::Listed || tokens == 0;
        self.ensure("a finished game has no moves", none, || format!("{tokens} moves"))
    }

    fn check_chance(&self) -> Result<(), Contradiction> {
        let position = self.position;
        let Chances::Listed(outcomes) = position.chances() else {
            return Ok(());
        };
        let thrown = position.turn().is_chance();
        self.ensure(
            "outcomes are listed just where chance decides",
            thrown != outcomes.is_empty(),
            || format!("{} outcomes at turn {}", outcomes.len(), position.turn()),
        )?;
        for (m, weight) in &outcomes {
            let sound = *weight > 0 && position.is_legal(m);
            self.ensure("every outcome is legal and can happen", sound, || format!("{m:?}"))?;
        }
        for seed in 0..if thrown { 8 } else { 0 } {
            let m = position.throw(seed);
            let known = m.as_ref().is_some_and(|m| outcomes.iter().any(|(other, _)| other == m));
            let same = known && position.throw(seed) == m;
            self.ensure("a throw is a listed outcome", same, || format!("seed {seed}: {m:?}"))?;
        }
        Ok(())
    }

    fn check_moves(&self) -> Result<(), Contradiction> {
        let position = self.position;
        let moves = position.moves();
        let count = position.count_moves();
        self.ensure("moves are counted as listed", moves.len() as u64 == count, || {
            format!("{} listed, {count} counted", moves.len())
        })?;
        // All of a short list, some of a long one, and the one after the last.
        for index in (0..=count).step_by(1 + moves.len() / 32).chain([count]) {
            let (nth, listed) = (position.nth_move(index), moves.get(index as usize));
            self.ensure("a move is found by its number", nth.as_ref() == listed, || {
                format!("number {index}: {nth:?} instead of {listed:?}")
            })?;
        }
        let mut tokens = Vec::with_capacity(moves.len());
        for m in &moves {
            self.ensure("a listed move is legal", position.is_legal(m), || format!("{m:?}"))?;
            let token = position.token(m);
            let plain =
                token.is_ascii() && !token.is_empty() && !token.contains(char::is_whitespace);
            self.ensure("a token is one word of ASCII", plain, || format!("{token:?}"))?;
            let read = position.parse_move(&token);
            self.ensure("a token reads back as its move", read.as_ref() == Ok(m), || {
                format!("{token}: {read:?} instead of {m:?}")
            })?;
            tokens.push(token);
        }
        tokens.sort_unstable();
        let twice = tokens.windows(2).find(|pair| pair[0] == pair[1]);
        self.ensure("a move is listed once", twice.is_none(), || format!("{twice:?}"))?;
        let stopped = position.for_each_move(|_| ControlFlow::Break(())).is_break();
        self.ensure("listing stops when asked to", stopped != moves.is_empty(), String::new)?;
        if let MoveList::Listed(list) = position.list_moves("") {
            self.ensure("the list of tokens is sorted and whole", list == tokens, || {
                format!("{} in the list, {} tokens", list.len(), tokens.len())
            })?;
        }
        Ok(())
    }

    /// Moves of other positions are legal here just if they are listed here, or reach what a listed
    /// move reaches by another spelling.
    fn check_foreign(&self, foreign: &[G::Move]) -> Result<(), Contradiction> {
        let position = self.position;
        if position.move_listing() != MoveListing::Listed {
            return Ok(());
        }
        let listed: HashSet<G::Move> = position.moves().into_iter().collect();
        let after = |m: &G::Move| {
            let mut next = position.clone();
            next.play(m);
            next
        };
        for m in foreign {
            let legal = position.is_legal(m);
            let known = listed.contains(m)
                || legal && {
                    let reached = after(m);
                    listed.iter().any(|other| after(other) == reached)
                };
            self.ensure("a move is legal just if it is listed", legal == known, || {
                format!("{m:?}: is_legal {legal}, listed {known}")
            })?;
        }
        Ok(())
    }

    fn check_views(&self, views: &[G]) -> Result<(), Contradiction> {
        let position = self.position;
        for (seat, view) in Seat::all(position.seats()).zip(views) {
            let masked = position.view(seat);
            self.ensure("a view goes on as the view of the whole", *view == masked, || {
                format!("{seat}: {view} instead of {masked}")
            })?;
            self.ensure("a view knows its viewer", view.viewer() == Some(seat), || {
                format!("{seat}: {:?}", view.viewer())
            })?;
            let agrees = view.turn() == position.turn()
                && view.outcome() == position.outcome()
                && view.points() == position.points();
            self.ensure("a view knows turn, result and points", agrees, || seat.to_string())?;
            if position.turn() == Turn::Seat(seat) && view.move_listing() == MoveListing::Listed {
                self.ensure(
                    "who decides sees every move",
                    view.moves() == position.moves(),
                    || seat.to_string(),
                )?;
            }
            Probe { position: view, rules: self.rules }.check(Some(seat))?;
        }
        Ok(())
    }

    fn check_symmetry(&self, symmetry: &Symmetry<G>) -> Result<(), Contradiction> {
        let position = self.position;
        let mirrored = (symmetry.position)(position);
        let turn = match position.turn() {
            Turn::Seat(seat) => Turn::Seat((symmetry.seat)(seat)),
            other => other,
        };
        self.ensure("a mirrored position has the mirrored turn", mirrored.turn() == turn, || {
            format!("{}: {mirrored}", symmetry.name)
        })?;
        if position.move_listing() != MoveListing::Listed {
            return Ok(());
        }
        let count = (position.count_moves(), mirrored.count_moves());
        self.ensure("a mirrored position has as many moves", count.0 == count.1, || {
            format!("{}: {} and {} in {mirrored}", symmetry.name, count.0, count.1)
        })?;
        for m in position.moves() {
            let image = (symmetry.token)(position, &m);
            let (mut next, mut next_image) = (position.clone(), mirrored.clone());
            self.ensure("a mirrored move is legal", mirrored.is_legal(&image), || {
                format!("{}: {image:?} in {mirrored}", symmetry.name)
            })?;
            next.play(&m);
            next_image.play(&image);
            self.ensure(
                "a mirrored move leads to the mirrored position",
                (symmetry.position)(&next) == next_image,
                || format!("{}: {m:?}", symmetry.name),
            )?;
        }
        Ok(())
    }
}
