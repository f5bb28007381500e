//! A human player at the terminal, simulated through a pipe.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use parlor::picture::Puzzle;
use parlor::runner::record::Ending;

use crate::support::{command, expect, games, minimal, mock, refusal, scratch, within};

/// What a command prints when these lines are typed.
fn answered(mut command: Command, lines: &str) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

/// What `parlor play` prints when these lines are typed.
fn typed(words: &[&str], lines: &str) -> String {
    answered(command(words), lines)
}

/// The same by a person whose progress is kept in a folder.
fn typed_by(folder: &Path, words: &[&str], lines: &str) -> String {
    let mut command = command(words);
    command.env("XDG_STATE_HOME", folder);
    answered(command, lines)
}

/// Keeps progress in a folder.
fn keep(folder: &Path, text: &str) {
    std::fs::create_dir_all(folder.join("parlor")).unwrap();
    std::fs::write(folder.join("parlor/progress.json"), text).unwrap();
}

/// The progress that is kept in a folder.
fn kept(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("parlor/progress.json")).unwrap()
}

#[test]
fn a_human_player_wins_with_help_hints_and_undo() {
    let engine = minimal();
    // 21 counters: taking 1 leaves a multiple of four; from there on 3 after every 1 wins.
    let lines = "?\nhint\ncp\nscore\n3\nundo\n9\n1\n3\n3\n3\n3\n3\n";
    let text = typed(&["play", &engine, "--movetime", "10"], lines);
    for expected in [
        "You are First. Second is played by the engine. Type a move such",
        "How many? Or: rules, ?, hint, undo, help, quit.\n",
        "1 2 3\n",
        "The engine would play 1: First is winning (100 %).",
        "First is winning (100 %) [+9999 cp for First].",
        "9 is not a legal move: ",
        "Did you mean 1, 2, 3?",
        "Second plays ",
        "First wins: last counter. You win!",
    ] {
        assert!(text.contains(expected), "'{expected}' is missing in:\n{text}");
    }
    // After `undo` the board shows the whole pile again.
    assert!(text.matches("C21").count() >= 2, "{text}");
}

#[test]
fn a_person_begins_against_a_low_level_and_may_choose_another() {
    let greeting =
        |words: &[&str]| typed(&[&["play"], words].concat(), "quit\n").replace('\n', " ");
    assert!(greeting(&["barca"]).contains("played by the engine at level 3 of 10."));
    assert!(greeting(&["barca", "--level", "7"]).contains("at level 7 of 10."));
    let silver = greeting(&["porrika", "--seat", "Silver"]);
    assert!(silver.contains("You have the harder game: the engine plays at level 2."), "{silver}");
    assert!(greeting(&["porrika"]).contains("at level 3 of 10."));
    let chosen = greeting(&["porrika", "--seat", "Silver", "--level", "3"]);
    assert!(chosen.contains("at level 3 of 10."), "{chosen}");
    for whole in [
        &["barca", "--level", "10"][..],
        &["barca", "--movetime", "9"],
        &["barca nodes=9"],
        &["barca option.Level=4"],
    ] {
        assert!(greeting(whole).contains("played by the engine."), "{whole:?}");
    }
    let text = refusal(&["play", &minimal(), "--level", "2"]);
    assert!(text.contains("--level: ") && text.contains("has no option Level"), "{text}");
    assert!(refusal(&["play", "barca", "--level", "11"]).contains("1..=10"));
}

#[test]
fn a_human_player_never_sees_the_secrets_of_others() {
    let engine = mock("");
    let words = [
        "play",
        &engine,
        "--rule",
        "Secrets=true",
        "--rule",
        "Players=3",
        "--seat",
        "p2",
        "--rule",
        "Dice=true",
        "--movetime",
        "10",
    ];
    let text = typed(&words, "secret:mine\nmoves\n1\nmoves\nquit\n");
    assert!(text.contains("p1: secret ?\n"), "{text}");
    assert!(text.contains("view p2 moves secret:? secret:mine"), "{text}");
    for word in text.split_whitespace().filter_map(|word| word.strip_prefix("secret:")) {
        assert!(["?", "mine"].contains(&word), "{text}");
    }
}

#[test]
fn what_revealed_something_is_not_taken_back() {
    let engine = mock("");
    let words = |more: &[&'static str]| {
        let mut words = vec!["play".to_owned(), engine.clone()];
        let rules = ["--rule", "Secrets=true", "--seat", "p1", "--movetime", "10"];
        words.extend(rules.iter().chain(more).map(|word| (*word).to_owned()));
        words
    };
    let lines = "secret:mine\nundo\nmoves\nquit\n";
    let text = typed(&words(&[]).iter().map(String::as_str).collect::<Vec<_>>(), lines);
    assert!(text.contains("may have told somebody something that was secret"), "{text}");
    assert!(text.contains("moves secret:mine"), "{text}");
    let text = typed(&words(&["--practice"]).iter().map(String::as_str).collect::<Vec<_>>(), lines);
    assert!(!text.contains("may have told somebody"), "{text}");
    assert!(!text.contains("moves secret:mine"), "{text}");
    // Nobody has done anything after the first of several words.
    let words = ["play", "barbarossa", "--rule", "Words=free", "--movetime", "10"];
    let directory = scratch();
    let lines = format!("teapot\nundo\nmoves\nsave {}\nquit\n", within(&directory, "game.jsonl"));
    let text = typed(&words, &lines);
    assert!(text.contains("position startpos view p1\n"), "{text}");
    assert!(text.replace('\n', " ").contains("It holds the secrets of all seats."), "{text}");
}

#[test]
fn nothing_of_a_line_is_dropped() {
    let text = typed(&["play", &minimal(), "--movetime", "10"], "3 foo\nmoves\nquit\n");
    assert!(text.contains("3 foo is not a legal move"), "{text}");
    assert!(text.contains("position fen 21 p1\n"), "nothing was played: {text}");
}

#[test]
fn an_illegal_move_is_refused_with_the_reason_of_the_engine() {
    let text = typed(&["play", "barca", "--movetime", "10"], "e2e3x\nE1 - a2\nquit\n");
    assert!(
        text.contains("e2e3x is not a legal move: at character 5: 'x' after a whole move"),
        "{text}"
    );
    let text = text.replace('\n', " ");
    assert!(text.contains("E1 - a2 is not a legal move: the elephant"), "{text}");
}

#[test]
fn what_cannot_be_played_is_reported() {
    let engine = minimal();
    let text = refusal(&["play", &engine, "--seat", "p3"]);
    assert!(text.contains("--seat p3: write p1 to p2"), "{text}");
    let text = refusal(&["play", &engine, "--position", "startpos moves 7"]);
    assert!(text.contains("--position: illegal-move 7 is token 1"), "{text}");
    let text = refusal(&["play"]);
    assert!(text.contains("which game? Write one of barca, "), "{text}");
    let text = refusal(&["play", "no-such-game"]);
    assert!(text.contains("neither a built-in engine"), "{text}");
}

/// A position of Barca in which White wins at once by g1g4: two elephants stand on watering holes.
const WON: &str = "fen 4ee4/3lmml3/10/3E6/10/10/3E6/10/3LM5/6ML2 w";

#[test]
fn seats_have_names_and_the_board_is_turned_for_them() {
    let text = typed(&["play", "barca", "--seat", "black", "--movetime", "10"], "quit\n");
    assert!(text.contains("You are Black. White is played by the engine."), "{text}");
    let ranks = text.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok());
    assert_eq!(ranks.collect::<Vec<u32>>(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "{text}");
    let text = refusal(&["play", "barca", "--seat", "Red"]);
    assert!(text.contains("--seat Red: write p1 to p2 or White, Black"), "{text}");
}

#[test]
fn a_move_may_be_entered_in_parts() {
    let text = typed(&["play", "barca", "--movetime", "10"], "e2\ne2 e4\nmoves\nquit\n");
    // A mouse moves like a rook, and e8 is beside the lion on d9, which it fears.
    assert!(text.contains("Choose where it goes:\n  e3, e4, e5, e6, e7\n"), "{text}");
    assert!(text.contains("position startpos moves e2e4 "), "{text}");
}

#[test]
fn a_line_completes_the_move_that_the_last_one_began() {
    let text = typed(&["play", "barca", "--movetime", "10"], "e2\ne4\nmoves\nquit\n");
    assert!(text.contains("position startpos moves e2e4 "), "{text}");
    // Another piece may be named in place of a target, or the whole move.
    let text = typed(&["play", "barca", "--movetime", "10"], "e2\nf2\nf4\nmoves\nquit\n");
    assert!(text.contains("position startpos moves f2f4 "), "{text}");
    let text = typed(&["play", "barca", "--movetime", "10"], "g2\ne2e4\nmoves\nquit\n");
    assert!(text.contains("position startpos moves e2e4 "), "{text}");
    // What was begun before a mistake or an undo is forgotten.
    let text = typed(&["play", "barca", "--movetime", "10"], "e2\nfoo\ne4\nmoves\nquit\n");
    assert!(text.contains("position startpos\n"), "{text}");
}

/// A state of Barbarossa in which the first player may ask.
const ASKING: &str = "fen v=- n=3 ring=ESDQSDESGQSD goal=30 first=1 turn=1 phase=ask pawn=3,0,0 \
score=0,0,0 jewels=9,12,12 curse=3,3,3 blob=- arrows= asked=0 pend=- win=- objects=\
a1|w=monocle|show=is_wide|qa=|letters=|wrong=;a2|w=nettle|show=has_leaves|qa=|letters=|wrong=;\
a3|w=slug|show=is_smooth|qa=|letters=|wrong=;b1|w=blackberry|show=is_domed|qa=|letters=|wrong=;\
b2|w=dwarf|show=has_arms|qa=|letters=|wrong=;b3|w=stingray|show=has_tail|qa=|letters=|wrong=;\
c1|w=taco|show=is_wide|qa=|letters=|wrong=;c2|w=urchin|show=is_round|qa=|letters=|wrong=;\
c3|w=shears|show=has_handle|qa=|letters=|wrong=";

#[test]
fn a_line_that_is_a_move_is_not_taken_for_the_text_of_a_question() {
    let words = ["play", "barbarossa", "--movetime", "10", "--position", ASKING];
    // b1 begins a question about b1; `stop` ends asking all the same.
    let text = typed(&words, "b1\nstop\nmoves\nquit\n");
    assert!(text.contains(" view p1 moves stop\n"), "{text}");
    let text = typed(&words, "b1\nIs it alive?\nmoves\nquit\n");
    assert!(text.contains(" view p1 moves ask:b1:is_alive "), "{text}");
}

/// Where a window is open, a move of another time is refused in words, and a guess without its token is
/// spelled out.
#[test]
fn what_is_not_due_in_a_window_is_told() {
    let window = ASKING.replace("phase=ask", "phase=start").replace("win=-", "win=1:0");
    let words = ["play", "barbarossa", "--movetime", "10", "--position", &window];
    let text = typed(&words, "jewels 3\nroll\nb2 gate\nquit\n");
    assert!(
        text.contains("jewels 3 is not a legal move now.\nChoose an object to spend"),
        "{text}"
    );
    assert!(text.contains("roll is not a legal move now.\nChoose an object to spend"), "{text}");
    assert!(text.contains("or pass: then you roll or pay jewels"), "{text}");
    assert!(text.contains("Did you mean curse guess b2 gate?"), "{text}");
    assert!(!text.contains("curse:guess"), "{text}");
}

/// A refusal names the rule, also where a move is typed part by part.
#[test]
fn the_rule_that_refuses_a_choice_is_told() {
    let window = ASKING
        .replace("phase=ask", "phase=start")
        .replace("win=-", "win=1:0")
        .replace("arrows=", "arrows=b3:p1")
        .replace(
            "b1|w=blackberry|show=is_domed|qa=|letters=|wrong=",
            "b1|w=blackberry|show=is_domed|qa=|letters=|wrong=p1.gate",
        );
    let words = ["play", "barbarossa", "--movetime", "10", "--position", &window];
    let text = typed(&words, "b1 guess gate\nb3 guess tail\na1\nb9\ncurse guess b1 gate\nquit\n");
    let text = text.replace('\n', " ");
    for told in [
        "b1 guess gate is not a legal move: Player 1 has guessed that word of b1 already. Choose",
        "b3 guess tail is not a legal move: Player 1 has an arrow in b3 already. Choose",
        "a1 is not a legal move: a1 belongs to Player 1. Choose",
        "b9 is not a legal move: it cannot be chosen now. Did you mean b1, b2, b3?",
        "curse guess b1 gate is not a legal move: Player 1 has guessed that word of b1 already. Choose",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
}

/// What was taken back has not happened.
#[test]
fn what_was_taken_back_leaves_the_log() {
    let text = typed(&["play", "barca", "--seed", "1"], "e2e5\nlog\nundo\nlog\nquit\n");
    assert!(text.contains("White plays e2e5\nBlack plays "), "{text}");
    assert!(text.contains("Nothing has happened yet.\n"), "{text}");
}

/// The board is drawn so low that a terminal of 24 rows still shows what was told above it.
#[test]
fn what_happened_stays_on_the_screen() {
    let window = ASKING.replace("phase=ask", "phase=start").replace("win=-", "win=1:0");
    let much = "|wrong=p1.gate,p1.axe,p1.ant,p1.date";
    let window =
        window.replace("=has_tail|qa=|letters=|wrong=", &format!("=has_tail|qa=|letters={much}"));
    let window =
        window.replace("=is_round|qa=|letters=|wrong=", &format!("=is_round|qa=|letters={much}"));
    let words = ["play", "barbarossa", "--movetime", "10", "--position", &window];
    let text = typed(&words, "pass\nquit\n");
    let turn = text.rsplit_once("Your turn. Roll the die").expect("what the turn is about").1;
    assert!(turn.lines().count() <= 23, "{} lines: {turn}", turn.lines().count());
}

/// A window after the answer that ends the questions does not promise more of them.
#[test]
fn after_a_no_the_questions_end() {
    let words = ["play", "barbarossa", "--movetime", "10", "--position", ASKING];
    let text = typed(&words, "b1 is_food\npass\nb1 is_animal\nquit\n").replace('\n', " ");
    let (before, after) = text.split_once("Is it an animal? no").expect("a no");
    assert!(before.contains("or pass: then you ask on."), "{text}");
    assert!(after.contains("or pass: then your questions end."), "{text}");
}

/// Spaces are called by their numbers; an object that was chosen is told with all that is known of it.
#[test]
fn spaces_and_objects_are_listed_in_words() {
    let moving = ASKING.replace("phase=ask", "phase=move");
    let words = ["play", "barbarossa", "--movetime", "10", "--position", &moving];
    let text = typed(&words, "?\n1\nmoves\nquit\n");
    assert!(
        text.contains("  roll (roll the die), jewels 1 (Stairs, 1 jewel), jewels 2 ("),
        "{text}"
    );
    assert!(text.contains(" view p1 moves jewels:1 "), "{text}");
    let asking = ASKING.replace("show=is_domed|qa=", "show=is_domed|qa=is_alive-p");
    let words = ["play", "barbarossa", "--movetime", "10", "--position", &asking];
    let text = typed(&words, "b1\nquit\n");
    let told = "b1 of Player 2: ?\n  clay: is domed\n  Is it alive? possibly\nAsk about b1 (or type it in your own words):\n";
    assert!(text.contains(told), "{text}");
}

/// The hint says what speaks for the move and for the one that comes second.
#[test]
fn a_hint_has_a_reason() {
    let words = ["play", "barbarossa", "--movetime", "10", "--position", ASKING];
    let text = typed(&words, "hint\nquit\n").replace('\n', " ");
    assert!(text.contains("The engine would play ask ") && text.contains(", because "), "{text}");
    let moving = ASKING.replace("phase=ask", "phase=move");
    let words = ["play", "barbarossa", "--movetime", "10", "--position", &moving];
    let text = typed(&words, "hint\nquit\n").replace('\n', " ");
    let hints = ["would play jewels 6, because that leads to ?. ", "other move is jewels "];
    assert!(hints.iter().all(|hint| text.contains(hint)), "{text}");
    let text = typed(&["play", "barca", "--movetime", "10", "--position", WON], "hint\nquit\n");
    assert!(text.contains("White wins by force") && !text.contains("because"), "{text}");
}

/// To one person at the keyboard it is said which word is asked about; with several, another reads it.
#[test]
fn a_word_is_not_said_where_several_people_read() {
    let asked = |seats| {
        let words =
            ["play", "barbarossa", "--movetime", "10", "--position", ASKING, "--seat", seats];
        typed(&words, "\n\npass\npass\n\nquit\n")
    };
    assert!(["p2", "p3"].iter().any(|seat| asked(seat).contains("(your ")));
    let text = asked("p2,p3");
    assert!(!text.contains("(your "), "{text}");
    assert!(text.contains("Player 1 asks about "), "{text}");
}

/// A guess is whispered to the owner of the object: at a keyboard of several people another reads it.
#[test]
fn a_guess_is_not_said_where_several_people_read() {
    let guessing = ASKING.replace("phase=ask", "phase=round2");
    let engine = "barbarossa option.Player=random option.Seed=6";
    let guessed = |seats| {
        let words = ["play", engine, "--movetime", "10", "--position", &guessing, "--seat", seats];
        let text = typed(&words, "\n\n\nquit\n");
        let line = text.lines().find(|line| line.starts_with("Player 1") && line.contains("guess"));
        line.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    assert_eq!(guessed("p2"), "Player 1 guesses b3: bat (your stingray) -> wrong");
    assert_eq!(guessed("p3"), "Player 1 guesses b3 -> wrong");
    assert_eq!(guessed("p2,p3"), "Player 1: guess b3 ? -> wrong");
}

#[test]
fn cards_tell_what_the_person_knows_until_the_papers_are_revealed() {
    let words = ["play", "barbarossa", "--movetime", "10", "--position", ASKING];
    let text = typed(&words, "card B1\ncard a1\ncard d1\nresign\nquit\n").replace('\n', " ");
    let (before, after) = text.split_once("Player 1 resigns.").unwrap();
    for expected in [
        "b1 of Player 2: ?   clay: is domed",
        "a1 of Player 1: monocle   clay: is wide",
        "There is no card d1; there are a1 a2 a3 b1 b2 b3 c1 c2 c3.",
        " Player 2        score 0 of 30  jewels 12 of 13 curse tokens 3 of 3   b1 b2 b3",
    ] {
        assert!(before.contains(expected), "'{expected}' is missing in:\n{before}");
    }
    assert!(!before.contains("blackberry"), "{before}");
    // Of the pawns the second and the third stand together.
    assert_eq!(["(1)", "(2)(3)"].map(|pawns| before.matches(pawns).count()), [1, 1], "{before}");
    let revealed = "a1 monocle, a2 nettle, a3 slug, b1 blackberry, b2 dwarf, b3 stingray, c1 taco,";
    assert!(after.contains(revealed), "{after}");
}

#[test]
fn who_skips_passes_alone_and_until_there_is_another_choice() {
    let words = ["play", "barbarossa", "--position", ASKING, "--seat", "all"];
    // After a question each of the three may spend a token or pass; an empty line takes a seat.
    let lines = "b1 is it alive?\nskip\n\nmoves\nskip\n\npass\n\n\
                 b1 is it flat?\nmoves\npass\n\n\nmoves\nquit\n";
    let text = typed(&words, lines);
    let told: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("position "))
        .filter_map(|line| line.split_once(" moves "))
        .map(|(_, moves)| moves)
        .collect();
    let first = "ask:b1:is_alive possibly pass";
    let second = format!("{first} pass pass ask:b1:is_flat no");
    // The second person is asked too; the first again, who had to choose a question in between; the
    // second not, the third is.
    assert_eq!(told, [first, &second, &format!("{second} pass pass")], "{text}");
    // Whose passing is taken back is asked again.
    let text = typed(&words, "b1 is it alive?\nskip\n\nundo\n\nmoves\nquit\n");
    let asked = |line: &str| line.starts_with("position ") && line.ends_with(":is_alive possibly");
    assert!(text.lines().any(asked), "{text}");
}

#[test]
fn the_nearest_legal_moves_are_offered() {
    let text = typed(&["play", "barca", "--movetime", "10"], "e2e9\nquit\n");
    let text = text.replace('\n', " ");
    assert!(text.contains("e2e9 is not a legal move: Black's mouse stands on e9"), "{text}");
    assert!(text.contains("Did you mean e2e3, e2e4"), "{text}");
}

#[test]
fn a_game_ends_in_words() {
    let words = ["play", "barca", "--movetime", "500", "--position", WON];
    let text = typed(&words, "hint\ng1g4\nquit\n");
    assert!(text.contains("The engine would play g1g4: White wins by force."), "{text}");
    assert!(text.contains("White wins: ") && text.contains("You win!"), "{text}");
    let directory = scratch();
    let file = directory.path().join("game.jsonl");
    let text = typed(&words, &format!("resign\nsave {}\nquit\n", file.display()));
    assert!(text.contains("Black wins: White resigned. You lose."), "{text}");
    let record = &games(&file).1[&1];
    assert_eq!((&record.seating[0][..], &record.places[..]), ("person", &[2, 1][..]));
    assert_eq!((&record.reason[..], record.ending), ("resign", Ending::Adjudication));
}

/// Two games were won in a row: a third one counts once, however often its end is played.
#[test]
fn a_game_counts_once_and_a_loaded_one_not_at_all() {
    let folder = scratch();
    let rows = r#"{"rows":{"barca":{"level":2,"row":2},"pacru":{"level":4,"row":-1}},"x":[1]}"#;
    let before = format!("{rows}\n");
    keep(folder.path(), &before);
    let file = within(&folder, "game.jsonl");
    let lines = format!("g1g4\nundo\ng1g4\nsave {file}\nquit\n");
    let words = ["play", "barca", "--level", "2", "--position", WON];
    let text = typed_by(folder.path(), &words, &lines).replace('\n', " ");
    assert_eq!(text.matches("You win!").count(), 2, "{text}");
    let offer =
        "You have won three games in a row. Level 3 is stronger: parlor play barca --level 3";
    assert_eq!(text.matches(offer).count(), 1, "{text}");
    // What is kept of other games, and by other commands, stays.
    assert_eq!(kept(folder.path()), before.replace("\"row\":2", "\"row\":3"));
    let text = typed_by(folder.path(), &["play", "--load", &file, "--level", "2"], "quit\n");
    assert!(text.contains("You win!") && !text.contains("in a row"), "{text}");
    assert_eq!(kept(folder.path()), before.replace("\"row\":2", "\"row\":3"));
    // A position for the third time.
    let drawn = "startpos moves e2e3 e9e8 e3e2 e8e9 e2e3 e9e8 e3e2";
    let words = ["play", "barca", "--level", "2", "--seat", "black", "--position", drawn];
    let text = typed_by(folder.path(), &words, "e8e9\nquit\n");
    assert!(text.contains("A draw: repetition.\n"), "{text}");
    assert_eq!(kept(folder.path()), before.replace("\"row\":2", "\"row\":0"));
}

#[test]
fn what_is_taken_back_is_forgotten_and_a_game_goes_on_after_its_end() {
    let words = ["play", "barca option.Player=random", "--movetime", "10"];
    let text = typed(&words, "e2e4\nf2\nundo\nf4\nmoves\nquit\n");
    assert!(text.contains("You have no move from f4. To it: d2f4, f2f4.\n"), "{text}");
    assert!(text.contains("position startpos\n"), "{text}");
    assert_eq!(text.matches("Last move: ").count(), 1, "only before undo: {text}");
    let text = typed(&words, "e2e4\nresign\nundo\nf2f4\nmoves\nquit\n");
    assert!(text.contains("position startpos moves f2f4 "), "{text}");
    // Who decided is known of the tokens of a position line too.
    let begun = [&words[..], &["--position", "startpos moves e2e4 e9e7"]].concat();
    assert!(typed(&begun, "undo\nmoves\nquit\n").contains("position startpos\n"));
}

/// [`WON`] from the other side: Black wins at once by a move of the mouse on g10.
const WON_BY_BLACK: &str = "fen 6ml2/3lm5/10/3e6/10/10/3e6/10/3LMML3/4EE4 b";

#[test]
fn a_review_names_the_move_that_was_missed_and_leaves_the_game_where_it_was() {
    let words =
        ["play", "barca", "--movetime", "300", "--seat", "black", "--position", WON_BY_BLACK];
    let text = typed(&words, "e9e8\nresign\nreview\nmoves\nquit\n").replace('\n', " ");
    assert!(text.contains("Move 1: Black played e9e8, which cost "), "{text}");
    assert!(text.contains("better was g10g"), "{text}");
    assert!(text.contains("position fen 6ml2/") && text.contains(" b moves e9e8 "), "{text}");
}

#[test]
fn a_saved_game_is_a_record_and_goes_on() {
    let directory = scratch();
    let file = directory.path().join("game.jsonl");
    let path = file.to_str().unwrap();
    // Whatever is thrown first, one of these moves is legal.
    let lines = format!("c1d1\nc1e1\nc1e2\nc1e3\nc1e4\nsave {path}\nquit\n");
    let words = ["play", "chowka-bhara", "--rule", "Players=3", "--movetime", "10", "--seed", "5"];
    let text = typed(&words, &lines);
    assert!(text.contains("Saved; parlor play --load ") && !text.contains("secret"), "{text}");
    // After the throw of the person the move before it is still shown.
    assert!(text.contains("Last move: c5"), "{text}");
    let (header, records) = games(&file);
    assert!(header.rules.split(' ').any(|rule| rule == "Players=3"), "{}", header.rules);
    let tokens: Vec<&str> = records[&1].moves.iter().map(|m| m.token.as_str()).collect();
    assert!(!tokens.is_empty() && records[&1].reason == "unfinished");
    // The file tells engine and rules.
    let text = typed(&["play", "--load", path, "--movetime", "10"], "moves\nquit\n");
    let position = format!("position startpos moves {}", tokens.join(" "));
    assert!(text.lines().any(|line| line.starts_with(&position)), "{position}\n{text}");
    // Throws are no decisions that could be taken back.
    let own =
        records[&1].moves.iter().rposition(|played| played.seat == 1 && played.from.is_none());
    let position = format!("position startpos moves {}\n", tokens[..own.unwrap()].join(" "));
    let text = typed(&["play", "--load", path, "--movetime", "10"], "undo\nmoves\nquit\n");
    assert!(text.contains(&position), "{position}\n{text}");
    let shown = expect(0, &["replay", path, "1", "--show"]);
    assert!(shown.contains("unfinished"), "{shown}");
    assert!(refusal(&["play", "--load", path, "--game", "2"]).contains("no game 2"));
}

#[test]
fn an_engine_keeps_to_its_own_limits() {
    let directory = scratch();
    let file = directory.path().join("game.jsonl");
    let lines = format!("e2e4\nsave {}\nquit\n", file.display());
    for (engine, depth, nodes) in [("barca depth=1", 1, u64::MAX), ("barca nodes=30", u32::MAX, 30)]
    {
        let text = typed(&["play", engine, "--movetime", "60000"], &lines).replace('\n', " ");
        assert!(text.contains(&format!("Saved; parlor play '{engine}' --load ")), "{text}");
        let answer = &games(&file).1[&1].moves[1];
        assert!(answer.depth.unwrap() <= depth && answer.nodes.unwrap() <= nodes, "{answer:?}");
    }
}

#[test]
fn people_with_secrets_get_a_handover_screen() {
    let engine = mock("");
    let words = ["play", &engine, "--rule", "Secrets=true", "--seat", "all"];
    let text = typed(&words, "secret:mine\n\nmoves\nsecret:yours\n\nmoves\nundo\n\nmoves\nquit\n");
    assert!(text.contains("All seats are people"), "{text}");
    let parts: Vec<&str> = text.split("turn. All others look away").collect();
    assert_eq!(parts.len(), 4, "{text}");
    assert!(parts[0].ends_with(&format!("{}It is p2's ", "\n".repeat(61))), "{text}");
    assert!(parts[1].contains("moves secret:?") && !parts[1].contains("mine"), "{text}");
    assert!(parts[1].contains("p1: secret ?\n"), "what has happened is told: {text}");
    assert!(parts[2].contains("moves secret:mine secret:?"), "{text}");
    assert!(!parts[2].contains("yours"), "{text}");
    // Between people everything may be taken back.
    assert!(parts[3].contains("moves secret:?\n"), "{text}");
}

#[test]
fn several_people_beside_an_engine_take_no_secret_back() {
    let engine = mock("");
    let seats =
        ["play", &engine, "--rule", "Secrets=true", "--rule", "Players=3", "--seat", "p1,p2"];
    // Nothing needs to follow: one of the people may have told the other what was played.
    for lines in [
        "secret:mine\n\nundo\n\nmoves\nquit\n",
        "secret:mine\n\nsecret:yours\n\nundo\n\nmoves\nquit\n",
    ] {
        let text = typed(&seats, lines);
        assert!(text.contains("may have told somebody something that was secret"), "{text}");
    }
}

#[test]
fn colours_are_for_terminals_or_for_those_who_ask() {
    let show = |color: &str| {
        let mut command = command(&["play", "barca", "--movetime", "10", "--color", color]);
        command.env("NO_COLOR", "1").env("LC_ALL", "C").env("LANG", "C.UTF-8");
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert!(!show("auto").contains('\u{1b}') && !show("never").contains('\u{1b}'));
    assert!(show("always").contains("\u{1b}["));
    assert!(show("auto").is_ascii(), "the locale is not UTF-8");
}

#[test]
fn hints_come_from_the_engine_whoever_is_the_opponent() {
    let engine = "barca option.Player=random";
    // Black wins in two: after i3j2 only j1a1 puts it off.
    let position = "fen l9/1E2L5/10/4e1m3/10/5m3L/3M2e3/8l1/7E2/9M b";
    let words = ["play", engine, "--movetime", "500", "--seat", "black", "--position", position];
    let text = typed(&words, "hint\nquit\n").replace('\n', " ");
    assert!(text.contains("The engine would play i3j2: Black wins by force. "), "{text}");
    assert!(text.contains(" It expects i3j2 j1a1"), "{text}");
}

#[test]
fn an_engine_with_a_seed_plays_the_same_at_every_level() {
    let directory = scratch();
    let file = directory.path().join("game.jsonl");
    let words = ["play", "barca option.Seed=7", "--level", "1", "--seat", "black"];
    let first = [0; 3].map(|_| {
        typed(&words, &format!("save {}\nquit\n", file.display()));
        games(&file).1[&1].moves[0].token.clone()
    });
    assert!(first.iter().all(|token| *token == first[0]), "{first:?}");
}

#[test]
fn cells_may_be_joined() {
    let words = ["play", "pacru", "--movetime", "10"];
    for line in ["a3b4b4", "A3 b4 b4", "a3-b4b4", "a3-b4 (b4)"] {
        let text = typed(&words, &format!("{line}\nmoves\nquit\n"));
        assert!(text.contains("position startpos moves a3-b4(b4) "), "{line}: {text}");
    }
    let text = typed(&words, "a3-b4\nquit\n");
    assert!(text.contains("Choose the field to claim:\n  a4, b4, "), "{text}");
    assert!(!text.contains("is not a legal move"), "{text}");
}

#[test]
fn a_target_alone_lists_the_moves_to_it() {
    let words = ["play", "barca", "--movetime", "10"];
    // A lion and a mouse reach e3; to a1 an elephant goes, and to a10 nobody.
    let text = typed(&words, "e3\na1\na10\nquit\n");
    assert!(text.contains("You have no move from e3. To it: d2e3, e2e3.\n"), "{text}");
    assert!(text.contains("You have no move from a1. To it: e1a1.\n"), "{text}");
    assert!(text.contains("You have no move from a10 or to it.\n"), "{text}");
}

#[test]
fn what_was_begun_is_continued_or_listed() {
    let words = ["play", "barca", "--movetime", "10"];
    let text = typed(&words, "e2\n?\n\ne4\nmoves\nquit\n");
    assert_eq!(text.matches("Choose where it goes:\n  e3, e4").count(), 3, "{text}");
    assert!(text.contains("position startpos moves e2e4 "), "{text}");
}

#[test]
fn too_many_moves_are_listed_in_parts() {
    let text = typed(&["play", "porrika", "--movetime", "10"], "?\nquit\n");
    assert!(text.contains("Choose the space of the first egg:\n  a1n, a1w, "), "{text}");
    assert!(!text.contains(" more: "), "{text}");
}

#[test]
fn the_reason_is_told_of_a_choice_written_in_short() {
    let words = ["play", "barbarossa", "--rule", "Words=free", "--movetime", "10"];
    let text = typed(&words, "teapot\nspout\nhandle\nwheelbarrow\nquit\n").replace('\n', " ");
    assert!(
        text.contains("handle is not a legal move: features are shown in table order"),
        "{text}"
    );
    assert!(text.contains("wheelbarrow is not a legal move: it cannot be chosen now."), "{text}");
}

#[test]
fn throws_come_by_themselves() {
    let words = ["play", "chowka-bhara", "--movetime", "10", "--seed", "3"];
    let text = typed(&words, "throw\nquit\n");
    assert!(text.contains("There is nothing to throw now."), "{text}");
    // The first throw is no move on the board.
    assert!(!text.contains("Last move: t"), "{text}");
}

#[test]
fn of_several_people_the_one_at_the_keyboard_is_you() {
    let words = ["play", "barca", "--seat", "all", "--movetime", "10"];
    let text = typed(&words, "e2e4\nquit\n");
    assert_eq!(text.matches("White (you)").count(), 2, "name and turn: {text}");
    assert_eq!(text.matches("Black (you)").count(), 2, "{text}");
    // The signs are explained once.
    assert_eq!(text.matches("small letters: Black").count(), 1, "{text}");
}

/// What `parlor learn barca` prints when these lines are typed, with its progress kept in a folder.
fn learned(folder: &Path, words: &[&str], lines: &str) -> String {
    typed_by(folder, &[&["learn", "barca"], words].concat(), lines)
}

#[test]
fn a_course_is_taken_with_right_and_wrong_moves_and_goes_on_where_it_was_left() {
    let folder = scratch();
    let text = learned(folder.path(), &[], "d1d2\nhint\nd1c2\nD1-D4\nb2 g7\nquit\n");
    for expected in [
        "   1  How the animals move",
        "0 of 3",
        "Lesson 1: How the animals move. Step 1 of 3.",
        "Only the mouse on d1 can get to a hole.",
        "Go straight up from d1.",
        "d1c2 is not a legal move",
        "That mouse has found water.",
        "Step 2 of 3.",
        "Right. A lion always stays on squares of one colour",
        "Step 3 of 3.",
    ] {
        assert!(text.contains(expected), "'{expected}' is missing in:\n{text}");
    }
    assert_eq!(kept(folder.path()), "{\"lessons\":{\"barca\":{\"animals\":2}}}\n");
    let text = learned(folder.path(), &[], "skip\nback\nlesson 9\nlesson 3\nj1g4\nquit\n");
    assert!(text.contains("2 of 3") && text.contains("there are lessons 1 to"), "{text}");
    assert_eq!(text.matches("Step 3 of 3.").count(), 2, "{text}");
    assert!(text.contains("Three holes: you win!"), "{text}");
    // The reply of the others is played before the next move is asked for.
    let lines = "c10f7\nj10g7\nlesson 1\nd1d4\nquit\n";
    let text = learned(folder.path(), &["--lesson", "5"], lines);
    assert!(text.contains("Black plays g7g10"), "{text}");
    assert!(text.contains("The black mouse had to run, and you win!"), "{text}");
    // What was skipped is not done; what is done again stays done.
    assert!(kept(folder.path()).contains("\"animals\":2,"), "{}", kept(folder.path()));
}

#[test]
fn a_course_begins_with_the_first_lesson_that_is_not_done() {
    let folder = scratch();
    for (done, expected) in [
        (r#"{"animals":3,"fear":1}"#, "Lesson 2: Who fears whom. Step 2 of 3."),
        // All are done, as they were when some of them were longer.
        (
            r#"{"animals":9,"fear":9,"winning":9,"must":9,"fight":9,"first":9}"#,
            "Lesson 1: How the animals move. Step 1 of 3.",
        ),
    ] {
        keep(folder.path(), &format!("{{\"lessons\":{{\"barca\":{done}}}}}"));
        let text = learned(folder.path(), &[], "quit\n");
        assert!(text.contains(expected), "{done}: {text}");
    }
}

/// The puzzles of a game in their order.
fn puzzles(game: &str) -> Vec<Puzzle> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games").join(game);
    let lines = std::fs::read_to_string(folder.join("puzzles.jsonl")).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn puzzles_near_the_rating_are_asked_and_move_it() {
    let folder = scratch();
    let mut open = puzzles("barca");
    let all = open.len();
    let mut nearest = |rating: u32| {
        let near = open.iter().enumerate().min_by_key(|(_, one)| one.rating.abs_diff(rating));
        let at = near.unwrap().0;
        open.remove(at)
    };
    let (first, second) = (nearest(800), nearest(800));
    // Half a point is what is expected against an equal rating; the other half costs 24.
    assert_eq!((first.rating, second.rating), (800, 800));
    let (third, fourth) = (nearest(776), nearest(776));
    let mut solution = &first.solution;
    let mut moves = vec![solution.accept[0].as_str()];
    while let Some((_, next)) = solution.replies.first() {
        moves.push(&next.accept[0]);
        solution = next;
    }
    let lines = format!("hint\nhint\n{}\nsolution\nskip\nquit\n", moves.join("\n"));
    let words = ["puzzle", "barca"];
    let text = typed_by(folder.path(), &words, &lines).replace('\n', " ");
    let mut rest = text.as_str();
    for expected in [
        format!("Barca: {all} puzzles, 0 solved. Your rating is 800."),
        format!("{} (800)", first.text),
        format!("It is about: {}.", first.themes[1..].join(", ")),
        format!("The answer begins with {}.", &moves[0][..2]),
        "Solved.".to_owned(),
        "Your rating is 800 now.".to_owned(),
        format!("The answer is {}", second.solution.accept[0]),
        format!("{} ({})", third.text, third.rating),
        format!("{} ({})", fourth.text, fourth.rating),
    ] {
        let found = rest.split_once(&expected);
        (_, rest) = found.unwrap_or_else(|| panic!("'{expected}' is missing in:\n{text}"));
    }
    assert_eq!(text.matches("Right. Go on.").count(), moves.len() - 1, "{text}");
    let solved = &first.id;
    let expected = format!(
        "{{\"puzzles\":{{\"barca\":{{\"rating\":776,\"played\":2,\"solved\":[\"{solved}\"]}}}}}}\n"
    );
    assert_eq!(kept(folder.path()), expected);
    // What was skipped comes again another time.
    let text = typed_by(folder.path(), &words, "quit\n").replace('\n', " ");
    assert!(text.contains("puzzles, 1 solved. Your rating is 776."), "{text}");
    assert!(text.contains(&format!("{} ({})", third.text, third.rating)), "{text}");
}

#[test]
fn a_wrong_answer_is_told_what_it_costs_and_counts_alone() {
    for (game, module, seats) in [
        ("azacru", "azacru", ["White", "Black"]),
        ("chowka-bhara", "chowka_bhara", ["South", "North"]),
    ] {
        let folder = scratch();
        let puzzles = puzzles(module);
        let first = puzzles.iter().min_by_key(|puzzle| puzzle.rating).unwrap();
        assert!(first.loss.len() > 1 && first.solution.replies.is_empty(), "{first:?}");
        let wrong: Vec<&str> = first.loss.keys().map(String::as_str).collect();
        let lines = format!("{}\n{}\nquit\n", wrong.join("\n"), first.solution.accept[0]);
        let text = typed_by(folder.path(), &["puzzle", game, "--easiest"], &lines);
        let text = text.replace('\n', " ");
        // The board is turned for who decides.
        let own = seats[usize::from(first.place.seat == "p2")];
        assert!(text.contains(&format!("{own} (you) to move.")), "{text}");
        for (token, loss) in &first.loss {
            let cost = match loss {
                1000 if first.goal == "win" => "loses".to_owned(),
                500 if first.goal == "win" => "does not win, it draws at best".to_owned(),
                _ => format!("loses {} % of a game", f64::from(*loss) / 10.0),
            };
            let expected = format!("{token} {cost}. Try again.");
            assert!(text.contains(&expected), "'{expected}' is missing in:\n{text}");
        }
        // The Elo rating of a newcomer after a loss.
        let expected = 1.0 / (1.0 + 10f64.powf((f64::from(first.rating) - 800.0) / 400.0));
        let rating = (800.0 - 48.0 * expected).round();
        assert!(text.contains(&format!("Your rating is {rating} now.")), "{text}");
        let counted = format!("\"rating\":{rating},\"played\":1,\"solved\":[\"{}\"]", first.id);
        assert!(kept(folder.path()).contains(&counted), "{counted}: {}", kept(folder.path()));
    }
}

/// A turn of several plays is typed play by play, and may begin with a double: `a5a1d`, `a1c1`.
#[test]
fn half_of_a_turn_is_taken() {
    let puzzles = puzzles("chowka_bhara");
    let plays = |token: &str| token.split(',').map(str::to_owned).collect::<Vec<_>>();
    let begins_with_a_double = |plays: &Vec<String>| {
        plays.len() > 1
            && plays[0].ends_with('d')
            && plays[1..].iter().all(|play| !play.ends_with('d'))
    };
    let (puzzle, plays) = puzzles
        .iter()
        .find_map(|puzzle| {
            let mut wrong = puzzle.loss.keys().map(|token| plays(token));
            let is_first = puzzles.iter().find(|other| other.rating == puzzle.rating);
            let found = wrong.find(begins_with_a_double)?;
            (is_first?.id == puzzle.id).then_some((puzzle, found))
        })
        .unwrap();
    let folder = scratch();
    let progress = format!("{{\"rating\":{},\"played\":0,\"solved\":[]}}", puzzle.rating);
    keep(folder.path(), &format!("{{\"puzzles\":{{\"chowka-bhara\":{progress}}}}}"));
    let text = typed_by(
        folder.path(),
        &["puzzle", "chowka-bhara"],
        &format!("{}\nquit\n", plays.join("\n")),
    );
    let expected = format!("{} loses ", plays.join(","));
    assert!(text.contains(&expected), "'{expected}' is missing in:\n{text}");
}

#[test]
fn progress_that_cannot_be_read_is_not_written_over() {
    let folder = scratch();
    keep(folder.path(), "no JSON");
    let output = command(&["learn", "barca"]).env("XDG_STATE_HOME", folder.path()).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("progress.json"), "{error}");
    assert_eq!(kept(folder.path()), "no JSON");
}

/// Words that are no choice are told as such, with moves that have them; a word that several choices
/// begin with, with these; a number alone is enough for jewels.
#[test]
fn words_that_are_no_choice_are_told_in_words() {
    let guessing = ASKING.replace("phase=ask", "phase=round2");
    for (position, line, expected) in [
        (
            &guessing,
            "crosswalk",
            "crosswalk is not a legal move: it cannot be chosen now. Did you mean guess b1",
        ),
        (
            &ASKING.replace("phase=ask", "phase=move"),
            "30",
            "30 is not a legal move: it cannot be chosen now.",
        ),
    ] {
        let words = ["play", "barbarossa", "--movetime", "10", "--position", position];
        let text = typed(&words, &format!("{line}\nquit\n")).replace('\n', " ");
        assert!(text.contains(expected), "{line}: {text}");
    }
    let moves = "startpos moves EGGEG.G. b1nb2w";
    let words = ["play", "porrika", "--movetime", "10", "--position", moves, "--seat", "all"];
    let text = typed(&words, "c6\nquit\n");
    assert!(text.contains("c6 may be c6e or c6s. Which one?"), "{text}");
}

/// A set-up is told as the spaces that are chosen for it, not as a code of letters.
#[test]
fn a_set_up_is_told_as_its_spaces() {
    let text = typed(&["play", "porrika", "--movetime", "10"], "hint\nquit\n").replace('\n', " ");
    let (_, hint) = text.split_once("The engine would play ").expect("a hint");
    let spaces: Vec<&str> = hint.split(':').next().unwrap().split(' ').collect();
    assert!(spaces.len() == 4 && spaces.iter().all(|space| space.len() == 3), "{text}");
    assert!(
        text.contains("Type a move such as a1n ") || text.contains("Type a move such as b1"),
        "{text}"
    );
}

/// After the end all cards are open.
#[test]
fn after_the_end_the_cards_show_the_words() {
    let words = ["play", "barbarossa", "--movetime", "10", "--position", ASKING];
    let text = typed(&words, "resign\ncard b1\nquit\n");
    assert!(text.contains("b1 of Player 2: blackberry\n"), "{text}");
}
