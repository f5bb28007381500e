//! What each option changes, and the forced steps, one assertion each.

use std::collections::BTreeSet;

use parlor::game::{Chance, Chances, Game, Notation, Rules};
use parlor::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId};
use parlor::games::barbarossa::{Move, Phase, Position};

use super::driver::{options, play, refusal};
use super::vectors::{FOUR, Table};

/// The table with a word of p2's first object exchanged.
fn with_word(table: &Table, word: &str, feature: &str) -> Position {
    let line =
        table.line().replace("w=teapot|show=has_handle", &format!("w={word}|show={feature}"));
    read(&line, table.settings)
}

fn read(line: &str, settings: &[(&str, &str)]) -> Position {
    Position::parse(line, &options(settings), None)
        .unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn only_chance(position: &Position) -> Move {
    match position.chances() {
        Chances::Listed(outcomes) if outcomes.len() == 1 => outcomes[0].0.clone(),
        other => panic!("{other:?} in {}", position),
    }
}

/// What is said when p1 guesses b1.
fn verdict(settings: &[(&str, &str)], word: &str, feature: &str, guess: &str) -> bool {
    // c2, d1 and so on keep words of the table that no pair here names.
    let mut table = with_word(&Table { settings, ..FOUR }, word, feature);
    play(&mut table, &format!("guess:b1:{guess}"));
    only_chance(&table) == Move::Verdict(true)
}

#[test]
fn with_match_synset_another_name_of_the_same_thing_is_right() {
    let lemma = [("Players", "4"), ("Words", "free")];
    let synset = [("Players", "4"), ("Words", "free"), ("Match", "synset")];
    let pairs = [
        ("puma", "has_tail", "cougar"),
        ("puma", "has_tail", "catamount"),
        ("motorcycle", "has_wheels", "bike"),
        ("bicycle", "has_wheels", "bike"),
        ("frog", "has_legs", "toad"),
    ];
    for (word, feature, guess) in pairs {
        assert!(verdict(&synset, word, feature, guess), "{guess} is another name of {word}");
        assert!(!verdict(&lemma, word, feature, guess), "{guess} is not the word {word}");
        assert!(verdict(&lemma, word, feature, &format!("{word}s")), "{word}s is a form of {word}");
    }
    // Both are bikes, and yet two things.
    assert!(!verdict(&synset, "motorcycle", "has_wheels", "bicycle"));
    // The rule says any word of the lexicon, so with dealt words a name outside it is none.
    let dealt = [("Players", "4"), ("Match", "synset")];
    assert!(verdict(&dealt, "frog", "has_legs", "toad"));
    let table = Table { settings: &dealt, ..FOUR }.set();
    assert!(table.parse_move("guess:b1:catamount").is_err());
}

#[test]
fn noise_changes_its_share_of_the_cells_by_judge_word_and_predicate() {
    let settings = [("Players", "4"), ("Words", "free"), ("JudgeNoise", "20")];
    let knowledge = Knowledge::shipped();
    let asking = Table { settings: &settings, phase: "ask", ..FOUR };
    let mut changed = BTreeSet::new();
    let mut cells = 0;
    for judge in 1..=8 {
        let line = asking.line().replace("goal=30", &format!("goal=30 judge={judge:08x}"));
        let twin = line.replace("w=fork|show=is_pointed", "w=teapot|show=has_handle");
        let (table, twin) = (read(&line, &settings), read(&twin, &settings));
        for predicate in (0..knowledge.predicates() as u16).map(PredicateId) {
            let name = knowledge.predicate(predicate);
            let said = |table: &Position, object: &str| {
                let mut table = table.clone();
                play(&mut table, &format!("ask:{object}:{name}"));
                only_chance(&table)
            };
            let (first, second) = (said(&table, "b1"), said(&twin, "d1"));
            assert_eq!(first, second, "the same word, judge and question in two places");
            let shipped = knowledge.answer(knowledge.find_word("teapot").unwrap(), predicate);
            if first != Move::Answer(shipped) {
                changed.insert((judge, name.to_string()));
            }
            cells += 1;
        }
    }
    // A fifth, give or take four standard deviations; and not the same cells for every judge.
    let (count, expected) = (changed.len() as f64, f64::from(cells) / 5.0);
    assert!((count - expected).abs() < 4.0 * (expected * 0.8).sqrt(), "{count} of {cells}");
    let of_judge = |judge| {
        let cells = changed.iter().filter(move |(other, _)| *other == judge);
        cells.map(|(_, name)| name.clone()).collect::<Vec<_>>()
    };
    assert_ne!(of_judge(1), of_judge(2));
}

#[test]
fn without_blobs_two_features_are_the_least() {
    for (value, least) in [("false", 1), ("true", 2)] {
        let settings = [("Words", "free"), ("NoBlobs", value)];
        let mut table = Position::start(&options(&settings), None).unwrap();
        play(&mut table, "word:a1:teapot");
        for (shown, feature) in ["has_handle", "has_spout"].into_iter().enumerate() {
            let may = table.is_legal(&table.parse_move("done:a1").unwrap());
            assert_eq!(may, shown >= least, "{shown} features with NoBlobs {value}");
            play(&mut table, &format!("show:a1:{feature}"));
        }
        play(&mut table, "done:a1");
    }
}

#[test]
fn nobody_is_polled_between_the_last_question_and_the_verdict() {
    let settings = &[("Players", "4"), ("CurseWindows", "all")];
    let asking = Table { settings, phase: "ask", curses: "3,3,3,3", ..FOUR };
    for questions in ["stop", "ask:b1:is_alive no pass pass pass pass"] {
        let mut table = asking.set();
        play(&mut table, questions);
        assert_eq!((table.phase(), table.window()), (Phase::Round2, None));
        assert!(!refusal(&table, "curse:letter:c1").is_empty());
        play(&mut table, "guess:b1:kettle");
        assert_eq!((table.phase(), table.window()), (Phase::Verdict, None));
        play(&mut table, "wrong");
        assert_eq!(table.turn().to_string(), "p2");
        play(&mut table, "curse:letter:c1");
    }
}

#[test]
fn what_is_not_understood_is_not_known_and_never_no() {
    let settings = [("Players", "4"), ("Words", "free")];
    let asking = Table { settings: &settings, phase: "ask", ..FOUR };
    let cases = [
        ("teapot", "has_handle", "~why%3F", Answer::DontKnow),
        ("teapot", "has_handle", "~is%20it%20alive%3F", Answer::No),
        ("zyzzyva", "has_legs", "is_alive", Answer::DontKnow),
    ];
    for (word, feature, question, answer) in cases {
        let mut table = with_word(&asking, word, feature);
        play(&mut table, &format!("ask:b1:{question}"));
        assert_eq!(only_chance(&table), Move::Answer(answer), "{word}: {question}");
    }
}

#[test]
fn the_eighth_feature_ends_a_sculpture() {
    let start = Position::start(&options(&[("Words", "free")]), None).unwrap();
    let knowledge = Knowledge::shipped();
    let mut tried = 0;
    for id in knowledge.words() {
        let mut table = start.clone();
        play(&mut table, &format!("word:a1:{}", knowledge.word(id)));
        let features: Vec<Move> = table.moves();
        if features.iter().filter(|m| matches!(m, Move::Show(..))).count() < 9 {
            continue;
        }
        for feature in &features[..8] {
            table.play(feature);
        }
        assert_eq!(table.moves(), [table.parse_move("done:a1").unwrap()]);
        tried += 1;
    }
    assert!(tried > 10, "{tried} words with nine features to show");
}

#[test]
fn with_every_object_of_the_others_closed_only_stop_is_legal() {
    let arrows = "b1:p1,b1:p3,b2:p1,b2:p3,c1:p1,c1:p2,c2:p1,c2:p2,d1:p1,d1:p2,d2:p1,d2:p2";
    let table = Table { phase: "ask", arrows, ..FOUR }.set();
    assert_eq!(table.moves(), [Move::Stop]);
}
