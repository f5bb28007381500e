//! The players of Pacru, and `Playable`.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::evaluation::{Evaluation, SimpleEvaluation};
use super::explain::explain;
use super::hints::Hinted;
use super::policy::{Guided, SHIPPED};
use super::selective::SelectivePosition;
use super::wins;
use crate::game::{Game, Situation};
use crate::games::chevrons::network::{Judged, Judgement, Network};
use crate::games::pacru::rules::{Gain, Move, Position};
use crate::games::{BenchPosition, NamedPlayer, Playable};
use crate::search::{
    AlphaBetaPlayer, BestReplyPlayer, Choice, Evaluate, Greedy, Ladder, LikelyMove, MaxNPlayer,
    MctsConfig, MctsPlayer, Player, PvsConfig, PvsPlayer, RandomPlayer, Report, Request, Settings,
};

/// A player that searches the selective game, as a player of the whole game.
struct SelectivePlayer<P>(P);

impl<P: Player<SelectivePosition>> Player<Position> for SelectivePlayer<P> {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let position = situation.position().clone();
        let selective = match &request.search_moves {
            Some(only) if !only.is_empty() => SelectivePosition::restricted(position, only),
            _ => SelectivePosition::new(position),
        };
        let situation = situation.seen_as(selective, |key| key);
        let request = Request { search_moves: None, ..request.clone() };
        self.0.choose(&situation, &request, report)
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn get_ready(&mut self, position: &Position) {
        self.0.get_ready(&SelectivePosition::new(position.clone()));
    }
}

/// No null move: positions in which every move loses are common.
fn config() -> PvsConfig {
    PvsConfig {
        extensions: 0,
        null_move: 0,
        reduction_base: 80,
        reduction_divisor: 160,
        noisy_history: true,
        singular: 6,
        improving: true,
        continuation: true,
        variant_depth: 8,
        variant_reduction: 50,
        ..PvsConfig::default()
    }
}

/// Moves of a position that tree search keeps at first where there is a policy: the likeliest.
const KEPT: usize = 8;

/// The tree takes the memory of the transposition table, at least 1 MiB.
fn tree(settings: &Settings) -> MctsConfig {
    MctsConfig { bytes: settings.hash.max(1) << 20, ..MctsConfig::default() }
}

/// The move after which the evaluation is best for the seat that makes it.
struct Greediest;

impl LikelyMove<SelectivePosition> for Greediest {
    fn likely_move(position: &SelectivePosition) -> Option<Move> {
        let seat = position.turn().seat()?;
        let mut best: Option<(i32, Move)> = None;
        let _ = position.for_each_move::<()>(|m| {
            let mut next = position.clone();
            next.play(&m);
            let value = match next.winner() {
                Some(winner) if winner == seat.index() => i32::MAX,
                Some(_) => i32::MIN,
                None => Evaluation.score(&(), &next, seat),
            };
            if best.is_none_or(|(known, _)| value > known) {
                best = Some((value, m));
            }
            ControlFlow::Continue(())
        });
        best.map(|(_, m)| m)
    }
}

/// The engine: principal variation search for two seats, Monte-Carlo tree search for three and four.
pub struct EnginePlayer {
    settings: Settings,
    judgement: Judgement<SelectivePosition>,
    /// Whether two seats are searched by tree search, too.
    tree_alone: bool,
    /// For two seats, and for three and four.
    players: [Option<Box<dyn Player<Position>>>; 2],
}

impl EnginePlayer {
    /// An engine for any number of players.
    #[must_use]
    pub fn new(settings: &Settings, judgement: Judgement<SelectivePosition>) -> Self {
        let settings = settings.clone();
        EnginePlayer { settings, judgement, tree_alone: false, players: [None, None] }
    }

    /// Monte-Carlo tree search with the networks, for any number of seats.
    fn tree(settings: &Settings) -> Self {
        EnginePlayer {
            tree_alone: true,
            ..EnginePlayer::new(settings, SelectivePosition::judgement())
        }
    }

    fn for_seats(&mut self, seats: usize) -> &mut dyn Player<Position> {
        let settings = &self.settings;
        let Judgement { two, more } = &self.judgement;
        let new = || match (seats, two, more) {
            (2, Some(network), _) if self.tree_alone => wide(network.clone(), settings),
            (2, Some(network), _) => deep(network.clone(), settings),
            (2, None, _) => deep(Evaluation, settings),
            (_, _, Some(network)) => guided(network.clone(), settings),
            _ => wide(Evaluation, settings),
        };
        // One of them is given memory.
        self.players[usize::from(seats == 2)] = None;
        &mut **self.players[usize::from(seats > 2)].get_or_insert_with(new)
    }
}

/// Principal variation search.
fn deep(evaluation: impl Hinted, settings: &Settings) -> Box<dyn Player<Position>> {
    Box::new(SelectivePlayer(PvsPlayer::new(evaluation, config(), settings)))
}

/// Monte-Carlo tree search with the shipped policy.
fn guided(
    values: Arc<Network<SelectivePosition, 4>>,
    settings: &Settings,
) -> Box<dyn Player<Position>> {
    let (evaluation, config) = (Guided { values, policy: SHIPPED.clone() }, tree(settings));
    let config = MctsConfig { keep: KEPT, ..config };
    Box::new(SelectivePlayer(MctsPlayer::new(evaluation, config)))
}

/// Monte-Carlo tree search without a policy.
fn wide(
    evaluation: impl Evaluate<SelectivePosition>,
    settings: &Settings,
) -> Box<dyn Player<Position>> {
    Box::new(SelectivePlayer(MctsPlayer::new(evaluation, tree(settings))))
}

impl Player<Position> for EnginePlayer {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        self.for_seats(situation.position().seats()).choose(situation, request, report)
    }

    fn new_game(&mut self) {
        self.players = [None, None];
    }

    /// A tree takes its memory as it grows: what was prepared for two seats stays until it is needed.
    fn get_ready(&mut self, position: &Position) {
        if position.seats() == 2 {
            self.for_seats(2).get_ready(position);
        }
    }
}

impl Playable for Position {
    const NAME: &'static str = "pacru";
    const TITLE: &'static str = "Pacru";
    const SHORT_RULES: &'static str = include_str!("../rules.md");
    const LESSONS: Option<&'static str> = Some(include_str!("../lessons.json"));
    const PUZZLES: Option<&'static str> = Some(include_str!("../puzzles.jsonl"));
    const PLAYERS: &'static [NamedPlayer<Self>] = &[
        NamedPlayer::new("engine", |settings| {
            Box::new(EnginePlayer::new(settings, SelectivePosition::judgement()))
        }),
        NamedPlayer::new("random", |settings| Box::new(RandomPlayer::new(settings.seed))),
        NamedPlayer::new("greedy", |settings| {
            Box::new(SelectivePlayer(Greedy::new(SimpleEvaluation, settings.seed)))
        }),
        NamedPlayer::new("alphabeta", |_| {
            Box::new(SelectivePlayer(AlphaBetaPlayer::new(SimpleEvaluation)))
        }),
        NamedPlayer::new("maxn", |_| Box::new(SelectivePlayer(MaxNPlayer::new(SimpleEvaluation)))),
        NamedPlayer::new("brs", |settings| {
            let (evaluation, config) = (Evaluation, config());
            Box::new(SelectivePlayer(BestReplyPlayer::<_, Greediest, _>::new(
                evaluation, config, settings,
            )))
        }),
        NamedPlayer::new("mcts", |settings| Box::new(EnginePlayer::tree(settings))),
        NamedPlayer::new("terms", |settings| {
            Box::new(EnginePlayer::new(settings, Judgement::TERMS))
        }),
    ];

    const LADDER: Option<&'static Ladder> = Some(&LADDER);

    fn is_noisy(&self, m: &Move) -> bool {
        matches!(m, Move::Advance { gain, pincer, .. } if *pincer || *gain != Gain::Nothing)
    }

    /// A rotation takes nobody's moves away: it wins only where the next player cannot move already.
    fn for_each_possible_win(
        &self,
        visit: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.is_over() {
            return ControlFlow::Continue(());
        }
        let mover = self.mover();
        match self.seats() {
            2 => wins::for_each_winning_advance(self, &mut *visit)?,
            _ => wins::for_each_advance(self, &mut *visit)?,
        }
        let mut others = (1..self.seats()).map(|ahead| (mover + ahead) % self.seats());
        let next = others.find(|seat| !self.chevron_fields(*seat).is_empty());
        match next.is_some_and(|next| self.can_move(next)) {
            true => ControlFlow::Continue(()),
            false => self.for_each_rotation(mover, visit),
        }
    }

    fn for_each_attack(&self, visit: &mut dyn FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        match self.seats() == 2 && !self.is_over() {
            true => wins::for_each_attack(self, visit),
            false => self.for_each_move(visit),
        }
    }

    fn for_each_defence(&self, visit: &mut dyn FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        match self.seats() == 2 && !self.is_over() {
            true => wins::for_each_defence(self, visit),
            false => self.for_each_move(visit),
        }
    }

    fn explain_evaluation(&self) -> String {
        explain(self)
    }

    fn bench() -> Vec<BenchPosition> {
        let at = |rules, position, depth| BenchPosition { rules, position, depth };
        vec![
            at("Players=2", "startpos", 11),
            at(
                "Players=2",
                "fen 1[2NW]5[1W]1/9/[2E]1b6/1a7/6[2SW]1b/1[1NE]1a3a1/4[1SW]4/[2N]2a5/4[1N]4 1 2",
                11,
            ),
            at("Players=3", "startpos", 7),
            at(
                "Players=3",
                "fen 3a[3S]4/5[1SW]1a[1NE]/9/b3acc2/[2S][2E]1c1[3SW]3/2c[3SE]1[1N]3/9/4[2E]b3/4a4 3 3",
                7,
            ),
            at("Players=4", "startpos", 7),
        ]
    }
}

/// Chosen by `parlor-lab levels fit pacru` and `levels measure pacru --strengths ...`.
const LADDER: Ladder = Ladder {
    noise: 150.0,
    nodes: 20_000.0,
    strengths: [23, 122, 204, 300, 378, 450, 497, 543, 590],
    elo: Some([395, 501, 647, 853, 1070, 1316, 1534, 1685, 1860]),
};

#[cfg(test)]
mod tests {
    use super::wins::tests::ends;
    use super::*;
    use crate::game::{Random, Rules as _};
    use crate::games::chevrons::{Board, Cell, Field};
    use crate::games::pacru::winning_markers;

    #[test]
    fn the_memory_of_the_table_is_given_once_whatever_the_seats() {
        let settings = Settings { hash: 1, ..Settings::default() };
        let mut player = EnginePlayer::new(&settings, Judgement::TERMS);
        for seats in [2, 4, 2, 3] {
            player.for_seats(seats);
            assert_eq!(player.players.iter().flatten().count(), 1, "{seats} seats");
        }
    }

    /// No move that is left out wins, and where nobody else can move rotations are among the others.
    #[test]
    fn moves_that_are_no_possible_wins_win_nothing() {
        let check = |position: &Position| {
            let mut possible = Vec::new();
            let _ = position.for_each_possible_win(&mut |m| {
                possible.push(m);
                ControlFlow::Continue(())
            });
            let all = position.moves();
            assert!(possible.iter().all(|m| all.contains(m)), "{position}");
            let wins = all.iter().filter(|m| {
                let mut next = position.clone();
                next.play(m);
                next.winner() == Some(position.mover())
            });
            let wins: Vec<_> = wins.collect();
            assert!(wins.iter().all(|m| possible.contains(m)), "{position}: {wins:?}");
            (wins.len(), all.len() - possible.len())
        };
        let blocked = "8[2NE]/9/9/9/9/9/9/9/[1N]aa6 1 2".parse().expect("a position");
        let (wins, left_out) = check(&blocked);
        assert!(wins > 1 && left_out == 0, "{wins} {left_out}");
        let (mut wins, mut left_out) = (0, 0);
        let mut rules = Position::default_rules();
        rules.set("Rotations", "false").expect("an option");
        for end in ends(&rules).step_by(3) {
            for m in end.moves().iter().step_by(2) {
                let mut next = end.clone();
                next.play(m);
                let (here, others) = check(&next);
                wins += here;
                left_out += others;
            }
        }
        assert!(wins > 50 && left_out > 1_000, "{wins} {left_out}");
        // One marker before the win every gain wins, a meeting as well.
        for end in ends(&rules) {
            let (mut near, mover) = (Board::clone(&end), end.mover());
            let neutral = Field::all().filter(|field| end.cell(*field) == Cell::NEUTRAL);
            let missing = winning_markers(2) - 1;
            for field in neutral.take(missing.saturating_sub(end.marker_count(mover))) {
                near.set_marker(field, Some(mover));
            }
            check(&Position::new(near, end.options()));
        }
        (wins, left_out) = (0, 0);
        for seed in 0..9 {
            let mut random = Random::new(seed);
            let mut rules = Position::default_rules();
            rules.set("Players", ["2", "3", "4"][seed as usize % 3]).expect("a number of players");
            let mut position = Position::start(&rules, None).expect("a start");
            while let Some(m) = position.random_move(&mut random) {
                if position.count_moves() < 3_000 {
                    let (here, others) = check(&position);
                    wins += here;
                    left_out += others;
                }
                position.play(&m);
            }
        }
        assert!(wins > 0 && left_out > 1_000, "{wins} {left_out}");
    }
}
