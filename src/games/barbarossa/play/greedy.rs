//! The greedy player: exact beliefs, and always the move with the greatest gain now.
//!
//! It keeps nothing between moves but its random numbers: every belief follows from the position.

use super::answer_table::{AnswerTable, honest_answer};
use super::distribution::plogp;
use super::sculpt::random_show;
use super::view_random::ViewRandom;
use crate::game::{Game, Seat, Situation};
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId, word_list};
use crate::games::barbarossa::rules::awaited::Awaited;
use crate::games::barbarossa::rules::moves::{Gift, Move, Secret};
use crate::games::barbarossa::rules::options::Space;
use crate::games::barbarossa::rules::position::{Object, Position};
use crate::games::barbarossa::rules::scoring::guesser_points;
use crate::games::barbarossa::rules::words::{LONGEST_WORD, ObjectName, Question, Word};
use crate::search::{Choice, Info, Player, Report, Request, Score};

/// The least share of answers that are taken to be wrong.
const LEAST_ERROR: f64 = 0.03;

/// The cost of a question in NOs besides its expected NO.
const QUESTION_COST: f64 = 0.15;

/// An object below this entropy, in bits, counts as known.
const KNOWN_BITS: f64 = 0.3;

/// A word above this probability needs no letter.
const KNOWN: f64 = 0.95;

/// The farthest Elf that is worth jewels, in spaces.
const ELF_STEPS: u8 = 2;

/// Arrows on the board from which a curse token needs less certainty.
const LATE: usize = 9;

/// What the player believes of one object.
struct WordBelief {
    table: &'static AnswerTable,
    /// Words with their probabilities, highest first.
    words: Vec<(u16, f64)>,
    /// Entropy in bits.
    bits: f64,
}

impl WordBelief {
    /// Bayes' rule over the lexicon. Features, letters and wrong guesses exclude words; answers may
    /// be wrong with the probability `error`.
    fn new(position: &Position, object: &Object, seat: Seat, excluded: &[Word]) -> Self {
        let (table, error) = (AnswerTable::of(position.options().lexicon), error(position));
        let mut weights: Vec<f64> = (0..table.words())
            .map(|word| {
                let fits = fits_letters(table, object, seat, word);
                if fits { feature_weight(table, object, word) } else { 0.0 }
            })
            .collect();
        let wrong = object.wrong.iter().filter(|(guesser, _)| *guesser == seat);
        let wrong = wrong.filter_map(|(_, guess)| guess.known());
        for word in wrong.chain(excluded.iter().copied()).filter_map(|word| word.id()) {
            if let Some(weight) = weights.get_mut(usize::from(word.0)) {
                *weight = 0.0;
            }
        }
        for (question, answer) in &object.answers {
            let evidence = question.asked().and_then(|asked| asked.evidence(*answer));
            if let Some((predicate, answer)) = evidence {
                let column = table.answers(predicate);
                for (weight, cell) in weights.iter_mut().zip(column.iter()) {
                    *weight *= if *cell == answer as u8 { 1.0 - error } else { error / 3.0 };
                }
                normalise(&mut weights);
            }
        }
        normalise(&mut weights);
        let words = weights.into_iter().enumerate().filter(|(_, p)| *p > 0.0);
        let mut words: Vec<(u16, f64)> = words.map(|(word, p)| (word as u16, p)).collect();
        words.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let bits = -words.iter().map(|(_, p)| plogp(*p)).sum::<f64>();
        WordBelief { table, words, bits }
    }

    /// The most likely word and its probability.
    fn top(&self) -> Option<(Secret<Word>, f64)> {
        let (word, p) = self.words.first()?;
        Some((Secret::Known(Word::Listed(WordId(*word))), *p))
    }

    /// The entropy of the answer to a question and the probability of NO.
    fn answer(&self, predicate: PredicateId, error: f64) -> (f64, f64) {
        if self.words.is_empty() {
            return (0.0, 0.0);
        }
        let column = self.table.column(predicate);
        let mut mass = [0.0; 4];
        for (word, p) in &self.words {
            mass[usize::from(column.get(usize::from(*word)).copied().unwrap_or(3) & 3)] += p;
        }
        let given = mass.map(|mass| mass * (1.0 - error) + (1.0 - mass) * error / 3.0);
        (-given.iter().map(|p| plogp(*p)).sum::<f64>(), given[Answer::No as usize])
    }

    /// The entropy of the letter at a place, from 1.
    fn letter_bits(&self, place: u8) -> f64 {
        let mut mass = [0.0; 27];
        for (word, p) in &self.words {
            let text = word_list::word(WordId(*word)).as_bytes();
            let letter = text.get(usize::from(place).wrapping_sub(1));
            mass[letter.map_or(26, |letter| usize::from(letter.wrapping_sub(b'a')).min(25))] += p;
        }
        -mass.iter().map(|p| plogp(*p)).sum::<f64>()
    }
}

fn normalise(weights: &mut [f64]) {
    let total: f64 = weights.iter().sum();
    if total > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= total);
    }
}

/// What a feature that is only possibly true weighs against one that is true.
const POSSIBLE_SHOWN: f64 = 0.2;

/// P(shown | word): each feature was chosen among those that clay can show of the word, seldom one
/// that is only possibly true.
fn feature_weight(table: &AnswerTable, object: &Object, word: usize) -> f64 {
    let features = table.features(word);
    let weight = |id: &PredicateId| match features.binary_search(id) {
        Ok(_) => 1.0 / features.len() as f64,
        Err(_) if table.may_show(word, *id) => POSSIBLE_SHOWN / features.len().max(1) as f64,
        Err(_) => 0.0,
    };
    object.shown.iter().map(weight).product()
}

/// Whether a word has the letters that were given to the seat.
fn fits_letters(table: &AnswerTable, object: &Object, seat: Seat, word: usize) -> bool {
    let text = word_list::word(WordId(word as u16)).as_bytes();
    let mut left = *table.letters(word);
    object.letters.iter().filter(|letter| letter.asker == seat).all(|letter| {
        let Secret::Known(gift) = letter.gift else {
            return true;
        };
        match (letter.place, gift) {
            (Some(place), Gift::Letter(letter)) => {
                text.get(usize::from(place).wrapping_sub(1)) == Some(&letter)
            }
            (Some(place), Gift::Nothing) => text.len() < usize::from(place),
            (None, Gift::Nothing) => left.iter().all(|count| *count == 0),
            (None, Gift::Letter(letter)) => {
                match left.get_mut(usize::from(letter.wrapping_sub(b'a'))) {
                    Some(count) if *count > 0 => {
                        *count -= 1;
                        true
                    }
                    _ => false,
                }
            }
        }
    })
}

/// The objects that a seat may guess, with its beliefs.
fn beliefs(position: &Position, seat: Seat) -> Vec<(ObjectName, &Object, WordBelief)> {
    // Dealt words are distinct: no other object has one of this seat's words.
    let own: Vec<Word> = position
        .objects()
        .filter(|(name, _)| name.owner == seat && !position.options().free_words)
        .filter_map(|(_, object)| object.known_word())
        .collect();
    let guessable = position.guessable(seat);
    guessable
        .map(|(name, object)| (name, object, WordBelief::new(position, object, seat, &own)))
        .collect()
}

/// The share of answers that are taken to be wrong.
fn error(position: &Position) -> f64 {
    (f64::from(position.options().judge_noise) / 100.0).max(LEAST_ERROR)
}

fn points(object: &Object) -> f64 {
    f64::from(guesser_points(object.arrows.len()))
}

/// Of the items with a value the one with the greatest; the first of equals.
fn best<T>(items: impl Iterator<Item = (T, f64)>) -> Option<(T, f64)> {
    items.fold(None, |best, item| match best {
        Some((_, value)) if value >= item.1 => best,
        _ => Some(item),
    })
}

/// Jewels to the next ?, or to an Elf that is near; else the die.
fn movement(position: &Position, seat: Seat) -> Move {
    let jewels = position.seat(seat).jewels;
    let nearest = |wanted: Space, most: u8| {
        (1..=most.min(jewels)).find(|steps| position.space_ahead(seat, *steps) == wanted)
    };
    let steps = nearest(Space::Questions, u8::MAX).or_else(|| nearest(Space::Elf, ELF_STEPS));
    steps.map_or(Move::Roll, Move::Jewels)
}

/// The question with the most information per expected NO, weighted by the points of its object.
fn question(position: &Position, seat: Seat) -> Move {
    let error = error(position);
    let beliefs = beliefs(position, seat);
    let questions = beliefs.iter().flat_map(|(name, object, belief)| {
        let known = if belief.bits < KNOWN_BITS { 0.1 } else { 1.0 };
        let weight = points(object) * known / (1.0 + belief.bits / 3.0);
        let open = Knowledge::shipped().vocabulary().filter(|id| !object.was_asked(*id));
        open.map(move |predicate| {
            let (bits, no) = belief.answer(predicate, error);
            let question = Move::Ask(*name, Question::Predicate(predicate));
            (question, bits / (no + QUESTION_COST) * weight)
        })
    });
    best(questions).map_or(Move::Stop, |(question, _)| question)
}

/// The guess with the greatest expected points among those above a probability.
fn guess(position: &Position, seat: Seat, above: f64) -> Option<(ObjectName, Secret<Word>)> {
    let beliefs = beliefs(position, seat);
    let guesses = beliefs.iter().filter_map(|(name, object, belief)| {
        let (word, p) = belief.top()?;
        (p > above).then_some(((*name, word), p * points(object)))
    });
    best(guesses).map(|(guess, _)| guess)
}

/// A letter of the object that the seat knows best without being certain.
fn letter(position: &Position, seat: Seat) -> Option<Move> {
    let beliefs = beliefs(position, seat);
    let objects = beliefs.iter().filter_map(|(name, _, belief)| {
        let (_, p) = belief.top()?;
        (p < KNOWN).then_some(((*name, belief), p))
    });
    let ((name, belief), _) = best(objects)?;
    if !position.options().letters_by_place {
        return Some(Move::Letter(name, None));
    }
    let places = (1..=LONGEST_WORD as u8)
        .filter(|place| !position.was_given_place(seat, name, *place))
        .map(|place| (place, belief.letter_bits(place)));
    best(places).map(|(place, _)| Move::Letter(name, Some(place)))
}

/// The first of the dealt words that may be chosen.
fn word(position: &Position, name: ObjectName) -> Option<Move> {
    let Some(Secret::Known(dealt)) = position.object(name).dealt else {
        return None;
    };
    let words = dealt.into_iter().map(|id| Move::Word(name, Secret::Known(Word::Listed(id))));
    words.into_iter().find(|m| position.is_legal(m))
}

/// Plays greedily from exact beliefs.
#[derive(Clone, Debug)]
pub(super) struct GreedyPlayer {
    random: ViewRandom,
}

impl GreedyPlayer {
    /// A player whose choices follow from the seed.
    pub(super) fn new(seed: u64) -> Self {
        GreedyPlayer { random: ViewRandom::new(seed) }
    }

    fn decide(&mut self, position: &Position) -> Option<Move> {
        match position.awaited() {
            Awaited::Word(name) => word(position, name),
            Awaited::Show(name) => random_show(position, name, self.random.of(position)),
            Awaited::Move(seat) => Some(movement(position, seat)),
            Awaited::Letter(seat) => Some(letter(position, seat).unwrap_or(Move::Pass)),
            Awaited::Questions(seat) => Some(question(position, seat)),
            Awaited::SecondRound(seat) => {
                let guess = guess(position, seat, 0.0);
                Some(guess.map_or(Move::Pass, |(name, word)| Move::Guess(name, word)))
            }
            Awaited::Window(seat) => {
                let above = if position.arrows() >= LATE { 0.5 } else { 0.7 };
                let guess = guess(position, seat, above);
                Some(guess.map_or(Move::Pass, |(name, word)| Move::CurseGuess(name, word)))
            }
            Awaited::Answer(name, question) => {
                honest_answer(position, name, &question).map(Move::Answer)
            }
            _ => None,
        }
    }
}

impl Player<Position> for GreedyPlayer {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let position = situation.position();
        position.turn().seat()?;
        let wanted = self.decide(position).filter(|m| request.allows(m) && position.is_legal(m));
        let best = wanted.or_else(|| match &request.search_moves {
            Some(list) => list.first().cloned(),
            None => position.random_move(self.random.of(position)),
        })?;
        report(Report::Info(Info::new(1, Score::Cp(0), vec![best.clone()])));
        Some(Choice { best, ponder: None })
    }
}
