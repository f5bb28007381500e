//! How well the engine wins solved endings without its tables, against their best defence.
//!
//! The positions are random: three locked pairs, two eggs, a Guardian and a Ser'ra, won for one
//! side. The engine plays that side with `EndgameTables=false`. The other side plays the move that
//! holds out longest by the table, or wins or draws once the engine has let it.

use clap::Args;
use parlor::game::{Game, OptionValues, Random, Situation};
use parlor::games::Playable;
use parlor::games::porrika::board::{BOARD, GOALS, Set, Space, spaces};
use parlor::games::porrika::solved::{Ending, Tablebase, Verdict};
use parlor::games::porrika::{EnginePlayer, Position, RuleOptions, Side};
use parlor::search::{Limits, Player, Request, Settings};

use crate::printing::print_line;

/// Positions of one set of walls: each needs a table of its own.
const POSITIONS_A_TABLE: usize = 100;
/// The engine has failed after this number of plies.
const MAX_PLIES: usize = 240;

/// A random space of a set.
fn any(random: &mut Random, set: Set) -> Option<Space> {
    spaces(set).nth(random.below(u64::from(set.count_ones())) as usize)
}

/// The Guardians and the Ser'ra of three random locked pairs.
fn locked_pairs(random: &mut Random) -> Option<[Set; 2]> {
    let [mut guardians, mut serra] = [0; 2];
    for _ in 0..3 {
        let guardian = any(random, BOARD & !GOALS & !(guardians | serra))?;
        let facing =
            guardian.across().filter(|space| (guardians | serra | GOALS) & space.bit() == 0)?;
        guardians |= guardian.bit();
        serra |= facing.bit();
    }
    Some([guardians, serra])
}

/// A random position with these locked pairs; `None` if the attempt was no such ending.
fn ending(random: &mut Random, [guardians, serra]: [Set; 2]) -> Option<Position> {
    let mut free = BOARD & !guardians & !serra;
    let mut place = || {
        let space = any(random, free)?;
        free &= !space.bit();
        Some(space.bit())
    };
    let pieces = [place()? | place()?, guardians | place()?, serra | place()?];
    let side = if random.below(2) == 0 { Side::Copper } else { Side::Silver };
    let position = Position::new(pieces, side, RuleOptions::default()).ok()?;
    let known = position.outcome().is_none() && Ending::of(&position).is_ok();
    known.then_some(position)
}

/// The side that wins by force.
fn winner(verdict: Verdict) -> Option<Side> {
    match verdict {
        Verdict::CopperWins(_) => Some(Side::Copper),
        Verdict::SilverWins(_) => Some(Side::Silver),
        Verdict::Drawn => None,
    }
}

/// The best move of the side that is losing, or was.
fn defence(table: &Tablebase, position: &Position) -> Option<<Position as Game>::Move> {
    let worth = |m: &<Position as Game>::Move| {
        let mut next = *position;
        next.play(m);
        let verdict = match next.outcome() {
            Some(outcome) => {
                let wins = outcome.place(position.side().seat()) == 1;
                return Some(if wins { 1_000 } else { -1_000 });
            }
            None => table.probe(&next)?,
        };
        Some(match verdict {
            Verdict::Drawn => 0,
            Verdict::CopperWins(plies) | Verdict::SilverWins(plies) => {
                let plies = plies as i32;
                if winner(verdict) == Some(position.side()) { 1_000 - plies } else { plies - 1_000 }
            }
        })
    };
    position.moves().iter().max_by_key(|m| worth(m)).copied()
}

/// Whether the engine wins.
fn wins(
    table: &Tablebase,
    start: Position,
    side: Side,
    limits: &Limits,
    settings: &Settings,
) -> bool {
    let mut engine = EnginePlayer::new(settings);
    let mut situation = Situation::new(start);
    for _ in 0..MAX_PLIES {
        let position = *situation.position();
        let m = if position.side() == side {
            let request = Request::new(limits.clone());
            engine.choose(&situation, &request, &mut |_| {}).map(|choice| choice.best)
        } else {
            defence(table, &position)
        };
        let Some(m) = m else { break };
        situation.play(&m);
    }
    situation.outcome().is_some_and(|outcome| outcome.place(side.seat()) == 1)
}

/// Play won endings without the tables against their best defence
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  parlor-lab porrika won-endings 20000 1000")]
pub struct WonEndings {
    /// Nodes per move
    #[arg(default_value = "20000")]
    nodes: u64,
    /// How many endings
    #[arg(default_value = "1000")]
    positions: usize,
    /// Seed of the endings
    #[arg(default_value = "1")]
    seed: u64,
}

impl WonEndings {
    /// Plays the endings and prints how many are won.
    pub fn run(self) -> anyhow::Result<()> {
        let (positions, limits) = (self.positions, Limits::nodes(self.nodes));
        let mut options = OptionValues::new(Position::engine_options());
        options.set("EndgameTables", "false")?;
        let settings = Settings { options, ..Settings::default() };
        let mut random = Random::new(self.seed);
        let (mut played, mut won) = ([0; 2], [0; 2]);
        while played.iter().sum::<usize>() < positions {
            let Some(pairs) = locked_pairs(&mut random) else { continue };
            let Some(first) = (0..1_000).find_map(|_| ending(&mut random, pairs)) else { continue };
            let Ok(solvable) = Ending::of(&first) else { continue };
            let Ok(table) = Tablebase::solve(solvable, 1, &|| false, &mut |_, _| ()) else {
                continue;
            };
            let mut left = POSITIONS_A_TABLE.min(positions - played.iter().sum::<usize>());
            while left > 0 {
                let Some(position) = ending(&mut random, pairs) else { continue };
                let Some(side) = table.probe(&position).and_then(winner) else { continue };
                left -= 1;
                played[side.seat().index()] += 1;
                if wins(&table, position, side, &limits, &settings) {
                    won[side.seat().index()] += 1;
                } else {
                    print_line!("not won by {}: {position}", side.name());
                }
            }
            print_line!(
                "copper won {} of {}, silver {} of {}: {:.1} %",
                won[0],
                played[0],
                won[1],
                played[1],
                100.0 * (won[0] + won[1]) as f64 / (played[0] + played[1]) as f64
            );
        }
        Ok(())
    }
}
