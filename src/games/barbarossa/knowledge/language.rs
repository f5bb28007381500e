//! Names as people write them: lemmas of nouns, and edit distances, which find similar words.

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
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    if text.is_ascii() {
        return letters.map(|c| c.to_ascii_lowercase()).collect();
    }
    letters.flat_map(char::to_lowercase).collect()
}

/// The forms of a folded noun to look up, most likely first: the noun itself, its singulars,
/// and its irregular plural.
#[must_use]
pub fn lemmas(word: &str) -> Vec<String> {
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

/// What is found for the first form of a folded noun that is known. Most texts name a word as it is
/// written: then no other form is made.
pub(super) fn first_known<T>(word: &str, look_up: impl Fn(&str) -> Option<T>) -> Option<T> {
    look_up(word).or_else(|| lemmas(word)[1..].iter().find_map(|form| look_up(form)))
}

/// Whether two folded nouns are forms of one word.
pub(super) fn same_lemma(first: &str, second: &str) -> bool {
    first == second
        || lemmas(first).iter().any(|form| form == second)
        || lemmas(second).iter().any(|form| form == first)
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

/// The names that a text may be a misspelling of, best first: fewest edits, then the same first letter,
/// then by the alphabet. None for what looks like no name.
pub(super) fn spelled_like<'a>(
    text: &str,
    names: impl Iterator<Item = &'a str>,
    count: usize,
) -> Vec<&'a str> {
    let text_sounds = sounds(text);
    let allowed = (text_sounds.len() / 3).max(1);
    let mut ranked: Vec<(usize, bool, &str)> = names
        .filter_map(|name| {
            let other = sounds(name);
            if other.len().abs_diff(text_sounds.len()) > allowed {
                return None;
            }
            let two_words = usize::from(name.contains('_') != text.contains('_'));
            let edits = edits(&text_sounds, &other) + two_words;
            (edits <= allowed).then_some((edits, other.first() != text_sounds.first(), name))
        })
        .collect();
    ranked.sort();
    ranked.dedup();
    ranked.into_iter().take(count).map(|(.., name)| name).collect()
}

/// The letters of a name, those that sound alike made one: elefant and elephant.
fn sounds(name: &str) -> Vec<u8> {
    let letters = name.bytes().filter(u8::is_ascii_alphanumeric).take(40);
    let mut made: Vec<u8> = Vec::new();
    for letter in letters {
        let letter = match letter.to_ascii_lowercase() {
            b'h' if made.last() == Some(&b'p') => {
                made.pop();
                b'f'
            }
            b'c' | b'q' => b'k',
            b'y' => b'i',
            b'z' => b's',
            other => other,
        };
        if made.last() != Some(&letter) {
            made.push(letter);
        }
    }
    made
}

/// Whether a word of four letters or more may be another one misspelled.
pub(super) fn is_misspelled(word: &str, other: &str) -> bool {
    word.len() >= 4 && word.len().abs_diff(other.len()) <= 1 && {
        edits(word.as_bytes(), other.as_bytes()) <= word.len() / 4
    }
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
