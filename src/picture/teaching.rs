//! Lessons and puzzles: what teaches a game, in the form of extension 3 of the protocol.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// The answer of `query lessons`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Lessons {
    /// The version of this form: 1.
    pub v: u32,
    /// In the order in which they are taken.
    pub lessons: Vec<Lesson>,
}

/// A few steps about one part of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Lesson {
    /// A word that stays when texts change.
    pub id: String,
    /// What the list of lessons calls it.
    pub title: String,
    /// In their order.
    pub steps: Vec<LessonStep>,
}

/// Something to read, or to do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LessonStep {
    /// Plain sentences.
    pub text: String,
    /// Where it happens.
    #[serde(flatten)]
    pub place: Place,
    /// What is to be done; nothing where the step is only read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solution: Option<Solution>,
    /// Help for somebody who is stuck.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What is said after the right token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yes: Option<String>,
    /// What is said after another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no: Option<Wrong>,
    /// Cells to be marked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
    /// Arrows from cell to cell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrows: Vec<[String; 2]>,
}

/// A position and who decides there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Rule options that differ from their defaults.
    #[serde(default)]
    pub rules: BTreeMap<String, String>,
    /// What follows the word `position`.
    pub position: String,
    /// `p1`, `p2`, ...
    pub seat: String,
}

/// What is said after a wrong token.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Wrong {
    /// After every one.
    Any(String),
    /// By token; under `""` what is said after all others.
    Each(BTreeMap<String, String>),
}

impl Wrong {
    /// What is said after a token.
    #[must_use]
    pub fn after(&self, token: &str) -> Option<&str> {
        match self {
            Wrong::Any(text) => Some(text),
            Wrong::Each(texts) => texts.get(token).or_else(|| texts.get("")).map(String::as_str),
        }
    }
}

/// The right tokens, and what follows them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Solution {
    /// Any of these is right.
    pub accept: Vec<String>,
    /// What others then do, the longest defence first, each with what is right after it. Empty at the
    /// end of the line.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub replies: IndexMap<String, Solution>,
}

/// A page of the answer of `query puzzles`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Puzzles {
    /// The version of this form: 1.
    pub v: u32,
    /// How many puzzles there are in all.
    pub count: usize,
    /// Those of the page.
    pub puzzles: Vec<Puzzle>,
}

/// A position with one right answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Puzzle {
    /// A word that stays.
    pub id: String,
    /// Where it stands.
    #[serde(flatten)]
    pub place: Place,
    /// The task in a sentence.
    pub text: String,
    /// What is right.
    pub solution: Solution,
    /// `win`, `escape`, `best` or `word`.
    pub goal: String,
    /// How hard it is: it rises with `nodes`.
    pub rating: u32,
    /// The weakest level of the engine that finds it.
    pub level: u32,
    /// The nodes with which the engine finds it.
    pub nodes: u64,
    /// What it is about.
    #[serde(default)]
    pub themes: Vec<String>,
    /// What other tokens cost, in thousandths of a game.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub loss: BTreeMap<String, u32>,
}
