//! The positions of the first plies with their best moves.

use std::collections::HashSet;

use clap::Args;
use parlor::game::{Game, Situation};
use parlor::games::barca::Position;
use parlor::games::barca::play::{BookMove, Network, book_line, mirrored, searching};
use parlor::progress;
use parlor::search::{Limits, Player, Report, Request, Score, Settings};

use crate::printing::print_line;

/// Print an opening book
///
/// Searches the start and every position that good moves lead to, and prints each with its best moves
/// and their values: the file that `OwnBook` plays from.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab barca book --plies 8 --nodes 2000000 --margin 12 > data/barca-book.txt")]
pub struct Book {
    /// Plies of the book
    #[arg(long, value_name = "N", default_value = "8")]
    plies: u64,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value = "500000")]
    nodes: u64,
    /// Moves of a position, at most
    #[arg(long, value_name = "N", default_value = "3")]
    width: u64,
    /// How much worse than the best a move may be, in hundredths
    #[arg(long, value_name = "N", default_value = "10")]
    margin: i32,
}

impl Book {
    /// Makes the book and prints it.
    pub fn run(self) -> anyhow::Result<()> {
        let mut player = searching(Network::default(), &Settings::default());
        let (mut positions, mut seen) = (vec![Position::default()], HashSet::new());
        print_line!(
            "# position | moves with their values, best first; printed by `parlor-lab barca book`"
        );
        for _ in 0..self.plies {
            let bar = progress::bar(positions.len() as u64, "positions");
            let mut following = Vec::new();
            for position in positions {
                let moves = best_moves(&mut *player, &position, self.width, self.nodes);
                let best = moves.first().map_or(0, |(_, value)| *value);
                let least = best - self.margin;
                let good: Vec<BookMove> = moves.into_iter().filter(|m| m.1 >= least).collect();
                bar.inc(1);
                if good.is_empty() {
                    continue;
                }
                bar.suspend(|| print_line!("{}", book_line(&position, &good)));
                for (m, _) in good {
                    let mut next = position;
                    next.play(&m);
                    let is_new = seen.insert(next.key()) && seen.insert(mirrored(&next).key());
                    let is_symmetric = mirrored(&next) == next;
                    if (is_new || is_symmetric && !following.contains(&next))
                        && !next.turn().is_over()
                    {
                        following.push(next);
                    }
                }
            }
            bar.finish_and_clear();
            positions = following;
        }
        Ok(())
    }
}

/// The best moves of a position that are not forced ends, with their values.
fn best_moves(
    player: &mut dyn Player<Position>,
    position: &Position,
    width: u64,
    nodes: u64,
) -> Vec<BookMove> {
    // What other searches left in the table must not matter.
    player.new_game();
    let limits = Limits::nodes(nodes.max(1));
    let request = Request { multi_pv: width.max(1) as usize, ..Request::new(limits) };
    let mut moves: Vec<BookMove> = Vec::new();
    player.choose(&Situation::new(*position), &request, &mut |report| {
        if let Report::Info(info) = report
            && let (Some(m), Score::Cp(value)) = (info.pv.first(), info.score)
        {
            moves.truncate(info.multipv - 1);
            moves.push((*m, value));
        }
    });
    moves.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
    moves
}
