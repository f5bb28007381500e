//! Play below full strength: what a level never overlooks, and what it depends on.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parlor::game::{
    Game, Hidden, Notation, OptionValues, Outcome, Random, Rules, Seat, Situation, Turn,
};
use parlor::games::{Playable, azacru, barbarossa, barca, pacru, porrika, shacru};
use parlor::search::{
    Choice, FULL_LEVEL, Info, Ladder, LevelPlayer, Limits, MoveKinds, Player, Report, Request,
    Score, Settings, Strength,
};

use crate::graph::{Graph, Owner, Place, first, second, vertex, won};
use crate::graphs::{self, ask};

/// Whether a move ends the game with its mover first alone.
fn wins<G: Game>(position: &G, seat: Seat, m: &G::Move) -> bool {
    let mut next = position.clone();
    next.play(m);
    next.outcome().is_some_and(|outcome| outcome.share(seat) == 1.0)
}

/// Whether a move loses at once, or another seat is next and can win by its move.
fn gives_away<G: Game>(position: &G, m: &G::Move) -> bool {
    let mut next = position.clone();
    next.play(m);
    match next.turn() {
        Turn::Seat(other) if position.turn() != next.turn() => {
            next.moves().iter().any(|reply| wins(&next, other, reply))
        }
        Turn::Over => {
            let result = next.outcome().zip(position.turn().seat());
            result.is_some_and(|(outcome, seat)| outcome.share(seat) == 0.0)
        }
        _ => false,
    }
}

/// Whether some moves give a win away and some do not.
fn can_lose<G: Game>(position: &G, moves: &[G::Move]) -> bool {
    let is_safe = |m: &G::Move| !gives_away(position, m);
    moves.iter().any(is_safe) && !moves.iter().all(is_safe)
}

/// Whether the seat to move wins by its second move, whatever is answered.
fn wins_in_two<G: Game>(position: &G, seat: Seat) -> bool {
    position.moves().iter().any(|m| {
        let mut next = position.clone();
        next.play(m);
        next.outcome().is_none()
            && next.moves().iter().all(|reply| {
                let mut answered = next.clone();
                answered.play(reply);
                answered.turn() == Turn::Seat(seat)
                    && answered.moves().iter().any(|m| wins(&answered, seat, m))
            })
    })
}

/// A player of the game at the least strength with the care of a level.
fn weakest<G: Playable>(level: usize, seed: u64) -> impl Player<G> {
    let ladder = G::LADDER.expect("levels");
    let settings = Settings { hash: 1, threads: 0, seed, options: OptionValues::default() };
    G::limited(ladder, Strength::new(0.0, level), &settings)
}

fn choose<G: Playable>(player: &mut dyn Player<G>, situation: &Situation<G>) -> G::Move {
    let request = Request::new(Limits::default());
    player.choose(situation, &request, &mut |_| {}).expect("a move").best
}

/// The positions of a game that greedy and random moves make, as long as someone is to move.
fn positions_of_game<G: Playable + Rules>(game: u64) -> Vec<Situation<G>> {
    let settings = Settings { seed: game + 1, ..Settings::default() };
    let mut greedy = G::player("greedy", &settings).expect("greedy");
    let mut random = Random::new(game + 1);
    let mut situation = Situation::new(G::start(&G::default_rules(), None).expect("a start"));
    let mut found = Vec::new();
    for _ in 0..150 {
        if situation.seat().is_none() {
            break;
        }
        found.push(situation.clone());
        let m = match random.below(4) {
            0 => situation.position().random_move(&mut random).expect("a move"),
            _ => choose(greedy.as_mut(), &situation),
        };
        situation.play(&m);
    }
    found
}

/// The positions of some games.
fn positions<G: Playable + Rules>(games: u64) -> Vec<Situation<G>> {
    (0..games).flat_map(positions_of_game).collect()
}

/// Positions of a kind that are looked at.
const MOST: usize = 12;

/// Looks at positions in which something can be overlooked; returns how many there were.
fn check_care<G: Playable + Rules>(games: u64) -> [usize; 3] {
    let mut seen = [0; 3];
    for (number, situation) in positions::<G>(games).iter().enumerate().step_by(3) {
        let (position, seed) = (situation.position(), number as u64 + 1);
        let seat = situation.seat().expect("a seat");
        let moves = position.moves();
        let has_win = moves.iter().any(|m| wins(position, seat, m));
        if has_win && seen[0] < MOST {
            seen[0] += 1;
            let m = choose(&mut weakest::<G>(3, seed), situation);
            assert!(wins(position, seat, &m), "{} {position}: {}", G::NAME, position.token(&m));
            let mut careful = weakest::<G>(5, seed);
            let request = Request::new(Limits::default());
            careful.choose(situation, &request, &mut |report| {
                if let Report::Info(info) = report {
                    assert_eq!(info.score, Score::Mate(1), "{} {position}", G::NAME);
                }
            });
        } else if !has_win && seen[1] < MOST && can_lose(position, &moves) {
            seen[1] += 1;
            let m = choose(&mut weakest::<G>(3, seed), situation);
            assert!(!gives_away(position, &m), "{} {position}: {}", G::NAME, position.token(&m));
        } else if !has_win && seen[2] < MOST && wins_in_two(position, seat) {
            seen[2] += 1;
            let m = choose(&mut weakest::<G>(5, seed), situation);
            let mut next = position.clone();
            next.play(&m);
            let still = |reply: &G::Move| {
                let mut answered = next.clone();
                answered.play(reply);
                answered.moves().iter().any(|m| wins(&answered, seat, m))
            };
            assert!(next.moves().iter().all(still), "{} {position}", G::NAME);
        }
    }
    seen
}

#[test]
fn from_level_three_on_wins_and_losses_in_one_are_seen_from_level_five_on_in_two() {
    let seen = [
        check_care::<barca::Position>(12),
        check_care::<pacru::Position>(1),
        check_care::<porrika::Position>(8),
    ];
    for (kind, least) in [6, 12, 2].into_iter().enumerate() {
        let sum: usize = seen.iter().map(|counts| counts[kind]).sum();
        assert!(sum >= least, "too few positions to see anything: {seen:?}");
    }
}

/// Asks levels 3 to 10 in `most` positions in which a win in one can be missed or a loss in one
/// taken, every level in its turn.
fn check_levels<G: Playable + Rules>(most: usize) {
    let ladder = G::LADDER.expect("levels");
    let mut seen = 0;
    for (number, situation) in (0..).flat_map(positions_of_game::<G>).enumerate() {
        let position = situation.position();
        let seat = situation.seat().expect("a seat");
        // All replies to thousands of moves take too long.
        if position.count_moves() > 500 {
            continue;
        }
        let moves = position.moves();
        let has_win = moves.iter().any(|m| wins(position, seat, m));
        if !has_win && !can_lose(position, &moves) {
            continue;
        }
        let settings = Settings { hash: 1, seed: number as u64, ..Settings::default() };
        let mut request = Request::new(Limits::default());
        let level = 3 + seen % (FULL_LEVEL - 2);
        let mut player: Box<dyn Player<G>> = match ladder.level(level) {
            Some(strength) => Box::new(G::limited(ladder, strength, &settings)),
            None => {
                request.limits = Limits::nodes(10_000);
                G::player("engine", &settings).expect("the engine")
            }
        };
        let m = player.choose(&situation, &request, &mut |_| {}).expect("a move").best;
        let token = position.token(&m);
        assert!(
            if has_win { wins(position, seat, &m) } else { !gives_away(position, &m) },
            "{} {position}: level {level} plays {token}",
            G::NAME
        );
        seen += 1;
        if seen == most {
            return;
        }
    }
}

/// How many positions the levels are asked in: the slow tests take minutes.
fn positions_asked() -> usize {
    if std::env::var_os("PARLOR_SLOW_TESTS").is_some() { 2_000 } else { 16 }
}

#[test]
fn levels_of_barca_see_wins_and_losses_in_one() {
    check_levels::<barca::Position>(positions_asked());
}

#[test]
fn levels_of_pacru_see_wins_and_losses_in_one() {
    check_levels::<pacru::Position>(positions_asked());
}

#[test]
fn levels_of_porrika_see_wins_and_losses_in_one() {
    check_levels::<porrika::Position>(positions_asked());
}

#[test]
fn levels_of_shacru_and_azacru_see_wins_and_losses_in_one() {
    check_levels::<shacru::Position>(positions_asked());
    check_levels::<azacru::Position>(positions_asked());
}

#[test]
fn a_level_depends_on_its_seed_alone_and_seeds_differ() {
    let situations = positions::<barca::Position>(1);
    let mut differ = false;
    for situation in situations.iter().take(20) {
        let first = choose(&mut weakest(1, 7), situation);
        assert_eq!(first, choose(&mut weakest(1, 7), situation));
        differ |= first != choose(&mut weakest(1, 8), situation);
    }
    assert!(differ);
}

#[test]
fn levels_rise_and_an_elo_lies_between_them() {
    fn check<G: Playable>() {
        let ladder = G::LADDER.expect("levels");
        assert!(ladder.strengths.is_sorted_by(|low, high| low < high), "{}", G::NAME);
        assert_eq!((ladder.level(FULL_LEVEL), ladder.level(0)), (None, None));
        let Some(elos) = ladder.elo else {
            assert_eq!(ladder.at_elo(1000), None, "{}", G::NAME);
            return;
        };
        assert!(elos.is_sorted_by(|low, high| low < high), "{}", G::NAME);
        for (level, elo) in (1..FULL_LEVEL).zip(elos) {
            assert_eq!(ladder.level(level), ladder.at_elo(elo), "{}", G::NAME);
        }
        assert_eq!(ladder.at_elo(0), ladder.level(1));
        assert_eq!(ladder.at_elo(u16::MAX), ladder.level(9));
    }
    check::<barca::Position>();
    check::<pacru::Position>();
    check::<porrika::Position>();
    check::<parlor::games::chowka_bhara::Position>();
}

#[test]
fn the_strength_of_an_elo_lies_where_the_elo_does() {
    let ladder = Ladder {
        noise: 1.0,
        nodes: 9.0,
        strengths: [100, 200, 300, 400, 500, 600, 700, 800, 900],
        elo: Some([0, 200, 400, 600, 800, 1_000, 1_200, 1_400, 1_600]),
    };
    assert_eq!(ladder.at_elo(550), Some(Strength::new(0.375, 3)));
    // Between levels 2 and 3 a win at once is seen in half of the positions; the search likes the other
    // move better, and overlooks it now and then.
    let position = Graph::start(vec![first(0, &[1, 2]), second(0, &[0]), won(0)]);
    let wins = |seed: &u64| {
        let strength = ladder.at_elo(300).expect("a strength");
        let inner = Box::new(InOrder(Arc::default(), 100));
        let mut level = LevelPlayer::new(inner, &EXACT, strength, *seed, KINDS);
        let situation = Situation::new(position.clone());
        ask(&mut level, &situation, &Request::new(Limits::default())).0 == 2
    };
    let seen = (1..=100).filter(wins).count();
    assert!((45..=80).contains(&seen), "{seen}");
    assert_eq!(ladder.at_elo(450), Some(Strength::new(0.325, 3)));
}

/// A game of Barbarossa among four players of a level: the arrows when the last seat left its first
/// space, and at the end.
fn arrows_of_barbarossa(level: &str, seed: u64) -> [usize; 2] {
    let mut rules = barbarossa::Position::default_rules();
    rules.set("Players", "4").expect("a number of players");
    let mut random = Random::new(seed);
    let mut players: Vec<_> = (0..4)
        .map(|seat| {
            let mut options = OptionValues::new(barbarossa::Position::engine_options());
            options.set("Level", level).expect("a level");
            let settings = Settings { seed: seed + seat, options, ..Settings::default() };
            barbarossa::Position::player("engine", &settings).expect("the engine")
        })
        .collect();
    let mut position = barbarossa::Position::start(&rules, None).expect("a start");
    let mut early = None;
    while position.outcome().is_none() {
        let start = position.options().ring_start;
        if early.is_none() && Seat::all(4).all(|seat| position.seat(seat).pawn != start) {
            early = Some(position.arrows());
        }
        let m = match position.turn() {
            Turn::Seat(seat) => {
                choose(&mut *players[seat.index()], &Situation::new(position.view(seat)))
            }
            _ => position.random_move(&mut random).expect("a throw"),
        };
        position.play(&m);
    }
    [early.expect("all seats have moved"), position.arrows()]
}

#[test]
fn low_levels_of_barbarossa_make_no_guess_before_every_seat_has_had_a_turn() {
    for seed in 1..=3 {
        let [early, all] = arrows_of_barbarossa("3", seed);
        assert_eq!(early, 0, "seed {seed}");
        assert!(all > 0, "seed {seed}");
    }
}

/// Says of every move that it is worse than the one before by so many hundredths, and notes how many
/// nodes it may visit.
struct InOrder(Arc<AtomicU64>, i32);

impl Player<Place> for InOrder {
    fn choose(
        &mut self,
        situation: &Situation<Place>,
        request: &Request<u16>,
        report: &mut dyn FnMut(Report<u16>),
    ) -> Option<Choice<u16>> {
        self.0.store(request.limits.nodes.expect("a limit"), Ordering::Relaxed);
        let moves = situation.position().moves();
        for (at, m) in moves.into_iter().filter(|m| request.allows(m)).enumerate() {
            let info = Info::new(1, Score::Cp(-self.1 * at as i32), vec![m]);
            report(Report::Info(Info { multipv: at + 1, ..info }));
        }
        None
    }
}

const KINDS: MoveKinds<Place> =
    MoveKinds { is_noisy: |place, m| place.vertex().noisy.contains(m), ..graphs::KINDS };

/// Levels of 1000 nodes that add nothing to the values.
static EXACT: Ladder = Ladder { noise: 0.0, nodes: 1_000.0, strengths: [1_000; 9], elo: None };

/// A level with these; the nodes that its search may visit.
fn exact_level(share: f64, level: usize) -> (LevelPlayer<Place>, Arc<AtomicU64>) {
    let nodes = Arc::new(AtomicU64::new(0));
    let inner = Box::new(InOrder(nodes.clone(), 100));
    (LevelPlayer::new(inner, &EXACT, Strength::new(share, level), 1, KINDS), nodes)
}

/// Moves that are nearly as good as the best are played in the first six plies alone.
#[test]
fn the_first_moves_of_a_game_vary_and_later_ones_do_not() {
    let played = |plies: usize| {
        let to_and_fro = [first(0, &[1, 2, 3]), second(0, &[0]), second(0, &[0]), second(0, &[0])];
        let mut situation = Situation::new(Graph::without_repetition(2, to_and_fro.into()));
        (0..plies).for_each(|ply| situation.play(if ply % 2 == 0 { &1 } else { &0 }));
        let answer = |seed| {
            let inner = Box::new(InOrder(Arc::default(), 1));
            let strongest = Strength::new(1.0, 9);
            let mut level = LevelPlayer::new(inner, &EXACT, strongest, seed, KINDS);
            ask(&mut level, &situation, &Request::new(Limits::default())).0
        };
        (1..=20).map(answer).collect::<BTreeSet<u16>>()
    };
    assert_eq!((played(0).len(), played(4).len()), (3, 3));
    assert_eq!(played(6), BTreeSet::from([1]));
}

/// The first seat can draw at once, or play on for ever.
fn draw_or_play_on() -> Situation<Place> {
    Situation::new(Graph::start(vec![
        first(0, &[1, 2]),                            // 0
        vertex(Owner::End(Outcome::draw(2)), 0, &[]), // 1
        second(0, &[3]),                              // 2
        first(0, &[2]),                               // 3
    ]))
}

#[test]
fn a_draw_at_once_is_no_loss_that_a_level_avoids() {
    let (mut level, _) = exact_level(1.0, 5);
    let request = Request::new(Limits::default());
    let choice = level.choose(&draw_or_play_on(), &request, &mut |_| {});
    assert_eq!(choice.expect("a move").best, 1);
}

#[test]
fn a_limit_of_nodes_makes_no_level_stronger() {
    for (share, limits, expected) in [
        (1.0, Limits::default(), 1_000),
        (1.0, Limits::nodes(9), 9),
        (1.0, Limits::nodes(5_000), 1_000),
        // The logarithm is halved: the root of 1000.
        (0.5, Limits::default(), 32),
        // Eight for each of two moves.
        (0.0, Limits::default(), 16),
        (0.0, Limits::nodes(9), 9),
    ] {
        let (mut level, nodes) = exact_level(share, 5);
        level.choose(&draw_or_play_on(), &Request::new(limits), &mut |_| {});
        assert_eq!(nodes.load(Ordering::Relaxed), expected, "strength {share}");
    }
}

/// Wins in one move and in two that may not be made are not made; those that may are told as such.
#[test]
fn a_level_wins_by_a_search_move_alone() {
    let at_once = vec![first(0, &[1, 2]), won(0), second(0, &[3]), first(0, &[2])];
    let in_two = vec![
        first(0, &[1, 2]), // 0
        second(0, &[4]),   // 1
        second(0, &[3]),   // 2: to and fro
        first(0, &[2]),    // 3
        first(0, &[5]),    // 4
        won(0),            // 5
    ];
    for (vertices, plies) in [(at_once, 1), (in_two, 3)] {
        let situation = Situation::new(Graph::start(vertices));
        let answer = |search_moves| {
            let request = Request { search_moves, ..Request::new(Limits::default()) };
            let (m, mut infos) = ask(&mut exact_level(1.0, 5).0, &situation, &request);
            (m, infos.pop().expect("an info").score)
        };
        assert_eq!(answer(None), (1, Score::Mate(plies)));
        assert_eq!(answer(Some(vec![2])).0, 2, "a win in {plies} plies");
    }
}

/// The move that seems best loses. The other one is told as the only line.
#[test]
fn a_level_tells_one_line() {
    let vertices =
        vec![first(0, &[1, 2]), second(0, &[3]), second(0, &[4]), won(1), first(0, &[2])];
    let request = Request::new(Limits::default());
    let situation = Situation::new(Graph::start(vertices));
    let (m, infos) = ask(&mut exact_level(1.0, 5).0, &situation, &request);
    assert_eq!((m, infos.len(), infos[0].multipv), (2, 1, 1));
}

/// The move that seems best loses at once; the one that seems worst wins, but only in two.
#[test]
fn no_level_is_more_careful_than_it_should_be() {
    let vertices = vec![
        first(0, &[1, 2, 6]), // 0
        second(0, &[3]),      // 1
        second(0, &[4]),      // 2: to and fro
        won(1),               // 3
        first(0, &[2]),       // 4
        won(0),               // 5
        second(0, &[7]),      // 6
        first(0, &[5]),       // 7
    ];
    let situation = Situation::new(Graph::start(vertices));
    let chosen = |level| {
        let (mut player, _) = exact_level(1.0, level);
        ask(&mut player, &situation, &Request::new(Limits::default())).0
    };
    assert_eq!([1, 2, 3, 4, 5, 9].map(chosen), [1, 1, 2, 2, 6, 6]);
}

#[test]
fn where_every_move_loses_a_level_makes_the_one_that_seems_best() {
    let vertices = vec![first(0, &[1, 2]), second(0, &[3]), second(0, &[3]), won(1)];
    let situation = Situation::new(Graph::start(vertices));
    let (mut player, _) = exact_level(1.0, 5);
    assert_eq!(ask(&mut player, &situation, &Request::new(Limits::default())).0, 1);
}

/// The move that seems best loses at once, the other one in two.
#[test]
fn where_every_move_loses_a_level_makes_one_that_does_not_lose_at_once() {
    let vertices = vec![
        first(0, &[1, 2]), // 0
        second(0, &[3]),   // 1
        second(0, &[4]),   // 2
        won(1),            // 3
        first(0, &[5]),    // 4
        second(0, &[3]),   // 5
    ];
    let situation = Situation::new(Graph::start(vertices));
    for (level, expected) in [(2, 1), (3, 2), (5, 2)] {
        let (mut player, _) = exact_level(1.0, level);
        let m = ask(&mut player, &situation, &Request::new(Limits::default())).0;
        assert_eq!(m, expected, "level {level}");
    }
}

/// Of 1000 players without any strength 10 % overlook a noisy move and 40 % a quiet one. The better of
/// two moves is made unless it is overlooked and the other is not. At full strength nothing is
/// overlooked, and there is no noise.
#[test]
fn weak_levels_overlook_quiet_moves_more_often_than_noisy_ones() {
    static QUIET: Ladder = Ladder { noise: 0.0, nodes: 1_000.0, strengths: [0; 9], elo: None };
    static LOUD: Ladder = Ladder { noise: 900.0, nodes: 1_000.0, strengths: [0; 9], elo: None };
    let times_best = |ladder: &'static Ladder, share, noisy: u16| {
        let mut vertices =
            vec![first(0, &[1, 2]), second(0, &[3]), second(0, &[3]), first(0, &[1])];
        vertices[0].noisy = vec![noisy];
        let situation = Situation::new(Graph::start(vertices));
        let is_best = |seed: &u64| {
            let inner = Box::new(InOrder(Arc::default(), 100));
            let strength = Strength::new(share, 1);
            let mut level = LevelPlayer::new(inner, ladder, strength, *seed, KINDS);
            ask(&mut level, &situation, &Request::new(Limits::default())).0 == 1
        };
        (1..=1_000).filter(is_best).count()
    };
    let [noisy, quiet] = [1, 2].map(|noisy| times_best(&QUIET, 0.0, noisy));
    assert!((910..970).contains(&noisy), "{noisy} for 1 - 0.1 * 0.6");
    assert!((570..710).contains(&quiet), "{quiet} for 1 - 0.4 * 0.9");
    assert_eq!(times_best(&LOUD, 1.0, 2), 1_000);
}

/// Both moves lose, and the other wins at once after one of them.
#[test]
fn a_lost_ending_is_played_on() {
    let text = "[2N*]2aaaaa1/baaba1aa[1E*]/abbba1abb/abbbaabab/1abbabaab/1aaabaa[1S*]b/\
                [1W*]a1abbaba/1b[2NW*]baab1a/2[2S*]bbbb[2E*][1S*] 2 2 2";
    let position = shacru::Position::parse(text, &shacru::Position::default_rules(), None);
    let situation = Situation::new(position.expect("a position"));
    let mut engine = shacru::Position::player("engine", &Settings::default()).expect("the engine");
    let request = Request::new(Limits::nodes(10_000));
    let m = engine.choose(&situation, &request, &mut |_| {}).expect("a move").best;
    assert!(!gives_away(situation.position(), &m), "{}", situation.position().token(&m));
}
