//! Sculptures of Barbarossa with the answers and letters so far, from games of the engine: exactly
//! one word fits.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use indexmap::IndexMap;
use parlor::game::{Game, Hidden, Notation, Rules, Seat};
use parlor::games::barbarossa::knowledge::{Knowledge, WordId};
use parlor::games::barbarossa::{Gift, Move, Object, ObjectName, Phase, Position, Secret, Word};
use parlor::picture::{Puzzle, Solution};

use super::place_of;
use super::rating::{rating, weakest_level};
use super::sources::{Strength, options, play};

/// The fewest words that fit the sculpture alone, so that the answers matter.
const FITTING: usize = 3;

/// Puzzles of a game.
const OF_A_GAME: usize = 4;

/// Puzzles of one game after the other.
pub fn source(seed: u64) -> Result<impl FnMut(u64) -> Vec<Puzzle>> {
    let options = options::<Position>(&[])?;
    Ok(move |game| {
        let mut puzzles: Vec<Puzzle> = Vec::new();
        let mut words: Vec<WordId> = Vec::new();
        // The rules of the options were accepted before.
        let _ = play::<Position>(&options, (seed, game), Strength::Weak, &mut |now| {
            let position = now.position();
            let found = position.turn().seat().filter(|_| position.phase() == Phase::Round2);
            let found = found.and_then(|seat| puzzle(&position.view(seat), seat, &words));
            if let Some((word, puzzle)) = found {
                words.push(word);
                puzzles.push(puzzle);
            }
            puzzles.len() < OF_A_GAME
        });
        puzzles
    })
}

/// Whether the sculpture may be of a word.
fn fits_sculpture(object: &Object, word: WordId) -> bool {
    object.shown.iter().all(|feature| Knowledge::shipped().may_show(word, *feature))
}

/// Whether a word fits everything that a seat knows of an object: judges answer by the table.
fn fits(object: &Object, seat: Seat, word: WordId) -> bool {
    let knowledge = Knowledge::shipped();
    let answers = object.answers.iter().all(|(question, answer)| {
        question
            .asked()
            .is_some_and(|asked| asked.answer(|cell| knowledge.answer(word, cell)) == *answer)
    });
    let mut letters: Vec<u8> = knowledge.word(word).bytes().collect();
    let given = object.letters.iter().filter(|letter| letter.asker == seat);
    let letters = given.filter_map(|letter| letter.gift.known()).all(|gift| match gift {
        Gift::Nothing => letters.is_empty(),
        Gift::Letter(letter) => {
            let at = letters.iter().position(|known| *known == letter);
            at.map(|at| letters.swap_remove(at)).is_some()
        }
    });
    let guesses = object.wrong.iter().filter(|(guesser, _)| *guesser == seat);
    let guessed = guesses.filter_map(|(_, word)| word.known()?.id()).any(|id| id == word);
    fits_sculpture(object, word) && answers && letters && !guessed
}

/// The one word that fits an object, and how many fit its sculpture.
fn only_word(object: &Object, seat: Seat) -> Option<(WordId, usize)> {
    let mut words = Knowledge::shipped().words().filter(|word| fits(object, seat, *word));
    let word = words.next()?;
    let alone = words.next().is_none() && !object.shown.is_empty();
    let sculpture = Knowledge::shipped().words().filter(|word| fits_sculpture(object, *word));
    alone.then(|| (word, sculpture.count()))
}

/// The same position with one feature alone of every other object of somebody else: the puzzle is not
/// about them.
fn alone(view: &Position, seat: Seat, name: ObjectName) -> Option<Position> {
    let text = view.to_string();
    let (before, objects) = text.split_once("objects=")?;
    let name = format!("{name}|");
    let shortened = objects.split(';').map(|object| {
        let mut fields: Vec<&str> = object.split('|').collect();
        if !object.starts_with(&name) && fields.len() == 6 {
            fields[2] = fields[2].split(',').next().unwrap_or_default();
            fields[3..].copy_from_slice(&["qa=", "letters=", "wrong="]);
        }
        fields.join("|")
    });
    let text = format!("{before}objects={}", shortened.collect::<Vec<_>>().join(";"));
    Position::parse(&text, &Position::default_rules(), Some(seat)).ok()
}

/// The puzzle of the object that most words may be, if one word is left of them.
fn puzzle(view: &Position, seat: Seat, old: &[WordId]) -> Option<(WordId, Puzzle)> {
    let candidates = view.guessable(seat).filter_map(|(name, object)| {
        let (word, count) = only_word(object, seat)?;
        let m = Move::Guess(name, Secret::Known(Word::Listed(word)));
        let wanted = count >= FITTING && !old.contains(&word) && view.is_legal(&m);
        wanted.then_some((count, name, word, m))
    });
    let (count, name, word, m): (usize, ObjectName, WordId, Move) =
        candidates.max_by_key(|(count, ..)| *count)?;
    let options = options::<Position>(&[]).ok()?;
    let view = &alone(view, seat, name)?;
    let level = weakest_level(view, &options, &|found: &Move| *found == m).ok()?;
    let puzzle = Puzzle {
        id: String::new(),
        place: place_of(view, seat),
        text: format!("Which word is {name}? Guess it."),
        solution: Solution { accept: vec![view.token(&m)], replies: IndexMap::new() },
        goal: "word".into(),
        rating: rating(nodes(count as u64, level)),
        level,
        nodes: nodes(count as u64, level),
        themes: vec!["which word".into()],
        loss: BTreeMap::new(),
    };
    Some((word, puzzle))
}

/// What stands for the nodes of a search: the words that fit the sculpture alone, doubled for each level
/// that does not find the right one. What a level knows and forgets is nearer to people than the number
/// of words.
fn nodes(words: u64, level: u32) -> u64 {
    words << (level - 1)
}

/// Another level finds the word.
pub fn rate(puzzle: &mut Puzzle, level: u32) {
    puzzle.nodes = nodes(puzzle.nodes >> (puzzle.level - 1), level);
    puzzle.rating = rating(puzzle.nodes);
    puzzle.level = level;
}

/// The sculpture to guess with what is known of it: at another seat it is the same puzzle.
pub fn sculpture(puzzle: &Puzzle) -> Option<&str> {
    let name = puzzle.solution.accept.first()?.strip_prefix("guess:")?.split(':').next()?;
    let (_, object) = puzzle.place.position.split_once(&format!("{name}|"))?;
    object.split([';', ' ']).next()
}

/// Looks through all words again.
pub fn check(position: &Position, puzzle: &Puzzle) -> Result<()> {
    let seat = Seat::parse(&puzzle.place.seat).context("a seat")?;
    let [token] = &puzzle.solution.accept[..] else { anyhow::bail!("one guess is right") };
    let Move::Guess(name, Secret::Known(guess)) = position.parse_move(token)? else {
        anyhow::bail!("{token} is no guess")
    };
    let (word, count) = only_word(position.object(name), seat).context("not one word fits")?;
    ensure!(Some(word) == guess.id(), "{} fits", Knowledge::shipped().word(word));
    let nodes = nodes(count as u64, puzzle.level);
    ensure!(nodes == puzzle.nodes, "{count} words fit the sculpture");
    Ok(())
}
