//! Windows: who is polled when, and what a curse token does there.

use parlor::game::{Game, Notation, Seat};
use parlor::games::barbarossa::{Phase, Position};

use super::driver::{options, play, refusal};
use super::vectors::{FOUR, Table, scores};

/// Three players before the draw of who begins; c2 is a snail, a1 a tomato.
pub fn three_before_first(windows: &str) -> Position {
    let objects: Vec<String> = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]
        .into_iter()
        .zip(["tomato", "bowl", "teapot", "kettle", "cup", "fork", "knife", "snail", "dog"])
        .zip([
            "is_round",
            "is_round",
            "has_handle",
            "has_spout",
            "is_hollow",
            "is_pointed",
            "has_blade",
            "is_spiral",
            "has_ears",
        ])
        .map(|((name, word), shown)| format!("{name}|w={word}|show={shown}|qa=|letters=|wrong="))
        .collect();
    let line = format!(
        "v=- n=3 ring=ESDQSDESGQSD goal=30 first=- turn=- phase=first pawn=0,0,0 score=0,0,0 \
         jewels=12,12,12 curse=3,3,3 blob=- arrows= asked=0 pend=- win=- objects={}",
        objects.join(";")
    );
    Position::parse(&line, &options(&[("CurseWindows", windows)]), None)
        .unwrap_or_else(|e| panic!("{line}: {e}"))
}

#[test]
fn vector_25_the_windows_of_one_turn() {
    let mut table = three_before_first("all");
    play(
        &mut table,
        "first:p2 pass pass pass roll r3 ask:c2:is_alive yes pass pass pass ask:a1:is_tool no \
         pass pass pass guess:c2:snail right",
    );
    let mut polled = Vec::new();
    while let Some(window) = table.window() {
        polled.push(window.seat.to_string());
        assert_eq!(table.turn().to_string(), window.seat.to_string());
        play(&mut table, "pass");
    }
    assert_eq!(polled, ["p3", "p1", "p2"]);
    assert_eq!((table.phase(), table.active()), (Phase::Move, Some(Seat::new(2))));
}

#[test]
fn vector_26_after_a_curse_polling_begins_again() {
    let mut table = three_before_first("all");
    play(&mut table, "first:p2 pass curse:letter:a1");
    assert_eq!(table.turn().to_string(), "p1");
    assert_eq!(table.seat(Seat::new(2)).curses, 2);
    play(&mut table, "give:t");
    assert_eq!(table.turn().to_string(), "p2");
    play(&mut table, "pass");
    assert_eq!(table.turn().to_string(), "p3");
    play(&mut table, "pass");
    assert_eq!(table.turn().to_string(), "p1");
    play(&mut table, "pass");
    assert_eq!((table.phase(), table.turn().to_string()), (Phase::Move, "p2".to_string()));
}

#[test]
fn curses_by_guess_and_seats_that_are_not_polled() {
    let mut table = three_before_first("all");
    play(&mut table, "first:p1 curse:guess:c2:snail right");
    assert_eq!(table.arrows(), 1);
    // p1 5, p3 as maker of the first arrow -2, cut at 0.
    assert_eq!(scores(&table), [5, 0, 0]);
    play(&mut table, "curse:guess:c3:dog");
    assert_eq!(table.turn().to_string(), "chance");
    assert!(refusal(&table, "wrong").contains("right"));
}

#[test]
fn refusing_a_second_arrow_by_a_curse() {
    let mut table = three_before_first("all");
    play(&mut table, "first:p1 curse:guess:c2:snail right");
    assert!(refusal(&table, "curse:guess:c2:dog").contains("has an arrow"));
    play(&mut table, "curse:letter:b1 give:k curse:letter:b1 give:e");
    // Out of tokens, p1 is not polled any more.
    assert_eq!(table.turn().to_string(), "p2");
    assert_eq!(table.window().map(|window| window.passes), Some(0));
}

/// The seats that a window polls, in order; all pass.
fn polled(table: &mut Position) -> Vec<String> {
    let mut seats = Vec::new();
    while let Some(window) = table.window() {
        seats.push(window.seat.to_string());
        assert_eq!(table.turn().to_string(), window.seat.to_string());
        play(table, "pass");
    }
    seats
}

#[test]
fn landing_on_a_question_space_opens_a_window_for_all() {
    let mut table = three_before_first("every");
    play(&mut table, "first:p2 pass pass pass roll r3");
    assert_eq!((table.phase(), table.turn().to_string()), (Phase::Ask, "p2".to_string()));
    assert!(refusal(&table, "stop").contains("curse"));
    assert_eq!(polled(&mut table), ["p2", "p3", "p1"]);
    play(&mut table, "ask:c2:is_alive yes");
    assert_eq!(polled(&mut table), ["p2", "p3", "p1"]);
    play(&mut table, "ask:a1:is_tool no");
    assert_eq!(polled(&mut table), ["p2", "p3", "p1"]);
    // A NO ended the round: nobody is polled before the guess.
    assert_eq!((table.phase(), table.window()), (Phase::Round2, None));
    play(&mut table, "guess:c2:snail right");
    assert_eq!(polled(&mut table), ["p3", "p1", "p2"]);
}

#[test]
fn landing_on_an_elf_opens_a_window_for_all() {
    let mut table = three_before_first("every");
    // Index 6 of the ring is an Elf.
    play(&mut table, "first:p2 pass pass pass jewels:6");
    assert_eq!((table.phase(), table.turn().to_string()), (Phase::Letter, "p2".to_string()));
    // A curse in this window: polling begins again with p2, who still has its letter.
    play(&mut table, "pass curse:letter:a1 give:o");
    assert_eq!(polled(&mut table), ["p2", "p3", "p1"]);
    play(&mut table, "letter:c2 give:s");
    assert_eq!(
        polled(&mut table),
        ["p2", "p3", "p1", "p3", "p1", "p2"],
        "then the next turn begins"
    );
}

#[test]
fn after_stop_only_the_seat_on_turn_is_polled() {
    let mut table = three_before_first("every");
    play(&mut table, "first:p2 pass pass pass roll r3 pass pass pass stop");
    assert_eq!((table.phase(), table.turn().to_string()), (Phase::Round2, "p2".to_string()));
    assert!(refusal(&table, "guess:c2:snail").contains("curse"));
    play(&mut table, "curse:letter:a1 give:o curse:guess:c3:dog right");
    assert_eq!(polled(&mut table), ["p2"], "its one pass closes the window");
    play(&mut table, "guess:c2:snail right");
    assert_eq!(table.arrows(), 2);
}

#[test]
fn a_seat_without_tokens_is_not_polled_after_stop() {
    let mut table = three_before_first("every");
    play(
        &mut table,
        "first:p2 curse:letter:a1 give:t curse:letter:a1 give:o curse:letter:a1 give:m",
    );
    play(&mut table, "pass pass roll r3 pass pass stop");
    assert_eq!((table.phase(), table.window()), (Phase::Round2, None));
}

/// p1 has a token left, but all objects of the others are closed.
#[test]
fn a_seat_without_an_open_object_is_not_polled() {
    let arrows = "b1:p1,b1:p3,b2:p1,b2:p3,c1:p1,c1:p2,c2:p1,c2:p2,d1:p1,d1:p2,d2:p1,d2:p2";
    let mut table = Table { turn: 4, curses: "1,0,0,1", arrows, ..FOUR }.set();
    play(&mut table, "pass");
    assert_eq!((table.phase(), table.active()), (Phase::Start, Some(Seat::new(0))));
    assert_eq!(polled(&mut table), ["p4"]);
    assert_eq!(table.phase(), Phase::Move);
}

#[test]
fn another_round_of_questions_opens_no_window_of_its_own() {
    let settings = &[("Players", "4"), ("Round2", "either"), ("Answerer", "owner")];
    let mut table = Table { settings, phase: "ask", curses: "1,1,1,1", ..FOUR }.set();
    play(&mut table, "stop pass again");
    assert_eq!((table.phase(), table.window()), (Phase::Ask, None));
    play(&mut table, "stop");
    assert_eq!(table.phase(), Phase::Start, "no guess is left, so no window before one");
}

#[test]
fn with_windows_only_at_the_start_answers_open_none() {
    let settings = &[("Players", "4"), ("CurseWindows", "turn"), ("Answerer", "owner")];
    let mut table = Table { settings, phase: "ask", curses: "3,3,3,3", ..FOUR }.set();
    play(&mut table, "ask:b1:is_alive yes ask:b1:is_flat no pass");
    assert_eq!(table.turn().to_string(), "p2");
    assert_eq!(table.phase(), Phase::Start);
}
