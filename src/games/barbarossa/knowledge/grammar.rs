//! Questions in English as frames: what is asked of the thing, whatever the wording.
//!
//! A frame is a relation and its words, each in its base form: `be|alive`, `be|a|bird`, `have|tail`,
//! `do|fly`, `act|eat` (what anybody does with it), `use|cut`, `made|wood`, `in|kitchen`,
//! `than|big|house`, `like|ball`, `part|body`. The questions of the vocabulary and the questions of
//! players go through the same grammar, and two questions mean the same only if their frames are
//! equal: no word of content is ever dropped. What has no frame is not understood.

mod forms;
mod phrases;
mod verbs;
mod words;

use thiserror::Error;

use super::asked::Joint;

pub(super) use words::{LIGHT_VERBS, LIMITING, MASS_NOUNS, NARROWING};

/// Why a question is not understood.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum Unsure {
    /// Nothing is asked.
    #[error("nothing is asked")]
    Empty,
    /// It is turned round.
    #[error("it is turned round; ask what is true of the thing")]
    Negated,
    /// It asks for all, for the most, for nothing else: more than the usual case.
    #[error("it asks for more than what is usual; ask without the word that limits it")]
    Limited,
    /// Yes and no are no answers to it.
    #[error("it cannot be answered by yes or no")]
    Open,
    /// It asks for the name.
    #[error("it asks for the name, not for the thing")]
    Letters,
    /// It names a word of the lexicon.
    #[error("it names a word; guess it when you may guess")]
    Guess,
    /// More things have it than have the predicate: only a yes follows.
    #[error("only a yes would be certain: it is true of other things as well")]
    Wider,
    /// Fewer things have it than have the predicate: only a no follows.
    #[error("only a no would be certain: it is not true of all of them")]
    Narrower,
    /// A yes follows from one predicate and a no from another one: between them nothing does.
    #[error("of some things it is not certain: neither a yes nor a no would follow")]
    Rough,
    /// Its words have two meanings.
    #[error("it can be understood in more than one way")]
    Ambiguous,
    /// Nothing in the vocabulary asks for this.
    #[error("the table knows nothing of this")]
    Unknown,
}

/// What stands before the frame of a loose question: can you see it in a kitchen.
pub(super) const LOOSE: &str = "loose|";

/// What stands before the frame of a question that asks for more: do you have to peel it.
pub(super) const LIMITED: &str = "limited|";

/// What stands before the frame of a question that asks for a part: is part of it wooden.
pub(super) const PARTLY: &str = "partly|";

/// What a question asks for.
pub(super) struct Asks {
    /// Its frames, the most likely first: each of them means what the question means.
    pub frames: Vec<String>,
    /// How it differs from its frames.
    pub way: Way,
}

/// How a question differs from its frames, where the vocabulary does not ask in the same way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Not at all.
    Plain,
    /// More things fit it, and only its yes is certain: can it be red, is it sometimes red, could you
    /// throw it.
    Loose,
    /// It asks for a part of the thing, and only its yes is certain: is part of it wooden.
    Partly,
    /// Fewer things fit it, and only its no is certain: is it always red, do you have to peel it.
    Limited {
        /// Whether it is loose as well.
        is_loose: bool,
    },
}

/// What a question asks for, if it is one that can be answered by yes or no.
pub(super) fn read(question: &str) -> Result<Asks, Unsure> {
    let words = tokens(question);
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    strip_around(&mut words);
    if words.is_empty() {
        return Err(Unsure::Empty);
    }
    // "Isn't it alive" asks whether it is, "is it not alive" may ask whether it is dead.
    let contracted =
        question.split_whitespace().next().is_some_and(|word| word.contains(['\'', '\u{2019}']));
    if let [verb, "not", ..] = words[..]
        && contracted
        && [&words::BE, &words::DO, &words::HAVE, &words::MODALS]
            .iter()
            .any(|list| list.contains(&verb))
    {
        words.remove(1);
    }
    check(&words)?;
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let judges = has(&["call", "classify", "consider", "describe", "regard"]);
    let is_loose = has(&words::SOMETIMES) || has(&words::POSSIBLE) && !judges;
    // What breaks may not break easily, and what stands may not stand still.
    let (breaks, stays) =
        (has(&["break", "breaks", "broken"]), has(&["stand", "stay", "keep", "sit", "stands"]));
    let is_partly = take_part(&mut words);
    let is_limited = take_limits(&mut words);
    words.retain(|word| match *word {
        "easily" if breaks => true,
        "still" if stays => true,
        _ => !words::ADVERBS.contains(word),
    });
    let mut frames = phrases::sentence(&words);
    if frames.is_empty() {
        // "Taller than wide", "made of wood".
        words.splice(0..0, ["is", "it"]);
        frames = phrases::sentence(&words);
    }
    if frames.is_empty() {
        return Err(if is_limited { Unsure::Limited } else { Unsure::Unknown });
    }
    let way = match (is_limited, is_partly, is_loose) {
        (true, ..) => Way::Limited { is_loose },
        (false, true, _) => Way::Partly,
        (false, false, true) => Way::Loose,
        _ => Way::Plain,
    };
    Ok(Asks { frames, way })
}

/// The frames of a wording, each after what stands before those of its way.
pub(super) fn registered(wording: &str) -> Vec<String> {
    let Ok(asks) = read(wording) else { return Vec::new() };
    let way = match asks.way {
        Way::Plain => "",
        Way::Loose => LOOSE,
        Way::Partly => PARTLY,
        Way::Limited { .. } => LIMITED,
    };
    asks.frames.iter().map(|frame| format!("{way}{frame}")).collect()
}

/// Makes a question for a part of the thing one for the thing: is part of it wooden. Whether it was one.
fn take_part(words: &mut Vec<&str>) -> bool {
    let part = |word: &str| matches!(word, "part" | "parts" | "some" | "bit" | "bits");
    let quantity = |word: &&str| ["any", "some", "a", "many"].contains(word);
    let from = 1 + usize::from(words.get(1).is_some_and(quantity) && words.get(2) != Some(&"of"));
    if let Some([first, "of", "it" | "them", _, ..]) = words.get(from..)
        && part(first)
    {
        words.splice(1..from + 3, ["it"]);
        return true;
    }
    match words.iter().position(|word| *word == "partly") {
        Some(at) if words.len() > at + 1 => {
            words.remove(at);
            true
        }
        _ => false,
    }
}

/// The two questions that a question is, if it is two, and how they are one: is it red or blue, is it
/// an animal with wings.
pub(super) fn parts(question: &str) -> Option<(Joint, [String; 2])> {
    let words = tokens(question);
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    strip_around(&mut words);
    words.retain(|word| !matches!(*word, "both" | "either"));
    let joined = |words: &[&[&str]]| words.concat().join(" ");
    let conjunctions =
        || words.iter().enumerate().filter(|(_, word)| matches!(**word, "or" | "and"));
    if let Some((at, word)) = conjunctions().next() {
        if conjunctions().count() > 1 {
            return None;
        }
        let joint = if *word == "or" { Joint::Either } else { Joint::Both };
        let (left, right) = (&words[..at], &words[at + 1..]);
        let first = right.first()?;
        if words::BE.contains(first) || words::DO.contains(first) || words::MODALS.contains(first) {
            return Some((joint, [joined(&[left]), joined(&[right])]));
        }
        let (begin, end) = operands(left, right)?;
        let parts = [joined(&[left, &right[end..]]), joined(&[&left[..begin], right])];
        return Some((joint, parts));
    }
    // A kind, and what it is or has.
    let [be, thing, rest @ ..] = &words[..] else { return None };
    if !words::BE.contains(be) || !matches!(*thing, "it" | "he" | "she" | "this" | "that") {
        return None;
    }
    if let ["someone" | "somebody", more @ ..] = rest
        && !more.is_empty()
    {
        let what = joined(&[&["is", "it", "something"], more]);
        return Some((Joint::Both, ["is it a person".into(), what]));
    }
    let at = rest.iter().position(|word| matches!(*word, "with" | "that" | "which" | "who"))?;
    let (kind, more) = rest.split_at_checked(at)?;
    if !matches!(kind, ["a" | "an", _, ..]) {
        return None;
    }
    let what = match more {
        ["with", part @ ..] => joined(&[&["does", "it", "have"], part]),
        _ => joined(&[&["is", "it", "something"], more]),
    };
    Some((Joint::Both, [joined(&[&["is", "it"], kind]), what]))
}

/// What a question asks before a comma after which it is only explained: is it light, as in, easy to
/// carry. With whether what follows takes some of it back: does it have flowers, at least in spring.
pub(super) fn before_comma(question: &str) -> Option<(String, bool)> {
    let (asked, more) = question.split_once(',')?;
    let more = tokens(more);
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    let begins = |list: &[Vec<&str>]| list.iter().any(|phrase| more.starts_with(phrase));
    let is_weaker = begins(&words::WEAKENING);
    (is_weaker || begins(&words::EXPLAINING)).then(|| (asked.to_string(), is_weaker))
}

/// What a question asks before a clause with a negation, which limits it: does it come up by itself
/// without anyone planting it.
pub(super) fn before_negation(question: &str) -> Option<String> {
    let words = tokens(question);
    let negated = words.iter().position(|word| words::NEGATIONS.contains(&word.as_str()))?;
    let begins = |word: &String| words::CLAUSES.contains(&word.as_str());
    let clause = words[..=negated].iter().rposition(begins)?;
    (clause >= 3).then(|| words[..clause].join(" "))
}

/// The words of content of a question that asks one thing, and compares with nothing.
pub(super) fn content_of_one(question: &str) -> Option<Vec<String>> {
    let words = tokens(question);
    let is_plain = words.iter().all(|word| {
        let word = word.as_str();
        !words::COMPARING.contains(&word) && !words::NEGATIONS.contains(&word)
    });
    is_plain.then(|| content_of(&words))
}

/// Where the first of two operands begins and the second one ends: words, or phrases that begin alike.
fn operands(left: &[&str], right: &[&str]) -> Option<(usize, usize)> {
    const PREPOSITIONS: [&str; 8] = ["in", "on", "at", "of", "for", "with", "by", "to"];
    let determines =
        |word: Option<&&str>| word.is_some_and(|word| words::DETERMINERS.contains(word));
    let leads = usize::from(PREPOSITIONS.contains(right.first()?));
    let length = 1 + leads + usize::from(determines(right.get(leads)));
    if right.len() < length || left.len() < 2 {
        return None;
    }
    let begins_alike = |begin: usize| {
        let (one, other) = (left.get(begin), right.first());
        one == other || determines(one) && determines(other)
    };
    let long = left.len().checked_sub(length).filter(|begin| length > 1 && begins_alike(*begin));
    Some((long.unwrap_or(left.len() - 1), length))
}

/// Takes out what limits a question: only, always, have to. Whether there was something.
fn take_limits(words: &mut Vec<&str>) -> bool {
    let before = words.len();
    if words.last() == Some(&"too") && before > 1 {
        // As well.
        words.pop();
        return false;
    }
    if !phrases::is_counted(words) {
        words.retain(|word| !words::QUANTIFIERS.contains(word));
    }
    // "Has it to do with music" limits nothing.
    let must = |found: &[&str]| {
        matches!(found, ["have" | "has" | "need" | "needs", "to", next]
            if *next != "do" && (words::BE.contains(next) || forms::verb(next).is_some()))
    };
    if let Some(at) = words.windows(3).position(must) {
        words.drain(at..at + 2);
    }
    words.len() < before
}

/// The words of a question that may be words of content, in their base forms: for suggestions.
pub(super) fn content(question: &str) -> Vec<String> {
    content_of(&tokens(question))
}

fn content_of(words: &[String]) -> Vec<String> {
    let dull = |word: &str| {
        let lists = [&words::BE, &words::DO, &words::MODALS, &words::HAVE, &words::DETERMINERS];
        let lists = lists.into_iter().chain([&words::PRONOUNS, &words::ADVERBS, &words::NEGATIONS]);
        lists.into_iter().any(|list| list.contains(&word))
            || matches!(word, "of" | "in" | "on" | "at" | "to" | "for" | "with" | "by" | "there")
    };
    words.iter().filter(|word| !dull(word)).map(|word| forms::base(word)).collect()
}

/// Lower-case words; contractions written out, spellings made one.
fn tokens(question: &str) -> Vec<String> {
    let text: String = question
        .chars()
        .map(|c| match c {
            '\u{2019}' | '`' => '\'',
            c if c.is_ascii_alphanumeric() || c == '\'' => c.to_ascii_lowercase(),
            _ => ' ',
        })
        .collect();
    let mut words = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        expand(word, &mut words);
    }
    for (from, to) in words::SAME_PHRASES.iter() {
        while let Some(at) = words.windows(from.len()).position(|found| found == from) {
            words.splice(at..at + from.len(), [(*to).to_string()]);
        }
    }
    // "It is kind of round", but "it is a kind of bird".
    let rather = |found: &[String]| {
        let [before, kind, of] = found else { return false };
        matches!(kind.as_str(), "kind" | "sort")
            && of == "of"
            && (matches!(before.as_str(), "it" | "they" | "he" | "she")
                || words::BE.contains(&before.as_str()))
    };
    if let Some(at) = words.windows(3).position(rather) {
        words.drain(at + 1..at + 3);
    }
    // Round your neck.
    let around =
        |found: &[String]| found[0] == "round" && words::DETERMINERS.contains(&found[1].as_str());
    if let Some(at) = words.windows(2).position(around) {
        words[at] = "around".to_string();
    }
    words
}

/// Adds a word, or the words that a contraction is short for.
fn expand(word: &str, words: &mut Vec<String>) {
    let mut add = |word: &str| {
        let same = words::SAME.iter().find(|(from, _)| *from == word);
        let word = same.map_or(word, |(_, to)| to);
        words.extend(word.split(' ').filter(|word| !word.is_empty()).map(str::to_string));
    };
    // Also as people type it without the apostrophe.
    let contracted = match word {
        "isnt" | "arent" | "wasnt" | "dont" | "doesnt" | "didnt" | "hasnt" | "havent"
        | "couldnt" | "wouldnt" | "shouldnt" => word.strip_suffix("nt"),
        _ => word.strip_suffix("n't"),
    };
    if matches!(word, "can't" | "cant" | "won't" | "wont") {
        add(if word.starts_with('c') { "can" } else { "will" });
        add("not");
    } else if let Some(verb) = contracted {
        add(verb);
        add("not");
    } else if matches!(word, "you'd" | "i'd" | "we'd" | "they'd" | "it'd" | "he'd" | "she'd") {
        add(word.split('\'').next().unwrap_or_default());
        add("would");
    } else if matches!(word, "it's" | "that's" | "they're" | "he's" | "she's" | "you're") {
        add(word.split('\'').next().unwrap_or_default());
        add("is");
    } else {
        // Possessives lose their mark: potter's becomes potter.
        let word = word.strip_suffix("'s").unwrap_or(word);
        add(&word.replace('\'', ""));
    }
}

/// Drops what only introduces or closes a question.
fn strip_around(words: &mut Vec<&str>) {
    loop {
        let lead = words::LEADS.iter().find(|lead| words.starts_with(lead));
        if let Some(lead) = lead
            && words.len() > lead.len()
        {
            // "That is alive", "can I ask about it": only a lead if a question follows.
            if *lead == ["that"] && words.get(1).is_some_and(|word| words::BE.contains(word)) {
                break;
            }
            words.drain(..lead.len());
            continue;
        }
        break;
    }
    loop {
        let tail = words::TAILS.iter().find(|tail| words.ends_with(tail));
        match tail {
            Some(tail) if words.len() > tail.len() => words.truncate(words.len() - tail.len()),
            _ if asks_to_agree(words) => words.truncate(words.len() - 3),
            _ => break,
        }
    }
}

/// Whether a statement ends in a question that only asks to agree: it flies, doesn't it.
fn asks_to_agree(words: &[&str]) -> bool {
    let auxiliary = |word: &str| {
        [&words::BE, &words::DO, &words::MODALS, &words::HAVE]
            .iter()
            .any(|list| list.contains(&word))
    };
    matches!(words, [_, _, .., verb, "not", "it" | "they" | "you" | "we"] if auxiliary(verb))
}

/// Refuses what no frame can hold.
fn check(words: &[&str]) -> Result<(), Unsure> {
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let is_post = has(&words::POST);
    let names_letters = |word: &&str| {
        words::LETTERS.contains(word) && !(is_post && word.trim_end_matches('s') == "letter")
    };
    if words.iter().any(names_letters) {
        return Err(Unsure::Letters);
    }
    if words.first().is_some_and(|word| words::OPEN.contains(word)) {
        return Err(Unsure::Open);
    }
    if has(&words::NEGATIONS) {
        return Err(Unsure::Negated);
    }
    // Leather was alive, and is not.
    if has(&["was", "were", "been"]) && has(&["alive", "living"]) {
        return Err(Unsure::Unknown);
    }
    Ok(())
}
