//! The table of words: the taxonomy from WordNet, the packed table, the wider lexicon, and rows,
//! columns and samples for review.
//!
//! `taxonomy` needs the Debian package `wordnet-base`, and `lexicon` what
//! `data/barbarossa/lexicon/import.py` writes; nothing else needs more than the sources. Files are
//! read and written under the current folder.

mod kinds;
mod lexicon;
mod pack;
mod taxonomy;
#[cfg(test)]
mod tests;
mod text;
mod wordnet;

use anyhow::{Context, Result, ensure};
use clap::Subcommand;
use parlor::games::barbarossa::knowledge::Knowledge;
use parlor::reading;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use self::taxonomy::{Kind, Place, Taxonomy};
use self::text::{Sense, Sources};
use self::wordnet::WordNet;
use crate::printing::print_line;

const FOLDER: &str = "data/barbarossa";

/// Make Barbarossa's table of words, or look into it
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Write the taxonomy from the files of WordNet
    Taxonomy {
        /// Their folder, such as /usr/share/wordnet
        wordnet: PathBuf,
    },
    /// Pack the table
    Pack,
    /// Write the wider lexicon
    Lexicon {
        /// What import.py wrote
        imported: PathBuf,
    },
    /// Print the whole table
    Matrix,
}

impl Command {
    /// Does the work.
    pub fn run(self) -> Result<()> {
        match self {
            Command::Taxonomy { wordnet } => write_taxonomy(&wordnet),
            Command::Pack => write_pack(),
            Command::Lexicon { imported } => write_lexicon(&imported),
            Command::Matrix => print_matrix(),
        }
    }
}

fn write_taxonomy(folder: &Path) -> Result<()> {
    let sources = Sources::read(Path::new(FOLDER))?;
    let wordnet = WordNet::read(folder)?;
    let mut made = Taxonomy::default();
    let mut offsets: BTreeSet<String> = BTreeSet::new();
    let mut wrong = Vec::new();
    for (word, entry) in &sources.words {
        let found = match &entry.sense {
            Sense::Below(kind) => wordnet.offset(kind).map(str::to_string),
            sense => wordnet.sense(word, sense, &sources.under(word)),
        };
        match found {
            Ok(offset) => {
                let itself = !matches!(entry.sense, Sense::Below(_));
                let place = Place { kind: wordnet.name(&offset)?, itself };
                offsets.extend(wordnet.closure(&offset));
                made.words.insert(word.clone(), place);
            }
            Err(error) => wrong.push(format!("{}: {error:#}", entry.place)),
        }
    }
    for kind in sources.predicates.iter().flat_map(|text| &text.kinds) {
        if let Err(error) = wordnet.offset(kind) {
            wrong.push(format!("{error:#}"));
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    for offset in offsets {
        let synset = &wordnet.synsets[&offset];
        let parents: Result<Vec<String>> =
            synset.above.iter().map(|above| wordnet.name(above)).collect();
        let mut doubtful = BTreeSet::new();
        for (index, lemma) in synset.lemmas.iter().enumerate() {
            if wordnet.is_doubtful(lemma, &offset, index == 0)? {
                doubtful.insert(lemma.clone());
            }
        }
        let kind = Kind { lemmas: synset.lemmas.clone(), doubtful, parents: parents?, offset };
        made.kinds.insert(wordnet.name(&kind.offset)?, kind);
    }
    let mut text = String::from(
        "# Made by `parlor-lab barbarossa knowledge taxonomy /usr/share/wordnet` from\n\
         # WordNet 3.0 (data/barbarossa/WORDNET-LICENSE). Not to be edited.\n",
    );
    for (name, kind) in &made.kinds {
        let mark = |lemma| if kind.doubtful.contains(lemma) { "?" } else { "" };
        let lemmas = kind.lemmas.iter().map(|lemma| format!("{lemma}{}", mark(lemma)));
        let lemmas: Vec<String> = lemmas.collect();
        let parents = kind.parents.join(" ");
        writeln!(text, "kind {name} {} {}: {parents}", kind.offset, lemmas.join(","))?;
    }
    for (word, place) in &made.words {
        writeln!(text, "word {word} {} {}", if place.itself { "=" } else { "<" }, place.kind)?;
    }
    std::fs::write(Path::new(FOLDER).join("taxonomy.txt"), text)?;
    print_line!("{} words, {} kinds", made.words.len(), made.kinds.len());
    Ok(())
}

/// The table compiled from the text of a folder.
fn compile(folder: &Path) -> Result<Knowledge> {
    Sources::read(folder)?.compile(&Taxonomy::read(folder)?)
}

fn write_pack() -> Result<()> {
    let knowledge = compile(Path::new(FOLDER))?;
    let (packed, unpacked) = pack::pack(&knowledge)?;
    std::fs::write(Path::new(FOLDER).join("knowledge.bin"), &packed)?;
    print_line!(
        "{} words, {} predicates, {} kinds: {} bytes, {} packed",
        knowledge.len(),
        knowledge.predicates(),
        knowledge.predicates_with_kinds() - knowledge.predicates(),
        unpacked,
        packed.len()
    );
    Ok(())
}

/// The wider lexicon as the program reads it.
fn write_lexicon(imported: &Path) -> Result<()> {
    let bytes = reading::open(imported)
        .and_then(|file| reading::bytes(file, reading::LONGEST_TEXT))
        .with_context(|| imported.display().to_string())?;
    let made = lexicon::write(&bytes, &compile(Path::new(FOLDER))?)?;
    std::fs::write(Path::new(FOLDER).join("lexicon.bin"), &made)?;
    print_line!("{} bytes", made.len());
    Ok(())
}

/// The whole table, one word a line.
fn print_matrix() -> Result<()> {
    let knowledge = compile(Path::new(FOLDER))?;
    let names: Vec<&str> = knowledge.vocabulary().map(|id| knowledge.predicate(id)).collect();
    print_line!("word {}", names.join(" "));
    for word in knowledge.words() {
        let cells: Vec<String> = knowledge
            .vocabulary()
            .map(|predicate| knowledge.answer(word, predicate).letter().to_string())
            .collect();
        print_line!("{} {}", knowledge.word(word), cells.join(" "));
    }
    Ok(())
}
