//! Players beside those that ship: makers with a habit, and an outsider with a belief of a few lines.

use anyhow::{Context, ensure};
use parlor::game::{Game, OptionValues, Random, Seat, Situation, splitmix64};
use parlor::games::Playable;
use parlor::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId};
use parlor::games::barbarossa::play::Beliefs;
use parlor::games::barbarossa::{
    MOST_SHOWN, Move, Object, ObjectName, Phase, Position, Question, Secret, Space, Word,
};
use parlor::search::{Choice, Player, Report, Request, Settings};

/// A player as the command line names it: `engine:Features=4`, `outsider/possible5`,
/// `outsider-late/true4`, `engine/drawn`.
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    pub text: String,
    base: String,
    options: OptionValues,
    maker: Option<Maker>,
}

impl PlayerSpec {
    /// # Errors
    /// When a part is unknown.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let (player, maker) = match text.split_once('/') {
            Some((player, maker)) => (player, Some(Maker::parse(maker)?)),
            None => (text, None),
        };
        let (base, settings) = player.split_once(':').unwrap_or((player, ""));
        let mut options = OptionValues::new(Position::engine_options());
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            let (name, value) =
                setting.split_once('=').context("options are written NAME=VALUE")?;
            options.set(name, value)?;
        }
        if !base.starts_with("outsider") {
            Position::find_player(base)?;
        }
        Ok(PlayerSpec { text: text.to_owned(), base: base.to_owned(), options, maker })
    }

    /// # Errors
    /// When the player is unknown.
    pub fn build(&self, seed: u64) -> anyhow::Result<Seated> {
        let player: Box<dyn Player<Position>> = match self.base.as_str() {
            "outsider" => Box::new(Outsider::new(seed, false)),
            "outsider-late" => Box::new(Outsider::new(seed, true)),
            base => {
                let settings =
                    Settings { seed, options: self.options.clone(), ..Settings::default() };
                Position::player(base, &settings)?
            }
        };
        Ok(Seated { player, maker: self.maker, seed })
    }
}

/// How a maker chooses features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pool {
    /// True ones.
    True,
    /// True or possible ones.
    Any,
    /// Those that are merely possible, then true ones.
    Possible,
    /// True ones of which few words have them, or many.
    Rare,
    Common,
    /// As people do: whole forms before parts, as the table has them.
    First,
}

/// A maker's habit: of which features, how many; 0: a number drawn for each object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Maker {
    pool: Pool,
    count: usize,
}

impl Maker {
    fn parse(text: &str) -> anyhow::Result<Self> {
        let at = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
        let pool = match &text[..at] {
            "true" => Pool::True,
            "any" => Pool::Any,
            "possible" => Pool::Possible,
            "rare" => Pool::Rare,
            "common" => Pool::Common,
            "first" => Pool::First,
            other => anyhow::bail!("no maker '{other}': true any possible rare common first"),
        };
        let count = if at < text.len() { text[at..].parse()? } else { 0 };
        ensure!(count <= MOST_SHOWN, "at most {MOST_SHOWN} features");
        Ok(Maker { pool, count })
    }

    /// The sculpture of a word.
    fn features(self, word: WordId, random: &mut Random) -> Vec<PredicateId> {
        let knowledge = Knowledge::shipped();
        let may_show = |id: &PredicateId| knowledge.may_show(word, *id);
        let mut pool: Vec<PredicateId> = knowledge.vocabulary().filter(may_show).collect();
        random.shuffle(&mut pool);
        let is_true = |id: &PredicateId| knowledge.answer(word, *id) == Answer::Yes;
        let having = |id: &PredicateId| {
            knowledge.words().filter(|w| knowledge.answer(*w, *id) == Answer::Yes).count()
        };
        match self.pool {
            Pool::True => pool.retain(is_true),
            Pool::Any => {}
            Pool::Possible => pool.sort_by_key(is_true),
            Pool::Rare => {
                pool.retain(is_true);
                pool.sort_by_key(having);
            }
            Pool::Common => {
                pool.retain(is_true);
                pool.sort_by_key(|id| std::cmp::Reverse(having(id)));
            }
            Pool::First => {
                pool.retain(is_true);
                pool.sort_unstable();
            }
        }
        let drawn = 1 + random.below(MOST_SHOWN as u64) as usize;
        pool.truncate(if self.count == 0 { drawn } else { self.count });
        pool.sort_unstable();
        pool
    }
}

/// A player in its seat, whose sculptures a maker may take over.
pub struct Seated {
    player: Box<dyn Player<Position>>,
    maker: Option<Maker>,
    seed: u64,
}

impl Seated {
    /// The choice from a view.
    pub fn choose(
        &mut self,
        view: &Position,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Move> {
        if let Some(m) = self.made(view) {
            return Some(m);
        }
        let request = Request::new(parlor::search::Limits::depth(1));
        let situation = Situation::new(view.clone());
        self.player.choose(&situation, &request, report).map(|choice| choice.best)
    }

    /// The maker's word or features.
    fn made(&mut self, view: &Position) -> Option<Move> {
        let maker = self.maker?;
        if !matches!(view.phase(), Phase::Word | Phase::Show) {
            return None;
        }
        let moves = view.moves();
        if view.phase() == Phase::Word {
            return moves.into_iter().next();
        }
        let name = moves.iter().find_map(|m| match m {
            Move::Done(name) | Move::Show(name, _) => Some(*name),
            _ => None,
        })?;
        let object = view.object(name);
        let word = object.known_word()?.id()?;
        // A function of the word, so that every step repeats the plan.
        let mut random = Random::new(splitmix64(self.seed) ^ u64::from(word.0));
        let planned = maker.features(word, &mut random);
        let next = planned.into_iter().map(|id| Move::Show(name, id));
        let shown = object.shown.last().copied();
        let next = next.filter(|m| match m {
            Move::Show(_, id) => shown.is_none_or(|last| last < *id),
            _ => false,
        });
        next.chain([Move::Done(name)]).chain(moves).find(|m| view.is_legal(m))
    }
}

/// Arrows from which the late outsider spends tokens.
const LATE: usize = 5;

/// Plays from a belief that takes features for random ones, and counts nothing else but answers,
/// letters and its own wrong guesses.
struct Outsider {
    beliefs: Beliefs,
    late: bool,
    random: Random,
}

impl Outsider {
    fn new(seed: u64, late: bool) -> Self {
        Outsider { beliefs: Beliefs::default(), late, random: Random::new(seed) }
    }

    fn decide(&mut self, view: &Position) -> Option<Move> {
        let seat = view.turn().seat()?;
        self.beliefs.update(view, seat);
        if view.window().is_some() {
            return Some(self.curse(view, seat));
        }
        match view.phase() {
            Phase::Move => Some(steps(view, seat)),
            Phase::Letter => {
                let open = view.guessable(seat);
                let tops = open.filter_map(|(name, _)| Some((name, self.top(view, name)?.1)));
                let unsure = tops.filter(|(_, p)| *p < 0.95).max_by(|a, b| a.1.total_cmp(&b.1));
                Some(unsure.map_or(Move::Pass, |(name, _)| Move::Letter(name, None)))
            }
            Phase::Ask => Some(self.question(view, seat)),
            Phase::Round2 => {
                let best = self.best(view, seat);
                Some(best.map_or(Move::Pass, |(name, word, _)| Move::Guess(name, word)))
            }
            _ => None,
        }
    }

    fn top(&self, view: &Position, name: ObjectName) -> Option<(WordId, f64)> {
        self.beliefs.get(view.index(name))?.own.top()
    }

    fn best(&self, view: &Position, seat: Seat) -> Option<(ObjectName, Secret<Word>, f64)> {
        let tops = view.guessable(seat).filter_map(|(name, object)| {
            let (word, p) = self.top(view, name)?;
            let points = if object.arrows.is_empty() { 5.0 } else { 3.0 };
            Some((name, Secret::Known(Word::Listed(word)), p, p * points))
        });
        tops.max_by(|a, b| a.3.total_cmp(&b.3)).map(|(name, word, p, _)| (name, word, p))
    }

    fn curse(&self, view: &Position, seat: Seat) -> Move {
        let above = match view.arrows() {
            arrows if self.late && arrows < LATE => 1.1,
            10.. => 0.5,
            _ => 0.75,
        };
        let best = self.best(view, seat).filter(|(_, _, p)| *p > above);
        best.map_or(Move::Pass, |(name, word, _)| Move::CurseGuess(name, word))
    }

    /// The question that splits a belief best for each NO.
    fn question(&self, view: &Position, seat: Seat) -> Move {
        let knowledge = Knowledge::shipped();
        let mut best = (0.0, Move::Stop);
        for (name, object) in view.guessable(seat) {
            let Some(belief) = self.beliefs.get(view.index(name)) else { continue };
            let words = &belief.own.words[..belief.own.words.len().min(80)];
            for id in knowledge.vocabulary().filter(|id| !asked(object, *id)) {
                let mut mass = [1e-9; 4];
                for (word, p) in words {
                    mass[knowledge.answer(WordId(*word), id) as usize] += p;
                }
                let total: f64 = mass.iter().sum();
                let bits: f64 = mass.iter().map(|p| -p / total * (p / total).log2()).sum();
                let no = mass[Answer::No as usize] / total;
                let value = bits / (no + 0.15) / (2.0 + belief.own.bits);
                if value > best.0 {
                    best = (value, Move::Ask(name, Question::Predicate(id)));
                }
            }
        }
        best.1
    }
}

fn asked(object: &Object, id: PredicateId) -> bool {
    object.answers.iter().any(|(question, _)| question.predicate() == Some(id))
}

/// Jewels to the next ?; else the die.
fn steps(view: &Position, seat: Seat) -> Move {
    let (state, ring) = (view.seat(seat), &view.options().ring);
    let to = |steps: &u8| ring[(usize::from(state.pawn) + usize::from(*steps)) % ring.len()];
    let steps = (1..=state.jewels).find(|steps| to(steps) == Space::Questions);
    steps.map_or(Move::Roll, Move::Jewels)
}

impl Player<Position> for Outsider {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        _: &Request<Move>,
        _: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let view = situation.position();
        let wanted = self.decide(view).filter(|m| view.is_legal(m));
        let best = wanted.or_else(|| view.random_move(&mut self.random))?;
        Some(Choice { best, ponder: None })
    }
}
