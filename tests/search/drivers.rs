//! What every driver has in common: where a game ends, how far a search goes, and that nothing is
//! left of the one before.

use std::time::Duration;

use parlor::game::{Game, Situation};
use parlor::search::dice::{Depth, centipawns};
use parlor::search::maxn::maxn;
use parlor::search::value::{WIN, value};
use parlor::search::{
    AlphaBetaPlayer, BestReplyPlayer, Control, Greedy, Info, Limits, MaxNPlayer, MctsConfig,
    MctsPlayer, Player, PvsConfig, Report, Request, Score, Settings, Star2Player,
    VectorExpectimaxPlayer,
};

use crate::graph::{FirstMove, Graph, LABELS, Place, Shape, first, random, second, won};
use crate::graphs::{TWO, answer, ask, pvs};

/// Every driver that searches, in full width where it has the choice.
fn drivers(hash: usize) -> [(&'static str, Box<dyn Player<Place>>); 7] {
    let settings = Settings { hash, threads: 0, ..Settings::default() };
    let config = PvsConfig::full_width;
    [
        ("pvs", Box::new(pvs(config(), hash))),
        (
            "best reply",
            Box::new(BestReplyPlayer::<_, FirstMove, _>::new(LABELS, config(), &settings)),
        ),
        ("alpha-beta", Box::new(AlphaBetaPlayer::new(LABELS))),
        ("max^n", Box::new(MaxNPlayer::new(LABELS))),
        ("star2", Box::new(Star2Player::new(LABELS, hash))),
        ("vector expectimax", Box::new(VectorExpectimaxPlayer::new(LABELS, hash))),
        ("tree search", Box::new(MctsPlayer::new(LABELS, MctsConfig::default()))),
    ]
}

/// Like [`TWO`], but nothing ends a line.
fn endless(seed: u64) -> Place {
    let start = random(seed, Shape { ends: u64::MAX, ..TWO });
    Graph::without_repetition(2, start.graph.vertices.clone())
}

/// The first seat can win on ply 3, or play on for ever with the worse position.
fn win_on_ply_three() -> Place {
    Graph::start(vec![
        first(0, &[1, 4]), // 0
        second(0, &[2]),   // 1
        first(0, &[1, 3]), // 2
        won(0),            // 3
        second(-50, &[5]), // 4
        first(-50, &[4]),  // 5
        second(0, &[0]),   // 6: before the start
    ])
}

/// A game that its rules end on the last ply is not drawn by the number of its plies. Those that were
/// played before the search count.
#[test]
fn a_win_on_the_last_ply_is_a_win_and_one_on_the_ply_after_is_none() {
    for hash in [0, 1] {
        for (name, mut player) in drivers(hash) {
            for played in [0usize, 1] {
                let start = win_on_ply_three();
                let mut situation =
                    Situation::new(if played == 0 { start } else { start.after(6) });
                (0..played).for_each(|_| situation.play(&0));
                let mut value_within = |plies| {
                    let situation = situation.clone().drawn_after(played + plies);
                    value(answer(player.as_mut(), &situation, Limits::depth(4)).1.score, 0)
                };
                assert!(value_within(3) > 9_000, "{name}, {played} played");
                assert_eq!(value_within(2), 0, "{name}, {played} played");
            }
        }
    }
}

/// The same one ply before the end, where only one move may be made.
#[test]
fn the_last_move_wins_or_draws() {
    let situation = Situation::new(win_on_ply_three().after(2)).drawn_after(1);
    let greedy: Box<dyn Player<Place>> = Box::new(Greedy::new(LABELS, 1));
    for (name, mut player) in drivers(0).into_iter().chain([("greedy", greedy)]) {
        let mut score_of = |m| {
            let mut request = Request::new(Limits::depth(2));
            request.search_moves = Some(vec![m]);
            ask(player.as_mut(), &situation, &request).1.pop().expect("an info").score
        };
        let won = score_of(3);
        assert!(value(won, 0) > 9_000, "{name}");
        assert!(matches!(won, Score::Cp(_) | Score::Mate(1)), "{name}: {won:?}");
        assert_eq!(score_of(1), Score::Cp(0), "{name}");
    }
}

/// The better move leads to a third occurrence, which is a draw.
#[test]
fn no_driver_takes_a_third_occurrence_for_its_evaluation() {
    let start = Graph::start(vec![
        first(0, &[1]),       // 0
        second(100, &[2, 4]), // 1
        first(0, &[1]),       // 2
        second(50, &[5]),     // 3
        first(0, &[1, 3]),    // 4
        first(50, &[3]),      // 5
    ]);
    let mut situation = Situation::new(start);
    [1, 2, 1, 4].iter().for_each(|m| situation.play(m));
    assert!(situation.seat().is_some());
    let greedy: Box<dyn Player<Place>> = Box::new(Greedy::new(LABELS, 1));
    // Those for dice know no repetition.
    let players =
        drivers(0).into_iter().filter(|(name, _)| !["star2", "vector expectimax"].contains(name));
    for (name, mut player) in players.chain([("greedy", greedy)]) {
        let request = Request::new(Limits::depth(1));
        let choice = player.choose(&situation, &request, &mut |_| {}).expect("a move");
        assert_eq!(choice.best, 3, "{name}");
    }
}

/// Throws are plies, and a table keeps positions apart that have others left.
#[test]
fn players_of_dice_count_the_plies_that_the_reference_counts() {
    let mut drawn = 0;
    for seed in 0..25 {
        let start = random(seed, Shape { chance: 3, ends: 6, ..TWO });
        let vertices = start.graph.vertices.clone();
        let endless = Situation::new(Graph::without_repetition(2, vertices));
        let Some(seat) = endless.seat() else { continue };
        let hash = (seed % 3) as usize / 2;
        let mut players: [Box<dyn Player<Place>>; 2] = [
            Box::new(Star2Player::new(LABELS, hash)),
            Box::new(VectorExpectimaxPlayer::new(LABELS, hash)),
        ];
        for (plies, depth) in (1..6).flat_map(|plies| [1, 2, 3].map(|depth| (plies, depth))) {
            let situation = endless.clone().drawn_after(plies);
            let best = |situation| maxn(situation, LABELS, Depth::of_moves(depth))[seat.index()];
            let Score::Cp(expected) = centipawns(0.5 + best(&situation) / f64::from(2 * WIN))
            else {
                panic!("no probability");
            };
            drawn += u32::from((best(&situation) - best(&endless)).abs() > 1.0);
            for player in &mut players {
                let found = answer(player.as_mut(), &situation, Limits::depth(depth)).1.score;
                let difference = value(found, 0).abs_diff(expected);
                assert!(difference <= 1, "{found:?} for {expected}: {plies}, {situation:?}");
            }
        }
    }
    assert!(drawn > 50, "the plies matter in {drawn} searches");
}

/// Where none of the moves to search is legal, any move will do, but one there must be.
#[test]
fn every_driver_has_a_move_where_no_search_move_is_legal() {
    let situation = Situation::new(random(3, TWO));
    let greedy: Box<dyn Player<Place>> = Box::new(Greedy::new(LABELS, 1));
    for (name, mut player) in drivers(0).into_iter().chain([("greedy", greedy)]) {
        let mut request = Request::new(Limits { depth: Some(2), ..Limits::nodes(900) });
        request.search_moves = Some(vec![999]);
        let choice = player.choose(&situation, &request, &mut |_| {});
        assert!(choice.is_some_and(|m| situation.position().is_legal(&m.best)), "{name}");
    }
}

/// Only where a single move is legal is there nothing to think about: the value of one of several may
/// be wanted.
#[test]
fn a_search_of_one_of_several_moves_goes_on_to_its_limit() {
    const NODES: u64 = 40_000;
    let situation = Situation::new(endless(3));
    let moves = situation.position().moves();
    assert!(moves.len() > 1);
    for (name, mut player) in drivers(0) {
        let mut request = Request::new(Limits::nodes(NODES));
        request.search_moves = Some(moves[..1].to_vec());
        let (m, infos) = ask(player.as_mut(), &situation, &request);
        let last = infos.last().expect("an info");
        assert_eq!((m, last.pv[0]), (moves[0], moves[0]), "{name}");
        assert!(last.depth > 3, "{name}: {last:?}");
        if ["pvs", "best reply"].contains(&name) {
            assert_eq!(last.nodes, NODES, "{name}");
        }
    }
}

/// More nodes than any of the following searches needs.
const FAR: u64 = 100_000;

#[test]
fn a_single_move_is_answered_soon_by_every_driver() {
    let situation = Situation::new(endless(3).with(|vertices| vertices[0].to.truncate(1)));
    assert_eq!(situation.position().count_moves(), 1);
    for (name, mut player) in drivers(0) {
        let (_, info) = answer(player.as_mut(), &situation, Limits::nodes(FAR));
        assert!(info.nodes < FAR / 2, "{name}: {} nodes", info.nodes);
    }
}

#[test]
fn no_driver_begins_an_iteration_after_the_planned_time() {
    let situation = Situation::new(endless(3));
    for (name, mut player) in drivers(0) {
        let limits = Limits { soft: Some(Duration::ZERO), ..Limits::nodes(FAR) };
        let (_, info) = answer(player.as_mut(), &situation, limits);
        assert_eq!(info.depth, 1, "{name}");
    }
}

/// Where nobody can win, a search for a win within so many plies ends all the same, and goes no deeper
/// than a depth that it is given too.
#[test]
fn a_win_that_there_is_not_is_sought_within_its_limits() {
    let situation = Situation::new(endless(3));
    for (name, mut player) in drivers(0) {
        let limits = Limits { mate: Some(2), ..Limits::nodes(FAR) };
        let (_, info) = answer(player.as_mut(), &situation, limits);
        assert!(info.nodes < FAR / 2, "{name}: {} nodes", info.nodes);
        let limits = Limits { depth: Some(2), mate: Some(4), ..Limits::nodes(FAR) };
        let (_, info) = answer(player.as_mut(), &situation, limits);
        assert!(info.depth <= 2, "{name}: depth {}", info.depth);
    }
}

#[test]
fn the_expected_answer_is_the_second_move_of_the_line() {
    let situation = Situation::new(endless(3));
    for (name, mut player) in drivers(0) {
        let mut line = Vec::new();
        let request = Request::new(Limits::depth(4));
        let choice = player.choose(&situation, &request, &mut |report| {
            if let Report::Info(info) = report {
                line = info.pv;
            }
        });
        let choice = choice.expect("a move");
        let told = (Some(&choice.best), choice.ponder.as_ref());
        assert_eq!(told, (line.first(), line.get(1)), "{name}");
        // The other drivers tell nothing but the move.
        let has_lines = ["pvs", "best reply", "alpha-beta", "tree search"].contains(&name);
        assert_eq!(choice.ponder.is_some(), has_lines, "{name}");
    }
}

/// What is reported as time counts from the beginning of the search, though the clock begins later.
#[test]
fn the_time_of_a_search_includes_what_it_pondered() {
    let situation = Situation::new(endless(3));
    let control = Control::new(true);
    std::thread::sleep(Duration::from_millis(20));
    let pondered = control.elapsed();
    control.ponder_hit();
    for (name, mut player) in drivers(0) {
        let request = Request { control: control.clone(), ..Request::new(Limits::depth(2)) };
        let (_, infos) = ask(player.as_mut(), &situation, &request);
        assert!(infos.iter().all(|info| info.time >= pondered), "{name}: {infos:?}");
    }
}

/// Every move that is made counts, also those since the last look at the limits.
#[test]
fn a_search_of_depth_one_has_as_many_nodes_as_moves() {
    for seed in 0..10 {
        let situation = Situation::new(endless(seed));
        let moves = situation.position().count_moves();
        for (name, mut player) in drivers(0) {
            // A tree search has no such depth.
            if moves > 1 && name != "tree search" {
                let (_, info) = answer(player.as_mut(), &situation, Limits::depth(1));
                assert_eq!(info.nodes, moves, "{name}");
            }
        }
    }
}

fn without_time(infos: Vec<Info<u16>>) -> String {
    let timeless = |info| Info { time: Duration::ZERO, ..info };
    format!("{:?}", infos.into_iter().map(timeless).collect::<Vec<_>>())
}

/// In a new game a player answers and reports as one that has never searched. Where nothing is kept, it
/// does so in the same game.
#[test]
fn nothing_is_left_of_a_game_that_is_over() {
    let mut second = Request::new(Limits::depth(3));
    second.multi_pv = 2;
    for seed in 0..10 {
        let (before, after) = (endless(seed), endless(100 + seed));
        for ((name, mut used), (_, mut fresh)) in drivers(1).into_iter().zip(drivers(1)) {
            answer(used.as_mut(), &Situation::new(before.clone()), Limits::nodes(4_000));
            answer(used.as_mut(), &Situation::new(after.clone()), Limits::nodes(4_000));
            if !["alpha-beta", "max^n", "tree search"].contains(&name) {
                used.new_game();
            }
            let [found, expected] = [&mut used, &mut fresh]
                .map(|player| ask(player.as_mut(), &Situation::new(after.clone()), &second));
            assert_eq!(found.0, expected.0, "{name}");
            assert_eq!(without_time(found.1), without_time(expected.1), "{name}");
        }
    }
}
