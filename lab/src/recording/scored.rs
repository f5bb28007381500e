//! Recorded games of two seats: the result is the head of a line, and the value of a move is its
//! score in hundredths for the side that moves.

use std::marker::PhantomData;

use anyhow::{bail, ensure};
use parlor::game::{Notation, Outcome, Seat};
use parlor::search::{Info, Score};

use super::games::{RecordFormat, RecordedGame};

/// The greatest recorded score; forced wins count as this.
pub const GREATEST: i32 = 2_000;

/// The lines of a game that always begins with the same position.
pub struct Scored<P>(PhantomData<P>);

impl<P: Notation + Default + 'static> RecordFormat for Scored<P> {
    type Position = P;
    type Value = i32;

    fn parse_head(head: &str) -> anyhow::Result<(P, Option<Outcome>)> {
        let outcome = match head {
            "1-0" => Outcome::win(2, Seat::new(0)),
            "0-1" => Outcome::win(2, Seat::new(1)),
            "1/2" => Outcome::draw(2),
            other => bail!("'{other}' is no result: 1-0, 0-1 or 1/2"),
        };
        Ok((P::default(), Some(outcome)))
    }

    fn head(_: &P, outcome: &Outcome) -> String {
        let word = match outcome.places() {
            [1, 2] => "1-0",
            [2, 1] => "0-1",
            _ => "1/2",
        };
        word.into()
    }

    fn parse_value(text: &str, _: &P) -> anyhow::Result<i32> {
        let score: i32 = text.parse()?;
        ensure!(score.abs() <= GREATEST, "a score is at most {GREATEST} either way");
        Ok(score)
    }

    fn value(score: &i32, _: &P) -> String {
        score.to_string()
    }
}

/// The score of an `info` in hundredths; 0 without one. One that is no forced win or loss is at most
/// `most` either way.
pub fn hundredths<M>(info: Option<&Info<M>>, most: i32) -> i32 {
    match info.map(|info| info.score) {
        None => 0,
        Some(Score::Cp(cp)) => cp.clamp(-most, most),
        Some(Score::Mate(plies)) if plies > 0 => GREATEST,
        Some(Score::Mate(_)) => -GREATEST,
    }
}

/// A position that was searched.
pub struct Searched<'a, P> {
    pub position: &'a P,
    /// The score of the move played in it, in hundredths for the first seat.
    pub score: f64,
    /// The first seat's share of the point, if no random move follows.
    pub share: Option<f64>,
    /// How many plies the game still had.
    pub plies_left: usize,
}

impl<P: Notation + Default + 'static> RecordedGame<Scored<P>> {
    /// Visits the positions that were searched. The result tells nothing about positions before a
    /// random move.
    pub fn for_each_searched(&self, mut visit: impl FnMut(Searched<P>)) {
        let first = Seat::new(0);
        let share = self.outcome.share(first);
        let last_random = self.moves.iter().rposition(|(_, score)| score.is_none());
        self.for_each_position(|position, index, score| {
            let Some(score) = score else { return };
            let own = position.turn().seat() == Some(first);
            let score = f64::from(if own { *score } else { -*score });
            let tells = last_random.is_none_or(|last| index > last);
            let plies_left = self.moves.len() - index;
            visit(Searched { position, score, share: tells.then_some(share), plies_left });
        });
    }
}

#[cfg(test)]
mod tests {
    use parlor::games::{barca, porrika};

    use super::*;
    use crate::recording::games::parse_games;

    fn refused<P: Notation + Default + 'static>(right: &str, wrong: &[(&str, &str)]) {
        for (line, reason) in wrong {
            let games = parse_games::<Scored<P>>(&format!("{right}\n{line}\n"));
            let error = format!("{:#}", games.err().expect(line));
            assert!(error.contains(reason) && error.contains("line 2"), "{line}: {error}");
        }
    }

    #[test]
    fn a_line_that_is_wrong_is_refused_with_the_reason() {
        let wrong = [
            ("", "'' is no result"),
            ("2-0 e2e4", "'2-0' is no result"),
            ("1-0 e2e4 e2e4", "move 'e2e4'"),
            ("1-0 e2", "move 'e2'"),
            ("1-0 e2e4:x", "value of 'e2e4:x'"),
            ("1-0 e2e4:2001", "at most 2000"),
        ];
        refused::<barca::Position>("1-0 e2e4:5", &wrong);
        let wrong = [
            ("2-0 EGGEG.G.", "'2-0' is no result"),
            ("1-0 EGGEG.G. b6wb5e", "move 'b6wb5e'"),
            ("1-0 EGG", "move 'EGG'"),
            ("1-0 EGGEG.G. a1na2e:x", "value of 'a1na2e:x'"),
        ];
        refused::<porrika::Position>("1-0 EGGEG.G.:5", &wrong);
    }

    #[test]
    fn shares_count_only_after_the_last_random_move() {
        let line = "0-1 e2e4 e9e6:30 e4g4 e6g6:-40";
        let game = RecordedGame::<Scored<barca::Position>>::parse(line).expect("a game");
        let mut seen = Vec::new();
        game.for_each_searched(|at| seen.push((at.score, at.share, at.plies_left)));
        assert_eq!(seen, [(-30.0, None, 3), (40.0, Some(0.0), 1)]);
    }

    #[test]
    fn scores_are_those_of_the_info_within_their_bounds() {
        let score = |score| {
            let info: Info<()> = Info::new(1, score, Vec::new());
            hundredths(Some(&info), 1_500)
        };
        for (cp, expected) in
            [(17, 17), (-17, -17), (1_500, 1_500), (1_501, 1_500), (-9_999, -1_500)]
        {
            assert_eq!(score(Score::Cp(cp)), expected);
        }
        for (plies, expected) in [(1, 2_000), (9, 2_000), (-1, -2_000), (-12, -2_000), (0, -2_000)]
        {
            assert_eq!(score(Score::Mate(plies)), expected, "{plies}");
        }
        assert_eq!(hundredths::<()>(None, 1_500), 0);
    }

    /// The line's score is the mover's; both ends of its range can be read.
    #[test]
    fn scores_are_for_the_first_seat_whoever_moves() {
        let line = "1-0 e2e4:30 e9e6:-40 e4g4:-2000 e6g6:2000";
        let game = RecordedGame::<Scored<barca::Position>>::parse(line).expect("a game");
        let mut seen = Vec::new();
        game.for_each_searched(|at| seen.push((at.score, at.share)));
        let scores = [30.0, 40.0, -2000.0, -2000.0];
        assert_eq!(seen, scores.map(|score| (score, Some(1.0))));
        refused::<barca::Position>(line, &[("1-0 e2e4:-2001", "at most 2000")]);
    }
}
