//! The players of both games, and `Playable`.

use super::evaluation::{Blocking, Evaluation, Markers};
use crate::game::{Game, Situation};
use crate::games::chevrons::filling::{Kind, Move, Position};
use crate::games::{BenchPosition, NamedPlayer, Playable};
use crate::search::{
    AlphaBetaPlayer, Choice, Greedy, MaxNPlayer, MctsConfig, MctsPlayer, Player, PvsConfig,
    PvsPlayer, RandomPlayer, Report, Request, Settings,
};

/// The engine: principal variation search for two seats, Monte-Carlo tree search for three and four.
pub struct EnginePlayer<K: Kind> {
    two: PvsPlayer<Position<K>, Evaluation>,
    more: MctsPlayer<Position<K>, Evaluation>,
}

impl<K: Kind> EnginePlayer<K> {
    /// An engine for any number of players.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        // No null move: who must leave a good field would rather pass.
        let config = PvsConfig { null_move: 0, ..PvsConfig::default() };
        let two = PvsPlayer::new(Evaluation, config, settings);
        EnginePlayer { two, more: MctsPlayer::new(Evaluation, tree(settings)) }
    }

    fn for_seats(&mut self, seats: usize) -> &mut dyn Player<Position<K>> {
        if seats == 2 { &mut self.two } else { &mut self.more }
    }
}

/// The tree takes the memory of the transposition table, at least 1 MiB.
fn tree(settings: &Settings) -> MctsConfig {
    MctsConfig { bytes: settings.hash.max(1) << 20, ..MctsConfig::default() }
}

impl<K: Kind> Player<Position<K>> for EnginePlayer<K> {
    fn choose(
        &mut self,
        situation: &Situation<Position<K>>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        self.for_seats(situation.position().seats()).choose(situation, request, report)
    }

    fn new_game(&mut self) {
        Player::new_game(&mut self.two);
        Player::new_game(&mut self.more);
    }

    fn get_ready(&mut self, position: &Position<K>) {
        self.for_seats(position.seats()).get_ready(position);
    }
}

impl<K: Kind> Playable for Position<K> {
    const NAME: &'static str = K::NAME;
    const TITLE: &'static str = K::TITLE;
    const SHORT_RULES: &'static str = K::SHORT_RULES;
    const LESSONS: Option<&'static str> = Some(K::LESSONS);
    const PLAYERS: &'static [NamedPlayer<Self>] = &[
        NamedPlayer::new("engine", |settings| Box::new(EnginePlayer::new(settings))),
        NamedPlayer::new("random", |settings| Box::new(RandomPlayer::new(settings.seed))),
        NamedPlayer::new("greedy", |settings| Box::new(Greedy::new(Markers, settings.seed))),
        NamedPlayer::new("blocker", |settings| Box::new(Greedy::new(Blocking, settings.seed))),
        NamedPlayer::new("alphabeta", |_| Box::new(AlphaBetaPlayer::new(Markers))),
        NamedPlayer::new("maxn", |_| Box::new(MaxNPlayer::new(Markers))),
        NamedPlayer::new("mcts", |settings| Box::new(MctsPlayer::new(Evaluation, tree(settings)))),
    ];

    fn explain_evaluation(&self) -> String {
        Evaluation::explain(self)
    }

    fn bench() -> Vec<BenchPosition> {
        let at = |&(rules, position, depth)| BenchPosition { rules, position, depth };
        K::BENCH.iter().map(at).collect()
    }
}
