//! The table and the wider lexicon are made from their text.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use parlor::games::barbarossa::knowledge::lexicon::{Lexicon, Named};
use parlor::games::barbarossa::knowledge::wordings::Wordings;
use parlor::games::barbarossa::knowledge::{
    Answer, Follows, Knowledge, Reading, Unsure, pack::unpack,
};

use super::taxonomy::Taxonomy;
use super::{compile, lexicon, pack};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/barbarossa")
}

#[test]
fn the_packed_table_is_made_from_the_text() {
    let knowledge = compile(&folder()).expect("a table");
    let shipped = include_bytes!("../../../../data/barbarossa/knowledge.bin");
    let shipped = unpack(shipped).expect("a table");
    assert!(shipped == knowledge, "make it with `parlor-lab barbarossa knowledge pack`");
    let (packed, _) = pack::pack(&knowledge).expect("packed");
    assert!(unpack(&packed).expect("a table") == knowledge, "packing loses something");
}

#[test]
fn a_way_stands_before_all_its_predicates() {
    let made = Wordings::of_questions("no if yes is_fish is_plant, yes is_bird: Does it fly?");
    let made = made.expect("wordings");
    let follows = [
        (Follows::NoIfYes, "is_fish".to_string()),
        (Follows::NoIfYes, "is_plant".to_string()),
        (Follows::Yes, "is_bird".to_string()),
    ];
    assert_eq!(made.follows, follows);
    assert_eq!(made.frames, ["do|fly"]);
    for (text, part) in [
        ("no if yes: Does it fly?", "`no if yes` should be one of"),
        ("yes if no, yes is_bird: Does it fly?", "`yes if no` should be one of"),
        ("perhaps is_bird: Does it fly?", "`perhaps is_bird` should be one of"),
        ("yes is_bird, no is_fish, yes is_plant: Does it fly?", "`yes` should be there once"),
        ("yes is_bird is_fish is_bird: Does it fly?", "`is_bird` is there twice"),
        ("yes is_bird: |", "should be `ask"),
        ("yes is_bird: Does it fly? | ?! | Is it not alive?", "two each: ?! | Is it not alive?"),
        ("yes is_bird", "should be `ask"),
    ] {
        let error = Wordings::of_questions(text).expect_err(text);
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn no_two_words_name_one_thing() {
    let taxonomy = Taxonomy::read(&folder()).expect("a taxonomy");
    let mut seen = BTreeMap::new();
    for (word, place) in taxonomy.words.iter().filter(|(_, place)| place.itself) {
        let other = seen.insert(place.kind.clone(), word.clone());
        assert_eq!(other, None, "{word} and another are both {}", place.kind);
    }
}

#[test]
fn every_ancestor_of_a_word_can_be_asked_for() {
    let taxonomy = Taxonomy::read(&folder()).expect("a taxonomy");
    let knowledge = Knowledge::shipped();
    let mut members: BTreeMap<&str, usize> = BTreeMap::new();
    for word in taxonomy.words.keys() {
        for kind in taxonomy.kinds_of(word) {
            *members.entry(kind).or_default() += 1;
        }
    }
    // Kinds above nearly everything say nothing, and kinds of one word are that word.
    let worth = |count: usize| count >= 2 && count * 100 <= knowledge.len() * 85;
    let kinds = std::fs::read_to_string(folder().join("kinds.txt")).expect("a file");
    for line in kinds.lines().filter_map(|line| line.strip_prefix("unasked ")) {
        members.retain(|kind, _| !line.split(' ').any(|unasked| unasked == *kind));
    }
    members.retain(|_, count| worth(*count));
    // Names that usually mean another thing.
    let entries = members.keys().filter_map(|kind| taxonomy.kinds.get(*kind));
    let doubtful: BTreeSet<&String> = entries.flat_map(|entry| &entry.doubtful).collect();
    let mut missed = Vec::new();
    for kind in members.keys().copied() {
        let entry = taxonomy.kinds.get(kind).expect("known");
        let lemmas = entry.lemmas.iter().filter(|lemma| !doubtful.contains(lemma));
        let lemmas: Vec<&String> = lemmas.collect();
        let asks = |lemma: &String| {
            let question = format!("Is it a kind of {}?", lemma.replace('_', " "));
            // Two kinds that differ may have one name.
            !matches!(
                knowledge.read_question(&question),
                Reading::Unsure { why: Unsure::Unknown, .. }
            )
        };
        let asked = lemmas.is_empty() || entry.lemmas.iter().any(asks);
        if !asked {
            missed.push(kind);
        }
    }
    // Of a few no usual name is left.
    assert!(missed.len() * 50 <= members.len(), "{missed:?} cannot be asked for");
}

/// What `import.py` writes: a text, and the levels.
fn imported(text: &str, levels: &[u8]) -> Vec<u8> {
    let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes.extend_from_slice(levels);
    bytes
}

#[test]
fn broken_lexicons_are_refused() {
    let knowledge = Knowledge::shipped();
    for text in [
        "",
        "barbarossa lexicon import 2\n",
        "barbarossa lexicon import 1\n1 0\n",
        "barbarossa lexicon import 1\n1 0 1\nis_round\n",
        "barbarossa lexicon import 1\n1 0 2\nis_round\nbird\n",
    ] {
        assert!(lexicon::write(&imported(text, &[]), knowledge).is_err(), "{text}");
    }
    let text = "barbarossa lexicon import 1\n1 1 1\nis_round\nbirdie fowls\nteapot pot_of_tea\n";
    let bytes = lexicon::write(&imported(text, &[0xF0]), knowledge).expect("known");
    let made = Lexicon::read(bytes.clone().into(), knowledge).expect("known");
    let round = knowledge.find_predicate("is_round").expect("known");
    let Some(Named::Derived(bird)) = made.find("Birdies") else { panic!("two birdies") };
    assert_eq!(made.names(bird).collect::<Vec<_>>(), ["birdie", "fowls"]);
    assert!(made.chances(bird, round).expect("known").yes > 0.99);
    assert_eq!(made.answer(bird, round), Answer::Yes);
    let flat = knowledge.find_predicate("is_flat").expect("known");
    assert_eq!(made.answer(bird, flat), Answer::DontKnow);
    let teapot = knowledge.find_word("teapot").map(Named::Judged);
    assert_eq!(made.find("pot-of-tea"), teapot);
    assert_eq!((made.name_count(), made.single_names()), (3, 2));
    // Whatever the bytes, nothing panics.
    for length in 0..bytes.len() {
        let cut = bytes[..length].to_vec();
        assert!(Lexicon::read(cut.into(), knowledge).is_err(), "{length} bytes");
        for byte in [0, 0x7F, 0xFF] {
            let mut wrong = bytes.clone();
            wrong[length] = byte;
            if let Ok(made) = Lexicon::read(wrong.into(), knowledge) {
                _ = (made.find("fowl"), made.single_name(0), made.chances(bird, round));
                made.entries().for_each(|entry| _ = made.names(entry).count());
            }
        }
    }
}
