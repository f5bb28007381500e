//! From a search that has proved a position to its certificate.

use std::collections::HashSet;

use anyhow::{bail, ensure};
use parlor::game::Game;
use parlor::games::porrika::solved::{Certificate, Winning};
use parlor::games::porrika::{Move, Position, Side};

use super::search::Prover;

/// Positions that are searched again for one whose entry was replaced.
const AGAIN: u64 = 50_000_000;

/// Writes down copper's move in every position that copper can come to.
pub fn certificate(prover: &mut Prover, root: &Position) -> anyhow::Result<Certificate> {
    let mut extraction =
        Extraction { prover, certificate: Certificate::new(*root), path: HashSet::new() };
    match root.side() {
        Side::Copper => extraction.win(root)?,
        Side::Silver => extraction.answer(root)?,
    };
    Ok(needed(&extraction.certificate))
}

/// The lines that the root leads to: a move that turned out to lead in a circle leaves others behind.
fn needed(all: &Certificate) -> Certificate {
    let mut certificate = Certificate::new(*all.root());
    let mut open = vec![*all.root()];
    while let Some(position) = open.pop() {
        let moves = match all.winning(&position) {
            None => position.moves(),
            Some(_) if certificate.winning(&position).is_some() => continue,
            Some(winning) => {
                certificate.insert(&position, winning);
                vec![winning.m]
            }
        };
        open.extend(moves.iter().map(|m| {
            let mut next = position;
            next.play(m);
            next
        }));
    }
    certificate
}

struct Extraction<'a> {
    prover: &'a mut Prover,
    certificate: Certificate,
    /// Keys of the positions on the way: a move back to one of them proves nothing.
    path: HashSet<u64>,
}

impl Extraction<'_> {
    /// The plies within which copper wins a position in which it is to move.
    fn win(&mut self, position: &Position) -> anyhow::Result<u32> {
        if let Some(winning) = self.certificate.winning(position) {
            return Ok(winning.plies);
        }
        ensure!(self.path.insert(position.key()), "the proof goes round in a circle");
        let found = self.move_of(position);
        self.path.remove(&position.key());
        let winning = found?;
        self.certificate.insert(position, winning);
        Ok(winning.plies)
    }

    fn move_of(&mut self, position: &Position) -> anyhow::Result<Winning> {
        for again in [false, true] {
            if again && !self.prover.prove(position, AGAIN).unwrap_or(false) {
                break;
            }
            for (m, next) in self.candidates(position) {
                if let Ok(plies) = self.answer(&next) {
                    return Ok(Winning { m, plies: plies + 1 });
                }
            }
        }
        bail!("the table has lost the proof of {position}: give it more --memory")
    }

    /// The moves after which the search has proved a win, the shortest first.
    fn candidates(&self, position: &Position) -> Vec<(Move, Position)> {
        let after = |m: &Move| {
            let mut next = *position;
            next.play(m);
            self.prover.proved(&next).map(|plies| (plies, *m, next))
        };
        let mut found: Vec<_> = position.moves().iter().filter_map(after).collect();
        found.sort_by_key(|(plies, ..)| *plies);
        found.into_iter().map(|(_, m, next)| (m, next)).collect()
    }

    /// The plies within which copper wins after its move, whatever silver answers.
    fn answer(&mut self, position: &Position) -> anyhow::Result<u32> {
        if let Some(outcome) = position.outcome() {
            ensure!(outcome.share(Side::Copper.seat()) == 1.0, "{position} is lost");
            return Ok(0);
        }
        let mut longest = 0;
        for reply in position.moves() {
            let mut next = *position;
            next.play(&reply);
            longest = longest.max(1 + self.win(&next)?);
        }
        Ok(longest)
    }
}
