//! The engine: Bayesian inference over the lexicon, questions valued per expected NO, movement by
//! value iteration. Every candidate is valued; a limit of nodes or time cuts no list, and a stop only
//! that of free words; of sculptures it takes the best so far.

use super::answer_table::honest_answer;
use super::beliefs::{Beliefs, ObjectBelief};
use super::curses::curse_values;
use super::evaluation::{
    GAME, arrow_value, centipawns, first_points, permille, rivals, shares, weight_of_others,
};
use super::first_sights::wanted;
use super::habits::Habits;
use super::movement::{MovementValues, SpaceValues};
use super::options::PlayOptions;
use super::questions::gains;
use super::reasons::reason;
use super::sculpt::{Sculpture, plan, plan_unlisted};
use crate::game::{Game, Random, Seat, Situation, splitmix64};
use crate::games::barbarossa::knowledge::{Knowledge, WordId};
use crate::games::barbarossa::notation::tokens::write_token;
use crate::games::barbarossa::rules::awaited::Awaited;
use crate::games::barbarossa::rules::legality::allowed_gifts;
use crate::games::barbarossa::rules::moves::{Gift, Move, Secret};
use crate::games::barbarossa::rules::options::DEALT;
use crate::games::barbarossa::rules::position::Position;
use crate::games::barbarossa::rules::words::{LONGEST_WORD, ObjectName, Question, Word};
use crate::search::{Choice, Control, Info, Player, Report, Request, Score};

/// The value of a bit about an object, as a share of the value of its arrow and of the missing
/// bits: from an answer to an own question, and from letters or for rivals.
const ANSWER_BIT: f64 = 1.2;
const BIT: f64 = 0.35;

/// The cost of a question besides its NO.
const QUESTION_PRICE: f64 = 0.08;

/// The weight of the information that an answer gives each rival.
const RIVAL: f64 = 0.12;

/// The value of a round of questions besides the best guess before it.
const QUESTIONS: f64 = 4.0;

/// The number of words considered when any may be chosen.
const FREE_WORDS: usize = 24;

/// The number of words considered by a search that is stopped: as many as are dealt.
const STOPPED_WORDS: usize = DEALT;

/// A move and its value in points.
type Valued = (Move, f64);

/// Plays from beliefs.
#[derive(Clone, Debug)]
pub struct BayesPlayer {
    seed: u64,
    random: Random,
    options: PlayOptions,
    /// `None` at full strength.
    habits: Option<Habits>,
    beliefs: Beliefs,
    /// The sculpture being made.
    sculpture: Option<(ObjectName, Word, Sculpture)>,
}

impl BayesPlayer {
    /// An engine whose choices follow from position, seed and options.
    #[must_use]
    pub fn new(seed: u64, options: PlayOptions) -> Self {
        let habits = Habits::of(options.level, seed);
        BayesPlayer {
            seed,
            random: Random::new(seed),
            options: habits.map_or(options, |habits| habits.options(options)),
            habits,
            beliefs: Beliefs::with_players(),
            sculpture: None,
        }
    }

    /// The candidates as the player's level sees them.
    fn choices(&mut self, position: &Position, seat: Seat, control: &Control) -> Vec<Valued> {
        let Some(habits) = self.habits else { return self.consider(position, seat, control) };
        let remembered = habits.remembered(position, seat);
        let mut valued = self.consider(&remembered, seat, control);
        habits.err(position, &mut valued, |m| self.stated(position, m));
        valued
    }

    /// All candidate moves with their values, in a fixed order. Only free words take so long
    /// that a stop cuts their list.
    fn consider(&mut self, position: &Position, seat: Seat, control: &Control) -> Vec<Valued> {
        self.beliefs.update(position, seat);
        match position.awaited() {
            Awaited::Word(name) => self.words(position, name, control),
            Awaited::Show(name) => self.features(position, name, control),
            Awaited::Window(seat) => self.window(position, seat),
            Awaited::Move(seat) => self.movement(position, seat),
            Awaited::Letter(seat) => {
                let mut moves = self.letters(position, seat);
                moves.push((Move::Pass, 0.0));
                moves
            }
            Awaited::Gift { asker, object, place } => self.gifts(position, asker, object, place),
            Awaited::Questions(seat) => self.questions(position, seat),
            Awaited::Answer(name, question) => {
                let answer = honest_answer(position, name, &question);
                answer.map(|answer| (Move::Answer(answer), 0.0)).into_iter().collect()
            }
            Awaited::SecondRound(seat) => self.second_round(position, seat),
            _ => Vec::new(),
        }
    }

    // Sculpting.

    fn words(&mut self, position: &Position, name: ObjectName, control: &Control) -> Vec<Valued> {
        let mut words: Vec<Word> = match position.object(name).dealt {
            Some(Secret::Known(dealt)) => dealt.into_iter().map(Word::Listed).collect(),
            _ => {
                let mut words: Vec<WordId> = Knowledge::shipped().words().collect();
                Random::new(self.seed ^ splitmix64(position.index(name) as u64))
                    .shuffle(&mut words);
                words.into_iter().take(FREE_WORDS).map(Word::Listed).collect()
            }
        };
        words.retain(|word| position.is_legal(&Move::Word(name, Secret::Known(*word))));
        let wanted = self.wanted(position, name);
        let mut valued = Vec::new();
        for word in words {
            if control.stopped() && valued.len() >= STOPPED_WORDS {
                break;
            }
            let Some(id) = word.id() else {
                continue;
            };
            let sculpture = plan(id, position.options(), self.options, self.seed, wanted, control);
            valued.push((Move::Word(name, Secret::Known(word)), -sculpture.distance));
            let better = |(_, _, best): &(_, _, Sculpture)| sculpture.distance < best.distance;
            if self.sculpture.as_ref().filter(|(n, ..)| *n == name).is_none_or(better) {
                self.sculpture = Some((name, word, sculpture));
            }
        }
        valued
    }

    /// The odds that a word of this object should have at first sight, as a log.
    fn wanted(&self, position: &Position, name: ObjectName) -> f64 {
        let seat = name.owner;
        let others = position.objects().enumerate().filter(|(_, (name, object))| {
            name.owner != seat && !object.shown.is_empty() && object.answers.is_empty()
        });
        let beliefs = others.filter_map(|(index, _)| self.beliefs.get(index));
        let index = position.index(name) as u64;
        let draw = Random::new(splitmix64(self.seed) ^ index).below(1 << 20) as f64;
        let found = beliefs.map(|belief| belief.public.words.iter().map(|(_, p)| p * p).sum());
        // Nobody can tell beforehand which of the objects.
        let open = (index ^ splitmix64(self.seed)).is_multiple_of(2);
        wanted(found, draw / f64::from(1 << 20), open)
    }

    fn features(
        &mut self,
        position: &Position,
        name: ObjectName,
        control: &Control,
    ) -> Vec<Valued> {
        let object = position.object(name);
        let Some(word) = object.known_word() else {
            return Vec::new();
        };
        let known = self.sculpture.as_ref().is_some_and(|(n, w, _)| (n, w) == (&name, &word));
        if !known {
            let wanted = self.wanted(position, name);
            let sculpture = match word.id() {
                Some(id) => plan(id, position.options(), self.options, self.seed, wanted, control),
                None => plan_unlisted(&word, object, position.options(), self.seed),
            };
            self.sculpture = Some((name, word, sculpture));
        }
        let planned = self.sculpture.iter().flat_map(|(_, _, made)| &made.features);
        let next = planned
            .filter(|feature| object.shown.last().is_none_or(|last| *last < **feature))
            .map(|feature| Move::Show(name, *feature))
            .find(|m| position.is_legal(m));
        let next = next.or_else(|| {
            let done = Move::Done(name);
            position.is_legal(&done).then_some(done)
        });
        next.map(|m| (m, 0.0)).into_iter().collect()
    }

    // Guesses, curses, letters.

    fn window(&self, position: &Position, seat: Seat) -> Vec<Valued> {
        let mut valued = vec![(Move::Pass, 0.0)];
        if self.options.curses {
            let guesses = self.guesses(position, seat);
            valued.extend(curse_values(position, seat, &self.beliefs, &guesses));
        }
        valued
    }

    fn guesses(&self, position: &Position, seat: Seat) -> Vec<Valued> {
        let mut valued = Vec::new();
        for (name, object) in position.guessable(seat) {
            let Some(belief) = self.beliefs.get(position.index(name)) else {
                continue;
            };
            let arrow = arrow_value(position, seat, name, object);
            // A word besides the list, which the position shows.
            if let Some(word @ Word::Foreign(_)) = object.known_word() {
                valued.push((Move::Guess(name, Secret::Known(word)), arrow));
            }
            for (word, p) in belief.own.words.iter().take(3) {
                let word = Secret::Known(Word::Listed(WordId(*word)));
                valued.push((Move::Guess(name, word), p * arrow));
            }
        }
        valued
    }

    fn second_round(&self, position: &Position, seat: Seat) -> Vec<Valued> {
        let mut valued = self.guesses(position, seat);
        valued.push((Move::Pass, 0.0));
        if position.may_ask_again() {
            // A second round makes the guess at the next visit more certain.
            let unsure = position.guessable(seat).next().is_some();
            valued.push((Move::Again, if unsure { 0.6 } else { 0.0 }));
        }
        valued
    }

    fn letters(&self, position: &Position, seat: Seat) -> Vec<Valued> {
        let mut valued = Vec::new();
        for (name, object) in position.guessable(seat) {
            if let Some(belief) = self.beliefs.get(position.index(name)) {
                let arrow = arrow_value(position, seat, name, object);
                valued.extend(self.letters_of(position, seat, name, belief, arrow));
            }
        }
        valued
    }

    fn letters_of(
        &self,
        position: &Position,
        seat: Seat,
        name: ObjectName,
        belief: &ObjectBelief,
        arrow: f64,
    ) -> Vec<Valued> {
        let value = |place| {
            let (bits, sureness) = belief.letter_gain(place);
            arrow * (sureness + BIT * bits / (1.0 + belief.own.bits))
        };
        if !position.options().letters_by_place {
            return vec![(Move::Letter(name, None), value(None))];
        }
        (1..=LONGEST_WORD as u8)
            .filter(|place| !position.was_given_place(seat, name, *place))
            .map(|place| (Move::Letter(name, Some(place)), value(Some(place))))
            .collect()
    }

    /// Values of letters: the one that reveals least is best, unless the next arrow gives points.
    fn gifts(
        &self,
        position: &Position,
        asker: Seat,
        name: ObjectName,
        place: Option<u8>,
    ) -> Vec<Valued> {
        let object = position.object(name);
        let Some(word) = object.known_word() else {
            return Vec::new();
        };
        let points = f64::from(position.options().maker_points(position.arrows() + 1));
        let welcome = points - weight_of_others(position) * first_points(object);
        let sign = if welcome > 0.0 { -1.0 } else { 1.0 };
        let belief = self.beliefs.get(position.index(name));
        let value = |gift: &Gift| match (gift, belief) {
            (Gift::Letter(letter), Some(belief)) => sign * belief.share_with(*letter),
            _ => 0.0,
        };
        let gifts = allowed_gifts(object, &word, asker, place);
        gifts.iter().map(|gift| (Move::Give(Secret::Known(gift)), value(&gift))).collect()
    }

    // Questions and movement.

    fn questions(&self, position: &Position, seat: Seat) -> Vec<Valued> {
        let mut valued = vec![(Move::Stop, 0.0)];
        for (name, object) in position.guessable(seat) {
            let Some(belief) = self.beliefs.get(position.index(name)) else {
                continue;
            };
            let arrow = arrow_value(position, seat, name, object);
            let rivals = rivals(position, seat, name, object) * RIVAL * first_points(object);
            let own_bit = ANSWER_BIT / (1.0 + belief.own.bits);
            let public_bit = BIT / (1.0 + belief.public.bits);
            let own = gains(belief.table(), &belief.own, belief.reliability());
            let public = gains(belief.table(), &belief.public, belief.reliability());
            let gains = own.iter().zip(&public);
            for (predicate, (own, public)) in Knowledge::shipped().vocabulary().zip(gains) {
                if object.was_asked(predicate) {
                    continue;
                }
                let value = arrow * (own.sureness + own_bit * own.bits)
                    - rivals * (public.sureness + public_bit * public.bits);
                let value = value / (own.no + QUESTION_PRICE);
                valued.push((Move::Ask(name, Question::Predicate(predicate)), value));
            }
        }
        valued
    }

    fn movement(&self, position: &Position, seat: Seat) -> Vec<Valued> {
        let state = position.seat(seat);
        let (at, jewels) = (usize::from(state.pawn), usize::from(state.jewels));
        if !self.options.jewel_plan || jewels == 0 {
            return vec![(Move::Roll, 0.0)];
        }
        let (later, now) = self.space_values(position, seat);
        let plan = MovementValues::solve(position.options(), later);
        let mut valued = vec![(Move::Roll, plan.roll(at, jewels, &now))];
        for steps in 1..=jewels {
            valued.push((Move::Jewels(steps as u8), plan.spend(at, jewels, steps, &now)));
        }
        valued
    }

    /// The values of spaces, on average and now.
    fn space_values(&self, position: &Position, seat: Seat) -> (SpaceValues, SpaceValues) {
        let others = weight_of_others(position) * (position.seats() - 1) as f64;
        let best = |valued: Vec<Valued>| valued.iter().map(|(_, v)| *v).fold(0.0, f64::max);
        let any = position.guessable(seat).next().is_some();
        let later = SpaceValues {
            dragon: -others,
            ghosts: -2.0 * others,
            elf: if any { 0.6 } else { 0.0 },
            questions: if any { 2.2 } else { 0.0 },
        };
        let wins = |steps: u8| {
            let finish = position.options().finish;
            Seat::all(position.seats())
                .any(|other| other != seat && position.seat(other).score + steps >= finish)
        };
        let danger = |steps| if wins(steps) { -GAME } else { 0.0 };
        let now = SpaceValues {
            dragon: later.dragon + danger(1),
            ghosts: later.ghosts + danger(2),
            elf: best(self.letters(position, seat)),
            questions: if any { QUESTIONS + best(self.guesses(position, seat)) } else { 0.0 },
        };
        (later, now)
    }

    fn tell_beliefs(&self, position: &Position, seat: Seat, report: &mut dyn FnMut(Report<Move>)) {
        for (name, object) in position.objects() {
            if object.word.is_none() || object.shown.is_empty() {
                continue;
            }
            if let Some(belief) = self.beliefs.get(position.index(name)) {
                let (who, belief) =
                    if name.owner == seat { ("others", &belief.public) } else { ("", &belief.own) };
                let mark = if who.is_empty() { "" } else { " (others)" };
                report(Report::Text(format!("{name}{mark} {}", belief.summary(5))));
            }
        }
    }

    /// The stated probability that a guess is right.
    fn stated(&self, position: &Position, m: &Move) -> Option<f64> {
        let (Move::Guess(name, Secret::Known(word)) | Move::CurseGuess(name, Secret::Known(word))) =
            m
        else {
            return None;
        };
        let belief = self.beliefs.get(position.index(*name))?;
        Some(belief.own.of(word.id()?))
    }
}

impl Player<Position> for BayesPlayer {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let position = situation.position();
        let seat = position.turn().seat()?;
        let control = &request.control;
        let mut valued = self.choices(position, seat, control);
        let nodes = valued.len() as u64;
        valued.retain(|(m, _)| request.allows(m) && position.is_legal(m));
        // Stable: of equal values the first in list order wins.
        valued.sort_by(|a, b| b.1.total_cmp(&a.1));
        if valued.is_empty() {
            let any = match &request.search_moves {
                Some(list) => list.first().cloned(),
                None => position.random_move(&mut self.random),
            };
            valued.push((any?, 0.0));
        }
        let best = valued.first()?.0.clone();
        if !matches!(best, Move::Pass) {
            self.tell_beliefs(position, seat, report);
        }
        if let Some(p) = self.stated(position, &best) {
            report(Report::Text(format!("stated {p:.6} for {}", write_token(&best))));
        }
        if let Some(reason) = reason(position, seat, &self.beliefs, &best) {
            report(Report::Text(format!("because {reason}")));
        }
        // How well a sculpture does is no number of points.
        let base = match position.awaited() {
            Awaited::Word(_) | Awaited::Show(_) | Awaited::Move(_) | Awaited::Questions(_) => {
                valued.first()?.1
            }
            _ => 0.0,
        };
        for (index, (m, value)) in valued.iter().take(request.multi_pv.max(1)).enumerate() {
            let shares = shares(position, seat, value - base);
            let mut info =
                Info::new(1, Score::Cp(centipawns(shares[seat.index()])), vec![m.clone()]);
            info.multipv = index + 1;
            info.nodes = nodes;
            info.time = control.elapsed();
            info.shares = Some(permille(&shares[..position.seats()]));
            report(Report::Info(info));
        }
        Some(Choice { best, ponder: None })
    }

    fn new_game(&mut self) {
        self.beliefs = Beliefs::with_players();
        self.sculpture = None;
        self.random = Random::new(self.seed);
    }
}
