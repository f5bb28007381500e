//! A game with three seats, a die and a hidden card through the same session as all others.

use std::time::Duration;

use parlor::engine::{GameEngine, session::Ending};
use parlor::game::{Game, Hidden, Random, Rules, Seat, perft};

use crate::client::Client;
use crate::table::Position;

fn client() -> Client {
    Client::session(GameEngine::<Position>::new())
}

const DEALT: &str = "position startpos moves deal:2 deal:3 deal:1";

#[test]
fn deals_throws_and_decisions_are_distinguished() {
    let mut client = client();
    assert_eq!(client.query("turn"), "chance");
    assert_eq!(client.query("p1turn"), "false");
    assert_eq!(client.query("chances"), "deal:1:1 deal:2:1 deal:3:1");
    client.send(DEALT);
    assert_eq!(client.query("turn"), "chance p1");
    assert_eq!(client.query("p1turn"), "true");
    assert_eq!(client.query("chances"), "t1:1 t2:2 t3:1");
    client.send("moves t3");
    assert_eq!(client.query("turn"), "p1");
    assert_eq!(client.query("legalmoves"), "leave take");
    assert_eq!(client.query("legalmoves t"), "take");
    assert_eq!(client.query("legalmoves x"), "none");
    assert_eq!(client.query("chances"), "none");
    assert!(client.query("throw 1").starts_with("error not-to-act"));
    assert_eq!(client.query("seats"), "3");
    assert_eq!(client.query("rules"), "Rounds=2");
    assert_eq!(client.query("points"), "0 0 0");
}

#[test]
fn throw_is_a_function_of_its_seed_alone() {
    // The first token whose running weight exceeds (splitmix64(seed) * 4) >> 64; for seed 0 the
    // published first output of SplitMix64 is e220a8397b1dcdaf, whose top two bits are 3.
    let mut client = client();
    client.send(DEALT);
    assert_eq!(client.query("throw 0"), "t3");
    client.send("moves t1 take");
    assert_eq!(client.query("throw 0"), "t3");
    let mut seen = [0; 3];
    for seed in 0..400 {
        match client.query(&format!("throw {seed}")).as_str() {
            "t1" => seen[0] += 1,
            "t2" => seen[1] += 1,
            _ => seen[2] += 1,
        }
    }
    assert!((60..140).contains(&seen[0]) && (160..240).contains(&seen[1]), "{seen:?}");
}

#[test]
fn a_client_that_knows_no_chance_lets_the_engine_throw_and_play_the_whole_game() {
    let mut client = client();
    let mut line = "position startpos".to_string();
    client.send("uginewgame");
    client.send(&line);
    line.push_str(" moves");
    while client.query("gameover") == "false" {
        let best = client.go("go depth 1");
        assert_ne!(best, "0000");
        line = format!("{line} {best}");
        client.send(&line);
    }
    assert_ne!(client.query("result"), "none");
    assert!(client.query("outcome").starts_with("rank "));
    assert_eq!(client.query("reason"), "shown");
    assert_eq!(client.query("turn"), "none");
    assert_eq!(client.query("legalmoves"), "none");
    assert_eq!(client.ending(), Ending::Quiet);
}

#[test]
fn thrown_dice_differ_between_games_and_repeat_with_the_seed() {
    let throws = |seed: u64| {
        let mut client = client();
        client.send(&format!("setoption name Seed value {seed}"));
        (0..20)
            .map(|_| {
                client.send("uginewgame");
                client.send(DEALT);
                client.go("go")
            })
            .collect::<Vec<_>>()
    };
    let first = throws(5);
    assert_eq!(first, throws(5));
    assert_ne!(first, throws(6));
    assert!(first.iter().any(|token| *token != first[0]));
}

#[test]
fn a_view_hides_what_its_seat_may_not_see() {
    let mut referee = client();
    referee.send(&format!("{DEALT} t3 take"));
    assert_eq!(referee.query("fen"), "2.3.1/3.0.0/throw 1 0");
    let view = referee.query("view p2");
    assert_eq!(view, "startpos view p2 moves deal:? deal:3 deal:? t3 take");
    let mut seat = client();
    seat.send(&format!("position {view}"));
    assert_eq!(seat.query("fen"), "?.3.?/3.0.0/throw 1 0");
    assert_eq!(seat.query("view p2"), view);
    assert!(seat.query("view p1").starts_with("error not-to-act"));
    seat.send("moves t2");
    assert_eq!(seat.query("legalmoves"), "leave take");
    assert_ne!(seat.go("go depth 1"), "0000");
    seat.send("moves take t1");
    assert!(seat.ask("go depth 1").starts_with("info string error not-to-act"));
    assert_eq!(seat.go("isready\ngo depth 1"), "0000");
}

#[test]
fn a_view_of_a_position_with_a_fen_hides_it_too() {
    let mut referee = client();
    referee.send("position fen 2.3.1/3.0.0/throw 1 0 moves t1");
    let view = referee.query("view p3");
    assert_eq!(view, "fen ?.?.1/3.0.0/throw 1 0 view p3 moves t1");
    let mut seat = client();
    seat.send(&format!("position {view}"));
    assert_eq!(seat.query("fen"), "?.?.1/3.0.0/take1 1 0");
    seat.send("position fen ?.?.1/3.0.0/show 0 2 view p3");
    assert_eq!(seat.query("legalmoves"), "hidden");
    assert_eq!(seat.query("random 3"), "hidden");
    assert_eq!(seat.query("islegal show:2"), "true");
}

#[test]
fn views_of_states_that_differ_in_secrets_alone_are_equal() {
    let mut random = Random::new(1);
    for _ in 0..500 {
        let rules = Position::default_rules();
        let (mut a, mut b) = (start(&rules), start(&rules));
        while let Some(m) = a.random_move(&mut random) {
            let viewer = Seat::new(2);
            let other = if a.mask(&m, viewer) == m { Some(m) } else { b.random_move(&mut random) };
            let Some(other) = other.filter(|other| b.is_legal(other)) else { break };
            assert_eq!(a.mask(&m, viewer), b.mask(&other, viewer));
            a.play(&m);
            b.play(&other);
            assert_eq!(a.view(viewer).to_string(), b.view(viewer).to_string());
            assert_eq!(a.view(viewer), b.view(viewer));
        }
    }
}

fn start(rules: &parlor::game::OptionValues) -> Position {
    Position::start(rules, None).unwrap()
}

#[test]
fn a_rule_takes_effect_at_the_next_position() {
    let mut client = client();
    client.send("position startpos");
    client.send("setoption name rounds value 3");
    assert_eq!(client.query("rules"), "Rounds=2");
    client.send("position startpos");
    assert_eq!(client.query("rules"), "Rounds=3");
    client.send("setoption name Rounds value 9");
    assert!(client.line().starts_with("info string error bad-value option Rounds takes"));
    client.send("setoption name Round value 1");
    assert_eq!(client.ask("isready"), "readyok");
    client.send("position startpos");
    assert_eq!(client.query("rules"), "Rounds=3");
}

#[test]
fn perft_counts_throws_and_deals_as_plies() {
    // 3 deals of 3 cards, then 3 throws and 2 decisions: 3^3 * 3 * 2.
    let position = start(&Position::default_rules());
    for (depth, count) in [(0, 1), (1, 3), (3, 27), (4, 81), (5, 162), (6, 486)] {
        assert_eq!(perft(&position, depth, true), Ok(count));
        assert_eq!(perft(&position, depth, false), Ok(count));
    }
    let view = position.view(Seat::new(1));
    assert!(perft(&view, 1, true).is_err());
    let mut client = client();
    client.send("perft 5");
    let lines = client.until("Nodes searched");
    assert_eq!(lines[0], "deal:1: 54");
    assert_eq!(lines[lines.len() - 1], "Nodes searched: 162");
    client.send("position startpos view p2");
    assert!(client.ask("perft 2").starts_with("info string error bad-position"));
}

#[test]
fn a_panic_in_the_search_is_reported_and_answered_by_a_legal_move() {
    let mut client = client();
    client.send("setoption name Player value broken");
    client.send(&format!("{DEALT} t3"));
    client.send("go depth 3");
    let lines = client.until("bestmove");
    assert!(lines[0].starts_with("info string error internal"), "{lines:?}");
    assert!(["bestmove take", "bestmove leave"].contains(&lines[lines.len() - 1].as_str()));
    assert_eq!(client.ask("isready"), "readyok");
}

#[test]
fn a_single_move_is_answered_after_one_info() {
    let mut client = client();
    client.send("position fen 2.3.1/3.0.0/show 1 2");
    client.send("go movetime 60000");
    let lines = client.until("bestmove");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[1], "bestmove show:3");
}

#[test]
fn pondering_is_offered_to_nobody_where_it_makes_no_sense() {
    let mut client = client();
    client.send("uci");
    assert!(client.until("uciok").iter().all(|line| !line.contains("name Ponder ")));
    assert_eq!(client.line_within(Duration::from_millis(50)), None);
}
