//! The sources of the table: `data/barbarossa/*.txt`, text with inheritance.
//!
//! ```text
//! predicate has_beak clay
//!   Does it have a beak? | Has it got a bill?
//! predicate is_bird = bird.1
//!   Is it a bird? | (yes) Does it have feathers?
//! ask yes is_mammal is_bird, no is_alive, unless is_imaginary:
//!   Does it breathe? | Does it need air?
//! class bird: animal; under bird.1, has_beak, has_wings, can_fly p
//! word penguin: bird; can_fly n, stands_upright
//! word crane@5: bird
//! word smartphone@<telephone.1: gadget; has_screen
//! mark is_tall p: penguin crane @raptor
//! rule is_boxy: has_corners
//! vague machine.1 device.1
//! unasked abstraction.6
//! closed rodent.1
//! ```
//!
//! Of a question after `(yes)` only the yes follows from the predicate, because it asks for more
//! things than that, and after `(no)` only the no. `ask` has the questions whose answers follow
//! from several predicates, one or more after each way: `is` (all answers), `opposite` (all turned
//! round), `yes` (the yes), `no` (the no), `no if yes`, `yes if no`, `unless` (nothing follows
//! where it is true). A cell without a letter is `y`. Classes inherit from classes, later parents
//! and own cells winning. Marks write single cells across the table and win over everything before
//! them, later marks over earlier ones; `@NAME` stands for all words of a class. What nobody says
//! follows from the taxonomy, for a predicate with kinds; else from the first rule whose premise
//! holds; else it is `n`. Of a `vague` kind people have other ideas than WordNet: of what is made
//! by people and stands elsewhere in the taxonomy, the table does not know whether it is one. Kinds
//! of people and of food are all vague, among people and food. Nobody asks for an `unasked` kind.
//! Of a `closed` kind people have the same idea as WordNet, and the table has all its words: only
//! there the no is certain as well.
//! An indented line continues the one above; `#` begins a comment.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::once;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use parlor::games::barbarossa::knowledge::wordings::Wordings;
use parlor::games::barbarossa::knowledge::{Answer, Knowledge, Predicate, PredicateId, Word};
use parlor::reading;

use super::taxonomy::Taxonomy;

/// A predicate as written.
#[derive(Clone, Debug)]
pub struct PredicateText {
    /// Its entry in the table.
    pub predicate: Predicate,
    /// The kinds whose members have it.
    pub kinds: Vec<String>,
}

/// Which sense of WordNet a word has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sense {
    /// The first sense below a kind that its classes name with `under`.
    First,
    /// `@N`: the sense of that number.
    Number(usize),
    /// `@<KIND`: none; the word is put below that kind.
    Below(String),
}

/// A class or a word as written.
#[derive(Clone, Debug)]
pub struct Entry {
    /// File and line.
    pub place: String,
    /// The sense; used for words only.
    pub sense: Sense,
    /// The classes it inherits from.
    pub parents: Vec<String>,
    /// Its own cells.
    pub cells: Vec<(String, Answer)>,
    /// The kinds that senses must be below.
    pub under: Vec<String>,
}

/// `mark`: one answer for a predicate and many words.
#[derive(Clone, Debug)]
pub struct Mark {
    /// File and line.
    pub place: String,
    /// The predicate.
    pub predicate: String,
    /// The answer.
    pub answer: Answer,
    /// The words; `@NAME` for all words of a class.
    pub words: Vec<String>,
}

/// `rule`: what follows from an answer, where nobody says otherwise.
#[derive(Clone, Debug)]
pub struct Rule {
    /// File and line.
    pub place: String,
    /// The predicate and the answer that it follows from.
    pub premise: (String, Answer),
    /// The cells that follow.
    pub conclusions: Vec<(String, Answer)>,
}

/// The contents of the text files.
#[derive(Clone, Default, Debug)]
pub struct Sources {
    /// In table order.
    pub predicates: Vec<PredicateText>,
    /// By name.
    classes: BTreeMap<String, Entry>,
    /// By name.
    pub words: BTreeMap<String, Entry>,
    /// In the order written.
    marks: Vec<Mark>,
    /// In the order written: the first that concludes wins.
    rules: Vec<Rule>,
    /// Wordings that ask for several predicates, each with its place.
    wordings: Vec<(String, Wordings)>,
    /// Kinds of which people have other ideas than WordNet.
    pub(super) vague: BTreeSet<String>,
    /// Kinds that nobody asks for.
    pub(super) unasked: BTreeSet<String>,
    /// Kinds of which the no is certain as well.
    pub(super) closed: BTreeSet<String>,
}

/// `has_beak` or `has_beak n`.
fn parse_cell(place: &str, cell: &str) -> Result<(String, Answer)> {
    let (name, letter) = cell.split_once(' ').unwrap_or((cell, "y"));
    let answer = Answer::parse(letter);
    let answer = answer.with_context(|| format!("{place}: `{cell}` should end in y, n, p or d"))?;
    Ok((name.to_string(), answer))
}

impl Sources {
    /// Reads every `.txt` file of a folder except the taxonomy, sorted by name.
    pub fn read(folder: &Path) -> Result<Sources> {
        let failed = || folder.display().to_string();
        let listing = std::fs::read_dir(folder).with_context(failed)?;
        let mut paths: Vec<_> = listing.filter_map(|entry| entry.ok().map(|e| e.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|ext| ext == "txt"));
        paths.sort();
        let mut made = Sources::default();
        for path in paths {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
            let name = name.unwrap_or_default();
            if name != "taxonomy.txt" {
                let text = reading::text(&path);
                made.add(&name, &text.with_context(|| path.display().to_string())?)?;
            }
        }
        made.check()?;
        Ok(made)
    }

    /// Adds one file.
    fn add(&mut self, file: &str, text: &str) -> Result<()> {
        let mut statement: Option<(usize, String)> = None;
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim_end();
            if line.is_empty() {
                continue;
            }
            if line.starts_with(' ') {
                let Some((_, text)) = &mut statement else {
                    bail!("{file}:{}: continues no statement", index + 1);
                };
                text.push('\n');
                text.push_str(line.trim());
            } else {
                if let Some((number, text)) = statement.take() {
                    self.statement(&format!("{file}:{number}"), &text)?;
                }
                statement = Some((index + 1, line.to_string()));
            }
        }
        match statement {
            Some((number, text)) => self.statement(&format!("{file}:{number}"), &text),
            None => Ok(()),
        }
    }

    fn statement(&mut self, place: &str, text: &str) -> Result<()> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "predicate" => self.predicate(place, rest),
            "class" | "word" => self.entry(place, word == "word", &rest.replace('\n', " ")),
            "mark" => self.mark(place, &rest.replace('\n', " ")),
            "rule" => self.rule(place, &rest.replace('\n', " ")),
            "ask" => {
                let wordings = Wordings::of_questions(&rest.replace('\n', " "));
                let wordings = wordings.map_err(|what| anyhow::anyhow!("{place}: {what}"))?;
                self.wordings.push((place.to_string(), wordings));
                Ok(())
            }
            "vague" | "unasked" | "closed" => {
                let list = match word {
                    "vague" => &mut self.vague,
                    "unasked" => &mut self.unasked,
                    _ => &mut self.closed,
                };
                list.extend(rest.split_whitespace().map(str::to_string));
                Ok(())
            }
            _ => bail!(
                "{place}: `{word}` should be predicate, ask, class, word, mark, rule, vague, \
                 unasked or closed"
            ),
        }
    }

    fn predicate(&mut self, place: &str, text: &str) -> Result<()> {
        let (head, questions) = text.split_once('\n').unwrap_or((text, ""));
        let (head, kinds) = head.split_once('=').unwrap_or((head, ""));
        let mut fields = head.split_whitespace();
        let name = fields.next().unwrap_or_default().to_string();
        let clay = match fields.next() {
            None => false,
            Some("clay") => true,
            Some(other) => bail!("{place}: `{other}` should be `clay`"),
        };
        let is_new = self.predicates.iter().all(|known| known.predicate.name != name);
        ensure!(is_new, "{place}: the predicate {name} is there already");
        let mut predicate = Predicate { name, clay, ..Predicate::default() };
        let questions = questions.replace('\n', " ");
        let questions = questions.split('|').map(str::trim);
        questions.filter(|text| !text.is_empty()).for_each(|text| predicate.add_wording(text));
        let asked = !predicate.questions.is_empty();
        ensure!(asked, "{place}: {} should have a question below it", predicate.name);
        self.predicates.push(PredicateText {
            predicate,
            kinds: kinds.split_whitespace().map(str::to_string).collect(),
        });
        Ok(())
    }

    fn entry(&mut self, place: &str, is_word: bool, text: &str) -> Result<()> {
        let (head, cells) = text.split_once(';').unwrap_or((text, ""));
        let (name, parents) = head.split_once(':').unwrap_or((head, ""));
        let (name, sense) = match name.trim().split_once('@') {
            None => (name.trim(), Sense::First),
            Some((name, sense)) => match (sense.strip_prefix('<'), sense.parse()) {
                (Some(kind), _) => (name, Sense::Below(kind.to_string())),
                (None, Ok(number)) => (name, Sense::Number(number)),
                (None, Err(_)) => bail!("{place}: `@{sense}` should be `@N` or `@<KIND`"),
            },
        };
        let mut entry = Entry {
            place: place.to_string(),
            sense,
            parents: parents.split_whitespace().map(str::to_string).collect(),
            cells: Vec::new(),
            under: Vec::new(),
        };
        for cell in cells.split(',').map(str::trim).filter(|cell| !cell.is_empty()) {
            match cell.strip_prefix("under ") {
                Some(kind) => entry.under.push(kind.to_string()),
                None => entry.cells.push(parse_cell(place, cell)?),
            }
        }
        let list = if is_word { &mut self.words } else { &mut self.classes };
        match list.insert(name.to_string(), entry) {
            None => Ok(()),
            Some(old) => bail!("{place}: {name} is there already, at {}", old.place),
        }
    }

    fn rule(&mut self, place: &str, text: &str) -> Result<()> {
        let Some((premise, conclusions)) = text.split_once(':') else {
            bail!("{place}: should be `rule PREDICATE LETTER: CELL, CELL ..`");
        };
        let premise = parse_cell(place, premise.trim())?;
        let cells = conclusions.split(',').map(str::trim).filter(|cell| !cell.is_empty());
        let conclusions: Result<_, _> = cells.map(|cell| parse_cell(place, cell)).collect();
        self.rules.push(Rule { place: place.to_string(), premise, conclusions: conclusions? });
        Ok(())
    }

    fn mark(&mut self, place: &str, text: &str) -> Result<()> {
        let read = || {
            let (head, words) = text.split_once(':')?;
            let (predicate, letter) = head.trim().split_once(' ')?;
            Some((predicate, Answer::parse(letter)?, words))
        };
        let usage = || format!("{place}: should be `mark PREDICATE LETTER: WORD WORD ..`");
        let (predicate, answer, words) = read().with_context(usage)?;
        self.marks.push(Mark {
            place: place.to_string(),
            predicate: predicate.to_string(),
            answer,
            words: words.split_whitespace().map(str::to_string).collect(),
        });
        Ok(())
    }

    /// Whether every name used is defined.
    fn check(&self) -> Result<()> {
        let known: BTreeSet<&str> =
            self.predicates.iter().map(|text| text.predicate.name.as_str()).collect();
        let predicate = |place: &str, name: &str| {
            ensure!(known.contains(name), "{place}: there is no predicate {name}");
            Ok(())
        };
        for entry in self.classes.values().chain(self.words.values()) {
            let unknown = entry.parents.iter().find(|parent| !self.classes.contains_key(*parent));
            if let Some(parent) = unknown {
                bail!("{}: there is no class {parent}", entry.place);
            }
            entry.cells.iter().try_for_each(|(name, _)| predicate(&entry.place, name))?;
        }
        for class in self.classes.keys() {
            self.check_circle(class, &mut Vec::new())?;
        }
        for (place, wordings) in &self.wordings {
            wordings.follows.iter().try_for_each(|(_, name)| predicate(place, name))?;
        }
        for rule in &self.rules {
            let mut cells = rule.conclusions.iter().chain(once(&rule.premise));
            cells.try_for_each(|(name, _)| predicate(&rule.place, name))?;
        }
        for mark in &self.marks {
            predicate(&mark.place, &mark.predicate)?;
            let is_known = |name: &&String| match name.strip_prefix('@') {
                Some(class) => self.classes.contains_key(class),
                None => self.words.contains_key(*name),
            };
            if let Some(name) = mark.words.iter().find(|name| !is_known(name)) {
                bail!("{}: there is no word or @class {name}", mark.place);
            }
        }
        Ok(())
    }

    fn check_circle<'a>(&'a self, class: &'a str, path: &mut Vec<&'a str>) -> Result<()> {
        let Some(entry) = self.classes.get(class) else { return Ok(()) };
        let inherits = path.contains(&class);
        ensure!(!inherits, "{}: the class {class} inherits from itself", entry.place);
        path.push(class);
        for parent in &entry.parents {
            self.check_circle(parent, path)?;
        }
        path.pop();
        Ok(())
    }

    /// The kinds that the senses of a word must be below: those that the word itself names, or
    /// its last class that names some.
    pub fn under(&self, word: &str) -> Vec<&str> {
        self.words.get(word).map(|entry| self.entry_under(entry)).unwrap_or_default()
    }

    fn entry_under<'a>(&'a self, entry: &'a Entry) -> Vec<&'a str> {
        if !entry.under.is_empty() {
            return entry.under.iter().map(String::as_str).collect();
        }
        let parents = entry.parents.iter().rev().filter_map(|parent| self.classes.get(parent));
        parents
            .map(|class| self.entry_under(class))
            .find(|list| !list.is_empty())
            .unwrap_or_default()
    }

    /// The cells that a word's classes and its own line give, by predicate name.
    fn cells(&self, word: &str) -> BTreeMap<&str, Answer> {
        let mut cells = BTreeMap::new();
        if let Some(entry) = self.words.get(word) {
            self.inherit(entry, &mut cells);
        }
        cells
    }

    fn inherit<'a>(&'a self, entry: &'a Entry, cells: &mut BTreeMap<&'a str, Answer>) {
        for class in entry.parents.iter().filter_map(|parent| self.classes.get(parent)) {
            self.inherit(class, cells);
        }
        cells.extend(entry.cells.iter().map(|(name, answer)| (name.as_str(), *answer)));
    }

    /// Joins the text with the taxonomy.
    pub fn compile(&self, taxonomy: &Taxonomy) -> Result<Knowledge> {
        for (word, entry) in &self.words {
            let known = taxonomy.words.contains_key(word);
            let place = &entry.place;
            ensure!(known, "{place}: {word} is not in taxonomy.txt, which should be made again");
        }
        let words = self
            .words
            .keys()
            .map(|name| Word { name: name.clone(), synonyms: taxonomy.synonyms(name) });
        let mut predicates: Vec<Predicate> =
            self.predicates.iter().map(|text| text.predicate.clone()).collect();
        let listed = predicates.len();
        let kinds = self.kinds(taxonomy);
        predicates.extend(kinds.iter().map(|kind| kind.predicate.clone()));
        let wordings = self.wordings.iter().map(|(_, wordings)| wordings.clone()).collect();
        let mut made = Knowledge::new(words.collect(), predicates, listed, wordings);
        let marks = self.marks_by_word();
        for word in made.words() {
            let name = made.word(word).to_string();
            let cells = self.row(&name, taxonomy, marks.get(name.as_str()));
            for (index, text) in self.predicates.iter().enumerate() {
                if let Some(answer) = cells.get(text.predicate.name.as_str()) {
                    made.set_answer(word, PredicateId(index as u16), *answer);
                }
            }
        }
        for kind in &kinds {
            kind.write(&mut made);
        }
        Ok(made)
    }

    fn marks_by_word(&self) -> BTreeMap<&str, Vec<(&str, Answer)>> {
        let mut marks: BTreeMap<&str, Vec<(&str, Answer)>> = BTreeMap::new();
        for mark in &self.marks {
            for name in &mark.words {
                let words = match name.strip_prefix('@') {
                    Some(class) => self.members(class),
                    None => vec![name.as_str()],
                };
                for word in words {
                    marks.entry(word).or_default().push((&mark.predicate, mark.answer));
                }
            }
        }
        marks
    }

    /// The words that inherit from a class.
    fn members(&self, class: &str) -> Vec<&str> {
        let of_class = |(_, entry): &(&String, &Entry)| self.inherits(entry, class);
        self.words.iter().filter(of_class).map(|(word, _)| word.as_str()).collect()
    }

    fn inherits(&self, entry: &Entry, class: &str) -> bool {
        entry.parents.iter().any(|parent| {
            parent == class || self.classes.get(parent).is_some_and(|up| self.inherits(up, class))
        })
    }

    /// The whole row of a word: from its entry and marks, from the taxonomy, from the rules.
    fn row<'a>(
        &'a self,
        word: &str,
        taxonomy: &Taxonomy,
        marks: Option<&Vec<(&'a str, Answer)>>,
    ) -> BTreeMap<&'a str, Answer> {
        let mut cells = self.cells(word);
        cells.extend(marks.into_iter().flatten().copied());
        let kinds = taxonomy.kinds_of(word);
        for text in &self.predicates {
            if text.kinds.iter().any(|kind| kinds.contains(kind.as_str())) {
                cells.entry(&text.predicate.name).or_insert(Answer::Yes);
            }
        }
        for rule in &self.rules {
            let (premise, answer) = &rule.premise;
            if cells.get(premise.as_str()).copied().unwrap_or(Answer::No) == *answer {
                for (name, answer) in &rule.conclusions {
                    cells.entry(name).or_insert(*answer);
                }
            }
        }
        cells
    }
}
