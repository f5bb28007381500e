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

pub(super) use words::{MASS_NOUNS, NARROWING};

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

/// What a question asks for.
pub(super) struct Asks {
    /// Its frames, the most likely first: each of them means what the question means.
    pub frames: Vec<String>,
    /// Whether it is looser than its frames, so that more things fit it: can it be red, is it sometimes
    /// red, could you throw it, is it used in a kitchen. Unless the vocabulary asks in the same way,
    /// only its yes is certain.
    pub is_loose: bool,
    /// Whether it asks for more than its frames, so that fewer things fit it: is it always red, do you
    /// have to peel it. Only its no is certain.
    pub is_limited: bool,
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
    let (is_possible, is_used) =
        (has(&words::SOMETIMES) || has(&words::POSSIBLE) && !judges, has(&["used", "use", "uses"]));
    let is_limited = take_limits(&mut words);
    // What breaks may not break easily.
    let breaks = words.iter().any(|word| matches!(*word, "break" | "breaks" | "broken"));
    words.retain(|word| !words::ADVERBS.contains(word) || breaks && *word == "easily");
    let mut frames = phrases::sentence(&words);
    if frames.is_empty() {
        // "Taller than wide", "made of wood".
        words.splice(0..0, ["is", "it"]);
        frames = phrases::sentence(&words);
    }
    if frames.is_empty() {
        return Err(if is_limited { Unsure::Limited } else { Unsure::Unknown });
    }
    let is_loose = is_possible || is_used && frames.iter().any(|frame| frame.starts_with("in|"));
    Ok(Asks { frames, is_loose, is_limited })
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
    let words = tokens(question);
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
    if has(&words::LETTERS) {
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
