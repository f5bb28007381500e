//! The types of the page, `tests/board/types.d.ts`, against the messages: every member that is sent
//! is declared with its type, and every declared one is sent.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::*;

/// A type of TypeScript, as far as the file goes.
enum Type {
    Null,
    Text(Option<String>),
    Number,
    Flag,
    List(Box<Type>),
    Tuple(Vec<Type>),
    Record(Box<Type>),
    Object(Vec<Member>),
    Named(String),
    Either(Vec<Type>),
}

struct Member {
    name: String,
    optional: bool,
    kind: Type,
}

struct Parser<'a>(&'a str);

impl Parser<'_> {
    fn skip(&mut self) {
        self.0 = self.0.trim_start();
        while self.0.starts_with("//") {
            self.0 = self.0.split_once('\n').unwrap().1.trim_start();
        }
    }

    fn take(&mut self, mark: &str) -> bool {
        self.skip();
        let rest = self.0.strip_prefix(mark);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, mark: &str) {
        let found: String = self.0.chars().take(40).collect();
        assert!(self.take(mark), "types.d.ts: {mark} expected at {found:?}");
    }

    fn word(&mut self) -> String {
        self.skip();
        let end = self.0.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap();
        let (word, rest) = self.0.split_at(end);
        assert!(!word.is_empty(), "types.d.ts: a name expected at {rest:.40?}");
        self.0 = rest;
        word.to_owned()
    }

    /// All declarations by name.
    fn file(mut self) -> BTreeMap<String, Type> {
        let mut types = BTreeMap::new();
        loop {
            self.skip();
            if self.0.is_empty() {
                return types;
            }
            let keyword = self.word();
            let name = self.word();
            if keyword == "type" {
                self.expect("=");
            }
            let kind = self.either();
            self.take(";");
            assert!(types.insert(name.clone(), kind).is_none(), "{name} is declared twice");
        }
    }

    fn either(&mut self) -> Type {
        self.take("|");
        let mut kinds = vec![self.list()];
        while self.take("|") {
            kinds.push(self.list());
        }
        if kinds.len() == 1 { kinds.remove(0) } else { Type::Either(kinds) }
    }

    fn list(&mut self) -> Type {
        let mut kind = self.single();
        while self.take("[]") {
            kind = Type::List(Box::new(kind));
        }
        kind
    }

    fn single(&mut self) -> Type {
        if self.take("{") {
            let mut members = Vec::new();
            while !self.take("}") {
                let name = self.word();
                let optional = self.take("?");
                self.expect(":");
                members.push(Member { name, optional, kind: self.either() });
                let _ = self.take(";") || self.take(",");
            }
            return Type::Object(members);
        }
        if self.take("[") {
            let mut kinds = Vec::new();
            while !self.take("]") {
                kinds.push(self.either());
                self.take(",");
            }
            return Type::Tuple(kinds);
        }
        if self.take("'") {
            let (text, rest) = self.0.split_once('\'').unwrap();
            self.0 = rest;
            return Type::Text(Some(text.to_owned()));
        }
        match self.word().as_str() {
            "null" => Type::Null,
            "string" => Type::Text(None),
            "number" => Type::Number,
            "boolean" => Type::Flag,
            "Record" => {
                self.expect("<string,");
                let kind = self.either();
                self.expect(">");
                Type::Record(Box::new(kind))
            }
            name => Type::Named(name.to_owned()),
        }
    }
}

/// The declarations, and the members that were seen in messages, as `Type.member`.
struct Checker {
    types: BTreeMap<String, Type>,
    seen: BTreeSet<String>,
}

impl Checker {
    fn new() -> Self {
        let types = Parser(include_str!("../../../../tests/board/types.d.ts")).file();
        Checker { types, seen: BTreeSet::new() }
    }

    /// Checks a message against the declaration of that name.
    fn check(&mut self, name: &str, value: &Value) {
        let mut seen = BTreeSet::new();
        if let Err(error) = self.fits(value, &Type::Named(name.to_owned()), name, &mut seen) {
            panic!("{error}\nin {value}");
        }
        self.seen.extend(seen);
    }

    fn fits(
        &self,
        value: &Value,
        kind: &Type,
        place: &str,
        seen: &mut BTreeSet<String>,
    ) -> Result<(), String> {
        let wrong = || Err(format!("{place}: {value} is of another type than declared"));
        match (kind, value) {
            (Type::Named(name), _) => {
                let Some(kind) = self.types.get(name) else {
                    return Err(format!("{place}: {name} is not declared"));
                };
                self.fits(value, kind, name, seen)
            }
            (Type::Either(kinds), _) => {
                let mut errors = Vec::new();
                for kind in kinds {
                    let mut found = BTreeSet::new();
                    match self.fits(value, kind, place, &mut found) {
                        Ok(()) => {
                            seen.extend(found);
                            return Ok(());
                        }
                        Err(error) => errors.push(error),
                    }
                }
                Err(errors.join("; "))
            }
            (Type::Null, Value::Null)
            | (Type::Text(None), Value::String(_))
            | (Type::Number, Value::Number(_))
            | (Type::Flag, Value::Bool(_)) => Ok(()),
            (Type::Text(Some(text)), Value::String(value)) if text == value => Ok(()),
            (Type::List(kind), Value::Array(values)) => {
                values.iter().try_for_each(|value| self.fits(value, kind, place, seen))
            }
            (Type::Tuple(kinds), Value::Array(values)) if kinds.len() == values.len() => {
                let mut pairs = values.iter().zip(kinds);
                pairs.try_for_each(|(value, kind)| self.fits(value, kind, place, seen))
            }
            (Type::Record(kind), Value::Object(values)) => {
                values.values().try_for_each(|value| self.fits(value, kind, place, seen))
            }
            (Type::Object(members), Value::Object(values)) => {
                for member in members {
                    let place = format!("{place}.{}", member.name);
                    match values.get(&member.name) {
                        Some(value) => self.fits(value, &member.kind, &place, seen)?,
                        None if member.optional => continue,
                        None => return Err(format!("{place} is not sent")),
                    }
                    seen.insert(place);
                }
                let known = |name: &&String| members.iter().any(|member| member.name == **name);
                match values.keys().find(|name| !known(name)) {
                    Some(name) => Err(format!("{place}.{name} is sent and not declared")),
                    None => Ok(()),
                }
            }
            _ => wrong(),
        }
    }

    /// The declared members that no message had.
    fn unseen(&self) -> Vec<String> {
        let mut all = BTreeSet::new();
        for (name, kind) in &self.types {
            collect(kind, name, &mut all);
        }
        all.difference(&self.seen).cloned().collect()
    }
}

fn collect(kind: &Type, place: &str, all: &mut BTreeSet<String>) {
    match kind {
        Type::List(kind) | Type::Record(kind) => collect(kind, place, all),
        Type::Tuple(kinds) | Type::Either(kinds) => {
            kinds.iter().for_each(|kind| collect(kind, place, all));
        }
        Type::Object(members) => {
            for member in members {
                let place = format!("{place}.{}", member.name);
                collect(&member.kind, &place, all);
                all.insert(place);
            }
        }
        Type::Null | Type::Text(_) | Type::Number | Type::Flag | Type::Named(_) => {}
    }
}

/// The declaration of a message.
fn name_of(message: &Outgoing) -> &'static str {
    match message {
        Outgoing::Welcome(_) => "Welcome",
        Outgoing::About(_) => "About",
        Outgoing::Rules(_) => "Rules",
        Outgoing::Records(_) => "Records",
        Outgoing::Saved(_) => "Saved",
        Outgoing::Table(_) => "TableMessage",
        Outgoing::Tree(_) => "TreeMessage",
        Outgoing::State(_) => "GameState",
        Outgoing::Position(_) => "PositionMessage",
        Outgoing::Step(_) => "StepMessage",
        Outgoing::Moves(_) => "MovesMessage",
        Outgoing::Hint(_) => "HintMessage",
        Outgoing::Analysis(_) => "AnalysisMessage",
        Outgoing::Review(_) => "ReviewMessage",
        Outgoing::Text(_) => "TextMessage",
        Outgoing::Closed(_) => "Closed",
        Outgoing::Pong => "Pong",
        Outgoing::Error(_) => "Problem",
    }
}

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
        "seats": [{"seat": "p1", "name": "n", "turn": 180, "fill": "f"}],
        "symbols": {"y": {"label": "l", "icon": "i", "path": "p", "letter": "L", "turns": true}},
    }))
}

fn board() -> Board {
    read(json!({
        "v": 1, "turn": "p1",
        "pieces": [{"cell": "a", "symbol": "y", "seat": 1, "turn": 90, "count": 2, "label": "l"}],
        "marks": [{"cell": "a", "kind": "k", "seat": 1}],
        "panel": [{"seat": "p1", "items": [
            {"name": "n", "value": 1, "of": 2}, {"name": "n", "value": "text"}]}],
        "dice": {"of": "p1", "values": [1, 2], "left": [2]},
        "cards": [{"id": "c", "seat": "p1", "title": "t", "secret": true, "lines": ["l"],
            "badges": ["b"], "picture": [{"path": "p", "fill": "f"}]}],
        "last": {"path": ["a"]}, "note": "n", "text": "t",
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
            .map(|phase| OpenGame { phase, ..OpenGame::default() })
            .into(),
        saved: saved(),
        records: Some(RecordFile::default()),
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
        engines: vec![
            AboutEngine { players: vec!["random".into()], ..AboutEngine::default() },
            AboutEngine { text: some("why"), ..AboutEngine::default() },
        ],
    }
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
        best: some("b"),
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
        Outgoing::About(Box::new(about())),
        Outgoing::Rules(Rules::default()),
        Outgoing::Records(Records {
            list: vec![RecordEntry { seats: vec!["n".into()], ..RecordEntry::default() }],
            ..Records::default()
        }),
        Outgoing::Saved(Saved { list: saved() }),
        Outgoing::Table(TableMessage { game: "g1".into(), table: Arc::new(table()) }),
        Outgoing::Tree(tree()),
        Outgoing::State(Box::new(state())),
        Outgoing::Position(position),
        Outgoing::Step(StepMessage { node: 0, step: step() }),
        Outgoing::Moves(Moves { tokens: vec!["a".into()], ..Moves::default() }),
        Outgoing::Hint(Hint { value: value(), arrow: arrow(), ..Hint::default() }),
        Outgoing::Analysis(analysis),
        Outgoing::Review(review()),
        Outgoing::Closed(Closed::default()),
        Outgoing::Pong,
        Outgoing::Error(Problem::default()),
    ];
    let kinds =
        [TextKind::Fen, TextKind::Position, TextKind::Moves, TextKind::Record, TextKind::Svg];
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
        checker.check(name_of(message), &serde_json::to_value(message).unwrap());
    }
    assert_eq!(checker.unseen(), Vec::<String>::new(), "declared, but never sent");
}
