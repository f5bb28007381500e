//! The types of the page, `tests/board/types.d.ts`, against the messages: every member that is sent
//! is declared with its type, and every declared one is sent.

#[path = "../../../../tests/board/types.rs"]
mod types;

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::*;
use types::Checker;

fn read<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn table() -> Table {
    read(json!({
        "v": 1, "title": "t", "size": [1, 2], "piece": 0.5,
        "cells": [{"id": "a", "at": [0, 0], "shape": "s", "kind": "k", "label": "l"}],
        "shapes": {"s": [[0, 0], [1, 0], [0, 1]]},
        "kinds": {"k": {"label": "l", "fill": "f", "mark": "m", "symbol": "y"}},
        "regions": [{"id": "r", "label": "l", "cells": ["a"]}], "lines": [[0, 0, 1, 1]],
        "labels": [{"at": [0, 0], "text": "a"}],
        "seats": [{"seat": "p1", "name": "n", "turn": 180, "fill": "f", "even": [1]}],
        "symbols": {"y": {"label": "l", "icon": "i", "path": "p", "letter": "L", "turns": true}},
    }))
}

fn board() -> Board {
    read(json!({
        "v": 1, "turn": "p1",
        "pieces": [{"cell": "a", "symbol": "y", "seat": 1, "turn": 90, "count": 2, "label": "l"}],
        "marks": [{"cell": "a", "kind": "k", "seat": 1}],
        "decided": ["a"],
        "panel": [{"seat": "p1", "items": [
            {"name": "n", "value": 1, "of": 2}, {"name": "n", "value": "text"}]}],
        "dice": {"of": "p1", "values": [1, 2], "left": [2]},
        "cards": [{"id": "c", "seat": "p1", "title": "t", "secret": true, "lines": ["l"],
            "badges": ["b"], "picture": [{"path": "p", "fill": "f"}]}],
        "last": {"path": ["a"], "told": "rolls"}, "note": "n", "text": "t",
    }))
}

fn show() -> Vec<Show> {
    read(json!([
        {"move": ["a", "b"], "symbol": "y", "seat": 1, "turn": 90, "count": 2},
        {"add": "a", "symbol": "y", "mark": "m", "seat": 1, "turn": 90},
        {"remove": "a", "symbol": "y", "mark": "m", "seat": 1}, {"dice": [1]},
    ]))
}

fn step() -> Step {
    let step: Step = read(json!({
        "v": 1, "path": ["a"], "token": "a", "text": "t", "help": "h",
        "next": [{"choice": "a", "cell": "a", "card": "c", "label": "l", "cost": "1", "group": "g"}],
        "form": {"label": "l", "kind": "word", "prefix": "p", "pattern": ".", "escape": "percent",
            "max": 9, "complete": true},
        "undo": 1, "chance": null, "hidden": true,
    }));
    Step { show: show(), ..step }
}

fn value() -> Evaluation {
    Evaluation { shares: vec![500, 500], score: Some(Score::Centipawns(1)) }
}

fn arrow() -> Option<Arrow> {
    Some(Arrow { path: vec!["a".into()], show: show() })
}

fn saved() -> Vec<SavedEntry> {
    vec![SavedEntry { seats: vec!["n".into()], ..SavedEntry::default() }]
}

fn review() -> Review {
    Review { left_ms: Some(1), ..Review::default() }
}

fn welcome() -> Welcome {
    let host = HostWelcome {
        menu: vec![MenuEntry { engines: vec![MenuEngine::default()], ..MenuEntry::default() }],
        open: [Phase::Play, Phase::Over, Phase::Analysis]
            .map(|phase| OpenGame {
                phase,
                seats: vec!["n".into()],
                result: Some(GameResult { points: some("1-0"), ..GameResult::default() }),
                ..OpenGame::default()
            })
            .into(),
        saved: saved(),
        records: Some(RecordFile::default()),
        links: true,
        defaults: Defaults {
            rules: BTreeMap::from([("Players".into(), "2".into())]),
            tc: some("60"),
            movetime: 1,
            start: true,
        },
    };
    Welcome { host: Some(host), ..Welcome::new(RoleName::Host, None) }
}

fn about() -> About {
    let rule = RuleOption {
        choices: vec!["2".into()],
        range: Some(Range::default()),
        ..RuleOption::default()
    };
    About {
        menu: String::new(),
        title: String::new(),
        seats: 2,
        secrets: false,
        chance: false,
        table: table(),
        board: Some(board()),
        rules: vec![rule, RuleOption::default()],
        puzzles: 3,
        engines: vec![
            AboutEngine { players: vec!["random".into()], ..AboutEngine::default() },
            AboutEngine { text: some("why"), ..AboutEngine::default() },
        ],
    }
}

fn lesson() -> Lesson {
    let step = |no: Value| {
        json!({"text": "t", "rules": {"Players": "2"}, "position": "startpos", "seat": "p1",
            "solution": {"accept": ["a"], "replies": {"b": {"accept": ["c"]}}},
            "hint": "h", "yes": "y", "no": no, "marks": ["a"], "arrows": [["a", "b"]]})
    };
    let bare = json!({"text": "t", "position": "startpos", "seat": "p1"});
    let steps = [step(json!("n")), step(json!({"": "n"})), bare];
    read(json!({"id": "i", "title": "t", "steps": steps}))
}

fn puzzle() -> Puzzle {
    read(json!({"id": "i", "rules": {}, "position": "startpos", "seat": "p1", "text": "t",
        "solution": {"accept": ["a"]}, "goal": "win", "rating": 500, "level": 1, "nodes": 9,
        "themes": ["fear"], "loss": {"a": 1}}))
}

fn tree() -> Tree {
    let origins = [
        Origin::Here,
        Origin::Link,
        Origin::Engine,
        Origin::Chance,
        Origin::Record,
        Origin::Opening,
        Origin::Variation,
    ];
    let marks = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];
    let mut nodes = vec![TreeNode::default()];
    nodes.extend(origins.map(|origin| TreeNode {
        arrival: Some(Arrival { token: None, by: None, origin }),
        ..TreeNode::default()
    }));
    nodes.extend(marks.map(|mark| TreeNode {
        node: 2,
        parent: Some(0),
        ply: 1,
        arrival: Some(Arrival { token: some("a"), by: some("p1"), origin: Origin::Here }),
        ms: Some(1),
        value: Some(value()),
        mark: Some(mark),
        better: Some(Better { best: "b".into(), loss: 1, line: vec!["b".into()] }),
    }));
    nodes.push(TreeNode {
        value: Some(Evaluation { shares: Vec::new(), score: Some(Score::Mate(-1)) }),
        ..TreeNode::default()
    });
    Tree { game: "g1".into(), reset: true, nodes }
}

fn state() -> State {
    let kinds = [Sitting::Here, Sitting::Link, Sitting::Engine, Sitting::None];
    let seats = kinds.map(|kind| SeatState {
        kind,
        engine: Some(EngineState {
            player: some("random"),
            level: Some(3),
            movetime: Some(1),
            depth: Some(1),
            nodes: Some(1),
            ..EngineState::default()
        }),
        link: some("http://"),
        ..SeatState::default()
    });
    let you =
        You { seats: vec!["p1".into()], view: some("all"), curtain: some("p1"), ..You::default() };
    State {
        seats: seats.into(),
        you,
        clocks: Some(ClockState { left: vec![1], running: some("p1"), ..ClockState::default() }),
        result: Some(GameResult { places: vec![1], points: some("1"), ..GameResult::default() }),
        fault: Some(SeatFault::default()),
        offer: Some(OfferState { wait: vec!["p2".into()], ..OfferState::default() }),
        review: Some(Box::new(Outgoing::Review(review()))),
        watch: some("http://"),
        saved_error: some("why"),
        ..State::default()
    }
}

/// Every message with all its members.
fn whole() -> Vec<Outgoing> {
    let position = Position {
        view: some("all"),
        turn: some("p1"),
        act: some("p1"),
        board: Some(Box::new(board())),
        step: Some(Box::new(step())),
        ..Position::default()
    };
    let line = AnalysisLine {
        value: value(),
        pv: vec!["a".into()],
        depth: Some(1),
        arrow: arrow(),
        ..AnalysisLine::default()
    };
    let analysis = Analysis {
        depth: Some(1),
        nodes: Some(1),
        nps: Some(1),
        time: Some(1),
        lines: vec![line, AnalysisLine::default()],
        ..Analysis::default()
    };
    let mut all = vec![
        Outgoing::Welcome(welcome()),
        Outgoing::Welcome(Welcome::new(RoleName::Seat, some("g1"))),
        Outgoing::Welcome(Welcome::new(RoleName::Spectator, some("g1"))),
        Outgoing::About(Box::new(about())),
        Outgoing::Rules(Rules::default()),
        Outgoing::Records(Records {
            list: [None, Some(Beginning { places: vec![1], moves: vec![FirstMove::default()] })]
                .map(|beginning| RecordEntry {
                    seats: vec!["n".into()],
                    beginning,
                    ..RecordEntry::default()
                })
                .into(),
            ..Records::default()
        }),
        Outgoing::Games(Games { saved: saved(), ..Games::default() }),
        Outgoing::Table(TableMessage { game: "g1".into(), table: Arc::new(table()) }),
        Outgoing::Tree(tree()),
        Outgoing::State(Box::new(state())),
        Outgoing::Position(position),
        Outgoing::Step(StepMessage { node: 0, step: step() }),
        Outgoing::Path(Path {
            arrow: arrow().unwrap(),
            words: vec!["w".into()],
            ..Path::default()
        }),
        Outgoing::Lessons(LessonsMessage { menu: String::new(), lessons: vec![lesson()] }),
        Outgoing::Puzzles(PuzzlesMessage {
            menu: String::new(),
            from: 0,
            count: 1,
            puzzles: vec![puzzle()],
        }),
        Outgoing::Moves(Moves { tokens: vec!["a".into()], ..Moves::default() }),
        Outgoing::Hint(Hint { value: value(), arrow: arrow(), ..Hint::default() }),
        Outgoing::Analysis(analysis),
        Outgoing::Review(review()),
        Outgoing::Closed(Closed::default()),
        Outgoing::Pong,
        Outgoing::Done,
        Outgoing::Error(Problem::default()),
    ];
    let kinds =
        [TextKind::Fen, TextKind::Position, TextKind::Moves, TextKind::Record, TextKind::Svg];
    let phrases = ["hello", "ready", "luck", "nice", "thanks", "oops", "moment", "bye"];
    all.extend(phrases.map(|phrase| {
        let (game, by) = ("g1".into(), vec!["p1".into()]);
        Outgoing::Said(Said { game, by, phrase: read(json!(phrase)) })
    }));
    all.extend(
        kinds.map(|what| Outgoing::Text(Text { what, name: String::new(), text: String::new() })),
    );
    all
}

/// Messages with nothing that may be left out or `null`.
fn bare() -> Vec<Outgoing> {
    vec![
        Outgoing::Welcome(Welcome::default()),
        Outgoing::Welcome(Welcome { host: Some(HostWelcome::default()), ..Welcome::default() }),
        Outgoing::About(Box::new(About {
            board: None,
            table: Table::new("", [1.0, 1.0]),
            ..about()
        })),
        Outgoing::Tree(Tree { nodes: vec![TreeNode::default()], ..Tree::default() }),
        Outgoing::State(Box::new(State { seats: vec![SeatState::default()], ..State::default() })),
        Outgoing::Position(Position::default()),
        Outgoing::Hint(Hint::default()),
        Outgoing::Analysis(Analysis::default()),
        Outgoing::Review(Review::default()),
    ]
}

#[test]
fn the_types_of_the_page_are_those_of_the_messages() {
    let mut checker = Checker::new();
    for message in whole().iter().chain(&bare()) {
        checker.check(&serde_json::to_value(message).unwrap());
    }
    assert_eq!(checker.unseen(), Vec::<String>::new(), "declared, but never sent");
}
