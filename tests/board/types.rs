//! Reads the types of the page, `types.d.ts`, as far as the file goes, and holds messages against
//! them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

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
pub(super) struct Checker {
    types: BTreeMap<String, Type>,
    seen: BTreeSet<String>,
}

impl Checker {
    pub(super) fn new() -> Self {
        let types = Parser(include_str!("types.d.ts")).file();
        Checker { types, seen: BTreeSet::new() }
    }

    /// Checks a message against its declaration.
    pub(super) fn check(&mut self, message: &Value) {
        let kind = message["type"].as_str().unwrap_or_default();
        let name = match kind {
            "welcome" => "Welcome",
            "about" => "About",
            "rules" => "Rules",
            "records" => "Records",
            "games" => "Games",
            "table" => "TableMessage",
            "tree" => "TreeMessage",
            "state" => "GameState",
            "position" => "PositionMessage",
            "step" => "StepMessage",
            "moves" => "MovesMessage",
            "path" => "PathMessage",
            "lessons" => "LessonsMessage",
            "puzzles" => "PuzzlesMessage",
            "said" => "Said",
            "hint" => "HintMessage",
            "analysis" => "AnalysisMessage",
            "review" => "ReviewMessage",
            "text" => "TextMessage",
            "closed" => "Closed",
            "pong" => "Pong",
            "done" => "Done",
            "error" => "Problem",
            _ => panic!("no type is declared for {message}"),
        };
        let mut seen = BTreeSet::new();
        if let Err(error) = self.fits(message, &Type::Named(name.to_owned()), name, &mut seen) {
            panic!("{error}\nin {message}");
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
    pub(super) fn unseen(&self) -> Vec<String> {
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
