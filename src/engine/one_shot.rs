//! The subcommands `go explore perft legalmoves eval d svg bench`: from the shell, one result for
//! each position.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::exit::EXIT_FAILED;
use super::explore::{self, Extent};
use super::input::{InputLine, whole_line};
use super::interface::{Engine, Message};
use super::measurements::{bench_line, perft_lines};
use super::picture;
use crate::picture::DrawingArguments;
use crate::printing::{print, print_json};
use crate::protocol::{
    Dialect, GoArguments, InfoLine, PositionArgument, ProtocolError, Root, without_comment,
};
use crate::reading::{self, Input};
use crate::search::Control;

/// The subcommands that work on positions.
#[derive(Subcommand, Debug)]
pub(super) enum OneShot {
    /// Search and print the best move
    #[command(
        after_help = "Examples:\n  PROGRAM go OPTIONS --nodes 10000\n  PROGRAM go OPTIONS --movetime 500 --json"
    )]
    Go {
        #[command(flatten)]
        positions: Positions,
        #[command(flatten)]
        limits: SearchLimits,
    },
    /// Print a tree of the best lines with their scores
    #[command(long_about = EXPLORE_ABOUT, after_help = EXPLORE_EXAMPLES)]
    Explore {
        #[command(flatten)]
        positions: Positions,
        #[command(flatten)]
        extent: Extent,
        #[command(flatten)]
        limits: SearchLimits,
    },
    /// Count the move sequences of a length
    #[command(
        after_help = "Examples:\n  PROGRAM perft OPTIONS 2\n  PROGRAM perft OPTIONS 2 --json"
    )]
    Perft {
        /// Length of the sequences, in plies
        depth: u32,
        #[command(flatten)]
        positions: Positions,
        /// Play the last ply too instead of counting it in bulk
        #[arg(long)]
        no_bulk: bool,
    },
    /// List the legal moves
    #[command(
        after_help = "Examples:\n  PROGRAM legalmoves OPTIONS\n  echo startpos | PROGRAM legalmoves OPTIONS --positions -"
    )]
    Legalmoves {
        /// Only those that begin with this
        prefix: Option<String>,
        #[command(flatten)]
        positions: Positions,
    },
    /// Explain the static evaluation
    #[command(after_help = "Examples:\n  PROGRAM eval OPTIONS")]
    Eval {
        #[command(flatten)]
        positions: Positions,
    },
    /// Draw the board
    #[command(after_help = "Examples:\n  PROGRAM d\n  PROGRAM d OPTIONS --json")]
    D {
        #[command(flatten)]
        positions: Positions,
    },
    /// Draw the board as SVG
    #[command(after_help = SVG_EXAMPLES)]
    Svg {
        #[command(flatten)]
        positions: Positions,
        #[command(flatten)]
        drawing: DrawingArguments,
    },
    /// Search fixed positions; the node count is the program's signature
    #[command(after_help = "Examples:\n  PROGRAM bench\n  PROGRAM bench 2 --json")]
    Bench {
        /// One depth for all positions [default: the depth set for each]
        depth: Option<u32>,
    },
}

const EXPLORE_ABOUT: &str = "Print a tree of the best lines with their scores

Every position of the tree is searched, by default with 20,000 nodes. A score is that of the seat \
that makes the move, in units of the evaluation; `mate 5` wins in five plies. At the ends of the \
tree the line goes on as the search expects it. Where dice are thrown the tree ends.";

const EXPLORE_EXAMPLES: &str = "Examples:
  PROGRAM explore OPTIONS
  PROGRAM explore OPTIONS --plies 4 --width 2 --nodes 100000
  PROGRAM explore OPTIONS --width 8 --margin 50 --json";

const SVG_EXAMPLES: &str = "Examples:
  PROGRAM svg > start.svg
  PROGRAM svg --theme dark --seat p2 > turned.svg";

/// Which positions a subcommand works on; the starting position if none is named.
#[derive(Args, Debug)]
pub(super) struct Positions {
    /// A position in the game's notation
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub fen: Option<String>,
    /// Moves played from the position, separated by spaces
    #[arg(long, value_name = "TOKENS", num_args = 1..)]
    pub moves: Vec<String>,
    /// The view of one seat, in games with secrets
    #[arg(long, value_name = "SEAT")]
    pub view: Option<String>,
    /// A file with one position per line, as after `position`; - for standard input, # for comments
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "view"])]
    pub positions: Option<PathBuf>,
}

/// What bounds the search of `go`; option Move Time if nothing is given.
#[derive(Args, Clone, Default, PartialEq, Debug)]
pub(super) struct SearchLimits {
    /// Depth in plies
    #[arg(long, value_name = "N")]
    pub depth: Option<u64>,
    /// Number of nodes
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Time in milliseconds
    #[arg(long, value_name = "MS")]
    pub movetime: Option<f64>,
    /// Look for a win in this many plies
    #[arg(long, value_name = "PLIES")]
    pub mate: Option<u64>,
}

/// Nodes for each position of `explore`, if nothing bounds the search.
const EXPLORED_NODES: u64 = 20_000;

/// The result for one position, for people and for scripts.
struct PositionResult {
    text: String,
    json: Value,
}

/// Runs one subcommand; the exit code is 1 if any position was bad.
pub(super) fn run(
    engine: &mut dyn Engine,
    subcommand: &OneShot,
    as_json: bool,
) -> anyhow::Result<u8> {
    match subcommand {
        OneShot::Go { positions, limits } => {
            let go = go_arguments(limits);
            each(engine, positions, as_json, |engine, _| search(engine, &go))
        }
        OneShot::Explore { positions, extent, limits } => {
            let mut go = go_arguments(limits);
            if *limits == SearchLimits::default() {
                go.nodes = Some(EXPLORED_NODES);
            }
            each(engine, positions, as_json, |engine, position| {
                let branches = explore::explore(engine, position, *extent, &go)?;
                let text = explore::draw(position, &branches);
                Ok(PositionResult { json: json!({ "moves": branches }), text })
            })
        }
        OneShot::Perft { depth, positions, no_bulk } => {
            let many = positions.positions.is_some();
            each(engine, positions, as_json, |engine, _| perft(engine, *depth, !no_bulk, many))
        }
        OneShot::Legalmoves { prefix, positions } => {
            each(engine, positions, as_json, |engine, _| {
                let text = engine.query("legalmoves", prefix.as_slice())?;
                let json = match text.as_str() {
                    "none" => json!({ "moves": [] }),
                    // They are not listed: too many, or hidden from the viewer.
                    why @ ("many" | "hidden") => json!({ "moves": null, "unlisted": why }),
                    moves => json!({ "moves": moves.split(' ').collect::<Vec<_>>() }),
                };
                Ok(PositionResult { json, text })
            })
        }
        OneShot::Eval { positions } => each(engine, positions, as_json, |engine, _| {
            let text = engine.evaluate()?;
            let score = text.rsplit(' ').next().and_then(|word| word.parse::<i64>().ok());
            Ok(PositionResult { json: json!({ "cp": score, "explanation": text }), text })
        }),
        OneShot::D { positions } => each(engine, positions, as_json, |engine, _| {
            let fen = engine.query("fen", &[])?;
            let turn = engine.query("turn", &[])?;
            let text = engine.draw();
            Ok(PositionResult { json: json!({ "fen": fen, "turn": turn, "diagram": text }), text })
        }),
        OneShot::Svg { positions, drawing } => each(engine, positions, as_json, |engine, _| {
            let text = picture::svg(engine, drawing)?;
            Ok(PositionResult { json: json!({ "svg": text }), text: text.trim_end().into() })
        }),
        OneShot::Bench { depth } => Ok(bench(engine, *depth, as_json)),
    }
}

/// Calls `evaluate` for every position and prints the results in order.
fn each(
    engine: &mut dyn Engine,
    positions: &Positions,
    as_json: bool,
    mut evaluate: impl FnMut(
        &mut dyn Engine,
        &PositionArgument,
    ) -> Result<PositionResult, ProtocolError>,
) -> anyhow::Result<u8> {
    let mut code = 0;
    let mut visit = |argument: Result<PositionArgument, ProtocolError>| {
        let place = argument.as_ref().map(ToString::to_string).unwrap_or_default();
        let result = argument.and_then(|argument| {
            engine.set_position(&argument)?;
            evaluate(engine, &argument)
        });
        let result = result.unwrap_or_else(|error| {
            code = EXIT_FAILED;
            let text = format!("error {error}");
            let json = json!({ "error": error.code.as_str(), "text": error.text });
            PositionResult { text, json }
        });
        if as_json {
            let mut json = result.json;
            json["position"] = json!(place);
            print_json(&json);
        } else {
            print(&result.text);
        }
    };
    match &positions.positions {
        None => visit(Ok(single(positions))),
        Some(path) => {
            let context = || format!("--positions {}", path.display());
            let mut file = Input::open_or_standard(path).with_context(context)?;
            let mut line = Vec::new();
            while reading::line(&mut file, &mut line).with_context(context)? > 0 {
                let text = line.strip_suffix(b"\n").unwrap_or(&line);
                if let Some(argument) = position_of(&whole_line(text)) {
                    visit(argument);
                }
                line.clear();
            }
        }
    }
    Ok(code)
}

/// What a line of a file of positions asks for; `None` for a blank line and a comment.
fn position_of(line: &InputLine) -> Option<Result<PositionArgument, ProtocolError>> {
    match line {
        InputLine::Text(text) => {
            let text = without_comment(text).trim();
            let argument = text.strip_prefix("position ").unwrap_or(text);
            (!text.is_empty()).then(|| PositionArgument::parse(argument))
        }
        InputLine::Refused { first_word, .. } if first_word.starts_with('#') => None,
        InputLine::Refused { error, .. } => Some(Err(error.clone())),
    }
}

fn single(positions: &Positions) -> PositionArgument {
    let root = positions.fen.clone().map_or(Root::Start, Root::Fen);
    let words = positions.moves.iter().flat_map(|text| text.split_ascii_whitespace());
    let moves = words.map(String::from).collect();
    PositionArgument { root, view: positions.view.clone(), moves }
}

fn go_arguments(limits: &SearchLimits) -> GoArguments {
    GoArguments {
        depth: limits.depth,
        nodes: limits.nodes,
        move_time: limits.movetime,
        mate: limits.mate,
        ..GoArguments::default()
    }
}

fn search(engine: &mut dyn Engine, go: &GoArguments) -> Result<PositionResult, ProtocolError> {
    let mut last: Option<InfoLine> = None;
    let mut fault = None;
    let answer =
        engine.search(go, Dialect::Ugi, &Control::default(), &mut |message| match message {
            Message::Info(info) if info.multipv <= 1 => last = Some(info),
            Message::Error(error) => fault = Some(error),
            _ => {}
        });
    let Some(best) = answer.best else {
        return match fault {
            Some(error) => Err(error),
            None => Ok(PositionResult {
                text: "bestmove 0000".into(),
                json: json!({ "bestmove": null, "reason": engine.query("reason", &[])? }),
            }),
        };
    };
    let info = last.unwrap_or_default();
    let line = info.to_string();
    let text = format!("bestmove {best} {}", line.strip_prefix("info ").unwrap_or(&line));
    Ok(PositionResult { text, json: json!({ "bestmove": best, "info": info }) })
}

fn perft(
    engine: &mut dyn Engine,
    depth: u32,
    bulk: bool,
    many: bool,
) -> Result<PositionResult, ProtocolError> {
    let started = Instant::now();
    // Nobody has the control, so nobody stops it.
    let counts = engine.perft(depth, bulk, &Control::default())?.unwrap_or_default();
    let time = started.elapsed();
    let mut lines = perft_lines(depth, &counts, Some(time));
    let total: u64 = if depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
    if many {
        lines = lines.split_off(lines.len() - 1);
    }
    let moves: serde_json::Map<_, _> =
        counts.into_iter().map(|(m, count)| (m, json!(count))).collect();
    let seconds = time.as_secs_f64();
    let json = json!({ "depth": depth, "nodes": total, "seconds": seconds, "moves": moves });
    Ok(PositionResult { text: lines.join("\n"), json })
}

fn bench(engine: &mut dyn Engine, depth: Option<u32>, as_json: bool) -> u8 {
    let result = engine.bench(depth, &Control::default(), &mut |line| {
        if !as_json {
            print(&line);
        }
    });
    let Some(result) = result else { return EXIT_FAILED };
    if as_json {
        let seconds = result.time.as_secs_f64();
        print_json(&json!({ "nodes": result.nodes, "seconds": seconds }));
    } else {
        print(&bench_line(result));
    }
    0
}
