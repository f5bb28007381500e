//! Tokens and position lines: what is refused and why, and that nothing can make them panic.

use parlor::game::{Game, Hidden, Notation, Rules, Seat};
use parlor::games::barbarossa::Position;

use super::driver::{options, play, refusal};

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

/// The lines of a data file without comments, in fields.
fn cases(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(" => ").collect()).collect()
}

#[test]
fn valid_positions_read_and_write_themselves_and_views_follow_from_full_positions() {
    let cases = cases(include_str!("../../data/barbarossa/valid.txt"));
    let mut full: Option<Position> = None;
    let (mut views, mut finished) = (0, 0);
    for case in &cases {
        let [settings, viewer, line] = case[..] else { panic!("{case:?}") };
        let settings: Vec<(&str, &str)> =
            settings.split_whitespace().map(|setting| setting.split_once('=').unwrap()).collect();
        let viewer = Seat::parse(viewer);
        let position = Position::parse(line, &options(&settings), viewer)
            .unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(position.to_string(), line);
        assert_eq!(position.viewer(), viewer);
        let old = line.replace("end=finish", "end=ziel");
        finished += usize::from(old != line);
        assert_eq!(Position::parse(&old, &options(&settings), viewer), Ok(position.clone()));
        match viewer {
            None => full = Some(position),
            Some(seat) => {
                views += 1;
                assert_eq!(full.as_ref().unwrap().view(seat), position, "{line}");
            }
        }
    }
    assert!(views >= 10 && finished >= 6, "{views} views, {finished} ends on the finish");
}

#[test]
fn impossible_positions_are_refused_with_the_reason() {
    let cases = cases(include_str!("../../data/barbarossa/invalid.txt"));
    for case in &cases {
        let [written, instead, reason] = case[..] else { panic!("{case:?}") };
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
    let cases = cases(include_str!("../../data/barbarossa/refused.txt"));
    for case in &cases {
        let [token, reason] = case[..] else { panic!("{case:?}") };
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
    // One spelling for one question: the digits of a token are 0-9 A-F.
    for small in ["ask:c2:~why%3f", "ask:c2:~caf%c3%A9"] {
        let refused = table.parse_move(small).unwrap_err().to_string();
        assert!(refused.contains("after % come two of 0-9 A-F"), "{refused}");
    }
}
