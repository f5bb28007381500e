//! The answers to `query`.

use super::current_position::CurrentPosition;
use super::options::MAX_PLIES;
use super::{picture, teaching};
use crate::game::{Chances, MoveList, MoveListing, Random, Seat, Turn};
use crate::games::Playable;
use crate::picture::to_line;
use crate::protocol::{self, Code, GameResult, PositionArgument, ProtocolError, Root};

/// Every query with its arguments and a line for `help`.
pub(super) const QUERIES: &[(&str, &str)] = &[
    ("p1turn", "true if p1 decides or throws next"),
    ("gameover", "true once the game is over"),
    ("result", "none, p1win, p2win or draw"),
    ("seats", "the number of seats"),
    ("turn", "p3, 'chance p3' (thrown for p3), 'chance' (for nobody), or none"),
    ("chances", "outcomes with integer weights, many, hidden, or none where nothing is thrown"),
    ("throw <seed>", "the chance token for a 64-bit seed"),
    ("outcome", "none, or 'rank' and the place of every seat"),
    ("points", "the score of every seat, or none"),
    ("reason", "why the game is over, or none"),
    (
        "legalmoves [prefix]",
        "the legal moves that begin with the prefix, sorted; none, many or hidden",
    ),
    ("islegal <move>", "true or false"),
    ("random <seed>", "a legal token as the game's own random player chooses it"),
    ("fen", "the position"),
    ("view <seat>", "the position argument that this seat may see"),
    ("rules", "all rule options with their current values"),
    ("table", "the board without its pieces, as JSON"),
    ("board", "what stands where, as JSON"),
    ("step [choice ...]", "what may follow the choices made so far, as JSON"),
    ("path <move>", "the choices that lead to a legal move, as JSON"),
    ("lessons", "a course for newcomers, as JSON"),
    ("puzzles [count [from]]", "positions with one right answer, from the easiest on, as JSON"),
    ("protocol", "the version of this protocol"),
];

type QueryResult = Result<String, ProtocolError>;

/// The refusal of a query after a refused position.
pub(super) fn stale() -> ProtocolError {
    ProtocolError::new(Code::Stale, "the last position was refused; send a good one")
}

/// Answers one query, without the word `response`.
pub(super) fn answer<G: Playable>(
    current: &CurrentPosition<G>,
    is_stale: bool,
    name: &str,
    arguments: &[String],
) -> QueryResult {
    check_arguments(name, arguments)?;
    if name == "protocol" {
        return Ok("ugi 1 ext 3".into());
    }
    match name {
        "lessons" => return teaching::lessons::<G>(),
        "puzzles" => return teaching::puzzles::<G>(arguments),
        _ => {}
    }
    if is_stale {
        return Err(stale());
    }
    let situation = &current.situation;
    let position = situation.position();
    let argument = arguments.first().map_or("", String::as_str);
    match name {
        "p1turn" => Ok((seen(current.situation.turn()).seat() == Some(0)).to_string()),
        "gameover" => Ok(current.situation.outcome().is_some().to_string()),
        "result" => Ok(current
            .situation
            .outcome()
            .map_or("none", |outcome| GameResult::of(outcome.places()).name())
            .into()),
        "seats" => Ok(position.seats().to_string()),
        "turn" => Ok(seen(current.situation.turn()).to_string()),
        "chances" => Ok(chances(current)),
        "throw" => throw(current, number(name, argument)?),
        "outcome" => Ok(current
            .situation
            .outcome()
            .map_or("none".into(), |outcome| format!("rank {}", join(outcome.places())))),
        "points" => Ok(position.points().map_or("none".into(), |points| join(&points))),
        "reason" => Ok(current.situation.reason().unwrap_or("none").into()),
        "legalmoves" => Ok(legal_moves(current, argument)),
        "islegal" => Ok(is_legal(current, argument).to_string()),
        "random" => Ok(random(current, number(name, argument)?)),
        "fen" => Ok(position.to_string()),
        "view" => view(current, argument),
        "rules" => Ok(rules(current)),
        "table" => Ok(to_line(&picture::table(current))),
        "board" => Ok(to_line(&picture::board(current))),
        "step" => picture::step(current, arguments),
        "path" => picture::path(current, argument),
        _ => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> ProtocolError {
    let names: Vec<_> = QUERIES.iter().map(|(usage, _)| query_name(usage)).collect();
    let text = format!("no query '{name}'; there are {}", names.join(" "));
    ProtocolError::new(Code::UnknownQuery, text)
}

fn query_name(usage: &str) -> &str {
    usage.split(' ').next().unwrap_or(usage)
}

/// Every query takes exactly the arguments its usage line shows.
fn check_arguments(name: &str, arguments: &[String]) -> Result<(), ProtocolError> {
    let (usage, _) =
        QUERIES.iter().find(|(usage, _)| query_name(usage) == name).ok_or_else(|| unknown(name))?;
    let least = usage.matches('<').count();
    let most = if usage.contains("...") { usize::MAX } else { least + usage.matches('[').count() };
    if (least..=most).contains(&arguments.len()) {
        return Ok(());
    }
    let text = format!("the query is '{usage}', not with {} arguments", arguments.len());
    Err(ProtocolError::new(Code::BadValue, text))
}

fn number(name: &str, text: &str) -> Result<u64, ProtocolError> {
    text.parse().map_err(|_| {
        let text = format!("{name} takes a seed from 0 to 18446744073709551615, not '{text}'");
        ProtocolError::new(Code::BadNumber, text)
    })
}

fn join<T: ToString>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

fn or_none(text: String) -> String {
    if text.is_empty() { "none".into() } else { text }
}

/// A turn as it looks from outside.
fn seen(turn: Turn) -> protocol::Turn {
    match turn {
        Turn::Seat(seat) => protocol::Turn::Seat(seat.index()),
        Turn::Chance { thrower: Some(seat) } => protocol::Turn::Chance(seat.index()),
        Turn::Chance { thrower: None } => protocol::Turn::Deal,
        Turn::Over => protocol::Turn::Over,
    }
}

fn chances<G: Playable>(current: &CurrentPosition<G>) -> String {
    if !current.situation.turn().is_chance() {
        return "none".into();
    }
    let position = current.situation.position();
    match position.chances() {
        Chances::Many => "many".into(),
        Chances::Hidden => "hidden".into(),
        Chances::Listed(outcomes) => {
            let weighted: Vec<_> = outcomes
                .iter()
                .map(|(m, weight)| format!("{}:{weight}", position.token(m)))
                .collect();
            or_none(weighted.join(" "))
        }
    }
}

fn throw<G: Playable>(current: &CurrentPosition<G>, seed: u64) -> QueryResult {
    let position = current.situation.position();
    match current.situation.turn() {
        Turn::Over => Err(ProtocolError::new(Code::GameOver, "the game is over")),
        Turn::Seat(seat) => {
            let text = format!("nothing is thrown here, {seat} decides");
            Err(ProtocolError::new(Code::NotToAct, text))
        }
        Turn::Chance { .. } => match position.throw(seed) {
            Some(m) => Ok(position.token(&m)),
            None => Err(ProtocolError::new(Code::NotToAct, "this view cannot know the outcome")),
        },
    }
}

/// The legal moves that begin with `prefix`; none once the game is over.
pub(super) fn list_moves<G: Playable>(current: &CurrentPosition<G>, prefix: &str) -> MoveList {
    if current.situation.turn().is_over() {
        return MoveList::Listed(Vec::new());
    }
    current.situation.position().list_moves(prefix)
}

fn legal_moves<G: Playable>(current: &CurrentPosition<G>, prefix: &str) -> String {
    match list_moves(current, prefix) {
        MoveList::Listed(list) => or_none(list.join(" ")),
        MoveList::Many => "many".into(),
        MoveList::Hidden => "hidden".into(),
    }
}

fn is_legal<G: Playable>(current: &CurrentPosition<G>, token: &str) -> bool {
    let position = current.situation.position();
    !current.situation.turn().is_over()
        && position.parse_move(token).is_ok_and(|m| position.is_legal(&m))
}

fn random<G: Playable>(current: &CurrentPosition<G>, seed: u64) -> String {
    let position = current.situation.position();
    if current.situation.turn().is_over() {
        return "none".into();
    }
    if position.move_listing() == MoveListing::Hidden {
        return "hidden".into();
    }
    let m = position.random_move(&mut Random::new(seed));
    m.map_or("none".into(), |m| position.token(&m))
}

/// The `position` argument that a seat may see: each move masked.
fn view<G: Playable>(current: &CurrentPosition<G>, word: &str) -> QueryResult {
    let seats = current.root.seats();
    let seat = Seat::parse(word).filter(|seat| seat.index() < seats).ok_or_else(|| {
        let text = format!("view takes a seat p1 to p{seats}, not '{word}'");
        ProtocolError::new(Code::BadValue, text)
    })?;
    if current.viewer.is_some_and(|viewer| viewer != seat) && G::SECRETS {
        let text = "a view knows nothing of another seat's view";
        return Err(ProtocolError::new(Code::NotToAct, text));
    }
    let argument = if G::SECRETS {
        masked(current, seat)
    } else {
        PositionArgument { view: None, ..current.argument.clone() }
    };
    Ok(argument.to_string())
}

fn masked<G: Playable>(current: &CurrentPosition<G>, seat: Seat) -> PositionArgument {
    let mut position = current.root.clone();
    let root = match current.argument.root {
        Root::Start => Root::Start,
        Root::Fen(_) => Root::Fen(position.view(seat).to_string()),
    };
    let mut moves = Vec::with_capacity(current.moves.len());
    for m in &current.moves {
        moves.push(position.token(&position.mask(m, seat)));
        position.play(m);
    }
    PositionArgument { root, view: Some(seat.to_string()), moves }
}

fn rules<G: Playable>(current: &CurrentPosition<G>) -> String {
    let values = current.situation.position().rules().into_iter();
    let mut values: Vec<_> = values.map(|(name, value)| format!("{name}={value}")).collect();
    if current.max_plies > 0 {
        let (name, value) = MAX_PLIES.with(current.max_plies as i64);
        values.push(format!("{name}={value}"));
    }
    or_none(values.join(" "))
}
