//! Reports and choices of a player as lines of the protocol.

use super::interface::{Answer, Message};
use crate::games::Playable;
use crate::protocol::{self, Dialect, InfoLine};
use crate::search::{Bound, Choice, Info, Score};

/// The line before a throw.
pub(super) fn thrown_line(token: &str) -> InfoLine {
    InfoLine { multipv: 1, pv: vec![token.into()], ..InfoLine::default() }
}

/// What an engine reports, as a line.
pub(super) fn message_line(message: &Message) -> String {
    match message {
        Message::Info(info) => info.to_string(),
        Message::Text(text) => format!("info string {text}"),
        Message::Error(error) => {
            log::warn!("{error}");
            format!("info string error {error}")
        }
    }
}

/// A choice as tokens.
pub(super) fn answer<G: Playable>(position: &G, choice: &Choice<G::Move>) -> Answer {
    let best = position.token(&choice.best);
    let mut next = position.clone();
    next.play(&choice.best);
    let ponder = choice.ponder.as_ref().filter(|m| next.is_legal(m)).map(|m| next.token(m));
    Answer { best: Some(best), ponder }
}

/// What is known after an iteration, as a line.
pub(super) fn info_line<G: Playable>(
    position: &G,
    info: &Info<G::Move>,
    dialect: Dialect,
    show_wdl: bool,
) -> InfoLine {
    let score = match (info.score, dialect) {
        (Score::Cp(value), _) => protocol::Score::Centipawns(value.clamp(-9999, 9999)),
        (Score::Mate(plies), Dialect::Ugi) => protocol::Score::Mate(plies),
        (Score::Mate(plies), Dialect::Uci) => {
            protocol::Score::Mate(plies.signum() * ((plies.abs() + 1) / 2))
        }
    };
    let wdl =
        info.wdl.or_else(|| (show_wdl && info.shares.is_none()).then(|| win_draw_loss(info.score)));
    let micros = info.time.as_micros().max(1);
    InfoLine {
        depth: info.depth,
        seldepth: info.seldepth,
        multipv: info.multipv,
        score,
        bound: match info.bound {
            Bound::Exact => protocol::Bound::Exact,
            Bound::Lower => protocol::Bound::Lower,
            Bound::Upper => protocol::Bound::Upper,
        },
        wdl,
        vec: info.shares.clone(),
        nodes: info.nodes,
        nps: (u128::from(info.nodes) * 1_000_000 / micros) as u64,
        time: info.time.as_millis() as u64,
        hashfull: info.hashfull,
        pv: tokens(position, &info.pv),
    }
}

/// Win, draw and loss in permille from a value on the scale 400 log10(p / (1 - p)).
fn win_draw_loss(score: Score) -> [u16; 3] {
    let win = match score {
        Score::Mate(plies) if plies > 0 => 1000,
        Score::Mate(_) => 0,
        Score::Cp(value) => {
            let odds = libm::pow(10.0, f64::from(value) / 400.0);
            libm::round(1000.0 * odds / (1.0 + odds)) as u16
        }
    };
    [win, 0, 1000 - win]
}

fn tokens<G: Playable>(position: &G, moves: &[G::Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut tokens = Vec::with_capacity(moves.len());
    for m in moves {
        if !position.is_legal(m) {
            break;
        }
        tokens.push(position.token(m));
        position.play(m);
    }
    tokens
}

#[cfg(all(test, feature = "barca"))]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::{Notation, Rules};
    use crate::games::barca::Position;

    fn start() -> Position {
        Position::start(&Position::default_rules(), None).expect("the start")
    }

    fn line(score: Score, dialect: Dialect) -> InfoLine {
        info_line(&start(), &Info::new(1, score, Vec::new()), dialect, true)
    }

    #[test]
    fn a_mate_is_told_in_plies_or_in_moves_of_the_winner() {
        use crate::protocol::Score::Mate;
        for (plies, moves) in [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (-1, -1), (-2, -1), (-4, -2)]
        {
            assert_eq!(line(Score::Mate(plies), Dialect::Ugi).score, Mate(plies));
            assert_eq!(line(Score::Mate(plies), Dialect::Uci).score, Mate(moves), "{plies} plies");
        }
    }

    #[test]
    fn centipawns_stay_below_ten_thousand_in_both_dialects() {
        use crate::protocol::Score::Centipawns;
        for (value, told) in [(9_999, 9_999), (10_000, 9_999), (-12_345, -9_999), (-17, -17)] {
            for dialect in [Dialect::Ugi, Dialect::Uci] {
                assert_eq!(line(Score::Cp(value), dialect).score, Centipawns(told));
            }
        }
    }

    /// 400 centipawns are odds of ten to one, 1,000 * 10 / 11 = 909.
    #[test]
    fn win_draw_and_loss_follow_from_the_score() {
        for (score, wdl) in [
            (Score::Cp(0), [500, 0, 500]),
            (Score::Cp(400), [909, 0, 91]),
            (Score::Cp(-400), [91, 0, 909]),
            (Score::Mate(3), [1000, 0, 0]),
            (Score::Mate(-2), [0, 0, 1000]),
        ] {
            assert_eq!(line(score, Dialect::Ugi).wdl, Some(wdl), "{score:?}");
        }
        let info = Info::new(1, Score::Cp(0), Vec::new());
        assert_eq!(info_line(&start(), &info, Dialect::Ugi, false).wdl, None);
        // What a player counted itself is told as it is.
        let counted = Info { wdl: Some([1, 2, 997]), ..info };
        assert_eq!(info_line(&start(), &counted, Dialect::Ugi, false).wdl, Some([1, 2, 997]));
        // The shares of all seats say it themselves.
        let shared = Info { wdl: None, shares: Some(vec![600, 400]), ..counted };
        let told = info_line(&start(), &shared, Dialect::Ugi, true);
        assert_eq!((told.wdl, told.vec), (None, Some(vec![600, 400])));
    }

    #[test]
    fn nodes_a_second_are_those_of_the_time_told() {
        let mut info = Info::new(1, Score::Cp(0), Vec::new());
        (info.nodes, info.time) = (3_000, Duration::from_millis(1_500));
        let told = info_line(&start(), &info, Dialect::Ugi, false);
        assert_eq!((told.nodes, told.time, told.nps), (3_000, 1_500, 2_000));
    }

    #[test]
    fn expected_moves_end_before_the_first_illegal_one() {
        let position = start();
        let [first, second] =
            ["e2e4", "e9e6"].map(|token| position.parse_move(token).expect(token));
        let info = Info::new(1, Score::Cp(0), vec![first, second, first]);
        assert_eq!(info_line(&position, &info, Dialect::Ugi, false).pv, ["e2e4", "e9e6"]);
        // An expected answer that is none is not told.
        let choice = |ponder| Choice { best: first, ponder: Some(ponder) };
        assert_eq!(answer(&position, &choice(first)).ponder, None);
        assert_eq!(answer(&position, &choice(second)).ponder.as_deref(), Some("e9e6"));
    }
}
