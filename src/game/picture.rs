//! A position as a picture and a move as steps: what a game tells a graphical client.
//!
//! Every method has a default, so that `impl Picture for Position {}` makes a game that any client
//! can show and play: no cells, the position as text, the legal moves as buttons. A game overrides
//! what it draws better.

mod preview;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use preview::Standing;

use super::{Chance, Chances, Hidden, MoveList, MoveListing, Notation, Random, Rules, Turn};
use crate::picture::{
    Board, Form, MAX_BYTES, MAX_ENTRIES, Next, Show, Step, Table, TableSeat, to_line,
};

/// A game that can be shown and entered by pointing.
///
/// Laws, which the tests of every game check: every leaf's token is legal; every legal token, or
/// another that reaches the same position, is the leaf of the path that [`Picture::path`] names; no
/// choice is a dead end; what a leaf shows, done to the board, gives the board after its token, but
/// for marks of nobody; equal views give equal answers.
pub trait Picture: Chance + Hidden + Notation + Rules {
    /// What stays while rules and seats stay. The engine adds the title of the game.
    fn table(&self) -> Table {
        text_table(self.seats())
    }

    /// What stands where, for the viewer of this position, without the last token.
    fn board(&self) -> Board {
        Board { text: Some(self.to_string()), ..Board::new(self.turn()) }
    }

    /// What may follow the choices made so far. Called only where the viewer decides.
    ///
    /// # Errors
    /// Which choice leads nowhere, and why.
    fn step(&self, path: &[String]) -> Result<Step, StepError> {
        token_step(self, path, "Choose a move")
    }

    /// The choices that lead to a legal move, or to another that reaches the same position.
    fn path(&self, m: &Self::Move) -> Vec<String> {
        vec![self.token(m)]
    }

    /// What a seat does by a move, in words after its name, with what the viewer may see: `rolls`. Empty
    /// where the board shows all of it, `None` where the token says it.
    fn told(&self, _m: &Self::Move) -> Option<String> {
        None
    }
}

/// Why a path leads nowhere.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("choice {} '{choice}': {message}", index + 1)]
pub struct StepError {
    /// The index of the choice, from 0.
    pub index: usize,
    /// The choice, shortened and printable.
    pub choice: String,
    /// What is wrong with it.
    pub message: String,
}

impl StepError {
    /// A choice of a path that leads nowhere.
    pub fn new(path: &[String], index: usize, message: impl Into<String>) -> Self {
        let choice = path.get(index).map_or("", String::as_str);
        let shown = choice.chars().filter(|c| (' '..='~').contains(c)).take(40).collect();
        StepError { index, choice: shown, message: message.into() }
    }
}

/// A table without cells: the seats alone.
#[must_use]
pub fn text_table(seats: usize) -> Table {
    let mut table = Table::new("", [0.0, 0.0]);
    table.seats =
        (1..=seats).map(|number| TableSeat::new(number, &format!("p{number}"), 0.0)).collect();
    table
}

/// The steps of a game whose choices are its tokens: one choice is a move.
///
/// # Errors
/// A choice that is no legal token, or one too many.
pub fn token_step<G: Notation>(
    position: &G,
    path: &[String],
    text: &str,
) -> Result<Step, StepError> {
    let Some(choice) = path.first() else {
        return Ok(tokens_from(position, path, "", text));
    };
    if path.len() > 1 {
        return Err(StepError::new(path, 1, "the move is complete"));
    }
    if let Ok(m) = position.parse_move(choice)
        && position.is_legal(&m)
    {
        return Ok(Step::new(path, text).with_token(position.token(&m)));
    }
    if let Some(prefix) = choice.strip_suffix('*') {
        // A filter is no choice: the path stays empty.
        return Ok(tokens_from(position, &[], prefix, text));
    }
    let message = match position.parse_move(choice) {
        Ok(m) => position.explain_illegal(&m),
        Err(error) => error.to_string(),
    };
    Err(StepError::new(path, 0, message))
}

fn tokens_from<G: Notation>(position: &G, path: &[String], prefix: &str, text: &str) -> Step {
    let step = Step::new(path, text);
    match position.list_moves(prefix) {
        MoveList::Listed(list) => {
            offer(step, list.into_iter().map(|token| Next::button(token.clone(), token)).collect())
        }
        MoveList::Many | MoveList::Hidden => Step { form: Some(token_form()), ..step },
    }
}

/// Any legal token, typed; a prefix and `*` lists those that begin so.
fn token_form() -> Form {
    Form {
        label: "move".into(),
        kind: "word".into(),
        complete: true,
        max: Some(200),
        ..Form::default()
    }
}

/// Puts choices into a step, or a form if they are more than an answer may hold.
#[must_use]
pub fn offer(step: Step, next: Vec<Next>) -> Step {
    if next.len() <= MAX_ENTRIES && to_line(&next).len() <= MAX_BYTES - 1024 {
        return Step { next, ..step };
    }
    Step { form: step.form.clone().or_else(|| Some(token_form())), ..step }
}

/// Why the steps of a position cannot be told.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoStep {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// Another seat decides than the viewer.
    #[error("{0} decides here, not the viewer")]
    NotToAct(Turn),
    /// A choice that leads nowhere.
    #[error(transparent)]
    BadChoice(#[from] StepError),
}

/// The step of a position for whoever may ask: chance, hidden turns and seats told apart. `turn` is
/// that of the game, which may be over by repetition.
///
/// # Errors
/// A finished game, another seat's turn, a path that leads nowhere.
pub fn step<G: Picture>(position: &G, turn: Turn, path: &[String]) -> Result<Step, NoStep> {
    match turn {
        Turn::Over => Err(NoStep::Over),
        Turn::Chance { thrower } => {
            let thrower = thrower.map(|seat| seat.to_string());
            Ok(chance_step(position, path).map(|step| Step { chance: Some(thrower), ..step })?)
        }
        Turn::Seat(seat)
            if G::SECRETS && position.viewer().is_some_and(|viewer| viewer != seat) =>
        {
            Err(NoStep::NotToAct(turn))
        }
        Turn::Seat(_) => Ok(position.step(path)?),
    }
}

fn chance_step<G: Picture>(position: &G, path: &[String]) -> Result<Step, StepError> {
    let step = Step::new(path, "Throw");
    let outcomes = match position.chances() {
        Chances::Listed(outcomes) => outcomes,
        Chances::Hidden if path.is_empty() => return Ok(Step { hidden: true, ..step }),
        Chances::Many if path.is_empty() => return Ok(step),
        Chances::Hidden => {
            return Err(StepError::new(path, 0, "this view cannot know the outcome"));
        }
        Chances::Many => return token_step(position, path, "Throw"),
    };
    match path {
        [] => {
            let tokens = outcomes.iter().map(|(m, _)| position.token(m));
            Ok(offer(step, tokens.map(|token| Next::button(token.clone(), token)).collect()))
        }
        [choice] => {
            match outcomes.iter().map(|(m, _)| position.token(m)).find(|token| token == choice) {
                Some(token) => Ok(step.with_token(token)),
                None => Err(StepError::new(path, 0, "no outcome of this throw")),
            }
        }
        _ => Err(StepError::new(path, 1, "the throw is complete")),
    }
}

/// The path of a token, at chance nodes the token itself.
#[must_use]
pub fn path<G: Picture>(position: &G, m: &G::Move) -> Vec<String> {
    if position.turn().is_chance() { vec![position.token(m)] } else { position.path(m) }
}

/// Checks the laws of [`Picture`] on one position; returns how many leaves were compared. `limit`
/// bounds the moves that are followed from a list, and the steps of the walk into the choices.
///
/// # Errors
/// The law that does not hold, and where.
pub fn check_laws<G: Picture>(position: &G, limit: usize) -> Result<usize, String> {
    let turn = position.turn();
    let drawn = Drawn::check(position)?;
    let refused = match (turn, position.viewer()) {
        (Turn::Over, _) => Some(NoStep::Over),
        (Turn::Seat(seat), Some(viewer)) if G::SECRETS && seat != viewer => {
            Some(NoStep::NotToAct(turn))
        }
        _ => None,
    };
    if let Some(refused) = refused {
        let told = step(position, turn, &[]);
        return match told {
            Err(error) if error == refused => Ok(0),
            told => Err(format!("instead of '{refused}': {told:?}")),
        };
    }
    if !turn.is_chance() && position.move_listing() == MoveListing::Hidden {
        return Ok(0);
    }
    if turn.is_chance() && !matches!(position.chances(), Chances::Listed(_)) {
        return Ok(0);
    }
    let before = Standing::of(&position.board());
    let leaves = check_paths(position, turn, limit, &before)?;
    check_choices(position, turn, limit, &drawn, &before)?;
    Ok(leaves)
}

/// The names in a table and a board.
struct Drawn {
    cells: BTreeSet<String>,
    cards: BTreeSet<String>,
}

impl Drawn {
    /// Checks that table and board fit each other and an answer.
    fn check<G: Picture>(position: &G) -> Result<Self, String> {
        let (table, board) = (position.table(), position.board());
        for (what, bytes) in [("table", to_line(&table).len()), ("board", to_line(&board).len())] {
            require(bytes <= MAX_BYTES, || format!("the {what} has {bytes} bytes"))?;
        }
        let cells: BTreeSet<String> = table.cells.iter().map(|cell| cell.id.clone()).collect();
        let cards: BTreeSet<String> = board.cards.iter().map(|card| card.id.clone()).collect();
        require(cells.len() == table.cells.len(), || "two cells of one name".into())?;
        require(cards.len() == board.cards.len(), || "two cards of one name".into())?;
        for cell in &table.cells {
            let kind = cell.kind.as_ref().is_none_or(|kind| table.kinds.contains_key(kind));
            let known = kind && table.shapes.contains_key(&cell.shape);
            require(known, || format!("cell {} has no such shape or kind", cell.id))?;
        }
        for piece in &board.pieces {
            let known = cells.contains(&piece.cell) && table.symbols.contains_key(&piece.symbol);
            require(known, || format!("{piece:?} has no such cell or symbol"))?;
        }
        for mark in &board.marks {
            let known = cells.contains(&mark.cell) && table.kinds.contains_key(&mark.kind);
            require(known, || format!("{mark:?} has no such cell or kind"))?;
        }
        let seats = board.panel.iter().map(|panel| &panel.seat);
        for named in seats.chain(board.cards.iter().map(|card| &card.seat)) {
            let known = table.seats.iter().any(|seat| seat.seat == *named);
            require(known, || format!("there is no seat {named}"))?;
        }
        Ok(Drawn { cells, cards })
    }

    /// Checks that a choice names what is there.
    fn check_next(&self, path: &[String], next: &Next) -> Result<(), String> {
        let cell = next.cell.as_ref().is_none_or(|cell| self.cells.contains(cell));
        let card = next.card.as_ref().is_none_or(|card| self.cards.contains(card));
        require(cell && card, || format!("{path:?}: {next:?} names no cell or card"))
    }
}

fn require(holds: bool, details: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(details()) }
}

/// How many moves are drawn at random from a list beyond its limit.
const DRAWN_MOVES: usize = 20;

/// How many leaves of a list, and of a walk, have what they show compared.
const COMPARED: usize = 25;

/// Laws 1, 2 and 4 for listed moves.
fn check_paths<G: Picture>(
    position: &G,
    turn: Turn,
    limit: usize,
    before: &Standing,
) -> Result<usize, String> {
    let mut moves = Vec::new();
    let _ = position.for_each_move(|m| {
        moves.push(m);
        if moves.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    if moves.len() == limit {
        let mut random = Random::new(position.key());
        moves.extend((0..DRAWN_MOVES).filter_map(|_| position.random_move(&mut random)));
    }
    let apart = moves.len().div_ceil(COMPARED).max(1);
    for (index, m) in moves.iter().enumerate() {
        let (token, path) = (position.token(m), path(position, m));
        let last =
            walk(position, turn, &path).map_err(|error| format!("path of {token}: {error}"))?;
        let Some(leaf) = &last.token else {
            return Err(format!("the path {path:?} of {token} is no leaf"));
        };
        let read = position.parse_move(leaf).map_err(|error| format!("leaf {leaf}: {error}"))?;
        if !position.is_legal(&read) {
            return Err(format!("leaf {leaf}: {}", position.explain_illegal(&read)));
        }
        let (mut listed, mut reached) = (position.clone(), position.clone());
        listed.play(m);
        reached.play(&read);
        if listed != reached {
            return Err(format!("the path of {token} leads to {leaf}, another position"));
        }
        if !turn.is_chance() && index % apart == 0 {
            check_shown(before, &last, &reached)?;
        }
    }
    Ok(moves.len())
}

/// Law 4: what a leaf shows, done to the board before, is the board after its token. Throws show
/// nothing.
fn check_shown<G: Picture>(before: &Standing, leaf: &Step, after: &G) -> Result<(), String> {
    let said = |error: String| format!("{:?} shows {:?}: {error}", leaf.path, leaf.show);
    let mut shown = before.clone();
    leaf.show.iter().try_for_each(|change| shown.apply(change)).map_err(said)?;
    shown.difference(&Standing::of(&after.board())).map_or(Ok(()), |error| Err(said(error)))
}

/// The changes of the board without the dice.
fn changes(step: &Step) -> Vec<&Show> {
    step.show.iter().filter(|change| !matches!(change, Show::Dice { .. })).collect()
}

/// Follows a path choice by choice: each must be offered by the step before it, or fit its form, and
/// what is shown stays shown.
fn walk<G: Picture>(position: &G, turn: Turn, path: &[String]) -> Result<Step, String> {
    let mut last = step(position, turn, &[]).map_err(|error| error.to_string())?;
    for length in 1..=path.len() {
        let choice = &path[length - 1];
        let offered = last.next.iter().any(|next| next.choice == *choice);
        if !offered && last.form.is_none() {
            return Err(format!("choice {length} '{choice}' was not offered"));
        }
        let here = step(position, turn, &path[..length]).map_err(|error| error.to_string())?;
        require(changes(&here).starts_with(&changes(&last)), || {
            format!("{:?} no longer shows {:?}", here.path, last.show)
        })?;
        last = here;
    }
    Ok(last)
}

/// How many of the choices that a filter lists are followed.
const FILTERED: usize = 3;

/// Laws 1, 3, 4 and 5 for everything that is offered: a walk into the choices, at most `limit` steps.
fn check_choices<G: Picture>(
    position: &G,
    turn: Turn,
    limit: usize,
    drawn: &Drawn,
    before: &Standing,
) -> Result<(), String> {
    let mut open = vec![Vec::new()];
    let (mut steps, mut compared) = (0, 0);
    while let Some(path) = open.pop() {
        let here = step(position, turn, &path).map_err(|error| format!("{path:?}: {error}"))?;
        let bytes = to_line(&here).len();
        if here.next.len() > MAX_ENTRIES || bytes > MAX_BYTES {
            return Err(format!("{path:?}: {} choices, {bytes} bytes", here.next.len()));
        }
        if here.next.is_empty() && here.token.is_none() && here.form.is_none() {
            return Err(format!("{path:?} is a dead end"));
        }
        require(here.undo.is_none_or(|back| back as usize <= here.path.len()), || {
            format!("{path:?} takes back {:?} choices", here.undo)
        })?;
        if let Some(token) = &here.token {
            let m = position.parse_move(token).ok().filter(|m| position.is_legal(m));
            let m = m.ok_or_else(|| format!("{path:?}: the leaf {token} is not legal"))?;
            compared += 1;
            if !turn.is_chance() && compared <= COMPARED {
                let mut after = position.clone();
                after.play(&m);
                check_shown(before, &here, &after)?;
            }
        }
        here.next.iter().try_for_each(|next| drawn.check_next(&path, next))?;
        steps += 1;
        if steps >= limit {
            return Ok(());
        }
        // A filter is no choice itself: what it lists follows the choices before it.
        let filtered = here.path != path;
        if filtered {
            let before = path.split_last().map(|(_, before)| before);
            require(before == Some(&here.path), || format!("{path:?} answers {:?}", here.path))?;
        } else if let Some(form) = here.form.as_ref().filter(|form| form.complete) {
            open.extend(["*", "an*"].map(|text| extended(&path, format!("{}{text}", form.prefix))));
        }
        let followed = if filtered { FILTERED } else { here.next.len() };
        let choices = here.next.iter().take(followed).rev().map(|next| next.choice.clone());
        open.extend(choices.map(|choice| extended(&here.path, choice)));
    }
    Ok(())
}

fn extended(path: &[String], choice: String) -> Vec<String> {
    path.iter().cloned().chain([choice]).collect()
}
