//! The state of a game, full or as one seat may see it.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::mixer::Mixer;
use super::moves::{Gift, Secret};
use super::options::{DEALT, FIRST_CURSES, FIRST_JEWELS, MOST_SHOWN, RuleOptions, Space};
use super::words::{ObjectName, Question, Word};
use crate::game::{MAX_SEATS, Seat, splitmix64};
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId};

/// Where in a game or a turn the state is; a game goes through the phases up to `Start` once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// The judge's noise is drawn.
    Judge,
    /// Words are dealt.
    Deal,
    /// An owner chooses a word.
    Word,
    /// An owner shows features.
    Show,
    /// Chance says who begins.
    First,
    /// The window at the start of a turn.
    Start,
    /// A seat rolls or spends jewels.
    Move,
    /// The die falls.
    Die,
    /// On an Elf.
    Letter,
    /// A letter is owed, or the window after it.
    Give,
    /// On a ?: questions.
    Ask,
    /// An answer is owed, or the window after it.
    Answer,
    /// On a ?: the guess.
    Round2,
    /// A verdict is owed.
    Verdict,
    /// The game is over.
    Over,
}

/// The public state of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SeatState {
    /// Index on the pawn ring.
    pub pawn: u8,
    /// Place of the cone.
    pub score: u8,
    /// Jewels left.
    pub jewels: u8,
    /// Curse tokens left.
    pub curses: u8,
}

/// A letter given to somebody.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GivenLetter {
    /// Who asked for it.
    pub asker: Seat,
    /// The place asked for, where askers name places.
    pub place: Option<u8>,
    /// The reply.
    pub gift: Secret<Gift>,
}

/// The arrow of a right guess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arrow {
    /// Who guessed.
    pub guesser: Seat,
    /// What was guessed: the word, or what counts as the same.
    pub guess: Secret<Word>,
}

/// An object: its secret and what has become known of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Object {
    /// The six words dealt, until one is chosen.
    pub dealt: Option<Secret<[WordId; DEALT]>>,
    /// The word, once it is chosen.
    pub word: Option<Secret<Word>>,
    /// The features shown, in table order.
    pub shown: ArrayVec<PredicateId, MOST_SHOWN>,
    /// Questions and answers in the order they came.
    pub answers: Vec<(Question, Answer)>,
    /// Letters in the order they were given.
    pub letters: Vec<GivenLetter>,
    /// Wrong guesses in the order they came.
    pub wrong: Vec<(Seat, Secret<Word>)>,
    /// The arrows, first and second.
    pub arrows: ArrayVec<Arrow, 2>,
    /// The first 256 predicates, a bit each for those asked so far.
    pub(crate) asked: [u64; 4],
}

impl Object {
    /// The word, if it is chosen and known.
    #[must_use]
    pub fn known_word(&self) -> Option<Word> {
        self.word.and_then(Secret::known)
    }

    /// The word, or the right guess that names it, if either is known.
    #[must_use]
    pub fn named_word(&self) -> Option<Word> {
        let guessed = || self.arrows.iter().find_map(|arrow| arrow.guess.known());
        self.known_word().or_else(guessed)
    }

    /// Whether a seat has guessed it.
    #[must_use]
    pub fn has_arrow_of(&self, seat: Seat) -> bool {
        self.arrows.iter().any(|arrow| arrow.guesser == seat)
    }

    /// Whether a predicate has been asked of it, by its name or in a person's own words.
    pub(crate) fn was_asked(&self, predicate: PredicateId) -> bool {
        let index = usize::from(predicate.0);
        match self.asked.get(index / 64) {
            Some(bits) => bits >> (index % 64) & 1 == 1,
            None => self.answers.iter().any(|(asked, _)| asked.predicate() == Some(predicate)),
        }
    }

    pub(crate) fn note_asked(&mut self, question: &Question) {
        if let Some(predicate) = question.predicate() {
            let index = usize::from(predicate.0);
            if let Some(bits) = self.asked.get_mut(index / 64) {
                *bits |= 1 << (index % 64);
            }
        }
    }
}

/// What the phase waits for.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pending {
    /// Nothing.
    #[default]
    Nothing,
    /// A letter, by place where askers name places.
    Letter(ObjectName, Option<u8>),
    /// An answer.
    Ask(ObjectName, Question),
    /// Nothing, but the window after this answer is open.
    Answered(ObjectName, Question, Answer),
    /// A verdict.
    Guess(ObjectName, Secret<Word>),
}

/// A curse that waits for its letter or verdict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Curse {
    /// Who spent the token.
    pub seat: Seat,
    /// On which object.
    pub object: ObjectName,
    /// What it buys.
    pub kind: CurseKind,
}

/// What a curse token buys.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CurseKind {
    /// A letter, by place where askers name places.
    Letter(Option<u8>),
    /// A guess.
    Guess(Secret<Word>),
}

/// An open window: every seat that could spend a token is asked in turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Window {
    /// Who is asked now.
    pub seat: Seat,
    /// Passes since it opened or since the last curse.
    pub passes: u8,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    /// By the finish; else by the last arrow.
    pub by_finish: bool,
    /// The winners, a bit a seat.
    pub winners: u8,
}

impl Ending {
    /// Whether a seat is among the winners.
    #[must_use]
    pub fn won(&self, seat: Seat) -> bool {
        self.winners >> seat.index() & 1 == 1
    }
}

/// A position of Barbarossa.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub(crate) rules: Arc<RuleOptions>,
    pub(super) rules_key: u64,
    pub(crate) viewer: Option<Seat>,
    /// The judge token; `None` without noise, before it is drawn, and in every view.
    pub(crate) judge: Option<u32>,
    pub(crate) phase: Phase,
    pub(crate) first: Option<Seat>,
    pub(crate) turn: Option<Seat>,
    /// Whether this is the second round of questions of one turn.
    pub(crate) again: bool,
    /// Questions asked in this round.
    pub(crate) asked: u8,
    /// NOs heard in this round.
    pub(crate) noes: u8,
    pub(crate) pending: Pending,
    pub(crate) curse: Option<Curse>,
    pub(crate) window: Option<Window>,
    pub(crate) seats: [SeatState; MAX_SEATS],
    pub(crate) blob: Option<u8>,
    pub(crate) objects: Vec<Object>,
    pub(crate) ending: Option<Ending>,
    /// A hash of everything in `objects`, kept incrementally.
    pub(crate) evidence: u64,
}

impl Position {
    /// The starting position.
    #[must_use]
    pub fn new(rules: RuleOptions, viewer: Option<Seat>) -> Self {
        let mut seats = [SeatState::default(); MAX_SEATS];
        for seat in seats.iter_mut().take(rules.seats) {
            *seat = SeatState {
                pawn: rules.ring_start,
                score: 0,
                jewels: FIRST_JEWELS,
                curses: FIRST_CURSES,
            };
        }
        let phase = match (rules.judge_noise > 0, rules.free_words) {
            (true, _) => Phase::Judge,
            (false, false) => Phase::Deal,
            (false, true) => Phase::Word,
        };
        Position {
            rules_key: rules.key(),
            viewer,
            judge: None,
            phase,
            first: None,
            turn: None,
            again: false,
            asked: 0,
            noes: 0,
            pending: Pending::Nothing,
            curse: None,
            window: None,
            seats,
            blob: rules.blob.then_some(rules.finish),
            objects: vec![Object::default(); rules.objects()],
            ending: None,
            evidence: 0,
            rules: Arc::new(rules),
        }
    }

    /// The current rule options.
    #[must_use]
    pub fn options(&self) -> &RuleOptions {
        &self.rules
    }

    /// Where in a game or a turn this is.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whose turn it is, whoever else is being asked.
    #[must_use]
    pub fn active(&self) -> Option<Seat> {
        self.turn
    }

    /// Who began.
    #[must_use]
    pub fn first(&self) -> Option<Seat> {
        self.first
    }

    /// The public state of a seat.
    #[must_use]
    pub fn seat(&self, seat: Seat) -> &SeatState {
        &self.seats[seat.index()]
    }

    /// What the phase waits for.
    #[must_use]
    pub fn pending(&self) -> &Pending {
        &self.pending
    }

    /// The curse that waits for its letter or verdict.
    #[must_use]
    pub fn curse(&self) -> Option<&Curse> {
        self.curse.as_ref()
    }

    /// The open window.
    #[must_use]
    pub fn window(&self) -> Option<Window> {
        self.window
    }

    /// Questions asked in this round, and NOs among the answers.
    #[must_use]
    pub fn round(&self) -> (u8, u8) {
        (self.asked, self.noes)
    }

    /// Where the blob is, if it plays.
    #[must_use]
    pub fn blob(&self) -> Option<u8> {
        self.blob
    }

    /// How the game ended.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// The judge token, where it is known.
    #[must_use]
    pub fn judge(&self) -> Option<u32> {
        self.judge
    }

    /// Whether the object exists in this game.
    pub(crate) fn has_object(&self, name: ObjectName) -> bool {
        name.owner.index() < self.rules.seats
            && usize::from(name.number) < self.rules.objects_each()
    }

    /// One object; the name must be of this table.
    #[must_use]
    pub fn object(&self, name: ObjectName) -> &Object {
        &self.objects[self.index(name)]
    }

    /// The index of an object.
    #[must_use]
    pub fn index(&self, name: ObjectName) -> usize {
        name.owner.index() * self.rules.objects_each() + usize::from(name.number)
    }

    pub(crate) fn name(&self, index: usize) -> ObjectName {
        let each = self.rules.objects_each();
        ObjectName { owner: Seat::new(index / each), number: (index % each) as u8 }
    }

    /// All objects with their names, in order.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectName, &Object)> {
        self.objects.iter().enumerate().map(|(index, object)| (self.name(index), object))
    }

    /// The object whose deal, word or sculpture is due.
    pub(super) fn due(&self) -> Option<usize> {
        match self.phase {
            Phase::Deal => self.objects.iter().position(|object| object.dealt.is_none()),
            Phase::Word => self.objects.iter().position(|object| object.word.is_none()),
            Phase::Show => self.objects.iter().rposition(|object| object.word.is_some()),
            _ => None,
        }
    }

    /// Whether an object still takes questions, letters and guesses.
    pub(crate) fn is_open(&self, object: &Object) -> bool {
        object.arrows.len() < self.rules.arrows_each()
    }

    /// The open objects of the opponents of a seat.
    pub(crate) fn open_objects(&self, seat: Seat) -> impl Iterator<Item = (ObjectName, &Object)> {
        self.objects().filter(move |(name, object)| name.owner != seat && self.is_open(object))
    }

    /// Arrows on the whole board.
    #[must_use]
    pub fn arrows(&self) -> usize {
        self.objects.iter().map(|object| object.arrows.len()).sum()
    }

    /// The space on which a seat's pawn stands.
    #[must_use]
    pub fn space(&self, seat: Seat) -> Space {
        self.space_ahead(seat, 0)
    }

    /// The space so many steps ahead of a seat's pawn.
    #[must_use]
    pub fn space_ahead(&self, seat: Seat, steps: u8) -> Space {
        let index = usize::from(self.seat(seat).pawn) + usize::from(steps);
        self.rules.ring[index % self.rules.ring.len()]
    }

    /// Whether the viewer may see what only this seat may see.
    pub(super) fn sees(&self, seat: Seat) -> bool {
        self.viewer.is_none_or(|viewer| viewer == seat)
    }

    /// The seat that is `steps` clockwise of another.
    pub(super) fn clockwise(&self, seat: Seat, steps: usize) -> Seat {
        Seat::new((seat.index() + steps) % self.rules.seats)
    }

    /// What the judge answers; `None` where the word or the judge token is not known.
    pub(super) fn judged_answer(&self, name: ObjectName, question: &Question) -> Option<Answer> {
        let Some(asked) = question.asked() else {
            return Some(Answer::DontKnow);
        };
        let word = self.object(name).known_word()?;
        // Noise belongs to the table that was judged by hand.
        if self.rules.judge_noise == 0 || word.id().is_none() {
            return Some(asked.answer(|predicate| word.judged_answer(predicate)));
        }
        let (judge, noise) = (self.judge?, self.rules.judge_noise);
        let noisy =
            |predicate| noisy_answer(judge, noise, &word, predicate, word.judged_answer(predicate));
        Some(asked.answer(noisy))
    }

    /// The NOs of this round that `pend` implies: the answer whose window is open.
    pub(crate) fn implied_noes(&self) -> u8 {
        u8::from(matches!(self.pending, Pending::Answered(_, _, Answer::No)))
    }

    /// Forgets what belongs to one turn.
    pub(super) fn clear_turn(&mut self) {
        self.again = false;
        self.asked = 0;
        self.noes = 0;
        self.pending = Pending::Nothing;
        self.curse = None;
        self.window = None;
    }
}

/// The judge's answer under noise: a function of judge token, word and predicate alone. In a cell
/// that differs, the other three answers are equally likely.
fn noisy_answer(
    judge: u32,
    noise: u8,
    word: &Word,
    predicate: PredicateId,
    shipped: Answer,
) -> Answer {
    let mut cell = Mixer(u64::from(judge));
    for text in [word.text(), Knowledge::shipped().predicate(predicate)] {
        text.bytes().for_each(|byte| cell.add(u64::from(byte)));
        cell.add(256);
    }
    if crate::game::multiply_shift(cell.0, 100) >= u64::from(noise) {
        return shipped;
    }
    let others = super::words::ANSWERS.into_iter().filter(|answer| *answer != shipped);
    let choice = crate::game::multiply_shift(splitmix64(cell.0), 3);
    others.into_iter().nth(choice as usize).unwrap_or(shipped)
}
