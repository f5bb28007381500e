//! The English that the table needs: lemmas of nouns, keys of questions, and edit distances, which
//! find similar words.

/// Plurals that no rule gives, singular first.
const IRREGULAR: &[(&str, &str)] = &[
    ("tooth", "teeth"),
    ("foot", "feet"),
    ("goose", "geese"),
    ("mouse", "mice"),
    ("louse", "lice"),
    ("man", "men"),
    ("woman", "women"),
    ("child", "children"),
    ("ox", "oxen"),
    ("die", "dice"),
    ("cactus", "cacti"),
    ("octopus", "octopi"),
    ("hippopotamus", "hippopotami"),
    ("fungus", "fungi"),
    ("wolf", "wolves"),
    ("werewolf", "werewolves"),
    ("calf", "calves"),
    ("elf", "elves"),
    ("shelf", "shelves"),
    ("bookshelf", "bookshelves"),
    ("loaf", "loaves"),
    ("leaf", "leaves"),
    ("knife", "knives"),
    ("penknife", "penknives"),
    ("scarf", "scarves"),
    ("hoof", "hooves"),
    ("wharf", "wharves"),
    ("axe", "axes"),
    ("pickaxe", "pickaxes"),
    ("snowman", "snowmen"),
    ("fireman", "firemen"),
    ("policeman", "policemen"),
];

/// Lower case, letters only: `" Tea-pot "` becomes `teapot`.
pub(super) fn fold(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The forms of a folded noun to look up, most likely first: the noun itself, its singulars,
/// and its irregular plural.
pub(super) fn lemmas(word: &str) -> Vec<String> {
    let mut forms = vec![word.to_string()];
    let mut add = |form: String| {
        if form.len() >= 2 && !forms.contains(&form) {
            forms.push(form);
        }
    };
    for &(singular, plural) in IRREGULAR {
        if word == plural {
            add(singular.to_string());
        } else if word == singular {
            add(plural.to_string());
        }
    }
    if let Some(stem) = word.strip_suffix("ies") {
        add(format!("{stem}y"));
    }
    if let Some(stem) = word.strip_suffix("men") {
        add(format!("{stem}man"));
    }
    if let Some(stem) = word.strip_suffix('s')
        && !word.ends_with("ss")
    {
        add(stem.to_string());
    }
    if let Some(stem) = word.strip_suffix("es") {
        add(stem.to_string());
    }
    // A lexicon word may itself be a plural: scissors, trousers.
    if !word.ends_with('s') {
        add(format!("{word}s"));
        add(format!("{word}es"));
    }
    forms
}

/// Whether two folded nouns are forms of one word.
pub(super) fn same_lemma(first: &str, second: &str) -> bool {
    first == second
        || lemmas(first).iter().any(|form| form == second)
        || lemmas(second).iter().any(|form| form == first)
}

/// Words that say nothing about what is asked.
const FILLERS: &[&str] = &[
    "a",
    "an",
    "the",
    "it",
    "its",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "being",
    "am",
    "this",
    "that",
    "these",
    "those",
    "they",
    "them",
    "their",
    "you",
    "your",
    "i",
    "my",
    "me",
    "we",
    "us",
    "one",
    "would",
    "could",
    "can",
    "may",
    "might",
    "will",
    "should",
    "do",
    "does",
    "did",
    "of",
    "in",
    "on",
    "at",
    "to",
    "for",
    "by",
    "from",
    "into",
    "as",
    "out",
    "some",
    "any",
    "object",
    "objects",
    "thing",
    "things",
    "something",
    "anything",
    "item",
    "kind",
    "sort",
    "type",
    "kinds",
    "usually",
    "normally",
    "typically",
    "often",
    "generally",
    "mostly",
    "mainly",
    "commonly",
    "sometimes",
    "ever",
    "really",
    "very",
    "quite",
    "rather",
    "so",
    "please",
    "say",
    "someone",
    "somebody",
    "think",
    "which",
    "what",
    "who",
    "whose",
    "up",
    "just",
    "also",
    "too",
    "considered",
    "called",
    "classified",
    "regarded",
    "well",
    "then",
    "sculpture",
    "word",
    "answer",
    "able",
    "about",
    "there",
    "typical",
    "yours",
    "belong",
    "belongs",
    "actually",
    "maybe",
    "perhaps",
    "primarily",
    "most",
    "used",
    "use",
    "uses",
    "using",
    "find",
    "found",
    "see",
    "seen",
    "look",
    "looks",
    "get",
];

/// Words that turn a question round: such questions are not understood.
const NEGATIONS: &[&str] = &[
    "not", "no", "never", "isnt", "arent", "doesnt", "dont", "cant", "cannot", "couldnt",
    "wouldnt", "hasnt", "havent", "without", "neither", "nor", "unable", "except", "lack", "lacks",
    "nothing", "none", "hardly", "rarely", "seldom", "wont", "shouldnt", "wasnt",
];

/// Forms replaced by one form: verbs, spellings, near synonyms.
const FORMS: &[(&str, &str)] = &[
    ("have", "have"),
    ("has", "have"),
    ("having", "have"),
    ("had", "have"),
    ("got", "have"),
    ("with", "have"),
    ("possess", "have"),
    ("possesses", "have"),
    ("contain", "have"),
    ("contains", "have"),
    ("feature", "have"),
    ("features", "have"),
    ("include", "have"),
    ("includes", "have"),
    ("worn", "wear"),
    ("ate", "eat"),
    ("eaten", "eat"),
    ("flew", "fly"),
    ("flies", "fly"),
    ("flown", "fly"),
    ("swam", "swim"),
    ("swum", "swim"),
    ("held", "hold"),
    ("lit", "light"),
    ("wood", "wooden"),
    ("metallic", "metal"),
    ("color", "colour"),
    ("colored", "colour"),
    ("coloured", "colour"),
    ("jewelry", "jewellery"),
    ("gray", "grey"),
    ("aeroplane", "airplane"),
    ("tyre", "tire"),
    ("large", "big"),
    ("larger", "bigger"),
    ("taller", "bigger"),
    ("little", "small"),
    ("human", "person"),
    ("humans", "person"),
    ("teeth", "tooth"),
    ("feet", "foot"),
    ("men", "man"),
    ("women", "woman"),
    ("kids", "child"),
    ("kid", "child"),
    ("children", "child"),
    ("leaves", "leaf"),
    ("knives", "knife"),
    ("wolves", "wolf"),
    ("mice", "mouse"),
    ("building", "building"),
    ("clothing", "clothing"),
    ("clothes", "clothing"),
    ("passengers", "person"),
    ("people", "person"),
];

/// Phrases replaced before all else; longer ones first.
const PHRASES: &[(&[&str], &[&str])] = &[
    (&["made", "out", "of"], &[]),
    (&["made", "of"], &[]),
    (&["made", "from"], &[]),
    (&["consist", "of"], &[]),
    (&["put", "it", "on"], &["wear", "it"]),
    (&["put", "on"], &["wear"]),
    (&["able", "to"], &[]),
    (&["used", "to"], &[]),
    (&["used", "for"], &[]),
    (&["a", "lot", "of"], &["many"]),
    (&["lots", "of"], &["many"]),
    (&["do", "people"], &["do", "you"]),
    (&["can", "people"], &["can", "you"]),
    (&["do", "most", "people"], &["do", "you"]),
    (&["would", "people"], &["would", "you"]),
    (&["do", "we"], &["do", "you"]),
    (&["human", "being"], &["person"]),
    (&["human", "beings"], &["person"]),
];

/// The stem by which words of questions are compared. Crude on purpose: both sides of every
/// comparison go through it.
fn stem(word: &str) -> String {
    if let Some(&(_, to)) = FORMS.iter().find(|(from, _)| *from == word) {
        return to.to_string();
    }
    let mut stem = word;
    if stem.len() > 3 && stem.ends_with('s') && !stem.ends_with("ss") && !stem.ends_with("us") {
        stem = if stem.ends_with("ies") || stem.ends_with("shes") || stem.ends_with("ches") {
            &stem[..stem.len() - 2]
        } else {
            &stem[..stem.len() - 1]
        };
    }
    for suffix in ["ing", "ed"] {
        if let Some(rest) = stem.strip_suffix(suffix)
            && rest.len() >= 3
            && rest.contains(['a', 'e', 'i', 'o', 'u', 'y'])
        {
            let bytes = rest.as_bytes();
            let doubled = bytes.len() > 3
                && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
                && !matches!(bytes[bytes.len() - 1], b's' | b'l');
            stem = if doubled { &rest[..rest.len() - 1] } else { rest };
            break;
        }
    }
    stem.strip_suffix('e').filter(|rest| rest.len() > 2).unwrap_or(stem).to_string()
}

/// Replaces every phrase of [`PHRASES`], one after the other.
fn replace_phrases(words: &mut Vec<&str>) {
    for (from, to) in PHRASES {
        let mut at = 0;
        while let Some(found) = words.get(at..at + from.len()) {
            if found == *from {
                words.splice(at..at + from.len(), to.iter().copied());
                at += to.len();
            } else {
                at += 1;
            }
        }
    }
}

/// The key of a question: fillers dropped, forms unified, `have` where it asks for a part. `None`
/// if nothing is left, or if it is a negation.
#[must_use]
pub fn key(question: &str) -> Option<String> {
    let text: String = question
        .chars()
        .filter(|&c| c != '\'' && c != '\u{2019}')
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' })
        .collect();
    let mut words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    replace_phrases(&mut words);
    let mut parts: Vec<String> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if NEGATIONS.contains(word) {
            return None;
        }
        // "Is there a handle", "are there wheels": a question for a part.
        let is_there = *word == "there"
            && index > 0
            && matches!(words[index - 1], "is" | "are" | "were" | "was" | "be");
        let part = if is_there {
            "have".to_string()
        } else if FILLERS.contains(word) {
            continue;
        } else {
            stem(word)
        };
        if parts.last() != Some(&part) {
            parts.push(part);
        }
    }
    if parts.iter().all(|part| part == "have") { None } else { Some(parts.join(" ")) }
}

/// A key and the keys that mean the same: a bare noun may ask for a part.
pub(super) fn variants(key: &str) -> Vec<String> {
    let mut keys = vec![key.to_string()];
    if !key.starts_with("have ") && !key.contains(' ') {
        keys.push(format!("have {key}"));
    }
    keys
}

/// The candidates that look most like the text, best first: fewest edits, then by the alphabet.
pub(super) fn nearest<'a>(
    text: &str,
    candidates: impl Iterator<Item = &'a str>,
    count: usize,
) -> Vec<&'a str> {
    let text: Vec<u8> = text.trim().to_ascii_lowercase().bytes().take(40).collect();
    let mut ranked: Vec<(usize, &str)> =
        candidates.map(|candidate| (edits(&text, candidate.as_bytes()), candidate)).collect();
    ranked.sort();
    ranked.into_iter().take(count).map(|(_, candidate)| candidate).collect()
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
fn edits(from: &[u8], to: &[u8]) -> usize {
    let width = to.len() + 1;
    let mut table = vec![0; (from.len() + 1) * width];
    for row in 0..=from.len() {
        for column in 0..=to.len() {
            let at = row * width + column;
            table[at] = if row == 0 || column == 0 {
                row + column
            } else {
                let differs = usize::from(from[row - 1] != to[column - 1]);
                let mut best = (table[at - width] + 1)
                    .min(table[at - 1] + 1)
                    .min(table[at - width - 1] + differs);
                if row > 1
                    && column > 1
                    && from[row - 1] == to[column - 2]
                    && from[row - 2] == to[column - 1]
                {
                    best = best.min(table[at - 2 * width - 2] + 1);
                }
                best
            };
        }
    }
    table.last().copied().unwrap_or(0)
}
