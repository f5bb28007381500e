//! The review after a game: the decisions of people that cost most, by the engine's own searches.

use anyhow::Result;

use super::display::say;
use super::game::{HumanGame, limits};
use crate::printing::{overwrite, print};
use crate::runner::process::SearchResult;
use crate::runner::tournament::values::seat_values;

/// The most decisions that are looked at; of more, the last.
const REVIEWED: usize = 60;
/// The most decisions that are shown.
const SHOWN: usize = 5;
/// Smaller losses are no mistakes.
const LEAST: f64 = 0.03;
/// The longest search of a decision in milliseconds.
const LONGEST: u64 = 500;

/// A decision, and what it cost.
struct Mistake {
    /// The number of tokens before it.
    index: usize,
    seat: usize,
    played: String,
    best: String,
    /// The loss of the chance to come first.
    cost: f64,
}

/// The mistakes that cost most, in the order of the game.
fn worst(mut mistakes: Vec<Mistake>) -> Vec<Mistake> {
    mistakes.sort_by(|one, other| other.cost.total_cmp(&one.cost));
    mistakes.truncate(SHOWN);
    mistakes.sort_by_key(|mistake| mistake.index);
    mistakes
}

impl HumanGame {
    /// Shows the worst decisions of people.
    pub(super) fn review(&mut self) -> Result<()> {
        let start = self.course.decisions.len().saturating_sub(REVIEWED);
        let decisions: Vec<usize> = self.course.decisions[start..].to_vec();
        let mut mistakes = Vec::new();
        for (done, index) in decisions.iter().enumerate() {
            overwrite(&format!("Reviewing {} of {} ...", done + 1, decisions.len()));
            mistakes.extend(self.judge(*index)?);
        }
        overwrite("");
        self.course.look_back(self.course.moves.len())?;
        let mistakes = worst(mistakes);
        if mistakes.is_empty() {
            print(&format!("Decisions reviewed: {}. No mistakes were found.", decisions.len()));
        }
        for mistake in mistakes {
            let who = self.name(mistake.seat);
            let text = format!(
                "Move {}: {who} played {}, which cost {:.0} % of the chance to win; better was {}.",
                mistake.index + 1,
                self.display.words(&mistake.played),
                100.0 * mistake.cost,
                self.display.words(&mistake.best)
            );
            say(&text);
        }
        Ok(())
    }

    /// Compares a decision with the engine's own; `None` where it was as good.
    fn judge(&mut self, index: usize) -> Result<Option<Mistake>> {
        let Some(played) = self.course.moves.get(index) else { return Ok(None) };
        let (token, seat) = (played.token.clone(), played.seat.saturating_sub(1));
        self.course.look_back(index)?;
        let view = self.view(seat)?;
        let (go, allowance) = limits(self.movetime.min(LONGEST));
        let best = self.adviser.search(&view, &go, allowance)?;
        if best.token == token {
            return Ok(None);
        }
        let only = format!("{go} searchmoves {token}");
        let own = self.adviser.search(&view, &only, allowance)?;
        let seats = self.display.names.len();
        let value = |found: &SearchResult| {
            let values = found.info.as_ref().and_then(|info| seat_values(info, seat, seats));
            values.and_then(|values| values.get(seat).copied())
        };
        let (Some(before), Some(after)) = (value(&best), value(&own)) else { return Ok(None) };
        let cost = before - after;
        Ok((cost >= LEAST && own.token == token).then_some(Mistake {
            index,
            seat,
            played: token,
            best: best.token,
            cost,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mistakes_that_cost_most_are_shown_in_the_order_of_the_game() {
        let costs = [0.1, 0.5, 0.04, 0.3, 0.2, 0.05, 0.4];
        let mistake = |(index, cost): (usize, f64)| Mistake {
            index,
            seat: 0,
            played: String::new(),
            best: String::new(),
            cost,
        };
        let shown = worst(costs.into_iter().enumerate().map(mistake).collect());
        let places: Vec<usize> = shown.iter().map(|mistake| mistake.index).collect();
        assert_eq!(places, [0, 1, 3, 4, 6]);
    }
}
