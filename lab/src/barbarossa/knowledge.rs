//! The table of words: the taxonomy from WordNet, the packed table, the wider lexicon, and rows,
//! columns and samples for review.
//!
//! `taxonomy` needs the Debian package `wordnet-base`, and `lexicon` what
//! `data/barbarossa/lexicon/import.py` writes; nothing else needs more than the sources. Files are
//! read and written under the current folder.

use anyhow::{Context, Result, bail, ensure};
use clap::Subcommand;
use parlor::game::Random;
use parlor::games::barbarossa::knowledge::taxonomy::{Kind, Place, Taxonomy};
use parlor::games::barbarossa::knowledge::text::{Sense, Sources};
use parlor::games::barbarossa::knowledge::{Answer, Knowledge, lexicon, pack};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

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
    /// Print what words are
    Row {
        /// The words
        words: Vec<String>,
    },
    /// Print which words have predicates
    Column {
        /// The predicates
        predicates: Vec<String>,
    },
    /// Print cells drawn at random
    Sample {
        /// How many
        count: usize,
        /// Seed of the draw
        seed: u64,
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
            Command::Row { words } => print_rows(&words),
            Command::Column { predicates } => print_columns(&predicates),
            Command::Sample { count, seed } => print_sample(count, seed),
            Command::Matrix => print_matrix(),
        }
    }
}

/// The nouns of WordNet.
struct WordNet {
    senses: BTreeMap<String, Vec<String>>,
    /// How often a lemma was met in its senses, by number.
    counts: BTreeMap<(String, usize), usize>,
    synsets: BTreeMap<String, Synset>,
}

struct Synset {
    lemmas: Vec<String>,
    above: Vec<String>,
}

impl WordNet {
    fn read(folder: &Path) -> Result<WordNet> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read_to_string(&path).with_context(|| {
                format!("{}: the Debian package wordnet-base should be there", path.display())
            })
        };
        let mut senses = BTreeMap::new();
        for line in read("index.noun")?.lines().filter(|line| !line.starts_with(' ')) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            ensure!(fields.len() > 3, "index.noun: a short line: {line}");
            let pointers: usize = fields[3].parse()?;
            let offsets = fields.iter().skip(6 + pointers).map(|offset| offset.to_string());
            senses.insert(fields[0].to_string(), offsets.collect());
        }
        let mut synsets = BTreeMap::new();
        for line in read("data.noun")?.lines().filter(|line| !line.starts_with(' ')) {
            let fields: Vec<&str> = line.split(' ').collect();
            ensure!(fields.len() > 4, "data.noun: a short line: {line}");
            let count = usize::from_str_radix(fields[3], 16)?;
            let lemmas = fields.iter().skip(4).step_by(2).take(count).map(|s| s.to_string());
            let pointers = fields.iter().skip(5 + 2 * count).collect::<Vec<_>>();
            let above = pointers.chunks(4).take_while(|chunk| *chunk[0] != "|");
            let above = above
                .filter(|chunk| matches!(*chunk[0], "@" | "@i"))
                .map(|chunk| chunk[1].to_string());
            let synset = Synset { lemmas: lemmas.collect(), above: above.collect() };
            synsets.insert(fields[0].to_string(), synset);
        }
        let mut counts = BTreeMap::new();
        for line in read("cntlist.rev")?.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            let [key, number, count] = fields[..] else { continue };
            if let Some((lemma, rest)) = key.split_once('%')
                && rest.starts_with("1:")
            {
                counts.insert((lemma.to_string(), number.parse()?), count.parse()?);
            }
        }
        Ok(WordNet { senses, counts, synsets })
    }

    /// Whether a lemma usually means another thing than this synset. The first lemma of a synset may
    /// be met twice as often in another sense; the others must mean it first of all things.
    fn is_doubtful(&self, lemma: &str, offset: &str, first: bool) -> Result<bool> {
        let lemma = lemma.to_lowercase();
        let thing = self.offset("physical_entity.1")?;
        let Some(senses) = self.senses.get(&lemma) else { return Ok(false) };
        let count = |index: usize| 1 + self.counts.get(&(lemma.clone(), index + 1)).unwrap_or(&0);
        let Some(own) = senses.iter().position(|sense| sense == offset) else { return Ok(false) };
        let above = self.closure(offset);
        let is_other = |(index, sense): (usize, &String)| {
            let kinds = self.closure(sense);
            let earlier = if first { count(index) > 2 * count(own) } else { index < own };
            earlier && kinds.contains(thing) && !kinds.contains(offset) && !above.contains(sense)
        };
        Ok(senses.iter().enumerate().any(is_other))
    }

    /// `bird.1`: the first lemma and the number of its sense.
    fn name(&self, offset: &str) -> Result<String> {
        let synset = self.synsets.get(offset).with_context(|| format!("no synset {offset}"))?;
        let lemma = &synset.lemmas[0];
        let senses = self.senses.get(&lemma.to_lowercase());
        let senses = senses.with_context(|| format!("no word {lemma}"))?;
        let number = senses.iter().position(|sense| sense == offset);
        Ok(format!("{lemma}.{}", number.with_context(|| format!("no sense {offset}"))? + 1))
    }

    fn offset(&self, kind: &str) -> Result<&str> {
        let (lemma, number) = kind.rsplit_once('.').with_context(|| format!("bad kind {kind}"))?;
        let number: usize = number.parse()?;
        let senses = self.senses.get(&lemma.to_lowercase());
        let found = senses.and_then(|senses| senses.get(number.wrapping_sub(1)));
        Ok(found.with_context(|| format!("WordNet has no {kind}"))?)
    }

    /// A synset and all its ancestors.
    fn closure(&self, offset: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open = vec![offset.to_string()];
        while let Some(offset) = open.pop() {
            if let Some(synset) = self.synsets.get(&offset)
                && found.insert(offset)
            {
                open.extend(synset.above.iter().cloned());
            }
        }
        found
    }

    /// The synset of a word: by number, or the first below one of the kinds.
    fn sense(&self, word: &str, sense: &Sense, under: &[&str]) -> Result<String> {
        let senses = match self.senses.get(word) {
            Some(senses) => senses,
            None => bail!("WordNet does not have {word}: give it `@<KIND`"),
        };
        if let Sense::Number(number) = sense {
            let found = senses.get(number.wrapping_sub(1));
            return Ok(found.with_context(|| format!("{word} has no sense {number}"))?.clone());
        }
        ensure!(!under.is_empty(), "{word}: no class says `under`, and the word has no `@N`");
        let mut kinds = BTreeSet::new();
        for kind in under {
            kinds.insert(self.offset(kind)?.to_string());
        }
        let fits = |offset: &&String| !self.closure(offset).is_disjoint(&kinds);
        let found = senses.iter().find(fits);
        let found = found.with_context(|| {
            let names: Vec<String> = senses
                .iter()
                .map(|offset| {
                    let above = self.synsets.get(offset).and_then(|synset| synset.above.first());
                    above.and_then(|above| self.name(above).ok()).unwrap_or_default()
                })
                .collect();
            format!(
                "{word}: no sense is below {}; they are below {}",
                under.join(", "),
                names.join(" / ")
            )
        })?;
        Ok(found.clone())
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

/// The table compiled from the text.
fn compile() -> Result<Knowledge> {
    let folder = Path::new(FOLDER);
    let path = folder.join("taxonomy.txt");
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(Sources::read(folder)?.compile(&Taxonomy::parse(&text)?)?)
}

fn write_pack() -> Result<()> {
    let knowledge = compile()?;
    let packed = pack::pack(&knowledge)?;
    std::fs::write(Path::new(FOLDER).join("knowledge.bin"), &packed)?;
    print_line!(
        "{} words, {} predicates, {} kinds: {} bytes, {} packed",
        knowledge.len(),
        knowledge.predicates(),
        knowledge.predicates_with_kinds() - knowledge.predicates(),
        pack::encode(&knowledge).len(),
        packed.len()
    );
    Ok(())
}

/// The wider lexicon as the program reads it.
fn write_lexicon(imported: &Path) -> Result<()> {
    let bytes = std::fs::read(imported).with_context(|| imported.display().to_string())?;
    let made = lexicon::write(&bytes, &compile()?)?;
    std::fs::write(Path::new(FOLDER).join("lexicon.bin"), &made)?;
    print_line!("{} bytes", made.len());
    Ok(())
}

fn print_rows(words: &[String]) -> Result<()> {
    let knowledge = compile()?;
    for word in words {
        let id = knowledge.find_word(word).with_context(|| format!("no word {word}"))?;
        let mut row = format!("{}:", knowledge.word(id));
        for (answer, sign) in [(Answer::Yes, ""), (Answer::Possibly, "?"), (Answer::DontKnow, "??")]
        {
            for predicate in knowledge.vocabulary() {
                if knowledge.answer(id, predicate) == answer {
                    row += &format!(" {}{sign}", knowledge.predicate(predicate));
                }
            }
        }
        print_line!("{row}");
    }
    Ok(())
}

fn print_columns(names: &[String]) -> Result<()> {
    let knowledge = compile()?;
    for name in names {
        let id = knowledge.find_predicate(name).with_context(|| format!("no predicate {name}"))?;
        for answer in [Answer::Yes, Answer::Possibly, Answer::DontKnow] {
            let words: Vec<&str> = knowledge
                .words()
                .filter(|word| knowledge.answer(*word, id) == answer)
                .map(|word| knowledge.word(word))
                .collect();
            print_line!("{name} {answer} {}: {}", words.len(), words.join(" "));
        }
    }
    Ok(())
}

/// Cells drawn uniformly from all words and predicates, without repetition.
fn print_sample(count: usize, seed: u64) -> Result<()> {
    let knowledge = compile()?;
    let mut random = Random::new(seed);
    let mut seen = BTreeSet::new();
    let (words, predicates) = (knowledge.len() as u64, knowledge.predicates() as u64);
    ensure!(count as u64 <= words * predicates, "there are only {} cells", words * predicates);
    while seen.len() < count {
        seen.insert(random.below(words * predicates));
    }
    for cell in seen {
        let word = knowledge.words().nth((cell / predicates) as usize);
        let predicate = knowledge.vocabulary().nth((cell % predicates) as usize);
        if let (Some(word), Some(predicate)) = (word, predicate) {
            let answer = knowledge.answer(word, predicate).letter();
            print_line!("{} {} {answer}", knowledge.word(word), knowledge.predicate(predicate));
        }
    }
    Ok(())
}

/// The whole table, one word a line.
fn print_matrix() -> Result<()> {
    let knowledge = compile()?;
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
