//! Tokens and position lines: what is refused and why, and that nothing can make them panic.

use parlor::game::{DiagramStyle, Game, Hidden, Notation, Random, Rules, Seat};
use parlor::games::barbarossa::Position;

use super::driver::{choose, options, play, refusal};

/// The worked example of the rules: p2's view in the window after an answer. The rules write
/// `p3.?` in b1, but p2 gave that letter, so the view has it.
pub const EXAMPLE: &str = "v=p2 n=3 ring=ESDQSDESGQSD goal=30 first=1 turn=1 phase=answer pawn=3,0,7 \
     score=5,0,3 jewels=12,9,13 curse=3,2,3 blob=- arrows=b1:p1,b1:p3 asked=2 \
     pend=ask:c2:is_alive:no win=2:1 objects=\
     a1|w=?|show=is_round|qa=|letters=|wrong=;a2|w=?|show=is_flat|qa=|letters=|wrong=;\
     a3|w=?|show=is_flat|qa=|letters=|wrong=;\
     b1|w=teapot|show=has_handle,has_spout|qa=is_alive-n|letters=p1.t,p3.e|wrong=p3.kettle;\
     b2|w=snail|show=is_spiral|qa=|letters=|wrong=;b3|w=cup|show=is_hollow|qa=|letters=|wrong=;\
     c1|w=?|show=is_long|qa=|letters=|wrong=;\
     c2|w=?|show=is_long|qa=is_alive-n|letters=p2.e|wrong=p1.?;\
     c3|w=?|show=is_long|qa=|letters=|wrong=";

pub fn read(line: &str, viewer: Option<usize>) -> Result<Position, String> {
    Position::parse(line, &options(&[]), viewer.map(Seat::new)).map_err(|error| error.to_string())
}

#[test]
fn the_worked_example_reads_and_writes_itself() {
    let position = read(EXAMPLE, Some(1)).unwrap();
    assert_eq!(position.viewer(), Some(Seat::new(1)));
    assert_eq!(position.turn().to_string(), "p2");
    assert!(position.is_legal(&position.parse_move("curse:guess:c2:anchor").unwrap()));
    let shuffled: Vec<&str> = EXAMPLE.split(' ').rev().collect();
    assert_eq!(read(&shuffled.join(" "), Some(1)).unwrap(), position);
    assert_eq!(read(&position.to_string(), Some(1)).unwrap(), position);
}

#[test]
fn impossible_positions_are_refused_with_the_reason() {
    // (what is written, what stands in its place, a part of the reason)
    let cases = [
        ("v=p2", "v=p1", "v=p1 but the position is to be seen as by p2"),
        ("v=p2", "v=-", "v=- but"),
        ("n=3", "n=7", "7 seats"),
        ("n=3", "n=4", "numbers for 4 seats"),
        ("ring=ESDQSDESGQSD", "ring=ESDQ", "6 to 40"),
        ("ring=ESDQSDESGQSD", "ring=ESSQSSESSQSS", "sure to end"),
        ("ring=ESDQSDESGQSD", "ring=ESDQSDXSGQSD", "letters S D G E Q"),
        ("goal=30", "goal=5", "10 to 100"),
        ("first=1", "first=4", "'4' is no seat number"),
        ("first=1", "first=-", "first and turn"),
        ("phase=answer", "phase=lunch", "no phase"),
        ("phase=answer", "phase=over", "end"),
        ("phase=answer", "phase=move", "asked and round"),
        ("phase=answer", "phase=start", "asked and round"),
        ("pawn=3,0,7", "pawn=3,0,12", "of a ring of 12"),
        ("pawn=3,0,7", "pawn=4,0,7", "another space"),
        ("pawn=3,0,7", "pawn=3,0", "2 numbers"),
        ("score=5,0,3", "score=5,0,31", "beyond the finish"),
        ("score=5,0,3", "score=30,0,3", "no phase=over"),
        ("jewels=12,9,13", "jewels=12,9,14", "ends at 13"),
        ("curse=3,2,3", "curse=3,4,3", "4 tokens of 3"),
        ("curse=3,2,3", "curse=3,0,3", "is not polled"),
        ("blob=-", "blob=7", "option Blob"),
        ("arrows=b1:p1,b1:p3", "arrows=b1:p1,b1:p1", "same seat"),
        ("arrows=b1:p1,b1:p3", "arrows=b1:p1,b1:p2", "of its owner"),
        ("arrows=b1:p1,b1:p3", "arrows=b1:p1,b1:p3,b1:p1", "more than two"),
        ("arrows=b1:p1,b1:p3", "arrows=b1:p1,b1:p4", "does not play"),
        ("arrows=b1:p1,b1:p3", "arrows=d1:p1", "no object d1"),
        ("asked=2", "asked=0", "asked=0"),
        ("asked=2", "asked=11", "asked=11"),
        ("asked=2", "asked=02", "'02'"),
        ("asked=2", "asked=2 round=1:2", "2 NOs"),
        ("asked=2", "asked=2 round=2:1", "Round2 either"),
        ("asked=2", "asked=2 round=1:0", "a NO that round does not count"),
        ("pend=ask:c2:is_alive:no", "pend=-", "do not fit the phase"),
        ("pend=ask:c2:is_alive:no", "pend=ask:c2:is_alive:yes", "not the last answer"),
        ("pend=ask:c2:is_alive:no", "pend=ask:c9:is_alive:no", "no object"),
        ("win=2:1", "win=2:0", "not polled after 0 passes"),
        ("win=2:1", "win=-", "do not fit the phase"),
        ("w=teapot", "w=?", "p2 knows the word"),
        ("w=teapot", "w=teapit", "nearest: teapot"),
        ("a1|w=?", "a1|w=bowl", "p2 may not see the word"),
        ("a1|w=?", "b1|w=?", "stands where this object belongs"),
        ("show=has_handle,has_spout", "show=has_spout,has_handle", "out of table order"),
        ("show=has_handle,has_spout", "show=has_wings", "not true of 'teapot'"),
        ("show=has_handle,has_spout", "show=is_alive", "clay cannot show"),
        ("show=has_handle,has_spout", "show=has_hadle", "nearest: has_handle"),
        ("show=has_handle,has_spout", "show=", "at least 1"),
        ("qa=is_alive-n|letters=p1.t", "qa=is_alive-y|letters=p1.t", "does not answer yes"),
        ("qa=is_alive-n|letters=p1.t", "qa=is_alive-n,is_alive-n|letters=p1.t", "asked twice"),
        ("qa=is_alive-n|letters=p1.t", "qa=is_alive-maybe|letters=p1.t", "no answer"),
        ("p1.t,p3.e", "p1.t,p3.?", "p2 knows a letter"),
        ("p1.t,p3.e", "p1.t,p3.q", "does not have"),
        ("p1.t,p3.e", "p1.t,p1.t,p1.t", "does not have"),
        ("p1.t,p3.e", "p1.1.t", "places with Letters position"),
        ("p1.t,p3.e", "p2.t", "no opponent"),
        ("wrong=p3.kettle", "wrong=p3.teapot", "is right"),
        ("wrong=p3.kettle", "wrong=p3.kettle,p3.kettle", "twice"),
        ("wrong=p3.kettle", "wrong=p3.?", "p2 knows a wrong guess"),
        ("|wrong=p1.?", "|wrong=p1.bowl", "may not see a wrong guess"),
        ("b2|w=snail|show=is_spiral", "b2|w=teapot|show=has_handle", "the word of two objects"),
        (" blob=-", "", "lacks blob="),
        (" blob=-", " blob=- blob=-", "given twice"),
        (" blob=-", " blob=- dice=2", "no key 'dice'"),
        (" blob=-", " blob=- judge=?", "without JudgeNoise"),
    ];
    for (written, instead, reason) in cases {
        let changed = EXAMPLE.replacen(written, instead, 1);
        assert_ne!(changed, EXAMPLE, "{written} does not stand in the example");
        let error = read(&changed, Some(1)).expect_err(instead);
        assert!(error.contains(reason), "{instead}: {error}");
        assert!(error.is_ascii() && !error.contains('\n'), "{error}");
    }
    assert!(read(EXAMPLE, None).unwrap_err().contains("v=p2"));
    let open = EXAMPLE.replace("v=p2", "v=-");
    assert!(read(&open, None).unwrap_err().contains("this position sees everything"));
}

#[test]
fn a_window_after_a_letter_needs_a_letter_and_a_guess_is_made_once_in_any_form() {
    let given = EXAMPLE
        .replace("phase=answer pawn=3,0,7", "phase=give pawn=0,3,7")
        .replace("asked=2 pend=ask:c2:is_alive:no", "asked=0 pend=-");
    assert!(read(&given, Some(1)).is_ok());
    let none = given.replace("letters=p1.t,p3.e", "letters=p3.e");
    assert!(read(&none, Some(1)).unwrap_err().contains("p1 was given none"));
    let free = options(&[("Words", "free")]);
    let read = |line: &str| Position::parse(line, &free, Some(Seat::new(1)));
    assert!(read(EXAMPLE).is_ok());
    let twice = EXAMPLE.replace("wrong=p3.kettle", "wrong=p3.blorb,p3.blorbs");
    assert!(read(&twice).unwrap_err().to_string().contains("guessed 'blorbs' twice"));
}

#[test]
fn errors_of_tokens_say_what_is_expected() {
    let mut table = Position::start(&options(&[]), None).unwrap();
    let table_of = |token: &str| refusal(&table, token);
    let cases = [
        ("roll", "expected here: deal:a1"),
        ("deal:b1:anchor,bowl,cup,dog,cow,fork", "a1 is due"),
        ("deal:a1:anchor,bowl", "six words"),
        ("deal:a1:anchor,bowl,cup,dog,cow,cow", "dealt already"),
        ("deal:a1:?", "this position sees everything"),
        ("deal:a1:ancor,bowl,cup,dog,cow,fork", "nearest: anchor"),
        ("word:a1", "OBJECT"),
        ("frobnicate", "no token"),
        ("ask:a9:is_alive", "no object"),
        ("ask:a1:is_aliv", "nearest: is_alive"),
        ("ask:a1:~", "a question has words"),
        ("ask:a1:~Is", "written %XX"),
        ("ask:a1:~%zz", "two of 0-9 A-F"),
        ("ask:a1:~%FF", "not UTF-8"),
        ("jewels:-1", "number of jewels"),
        ("jewels:007", "number of jewels"),
        ("first:p9", "no seat"),
        ("r7", "no token"),
        ("judge:12", "eight digits"),
        ("give:tt", "no gift"),
        ("curse:pass", "no curse"),
        ("letter:a1:x", "place"),
    ];
    for (token, reason) in cases {
        let error = table_of(token).replace("6 words", "six words");
        assert!(error.contains(reason), "{token}: {error}");
        assert!(error.is_ascii() && !error.contains('\n'), "{error}");
    }
    play(&mut table, "deal:a1:anchor,bowl,cup,dog,cow,fork");
    assert!(refusal(&table, "deal:a2:anchor,kettle,knife,snail,teapot,horse").contains("'anchor'"));
}

#[test]
fn words_of_the_others_are_refused_in_a_view() {
    let view = Position::start(&options(&[("Words", "free")]), Some(Seat::new(1))).unwrap();
    assert!(refusal(&view, "word:a1:anchor").contains("p2 may not see"));
    let mut own = Position::start(&options(&[("Words", "free")]), Some(Seat::new(0))).unwrap();
    assert!(refusal(&own, "word:a1:?").contains("p1 sees this word"));
    play(&mut own, "word:a1:teapot");
    assert!(refusal(&own, "show:a1:has_wings").contains("not true"));
    assert!(refusal(&own, "show:a1:is_alive").contains("clay cannot show"));
    assert!(refusal(&own, "done:a1").contains("at least 1"));
    play(&mut own, "show:a1:has_handle done:a1");
    assert!(refusal(&own, "word:a2:teapots").contains("word of a1 already"));
}

#[test]
fn free_text_is_kept_as_it_was_written() {
    let table = Position::start(&options(&[]), None).unwrap();
    let token = "ask:c2:~is%20it%20alive%3F";
    assert_eq!(table.token(&table.parse_move(token).unwrap()), token);
    let accents = "ask:c2:~caf%C3%A9";
    assert_eq!(table.token(&table.parse_move(accents).unwrap()), accents);
}

#[test]
fn diagrams_show_the_table_and_the_seat_to_act() {
    let position = read(EXAMPLE, Some(1)).unwrap();
    let drawn = position.diagram(DiagramStyle::Ascii);
    assert!(drawn.is_ascii());
    for part in ["seen by p2", "turn of p1", "p2 may curse or pass", "b1 [ p1 p3 ] teapot", "3Q"] {
        assert!(drawn.contains(part), "{part} is missing in\n{drawn}");
    }
    assert!(drawn.lines().all(|line| !line.is_empty() && line.len() <= 100));
    let mut random = Random::new(5);
    let options = options(&[("Players", "6"), ("Goal", "30")]);
    let mut position = Position::start(&options, None).unwrap();
    while let Some(m) = choose(&position, &mut random) {
        if random.below(50) == 0 {
            let drawn = position.diagram(DiagramStyle::Unicode);
            assert!(drawn.lines().all(|line| !line.is_empty()), "{drawn}");
        }
        position.play(&m);
    }
}
