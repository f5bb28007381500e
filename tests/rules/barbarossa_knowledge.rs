//! Barbarossa's table: made from its text, sound, and asked in plain English.

use parlor::games::barbarossa::knowledge::taxonomy::Taxonomy;
use parlor::games::barbarossa::knowledge::text::Sources;
use parlor::games::barbarossa::knowledge::{Answer, Knowledge, pack};
use std::path::Path;

fn compiled() -> Knowledge {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/barbarossa");
    let taxonomy = std::fs::read_to_string(folder.join("taxonomy.txt")).unwrap();
    let taxonomy = Taxonomy::parse(&taxonomy).unwrap();
    Sources::read(&folder).unwrap().compile(&taxonomy).unwrap()
}

#[test]
fn the_packed_table_is_made_from_the_text() {
    assert!(compiled() == *Knowledge::shipped(), "run the example with `pack`");
}

#[test]
fn packing_loses_nothing() {
    let knowledge = compiled();
    let packed = pack::pack(&knowledge).unwrap();
    assert_eq!(pack::unpack(&packed).unwrap(), knowledge);
    for length in 0..packed.len().min(200) {
        assert!(pack::unpack(&packed[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn words_are_found_by_lemma() {
    let knowledge = Knowledge::shipped();
    for (text, word) in
        [("Teapots", "teapot"), ("tooth", "teeth"), ("KNIVES", "knife"), ("mice", "mouse")]
    {
        assert_eq!(knowledge.find_word(text).map(|id| knowledge.word(id)), Some(word), "{text}");
    }
    assert_eq!(knowledge.find_word("zzyzx"), None);
    assert!(knowledge.same_word("wolf", "wolves", false));
    assert!(knowledge.same_word("blorb", "blorbs", false));
    assert!(!knowledge.same_word("cougar", "puma", false));
    assert!(knowledge.same_word("cougar", "puma", true));
    assert!(!knowledge.same_word("fork", "knife", true));
}

#[test]
fn what_is_not_understood_is_never_no() {
    let knowledge = Knowledge::shipped();
    assert_eq!(knowledge.understand("colourless green ideas"), None);
    assert_eq!(knowledge.understand("is it not alive"), None);
    let alive = knowledge.understand("Is it alive?").unwrap();
    assert_eq!(knowledge.predicate(alive), "is_alive");
    let snail = knowledge.find_word("snail").unwrap();
    assert_eq!(knowledge.answer(snail, alive), Answer::Yes);
}
