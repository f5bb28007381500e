//! The courses of the games: long enough, and true. `parlor check` holds the other laws.

use parlor::engine::{Engine, GameEngine};
use parlor::games::{GameVisitor, NAMES, Playable, with_game};
use parlor::picture::{LessonStep, Lessons, Place};
use parlor::protocol::{PositionArgument, PositionLine};

fn ask<G: Playable>(engine: &GameEngine<G>, query: &str) -> String {
    engine.query(query, &[]).unwrap_or_else(|error| format!("error {error}"))
}

/// An engine that stands at a place.
fn at<G: Playable>(place: &Place) -> GameEngine<G> {
    let mut engine = GameEngine::new();
    engine.set_option("Hash", Some("1")).expect("a small table");
    for (name, value) in &place.rules {
        engine.set_option(name, Some(value)).expect("a rule");
    }
    load(&mut engine, &place.position);
    engine
}

fn load<G: Playable>(engine: &mut GameEngine<G>, position: &str) {
    let argument = PositionArgument::parse(position).expect("a position");
    engine.set_position(&argument).unwrap_or_else(|error| panic!("{position}: {error}"));
}

/// The tokens after which a seat has won alone.
fn winning<G: Playable>(engine: &mut GameEngine<G>, place: &Place, legal: &str) -> Vec<String> {
    let line = PositionLine::read(&place.position).expect("a position");
    let mut found = Vec::new();
    for token in legal.split(' ') {
        load(engine, line.with(token).as_str());
        let result = if place.seat == "p1" { "p1win" } else { "p2win" };
        if ask(engine, "result") == result {
            found.push(token.to_owned());
        }
    }
    load(engine, &place.position);
    found
}

fn look<G: Playable>(step: &LessonStep) {
    let Some(solution) = &step.solution else { return };
    let told = format!("{}: {}", G::NAME, step.text);
    assert!(step.hint.is_some() && step.yes.is_some(), "{told}");
    let no = step.no.as_ref().and_then(|no| no.after("another"));
    assert!(no.is_some(), "{told}: nothing is said after wrong tokens");
    let mut engine = at::<G>(&step.place);
    let line = PositionLine::read(&step.place.position).expect("a position");
    let before = ask(&engine, "fen");
    for token in &solution.accept {
        load(&mut engine, line.with(token).as_str());
        assert_ne!(ask(&engine, "fen"), before, "{told}: {token} changes nothing");
    }
    load(&mut engine, &step.place.position);
    let legal = ask(&engine, "legalmoves");
    // There may be too many moves for a list.
    if legal == "many" {
        return;
    }
    let sorted = |mut tokens: Vec<String>| {
        tokens.sort();
        tokens
    };
    // What the text asks for is what is accepted, nothing less and nothing more.
    let wanted = if step.text.contains("Win") {
        winning(&mut engine, &step.place, &legal)
    } else if step.text.contains("pincer. Take") {
        legal.split(' ').filter(|token| token.contains('x')).map(str::to_owned).collect()
    } else {
        return;
    };
    assert_eq!(sorted(solution.accept.clone()), sorted(wanted), "{told}");
}

#[derive(Clone, Copy)]
struct Course;

impl GameVisitor for Course {
    type Output = bool;

    fn visit<G: Playable>(self) -> bool {
        if G::LESSONS.is_none() {
            return false;
        }
        let course: Lessons = serde_json::from_str(&ask(&GameEngine::<G>::new(), "lessons"))
            .unwrap_or_else(|error| panic!("{}: {error}", G::NAME));
        let steps: Vec<&LessonStep> = course.lessons.iter().flat_map(|one| &one.steps).collect();
        assert!((8..=15).contains(&steps.len()), "{}: {} steps", G::NAME, steps.len());
        let tasks = steps.iter().filter(|step| step.solution.is_some()).count();
        assert!(tasks * 5 >= steps.len() * 4, "{}: only {tasks} tasks", G::NAME);
        steps.into_iter().for_each(look::<G>);
        true
    }
}

#[test]
fn the_tasks_of_every_course_accept_what_they_ask_for() {
    let has_course = |name: &&&str| with_game(name, Course).expect("a game of the list");
    assert!(NAMES.iter().filter(has_course).count() >= 5, "there are courses for five games");
}
