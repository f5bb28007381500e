//! Plays whole games: rule options of every kind, and a driver that sometimes guesses right, asks in
//! free text, or guesses words outside the lexicon, which the random player never does.

use parlor::game::{Game, Notation, OptionValues, Random, Rules, Seat};
use parlor::games::barbarossa::{Move, Phase, Position, Secret, Word};

/// How much a test does: `more` where the variable `PARLOR_SLOW_TESTS` asks for slow tests.
pub fn extent(usual: u64, more: u64) -> u64 {
    if std::env::var_os("PARLOR_SLOW_TESTS").is_some() { more } else { usual }
}

/// The default options with some of them set.
pub fn options(settings: &[(&str, &str)]) -> OptionValues {
    let mut values = Position::default_rules();
    for (name, value) in settings {
        values.set(name, value).unwrap();
    }
    values
}

/// Options drawn at random, all of them, with the number of players given.
pub fn random_options(players: &str, random: &mut Random) -> OptionValues {
    let mut choose = |values: &[&'static str]| values[random.below(values.len() as u64) as usize];
    let ring =
        choose(&["ESDQSDESGQSD", "QQEEDG", "SDGEQQQEEQSDGQEQSDGEQQQEEQSDGQEQSDGEQQQE", "QDQEQS"]);
    options(&[
        ("Players", players),
        ("Ring", ring),
        ("RingStart", choose(&["0", "1", "5"])),
        ("Goal", choose(&["30", "30", "10", "60"])),
        ("Words", choose(&["deal", "free"])),
        ("Lexicon", choose(&["core", "core", "all"])),
        ("Letters", choose(&["owner", "position"])),
        ("Round2", choose(&["guess", "either", "moon"])),
        ("MaxQuestions", choose(&["10", "10", "1", "3", "99"])),
        ("ZielEnd", choose(&["instant", "penalised"])),
        ("Match", choose(&["lemma", "synset"])),
        ("NoBlobs", choose(&["false", "true"])),
        ("Blob", choose(&["false", "true"])),
        ("Answerer", choose(&["judge", "owner"])),
        ("JudgeNoise", choose(&["0", "8", "20"])),
        ("CurseWindows", choose(&["every", "all", "turn"])),
    ])
}

/// Such options with the table written by hand as the lexicon: what references compute from.
pub fn core_options(players: &str, random: &mut Random) -> OptionValues {
    let mut values = random_options(players, random);
    values.set("Lexicon", "core").unwrap();
    values
}

/// A legal move of the full position: mostly the random player's, sometimes one it would not find.
pub fn choose(position: &Position, random: &mut Random) -> Option<Move> {
    let usual = position.random_move(random)?;
    let odd = match (position.phase(), &usual) {
        (_, Move::Guess(..) | Move::CurseGuess(..)) if random.below(3) == 0 => {
            odd_guess(position, &usual, random)
        }
        (Phase::Ask, Move::Ask(name, _)) if random.below(8) == 0 => {
            let text = ["~is%20it%20alive", "~why%3F", "~does%20it%20bark%3F", "~caf%C3%A9"];
            let text = text[random.below(4) as usize];
            position.parse_move(&format!("ask:{name}:{text}")).ok()
        }
        (Phase::Word, Move::Word(name, _)) if random.below(4) == 0 => {
            let text = ["zyzzyva", "gadgets", "teeth", "quux"][random.below(4) as usize];
            position.parse_move(&format!("word:{name}:{text}")).ok()
        }
        _ => None,
    };
    Some(odd.filter(|m| position.is_legal(m)).unwrap_or(usual))
}

fn odd_guess(position: &Position, usual: &Move, random: &mut Random) -> Option<Move> {
    let (Move::Guess(name, _) | Move::CurseGuess(name, _)) = usual else {
        return None;
    };
    let word = match random.below(4) {
        0 => return position.parse_move(&format!("guess:{name}:zyzzyvas")).ok(),
        _ => position.object(*name).known_word()?,
    };
    let word: Secret<Word> = Secret::Known(word);
    Some(match usual {
        Move::Guess(..) => Move::Guess(*name, word),
        _ => Move::CurseGuess(*name, word),
    })
}

/// Plays tokens, all of which must be legal.
pub fn play(position: &mut Position, tokens: &str) {
    for token in tokens.split_whitespace() {
        let m = position.parse_move(token).unwrap_or_else(|error| panic!("{token}: {error}"));
        assert!(position.is_legal(&m), "{token}: {} in {}", position.explain_illegal(&m), position);
        position.play(&m);
    }
}

/// Why a token is refused, whether it is read or not.
pub fn refusal(position: &Position, token: &str) -> String {
    match position.parse_move(token) {
        Err(error) => error.to_string(),
        Ok(m) => {
            assert!(!position.is_legal(&m), "{token} is legal in {}", position);
            position.explain_illegal(&m)
        }
    }
}

/// All seats of a position.
pub fn seats(position: &Position) -> impl Iterator<Item = Seat> + use<> {
    Seat::all(position.seats())
}
