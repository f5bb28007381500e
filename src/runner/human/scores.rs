//! Who is better, in words; and hints.

use anyhow::Result;

use super::display::{Display, say};
use super::game::{HumanGame, limits};
use crate::printing::{print, printable};
use crate::protocol::{Info, Score};
use crate::runner::process::{NO_MOVE, SearchResult};
use crate::runner::tournament::values::seat_values;

/// How many moves of the expected line are shown.
const LINE: usize = 6;

/// Among more moves the best but one is not sought.
const MOST_OTHERS: usize = 1000;

/// The longest reason of an engine that is shown.
const LONGEST_REASON: usize = 200;

impl HumanGame {
    /// What the engine would play for the person at the keyboard and why: its own reason, or the line
    /// that it expects and who is better then.
    pub(super) fn hint(&mut self) -> Result<()> {
        let Some(found) = self.search(&[])? else { return Ok(()) };
        let mut text = format!("The engine would play {}.", self.explained(&found)?);
        let pv = found.info.as_ref().map_or(&[][..], |info| &info.pv);
        if pv.len() > 1 && pv.first() == Some(&found.token) {
            let line = pv.iter().take(LINE);
            let between = if line.clone().any(|token| token.contains(':')) { ", " } else { " " };
            let line = line.map(|token| self.words(token)).collect::<Result<Vec<String>>>()?;
            text += &format!(" It expects {}.", line.join(between));
        }
        if let Some(other) = self.best_other(&found)? {
            text += &format!(" The best other move is {other}.");
        }
        say(&text);
        Ok(())
    }

    /// The best move but one, explained, where the moves can be listed.
    fn best_other(&mut self, best: &SearchResult) -> Result<Option<String>> {
        let Some(mut others) = self.legal("")? else { return Ok(None) };
        others.retain(|token| *token != best.token);
        if others.is_empty() || others.len() > MOST_OTHERS {
            return Ok(None);
        }
        let found = self.search(&others)?;
        // An engine may not know `searchmoves`.
        let Some(found) = found.filter(|found| found.token != best.token) else { return Ok(None) };
        // Another search may see another value: the engine's own choice is not the worse one.
        let value = |found: &SearchResult| {
            let values = seat_values(found.info.as_ref()?, self.viewer, self.display.names.len())?;
            values.get(self.viewer).copied()
        };
        let is_equal = value(&found).zip(value(best)).is_some_and(|(other, best)| other > best);
        if found.reason.is_none() && is_equal {
            let token = self.words(&found.token)?;
            return Ok(Some(format!("{token}: the engine sees no difference")));
        }
        self.explained(&found).map(Some)
    }

    /// A move and why it is played, or else who is better after it.
    fn explained(&self, found: &SearchResult) -> Result<String> {
        let token = self.words(&found.token)?;
        if let Some(reason) = &found.reason {
            let reason = self.display.named(&printable(reason, LONGEST_REASON));
            return Ok(format!("{token}, because {reason}"));
        }
        Ok(match self.judgement(found) {
            Some(judgement) => format!("{token}: {judgement}"),
            None => token,
        })
    }

    /// Who is better, as the engine sees it.
    pub(super) fn score(&mut self) -> Result<()> {
        let Some(found) = self.search(&[])? else { return Ok(()) };
        match self.judgement(&found) {
            Some(judgement) => {
                let mut letters = judgement.chars();
                let first = letters.next().map(|first| first.to_ascii_uppercase());
                let text: String = first.into_iter().chain(letters).collect();
                print(&format!("{text}."));
            }
            None => print("The engine does not say who is better."),
        }
        Ok(())
    }

    /// Who is better after what the engine would play.
    fn judgement(&self, found: &SearchResult) -> Option<String> {
        self.display.judgement(found.info.as_ref()?, self.viewer)
    }

    /// The engine's choice in the present position, among some moves if any are given, from what the
    /// person may see.
    fn search(&mut self, among: &[String]) -> Result<Option<SearchResult>> {
        let view = self.view(self.viewer)?;
        let (mut go, allowance) = limits(self.movetime);
        if !among.is_empty() {
            go += &format!(" searchmoves {}", among.join(" "));
        }
        let found = self.adviser.search(&view, &go, allowance)?;
        if NO_MOVE.contains(&found.token.as_str()) {
            print("The engine sees no move.");
            return Ok(None);
        }
        Ok(Some(found))
    }
}

impl Display {
    /// `White is better (72 %)`, from a report about the position where `mover` decides.
    pub(super) fn judgement(&self, info: &Info, mover: usize) -> Option<String> {
        let values = seat_values(info, mover, self.names.len());
        let other = |seat: usize| self.names.len() == 2 && seat < 2;
        let mut text = match (info.score, values) {
            (Some(Score::Mate(distance)), _) if other(mover) => {
                let winner = if distance > 0 { mover } else { 1 - mover };
                format!("{} wins by force", self.name(winner))
            }
            (_, Some(values)) => self.chances(&values, mover)?,
            // Of several seats' chances only the mover's score is known.
            (Some(score), None) => format!("{:+} for {}", score.centipawns(), self.name(mover)),
            (None, None) => return None,
        };
        if let (true, Some(score)) = (self.centipawns, info.score) {
            text += &format!(" [{:+} cp for {}]", score.centipawns(), self.name(mover));
        }
        Some(text)
    }

    /// The seat with the best chance to come first, in words; of an even game among several the chance
    /// of who decides.
    fn chances(&self, values: &[f64], mover: usize) -> Option<String> {
        let seats = values.len();
        let (best, value) = values
            .iter()
            .enumerate()
            .max_by(|one, other| one.1.total_cmp(other.1))
            .map(|(seat, value)| (self.name(seat), *value))?;
        let percent = (100.0 * value).round();
        // What an even game gives each seat, and how far above it the best one is.
        let even = 1.0 / seats as f64;
        let lead = (value - even) / (1.0 - even);
        Some(match lead {
            lead if lead < 0.06 && seats > 2 => {
                let own = 100.0 * values.get(mover)?;
                format!("the game is even ({own:.0} % for {})", self.name(mover))
            }
            lead if lead < 0.06 => format!("the game is even ({percent:.0} % for {best})"),
            lead if lead < 0.2 => format!("{best} is a little better ({percent:.0} %)"),
            lead if lead < 0.5 => format!("{best} is better ({percent:.0} %)"),
            lead if lead < 0.9 => format!("{best} is much better ({percent:.0} %)"),
            _ => format!("{best} is winning ({percent:.0} %)"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_told_against_those_of_an_even_game() {
        let told = |names: &[&str], shares: &[u32]| {
            let info = Info { shares: shares.into(), ..Info::default() };
            Display::of_seats(names).judgement(&info, 0).unwrap()
        };
        let three = |shares: [u32; 3]| told(&["Red", "Green", "Blue"], &shares);
        // A third each is even: half of the chances is a lead among three, and none between two.
        assert_eq!(three([310, 340, 350]), "the game is even (31 % for Red)");
        assert_eq!(three([250, 500, 250]), "Green is better (50 %)");
        assert_eq!(three([20, 20, 960]), "Blue is winning (96 %)");
        assert_eq!(told(&["White", "Black"], &[490, 510]), "the game is even (51 % for Black)");
        assert_eq!(told(&["White", "Black"], &[620, 380]), "White is better (62 %)");
    }

    #[test]
    fn a_score_is_that_of_the_mover() {
        let told = |names: &[&str], score, mover, centipawns| {
            let mut display = Display::of_seats(names);
            display.centipawns = centipawns;
            let info = Info { score: Some(score), ..Info::default() };
            display.judgement(&info, mover).unwrap()
        };
        let two = ["White", "Black"];
        for (distance, mover, winner) in [(3, 0, 0), (3, 1, 1), (-4, 0, 1), (-4, 1, 0)] {
            let text = format!("{} wins by force", two[winner]);
            assert_eq!(told(&two, Score::Mate(distance), mover, false), text);
        }
        let three = ["Red", "Green", "Blue"];
        assert_eq!(told(&three, Score::Centipawns(-25), 2, false), "-25 for Blue");
        let text = told(&two, Score::Centipawns(0), 1, true);
        assert!(text.ends_with(" [+0 cp for Black]"), "{text}");
    }
}
