//! Matches in one process: pairings, throws, and scores.

use std::sync::{Arc, Mutex};

use parlor::game::{Chance, Game, Hidden, Rules, Seat, Situation};
use parlor::games::barbarossa;
use parlor::search::selfplay::{Contestant, SelfplayPlan, Standing, selfplay};
use parlor::search::{
    AlphaBetaPlayer, Choice, Limits, MaxNPlayer, Player, RandomPlayer, Report, Request,
};

use crate::games::{Chase, Heap, Plain, Race, RaceMove, Row};
use crate::graph::{Graph, Owner, Place, Vertex, first, second, vertex, won};

fn contestant<G: Game, P: Player<G> + 'static>(
    name: &str,
    depth: u32,
    make: impl Fn(u64) -> P + Send + Sync + 'static,
) -> Contestant<G> {
    Contestant {
        name: name.into(),
        limits: Limits::depth(depth),
        make: Box::new(move |seed| Box::new(make(seed))),
    }
}

fn alphabeta(depth: u32) -> Contestant<Row> {
    contestant("alphabeta", depth, |_| AlphaBetaPlayer::new(Plain))
}

fn random<G: Game>() -> Contestant<G> {
    contestant("random", 1, RandomPlayer::new)
}

#[test]
fn equal_players_share_every_bundle() {
    let plan = SelfplayPlan { openings: 20, opening_plies: 3, ..SelfplayPlan::default() };
    let row = Row::new(4, 14, 2, true);
    let standing = selfplay(&row, &[alphabeta(3), alphabeta(3)], &plan, &mut |_| true);
    assert_eq!((standing.first.bundles(), standing.first.games()), (20, 40));
    assert_eq!(standing.first.mean(), 0.5);
    assert_eq!(standing.first.variance(), 0.0);
    assert_eq!(standing.games[0], standing.games[2]);
    assert_eq!(standing.games.iter().sum::<u64>(), 40);
}

#[test]
fn the_stronger_wins_and_threads_do_not_matter() {
    let row = Row::new(4, 16, 2, true);
    let results = [1, 2, 3].map(|threads| {
        let plan = SelfplayPlan { openings: 60, threads, ..SelfplayPlan::default() };
        let standing = selfplay(&row, &[alphabeta(8), random()], &plan, &mut |_| true);
        assert!(standing.first.mean() > 0.75, "{standing:?}");
        assert!((standing.first.mean() + standing.second.mean() - 1.0).abs() < 1e-6);
        (standing.games, standing.plies, standing.first)
    });
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
}

#[test]
fn openings_differ_and_follow_from_the_seed() {
    let row = Row::new(4, 16, 2, true);
    let run = |seed| {
        let plan = SelfplayPlan { openings: 30, opening_plies: 6, seed, ..SelfplayPlan::default() };
        let standing = selfplay(&row, &[alphabeta(2), alphabeta(7)], &plan, &mut |_| true);
        (standing.games, standing.first)
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

/// Of five, three random moves leave something in one opening of five.
#[test]
fn no_opening_ends_the_game() {
    let plan = SelfplayPlan { openings: 20, opening_plies: 3, ..SelfplayPlan::default() };
    let (standing, asked) = noted(&Heap { left: 5, mover: 0 }, [|_| 1; 2], &plan);
    assert!(asked.iter().all(|(plies, heap, _)| *plies >= 3 && heap.left > 0), "{asked:?}");
    // Every game goes on after its opening.
    assert!(standing.plies >= 40, "{standing:?}");
}

#[test]
fn every_seat_of_every_opening_has_a_player_of_another_seed() {
    let seeds = Arc::new(Mutex::new(Vec::new()));
    let seeded = || {
        let seeds = seeds.clone();
        contestant("seeded", 1, move |seed| {
            seeds.lock().expect("a list").push(seed);
            RandomPlayer::new(seed)
        })
    };
    let plan = SelfplayPlan { openings: 3, ..SelfplayPlan::default() };
    selfplay(&Row::new(4, 16, 2, true), &[seeded(), seeded()], &plan, &mut |_| true);
    let mut seeds = std::mem::take(&mut *seeds.lock().expect("a list"));
    assert_eq!(seeds.len(), 12);
    seeds.sort_unstable();
    seeds.dedup();
    assert!(seeds.len() >= 6, "{seeds:?}");
}

#[test]
fn with_three_seats_one_sits_alone_in_each() {
    let row = Row::new(4, 15, 3, false);
    let plan = SelfplayPlan { openings: 40, opening_plies: 2, ..SelfplayPlan::default() };
    let maxn = contestant("maxn", 9, |_| MaxNPlayer::new(Plain));
    let standing = selfplay(&row, &[maxn, random()], &plan, &mut |_| true);
    assert_eq!((standing.first.games(), standing.second.games()), (120, 120));
    assert_eq!(standing.games.iter().sum::<u64>(), 120);
    assert!(standing.first.mean() > 0.38, "{}", standing.first.mean());
    assert!(standing.second.mean() < 0.33, "{}", standing.second.mean());
}

/// A seat and the throws it saw in one game.
type Seen = (Seat, Vec<u8>);

/// Always runs or always pushes, and records its throws.
struct Witness {
    m: RaceMove,
    throws: Arc<Mutex<Vec<Seen>>>,
    seen: Vec<u8>,
    seat: Option<Seat>,
}

impl Player<Race> for Witness {
    fn choose(
        &mut self,
        situation: &Situation<Race>,
        _: &Request<RaceMove>,
        _: &mut dyn FnMut(Report<RaceMove>),
    ) -> Option<Choice<RaceMove>> {
        self.seat = situation.seat();
        self.seen.push(situation.position().thrown);
        // A game of pushes alone would not end: every fourth move is a step.
        let m = if self.seen.len().is_multiple_of(4) { RaceMove::Run } else { self.m };
        Some(Choice { best: m, ponder: None })
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        if let Some(seat) = self.seat {
            self.throws.lock().expect("a list").push((seat, std::mem::take(&mut self.seen)));
        }
    }
}

#[test]
fn a_seat_has_the_same_throws_in_every_seating() {
    let throws = Arc::new(Mutex::new(Vec::new()));
    let witness = |m| {
        let throws = throws.clone();
        contestant("witness", 1, move |_| Witness {
            m,
            throws: throws.clone(),
            seen: Vec::new(),
            seat: None,
        })
    };
    let plan = SelfplayPlan { openings: 1, opening_plies: 0, ..SelfplayPlan::default() };
    let both = [witness(RaceMove::Run), witness(RaceMove::Push)];
    selfplay(&Race::new(2), &both, &plan, &mut |_| true);
    let throws = throws.lock().expect("a list");
    assert_eq!(throws.len(), 4);
    for seat in Seat::all(2) {
        let games: Vec<&Vec<u8>> =
            throws.iter().filter(|(of, _)| *of == seat).map(|(_, seen)| seen).collect();
        let common = games[0].len().min(games[1].len());
        assert!(common >= 3);
        assert_eq!(games[0][..common], games[1][..common], "{seat}");
    }
    let of_both: Vec<u8> = throws.iter().flat_map(|(_, seen)| seen.clone()).collect();
    assert!(of_both.contains(&1) && of_both.contains(&2));
}

/// Chooses an illegal move, or none.
struct Wrong(Option<u8>);

impl Player<Heap> for Wrong {
    fn choose(
        &mut self,
        _: &Situation<Heap>,
        _: &Request<u8>,
        _: &mut dyn FnMut(Report<u8>),
    ) -> Option<Choice<u8>> {
        self.0.map(|best| Choice { best, ponder: None })
    }
}

#[test]
fn a_player_without_a_legal_move_loses() {
    let heap = Heap { left: 40, mover: 0 };
    let plan = SelfplayPlan { openings: 5, ..SelfplayPlan::default() };
    for m in [None, Some(9)] {
        let both = [random(), contestant("wrong", 1, move |_| Wrong(m))];
        let standing = selfplay(&heap, &both, &plan, &mut |_| true);
        assert_eq!((standing.games, standing.faults), ([10, 0, 0], [0, 10]));
    }
}

#[test]
fn long_games_are_drawn_and_a_match_can_be_ended() {
    let chase = Chase { kings: [0, 7], mover: 1 };
    let plan =
        SelfplayPlan { openings: 50, opening_plies: 0, max_plies: 2, ..SelfplayPlan::default() };
    let mut calls = 0;
    let standing = selfplay(&chase, &[random(), random()], &plan, &mut |_| {
        calls += 1;
        calls < 7
    });
    assert_eq!((calls, standing.first.bundles(), standing.unfinished), (7, 7, 14));
    assert_eq!((standing.games, standing.plies), ([0, 14, 0], 28));
}

/// What a player is asked: after how many plies, in which position, and to which depth.
type Question<G> = (usize, G, Option<u32>);

/// Makes the move of a function, and notes what it was asked.
struct Noting<G: Game> {
    choice: fn(&G) -> G::Move,
    asked: Arc<Mutex<Vec<Question<G>>>>,
}

impl<G: Game> Player<G> for Noting<G> {
    fn choose(
        &mut self,
        situation: &Situation<G>,
        request: &Request<G::Move>,
        _: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<Choice<G::Move>> {
        let plies = situation.history().keys().len() - 1;
        let question = (plies, situation.position().clone(), request.limits.depth);
        self.asked.lock().expect("a list").push(question);
        Some(Choice { best: (self.choice)(situation.position()), ponder: None })
    }
}

/// A match of two such players; what they were asked, in order.
fn noted<G: Chance + Hidden>(
    start: &G,
    choices: [fn(&G) -> G::Move; 2],
    plan: &SelfplayPlan,
) -> (Standing, Vec<Question<G>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let both = choices.map(|choice| {
        let asked = asked.clone();
        contestant("noting", 9, move |_| Noting { choice, asked: asked.clone() })
    });
    let standing = selfplay(start, &both, plan, &mut |_| true);
    let asked = std::mem::take(&mut *asked.lock().expect("a list"));
    (standing, asked)
}

#[test]
fn no_search_goes_beyond_the_plies_of_the_game_of_which_the_opening_is_a_part() {
    let plan =
        SelfplayPlan { openings: 1, opening_plies: 2, drawn_after: 6, ..SelfplayPlan::default() };
    let (standing, asked) = noted(&Heap { left: 60, mover: 0 }, [|_| 1; 2], &plan);
    let found: Vec<_> = asked.iter().map(|(plies, _, depth)| (*plies, *depth)).collect();
    let game = [(2, Some(4)), (3, Some(3)), (4, Some(2)), (5, Some(1))];
    assert_eq!(found, [game, game].concat());
    assert_eq!((standing.games, standing.plies, standing.unfinished), ([0, 2, 0], 8, 0));
}

#[test]
fn an_opening_has_so_many_moves_of_seats_whatever_is_thrown_between_them() {
    let plan = SelfplayPlan { openings: 8, opening_plies: 3, ..SelfplayPlan::default() };
    let (_, asked) = noted(&Race::new(2), [|_| RaceMove::Run; 2], &plan);
    // A throw before every move.
    assert!(asked.iter().all(|(plies, ..)| *plies >= 7), "{asked:?}");
}

/// Plays at random once it has seen that it is shown the view of its seat of a game of `plies` plies.
struct Discreet {
    random: RandomPlayer,
    plies: usize,
}

impl Player<barbarossa::Position> for Discreet {
    fn choose(
        &mut self,
        situation: &Situation<barbarossa::Position>,
        request: &Request<barbarossa::Move>,
        report: &mut dyn FnMut(Report<barbarossa::Move>),
    ) -> Option<Choice<barbarossa::Move>> {
        let (position, seat) = (situation.position(), situation.seat()?);
        assert_eq!(position.viewer(), Some(seat));
        assert_eq!(position.to_string(), position.view(seat).to_string(), "{seat} sees too much");
        let played = situation.history().keys().len() - 1;
        assert_eq!(situation.plies_left(), Some(self.plies - played));
        self.random.choose(situation, request, report)
    }
}

#[test]
fn every_player_sees_the_game_as_its_seat_does() {
    let plies = 50;
    let discreet = || {
        let make = move |seed| Discreet { random: RandomPlayer::new(seed), plies };
        contestant("discreet", 1, make)
    };
    let start = barbarossa::Position::start(&barbarossa::Position::default_rules(), None);
    let plan = SelfplayPlan {
        openings: 1,
        opening_plies: 0,
        drawn_after: plies,
        ..SelfplayPlan::default()
    };
    let both = [discreet(), discreet()];
    let standing = selfplay(&start.expect("a start"), &both, &plan, &mut |_| true);
    assert!(standing.plies > 60, "{standing:?}");
}

/// A throw with a single outcome is none: the next one is the same in a game without it.
#[test]
fn a_throw_that_is_certain_is_not_counted() {
    let chance = |to: &[u16]| Vertex { weights: vec![1; to.len()], ..vertex(Owner::Chance, 0, to) };
    let mut vertices = vec![first(0, &[1, 2]), chance(&[2]), chance(&[3, 4, 5, 6])];
    vertices.extend([(); 4].map(|()| second(0, &[7])));
    vertices.push(won(0));
    let start: Place = Graph::start(vertices);
    let plan = SelfplayPlan { openings: 20, opening_plies: 0, ..SelfplayPlan::default() };
    let choices: [fn(&Place) -> u16; 2] =
        [|place| place.moves()[0], |place| *place.moves().last().expect("a move")];
    let (_, asked) = noted(&start, choices, &plan);
    let thrown: Vec<(usize, u16)> = asked
        .iter()
        .filter(|(_, place, _)| place.at > 0)
        .map(|(n, place, _)| (*n, place.at))
        .collect();
    assert_eq!(thrown.len(), 40);
    for pair in thrown.chunks(2) {
        assert_eq!((pair[0].0, pair[1].0), (3, 2));
        assert_eq!(pair[0].1, pair[1].1, "{thrown:?}");
    }
}
