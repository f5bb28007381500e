//! The subcommand `demo`: the engine plays a game against a weaker copy of itself, drawn at the pace
//! of a reader. Against an equal opponent a game is too long to watch.

use std::io::{self, IsTerminal, Write};
use std::thread::sleep;
use std::time::Duration;

use clap::Args;

use super::interface::Engine;
use crate::protocol::{Dialect, GoArguments, MAX_SEATS, PositionArgument, Turn, seat_name};
use crate::search::Control;

/// A board with more lines is not redrawn: it would not fit a terminal of 24 lines.
const TALLEST: usize = 20;

/// The longest line of tokens where nothing is redrawn.
const WIDTH: usize = 78;

/// The seat that searches [`Demo::nodes`].
const FIRST: usize = 0;

/// Arguments of `demo`.
#[derive(Args, Debug)]
pub(super) struct Demo {
    /// Milliseconds between two moves at a terminal
    #[arg(long, value_name = "MS", default_value_t = 500)]
    pub pace: u64,
    /// Nodes of each search of the first seat
    #[arg(long, value_name = "N", default_value_t = 4_000)]
    pub nodes: u64,
    /// Nodes of each search of the other seats
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub others: u64,
    /// The game ends after this many moves and throws
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub plies: usize,
}

/// Plays the game. At a terminal the board is redrawn in its place; elsewhere only the moves and the
/// last board are printed.
#[expect(clippy::disallowed_methods, reason = "it draws over its own board, which is ASCII")]
pub(super) fn run(engine: &mut dyn Engine, demo: &Demo) -> anyhow::Result<u8> {
    let mut output = io::stdout().lock();
    let animated = output.is_terminal() && board(engine).lines().count() <= TALLEST;
    let title =
        format!("{}: {} searches {} nodes", engine.title(), name_of(engine, FIRST), demo.nodes);
    writeln!(output, "{title} a move, everybody else {}.", demo.others)?;
    if animated {
        writeln!(output, "\n{}", board(engine))?;
    }
    let mut tokens = Vec::new();
    while tokens.len() < demo.plies && engine.query("gameover", &[])? == "false" {
        let turn = engine.query("turn", &[])?;
        let nodes = if turn == seat_name(FIRST) { demo.nodes } else { demo.others };
        let go = GoArguments { nodes: Some(nodes), ..GoArguments::default() };
        let answer = engine.search(&go, Dialect::Ugi, &Control::default(), &mut |_| {});
        let Some(best) = answer.best else { break };
        let height = board(engine).lines().count();
        engine.append_moves(std::slice::from_ref(&best))?;
        tokens.push(best);
        if animated {
            let line = format!("{}: {}", mover(engine, &turn), tokens[tokens.len() - 1]);
            redraw(&mut output, engine, height, &line)?;
            sleep(Duration::from_millis(demo.pace));
        }
    }
    if !animated {
        write_wrapped(&mut output, &tokens)?;
        writeln!(output, "\n{}", board(engine))?;
    }
    writeln!(output, "\n{}", ending(engine, tokens.len())?)?;
    writeln!(
        output,
        "The rules in a page: {name} rules. Play yourself: parlor play {name}.",
        name = engine.name()
    )?;
    engine.set_position(&PositionArgument::default())?;
    Ok(0)
}

/// The board without the lines for programs: text, key and turn.
fn board(engine: &dyn Engine) -> String {
    let drawing = engine.draw();
    drawing.split("\n\nfen: ").next().unwrap_or(&drawing).to_owned()
}

/// Draws over a board of that height and the line below it, if there is one.
fn redraw(
    output: &mut impl Write,
    engine: &dyn Engine,
    height: usize,
    line: &str,
) -> io::Result<()> {
    // Up to the first line of the board, then clear what is below.
    write!(output, "\x1b[{height}A\x1b[J")?;
    writeln!(output, "{}", board(engine))?;
    // The line stays below the board, and the cursor on it.
    write!(output, "{line}\r")?;
    output.flush()
}

/// Who decides, by name; `turn` is what the query of that name answered.
fn mover(engine: &dyn Engine, turn: &str) -> String {
    match Turn::read(turn, MAX_SEATS) {
        Some(Turn::Chance(seat)) => format!("{} throws", name_of(engine, seat)),
        Some(Turn::Seat(seat)) => name_of(engine, seat),
        _ => turn.to_owned(),
    }
}

/// The name that people give a seat, such as White.
fn name_of(engine: &dyn Engine, seat: usize) -> String {
    let seat = seat_name(seat);
    let table = engine.query("table", &[]).unwrap_or_default();
    let table: serde_json::Value = serde_json::from_str(&table).unwrap_or_default();
    let seats = table["seats"].as_array().into_iter().flatten();
    let mut named = seats.filter(|known| known["seat"] == seat.as_str());
    let name = named.next().and_then(|known| known["name"].as_str().map(String::from));
    name.unwrap_or(seat)
}

/// Who won, and why.
fn ending(engine: &dyn Engine, plies: usize) -> anyhow::Result<String> {
    if engine.query("gameover", &[])? == "false" {
        return Ok(format!("Stopped after {plies} moves and throws."));
    }
    let outcome = engine.query("outcome", &[])?;
    let ranks = outcome.split_whitespace().skip(1).enumerate();
    let first = ranks.filter(|(_, place)| *place == "1");
    let winners: Vec<String> = first.map(|(seat, _)| name_of(engine, seat)).collect();
    let result = match winners.as_slice() {
        [winner] => format!("{winner} wins"),
        _ => format!("{} share the first place", winners.join(" and ")),
    };
    Ok(format!("{result} ({}) after {plies} moves and throws.", engine.query("reason", &[])?))
}

fn write_wrapped(output: &mut impl Write, tokens: &[String]) -> io::Result<()> {
    let mut line = String::new();
    for token in tokens {
        if !line.is_empty() && line.len() + token.len() + 1 > WIDTH {
            writeln!(output, "{line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += token;
    }
    writeln!(output, "{line}")
}
