//! Endings of two players: what the engine proves is what plain minimax says.

use std::collections::HashMap;

use parlor::game::{Game, Random, Situation};
use parlor::games::azacru::Azacru;
use parlor::games::chevrons::filling::play::{EnginePlayer, final_lead};
use parlor::games::chevrons::filling::{Kind, Move, Position};
use parlor::games::shacru::Shacru;
use parlor::search::{Info, Limits, Player, Report, Request, Score, Settings};

use super::start;

/// The result for the seat to move, by minimax over all moves: 1 for won, 0 for drawn, -1 for lost;
/// `None` if too many positions lead on.
fn result<K: Kind>(position: &Position<K>, known: &mut HashMap<u64, i64>) -> Option<i64> {
    let mover = position.turn().seat()?;
    if let Some(result) = known.get(&position.key()) {
        return Some(*result);
    }
    if known.len() > 3_000 {
        return None;
    }
    let mut best = -1;
    for m in position.moves() {
        let mut next = position.clone();
        next.play(&m);
        let value = match next.turn().seat() {
            None => {
                let points = next.points().expect("points");
                (points[mover.index()] - points[1 - mover.index()]).signum()
            }
            Some(seat) if seat == mover => result(&next, known)?,
            Some(_) => -result(&next, known)?,
        };
        best = best.max(value);
        if best == 1 {
            break;
        }
    }
    known.insert(position.key(), best);
    Some(best)
}

fn engine<K: Kind>() -> EnginePlayer<K> {
    let settings = Settings { hash: 1, threads: 0, ..Settings::default() };
    EnginePlayer::new(&settings, K::judgement())
}

fn searched<K: Kind>(position: &Position<K>, multi_pv: usize) -> Vec<Info<Move>> {
    searched_by(&mut engine(), &Situation::new(position.clone()), multi_pv)
}

fn searched_by<K: Kind>(
    player: &mut EnginePlayer<K>,
    situation: &Situation<Position<K>>,
    multi_pv: usize,
) -> Vec<Info<Move>> {
    let request = Request { multi_pv, ..Request::new(Limits::nodes(3_000)) };
    let mut infos = Vec::new();
    player.choose(situation, &request, &mut |report| {
        if let Report::Info(info) = report {
            infos.push(info);
        }
    });
    infos
}

fn result_of(score: Score) -> Option<i64> {
    match score {
        Score::Mate(plies) => Some(i64::from(plies.signum())),
        Score::Cp(0) => Some(0),
        Score::Cp(_) => None,
    }
}

/// The last report of three lines, if all moves were solved: each has the result of its move, the best
/// first.
fn check_lines<K: Kind>(position: &Position<K>) -> Option<()> {
    let lines = position.moves().len().min(3);
    let infos = searched(position, 3);
    let last = &infos[infos.len() - lines..];
    let found = last.iter().map(|info| result_of(info.score)).collect::<Option<Vec<i64>>>()?;
    assert!(found.is_sorted_by(|a, b| a >= b), "{found:?}: {position}");
    for (info, found) in last.iter().zip(found) {
        let mut next = position.clone();
        next.play(&info.pv[0]);
        let sign = if next.turn() == position.turn() { 1 } else { -1 };
        if !next.is_over() {
            let after = result(&next, &mut HashMap::new())?;
            assert_eq!(found, sign * after, "{:?}: {position}", info.pv);
        }
    }
    Some(())
}

/// Of a random game, the position some turns before the end.
fn before_the_end<K: Kind>(seed: u64, turns: usize) -> Position<K> {
    let mut random = Random::new(seed);
    let mut line: Vec<Position<K>> = vec![start("2")];
    while let Some(m) = line[line.len() - 1].random_move(&mut random) {
        let mut next = line[line.len() - 1].clone();
        next.play(&m);
        line.push(next);
    }
    line.swap_remove(line.len() - 1 - turns)
}

/// Of random games, positions some turns before the end.
fn compare<K: Kind>(games: u64, turns: usize) {
    let (mut compared, mut lines, mut open) = ([0; 3], 0, 0);
    for game in 0..games {
        let position = &before_the_end::<K>(game + 1, turns);
        let Some(exact) = result(position, &mut HashMap::new()) else { continue };
        let found = searched(position, 1).pop().expect("a score").score;
        let Some(said) = result_of(found) else {
            open += 1;
            continue;
        };
        assert_eq!(said, exact, "{position}");
        lines += usize::from(check_lines(position).is_some());
        compared[(exact + 1) as usize] += 1;
    }
    assert!(compared.iter().all(|count| *count > 0), "lost, drawn, won: {compared:?}");
    assert!(10 * open < games, "{open} results of {games} not found");
    assert!(lines > 9, "{lines} positions with all lines solved");
}

/// Positions of engine games in which a seat that cannot move gives the turn back.
const TURN_COMES_BACK: [&str; 2] = [
    "[2W*]bb[2N*][1W*]aaa1/1aababaaa/abbababba/aaababbba/[2W*]bb[1E*]bbbab/[1N*]bbbabbab/baaababb[1NE*]/b1aabaaab/1bbbaa2[2S*] 1 2 29",
    "1[2NE*]aa[2N*]bbb1/baaabbbab/baaaabbab/bb[1NW*]aaabb[1S*]/bbaaaaabb/baaaaabab/bbbbaabb[1NE*]/1bbbbaaa[2SE*]/1bb2[2SE*]aa[1E*] 1 2 29",
];

#[test]
fn a_turn_that_comes_back_belongs_to_its_seat() {
    for text in TURN_COMES_BACK {
        let position: Position<Shacru> = text.parse().expect("a position");
        let exact = result(&position, &mut HashMap::new());
        let found = searched(&position, 1).pop().expect("a score").score;
        assert_eq!(result_of(found), Some(exact.expect("few positions")), "{text}");
    }
}

/// The first player gains a1, which nobody else reaches, in three plies and so leads by one field; the
/// second gains nothing.
const A1_WINS: &str = "aaaaaaaaa/aaaaaaaaa/aaaaaaaaa/aaaaaaaaa/bbbbbbbbb/bbbbbbbbb/[1S*]bbbbbbbb/aabbbbbb[2W*]/1abbbbbbb 1 2";

#[test]
fn no_win_is_known_beyond_the_ply_at_which_the_game_is_drawn() {
    let position: Position<Shacru> = format!("{A1_WINS} 0").parse().expect("a position");
    for (plies, result) in [(0, 1), (1, 0)] {
        let situation = Situation::new(position.clone()).drawn_after(plies);
        let found = searched_by(&mut engine(), &situation, 1).pop().expect("a score").score;
        assert_eq!(result_of(found), Some(result), "drawn after {plies} plies, 0 for never");
    }
}

/// Forty turns without a gain end the game.
#[test]
fn no_bound_counts_on_a_gain_after_the_last_turn() {
    for (idle, lead) in [(0, 1), (38, 0), (39, 0)] {
        let position: Position<Shacru> = format!("{A1_WINS} {idle}").parse().expect("a position");
        let exact = result(&position, &mut HashMap::new());
        let bounds = final_lead(&position).expect("bounds");
        assert!(bounds.contains(&lead), "{bounds:?} after {idle} turns");
        assert!(idle == 0 || exact == Some(lead.into()), "{exact:?} after {idle} turns");
    }
}

#[test]
fn a_new_game_knows_nothing_of_the_endings_before() {
    let mut player = engine::<Azacru>();
    for seed in 1..=5 {
        let situation = Situation::new(before_the_end::<Azacru>(seed, 3));
        let mut told = || {
            player.new_game();
            let infos = searched_by(&mut player, &situation, 1);
            let told = infos.into_iter().map(|info| (info.depth, info.score, info.nodes, info.pv));
            told.collect::<Vec<_>>()
        };
        assert_eq!(told(), told(), "{}", situation.position());
    }
}

#[test]
fn endings_of_shacru_have_the_result_of_minimax() {
    compare::<Shacru>(90, 6);
}

#[test]
fn endings_of_azacru_have_the_result_of_minimax() {
    compare::<Azacru>(40, 3);
}
