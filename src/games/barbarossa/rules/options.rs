//! The current rule options and everything that follows from them alone.

use arrayvec::ArrayVec;

use super::words::AllowedWords;
use crate::game::{Check, Combo, NotationError, OptionSpec, OptionValues, Spin, Text, splitmix64};
use crate::games::barbarossa::knowledge::word_list::WordList;

/// The most spaces a pawn ring may have.
const MOST_SPACES: usize = 40;

/// Jewels at the start.
pub(super) const FIRST_JEWELS: u8 = 12;

/// The end of the jewel scale.
pub(crate) const MOST_JEWELS: u8 = 13;

/// Curse tokens at the start.
pub(crate) const FIRST_CURSES: u8 = 3;

/// How many words are dealt for one object.
pub(crate) const DEALT: usize = 6;

/// The most features a sculpture may show.
pub const MOST_SHOWN: usize = 8;

/// A space of the pawn ring.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Space {
    /// One jewel more.
    Stairs,
    /// Every other player one step forward.
    Dragon,
    /// Every other player two steps forward.
    Ghosts,
    /// A letter.
    Elf,
    /// Questions, then a guess.
    Questions,
}

impl Space {
    /// Reads the letter of a space.
    fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'S' => Some(Space::Stairs),
            'D' => Some(Space::Dragon),
            'G' => Some(Space::Ghosts),
            'E' => Some(Space::Elf),
            'Q' => Some(Space::Questions),
            _ => None,
        }
    }

    /// The letter of the space.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Space::Stairs => 'S',
            Space::Dragon => 'D',
            Space::Ghosts => 'G',
            Space::Elf => 'E',
            Space::Questions => 'Q',
        }
    }

    /// The name of the space for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Space::Stairs => "Stairs",
            Space::Dragon => "Dragon",
            Space::Ghosts => "Ghosts",
            Space::Elf => "Elf",
            Space::Questions => "?",
        }
    }

    /// The steps of every other player's cone when a pawn lands here.
    pub(crate) fn steps_of_others(self) -> u8 {
        match self {
            Space::Dragon => 1,
            Space::Ghosts => 2,
            _ => 0,
        }
    }
}

/// What may follow the first round of questions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SecondRound {
    /// A guess.
    Guess,
    /// A guess or another round of questions.
    Either,
    /// A guess; the first round ends at the second NO.
    Moon,
}

/// All rule options of one game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RuleOptions {
    /// The number of seats; 2 is the duel.
    pub seats: usize,
    /// The pawn ring, clockwise.
    pub ring: ArrayVec<Space, MOST_SPACES>,
    /// Where the pawns begin.
    pub ring_start: u8,
    /// The finish: the last space of the scoring track.
    pub finish: u8,
    /// Any word may be chosen; else one of six dealt.
    pub free_words: bool,
    /// The words that are dealt, listed and guessed.
    pub lexicon: WordList,
    /// The asker names the place of the letter; else the owner chooses.
    pub letters_by_place: bool,
    /// What follows the first round.
    pub second_round: SecondRound,
    /// The most questions of one round.
    pub most_questions: u8,
    /// A cone on the finish ends the game after the final penalties; else it wins at once.
    pub penalised: bool,
    /// A guess is right if it means the same; else if it is the same word.
    pub synset: bool,
    /// At least two features must be shown.
    pub no_blobs: bool,
    /// The blob of clay comes down the scoring track.
    pub blob: bool,
    /// The owner of an object answers; else the judge.
    pub owner_answers: bool,
    /// Percentage of cells in which the judge differs from the shipped table.
    pub judge_noise: u8,
    /// When curse tokens may be used.
    pub curse_windows: CurseWindows,
}

/// When curse tokens may be used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CurseWindows {
    /// At any time but while another player is about to guess: also on landing on an Elf or a ?, and
    /// after `stop` by the seat on turn.
    #[default]
    Every,
    /// At the start of a turn, after an answer and after a letter.
    All,
    /// At the start of a turn.
    Turn,
}

const PLAYERS: Combo<usize> = Combo::new(
    "Players",
    &[("3", 3), ("4", 4), ("5", 5), ("6", 6), ("duel", 2)],
    "number of players",
);
const RING: Text = Text::new(
    "Ring",
    "ESDQSDESGQSD",
    "the pawn ring clockwise: 6 to 40 of S D G E Q, at least one D or G",
);
const RING_START: Spin =
    Spin::new("RingStart", 0, 0, 39, "index of the space on which pawns begin");
const GOAL: Spin = Spin::new("Goal", 30, 10, 100, "the finish, last space of the scoring track");
const WORDS: Combo<bool> =
    Combo::new("Words", &[("deal", false), ("free", true)], "one of six words dealt, or any word");
pub(crate) const LEXICON: Combo<WordList> = Combo::new(
    "Lexicon",
    &[("core", WordList::Core), ("all", WordList::All)],
    "everyday words, or the wider lexicon too",
);
const LETTERS: Combo<bool> = Combo::new(
    "Letters",
    &[("owner", false), ("position", true)],
    "who says which letter is given",
);
const ROUND_2: Combo<SecondRound> = Combo::new(
    "Round2",
    &[("guess", SecondRound::Guess), ("either", SecondRound::Either), ("moon", SecondRound::Moon)],
    "what follows the first round",
);
const MAX_QUESTIONS: Spin = Spin::new("MaxQuestions", 10, 1, 99, "questions in one round");
const FINISH_END: Combo<bool> = Combo::new(
    "ZielEnd",
    &[("instant", false), ("penalised", true)],
    "what a cone on the finish does",
);
const MATCH: Combo<bool> =
    Combo::new("Match", &[("lemma", false), ("synset", true)], "same word, or same meaning");
const NO_BLOBS: Check = Check::new("NoBlobs", false, "at least two features must be shown");
const BLOB: Check = Check::new("Blob", false, "the blob comes down the scoring track");
const ANSWERER: Combo<bool> = Combo::new(
    "Answerer",
    &[("judge", false), ("owner", true)],
    "the referee's table or the owner",
);
const JUDGE_NOISE: Spin =
    Spin::new("JudgeNoise", 0, 0, 20, "percentage of cells the judge sees otherwise");
pub(super) const CURSE_WINDOWS: Combo<CurseWindows> = Combo::new(
    "CurseWindows",
    &[("every", CurseWindows::Every), ("all", CurseWindows::All), ("turn", CurseWindows::Turn)],
    "every: also on landing and before the own guess; turn: only when a turn begins",
);

impl RuleOptions {
    /// Reads the options; an error names the two that do not fit together.
    pub(crate) fn from_options(values: &OptionValues) -> Result<Self, NotationError> {
        let ring = parse_ring(RING.get(values))?;
        let ring_start = RING_START.get(values);
        if !(0..ring.len() as i64).contains(&ring_start) {
            return Err(NotationError::new(format!(
                "option RingStart is {ring_start}, but the ring has the spaces 0 to {}",
                ring.len() - 1
            )));
        }
        Ok(RuleOptions {
            seats: PLAYERS.get(values),
            ring,
            ring_start: ring_start as u8,
            finish: GOAL.get(values) as u8,
            free_words: WORDS.get(values),
            lexicon: LEXICON.get(values),
            letters_by_place: LETTERS.get(values),
            second_round: ROUND_2.get(values),
            most_questions: MAX_QUESTIONS.get(values) as u8,
            penalised: FINISH_END.get(values),
            synset: MATCH.get(values),
            no_blobs: NO_BLOBS.get(values),
            blob: BLOB.get(values),
            owner_answers: ANSWERER.get(values),
            judge_noise: JUDGE_NOISE.get(values) as u8,
            curse_windows: CURSE_WINDOWS.get(values),
        })
    }

    /// Every option with its value, in declared order.
    pub(super) fn listed(&self) -> Vec<(&'static str, String)> {
        vec![
            PLAYERS.with(self.seats),
            RING.with(self.ring_text()),
            RING_START.with(self.ring_start),
            GOAL.with(self.finish),
            WORDS.with(self.free_words),
            LEXICON.with(self.lexicon),
            LETTERS.with(self.letters_by_place),
            ROUND_2.with(self.second_round),
            MAX_QUESTIONS.with(self.most_questions),
            FINISH_END.with(self.penalised),
            MATCH.with(self.synset),
            NO_BLOBS.with(self.no_blobs),
            BLOB.with(self.blob),
            ANSWERER.with(self.owner_answers),
            JUDGE_NOISE.with(self.judge_noise),
            CURSE_WINDOWS.with(self.curse_windows),
        ]
    }

    /// Which words may be written.
    pub(crate) fn allowed_words(&self) -> AllowedWords {
        AllowedWords { free: self.free_words, list: self.lexicon }
    }

    /// The ring as text, a letter per space.
    #[must_use]
    pub fn ring_text(&self) -> String {
        self.ring.iter().map(|space| space.letter()).collect()
    }

    /// How many objects each player makes.
    pub(crate) fn objects_each(&self) -> usize {
        match self.seats {
            2 => 4,
            3 => 3,
            _ => 2,
        }
    }

    /// How many objects stand on the table.
    #[must_use]
    pub fn objects(&self) -> usize {
        self.seats * self.objects_each()
    }

    /// The number of arrows that close an object.
    pub(crate) fn arrows_each(&self) -> usize {
        if self.seats == 2 { 1 } else { 2 }
    }

    /// The arrow that ends the game.
    pub(crate) fn last_arrow(&self) -> usize {
        match self.seats {
            2 => 7,
            3 | 4 => 13,
            _ => 17,
        }
    }

    /// The points of the maker when the `arrows`-th arrow of the board goes into the maker's
    /// object.
    #[must_use]
    pub fn maker_points(&self, arrows: usize) -> i32 {
        // Each step: the last arrow that it covers, and the points.
        let steps: &[(usize, i32)] = match self.seats {
            2 => &[(1, -2), (2, -1), (3, 1), (5, 2), (6, 1)],
            3 | 4 => &[(2, -2), (4, -1), (6, 1), (9, 2), (10, 1), (12, -1)],
            _ => &[(2, -2), (5, -1), (8, 1), (12, 2), (14, 1), (16, -1)],
        };
        steps.iter().find(|(last, _)| arrows <= *last).map_or(-2, |(_, points)| *points)
    }

    /// The fewest features a sculpture must show.
    pub(crate) fn fewest_shown(&self) -> usize {
        if self.no_blobs { 2 } else { 1 }
    }

    /// How many NOs end the first round.
    pub(crate) fn noes_allowed(&self) -> u8 {
        if self.second_round == SecondRound::Moon { 2 } else { 1 }
    }

    /// A hash of the options, part of every position key.
    pub(super) fn key(&self) -> u64 {
        self.listed()
            .iter()
            .flat_map(|(_, value)| value.bytes().chain([b'|']))
            .fold(0x5EED, |key, byte| splitmix64(key ^ u64::from(byte)))
    }
}

/// Reads a ring of spaces.
pub(crate) fn parse_ring(text: &str) -> Result<ArrayVec<Space, MOST_SPACES>, NotationError> {
    let fault = |reason: String| NotationError::new(format!("ring '{text}': {reason}"));
    if !(6..=MOST_SPACES).contains(&text.chars().count()) {
        return Err(fault(format!("a ring has 6 to {MOST_SPACES} spaces")));
    }
    let mut ring = ArrayVec::new();
    for letter in text.chars() {
        let Some(space) = Space::from_letter(letter) else {
            return Err(fault("a ring is written with the letters S D G E Q".into()));
        };
        ring.push(space);
    }
    if !ring.iter().any(|space| space.steps_of_others() > 0) {
        return Err(fault("without Dragon D or Ghosts G no game would be sure to end".into()));
    }
    Ok(ring)
}

/// The declarations, in the order of `query rules`.
pub(super) fn declare() -> Vec<OptionSpec> {
    vec![
        PLAYERS.spec(),
        RING.spec(),
        RING_START.spec(),
        GOAL.spec(),
        WORDS.spec(),
        LEXICON.spec(),
        LETTERS.spec(),
        ROUND_2.spec(),
        MAX_QUESTIONS.spec(),
        FINISH_END.spec(),
        MATCH.spec(),
        NO_BLOBS.spec(),
        BLOB.spec(),
        ANSWERER.spec(),
        JUDGE_NOISE.spec(),
        CURSE_WINDOWS.spec(),
    ]
}
