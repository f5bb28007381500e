//! Which positions are possible: finds every contradiction that shows without replaying a game.

use super::legality::{Illegal, allowed_gifts};
use super::moves::Secret;
use super::options::{CURSE_WINDOWS, FIRST_CURSES, MOST_JEWELS, SecondRound, Space};
use super::position::{Arrow, CurseKind, Object, Pending, Phase, Position, SeatState};
use super::words::{ObjectName, Word};
use crate::game::Seat;
use crate::games::barbarossa::knowledge::{Answer, Knowledge};

type Check = Result<(), String>;

/// Refuses with a reason unless the condition holds.
fn require(holds: bool, reason: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(reason()) }
}

/// A broken rule in words.
fn said(checked: Result<(), Illegal>) -> Check {
    checked.map_err(|illegal| illegal.to_string())
}

impl Position {
    /// Whether the position is possible; else the reason why not.
    pub(crate) fn validate(&self) -> Check {
        self.check_seats()?;
        self.check_setup()?;
        for (name, object) in self.objects() {
            let checked = self.check_object(name, object);
            checked.map_err(|reason| format!("{name}: {reason}"))?;
        }
        self.check_dealt()?;
        self.check_ending()?;
        self.check_round()?;
        self.check_pending()?;
        self.check_window()
    }

    fn check_seats(&self) -> Check {
        for seat in Seat::all(self.rules.seats) {
            let SeatState { pawn, score, jewels, curses } = *self.seat(seat);
            require(usize::from(pawn) < self.rules.ring.len(), || {
                format!("pawn: {seat} stands on {pawn} of a ring of {}", self.rules.ring.len())
            })?;
            require(score <= self.rules.finish, || {
                format!("score: {seat} has {score}, beyond the finish {}", self.rules.finish)
            })?;
            require(jewels <= MOST_JEWELS, || {
                format!("jewels: {seat} has {jewels}, the scale ends at {MOST_JEWELS}")
            })?;
            require(curses <= FIRST_CURSES, || {
                format!("curse: {seat} has {curses} tokens of {FIRST_CURSES}")
            })?;
        }
        require(self.blob.is_some() == self.rules.blob, || {
            "blob: a number with the option Blob, - without".into()
        })?;
        require(self.blob.is_none_or(|blob| blob <= self.rules.finish), || {
            format!("blob: beyond the finish {}", self.rules.finish)
        })
    }

    fn is_setup(&self) -> bool {
        use Phase::{Deal, First, Judge, Show, Word};
        matches!(self.phase, Judge | Deal | Word | Show | First)
    }

    fn check_setup(&self) -> Check {
        let begun = self.first.is_some() && self.turn.is_some();
        let not_begun = self.first.is_none() && self.turn.is_none();
        require(if self.is_setup() { not_begun } else { begun }, || {
            "first and turn: seats once play has begun, - before".into()
        })?;
        if self.is_setup() {
            let fresh = Position::new(self.rules.as_ref().clone(), self.viewer);
            require(self.seats == fresh.seats && self.blob == fresh.blob, || {
                "before play begins pawns, scores, jewels, curse and blob stand as at the start"
                    .into()
            })?;
        }
        require(self.phase != Phase::Judge || self.rules.judge_noise > 0, || {
            "phase=judge needs the option JudgeNoise".into()
        })?;
        require(self.phase != Phase::Deal || !self.rules.free_words, || {
            "phase=deal, but with Words free nothing is dealt".into()
        })?;
        self.check_progress()
    }

    /// Checks that deals, words and sculptures are as complete as the phase needs.
    fn check_progress(&self) -> Check {
        let count = self.objects.len();
        let dealt = self.objects.iter().take_while(|object| object.dealt.is_some()).count();
        let chosen = self.objects.iter().take_while(|object| object.word.is_some()).count();
        let later_words = self.objects[chosen..].iter().any(|object| object.word.is_some());
        require(!later_words, || "words are chosen in the order of the objects".into())?;
        let deals = self.objects.iter().filter(|object| object.dealt.is_some()).count();
        let deals_due = if self.rules.free_words { 0 } else { count - chosen };
        let right = match self.phase {
            Phase::Judge => chosen == 0 && deals == 0,
            Phase::Deal => chosen == 0 && deals == dealt && dealt < count,
            Phase::Word => chosen < count && deals == deals_due,
            Phase::Show => chosen > 0 && deals == deals_due,
            _ => chosen == count && deals == 0,
        };
        require(right, || {
            format!("{dealt} deals and {chosen} words of {count} objects do not fit the phase")
        })
    }

    fn check_object(&self, name: ObjectName, object: &Object) -> Check {
        let untouched = object.answers.is_empty()
            && object.letters.is_empty()
            && object.wrong.is_empty()
            && object.arrows.is_empty();
        require(!self.is_setup() || untouched, || {
            "nothing is asked, given or guessed before play begins".into()
        })?;
        self.check_visible(&object.dealt, self.sees(name.owner), "the words dealt")?;
        self.check_visible(&object.word, self.sees(name.owner), "the word")?;
        self.check_features(name, object)?;
        self.check_answers(name, object)?;
        self.check_letters(name, object)?;
        self.check_wrong(name, object)?;
        self.check_arrows(name, object)
    }

    fn check_arrows(&self, name: ObjectName, object: &Object) -> Check {
        let arrows = &object.arrows;
        require(arrows.len() <= self.rules.arrows_each(), || {
            format!("{} arrows, at most {}", arrows.len(), self.rules.arrows_each())
        })?;
        let twice = arrows.len() == 2 && arrows[0].guesser == arrows[1].guesser;
        require(!twice, || "both arrows are of the same seat".into())?;
        for Arrow { guesser, guess } in arrows {
            require(*guesser != name.owner, || "an arrow of its owner".into())?;
            require(self.is_seated(*guesser), || "an arrow of a seat that does not play".into())?;
            let Some(guess) = guess.known() else { continue };
            require(self.sees(name.owner) || self.sees(*guesser), || {
                format!("arrows: what {guesser} guessed is not for this view")
            })?;
            let right = object.known_word().is_none_or(|w| w.same(&guess, self.rules.synset));
            require(right, || format!("arrows: '{}' is wrong", guess.text()))?;
        }
        Ok(())
    }

    fn is_seated(&self, seat: Seat) -> bool {
        seat.index() < self.rules.seats
    }

    fn check_visible<T: Copy>(
        &self,
        secret: &Option<Secret<T>>,
        visible: bool,
        what: &str,
    ) -> Check {
        match (secret, self.viewer) {
            (Some(Secret::Masked), None) => {
                Err(format!("? for {what}, but this position sees everything"))
            }
            (Some(Secret::Masked), Some(viewer)) if visible => {
                Err(format!("{viewer} knows {what}"))
            }
            (Some(Secret::Known(_)), Some(viewer)) if !visible => {
                Err(format!("{viewer} may not see {what}; a view writes ?"))
            }
            _ => Ok(()),
        }
    }

    fn check_features(&self, name: ObjectName, object: &Object) -> Check {
        let knowledge = Knowledge::shipped();
        let chosen = object.word.is_some();
        require(chosen || object.shown.is_empty(), || "features without a word".into())?;
        for (count, feature) in object.shown.iter().enumerate() {
            let text = knowledge.predicate(*feature);
            require(knowledge.is_listed(*feature) && knowledge.is_clay_visible(*feature), || {
                format!("clay cannot show {text}")
            })?;
            require(object.shown[..count].last().is_none_or(|last| last < feature), || {
                format!("{text} is out of table order")
            })?;
            if let Some(word) = object.known_word() {
                require(word.may_show(*feature), || {
                    format!("{text} is not true of '{}', not even possibly", word.text())
                })?;
            }
        }
        let done = chosen
            && (self.phase != Phase::Show || self.due().map(|due| self.name(due)) != Some(name));
        let fewest = self.rules.fewest_shown();
        require(!done || object.shown.len() >= fewest, || {
            format!("a sculpture that is done shows at least {fewest} features")
        })
    }

    fn check_answers(&self, name: ObjectName, object: &Object) -> Check {
        for (count, (question, answer)) in object.answers.iter().enumerate() {
            let before = &object.answers[..count];
            let twice = match question.predicate() {
                Some(id) => before.iter().any(|(asked, _)| asked.predicate() == Some(id)),
                None => before.iter().any(|(asked, _)| asked == question),
            };
            require(!twice, || format!("{question} is asked twice"))?;
            if !self.rules.owner_answers {
                let judged = self.judged_answer(name, question);
                require(judged.is_none_or(|judged| judged == *answer), || {
                    format!("the judge does not answer {answer} to {question}")
                })?;
            }
        }
        Ok(())
    }

    fn check_letters(&self, name: ObjectName, object: &Object) -> Check {
        let mut replayed = Object { word: object.word, ..Object::default() };
        for letter in &object.letters {
            let asker = letter.asker;
            require(self.is_seated(asker) && asker != name.owner, || {
                format!("letters: {asker} is no opponent")
            })?;
            let visible = self.sees(name.owner) || self.sees(asker);
            self.check_visible(&Some(letter.gift), visible, "a letter")?;
            require(letter.place.is_some() == self.rules.letters_by_place, || {
                "letters: places with Letters position, none without".into()
            })?;
            let twice = letter.place.is_some()
                && replayed.letters.iter().any(|g| (g.asker, g.place) == (asker, letter.place));
            let beyond = letter.place.is_some_and(|place| !(1..=14).contains(&place));
            require(!twice && !beyond, || format!("letters: a place that {asker} may not name"))?;
            if let (Some(word), Some(gift)) = (replayed.known_word(), letter.gift.known()) {
                let allowed = allowed_gifts(&replayed, &word, asker, letter.place);
                require(allowed.contains(gift), || {
                    format!("letters: {asker} was given what '{}' does not have", word.text())
                })?;
            }
            replayed.letters.push(*letter);
        }
        Ok(())
    }

    fn check_wrong(&self, name: ObjectName, object: &Object) -> Check {
        for (count, (guesser, word)) in object.wrong.iter().enumerate() {
            require(self.is_seated(*guesser) && *guesser != name.owner, || {
                format!("wrong: {guesser} is no opponent")
            })?;
            let visible = self.sees(name.owner) || self.sees(*guesser);
            self.check_visible(&Some(*word), visible, "a wrong guess")?;
            let Some(guess) = word.known() else {
                continue;
            };
            let again = object.wrong[..count].iter().any(|(other, known)| {
                other == guesser && known.known().is_some_and(|known| known.same(&guess, false))
            });
            require(!again, || format!("wrong: {guesser} guessed '{}' twice", guess.text()))?;
            let right = object.known_word().is_some_and(|w| w.same(&guess, self.rules.synset));
            require(!right, || format!("wrong: '{}' is right", guess.text()))?;
        }
        Ok(())
    }

    /// Dealt words are distinct, and so are the words of one owner.
    fn check_dealt(&self) -> Check {
        let mut dealt: Vec<_> =
            self.objects.iter().filter_map(|object| object.dealt?.known()).flatten().collect();
        let all = dealt.len();
        dealt.sort_unstable();
        dealt.dedup();
        require(dealt.len() == all, || "objects: a word is dealt twice".into())?;
        let mut seen: Vec<(Option<Seat>, Word)> = Vec::new();
        for (name, object) in self.objects() {
            let Some(word) = object.known_word() else {
                continue;
            };
            // Dealt words are distinct over the whole table, chosen words over the objects of one
            // owner.
            let scope = self.rules.free_words.then_some(name.owner);
            let twice =
                seen.iter().any(|(other, known)| *other == scope && known.same(&word, false));
            require(!twice, || format!("{name}: '{}' is the word of two objects", word.text()))?;
            let again = word.id().is_some_and(|id| dealt.binary_search(&id).is_ok());
            require(!again, || format!("{name}: '{}' is also dealt elsewhere", word.text()))?;
            seen.push((scope, word));
        }
        Ok(())
    }

    fn check_ending(&self) -> Check {
        let (arrows, last) = (self.arrows(), self.rules.last_arrow());
        require(arrows <= last, || format!("arrows: {arrows}, but the game ends at {last}"))?;
        let Some(ending) = self.ending else {
            require(self.phase != Phase::Over, || "phase=over needs end=REASON:WINNERS".into())?;
            require(arrows < last, || format!("the {last} arrows of the end, but no phase=over"))?;
            return require(self.on_finish() == 0, || {
                "score: a cone stands on the finish, but no phase=over".into()
            });
        };
        require(self.phase == Phase::Over, || "end: only with phase=over".into())?;
        require(ending.by_finish || arrows == last, || {
            format!("end: last-arrow with {arrows} arrows of {last}")
        })?;
        let right = if ending.by_finish && !self.rules.penalised {
            ending.winners & !self.on_finish() == 0
        } else {
            ending.winners == self.nearest_to_finish()
        };
        require(right && ending.winners != 0, || "end: not the winners by the scores".into())
    }

    fn check_round(&self) -> Check {
        use Phase::{Answer, Ask, Give, Letter, Round2, Verdict};
        let rules = &self.rules;
        let asking = matches!(self.phase, Ask | Answer);
        require(asking || (self.asked, self.noes, self.again) == (0, 0, false), || {
            "asked and round: only in the phases ask and answer".into()
        })?;
        let answered =
            self.asked - u8::from(matches!(self.pending, Pending::Ask(..))).min(self.asked);
        let answers: usize = self.objects.iter().map(|object| object.answers.len()).sum();
        let open = self.phase == Ask || matches!(self.pending, Pending::Ask(..));
        let right = self.noes <= answered
            && usize::from(answered) <= answers
            && self.asked <= rules.most_questions
            && self.noes <= rules.noes_allowed()
            && (self.phase != Answer || self.asked > 0)
            && (!open || self.noes < rules.noes_allowed())
            && (self.phase != Ask || self.asked < rules.most_questions);
        require(right, || {
            format!("asked={} with {} NOs cannot be in this phase", self.asked, self.noes)
        })?;
        let again_allowed = rules.second_round == SecondRound::Either;
        require(!self.again || again_allowed, || "round=2 needs the option Round2 either".into())?;
        let space = self.turn.map(|seat| self.space(seat));
        let right = match self.phase {
            Letter | Give => space == Some(Space::Elf),
            Ask | Answer | Round2 | Verdict => space == Some(Space::Questions),
            _ => true,
        };
        require(right, || "the pawn stands on another space than this phase needs".into())
    }

    fn check_pending(&self) -> Check {
        let waits = self.window.is_some() || self.curse.is_some();
        let right = match (self.phase, &self.pending) {
            (Phase::Give, Pending::Letter(..)) | (Phase::Answer, Pending::Ask(..)) => !waits,
            (Phase::Give, Pending::Nothing) | (Phase::Answer, Pending::Answered(..)) => waits,
            (Phase::Start, Pending::Nothing) => waits,
            (Phase::Verdict, Pending::Guess(..)) => !waits,
            (Phase::Give | Phase::Answer | Phase::Start | Phase::Verdict, _) => false,
            (Phase::Letter | Phase::Ask | Phase::Round2, Pending::Nothing) => true,
            (_, Pending::Nothing) => !waits,
            _ => false,
        };
        require(right, || "pend and win do not fit the phase".into())?;
        let Some(turn) = self.turn else {
            return Ok(());
        };
        let given = |object: &Object| object.letters.iter().any(|letter| letter.asker == turn);
        let checked = match &self.pending {
            Pending::Nothing if self.phase == Phase::Give => {
                require(self.objects.iter().any(given), || {
                    format!("the window of a letter, but {turn} was given none")
                })
            }
            Pending::Nothing => Ok(()),
            Pending::Letter(name, place) => said(self.check_letter(turn, *name, *place)),
            Pending::Guess(name, word) => said(self.check_guess(turn, *name, word)),
            Pending::Ask(name, question) => said(self.check_asked(turn, *name, question)),
            Pending::Answered(name, question, answer) => {
                let last = self.has_object(*name).then(|| self.object(*name).answers.last());
                let known = (question.clone(), *answer);
                require(last.flatten() == Some(&known) && name.owner != turn, || {
                    format!("ask:{name}:{question}:{answer} is not the last answer")
                })?;
                let no = u8::from(*answer == Answer::No);
                require(self.noes >= no, || "a NO that round does not count".into())
            }
        };
        checked.map_err(|reason| format!("pend: {reason}"))
    }

    fn check_window(&self) -> Check {
        let waits = self.window.is_some() || self.curse.is_some();
        require(!waits || self.has_window(), || {
            format!(
                "win: no window in this phase with CurseWindows {}",
                CURSE_WINDOWS.name_of(self.rules.curse_windows)
            )
        })?;
        let asking = self.phase == Phase::Ask && (self.asked > 0 || self.again);
        require(!waits || !asking, || {
            "win: on a ? the window is before the first question, or after an answer".into()
        })?;
        let polled = self.window.map(|window| window.seat).or(self.curse.map(|curse| curse.seat));
        require(!self.polls_one() || polled.is_none() || polled == self.turn, || {
            "win: after stop only the seat on turn is polled".into()
        })?;
        if let Some(window) = self.window {
            require(self.curse.is_none(), || "win: - while a curse waits".into())?;
            let steps = self.steps_from_turn(window.seat);
            let before = (0..steps).filter(|steps| {
                self.turn.is_some_and(|turn| self.is_polled(self.clockwise(turn, *steps)))
            });
            let before = before.count();
            require(self.is_polled(window.seat) && before == usize::from(window.passes), || {
                format!("win: {} is not polled after {} passes", window.seat, window.passes)
            })?;
        }
        let Some(curse) = self.curse else {
            return Ok(());
        };
        require(self.is_seated(curse.seat), || format!("pend: {} does not play", curse.seat))?;
        require(self.seat(curse.seat).curses < FIRST_CURSES, || {
            format!("curse: {} has spent a token and has all of them", curse.seat)
        })?;
        let checked = match &curse.kind {
            CurseKind::Letter(place) => self.check_letter(curse.seat, curse.object, *place),
            CurseKind::Guess(word) => self.check_guess(curse.seat, curse.object, word),
        };
        checked.map_err(|reason| format!("pend: {reason}"))
    }
}
