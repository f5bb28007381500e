//! The players of both games, and `Playable`.

use super::bounds::LONG;
use super::endings::{Endings, after};
use super::evaluation::{Blocking, Evaluation, Markers, explain};
use super::hints::Hinted;
use crate::game::{Game, Situation};
use crate::games::chevrons::filling::{Kind, Move, Position};
use crate::games::chevrons::network::Judgement;
use crate::games::{BenchPosition, NamedPlayer, Playable};
use crate::search::{
    AlphaBetaPlayer, Choice, Evaluate, Greedy, Info, Ladder, MaxNPlayer, MctsConfig, MctsPlayer,
    Player, PvsConfig, PvsPlayer, RandomPlayer, Report, Request, Score, Settings,
};

/// The engine: principal variation search for two seats, of solved endings among their best moves;
/// Monte-Carlo tree search for three and four.
pub struct EnginePlayer<K: Kind> {
    /// None where two seats are searched by tree search alone.
    endings: Option<Endings>,
    two: Box<dyn Player<Position<K>>>,
    more: Box<dyn Player<Position<K>>>,
}

impl<K: Kind> EnginePlayer<K> {
    /// An engine for any number of players.
    #[must_use]
    pub fn new(settings: &Settings, judgement: Judgement<Position<K>>) -> Self {
        let Judgement { two, more } = judgement;
        EnginePlayer {
            endings: Some(Endings::default()),
            two: deep(two, settings),
            more: wide(more, settings),
        }
    }

    /// Monte-Carlo tree search with the networks, for any number of seats.
    fn tree(settings: &Settings) -> Self {
        let Judgement { two, more } = K::judgement();
        EnginePlayer { endings: None, two: wide(two, settings), more: wide(more, settings) }
    }

    fn for_seats(&mut self, seats: usize) -> &mut dyn Player<Position<K>> {
        if seats == 2 { &mut *self.two } else { &mut *self.more }
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
        let position = situation.position();
        // What is lost is played on: not the move that the other answers with the win.
        let lasts = |(m, result): &&(Move, i8)| *result >= 0 || !loses_at_once(position, m);
        let mut lasting: Vec<Move> = moves.iter().filter(lasts).map(|(m, _)| *m).collect();
        if lasting.is_empty() || request.multi_pv > 1 {
            lasting = moves.iter().map(|(m, _)| *m).collect();
        }
        let wanted = std::mem::replace(&mut request.multi_pv, lasting.len());
        request.search_moves = Some(lasting);
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

/// Whether the next seat may win at once after a move.
fn loses_at_once<K: Kind>(position: &Position<K>, m: &Move) -> bool {
    let next = after(position, m);
    let Some(seat) = next.turn().seat() else { return true };
    let wins = |reply: &Move| {
        after(&next, reply).outcome().is_some_and(|outcome| outcome.share(seat) == 1.0)
    };
    next.moves().iter().any(wins)
}

/// The score of a known result: that of the search where it is as far.
fn exact(result: i8, searched: Score) -> Score {
    match (result, searched) {
        (1, Score::Mate(1..)) | (-1, Score::Mate(..=-1)) => searched,
        (0, _) => Score::Cp(0),
        _ => Score::Mate(i32::from(result) * LONG),
    }
}

/// Principal variation search with a network or with the terms alone; without null move: who must leave
/// a good field would rather pass.
fn deep<K: Kind>(
    network: Option<impl Hinted<K>>,
    settings: &Settings,
) -> Box<dyn Player<Position<K>>> {
    let config = PvsConfig { null_move: 0, ..PvsConfig::default() };
    match network {
        Some(network) => Box::new(PvsPlayer::new(network, config, settings)),
        None => Box::new(PvsPlayer::new(Evaluation, config, settings)),
    }
}

/// Monte-Carlo tree search with a network or with the terms alone. The tree takes the memory of the
/// transposition table, at least 1 MiB.
fn wide<K: Kind>(
    network: Option<impl Evaluate<Position<K>>>,
    settings: &Settings,
) -> Box<dyn Player<Position<K>>> {
    let config = MctsConfig { bytes: settings.hash.max(1) << 20, ..MctsConfig::default() };
    match network {
        Some(network) => Box::new(MctsPlayer::new(network, config)),
        None => Box::new(MctsPlayer::new(Evaluation, config)),
    }
}

impl<K: Kind> Player<Position<K>> for EnginePlayer<K> {
    fn choose(
        &mut self,
        situation: &Situation<Position<K>>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        match self.endings.as_mut().and_then(|endings| endings.solve(situation, request)) {
            Some((moves, visited)) => {
                self.choose_among(&moves, visited, situation, request, report)
            }
            None => self.for_seats(situation.position().seats()).choose(situation, request, report),
        }
    }

    fn new_game(&mut self) {
        self.endings.as_mut().map(Endings::clear);
        self.two.new_game();
        self.more.new_game();
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
        NamedPlayer::new("engine", |settings| {
            Box::new(EnginePlayer::new(settings, K::judgement()))
        }),
        NamedPlayer::new("random", |settings| Box::new(RandomPlayer::new(settings.seed))),
        NamedPlayer::new("greedy", |settings| Box::new(Greedy::new(Evaluation, settings.seed))),
        NamedPlayer::new("blocker", |settings| Box::new(Greedy::new(Blocking, settings.seed))),
        NamedPlayer::new("alphabeta", |_| Box::new(AlphaBetaPlayer::new(Markers))),
        NamedPlayer::new("maxn", |_| Box::new(MaxNPlayer::new(Markers))),
        NamedPlayer::new("mcts", |settings| Box::new(EnginePlayer::tree(settings))),
        NamedPlayer::new("terms", |settings| {
            Box::new(EnginePlayer::new(settings, Judgement::TERMS))
        }),
    ];

    const LADDER: Option<&'static Ladder> = Some(&K::LADDER);

    const LIMITED_PLAYER: &'static str = "terms";

    fn is_noisy(&self, m: &Move) -> bool {
        self.neutral_fields() >> m.to.index() & 1 == 1
    }

    fn explain_evaluation(&self) -> String {
        explain(self)
    }

    fn bench() -> Vec<BenchPosition> {
        let at = |&(rules, position, depth)| BenchPosition { rules, position, depth };
        K::BENCH.iter().map(at).collect()
    }
}
