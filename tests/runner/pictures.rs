//! `parlor svg`: positions of recorded games, drawn with what an engine process answers.

use std::path::Path;

use crate::support::{
    PARLOR, expect, games, mock, parlor, python_script, refusal, scratch, within,
};

/// Records a short game of a built-in engine against itself.
fn recorded(directory: &tempfile::TempDir, game: &str, rules: &[&str]) -> String {
    let path = within(directory, "match.jsonl");
    let mut words = vec!["match", game, game, "--games", "1", "--nodes", "1", "--records", &path];
    words.extend(rules.iter().flat_map(|rule| ["--rule", rule]));
    expect(0, &words);
    path
}

/// The tokens of the only game.
fn tokens(records: &str) -> Vec<String> {
    let (_, games) = games(Path::new(records));
    games[&1].moves.iter().map(|m| m.token.clone()).collect()
}

#[test]
fn a_recorded_position_is_drawn_as_the_engine_draws_it() {
    let directory = scratch();
    let records = recorded(&directory, "chowka-bhara", &["Players=3"]);
    let tokens = tokens(&records);
    for ply in [0, 7, tokens.len()] {
        let ply_text = ply.to_string();
        let drawn = expect(
            0,
            &[
                "svg", &records, "--game", "1", "--ply", &ply_text, "--theme", "dark", "--seat",
                "p2",
            ],
        );
        let moves = tokens[..ply].join(" ");
        let mut words = vec!["engine", "chowka-bhara", "--set", "Players=3", "svg"];
        words.extend(["--theme", "dark", "--seat", "p2"]);
        if ply > 0 {
            words.extend(["--moves", &moves]);
        }
        assert_eq!(drawn, expect(0, &words), "ply {ply}");
    }
    // Without a ply the whole game.
    let all = tokens.len().to_string();
    let end = ["svg", &records, "--game", "1", "--ply", &all];
    assert_eq!(expect(0, &end[..4]), expect(0, &end));
    for (words, reason) in [
        (&["svg", &records, "--game", "2"][..], "no game 2"),
        (&["svg", &records, "--game", "1", "--ply", "9999"], "tokens, not 9999"),
        (&["svg", &records, "--game", "1", "--ply", "9", "--arrow", "zz"], "bad-move"),
        (&["svg", &records, "--game", "1", "--view", "p7"], "view takes a seat"),
        (&["svg", &records, "--game", "1", "--scale", "1"], "4 to 400"),
    ] {
        let error = refusal(words);
        assert!(error.contains(reason), "{words:?}: {error}");
    }
}

#[test]
fn a_view_hides_what_its_seat_may_not_know() {
    let directory = scratch();
    let records = recorded(&directory, "barbarossa", &[]);
    let tokens = tokens(&records);
    let word = tokens.iter().find_map(|token| token.strip_prefix("word:a1:")).unwrap();
    let words = ["svg", &records, "--game", "1", "--view", "p1"];
    let shown = format!(">{word}</tspan>");
    assert!(expect(0, &words[..4]).contains(&shown));
    assert!(expect(0, &words).contains(&shown));
    // Before play begins: who guesses a word right knows it from then on.
    let ply = tokens.iter().position(|token| token.starts_with("first:")).unwrap().to_string();
    let other = expect(0, &["svg", &records, "--game", "1", "--view", "p2", "--ply", &ply]);
    assert!(!other.contains(&shown) && other.contains(">?</tspan>"));
}

#[test]
fn a_move_of_a_record_is_drawn_as_an_arrow() {
    let directory = scratch();
    let records = recorded(&directory, "porrika", &[]);
    let next = &tokens(&records)[4];
    let words = ["svg", &records, "--game", "1", "--ply", "4", "--arrow", next];
    assert!(expect(0, &words).contains("fill='#009e73'"));
    assert!(!expect(0, &words[..6]).contains("fill='#009e73'"));
}

#[test]
fn text_of_an_engine_is_escaped_and_an_engine_without_pictures_named() {
    let directory = scratch();
    let records = recorded(&directory, "porrika", &[]);
    let referee = |fault: &str| {
        format!("cmd='{} {fault} {PARLOR} porrika'", python_script("tests/runner/faulty_engine.py"))
    };
    let drawing = |referee: &str| {
        let words = ["svg", &records, "--game", "1", "--referee", referee];
        parlor(&words)
    };
    let output = drawing(&referee("hostile-text"));
    let drawn = String::from_utf8(output.stdout).unwrap();
    assert!(!drawn.contains("<script") && !drawn.contains("]]>"), "{drawn}");
    assert!(drawn.contains("&lt;script&gt;"), "{drawn}");
    let output = drawing(&referee("no-pictures"));
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("the engine tells no picture: unknown-query"), "{error}");
    // Another game's engine refuses the position.
    assert_eq!(drawing(&mock("")).status.code(), Some(2));
}

/// The points of the lines of a chart.
fn points(svg: &str) -> Vec<usize> {
    let lines = svg.split("<polyline points=\"").skip(1);
    lines.map(|rest| rest.split('"').next().unwrap().split(' ').count()).collect()
}

#[test]
fn the_score_over_a_match_and_the_chances_in_a_game_are_drawn() {
    let directory = scratch();
    let path = within(&directory, "match.jsonl");
    let player = "porrika name=greedy option.Player=greedy";
    let words = ["match", "porrika", player, "--games", "6", "--nodes", "20", "-q"];
    expect(0, &[&words[..], &["--records", &path]].concat());
    let score = expect(0, &["plot", &path]);
    assert!(score.starts_with("<svg ") && score.ends_with("</svg>\n"), "{score}");
    // One line of two engines, a point a game, and a band from the three pairs.
    assert_eq!(points(&score), [6]);
    let band = score.split("<polygon points=\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(band.split(' ').count(), 2 * 3);
    assert!(score.contains(">porrika against greedy over 6 games</text>"), "{score}");
    let file = within(&directory, "game.svg");
    expect(0, &["plot", &path, "--game", "2", "-o", &file]);
    let chances = std::fs::read_to_string(&file).unwrap();
    let (_, games) = games(Path::new(&path));
    let told = |seat| games[&2].moves.iter().filter(|m| m.seat == seat && m.cp.is_some()).count();
    assert_eq!(points(&chances), [told(1), told(2)]);
    assert!(chances.contains(">p1 greedy</text>"), "{chances}");
    assert!(refusal(&["plot", &path, "--game", "9"]).contains("9"));
}
