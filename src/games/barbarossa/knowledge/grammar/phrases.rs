//! Sentences, verb phrases and complements, each led to its frame.

use super::forms::{is_gerund, is_participle, is_plural, noun, verb};
use super::words::{
    ANYBODY, BE, DETERMINERS, DO, HAVE, MASS_NOUNS, MODALS, PRONOUNS, SUBJECT_NOUNS,
};

/// Words that place a thing, all alike: in the kitchen, on a farm, at sea.
const PLACES: &[&str] = &["in", "on", "at", "inside", "within", "among", "around"];

/// Verbs that say no more than where a thing is.
const BEING: &[&str] = &[
    "find", "see", "keep", "store", "locate", "situate", "live", "dwell", "exist", "occur", "spot",
    "place", "reside", "meet", "have",
];

/// Adverbs that are places themselves.
const PLACE_ADVERBS: &[&str] = &[
    "indoors",
    "outdoors",
    "inside",
    "outside",
    "underwater",
    "underground",
    "upstairs",
    "abroad",
    "everywhere",
    "home",
    "nearby",
    "here",
];

/// Nouns that say "some one of": a kind of bird, a piece of furniture.
const CLASSES: &[&str] = &[
    "kind", "sort", "type", "form", "piece", "item", "bit", "article", "member", "example",
    "species", "breed", "variety", "style", "category", "class",
];

/// Whether a word that limits a question belongs to a number or a comparison: at least two legs.
pub(super) fn is_counted(words: &[&str]) -> bool {
    words.windows(2).any(|pair| pair == ["at", "least"])
}

/// The frames of a whole question.
pub(super) fn sentence(words: &[&str]) -> Vec<String> {
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    if let Some(found) = asked(first, rest) {
        return found;
    }
    if let Some(rest) = subject(words)
        && let Some((first, after)) = rest.split_first()
    {
        if let Some(found) = predicate_of(first, after) {
            return found;
        }
        if verb(first).is_some() {
            return does(rest);
        }
    }
    if let Some((agent, rest)) = anybody(words)
        && let Some((first, after)) = rest.split_first()
        && !words.is_empty()
    {
        if MODALS.contains(first) {
            return acts(agent.as_deref(), after);
        }
        if rest.iter().any(|word| matches!(*word, "it" | "them")) {
            return acts(agent.as_deref(), rest);
        }
    }
    fragment(words)
}

/// A question that begins with its verb: is it, does it, can you, has it.
fn asked(first: &str, rest: &[&str]) -> Option<Vec<String>> {
    if BE.contains(&first) {
        if let ["there", part @ ..] = rest {
            return Some(have(part));
        }
        if let Some(rest) = subject(rest) {
            return Some(is(rest));
        }
        if let [owner @ ("its" | "the"), noun_word, rest @ ..] = rest
            && !rest.is_empty()
        {
            return Some(of_its(owner, noun_word, rest));
        }
        // Is anybody able to.
        if let Some((agent, ["able", "to", rest @ ..])) = anybody(rest) {
            return Some(acts(agent.as_deref(), rest));
        }
        return None;
    }
    if HAVE.contains(&first) {
        if let Some(rest) = subject(rest) {
            return Some(match rest {
                ["been", rest @ ..] => is(rest),
                ["got", rest @ ..] => have(rest),
                _ => have(rest),
            });
        }
        // Has wheels: a fragment.
        return Some(have(rest));
    }
    if DO.contains(&first) || MODALS.contains(&first) {
        // Did they have it: they are people.
        let they = matches!(rest, ["they", rest @ ..] if rest.contains(&"it"));
        if let Some(rest) = subject(rest).filter(|_| !they) {
            return Some(does(rest));
        }
        if let Some((agent, rest)) = anybody(rest) {
            return Some(acts(agent.as_deref(), rest));
        }
        // Can float, does fly: a fragment.
        return Some(does(rest));
    }
    None
}

/// What follows the thing in a statement: it is .., it has .., it can ..
fn predicate_of(first: &str, after: &[&str]) -> Option<Vec<String>> {
    if BE.contains(&first) {
        return Some(is(after));
    }
    if HAVE.contains(&first) {
        return Some(match after {
            ["got", rest @ ..] => have(rest),
            ["been", rest @ ..] => is(rest),
            _ => have(after),
        });
    }
    (DO.contains(&first) || MODALS.contains(&first)).then(|| does(after))
}

/// "Is its neck long", "are its legs short".
fn of_its(owner: &str, of: &str, rest: &[&str]) -> Vec<String> {
    match (of, rest) {
        ("colour" | "shape", [only]) => is(&[only]),
        ("surface", [only]) => vec![format!("be|{only}"), format!("surface|{only}")],
        _ if owner == "its" => match rest {
            [only] => vec![join("have", &[only, of])],
            _ => vec![join("its", &[&[of], rest].concat())],
        },
        _ => Vec::new(),
    }
}

/// The words after the thing, where these begin with it.
fn subject<'a, 'w>(words: &'a [&'w str]) -> Option<&'a [&'w str]> {
    let thing = |word: &str| SUBJECT_NOUNS.contains(&word);
    match words {
        ["the" | "your" | "this" | "that" | "my" | "his" | "her" | "our", noun, rest @ ..]
            if thing(noun) =>
        {
            Some(rest)
        }
        ["such", "a", noun, rest @ ..] if thing(noun) => Some(rest),
        ["these" | "those", "thing" | "things" | "objects", rest @ ..] => Some(rest),
        ["it" | "this" | "that" | "these" | "those" | "they" | "he" | "she", rest @ ..] => {
            Some(rest)
        }
        _ => None,
    }
}

/// Who acts, and the words after; `None` inside stands for anybody at all.
fn anybody<'a, 'w>(words: &'a [&'w str]) -> Option<(Option<String>, &'a [&'w str])> {
    let known = ANYBODY.iter().find(|agent| words.starts_with(agent));
    if let Some(agent) = known {
        return Some((None, &words[agent.len()..]));
    }
    // "Do farmers use it", "does a teacher need it": a noun of one or two words before a verb.
    let start = usize::from(words.first().is_some_and(|word| DETERMINERS.contains(word)));
    for length in 1..=2 {
        let (agent, rest) = words.get(start..)?.split_at_checked(length)?;
        let acts = rest.first().is_some_and(|word| verb(word).is_some_and(|base| base == *word));
        let object = rest.iter().any(|word| matches!(*word, "it" | "them" | "this"));
        if acts && object && !agent.iter().any(|word| matches!(*word, "it" | "they" | "of")) {
            return Some((Some(phrase(agent)), rest));
        }
    }
    None
}

/// Words without determiners, in base forms.
fn phrase(words: &[&str]) -> String {
    let kept = words.iter().filter(|word| !DETERMINERS.contains(word));
    kept.map(|word| noun(word)).collect::<Vec<_>>().join(" ")
}

/// The same without pronouns: the object of a verb goes without saying.
fn object_phrase(words: &[&str]) -> String {
    let kept: Vec<&str> = words.iter().copied().filter(|word| !PRONOUNS.contains(word)).collect();
    phrase(&kept)
}

fn join(relation: &str, words: &[&str]) -> String {
    format!("{relation}|{}", phrase(words))
}

/// A frame if it has words.
fn some(relation: &str, text: String) -> Vec<String> {
    if text.is_empty() { Vec::new() } else { vec![format!("{relation}|{text}")] }
}

/// The thing has a part.
fn have(words: &[&str]) -> Vec<String> {
    let mut words = words;
    while let [rest @ .., "on" | "in" | "to" | "inside" | "with" | "of", "it"] = words {
        words = rest;
    }
    if let [rest @ .., "inside" | "somewhere"] = words
        && !rest.is_empty()
    {
        words = rest;
    }
    match words {
        ["a", "shape" | "form", "like", rest @ ..] => some("like", phrase(rest)),
        ["the", "shape" | "form" | "outline", "of", rest @ ..] => some("like", phrase(rest)),
        ["a", "lot", "of", rest @ ..] | ["lots" | "plenty", "of", rest @ ..] => {
            some("have", format!("many {}", phrase(rest)))
        }
        ["a" | "an" | "the", ad, "colour" | "shape" | "form"] => is(&[ad]),
        ["a" | "the", ad, "surface"] => is(&[ad]),
        ["to", "do", "with", rest @ ..] => some("about", phrase(rest)),
        ["to", "be", ..] => Vec::new(),
        _ => {
            let text = phrase(words);
            let group = ["pair of ", "set of "].iter().find_map(|group| text.strip_prefix(group));
            some("have", group.map_or(text.clone(), str::to_string))
        }
    }
}

/// What the thing does, or can do.
fn does(words: &[&str]) -> Vec<String> {
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    if BE.contains(first) {
        return is_done(rest, true).unwrap_or_else(|| is(rest));
    }
    let base = verb(first).unwrap_or_else(|| (*first).to_string());
    match (base.as_str(), rest) {
        ("have" | "possess" | "feature" | "include" | "contain" | "own", _) => have(rest),
        ("get", ["to", ..]) => Vec::new(),
        ("come" | "go", ["with", rest @ ..]) => have(rest),
        ("come" | "originate" | "stem", ["from", rest @ ..]) => some("from", phrase(rest)),
        ("look", ["like", rest @ ..]) | ("resemble", rest) => some("look like", phrase(rest)),
        ("look" | "feel" | "taste" | "smell" | "sound" | "seem" | "get" | "become", [_, ..]) => {
            some(&base, phrase(rest))
        }
        ("fit" | "go", ["in" | "inside" | "into", rest @ ..]) => some("fit", phrase(rest)),
        ("consist", ["of", rest @ ..]) => some("made", phrase(rest)),
        ("help" | "serve", [.., "to", last]) if verb(last).is_some() => use_to(&[last]),
        ("help", ["you" | "people" | "us", rest @ ..]) => use_to(rest),
        ("count" | "qualify" | "pass" | "serve", ["as", rest @ ..]) => is(rest),
        ("belong", ["to", rest @ ..]) => some("be|a", phrase(rest)),
        ("weigh", ["more", "than", rest @ ..]) => some("than|heavy", phrase(rest)),
        ("weigh", ["less", "than", rest @ ..]) => some("than|light", phrase(rest)),
        ("cost", ["more", "than", rest @ ..]) => some("than|expensive", phrase(rest)),
        ("cost", ["less", "than", rest @ ..]) => some("than|cheap", phrase(rest)),
        ("move" | "go" | "run", ["on", "its", "own"] | ["of", "its", "own", "accord"]) => {
            vec![format!("do|{base} by itself")]
        }
        (_, ["by", "itself"] | ["on", "its", "own"]) => vec![format!("do|{base} by itself")],
        ("grow" | "live" | "exist" | "occur" | "dwell" | "reside" | "belong", rest)
            if !rest.is_empty() =>
        {
            let mut found = place(rest).map_or_else(Vec::new, |place| vec![place]);
            found.push(format!("do|{base} {}", phrase(rest)));
            found
        }
        _ => {
            let tail = phrase(rest);
            let text = if tail.is_empty() { base.clone() } else { format!("{base} {tail}") };
            let mut found = vec![format!("do|{text}")];
            // To play music on, to keep things in: anybody does it with the thing.
            if matches!(base.as_str(), "use" | "need" | "require") && !tail.is_empty() {
                found.push(format!("need|{tail}"));
            }
            found
        }
    }
}

/// A place: in the kitchen, outdoors.
fn place(words: &[&str]) -> Option<String> {
    match words {
        [only] if PLACE_ADVERBS.contains(only) => Some(format!("in|{only}")),
        ["in", "a" | "the", "house" | "home"] => Some("in|house".to_string()),
        ["under" | "beneath" | "below", rest @ ..] if !rest.is_empty() => {
            Some(format!("in|under {}", phrase(rest)))
        }
        ["out", "of", "doors"] => Some("in|outdoors".to_string()),
        [first, rest @ ..] if PLACES.contains(first) && !rest.is_empty() => {
            Some(format!("in|{}", phrase(rest)))
        }
        ["near" | "by" | "behind" | "above" | "over", rest @ ..] if !rest.is_empty() => {
            Some(format!("in|{}", phrase(words)))
        }
        _ => None,
    }
}

/// What anybody, or somebody in particular, does with the thing.
fn acts(agent: Option<&str>, words: &[&str]) -> Vec<String> {
    let by = agent.map_or(String::new(), |agent| format!(" by {agent}"));
    let words = match words {
        ["be", "able", "to", rest @ ..] | ["want", "to", rest @ ..] | ["like", "to", rest @ ..] => {
            rest
        }
        _ => words,
    };
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    let Some(base) = verb(first) else { return Vec::new() };
    let rest: &[&str] = match rest {
        ["it" | "them" | "this" | "one", rest @ ..] => rest,
        _ => rest,
    };
    let anyone = by.is_empty();
    match (base.as_str(), rest) {
        ("use" | "need", ["to", rest @ ..]) if anyone && base == "use" => use_to(rest),
        ("use", ["for", rest @ ..]) if anyone => use_for(rest),
        ("use", ["as", rest @ ..]) if anyone => some("use as", phrase(rest)),
        ("call" | "consider", ["a" | "an", rest @ ..]) if anyone => some("be|a", phrase(rest)),
        ("call" | "consider", [_, ..]) if anyone => some("be", phrase(rest)),
        ("make", ["out", "of" | "from", rest @ ..] | ["of" | "from", rest @ ..]) => {
            some("made", phrase(rest))
        }
        _ => {
            if anyone
                && (BEING.contains(&base.as_str()) || base == "use")
                && let Some(place) = place(rest)
            {
                return vec![place];
            }
            let tail = object_phrase(rest);
            let text = if tail.is_empty() { base } else { format!("{base} {tail}") };
            vec![format!("act|{text}{by}")]
        }
    }
}

/// What the thing is used to do.
fn use_to(words: &[&str]) -> Vec<String> {
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    let Some(base) = verb(first) else { return Vec::new() };
    let tail = object_phrase(rest);
    some("use", if tail.is_empty() { base } else { format!("{base} {tail}") })
}

/// What the thing is used for.
fn use_for(words: &[&str]) -> Vec<String> {
    match words.split_first() {
        Some((first, _)) if is_gerund(first) => use_to(words),
        Some(_) => vec![join("use for", words), join("for", words)],
        None => Vec::new(),
    }
}

/// What the thing is.
fn is(words: &[&str]) -> Vec<String> {
    let words = match words {
        ["all" | "both" | "even", rest @ ..] if !rest.is_empty() => rest,
        _ => words,
    };
    if words.is_empty() {
        return Vec::new();
    }
    for rule in [is_compared, is_made, is_used, is_shaped, is_some, is_placed] {
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
            _ => return Some(Vec::new()),
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
        | "person hand" | "grown man" | "average person" | "grown person" | "myself"
        | "yourself" => "person".to_string(),
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
            "made" | "built" | "constructed" | "composed" | "carved" | "manufactured" | "formed",
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
        ["used", "by", rest @ ..] => Some(some("act|use by", phrase(rest))),
        ["used", "with", rest @ ..] => Some(some("use with", phrase(rest))),
        ["used" | "needed", rest @ ..] => place(rest).map(|place| vec![place]).or_else(|| {
            let text = phrase(words);
            Some(vec![format!("act|{text}")])
        }),
        ["meant" | "intended" | "designed" | "suitable" | "made", "for", rest @ ..]
        | ["for", rest @ ..] => Some(use_for(rest)),
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
        ["something" | "anything" | "someone" | "somebody", rest @ ..] => Some(something(rest)),
        ["a" | "an" | "the", "thing" | "object" | "item", rest @ ..] if !rest.is_empty() => {
            Some(something(rest))
        }
        ["a" | "an", ad, "colour"] => Some(is(&[ad])),
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
        ["about", rest @ ..] => Some(some("about", phrase(rest))),
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
fn is_done(words: &[&str], action: bool) -> Option<Vec<String>> {
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
    ) || ANYBODY.contains(&words)
}

/// A question without its verb: "alive?", "made of wood?", "wheels?".
fn fragment(words: &[&str]) -> Vec<String> {
    if let [only] = words {
        let one = noun(only);
        if is_gerund(only) {
            return Vec::new();
        }
        return vec![format!("be|{only}"), format!("have|{one}"), format!("made|{one}")];
    }
    match words {
        ["any" | "with" | "got", rest @ ..] => have(rest),
        [
            "able" | "made" | "used" | "found" | "kept" | "shaped" | "a" | "an" | "in" | "on"
            | "at" | "part" | "for" | "as" | "one" | "something" | "worn" | "eaten" | "from",
            ..,
        ] => is(words),
        _ if words.contains(&"than") => is(words),
        _ => Vec::new(),
    }
}
