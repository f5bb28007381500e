//! A search that is stopped ends at the next node, however long a node takes: no driver works on for
//! a number of nodes before it looks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parlor::game::{Game, Seat, Situation};
use parlor::search::{
    AlphaBetaPlayer, BestReplyPlayer, Control, Evaluate, LikelyMove, Limits, MaxNPlayer,
    MctsConfig, MctsPlayer, Player, PvsConfig, PvsPlayer, Request, SearchHints, Settings,
    Star2Player, VectorExpectimaxPlayer,
};

use crate::games::{Plain, TicTacToe};

/// Evaluations before the stop: beyond the nodes that a driver searches in any case.
const BEFORE: u64 = 1_000;

/// Evaluations that one node may ask for, and the last report.
const AFTER: u64 = 40;

/// An evaluation that stops its own search.
#[derive(Clone, Default)]
struct Stopping {
    calls: Arc<AtomicU64>,
    control: Control,
}

impl Evaluate<TicTacToe> for Stopping {
    type Acc = ();

    fn fresh(&self, _: &TicTacToe) {}

    fn score(&self, _: &(), position: &TicTacToe, seat: Seat) -> i32 {
        if self.calls.fetch_add(1, Ordering::Relaxed) + 1 == BEFORE {
            self.control.stop();
        }
        Plain.score(&(), position, seat)
    }
}

impl SearchHints<TicTacToe> for Stopping {}

struct FirstSquare;

impl LikelyMove<TicTacToe> for FirstSquare {
    fn likely_move(position: &TicTacToe) -> Option<<TicTacToe as Game>::Move> {
        position.moves().first().copied()
    }
}

#[test]
fn every_driver_ends_at_the_next_node() {
    let settings = Settings { hash: 0, threads: 1, ..Settings::default() };
    type Make = fn(Stopping, &Settings) -> Box<dyn Player<TicTacToe>>;
    let drivers: [(&str, Make); 7] = [
        ("pvs", |e, settings| Box::new(PvsPlayer::new(e, PvsConfig::default(), settings))),
        ("mcts", |e, _| Box::new(MctsPlayer::new(e, MctsConfig::default()))),
        ("alpha-beta", |e, _| Box::new(AlphaBetaPlayer::new(e))),
        ("max^n", |e, _| Box::new(MaxNPlayer::new(e))),
        ("star2", |e, _| Box::new(Star2Player::new(e, 0))),
        ("vector expectimax", |e, _| Box::new(VectorExpectimaxPlayer::new(e, 0))),
        ("best reply", |e, settings| {
            let config = PvsConfig::default();
            Box::new(BestReplyPlayer::<_, FirstSquare, _>::new(e, config, settings))
        }),
    ];
    for (name, make) in drivers {
        let evaluation = Stopping::default();
        let request = Request {
            limits: Limits::default(),
            search_moves: None,
            multi_pv: 1,
            control: evaluation.control.clone(),
        };
        let mut player = make(evaluation.clone(), &settings);
        let situation = Situation::new(TicTacToe::default());
        assert!(player.choose(&situation, &request, &mut |_| {}).is_some(), "{name}");
        let calls = evaluation.calls.load(Ordering::Relaxed);
        assert!((BEFORE..=BEFORE + AFTER).contains(&calls), "{name}: {calls} evaluations");
    }
}
