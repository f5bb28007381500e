//! Which predicate a question in English asks for, if that is certain.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::asked::{Asked, Follows, Joint};
use super::grammar::{self, LIMITED, LOOSE, PARTLY, Unsure, Way, registered};
use super::lexicon::{Lexicon, Named};
use super::{Answer, Knowledge, Predicate, PredicateId, WordId, language};

/// How a question was understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reading {
    /// It asks for this predicate, and for nothing else.
    Certain(PredicateId),
    /// It asks for the contrary of this predicate.
    Opposite(PredicateId),
    /// Not all of its answers follow from predicates; the others are `dontknow`.
    Partly(Asked),
    /// It is answered `dontknow`.
    Unsure {
        /// Why.
        why: Unsure,
        /// Predicates with words in common, the most likely first.
        nearest: Vec<PredicateId>,
    },
}

/// How many predicates are offered instead of a question that is not understood.
const OFFERED: usize = 4;

/// Frames whose loose questions have two meanings: can it smell.
const TWO_MEANINGS: [&str; 1] = ["do|smell"];

/// Words of the list, or their names, that are adjectives as well. Who asks `is it square` asks for the
/// form.
const ADJECTIVES: [&str; 6] = ["circle", "common", "short", "square", "violet", "waterproof"];

/// Of what it is no, or not certain, that it lives where it is found.
const NOT_LIVING: &[(Follows, &str)] = &[
    (Follows::NoIfYes, "is_manmade"),
    (Follows::Unless, "is_imaginary"),
    (Follows::Unless, "is_extinct"),
    (Follows::Unless, "is_food"),
];

/// The same of what it is no that it grows there.
const NOT_GROWING: &[(Follows, &str)] = &[
    (Follows::NoIfYes, "is_animal"),
    (Follows::NoIfYes, "is_person"),
    (Follows::NoIfYes, "is_landform"),
    (Follows::NoIfYes, "is_stone"),
];

/// Whether a frame asks for a kind.
fn names_a_kind(frame: &str) -> bool {
    let mass = |noun: &str| grammar::MASS_NOUNS.contains(&noun);
    frame.starts_with("be|a|") || frame.strip_prefix("be|").is_some_and(mass)
}

/// Whether an adjective narrows a noun.
fn narrows(adjective: &str) -> bool {
    grammar::NARROWING.contains(&adjective)
}

/// Whether a word begins what limits a deed, a part or a place.
fn limits(word: &str) -> bool {
    grammar::LIMITING.contains(&word)
}

/// The words of a frame without what limits them at their end, from the longest on: `wear` of `wear
/// for wedding`. None of a verb that means another thing without its end. `begins` says which words
/// begin an end.
fn without_end(words: &str, begins: impl Fn(&str) -> bool) -> Vec<&str> {
    let first = words.split(' ').next().unwrap_or_default();
    if grammar::LIGHT_VERBS.contains(&first) {
        return Vec::new();
    }
    let mut found: Vec<&str> = words
        .match_indices(' ')
        .filter(|(at, _)| begins(words[at + 1..].split(' ').next().unwrap_or_default()))
        .map(|(at, _)| &words[..at])
        .collect();
    found.reverse();
    found
}

/// The frames of all questions that the table can answer, made at the first question.
#[derive(Clone, Default, Debug)]
pub(super) struct Frames(OnceLock<KnownFrames>);

/// What each frame asks for; `None` where two kinds that differ have one name.
type KnownFrames = BTreeMap<String, Option<Asked>>;

/// What several frames of one question ask for: the only one that asks for a whole predicate, or what
/// follows from all of them.
fn together(asked: &BTreeSet<&Asked>) -> Option<Asked> {
    let mut whole = asked.iter().filter(|asked| is_whole(asked));
    match (whole.next(), whole.next()) {
        (Some(only), None) => Some((*only).clone()),
        (Some(_), Some(_)) => None,
        (None, _) => {
            let mut all = asked.iter();
            let mut made = (*all.next()?).clone();
            all.for_each(|more| made.join(more));
            Some(made)
        }
    }
}

fn is_whole(asked: &Asked) -> bool {
    matches!(asked.follows(), Some(Follows::All | Follows::Opposite))
}

/// Adds what a wording asks for. What follows from several predicates is asked for together; a
/// wording of one predicate alone goes first.
fn add_wording(known: &mut KnownFrames, frame: String, asked: &Asked) {
    match known.entry(frame) {
        Entry::Vacant(place) => {
            place.insert(Some(asked.clone()));
        }
        Entry::Occupied(mut place) => match place.get_mut() {
            Some(known) if !is_whole(known) && !is_whole(asked) => known.join(asked),
            _ => {}
        },
    }
}

/// Frames follow from the predicates.
impl PartialEq for Frames {
    fn eq(&self, _: &Frames) -> bool {
        true
    }
}

impl Eq for Frames {}

impl Knowledge {
    /// What a question in plain English asks for. A token of a predicate is understood as well.
    #[must_use]
    pub fn read_question(&self, free_text: &str) -> Reading {
        match self.read(free_text) {
            Ok(asked) => match asked.follows() {
                Some(Follows::All) => Reading::Certain(asked.first()),
                Some(Follows::Opposite) => Reading::Opposite(asked.first()),
                _ => Reading::Partly(asked),
            },
            Err(why) => {
                let wants_others = !matches!(why, Unsure::Empty | Unsure::Open | Unsure::Letters);
                let nearest = if wants_others { self.alike(free_text) } else { Vec::new() };
                Reading::Unsure { why, nearest }
            }
        }
    }

    /// The predicate that a question in plain English asks for, if that is certain and all answers
    /// follow from it. Anything else is answered `dontknow`, never `no`.
    #[must_use]
    pub fn understand(&self, free_text: &str) -> Option<PredicateId> {
        self.asked(free_text).and_then(|asked| asked.predicate())
    }

    /// What a question in plain English asks for, if that is certain.
    #[must_use]
    pub fn asked(&self, free_text: &str) -> Option<Asked> {
        self.read(free_text).ok()
    }

    fn read(&self, free_text: &str) -> Result<Asked, Unsure> {
        match self.find_predicate(free_text.trim()) {
            Some(predicate) => {
                let entry = self.predicate_entry(predicate);
                let is_whole = entry.is_none_or(|entry| !entry.questions.is_empty());
                let follows = if is_whole { Follows::All } else { Follows::Yes };
                Ok(Asked::of(predicate, follows))
            }
            None => self.read_sentence(free_text).or_else(|why| match why {
                Unsure::Unknown | Unsure::Ambiguous => self.outside(free_text).ok_or(why),
                Unsure::Negated => {
                    let asked = grammar::before_negation(free_text).ok_or(why)?;
                    let read = self.read_one(&asked).ok().and_then(|asked| asked.only_no());
                    read.or_else(|| self.outside(&asked)).ok_or(why)
                }
                _ => Err(why),
            }),
        }
    }

    /// What a question or two in one ask for.
    fn read_sentence(&self, free_text: &str) -> Result<Asked, Unsure> {
        let why = match self.read_one(free_text) {
            Err(why @ (Unsure::Empty | Unsure::Open | Unsure::Letters)) => return Err(why),
            Err(why) => why,
            read => return read,
        };
        if let Some((asked, is_weaker)) = grammar::before_comma(free_text) {
            let asked = self.read_one(&asked)?;
            return if is_weaker { asked.only_yes().ok_or(why) } else { Ok(asked) };
        }
        let Some((joint, parts)) = grammar::parts(free_text) else { return Err(why) };
        let [one, other] = parts.map(|part| self.read_one(&part));
        let asked = one?.with(joint, other?);
        if joint == Joint::Either && self.asks_which(&asked) {
            return Err(Unsure::Open);
        }
        Ok(asked)
    }

    /// Whether hardly anything is neither of two: is it heavy or light asks which.
    fn asks_which(&self, asked: &Asked) -> bool {
        let answers = self.words().map(|word| asked.answer(|it| self.answer(word, it)));
        let answers: Vec<Answer> = answers.collect();
        let count = |wanted| answers.iter().filter(|answer| **answer == wanted).count();
        asked.may_be(Answer::No) && 3 * count(Answer::No) < count(Answer::Yes)
    }

    /// What a question that is not two asks for.
    fn read_one(&self, question: &str) -> Result<Asked, Unsure> {
        let asks = grammar::read(question)?;
        match asks.way {
            Way::Plain => self.asked_for(&asks.frames),
            Way::Loose => self.asked_possibly(&asks.frames),
            Way::Partly => self
                .asked_alike(PARTLY, &asks.frames)
                .unwrap_or_else(|| self.asked_for(&asks.frames)?.only_yes().ok_or(Unsure::Wider)),
            Way::Limited { is_loose } => {
                self.asked_alike(LIMITED, &asks.frames).unwrap_or_else(|| {
                    let asked = match is_loose {
                        true => self.asked_possibly(&asks.frames),
                        false => self.asked_for(&asks.frames),
                    };
                    asked?.only_no().ok_or(Unsure::Limited)
                })
            }
        }
    }

    /// What a question asks for that is not plain, if the vocabulary asks in the same way: `way` is what
    /// stands before such frames.
    fn asked_alike(&self, way: &str, frames: &[String]) -> Option<Result<Asked, Unsure>> {
        let frames: Vec<String> = frames.iter().map(|frame| format!("{way}{frame}")).collect();
        let is_known = frames.iter().any(|frame| self.frames().contains_key(frame));
        is_known.then(|| self.asked_for(&frames))
    }

    /// What a loose question asks for.
    fn asked_possibly(&self, frames: &[String]) -> Result<Asked, Unsure> {
        if let Some(asked) = self.asked_alike(LOOSE, frames) {
            return asked;
        }
        let asked = self.asked_for(frames)?;
        // What is not found in a place can be there.
        let is_place = frames.iter().any(|frame| frame.starts_with("in|"));
        let possible = if is_place { asked.only_yes() } else { asked.as_possible() };
        possible.ok_or(Unsure::Ambiguous)
    }

    /// What frames of one meaning ask for. A question that names a word of the list is a guess, unless
    /// it is a question of the vocabulary: is it a boat.
    fn asked_for(&self, frames: &[String]) -> Result<Asked, Unsure> {
        let asked = self.asked_by(frames)?;
        let of_vocabulary = self.is_listed(asked.first()) && is_whole(&asked);
        let is_guess = !of_vocabulary && frames.iter().any(|frame| self.names_a_word(frame));
        if is_guess { Err(Unsure::Guess) } else { Ok(asked) }
    }

    fn asked_by(&self, frames: &[String]) -> Result<Asked, Unsure> {
        let known = self.frames();
        let mut found: Vec<&Option<Asked>> =
            frames.iter().filter_map(|frame| known.get(frame)).collect();
        // What the vocabulary asks for goes before kinds.
        let listed = |asked: &&Asked| self.is_listed(asked.first());
        if found.iter().any(|asked| asked.as_ref().filter(listed).is_some()) {
            found.retain(|asked| asked.as_ref().filter(listed).is_some());
        }
        let asked: BTreeSet<&Asked> = found.iter().filter_map(|asked| asked.as_ref()).collect();
        let predicates: BTreeSet<PredicateId> = asked.iter().map(|asked| asked.first()).collect();
        // Of two meanings of one predicate the whole one goes first.
        let best = asked.iter().min_by_key(|asked| (asked.follows().is_none(), asked.follows()));
        let is_doubtful = found.contains(&&None);
        match (best, predicates.len()) {
            (Some(asked), 1) if !is_doubtful => Ok((*asked).clone()),
            (Some(_), _) if !is_doubtful => together(&asked).ok_or(Unsure::Ambiguous),
            (Some(_), _) => Err(Unsure::Ambiguous),
            (None, _) => {
                let compared = frames.iter().find_map(|frame| self.compared(frame));
                let narrowed = || frames.iter().find_map(|frame| self.narrowed(frame));
                let compared = compared.or_else(narrowed);
                let is_guess = || frames.iter().any(|frame| self.names_a_word(frame));
                compared.ok_or_else(|| match is_doubtful {
                    _ if is_guess() => Unsure::Guess,
                    true => Unsure::Ambiguous,
                    false => Unsure::Unknown,
                })
            }
        }
    }

    /// What a question asks for that limits another one: what has no ears has no big ears, what nobody
    /// wears no king wears and nobody wears for a wedding. Only the no follows.
    fn narrowed(&self, frame: &str) -> Option<Asked> {
        let (relation, words) = frame.split_once('|')?;
        // Two questions in one are none that is limited.
        if words.split(' ').any(|word| matches!(word, "or" | "and")) {
            return None;
        }
        let wider = match relation {
            "act" => match words.split_once(" by ") {
                Some((act, agent)) if self.is_somebody(agent) => vec![act],
                _ => without_end(words, |word| limits(word) || word == "when"),
            },
            "do" => without_end(words, |_| true),
            "have" => {
                let narrow = words.split_once(' ').filter(|(first, _)| narrows(first));
                let narrow = narrow.map(|(_, part)| part);
                narrow.into_iter().chain(without_end(words, limits)).collect()
            }
            "in" | "live" => without_end(words, limits),
            // What is not found there is not used there.
            "use in" => {
                let asked = self.frames().get(&format!("in|{words}"))?.as_ref()?;
                return asked.only_no();
            }
            "be" => {
                let noun = words.strip_prefix("a|")?;
                let (_, noun) = noun.split_once(' ').filter(|(first, _)| narrows(first))?;
                return self.wider(&format!("be|a|{noun}"));
            }
            _ => return None,
        };
        wider.iter().find_map(|wider| self.wider(&format!("{relation}|{wider}")))
    }

    /// What a question asks for that asks for less than a frame.
    fn wider(&self, frame: &str) -> Option<Asked> {
        let asked = self.frames().get(frame)?.as_ref()?;
        asked.only_no().filter(|asked| self.is_listed(asked.first()))
    }

    /// Whether a word is that of a person.
    fn is_somebody(&self, word: &str) -> bool {
        let person = self.find_predicate("is_person").zip(self.find_word(word));
        person.is_some_and(|(person, word)| self.is(word, person))
    }

    /// Whether a frame asks for a word of the lexicon, by any of its names: is it a teapot, is it a
    /// couch.
    fn names_a_word(&self, frame: &str) -> bool {
        let noun = frame.strip_prefix("be|a|").or_else(|| frame.strip_prefix("be|"));
        noun.filter(|noun| !ADJECTIVES.contains(noun)).is_some_and(|noun| {
            !self.named_by(noun).is_empty()
                || matches!(Lexicon::shipped().find(noun), Some(Named::Judged(_)))
        })
    }

    fn named_word(&self, frame: &str) -> Option<WordId> {
        let noun = frame.strip_prefix("be|a|").or_else(|| frame.strip_prefix("be|"));
        noun.and_then(|noun| self.find_word(noun))
    }

    /// The frames of all questions.
    fn frames(&self) -> &KnownFrames {
        self.frames.0.get_or_init(|| {
            let mut known = KnownFrames::new();
            for frame in TWO_MEANINGS {
                known.insert(format!("{LOOSE}{frame}"), None);
            }
            let entries = || self.vocabulary().zip(&self.predicates);
            let whole = entries().flat_map(|(predicate, entry)| {
                entry.questions.iter().map(move |text| (Asked::whole(predicate), text))
            });
            let partial = entries().flat_map(|(predicate, entry)| {
                let asked = move |follows| Asked::of(predicate, follows);
                entry.partial.iter().map(move |(follows, text)| (asked(*follows), text))
            });
            for (asked, question) in whole.chain(partial) {
                for frame in registered(question) {
                    add_wording(&mut known, frame, &asked);
                }
            }
            for wordings in &self.wordings {
                let Some(asked) = wordings.asked(self) else { continue };
                for frame in &wordings.frames {
                    add_wording(&mut known, frame.clone(), &asked);
                }
            }
            // Can it climb: does it climb asks for no more.
            let only_loose: Vec<(String, Option<Asked>)> = known
                .iter()
                .filter_map(|(frame, asked)| {
                    Some((frame.strip_prefix(LOOSE)?.into(), asked.clone()))
                })
                .collect();
            for (frame, asked) in only_loose {
                known.entry(frame).or_insert(asked);
            }
            self.add_living(&mut known);
            let kinds = self.predicates.iter().enumerate().skip(self.listed);
            for (index, kind) in kinds {
                let id = PredicateId(index as u16);
                let whole = kind.questions.iter().map(|text| (Follows::All, text));
                let partial = kind.partial.iter().map(|(follows, text)| (*follows, text));
                for (follows, question) in whole.chain(partial) {
                    let asked = Asked::of(id, follows);
                    let frames =
                        grammar::read(question).map(|asks| asks.frames).unwrap_or_default();
                    for frame in frames.into_iter().filter(|it| names_a_kind(it)) {
                        self.add_kind(&mut known, frame, asked.clone());
                    }
                }
            }
            known
        })
    }

    /// Does it live in the sea: of all living things that are found there. Does it grow there: not of an
    /// animal.
    fn add_living(&self, known: &mut KnownFrames) {
        let add = |asked: &mut Asked, rules: &[(Follows, &str)]| {
            asked.join_all(rules.iter().filter_map(|(follows, name)| {
                Some(Asked::of(self.find_predicate(name)?, *follows))
            }));
        };
        let places: Vec<(String, Asked)> = known
            .iter()
            .filter_map(|(frame, asked)| Some((frame.strip_prefix("in|")?, asked.clone()?)))
            .map(|(place, asked)| (place.to_string(), asked))
            .collect();
        for (place, mut asked) in places {
            add(&mut asked, NOT_LIVING);
            let mut living = asked.clone();
            add(&mut living, &[(Follows::No, "is_alive")]);
            known.entry(format!("live|{place}")).or_insert(Some(living));
            add(&mut asked, NOT_GROWING);
            known.entry(format!("grow|{place}")).or_insert(Some(asked));
        }
    }

    fn add_kind(&self, known: &mut KnownFrames, frame: String, kind: Asked) {
        let id = kind.first();
        match known.get_mut(&frame) {
            None => {
                // A kind may have the name of a word that is no such thing: a hired hand.
                let other = self.named_word(&frame).filter(|word| !self.is(*word, id));
                known.insert(frame, if other.is_some() { None } else { Some(kind) });
            }
            // The vocabulary goes first; of two kinds the wider one, if it holds the other.
            Some(Some(asked)) if self.is_listed(asked.first()) => {
                if !is_whole(asked) && !asked.may_be(Answer::Yes) {
                    asked.join(&kind);
                }
            }
            Some(Some(asked)) if asked.first() != id => {
                if !self.holds(asked.first(), id) {
                    let wider = self.holds(id, asked.first());
                    known.insert(frame, Some(kind).filter(|_| wider));
                }
            }
            Some(_) => {}
        }
    }

    fn is(&self, word: WordId, predicate: PredicateId) -> bool {
        self.answer(word, predicate) == Answer::Yes
    }

    /// Whether all that is of one kind is of another.
    fn holds(&self, wider: PredicateId, narrower: PredicateId) -> bool {
        self.words().all(|word| !self.is(word, narrower) || self.is(word, wider))
    }

    /// The predicates whose questions have most words in common with a text.
    fn alike(&self, text: &str) -> Vec<PredicateId> {
        let asked = self.predicates.iter().take(self.listed).flat_map(Predicate::wordings);
        let known: BTreeSet<String> = asked.flat_map(|text| grammar::content(&text)).collect();
        // Of a word that no question has, the most similar one, if it may be misspelled.
        let spelled = |word: String| {
            let near = || known.iter().filter(|other| language::is_misspelled(&word, other)).min();
            if known.contains(&word) { word } else { near().cloned().unwrap_or(word) }
        };
        let wanted: BTreeSet<String> = grammar::content(text).into_iter().map(spelled).collect();
        let mut ranked: Vec<(usize, usize, PredicateId)> = Vec::new();
        for id in self.vocabulary() {
            let Some(entry) = self.predicate_entry(id) else { continue };
            let partial = entry.partial.iter().map(|(_, question)| question);
            let shared = entry.questions.iter().chain(partial).map(|question| {
                let words = grammar::content(question);
                let shared = words.iter().filter(|word| wanted.contains(*word)).count();
                (shared, usize::MAX - words.len())
            });
            if let Some((shared, short)) = shared.max().filter(|(shared, _)| *shared > 0) {
                ranked.push((shared, short, id));
            }
        }
        ranked.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
        ranked.into_iter().take(OFFERED).map(|(.., id)| id).collect()
    }
}
