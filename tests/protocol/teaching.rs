//! The courses and puzzles of the games: long enough, and true. `parlor check` holds the other laws.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use parlor::engine::{Engine, GameEngine};
use parlor::game::{Seat, Turn};
use parlor::games::{GameVisitor, NAMES, Playable, with_game};
use parlor::picture::{LessonStep, Lessons, Place, Puzzle, Puzzles};
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
    type Output = ();

    fn visit<G: Playable>(self) {
        let course: Lessons = serde_json::from_str(&ask(&GameEngine::<G>::new(), "lessons"))
            .unwrap_or_else(|error| panic!("{}: {error}", G::NAME));
        let steps: Vec<&LessonStep> = course.lessons.iter().flat_map(|one| &one.steps).collect();
        assert!((8..=15).contains(&steps.len()), "{}: {} steps", G::NAME, steps.len());
        let tasks = steps.iter().filter(|step| step.solution.is_some()).count();
        assert!(tasks * 5 >= steps.len() * 4, "{}: only {tasks} tasks", G::NAME);
        steps.into_iter().for_each(look::<G>);
    }
}

#[test]
fn the_tasks_of_every_course_accept_what_they_ask_for() {
    for name in NAMES {
        with_game(name, Course).expect("a game of the list");
    }
}

/// How many puzzles a game has at least.
const COUNTS: [(&str, usize); 7] = [
    ("azacru", 100),
    ("barca", 300),
    ("barbarossa", 150),
    ("chowka-bhara", 200),
    ("pacru", 200),
    ("porrika", 200),
    ("shacru", 100),
];

/// Only so many first moves are all refuted here; `parlor-lab puzzles check` refutes more.
const REFUTED: usize = 100;

/// Moves of a position that are looked at, and positions of an end.
const LISTED: usize = 500;
const SOLVED: usize = 2_000;

/// Every so many puzzles are proved here.
const STRIDE: usize = 10;

fn after<G: Playable>(position: &G, m: &G::Move) -> G {
    let mut next = position.clone();
    next.play(m);
    next
}

/// The first moves of a position: in Pacru all but most of the turns.
fn first_moves<G: Playable>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    let _ = position.for_each_move(|m| {
        moves.push(m);
        if moves.len() < LISTED { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    moves
}

/// Whether a seat wins at once, if it is to move.
fn wins_now<G: Playable>(position: &G, seat: Seat) -> bool {
    let won = |m: &G::Move| after(position, m).outcome().is_some_and(|r| r.share(seat) == 1.0);
    position.turn() == Turn::Seat(seat) && first_moves(position).iter().any(won)
}

/// What a token does, without what it gains and how it turns.
fn stem(token: &str) -> &str {
    token.split('(').next().unwrap_or(token).trim_end_matches(['<', '>'])
}

/// Whether a seat wins with best play by both; `None` where that takes too many positions.
fn wins_end<G: Playable>(position: &G, seat: Seat, known: &mut HashMap<u64, bool>) -> Option<bool> {
    if let Some(result) = position.outcome() {
        return Some(result.share(seat) == 1.0);
    }
    if let Some(known) = known.get(&position.key()) {
        return Some(*known);
    }
    if known.len() > SOLVED {
        return None;
    }
    let own = position.turn() == Turn::Seat(seat);
    let mut found = !own;
    for m in position.moves() {
        if wins_end(&after(position, &m), seat, known)? == own {
            found = own;
            break;
        }
    }
    known.insert(position.key(), found);
    Some(found)
}

/// By the rules alone: the puzzle has the one answer that it accepts, as far as that is short to see.
fn prove<G: Playable>(puzzle: &Puzzle) {
    let id = &puzzle.id;
    let mut rules = G::default_rules();
    for (name, value) in &puzzle.place.rules {
        rules.set(name, value).expect("a rule");
    }
    let text = puzzle.place.position.strip_prefix("fen ").expect("a fen");
    let seat = Seat::parse(&puzzle.place.seat).expect("a seat");
    let position = match text.split_once(" view ") {
        Some((text, _)) => G::parse(text, &rules, Some(seat)),
        None => G::parse(text, &rules, None),
    };
    let position = position.unwrap_or_else(|error| panic!("{id}: {error}"));
    let accept = &puzzle.solution.accept;
    let right = accept.first().unwrap_or_else(|| panic!("{id}: no answer"));
    assert!(accept.iter().all(|token| stem(token) == stem(right)), "{id}: more than one answer");
    let first = position.parse_move(right).expect("a move");
    assert!(position.is_legal(&first), "{id}: {right} is illegal");
    let in_two = |m: &G::Move| {
        let next = after(&position, m);
        let answered = |reply| {
            let answered = after(&next, reply);
            let lost_itself = answered.outcome().is_some_and(|r| r.share(seat) == 1.0);
            lost_itself || wins_now(&answered, seat)
        };
        next.turn() != Turn::Over && first_moves(&next).iter().all(answered)
    };
    match puzzle.themes[0].as_str() {
        "win in 2" => {
            assert!(!wins_now(&position, seat), "{id} is won in one move");
            assert!(in_two(&first), "{id}: {right} does not win in two moves");
            if position.count_moves() <= REFUTED as u64 {
                let moves = position.moves();
                assert_eq!(moves.iter().filter(|m| in_two(m)).count(), accept.len(), "{id}");
            }
        }
        "escape" => {
            let next = after(&position, &first);
            let other = next.turn().seat().expect("the other decides");
            assert!(!wins_now(&next, other), "{id}: {right} loses at once");
        }
        theme @ ("best play" | "count the end") => {
            let known = puzzle.loss.keys().chain(accept).collect::<HashSet<_>>();
            assert_eq!(known.len(), position.moves().len(), "{id}: every play has its loss");
            assert!(puzzle.loss.values().all(|loss| *loss > 0), "{id}");
            let mut ends = HashMap::new();
            for token in known.into_iter().filter(|_| theme == "count the end") {
                let next = after(&position, &position.parse_move(token).expect("a move"));
                let wins = wins_end(&next, seat, &mut ends).unwrap_or(accept.contains(token));
                assert_eq!(wins, accept.contains(token), "{id}: {token}");
            }
        }
        _ => {}
    }
}

#[derive(Clone, Copy)]
struct Quiz;

impl GameVisitor for Quiz {
    type Output = usize;

    fn visit<G: Playable>(self) -> usize {
        let lines = G::PUZZLES.unwrap_or_default().lines();
        let puzzles: Vec<Puzzle> =
            lines.map(|line| serde_json::from_str(line).expect("a puzzle")).collect();
        let places: HashSet<_> = puzzles.iter().map(|one| &one.place.position).collect();
        let ids: HashSet<_> = puzzles.iter().map(|one| &one.id).collect();
        assert_eq!(
            [places.len(), ids.len()],
            [puzzles.len(); 2],
            "{}: one is there twice",
            G::NAME
        );
        let rises = |pair: &[Puzzle]| pair[0].nodes <= pair[1].nodes;
        assert!(puzzles.windows(2).all(rises), "{}: ratings rise with nodes", G::NAME);
        // A page has 20 from the first one on, if the client says nothing else.
        for (arguments, page) in [("", 0..20), ("3", 0..3), ("3 2", 2..5)] {
            let arguments: Vec<String> = arguments.split_whitespace().map(str::to_owned).collect();
            let told = GameEngine::<G>::new().query("puzzles", &arguments).expect("puzzles");
            let told: Puzzles = serde_json::from_str(&told).expect("a page");
            assert_eq!((told.count, &told.puzzles[..]), (puzzles.len(), &puzzles[page]));
        }
        puzzles.iter().step_by(STRIDE).for_each(prove::<G>);
        puzzles.len()
    }
}

#[test]
fn every_game_has_its_puzzles_and_each_of_them_one_answer() {
    for (name, count) in COUNTS {
        let found = with_game(name, Quiz).expect("a game of the list");
        assert!(found >= count, "{name} has {found} puzzles, not {count}");
    }
}
