//! The turn machine: who decides, and what a move does.

use super::keys::Evidence;
use super::moves::{Gift, Move, Secret};
use super::options::{CurseWindows, DEALT, MOST_JEWELS, SecondRound, Space};
use super::position::{Arrow, Curse, CurseKind, GivenLetter, Pending, Phase, Position, Window};
use super::words::{ObjectName, Word};
use crate::game::{Random, Seat, Turn};
use crate::games::barbarossa::knowledge::{Answer, PredicateId, WordId};

impl Position {
    /// Who decides next.
    pub(super) fn decider(&self) -> Turn {
        let nobody = Turn::Chance { thrower: None };
        if self.ending.is_some() {
            return Turn::Over;
        }
        if let Some(curse) = &self.curse {
            return match curse.kind {
                CurseKind::Letter(_) => Turn::Seat(curse.object.owner),
                CurseKind::Guess(_) => nobody,
            };
        }
        if let Some(window) = self.window {
            return Turn::Seat(window.seat);
        }
        match (self.phase, &self.pending) {
            (Phase::Word | Phase::Show, _) => {
                let owner = self.due().map(|index| self.name(index).owner);
                owner.map_or(nobody, Turn::Seat)
            }
            (Phase::Die, _) => Turn::Chance { thrower: self.turn },
            (_, Pending::Letter(object, _)) => Turn::Seat(object.owner),
            (_, Pending::Ask(object, _)) if self.rules.owner_answers => Turn::Seat(object.owner),
            (Phase::Start | Phase::Move | Phase::Letter | Phase::Ask | Phase::Round2, _) => {
                self.turn.map_or(nobody, Turn::Seat)
            }
            _ => nobody,
        }
    }

    /// Makes a legal move.
    pub(super) fn make(&mut self, m: &Move) {
        match m {
            Move::Judge(token) => {
                self.judge = token.known();
                self.phase = if self.rules.free_words { Phase::Word } else { Phase::Deal };
            }
            Move::Deal(name, words) => self.deal(*name, *words),
            Move::Word(name, word) => self.choose_word(*name, *word),
            Move::Show(name, predicate) => self.show(*name, *predicate),
            Move::Done(_) => {
                let more = self.objects.iter().any(|object| object.word.is_none());
                self.phase = if more { Phase::Word } else { Phase::First };
            }
            Move::First(seat) => {
                self.first = Some(*seat);
                self.start_turn(*seat);
            }
            Move::Roll => self.phase = Phase::Die,
            Move::Die(steps) => self.advance(*steps),
            Move::Jewels(steps) => self.spend_jewels(*steps),
            Move::Letter(name, place) => {
                self.phase = Phase::Give;
                self.pending = Pending::Letter(*name, *place);
            }
            Move::Give(gift) => self.give(*gift),
            Move::Ask(name, question) => {
                self.asked += 1;
                self.phase = Phase::Answer;
                self.pending = Pending::Ask(*name, question.clone());
            }
            Move::Answer(answer) => self.answer(*answer),
            Move::Stop => self.stop(),
            Move::Guess(name, word) => {
                self.phase = Phase::Verdict;
                self.pending = Pending::Guess(*name, *word);
            }
            Move::Again => {
                self.again = true;
                self.phase = Phase::Ask;
            }
            Move::Verdict(right) => self.verdict(*right),
            Move::Pass => self.pass(),
            Move::CurseLetter(name, place) => self.spend_token(*name, CurseKind::Letter(*place)),
            Move::CurseGuess(name, word) => self.spend_token(*name, CurseKind::Guess(*word)),
        }
    }

    fn show(&mut self, name: ObjectName, predicate: PredicateId) {
        let index = self.index(name);
        self.toggle(&Evidence::Shown(index as u8, predicate));
        self.objects[index].shown.push(predicate);
    }

    fn spend_jewels(&mut self, steps: u8) {
        if let Some(seat) = self.turn {
            self.seats[seat.index()].jewels -= steps;
        }
        self.advance(steps);
    }

    /// Six words that have not been dealt, drawn by a seed.
    pub(super) fn draw_words(&self, seed: u64) -> Option<Move> {
        let name = self.name(self.due()?);
        let count = self.rules.lexicon.len();
        if count < (self.objects.len() + 1) * DEALT {
            return None;
        }
        let mut random = Random::new(seed);
        let mut drawn = Vec::with_capacity(DEALT);
        while drawn.len() < DEALT {
            let word = WordId(random.below(count as u64) as u16);
            if !drawn.contains(&word) && !self.was_dealt(word) {
                drawn.push(word);
            }
        }
        let dealt = <[WordId; DEALT]>::try_from(drawn).ok()?;
        Some(Move::Deal(name, Secret::Known(dealt)))
    }

    /// Whether a word has been dealt for any object, as far as the viewer knows.
    pub(super) fn was_dealt(&self, word: WordId) -> bool {
        let mut dealt = self.objects.iter().filter_map(|object| object.dealt?.known());
        dealt.any(|words| words.contains(&word))
    }

    fn deal(&mut self, name: ObjectName, words: Secret<[WordId; DEALT]>) {
        let index = self.index(name);
        self.toggle(&Evidence::Dealt(index as u8, words));
        self.objects[index].dealt = Some(words);
        if index + 1 == self.objects.len() {
            self.phase = Phase::Word;
        }
    }

    fn choose_word(&mut self, name: ObjectName, word: Secret<Word>) {
        let index = self.index(name);
        if let Some(dealt) = self.objects[index].dealt.take() {
            self.toggle(&Evidence::Dealt(index as u8, dealt));
        }
        self.toggle(&Evidence::Word(index as u8, word));
        self.objects[index].word = Some(word);
        self.phase = Phase::Show;
    }

    fn start_turn(&mut self, seat: Seat) {
        self.clear_turn();
        self.turn = Some(seat);
        if self.first == Some(seat) {
            self.step_blob();
        }
        self.phase = Phase::Start;
        self.open_window();
    }

    fn end_turn(&mut self) {
        if let Some(seat) = self.turn {
            self.start_turn(self.clockwise(seat, 1));
        }
    }

    fn advance(&mut self, steps: u8) {
        let Some(seat) = self.turn else {
            return;
        };
        let state = &mut self.seats[seat.index()];
        state.pawn = ((usize::from(state.pawn) + usize::from(steps)) % self.rules.ring.len()) as u8;
        match self.space(seat) {
            Space::Stairs => {
                let state = &mut self.seats[seat.index()];
                state.jewels = MOST_JEWELS.min(state.jewels + 1);
                self.end_turn();
            }
            space @ (Space::Dragon | Space::Ghosts) => {
                self.advance_others(seat, space.steps_of_others());
                if self.ending.is_none() {
                    self.end_turn();
                }
            }
            Space::Elf => self.land(Phase::Letter),
            Space::Questions => self.land(Phase::Ask),
        }
    }

    fn land(&mut self, phase: Phase) {
        self.phase = phase;
        self.open_window();
    }

    // Windows and curses.

    /// Whether a seat is polled in windows: it holds a token and something to spend it on.
    pub(super) fn is_polled(&self, seat: Seat) -> bool {
        self.seat(seat).curses > 0 && self.open_objects(seat).next().is_some()
    }

    /// The first seat to poll, `from` steps clockwise of the seat whose turn it is or later.
    fn next_polled(&self, from: usize) -> Option<Seat> {
        let turn = self.turn?;
        (from..self.rules.seats)
            .map(|steps| self.clockwise(turn, steps))
            .find(|seat| self.is_polled(*seat))
    }

    /// How many steps clockwise a seat is of the seat whose turn it is.
    pub(super) fn steps_from_turn(&self, seat: Seat) -> usize {
        let turn = self.turn.map_or(0, Seat::index);
        (seat.index() + self.rules.seats - turn) % self.rules.seats
    }

    /// Whether the rules have a window in this phase.
    pub(super) fn has_window(&self) -> bool {
        match self.phase {
            Phase::Start => true,
            Phase::Give | Phase::Answer => self.rules.curse_windows != CurseWindows::Turn,
            Phase::Letter | Phase::Ask | Phase::Round2 => {
                self.rules.curse_windows == CurseWindows::Every
            }
            _ => false,
        }
    }

    /// Whether nobody but the seat on turn is polled: it is about to guess.
    pub(super) fn polls_one(&self) -> bool {
        self.phase == Phase::Round2
    }

    fn open_window(&mut self) {
        let first = if self.polls_one() {
            self.turn.filter(|seat| self.is_polled(*seat))
        } else {
            self.next_polled(0)
        };
        let first = first.filter(|_| self.has_window());
        self.window = first.map(|seat| Window { seat, passes: 0 });
        if self.window.is_none() {
            self.close_window();
        }
    }

    fn close_window(&mut self) {
        self.window = None;
        match self.phase {
            Phase::Start => self.phase = Phase::Move,
            Phase::Give => self.end_turn(),
            Phase::Answer => self.after_answer(),
            _ => {}
        }
    }

    fn pass(&mut self) {
        let Some(window) = self.window else {
            return self.end_turn();
        };
        match self.next_polled(self.steps_from_turn(window.seat) + 1) {
            Some(seat) if !self.polls_one() => {
                self.window = Some(Window { seat, passes: window.passes + 1 });
            }
            _ => self.close_window(),
        }
    }

    fn spend_token(&mut self, object: ObjectName, kind: CurseKind) {
        if let Some(Window { seat, .. }) = self.window.take() {
            self.seats[seat.index()].curses -= 1;
            self.curse = Some(Curse { seat, object, kind });
        }
    }

    // Letters, questions, guesses.

    /// Who asks for the letter that is owed, of which object, at which place.
    pub(super) fn letter_owed(&self) -> Option<(Seat, ObjectName, Option<u8>)> {
        match (&self.curse, &self.pending) {
            (Some(Curse { seat, object, kind: CurseKind::Letter(place) }), _) => {
                Some((*seat, *object, *place))
            }
            (None, Pending::Letter(object, place)) => Some((self.turn?, *object, *place)),
            _ => None,
        }
    }

    /// Who guesses what, while the verdict is owed.
    #[must_use]
    pub fn guess_owed(&self) -> Option<(Seat, ObjectName, Secret<Word>)> {
        match (&self.curse, &self.pending) {
            (Some(Curse { seat, object, kind: CurseKind::Guess(word) }), _) => {
                Some((*seat, *object, *word))
            }
            (None, Pending::Guess(object, word)) => Some((self.turn?, *object, *word)),
            _ => None,
        }
    }

    fn give(&mut self, gift: Secret<Gift>) {
        let Some((asker, name, place)) = self.letter_owed() else {
            return;
        };
        let index = self.index(name);
        let letter = GivenLetter { asker, place, gift };
        let count = self.objects[index].letters.len();
        self.toggle(&Evidence::Letter(index as u8, count, letter));
        self.objects[index].letters.push(letter);
        if self.curse.take().is_none() {
            self.pending = Pending::Nothing;
        }
        self.open_window();
    }

    fn answer(&mut self, answer: Answer) {
        let Pending::Ask(name, question) = std::mem::take(&mut self.pending) else {
            return;
        };
        let index = self.index(name);
        let count = self.objects[index].answers.len();
        self.toggle(&Evidence::Answer(index as u8, count, question.clone(), answer));
        let object = &mut self.objects[index];
        object.note_asked(&question);
        object.answers.push((question.clone(), answer));
        self.noes += u8::from(answer == Answer::No);
        self.pending = Pending::Answered(name, question, answer);
        self.open_window();
    }

    /// After the window of an answer: more questions, or the end of the round.
    fn after_answer(&mut self) {
        self.pending = Pending::Nothing;
        if self.asks_on() {
            self.phase = Phase::Ask;
        } else {
            self.end_questions();
        }
    }

    /// Whether the round of questions goes on after the last answer.
    pub(crate) fn asks_on(&self) -> bool {
        self.noes < self.rules.noes_allowed() && self.asked < self.rules.most_questions
    }

    fn stop(&mut self) {
        self.end_questions();
        if self.phase == Phase::Round2 {
            self.open_window();
        }
    }

    fn end_questions(&mut self) {
        if self.again {
            self.end_turn();
        } else {
            self.clear_turn();
            self.phase = Phase::Round2;
        }
    }

    /// Whether the seat may ask another round in place of its guess.
    pub(crate) fn may_ask_again(&self) -> bool {
        self.rules.second_round == SecondRound::Either
    }

    fn verdict(&mut self, right: bool) {
        let Some((guesser, name, word)) = self.guess_owed() else {
            return;
        };
        if right {
            self.score_arrow(name, Arrow { guesser, guess: word });
            if self.ending.is_some() {
                return;
            }
        } else {
            let index = self.index(name);
            let count = self.objects[index].wrong.len();
            self.toggle(&Evidence::Wrong(index as u8, count, guesser, word));
            self.objects[index].wrong.push((guesser, word));
        }
        if self.curse.take().is_some() {
            self.open_window();
        } else {
            self.end_turn();
        }
    }
}
