//! What a thing is: the words after `be`, led to their frames.

use super::super::forms::{is_gerund, is_participle, is_plural, noun, verb};
use super::super::words::{ANYBODY, DO, HAVE, MASS_NOUNS, MODALS};
use super::{
    BEING, CLASSES, acts, coloured, does, have, join, object_phrase, phrase, place, some, use_for,
    use_to,
};

/// What the thing is.
pub(super) fn is(words: &[&str]) -> Vec<String> {
    let words = match words {
        ["all" | "both" | "even", rest @ ..] if !rest.is_empty() => rest,
        _ => words,
    };
    if words.is_empty() {
        return Vec::new();
    }
    for rule in [is_compared, is_used, is_made, is_shaped, is_some, is_placed] {
        if let Some(found) = rule(words) {
            return found;
        }
    }
    if let Some(found) = is_done(words, false) {
        return found;
    }
    match words {
        [only] if is_gerund(only) => {
            let base = verb(only).unwrap_or_default();
            vec![format!("do|{base}"), format!("be|{only}")]
        }
        [ad, "in" | "of", "colour" | "shape" | "size"] | [ad, "coloured"] | [ad, "colour"] => {
            vec![format!("be|{ad}")]
        }
        _ => {
            let text = phrase(words);
            let mut found = some("be", text.clone());
            if words.last().is_some_and(|word| is_plural(word)) {
                found.push(format!("be|a|{text}"));
            }
            found
        }
    }
}

/// Bigger than a house, as big as a house, the size of a house.
fn is_compared(words: &[&str]) -> Option<Vec<String>> {
    if let Some(at) = words.iter().position(|word| *word == "than") {
        let (left, right) = (&words[..at], &words[at + 1..]);
        let measure = match left {
            ["more", ad] => (*ad).to_string(),
            ["less", ad] => format!("less {ad}"),
            ["a", "bit" | "little" | "lot", ad] | ["much" | "far", ad] | [ad] => comparative(ad)?,
            // Made of more than one part.
            _ => return None,
        };
        return Some(some(&format!("than|{measure}"), reference(right)));
    }
    match words {
        ["as", ad, "as", rest @ ..] => Some(some(&format!("as|{ad}"), reference(rest))),
        ["about" | "roughly", "the", "size", "of", rest @ ..]
        | ["the", "size", "of", rest @ ..] => Some(some("as|big", reference(rest))),
        _ => None,
    }
}

/// What a thing is compared with; all that stands for a grown person is one.
fn reference(words: &[&str]) -> String {
    let text = phrase(words);
    match text.as_str() {
        "me" | "i am" | "you" | "i" | "you are" | "us" | "man" | "woman" | "person being"
        | "person hand" | "grown man" | "average person" | "grown person" | "adult" | "grownup"
        | "grown up" | "normal person" | "dad" | "mum" | "myself" | "yourself" => {
            "person".to_string()
        }
        _ => text,
    }
}

/// The adjective of a comparative.
fn comparative(word: &str) -> Option<String> {
    let stem = match word {
        "better" | "worse" | "other" | "rather" => return None,
        "larger" => return Some("big".to_string()),
        _ => word.strip_suffix("er")?,
    };
    if let Some(stem) = stem.strip_suffix('i') {
        return Some(format!("{stem}y"));
    }
    let bytes = stem.as_bytes();
    Some(match bytes {
        [.., a, b] if a == b && !matches!(b, b'l' | b's') => stem[..stem.len() - 1].to_string(),
        _ if matches!(stem, "larg" | "wid" | "huge") => format!("{stem}e"),
        _ => stem.to_string(),
    })
}

/// Made of wood.
fn is_made(words: &[&str]) -> Option<Vec<String>> {
    match words {
        [
            "made" | "built" | "constructed" | "composed" | "carved" | "manufactured" | "formed"
            | "created" | "crafted",
            rest @ ..,
        ] => {
            let of: &[&str] = match rest {
                ["out", "of", rest @ ..] | ["of" | "from" | "with", rest @ ..] => rest,
                ["by", "hand"] => return Some(vec!["act|make by hand".into()]),
                ["by", rest @ ..] => return Some(some("make by", reference(rest))),
                ["to", rest @ ..] => return Some(use_to(rest)),
                ["for", rest @ ..] => return Some(use_for(rest)),
                _ => return None,
            };
            Some(some("made", phrase(of)))
        }
        [material, "made"] => Some(vec![format!("be|{material} made")]),
        _ => None,
    }
}

/// Used for cutting, able to fly, meant for children.
fn is_used(words: &[&str]) -> Option<Vec<String>> {
    match words {
        ["able", "to", rest @ ..] => Some(does(rest)),
        ["capable", "of", rest @ ..] => Some(does(rest)),
        ["used", "to", rest @ ..] => Some(use_to(rest)),
        ["used", "for", rest @ ..] => Some(use_for(rest)),
        ["used", "as", rest @ ..] => Some(some("use as", phrase(rest))),
        ["used", "by", rest @ ..] if is_anybody(rest) => Some(vec!["act|use".into()]),
        ["used", "by", rest @ ..] => Some(vec![format!("act|use by {}", phrase(rest))]),
        ["used", "with", rest @ ..] => Some(some("use with", phrase(rest))),
        ["used" | "needed", rest @ ..] => Some(vec![match place(rest) {
            Some(place) => format!("use {place}"),
            None => format!("act|{}", phrase(words)),
        }]),
        ["meant" | "intended" | "designed" | "suitable" | "made", "for", rest @ ..]
        | ["for", rest @ ..] => Some(use_for(rest)),
        ["meant" | "intended" | "designed" | "supposed" | "made", "to", "be", rest @ ..] => {
            is_done(rest, true)
        }
        ["meant" | "intended" | "designed" | "supposed", "to", rest @ ..] => Some(use_to(rest)),
        _ => None,
    }
}

/// Shaped like a ball, ball-shaped.
fn is_shaped(words: &[&str]) -> Option<Vec<String>> {
    match words {
        [ad, "in" | "of", "shape" | "colour" | "size" | "form"] => Some(is(&[ad])),
        ["shaped", "like" | "as", rest @ ..]
        | ["in" | "of", "the", "shape" | "form", "of", rest @ ..] => {
            Some(some("like", phrase(rest)))
        }
        ["like", rest @ .., "in", "shape"] => Some(some("like", phrase(rest))),
        [rest @ .., "shaped" | "shape"] if !rest.is_empty() => Some(some("like", phrase(rest))),
        ["like", rest @ ..] => Some(some("look like", phrase(rest))),
        _ => None,
    }
}

/// A bird, a kind of bird, one of the birds, something that flies.
fn is_some(words: &[&str]) -> Option<Vec<String>> {
    let class = |word: &str| CLASSES.contains(&noun(word).as_str());
    match words {
        ["a" | "an" | "the" | "some" | "any", noun, "of", rest @ ..] if class(noun) => {
            Some(member(rest))
        }
        ["a", _, noun, "of", rest @ ..] if class(noun) => Some(member(rest)),
        ["one", "of", rest @ ..] => Some(member(rest)),
        ["a" | "the" | "any", "part", "of", rest @ ..] | ["part", "of", rest @ ..] => {
            Some(vec![join("part", rest)])
        }
        ["in" | "of", "the", "family" | "group" | "class" | "category", "of", rest @ ..] => {
            Some(member(rest))
        }
        ["considered" | "called" | "classified" | "regarded" | "classed" | "known", rest @ ..] => {
            let rest =
                rest.strip_prefix(&["as"]).or(rest.strip_prefix(&["to", "be"])).unwrap_or(rest);
            Some(is(rest))
        }
        ["something" | "anything", rest @ ..] => Some(something(rest)),
        // What a person is or does follows from nothing that things are or do.
        ["someone" | "somebody", rest @ ..] => {
            Some(something(rest).into_iter().map(|frame| format!("someone|{frame}")).collect())
        }
        ["a" | "an" | "the", "thing" | "object" | "item", rest @ ..] if !rest.is_empty() => {
            Some(something(rest))
        }
        ["a" | "an", ad, "colour"] => Some(coloured(ad)),
        ["a" | "an", ad, "object" | "thing" | "item"] => {
            let mut found = is(&[ad]);
            found.push(format!("in|{ad}"));
            Some(found)
        }
        ["a" | "an" | "some" | "any", rest @ ..] => Some(some("be|a", phrase(rest))),
        _ => None,
    }
}

/// A member of a kind.
fn member(words: &[&str]) -> Vec<String> {
    match words {
        ["something" | "thing", rest @ ..] => something(rest),
        [ad, "thing" | "things" | "object" | "objects" | "item" | "items"] => is(&[ad]),
        _ => {
            let text = phrase(words);
            let mass = words.len() > 1 || MASS_NOUNS.contains(&text.as_str());
            let bare = if mass { some("be", text.clone()) } else { Vec::new() };
            [some("be|a", text), bare].concat()
        }
    }
}

/// Something that ..: what follows says what is asked.
fn something(words: &[&str]) -> Vec<String> {
    match words {
        [] => Vec::new(),
        ["that" | "which" | "who" | "one" | "people" | "you" | "we" | "i", rest @ ..] => {
            let agent = matches!(words[0], "one" | "people" | "you" | "we" | "i");
            let (agent, rest) = match rest {
                _ if agent => (true, rest),
                ["you" | "people" | "we" | "i" | "person" | "one", rest @ ..] => (true, rest),
                _ => (false, rest),
            };
            let rest = match rest {
                [modal, rest @ ..] if MODALS.contains(modal) || DO.contains(modal) => rest,
                _ => rest,
            };
            match rest.first() {
                None => Vec::new(),
                Some(_) if agent => acts(None, rest),
                Some(first) if HAVE.contains(first) => have(&rest[1..]),
                Some(_) => does(rest),
            }
        }
        ["to", "do", "with", rest @ ..] => some("about", phrase(rest)),
        ["to", rest @ ..] => acts(None, rest),
        ["with", rest @ ..] => have(rest),
        ["for", rest @ ..] => use_for(rest),
        _ => is(words),
    }
}

/// Found in the kitchen, in the kitchen, from Japan, with wheels.
fn is_placed(words: &[&str]) -> Option<Vec<String>> {
    match words {
        ["from", rest @ ..] => Some(some("from", phrase(rest))),
        ["with", rest @ ..] => Some(have(rest)),
        ["to", "do", "with", rest @ ..] | ["about", rest @ ..] => Some(some("about", phrase(rest))),
        ["related" | "connected" | "associated" | "linked", "to" | "with", rest @ ..] => {
            Some(some("about", phrase(rest)))
        }
        [first, rest @ ..]
            if is_participle(first)
                && verb(first).is_some_and(|base| BEING.contains(&base.as_str())) =>
        {
            place(rest).map(|place| vec![place])
        }
        ["alive"] => None,
        _ => place(words).map(|place| vec![place]),
    }
}

/// Verbs whose participle alone tells how a thing is, not what is done with it.
const STATES: &[&str] = &["bend", "break", "fold", "twist", "open", "close", "curve", "coil"];

/// Worn on the head, eaten by people. `action`: after another verb, as in "can it be bent".
pub(super) fn is_done(words: &[&str], action: bool) -> Option<Vec<String>> {
    let (first, rest) = words.split_first()?;
    if !is_participle(first) {
        if is_gerund(first) && !rest.is_empty() {
            return Some(does(words));
        }
        return None;
    }
    let base = verb(first)?;
    let special = matches!(base.as_str(), "use" | "make" | "mean" | "design" | "need" | "shape")
        || BEING.contains(&base.as_str()) && place(rest).is_some();
    if action && special {
        return None;
    }
    if !action && rest.is_empty() && STATES.contains(&base.as_str()) {
        return Some(vec![format!("be|{first}")]);
    }
    let rest: &[&str] = match rest {
        [rest @ .., "by", agent] if is_anybody(&[agent]) => rest,
        [rest @ .., "by", a, b] if is_anybody(&[a, b]) => rest,
        _ => rest,
    };
    let tail = object_phrase(rest);
    let text = if tail.is_empty() { base.clone() } else { format!("{base} {tail}") };
    Some(vec![format!("act|{text}")])
}

fn is_anybody(words: &[&str]) -> bool {
    matches!(
        words,
        ["person" | "people" | "man" | "anyone" | "anybody" | "you" | "everyone" | "someone"]
    ) || ANYBODY.iter().any(|agent| agent == words)
}
