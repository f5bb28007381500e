//! Engines of plain UGI as referees: silent, half-silent, and those that know passes.

use std::path::Path;

use parlor::runner::record::{Ending, Origin, Record};

use crate::support::{games, parlor, python_script, refusal, scratch, slow_tests, within};

/// The engine that answers only some queries.
fn plain(answers: &str, extra: &str, name: &str) -> String {
    format!(
        "cmd='{}' args='--answers {answers} {extra}' name={name}",
        python_script("tests/runner/plain_ugi.py")
    )
}

/// A second implementation of the engine's game: the board after some tokens, as owners of squares.
struct Ataxx {
    board: [[Option<usize>; 4]; 4],
    turn: usize,
}

impl Ataxx {
    fn new() -> Self {
        let mut board = [[None; 4]; 4];
        (board[0][3], board[3][0], board[0][0], board[3][3]) = (Some(0), Some(0), Some(1), Some(1));
        Ataxx { board, turn: 0 }
    }

    fn near(&self, (x, y): (usize, usize), reach: usize) -> Vec<(usize, usize)> {
        let all = (0..4_usize).flat_map(|a| (0..4_usize).map(move |b| (a, b)));
        all.filter(|&(a, b)| a.abs_diff(x).max(b.abs_diff(y)) <= reach).collect()
    }

    fn can_move(&self, side: usize) -> bool {
        let empty = self.near((0, 0), 9).into_iter().filter(|&(x, y)| self.board[x][y].is_none());
        empty
            .into_iter()
            .any(|place| self.near(place, 2).iter().any(|&(x, y)| self.board[x][y] == Some(side)))
    }

    fn count(&self, side: usize) -> usize {
        self.board.iter().flatten().filter(|&&owner| owner == Some(side)).count()
    }

    fn is_over(&self) -> bool {
        self.count(0) * self.count(1) == 0 || !(self.can_move(0) || self.can_move(1))
    }

    /// Plays a token that must be legal.
    fn play(&mut self, token: &str) {
        assert!(!self.is_over(), "{token} after the end");
        if token == "0000" {
            assert!(!self.can_move(self.turn), "a pass where there is a move");
        } else {
            let bytes = token.as_bytes();
            let square =
                |at: usize| (usize::from(bytes[at] - b'a'), usize::from(bytes[at + 1] - b'1'));
            let target = square(bytes.len() - 2);
            let own = |places: Vec<(usize, usize)>| {
                places.iter().any(|&(x, y)| self.board[x][y] == Some(self.turn))
            };
            assert_eq!(self.board[target.0][target.1], None, "{token}");
            if bytes.len() == 4 {
                let (x, y) = square(0);
                assert_eq!(self.board[x][y], Some(self.turn), "{token}");
                assert!(
                    self.near(target, 2).contains(&(x, y))
                        && !self.near(target, 1).contains(&(x, y))
                );
                self.board[x][y] = None;
            } else {
                assert!(own(self.near(target, 1)), "{token}");
            }
            self.board[target.0][target.1] = Some(self.turn);
            for (x, y) in self.near(target, 1) {
                if self.board[x][y].is_some() {
                    self.board[x][y] = Some(self.turn);
                }
            }
        }
        self.turn = 1 - self.turn;
    }

    fn result(&self) -> &'static str {
        match self.count(0).cmp(&self.count(1)) {
            std::cmp::Ordering::Greater => "p1win",
            std::cmp::Ordering::Less => "p2win",
            std::cmp::Ordering::Equal => "draw",
        }
    }
}

/// Whether a game was refereed and scored by the rules; the number of passes in it.
fn replay(record: &Record) -> usize {
    let mut game = Ataxx::new();
    for m in &record.moves {
        assert_eq!(m.seat, game.turn + 1, "game {}", record.game);
        game.play(&m.token);
    }
    assert!(game.is_over(), "game {}", record.game);
    assert_eq!(record.result, game.result(), "game {}", record.game);
    let places = match record.result.as_str() {
        "p1win" => [1, 2],
        "p2win" => [2, 1],
        _ => [1, 1],
    };
    assert_eq!(record.places, places);
    assert_eq!((record.ending, record.faults.len()), (Ending::Rules, 0));
    record.moves.iter().filter(|m| m.token == "0000").count()
}

/// A match under a referee: its records, and what was said on standard error.
fn play(one: &str, two: &str, referee: &str, games_wanted: &str) -> (Vec<Record>, String, i32) {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let words = [
        "match",
        one,
        two,
        "--referee",
        referee,
        "--games",
        games_wanted,
        "--records",
        &records,
        "-q",
        "--movetime",
        "2000",
        "--patience",
        "20000",
    ];
    let output = parlor(&words);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code().unwrap_or(-1);
    assert!(code < 2, "{output:?}");
    (games(Path::new(&records)).1.into_values().collect(), errors, code)
}

#[test]
fn referees_of_three_degrees_of_silence_score_every_game() {
    let number = if slow_tests() { 100 } else { 24 };
    let degrees = [
        // Turn and result alone: not even the end is told otherwise.
        ("p1turn,result", "--refuses"),
        ("p1turn,gameover,result,legalmoves", ""),
        // An answer to `outcome` that never tells a place, and reasons.
        ("p1turn,gameover,result,islegal,outcome,reason", ""),
    ];
    for (degree, (answers, extra)) in degrees.into_iter().enumerate() {
        let (one, two) = (plain(answers, "--seed 3", "one"), plain("p1turn", "--seed 4", "two"));
        let (games, errors, code) =
            play(&one, &two, &plain(answers, extra, "referee"), &number.to_string());
        assert_eq!((games.len(), code), (number, 0), "{answers}: {errors}");
        let passes: usize = games.iter().map(replay).sum();
        assert!(passes > 0, "{answers}: no pass in {number} games");
        let warned = errors.contains("neither 'islegal' nor 'legalmoves'");
        assert_eq!(warned, degree == 0, "{answers}: {errors}");
        let reason = if degree == 2 { "counted" } else { "rules" };
        assert!(games.iter().all(|game| game.reason == reason), "{answers}");
    }
}

#[test]
fn the_legality_of_another_engine_is_used() {
    let silent = "p1turn,gameover,result";
    let (fair, cheat) = (plain(silent, "", "fair"), plain(silent, "--cheat", "cheat"));
    for list in ["legalmoves", "islegal"] {
        let referee = plain(&format!("{silent},{list}"), "", "referee");
        let (games, errors, code) = play(&fair, &cheat, &referee, "4");
        assert_eq!((games.len(), code), (4, 1), "{errors}");
        for game in &games {
            let loser = game.seating.iter().position(|name| name == "cheat").unwrap();
            assert_eq!((game.reason.as_str(), game.places[loser]), ("illegal-move", 2));
        }
        assert_eq!(errors, "");
    }
}

#[test]
fn a_pass_where_there_is_a_move_is_a_fault_under_every_referee() {
    let silent = "p1turn,gameover,result";
    let (fair, lost) = (plain(silent, "", "fair"), plain(silent, "--no-move", "lost"));
    for list in ["", ",legalmoves", ",islegal"] {
        let referee = plain(&format!("{silent}{list}"), "", "referee");
        let (games, _, code) = play(&fair, &lost, &referee, "4");
        assert_eq!((games.len(), code), (4, 1));
        for game in &games {
            let loser = game.seating.iter().position(|name| name == "lost").unwrap();
            assert_eq!((game.reason.as_str(), game.places[loser]), ("disagreement", 2), "{list}");
        }
    }
}

#[test]
fn a_referee_that_does_not_know_moves_is_sent_whole_positions() {
    let (one, two) = (plain("p1turn", "--seed 3", "one"), plain("p1turn", "--seed 4", "two"));
    let referee = plain("p1turn,turn,gameover,result,islegal", "", "referee");
    let (games, errors, code) = play(&one, &two, &referee, "4");
    assert_eq!((games.len(), code), (4, 0), "{errors}");
    for game in &games {
        replay(game);
    }
}

#[test]
fn a_player_that_ends_at_a_query_plays() {
    let referee = plain("p1turn,gameover,result,islegal", "", "referee");
    let (one, two) = (plain("nothing", "--exits", "one"), plain("p1turn", "--exits", "two"));
    let (games, errors, code) = play(&one, &two, &referee, "2");
    assert_eq!((games.len(), code), (2, 0), "{errors}");
    for game in &games {
        replay(game);
    }
}

/// The referee leaves out what is illegal to it and says nothing.
#[test]
fn a_position_that_does_not_change_ends_the_game() {
    let mirrored = |name: &str| plain("p1turn", "--mirrored", name);
    let fair = plain("p1turn", "", "fair");
    for (answers, one, two) in [
        ("p1turn,gameover,result,fen", mirrored("one"), mirrored("two")),
        ("p1turn,gameover,result", fair, plain("p1turn", "--cheat", "cheat")),
    ] {
        let (games, _, code) = play(&one, &two, &plain(answers, "", "referee"), "2");
        assert_eq!((games.len(), code), (2, 1), "{answers}");
        for game in &games {
            assert_eq!(game.reason, "illegal-move", "{answers}");
            let detail = &game.faults[0].fault.detail;
            assert!(detail.contains("the referee's position stays as it was"), "{detail}");
        }
    }
}

#[test]
fn a_referee_without_turn_or_result_is_refused() {
    let one = plain("p1turn,gameover", "", "one");
    let text = refusal(&["match", &one, &one.replace("name=one", "name=two")]);
    assert!(text.contains("'query result'"), "{text}");
    let one = plain("gameover,result", "", "one");
    let text = refusal(&["match", &one, &one.replace("name=one", "name=two")]);
    assert!(text.contains("'query p1turn'"), "{text}");
}

/// Section 13: without `random`, random moves are taken from `legalmoves`.
#[test]
fn random_plies_come_from_the_legal_moves_of_a_referee_without_a_random_mover() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (one, two) = (plain("p1turn,result", "", "one"), plain("p1turn,result", "", "two"));
    let match_under = |answers: &str| {
        let referee = plain(answers, "", "referee");
        let words = ["match", &one, &two, "--referee", &referee, "--games", "8", "-q"];
        parlor(&[&words[..], &["--random-plies", "3", "--records", &records]].concat())
    };
    let output = match_under("p1turn,gameover,result,legalmoves");
    assert!(output.status.success(), "{output:?}");
    let games: Vec<Record> = games(Path::new(&records)).1.into_values().collect();
    assert_eq!(games.len(), 8);
    let mut openings = std::collections::BTreeSet::new();
    for game in &games {
        replay(game);
        let opening = game.moves.iter().take_while(|m| m.from == Some(Origin::Opening));
        let tokens: Vec<&str> = opening.map(|m| m.token.as_str()).collect();
        assert_eq!(tokens.len(), 3, "game {}", game.game);
        openings.insert(tokens.join(" "));
    }
    assert!(openings.len() > 2, "{openings:?}");
    // One that lists no moves cannot open at random.
    std::fs::remove_file(&records).unwrap();
    assert!(!match_under("p1turn,result").status.success());
}
