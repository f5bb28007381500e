//! The vectors of the rules, one test each or a few together.

use parlor::game::{Game, Notation, Seat};
use parlor::games::barbarossa::{Move, Phase, Position, RuleOptions};

use super::driver::{options, play, refusal};
use super::windows::three_before_first;

/// Words for up to twelve objects, each with features that clay can show of it.
const WORDS: [(&str, &str); 12] = [
    ("anchor", "is_pointed"),
    ("bowl", "is_round"),
    ("teapot", "has_handle"),
    ("kettle", "has_spout"),
    ("snail", "is_spiral"),
    ("cup", "is_hollow"),
    ("fork", "is_pointed"),
    ("knife", "has_blade"),
    ("dog", "has_ears"),
    ("cow", "has_ears"),
    ("horse", "has_ears"),
    ("rabbit", "has_ears"),
];

/// A table in the middle of a game; a test sets only the fields that it is about.
pub struct Table<'a> {
    pub settings: &'a [(&'a str, &'a str)],
    pub seats: usize,
    pub turn: usize,
    pub phase: &'a str,
    pub pawns: &'a str,
    pub scores: &'a str,
    pub jewels: &'a str,
    pub curses: &'a str,
    pub blob: &'a str,
    pub arrows: &'a str,
    pub extra: &'a str,
}

/// Four players, nothing scored, no curse tokens left; p1 on a `?` about to guess.
pub const FOUR: Table = Table {
    settings: &[("Players", "4")],
    seats: 4,
    turn: 1,
    phase: "round2",
    pawns: "3,3,3,3",
    scores: "0,0,0,0",
    jewels: "12,12,12,12",
    curses: "0,0,0,0",
    blob: "-",
    arrows: "",
    extra: "",
};

impl Table<'_> {
    pub fn line(&self) -> String {
        let each = [4, 3, 2, 2, 2][self.seats - 2];
        let objects: Vec<String> = (0..self.seats * each)
            .map(|index| {
                let (word, feature) = WORDS[index];
                let letter = char::from(b'a' + (index / each) as u8);
                let name = format!("{letter}{}", 1 + index % each);
                format!("{name}|w={word}|show={feature}|qa=|letters=|wrong=")
            })
            .collect();
        let rest = if self.extra.is_empty() { "asked=0 pend=- win=-" } else { self.extra };
        format!(
            "v=- n={} ring=ESDQSDESGQSD goal=30 first=1 turn={} phase={} pawn={} score={} \
             jewels={} curse={} blob={} arrows={} {rest} objects={}",
            self.seats,
            self.turn,
            self.phase,
            self.pawns,
            self.scores,
            self.jewels,
            self.curses,
            self.blob,
            self.arrows,
            objects.join(";")
        )
    }

    pub fn set(&self) -> Position {
        let line = self.line();
        Position::parse(&line, &options(self.settings), None)
            .unwrap_or_else(|error| panic!("{line}: {error}"))
    }
}

pub fn scores(position: &Position) -> Vec<i64> {
    position.points().unwrap()
}

fn places(position: &Position) -> Vec<u8> {
    position.outcome().map_or(Vec::new(), |outcome| outcome.places().to_vec())
}

/// Arrows that stand anywhere but on the objects a step touches.
fn arrows(list: &[&str]) -> String {
    list.join(",")
}

#[test]
fn vectors_1_and_2_first_and_second_arrow() {
    let mut table = Table { turn: 2, ..FOUR }.set();
    play(&mut table, "guess:a1:anchor right");
    assert_eq!((table.arrows(), scores(&table)), (1, vec![0, 5, 0, 0]));
    play(&mut table, "jewels:12 stop guess:a1:anchor right");
    assert_eq!((table.arrows(), scores(&table)), (2, vec![0, 5, 3, 0]));
    play(&mut table, "jewels:12 stop");
    assert!(refusal(&table, "guess:a1:anchor").contains("closed"));
}

#[test]
fn vectors_3_to_7_points_of_the_maker() {
    // Arrows on b, c and d, never on a2, which p4 guesses first.
    let all = [
        "b1:p1", "b1:p3", "b2:p1", "b2:p3", "c1:p1", "c1:p2", "c2:p1", "c2:p2", "d1:p1", "d1:p2",
        "d2:p1", "d2:p2",
    ];
    let expected = [-2, -2, -1, -1, 1, 1, 2, 2, 2, 1, -1, -1];
    for (before, maker) in expected.into_iter().enumerate() {
        let arrows = arrows(&all[..before]);
        let mut table = Table { turn: 4, scores: "4,0,0,0", arrows: &arrows, ..FOUR }.set();
        play(&mut table, "guess:a2:bowl right");
        assert_eq!(scores(&table), [4 + maker, 0, 0, 5], "arrow {}", before + 1);
    }
    let mut table = Table { turn: 4, scores: "4,0,0,0", arrows: "b1:p1,b1:p3", ..FOUR }.set();
    play(&mut table, "guess:a2:bowl right");
    assert_eq!(scores(&table), [3, 0, 0, 5]);
}

#[test]
fn maker_points_of_the_other_tables() {
    let maker_points = |seats, arrows| {
        let rules = RuleOptions { seats, ..Position::default().options().clone() };
        rules.maker_points(arrows)
    };
    let seventeen = [-2, -2, -1, -1, -1, 1, 1, 1, 2, 2, 2, 2, 1, 1, -1, -1, -2];
    for (index, points) in seventeen.into_iter().enumerate() {
        assert_eq!(maker_points(5, index + 1), points);
        assert_eq!(maker_points(6, index + 1), points);
    }
    let thirteen = [-2, -2, -1, -1, 1, 1, 2, 2, 2, 1, -1, -1, -2];
    for (index, points) in thirteen.into_iter().enumerate() {
        assert_eq!(maker_points(3, index + 1), points);
        assert_eq!(maker_points(4, index + 1), points);
    }
    for (index, points) in [-2, -1, 1, 2, 2, 1, -2].into_iter().enumerate() {
        assert_eq!(maker_points(2, index + 1), points);
    }
}

#[test]
fn vector_8_the_last_arrow() {
    let list = "a2:p2,b1:p1,b1:p3,b2:p1,b2:p3,c1:p1,c2:p1,c2:p2,d1:p1,d1:p2,d2:p1,d2:p2";
    let mut table = Table { turn: 2, scores: "10,12,9,9", arrows: list, ..FOUR }.set();
    assert_eq!(table.arrows(), 12);
    play(&mut table, "guess:c1:snail right");
    // 12+3, c: 9-2; then a1 without an arrow -5 and a2 with one -2.
    assert_eq!(scores(&table), [3, 15, 7, 9]);
    assert_eq!(places(&table), [4, 1, 3, 2]);
    assert_eq!(table.reason(), Some("last-arrow"));
}

const SIX_ARROWS: &str = "a1:p2,a1:p3,a2:p2,a2:p3,d1:p1,d1:p2";

#[test]
fn vectors_9_to_11_the_finish_by_a_guess() {
    let cases = [
        ("0,27,0,0", vec![0, 30, 2, 0], vec![3, 1, 2, 3]),
        ("0,3,28,0", vec![0, 8, 30, 0], vec![3, 2, 1, 3]),
        ("0,26,28,0", vec![0, 30, 30, 0], vec![3, 1, 2, 3]),
    ];
    for (before, after, expected) in cases {
        let mut table = Table { turn: 2, scores: before, arrows: SIX_ARROWS, ..FOUR }.set();
        play(&mut table, "guess:c1:snail right");
        assert_eq!(scores(&table), after);
        assert_eq!(places(&table), expected, "after {before}");
        assert_eq!(table.reason(), Some("finish"));
    }
}

#[test]
fn vector_12_finish_and_last_arrow_at_once() {
    let list = "a1:p2,a1:p3,a2:p2,a2:p3,b1:p1,b1:p3,b2:p1,b2:p3,d1:p1,d1:p2,d2:p1,d2:p2";
    let mut table = Table { turn: 2, scores: "0,26,9,0", arrows: list, ..FOUR }.set();
    play(&mut table, "guess:c1:snail right");
    assert_eq!(table.arrows(), 13);
    assert_eq!(scores(&table), [0, 30, 7, 0]);
    assert_eq!(table.reason(), Some("finish"));
    assert_eq!(places(&table), [3, 1, 2, 3]);
}

#[test]
fn the_finish_after_penalties() {
    // The same guess with ZielEnd penalised: c2 has no arrow, so p3 loses 5 more; nobody else does.
    let list = "a1:p2,a1:p3,a2:p2,a2:p3,b1:p1,b1:p3,b2:p1,b2:p3,d1:p1,d1:p2,d2:p1";
    let settings = [("Players", "4"), ("ZielEnd", "penalised")];
    let settings = &settings;
    let mut table = Table { settings, turn: 2, scores: "0,26,9,0", arrows: list, ..FOUR }.set();
    play(&mut table, "guess:c1:snail right");
    // Arrow 12: p3 -1; then c1 with one -2, c2 with none -5; d2 with one: p4 stays cut at 0.
    assert_eq!(scores(&table), [0, 30, 1, 0]);
    assert_eq!((table.reason(), places(&table)), (Some("finish"), vec![3, 1, 2, 3]));
    // Nearest to the finish wins, who need not be the one who reached it.
    let mut table = Table { settings, turn: 2, scores: "0,26,28,29", arrows: SIX_ARROWS, ..FOUR };
    table.arrows = "a1:p2,a1:p3,a2:p2,a2:p3,d1:p1,d1:p2,d2:p1,d2:p2";
    let mut table = table.set();
    play(&mut table, "guess:c1:snail right");
    assert_eq!(scores(&table), [0, 20, 23, 29]);
    assert_eq!(places(&table), [4, 3, 2, 1]);
}

#[test]
fn vectors_13_to_15_dragon_and_ghosts() {
    let cases = [
        ("5,29,29,3", "jewels:2", vec![5, 30, 30, 4], vec![3, 1, 1, 4]),
        ("5,29,28,3", "jewels:8", vec![5, 30, 30, 5], vec![3, 1, 1, 3]),
        ("29,0,0,0", "jewels:2", vec![29, 1, 1, 1], vec![]),
    ];
    for (before, token, after, expected) in cases {
        let mut table = Table { phase: "move", pawns: "0,0,0,0", scores: before, ..FOUR }.set();
        play(&mut table, token);
        assert_eq!(scores(&table), after);
        assert_eq!(places(&table), expected);
    }
}

#[test]
fn vectors_16_to_19_jewels_and_the_ring() {
    let table = Table { phase: "move", jewels: "0,12,12,12", ..FOUR }.set();
    assert_eq!(table.moves(), [Move::Roll]);
    assert!(refusal(&table, "jewels:1").contains("no jewels"));

    let mut table = Table { phase: "die", pawns: "0,0,0,0", jewels: "13,12,12,12", ..FOUR }.set();
    play(&mut table, "r1");
    assert_eq!(table.seat(Seat::new(0)).jewels, 13);

    let mut table = Table { phase: "move", pawns: "0,0,0,0", ..FOUR }.set();
    assert!(refusal(&table, "jewels:13").contains("has 12 jewels"));
    assert!(refusal(&table, "jewels:0").contains("at least one"));
    play(&mut table, "jewels:4");
    let p1 = table.seat(Seat::new(0));
    assert_eq!((p1.pawn, p1.jewels), (4, 9));

    let mut table = Table { phase: "die", pawns: "10,0,0,0", ..FOUR }.set();
    play(&mut table, "r5");
    assert_eq!((table.seat(Seat::new(0)).pawn, table.phase()), (3, Phase::Ask));
    let mut table = Table { phase: "die", pawns: "11,0,0,0", ..FOUR }.set();
    play(&mut table, "r1");
    assert_eq!((table.seat(Seat::new(0)).pawn, table.phase()), (0, Phase::Letter));
    let mut table = Table { phase: "move", pawns: "0,0,0,0", ..FOUR }.set();
    play(&mut table, "jewels:12");
    let p1 = table.seat(Seat::new(0));
    assert_eq!((p1.pawn, p1.jewels, table.phase()), (0, 0, Phase::Letter));
}

/// A table where owners answer as they like, so that answers need no words that give them.
fn asking(more: &[(&str, &str)]) -> Position {
    let mut settings = vec![("Players", "4"), ("Answerer", "owner")];
    settings.extend_from_slice(more);
    Table { settings: &settings, phase: "ask", ..FOUR }.set()
}

#[test]
fn vector_20_the_end_of_round_1() {
    let mut table = asking(&[]);
    play(&mut table, "ask:b1:is_alive yes ask:b1:is_flat possibly ask:c1:is_round dontknow");
    assert_eq!(table.phase(), Phase::Ask);
    play(&mut table, "ask:d2:is_alive no");
    assert_eq!(table.phase(), Phase::Round2);
    let mut table = asking(&[("MaxQuestions", "3")]);
    play(&mut table, "ask:b1:is_alive yes ask:b1:is_flat possibly ask:c1:is_round dontknow");
    assert_eq!(table.phase(), Phase::Round2);
    assert!(refusal(&table, "ask:c1:is_flat").contains("guess:"));
    assert!(refusal(&table, "again").contains("Round2 either"));
}

#[test]
fn vectors_21_and_22_other_second_rounds() {
    let mut table = asking(&[("Round2", "either")]);
    play(&mut table, "stop again ask:b1:is_alive no");
    assert_eq!((table.phase(), table.active()), (Phase::Move, Some(Seat::new(1))));
    let mut table = asking(&[("Round2", "either")]);
    play(&mut table, "ask:b1:is_alive no again ask:b1:is_flat yes stop");
    assert_eq!((table.phase(), table.active()), (Phase::Move, Some(Seat::new(1))));
    let mut table = asking(&[("Round2", "moon")]);
    play(&mut table, "ask:b1:is_alive no");
    assert_eq!(table.phase(), Phase::Ask);
    play(&mut table, "ask:b1:is_flat yes ask:b1:is_round no");
    assert_eq!(table.phase(), Phase::Round2);
}

#[test]
fn vector_23_letters_of_teeth() {
    let settings = &[("Players", "4"), ("Words", "free")];
    let table = Table { settings, phase: "letter", pawns: "0,0,0,0", ..FOUR };
    let line = table.line().replace("b1|w=teapot|show=has_handle", "b1|w=teeth|show=has_teeth");
    let start = Position::parse(&line, &options(settings), None).unwrap();
    let ask_again = "jewels:12 pass jewels:12 pass jewels:12 pass jewels:12 letter:b1";
    let ring = "roll r6 pass roll r6 pass roll r6 pass roll r6 letter:b1";
    for order in ["e t e h t", "t t h e e", "h e e t t"] {
        let mut table = start.clone();
        play(&mut table, "letter:b1");
        for (count, letter) in order.split(' ').enumerate() {
            assert!(refusal(&table, "give:none").contains("not all letters"));
            play(&mut table, &format!("give:{letter}"));
            play(&mut table, if count == 0 { ask_again } else { ring });
            let given = order.split(' ').take(count + 1).filter(|other| *other == letter);
            if given.count() == order.split(' ').filter(|other| *other == letter).count() {
                assert!(refusal(&table, &format!("give:{letter}")).contains("not a letter"));
            }
        }
        assert_eq!(table.moves().len(), 1);
        play(&mut table, "give:none");
    }
    let mut table = start.clone();
    play(&mut table, &format!("letter:b1 give:e {ask_again} give:e {ring}"));
    assert!(refusal(&table, "give:e").contains("not a letter"));
    assert!(refusal(&table, "give:x").contains("not a letter"));
}

#[test]
fn letters_by_place_are_what_stands_there() {
    let settings = &[("Players", "4"), ("Letters", "position")];
    let mut table = Table { settings, phase: "letter", pawns: "0,0,0,0", ..FOUR }.set();
    assert!(refusal(&table, "letter:c1").contains("name the place"));
    assert!(refusal(&table, "letter:c1:15").contains("1 to 14"));
    play(&mut table, "letter:c1:3");
    assert!(refusal(&table, "give:s").contains("not a letter"));
    play(&mut table, "give:a jewels:12 letter:c1:3 give:a jewels:12 pass jewels:12 pass");
    play(&mut table, "jewels:12");
    assert!(refusal(&table, "letter:c1:3").contains("already"));
    play(&mut table, "letter:c1:6 give:none");
}

#[test]
fn vector_24_objects_that_cannot_be_guessed() {
    let list = "b1:p1,b1:p3,c1:p1";
    let table = Table { arrows: list, ..FOUR }.set();
    assert!(refusal(&table, "guess:a1:teapot").contains("a1 belongs to p1"));
    assert!(refusal(&table, "guess:b1:teapot").contains("closed"));
    assert!(refusal(&table, "guess:c1:teapot").contains("has an arrow in c1 already"));
    assert!(refusal(&table, "guess:f1:teapot").contains("no object f1"));
    let mut table = Table { arrows: list, ..FOUR }.set();
    play(&mut table, "guess:c2:teapot wrong");
    play(&mut table, "jewels:12 stop pass jewels:12 stop pass jewels:12 stop pass jewels:12 stop");
    assert!(refusal(&table, "guess:c2:teapot").contains("guessed that word"));
    assert!(refusal(&table, "guess:c2:Teapots").contains("guessed that word"));
    play(&mut table, "guess:d2:teapot wrong");
}

#[test]
fn possible_features_may_be_shown() {
    // A cup may have a handle; the belief of others counts it as possible.
    let before = three_before_first("every").to_string();
    let shown = before.replace("w=cup|show=is_hollow", "w=cup|show=has_handle");
    assert_ne!(before, shown);
    assert!(Position::parse(&shown, &options(&[]), None).is_ok());
    let wrong = before.replace("w=cup|show=is_hollow", "w=cup|show=has_ears");
    let error = Position::parse(&wrong, &options(&[]), None).unwrap_err().to_string();
    assert!(error.contains("not true of 'cup'"), "{error}");
}

#[test]
fn words_have_two_letters_or_more() {
    let free = [("Words", "free")];
    let with = |word: &str| {
        let line = three_before_first("every").to_string().replace("w=dog", &format!("w={word}"));
        Position::parse(&line, &options(&free), None)
    };
    assert!(with("ox").is_ok());
    assert!(with("o").unwrap_err().to_string().contains("2 to 14 letters"));
}

#[test]
fn the_blob_comes_down_and_is_met() {
    let settings = &[("Players", "4"), ("Blob", "true")];
    // The blob stands on 12, p2 leads with 11; p4 ends its turn, p1 begins: 11 meets 11.
    let table = Table {
        settings,
        turn: 4,
        phase: "move",
        pawns: "0,0,0,0",
        scores: "4,11,3,9",
        blob: "12",
        arrows: "a1:p2,b1:p1,b2:p1,d1:p2",
        ..FOUR
    };
    let mut met = table.set();
    play(&mut met, "jewels:1");
    // Objects without an arrow: a2, c1, c2, d2.
    assert_eq!((met.blob(), scores(&met)), (Some(11), vec![2, 11, 0, 7]));
    // Once it has passed, it does nothing more; p4 comes to the Dragon.
    play(&mut met, "jewels:1 jewels:1 jewels:1 jewels:1");
    assert_eq!((met.blob(), scores(&met)), (Some(10), vec![3, 12, 1, 7]));
    // A cone that passes it meets it as well.
    let mut met = Table { scores: "4,10,3,9", turn: 1, ..table }.set();
    play(&mut met, "jewels:8");
    assert_eq!((met.blob(), scores(&met)), (Some(12), vec![2, 12, 1, 9]));
}
