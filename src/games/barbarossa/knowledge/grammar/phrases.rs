//! Sentences and verb phrases, each led to its frame.

mod complements;

use super::forms::{is_gerund, is_participle, is_plural, noun, verb};
use super::words::{ANYBODY, BE, DETERMINERS, DO, HAVE, MODALS, PRONOUNS, SUBJECT_NOUNS};
use complements::{is, is_done};

/// Words that place a thing, all alike: in the kitchen, on a farm, at sea.
const PLACES: &[&str] = &["in", "on", "at", "inside", "within", "among", "around"];

/// Verbs that say no more than where a thing is.
pub(super) const BEING: &[&str] = &[
    "find",
    "see",
    "keep",
    "store",
    "locate",
    "situate",
    "live",
    "dwell",
    "exist",
    "occur",
    "spot",
    "place",
    "reside",
    "meet",
    "have",
    "encounter",
    "notice",
    "discover",
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

/// Numbers of parts.
const NUMBERS: &[&str] =
    &["two", "three", "four", "five", "six", "eight", "ten", "many", "no", "more"];

/// Nouns that say "some one of": a kind of bird, a piece of furniture.
pub(super) const CLASSES: &[&str] = &[
    "kind", "sort", "type", "form", "piece", "item", "bit", "article", "member", "example",
    "species", "breed", "variety", "style", "category", "class",
];

/// Whether a word that limits a question belongs to a number or a comparison: at least two legs.
pub(super) fn is_counted(words: &[&str]) -> bool {
    words.windows(2).any(|pair| match pair {
        ["at", "least"] => true,
        ["most" | "every", of] => matches!(noun(of).as_str(), "person" | "home" | "house" | "man"),
        _ => false,
    })
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
        if let Some(part) = pointed_at(rest) {
            return Some(have(part));
        }
        if let Some(what) = subject(rest) {
            let mut found = is(what);
            // Are those wings.
            if matches!(rest, ["these" | "those", ..]) {
                found.extend(have(what));
            }
            return Some(found);
        }
        if let ["its" | "the", part, rest @ ..] = rest
            && !rest.is_empty()
        {
            return Some(of_its(part, rest));
        }
        // Are people afraid of it.
        if let Some((_, ["afraid" | "scared" | "frightened", "of", "it" | "them" | "this"])) =
            anybody(rest)
        {
            return Some(vec!["act|fear".into()]);
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
        // Have you got one at home.
        if let Some((agent, ["got", rest @ ..])) = anybody(rest) {
            return Some(acts(agent.as_deref(), &[&["have"], rest].concat()));
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
        // Would you be afraid, or afraid of it.
        if let Some((
            _,
            ["be", "afraid" | "scared" | "frightened"]
            | ["be", "afraid" | "scared" | "frightened", "of", "it" | "them" | "this" | "one"],
        )) = anybody(rest)
        {
            return Some(vec!["act|fear".into()]);
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

/// What a part that is pointed at may be: is that pointy bit a nose, are those two long things handles.
fn pointed_at<'a, 'w>(words: &'a [&'w str]) -> Option<&'a [&'w str]> {
    let [first, ..] = words else { return None };
    if !matches!(*first, "this" | "that" | "these" | "those" | "the") {
        return None;
    }
    let at = words.iter().take(5).skip(1).position(|word| {
        matches!(*word, "bit" | "bits" | "part" | "parts" | "lump" | "lumps" | "thing" | "things")
    })?;
    let is_thing = matches!(words[at + 1], "thing" | "things");
    let part = &words[at + 2..];
    let is_noun = match part {
        ["a" | "an" | "the" | "its", _, ..] => true,
        [one] => is_plural(one),
        _ => false,
    };
    (is_noun && !(is_thing && at == 0)).then_some(part)
}

/// "Is its neck long", "are its legs short".
fn of_its(of: &str, rest: &[&str]) -> Vec<String> {
    match (of, rest) {
        ("colour" | "shape", [only]) => is(&[only]),
        ("surface", [only]) => vec![format!("be|{only}"), format!("surface|{only}")],
        (_, [only]) => vec![join("have", &[only, of])],
        _ => vec![join("its", &[&[of], rest].concat())],
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
pub(super) fn anybody<'a, 'w>(words: &'a [&'w str]) -> Option<(Option<String>, &'a [&'w str])> {
    let known = ANYBODY.iter().find(|agent| words.starts_with(agent));
    if let Some(agent) = known {
        return Some((None, &words[agent.len()..]));
    }
    // "Do farmers use it", "does a teacher need it": a noun of one or two words before a verb.
    let start = usize::from(words.first().is_some_and(|word| DETERMINERS.contains(word)));
    for length in 1..=2 {
        let (agent, rest) = words.get(start..)?.split_at_checked(length)?;
        let acts = rest.first().is_some_and(|word| verb(word).is_some_and(|base| base == *word));
        let object = rest.iter().any(|word| matches!(*word, "it" | "them" | "this" | "one"));
        if acts && object && !agent.iter().any(|word| matches!(*word, "it" | "they" | "of")) {
            return Some((Some(phrase(agent)), rest));
        }
    }
    None
}

/// Words without determiners, in base forms.
pub(super) fn phrase(words: &[&str]) -> String {
    let kept = words.iter().filter(|word| !DETERMINERS.contains(word));
    kept.map(|word| noun(word)).collect::<Vec<_>>().join(" ")
}

/// The same without pronouns: the object of a verb goes without saying.
pub(super) fn object_phrase(words: &[&str]) -> String {
    let kept: Vec<&str> = words.iter().copied().filter(|word| !PRONOUNS.contains(word)).collect();
    phrase(&kept)
}

pub(super) fn join(relation: &str, words: &[&str]) -> String {
    format!("{relation}|{}", phrase(words))
}

/// A frame if it has words.
pub(super) fn some(relation: &str, text: String) -> Vec<String> {
    if text.is_empty() { Vec::new() } else { vec![format!("{relation}|{text}")] }
}

/// The thing has a part.
pub(super) fn have(words: &[&str]) -> Vec<String> {
    let mut words = words;
    if let ["something" | "anything", place @ ("on" | "in" | "inside"), "it"] = words {
        let place = if *place == "on" { "on" } else { "in" };
        return vec![format!("have|something {place}")];
    }
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
        ["a" | "an" | "the", ad, "shape" | "form"] => some("be", phrase(&[ad])),
        ["a" | "an" | "the", ad, "colour"] => coloured(ad),
        ["a" | "the", ad, "surface"] if *ad != "flat" => is(&[ad]),
        ["to", "do", "with", rest @ ..]
        | ["something" | "anything", "to", "do", "with", rest @ ..] => some("about", phrase(rest)),
        ["to", "be", ..] => Vec::new(),
        _ => {
            let text = phrase(words);
            let group = ["pair of ", "set of "].iter().find_map(|group| text.strip_prefix(group));
            some("have", group.map_or(text.clone(), str::to_string))
        }
    }
}

/// What has a colour: a red one is red, a light one is not light.
pub(super) fn coloured(adjective: &str) -> Vec<String> {
    match adjective {
        "light" | "warm" | "cold" | "cool" | "soft" | "dark" | "bright" | "strong" | "pale" => {
            vec![format!("be|{adjective} colour")]
        }
        _ => is(&[adjective]),
    }
}

/// What the thing does, or can do.
pub(super) fn does(words: &[&str]) -> Vec<String> {
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
        // To the birds, to the animal kingdom. What belongs to a woman is no woman.
        ("belong", ["to", rest @ ..]) if names_a_class(rest) => some("be|a", phrase(rest)),
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
            // What lives on plants is not found on a plant, and a bird on a tree does not grow there.
            let relation = match base.as_str() {
                "grow" => "grow|",
                "live" | "dwell" | "reside" => "live|",
                _ => "in|",
            };
            let feeds = matches!(base.as_str(), "live" | "grow") && matches!(rest, ["on", _]);
            let place = place(rest).filter(|_| !feeds);
            let place = place.as_deref().and_then(|place| place.strip_prefix("in|"));
            let mut found: Vec<String> =
                place.map(|place| format!("{relation}{place}")).into_iter().collect();
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

/// Whether what a thing belongs to is a class of things, not an owner.
fn names_a_class(words: &[&str]) -> bool {
    match words {
        [.., "kingdom"] => true,
        ["the", .., last] => {
            is_plural(last) && !matches!(noun(last).as_str(), "person" | "man" | "woman" | "child")
        }
        _ => false,
    }
}

/// A place: in the kitchen, outdoors.
pub(super) fn place(words: &[&str]) -> Option<String> {
    match words {
        [only] if PLACE_ADVERBS.contains(only) => Some(format!("in|{only}")),
        ["in", "a" | "the", "house" | "home"] => Some("in|house".to_string()),
        // A hand is on a body, and not inside it.
        ["inside" | "within", rest @ ..] if rest.last() == Some(&"body") => {
            Some(format!("in|inside {}", phrase(rest)))
        }
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
pub(super) fn acts(agent: Option<&str>, words: &[&str]) -> Vec<String> {
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
        ("classify" | "class" | "describe" | "regard" | "see" | "label", ["as", rest @ ..])
            if anyone =>
        {
            is(rest)
        }
        ("make", ["out", "of" | "from", rest @ ..] | ["of" | "from", rest @ ..]) => {
            some("made", phrase(rest))
        }
        _ => {
            if anyone
                && (BEING.contains(&base.as_str()) || base == "use")
                && let Some(place) = place(rest)
            {
                return vec![if base == "use" { format!("use {place}") } else { place }];
            }
            let tail = object_phrase(rest);
            let text = if tail.is_empty() { base } else { format!("{base} {tail}") };
            vec![format!("act|{text}{by}")]
        }
    }
}

/// What the thing is used to do.
pub(super) fn use_to(words: &[&str]) -> Vec<String> {
    // To cut things is to cut.
    let words = match words {
        [rest @ .., "things" | "stuff" | "something" | "anything"] => rest,
        _ => words,
    };
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    let Some(base) = verb(first) else { return Vec::new() };
    let tail = object_phrase(rest);
    some("use", if tail.is_empty() { base } else { format!("{base} {tail}") })
}

/// What the thing is used for.
pub(super) fn use_for(words: &[&str]) -> Vec<String> {
    match words.split_first() {
        Some((first, _)) if is_gerund(first) => use_to(words),
        Some(_) => vec![join("use for", words), join("for", words)],
        None => Vec::new(),
    }
}

/// A question without its verb: "alive?", "made of wood?", "wheels?".
fn fragment(words: &[&str]) -> Vec<String> {
    if let [only] = words {
        let one = noun(only);
        // A number alone asks nothing.
        if *only == "one" || NUMBERS.contains(only) {
            return Vec::new();
        }
        if is_gerund(only) {
            return vec![format!("be|a|{only}")];
        }
        if is_participle(only) {
            return is(words);
        }
        let mut found = ["be", "be|a", "have", "made"]
            .map(|relation| {
                format!("{relation}|{}", if relation == "be" { only } else { one.as_str() })
            })
            .to_vec();
        found.extend(verb(only).filter(|base| base != only).map(|base| format!("do|{base}")));
        return found;
    }
    match words {
        ["any" | "with" | "got", rest @ ..] => have(rest),
        [
            "able" | "made" | "used" | "found" | "kept" | "shaped" | "a" | "an" | "in" | "on"
            | "at" | "part" | "for" | "as" | "one" | "something" | "worn" | "eaten" | "from",
            ..,
        ] => is(words),
        ["more" | "less" | "fewer", "than", number, ..] if NUMBERS.contains(number) => have(words),
        [number, _, ..] if NUMBERS.contains(number) => have(words),
        _ if words.contains(&"than") => is(words),
        // Lives in water.
        [first, ..] if verb(first).is_some_and(|base| base != *first) && is_plural(first) => {
            does(words)
        }
        [_, _] => ["be", "be|a", "have"].map(|relation| join(relation, words)).to_vec(),
        _ => Vec::new(),
    }
}
