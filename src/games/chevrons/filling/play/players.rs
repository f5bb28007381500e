//! The players of both games, and `Playable`.

use super::bounds::LONG;
use super::endings::Endings;
use super::evaluation::{Blocking, Evaluation, Markers};
use crate::game::{Game, Situation};
use crate::games::chevrons::filling::{Kind, Move, Position};
use crate::games::{BenchPosition, NamedPlayer, Playable};
use crate::search::{
    AlphaBetaPlayer, Choice, Greedy, Info, Ladder, MaxNPlayer, MctsConfig, MctsPlayer, Player,
    PvsConfig, PvsPlayer, RandomPlayer, Report, Request, Score, Settings,
};

/// The engine: principal variation search for two seats, of solved endings among their best moves;
/// Monte-Carlo tree search for three and four.
pub struct EnginePlayer<K: Kind> {
    endings: Endings,
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
        EnginePlayer {
            endings: Endings::default(),
            two,
            more: MctsPlayer::new(Evaluation, tree(settings)),
        }
    }

    fn for_seats(&mut self, seats: usize) -> &mut dyn Player<Position<K>> {
        if seats == 2 { &mut self.two } else { &mut self.more }
    }
}

impl<K: Kind> EnginePlayer<K> {
    /// Searches moves with known results: those of equal results are ranked by the search.
    fn choose_among(
        &mut self,
        moves: &[(Move, i8)],
        visited: u64,
        situation: &Situation<Position<K>>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let mut request = request.clone();
        request.search_moves = Some(moves.iter().map(|(m, _)| *m).collect());
        let wanted = std::mem::replace(&mut request.multi_pv, moves.len());
        if wanted == 1 {
            request.multi_pv = 1;
        }
        request.limits.nodes = request.limits.nodes.map(|nodes| nodes.saturating_sub(visited));
        let lines = request.multi_pv;
        let mut infos = Vec::new();
        let mut best = None;
        let choice = self.two.choose(situation, &request, &mut |message| {
            let Report::Info(mut info) = message else {
                return report(message);
            };
            let result = moves.iter().find(|(m, _)| Some(m) == info.pv.first());
            let result = result.map_or(0, |(_, result)| *result);
            info.score = exact(result, info.score);
            info.nodes += visited;
            let is_last = info.multipv == lines;
            infos.push((result, info));
            if is_last {
                infos.sort_by_key(|(result, _)| -result);
                best = infos.first().map(|(_, info)| info.pv.clone());
                for (number, (_, info)) in (1..=wanted).zip(infos.drain(..)) {
                    report(Report::Info(Info { multipv: number, ..info }));
                }
            }
        });
        let mut line = best.unwrap_or_default().into_iter();
        line.next().map_or(choice, |best| Some(Choice { best, ponder: line.next() }))
    }
}

/// The score of a known result: that of the search where it is as far.
fn exact(result: i8, searched: Score) -> Score {
    match (result, searched) {
        (1, Score::Mate(1..)) | (-1, Score::Mate(..=-1)) => searched,
        (0, _) => Score::Cp(0),
        _ => Score::Mate(i32::from(result) * LONG),
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
        match self.endings.solve(situation, request) {
            Some((moves, visited)) => {
                self.choose_among(&moves, visited, situation, request, report)
            }
            None => self.for_seats(situation.position().seats()).choose(situation, request, report),
        }
    }

    fn new_game(&mut self) {
        self.endings.clear();
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
    const PUZZLES: Option<&'static str> = Some(K::PUZZLES);
    const PLAYERS: &'static [NamedPlayer<Self>] = &[
        NamedPlayer::new("engine", |settings| Box::new(EnginePlayer::new(settings))),
        NamedPlayer::new("random", |settings| Box::new(RandomPlayer::new(settings.seed))),
        NamedPlayer::new("greedy", |settings| Box::new(Greedy::new(Markers, settings.seed))),
        NamedPlayer::new("blocker", |settings| Box::new(Greedy::new(Blocking, settings.seed))),
        NamedPlayer::new("alphabeta", |_| Box::new(AlphaBetaPlayer::new(Markers))),
        NamedPlayer::new("maxn", |_| Box::new(MaxNPlayer::new(Markers))),
        NamedPlayer::new("mcts", |settings| Box::new(MctsPlayer::new(Evaluation, tree(settings)))),
    ];

    const LADDER: Option<&'static Ladder> = Some(&K::LADDER);

    fn is_noisy(&self, m: &Move) -> bool {
        self.neutral_fields() >> m.to.index() & 1 == 1
    }

    fn explain_evaluation(&self) -> String {
        Evaluation::explain(self)
    }

    fn bench() -> Vec<BenchPosition> {
        let at = |&(rules, position, depth)| BenchPosition { rules, position, depth };
        K::BENCH.iter().map(at).collect()
    }
}
