//! Moves as steps, phase by phase.
//!
//! | phase | path |
//! |---|---|
//! | word | the word: one of those dealt, or a form |
//! | model | `has_handle`; `done` |
//! | move | `roll`; `ring5`, and the jewels where several costs lead there: `ring1 13` |
//! | letter | `pass`; `b1`, or `b1 3` by place |
//! | gift | `e`; `none` |
//! | questions | `stop`; `b1 is_alive`, `b1 ~is%20it%20alive`; `b1 ~is%20it%20nice anyway` |
//! | answer | `yes` |
//! | guess | `pass`; `again`; `b1 teapot` |
//! | window | `pass`; `b1 letter`, `b1 letter 3`, `b1 guess teapot` |

mod help;
mod objects;

use super::super::tokens::{secret_text, word_text};
use super::board::{answer_text, feature_text};
use super::table::{BLOB, CONE, JEWEL, PAWN, TOKEN, jewel_cell, ring_cell, score_cell, token_cell};
use crate::game::picture::{StepError, offer};
use crate::game::{Game, Notation, Seat};
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, Reading, Unsure};
use crate::games::barbarossa::rules::awaited::Awaited;
use crate::games::barbarossa::rules::moves::{Gift, Move, Secret};
use crate::games::barbarossa::rules::position::Position;
use crate::games::barbarossa::rules::words::{ObjectName, Question};
use crate::picture::{Next, Show, Step};

/// The sections of the vocabulary, each with its first predicate.
const GROUPS: [(&str, &str); 18] = [
    ("is_round", "form"),
    ("has_eyes", "parts"),
    ("stands_upright", "pose"),
    ("is_alive", "kind"),
    ("fits_in_pocket", "size"),
    ("is_wooden", "material"),
    ("found_in_water", "place"),
    ("is_worn", "use"),
    ("is_bigger_than_hand", "size"),
    ("is_black", "material"),
    ("found_in_city", "place"),
    ("used_every_day", "use"),
    ("tastes_salty", "food"),
    ("lays_eggs", "animals and people"),
    ("is_compact", "form"),
    ("is_rough", "surface"),
    ("has_hole_in_middle", "parts"),
    ("has_two_ears_on_top", "animals and people"),
];

/// The choices that are no name of anything.
const LETTER: &str = "letter";
const GUESS: &str = "guess";
const ANYWAY: &str = "anyway";

/// Why a question in own words is not understood, and the predicates nearest to it.
type Misread = (Unsure, Vec<PredicateId>);

type Answered = Result<Step, StepError>;

/// What may follow the choices made so far.
pub(super) fn step(position: &Position, path: &[String]) -> Answered {
    let entry = Entry { position, path };
    let answered = match position.awaited() {
        Awaited::Word(name) => entry.word_of(name),
        Awaited::Show(name) => entry.model(name),
        Awaited::Window(seat) => entry.window(seat),
        Awaited::Move(seat) => entry.advance(seat),
        Awaited::Letter(seat) => entry.letter(seat),
        Awaited::Gift { .. } => entry.listed("Give a letter", gift_label),
        Awaited::Questions(seat) => entry.question(seat),
        Awaited::Answer(..) => entry.listed("Answer", answer_label),
        Awaited::SecondRound(seat) => entry.guess(seat),
        _ => Err(StepError::new(path, 0, "no seat decides here")),
    };
    let help = path.is_empty().then(|| help::text(position)).flatten();
    answered.map(|step| Step { help: help.map(str::to_owned), ..step })
}

/// The choices that lead to a move; masked parts stay masked.
pub(super) fn path(position: &Position, m: &Move) -> Vec<String> {
    let place = |place: &Option<u8>| place.map(|place| place.to_string());
    match m {
        Move::Word(_, word) => vec![word_text(word)],
        Move::Show(_, feature) => vec![Knowledge::shipped().predicate(*feature).into()],
        Move::Done(_) => vec!["done".into()],
        Move::Jewels(steps) => jewel_path(position, *steps),
        Move::Letter(name, at) => [name.to_string()].into_iter().chain(place(at)).collect(),
        Move::Give(gift) => vec![gift_text(gift)],
        Move::Ask(name, question) => {
            let anyway = misread(question).map(|_| ANYWAY.into());
            [name.to_string(), question.to_string()].into_iter().chain(anyway).collect()
        }
        Move::Guess(name, word) => vec![name.to_string(), word_text(word)],
        Move::CurseLetter(name, at) => {
            [name.to_string(), LETTER.into()].into_iter().chain(place(at)).collect()
        }
        Move::CurseGuess(name, word) => vec![name.to_string(), GUESS.into(), word_text(word)],
        _ => vec![position.token(m)],
    }
}

/// What is wrong with a question that would be answered DON'T KNOW.
fn misread(question: &Question) -> Option<Misread> {
    let Question::Text(words) = question else { return None };
    match Knowledge::shipped().read_question(words.text()) {
        Reading::Certain(_) | Reading::Opposite(_) => None,
        Reading::Partly(asked) => {
            let why = match (asked.may_be(Answer::Yes), asked.may_be(Answer::No)) {
                (true, false) => Unsure::Wider,
                (false, true) => Unsure::Narrower,
                _ => Unsure::Rough,
            };
            let about = asked.about().map_or_else(|| asked.predicates(), |id| vec![id]);
            Some((why, about.into_iter().take(4).collect()))
        }
        Reading::Unsure { why, nearest } => Some((why, nearest)),
    }
}

fn gift_text(gift: &Secret<Gift>) -> String {
    secret_text(gift, |gift| match gift {
        Gift::Letter(letter) => char::from(letter).to_string(),
        Gift::Nothing => "none".into(),
    })
}

fn gift_label(m: &Move) -> String {
    match m {
        Move::Give(Secret::Known(Gift::Nothing)) => "no letter there".into(),
        Move::Give(gift) => gift_text(gift),
        _ => String::new(),
    }
}

fn answer_label(m: &Move) -> String {
    match m {
        Move::Answer(answer) => answer_text(*answer).into(),
        _ => answer_text(Answer::DontKnow).into(),
    }
}

/// The cell to which `steps` steps bring the pawn of a seat.
fn reached(position: &Position, seat: Seat, steps: u8) -> String {
    let spaces = position.options().ring.len();
    ring_cell((usize::from(position.seat(seat).pawn) + usize::from(steps)) % spaces)
}

/// What a move changes on the table.
fn changes(before: &Position, m: &Move) -> Vec<Show> {
    let mut after = before.clone();
    after.play(m);
    let mut show = Vec::new();
    let mut moved = |from: String, to: String, symbol, seat| {
        if from != to {
            show.push(Show::moved(&from, &to, symbol, seat));
        }
    };
    let mut piles = Vec::new();
    for seat in Seat::all(before.seats()) {
        let (old, new, number) = (before.seat(seat), after.seat(seat), seat.index() as u8 + 1);
        moved(ring_cell(old.pawn.into()), ring_cell(new.pawn.into()), PAWN, number);
        moved(score_cell(old.score), score_cell(new.score), CONE, number);
        piles.extend(pile(&jewel_cell(number), JEWEL, number, old.jewels, new.jewels));
        piles.extend(pile(&token_cell(number), TOKEN, number, old.curses, new.curses));
    }
    if let (Some(from), Some(to)) = (before.blob(), after.blob()) {
        moved(score_cell(from), score_cell(to), BLOB, 0);
    }
    show.extend(piles);
    show
}

/// What comes to a pile or goes from it, one by one.
fn pile(cell: &str, symbol: &str, seat: u8, old: u8, new: u8) -> Vec<Show> {
    let one = if new > old {
        Show::Add { add: cell.into(), symbol: Some(symbol.into()), mark: None, seat, turn: None }
    } else {
        Show::removed(cell, symbol, seat)
    };
    vec![one; old.abs_diff(new).into()]
}

/// The numbers of jewels that bring the pawn of a seat to a cell.
fn costs(position: &Position, seat: Seat, cell: &str) -> Vec<u8> {
    let all = 1..=position.seat(seat).jewels;
    all.filter(|steps| reached(position, seat, *steps) == cell).collect()
}

fn jewel_path(position: &Position, steps: u8) -> Vec<String> {
    let Some(seat) = position.active() else {
        return vec![steps.to_string()];
    };
    let cell = reached(position, seat, steps);
    let several = costs(position, seat, &cell).len() > 1;
    [cell].into_iter().chain(several.then(|| steps.to_string())).collect()
}

fn jewels(count: u8) -> String {
    format!("{count} jewel{}", if count == 1 { "" } else { "s" })
}

/// A button for a predicate, in its section of the vocabulary.
fn predicate_button(predicate: PredicateId, label: String) -> Next {
    let knowledge = Knowledge::shipped();
    let started = |first: &str| knowledge.find_predicate(first).is_some_and(|id| id <= predicate);
    let group = GROUPS.iter().rev().find(|(first, _)| started(first));
    let group = group.map(|(_, group)| (*group).to_owned());
    Next { group, ..Next::button(knowledge.predicate(predicate), label) }
}

/// Where features are chosen in table order: a later part of a section that others follow stands apart.
fn in_table_order(next: Vec<Next>) -> Vec<Next> {
    let mut over: Vec<String> = Vec::new();
    let mut present = None;
    next.into_iter()
        .map(|next| {
            if next.group != present {
                over.extend(std::mem::replace(&mut present, next.group.clone()));
            }
            let group = next.group.map(|group| match over.contains(&group) {
                true => format!("more {group}"),
                false => group,
            });
            Next { group, ..next }
        })
        .collect()
}

/// A move that is being entered.
struct Entry<'a> {
    position: &'a Position,
    path: &'a [String],
}

impl Entry<'_> {
    fn choice(&self, index: usize) -> Option<&str> {
        self.path.get(index).map(String::as_str)
    }

    fn error(&self, index: usize, message: impl Into<String>) -> StepError {
        StepError::new(self.path, index, message)
    }

    fn open(&self, text: impl Into<String>) -> Step {
        Step::new(self.path, text)
    }

    /// The move that the first `length` choices are.
    fn complete(&self, length: usize, m: &Move) -> Answered {
        if self.path.len() > length {
            return Err(self.error(length, "the move is complete"));
        }
        if let Err(illegal) = self.position.check(m) {
            return Err(self.error(length - 1, illegal.to_string()));
        }
        let step = self.open("Play it").with_token(self.position.token(m));
        Ok(Step { show: changes(self.position, m), ..step })
    }

    /// The legal moves as buttons, where each is one choice.
    fn listed(&self, text: &str, label: impl Fn(&Move) -> String) -> Answered {
        let moves = self.position.moves();
        let Some(choice) = self.choice(0) else {
            let next = moves.iter().flat_map(|m| {
                path(self.position, m).into_iter().map(|choice| Next::button(choice, label(m)))
            });
            return Ok(offer(self.open(text), next.collect()));
        };
        match moves.iter().find(|m| path(self.position, m) == [choice]) {
            Some(m) => self.complete(1, m),
            None => Err(self.error(0, "this cannot be chosen here")),
        }
    }

    fn model(&self, name: ObjectName) -> Answered {
        let knowledge = Knowledge::shipped();
        let Some(choice) = self.choice(0) else {
            let next = self.position.moves().into_iter().filter_map(|m| match m {
                Move::Show(_, feature) => Some(predicate_button(feature, feature_text(feature))),
                Move::Done(_) => Some(Next::button("done", "the sculpture is done")),
                _ => None,
            });
            let next = in_table_order(next.collect());
            return Ok(offer(self.open(format!("Choose what {name} shows")), next));
        };
        if choice == "done" {
            return self.complete(1, &Move::Done(name));
        }
        match knowledge.find_predicate(choice) {
            Some(feature) => self.complete(1, &Move::Show(name, feature)),
            None => Err(self.error(0, "no feature of this name")),
        }
    }

    fn word_of(&self, name: ObjectName) -> Answered {
        let make = |word| Move::Word(name, Secret::Known(word));
        let text = format!("Choose the word of {name}");
        if self.path.is_empty() && self.position.object(name).dealt.is_some() {
            let next = self.position.moves().into_iter().filter_map(|m| match m {
                Move::Word(_, word) => Some(word_text(&word)),
                _ => None,
            });
            let next = next.map(|word| Next::button(word.clone(), word)).collect();
            return Ok(offer(self.open(text), next));
        }
        self.word(0, &text, make)
    }

    fn advance(&self, seat: Seat) -> Answered {
        let position = self.position;
        let Some(choice) = self.choice(0) else {
            let (from, most) = (usize::from(position.seat(seat).pawn), position.seat(seat).jewels);
            let ring = &position.options().ring;
            let targets =
                (1..=ring.len().min(most.into())).map(|steps| (from + steps) % ring.len());
            let spaces = targets.map(|index| self.space(seat, index));
            let roll = Next::button("roll", "roll the die");
            let next = std::iter::once(roll).chain(spaces).collect();
            return Ok(offer(self.open("Roll, or choose a space to spend jewels"), next));
        };
        if choice == "roll" {
            return self.complete(1, &Move::Roll);
        }
        let costs = costs(position, seat, choice);
        let (length, steps) = match (costs.as_slice(), self.choice(1)) {
            ([], _) => return Err(self.error(0, "no space that the jewels reach")),
            ([only], _) => (1, *only),
            (several, None) => {
                let buttons =
                    several.iter().map(|cost| Next::button(cost.to_string(), jewels(*cost)));
                return Ok(offer(self.open("Choose how many jewels"), buttons.collect()));
            }
            (several, Some(cost)) => match several.iter().find(|known| known.to_string() == cost) {
                Some(cost) => (2, *cost),
                None => return Err(self.error(1, "not a number of jewels that leads there")),
            },
        };
        self.complete(length, &Move::Jewels(steps))
    }

    /// A space that jewels reach, with what they cost.
    fn space(&self, seat: Seat, index: usize) -> Next {
        let cell = ring_cell(index);
        let numbers: Vec<String> =
            costs(self.position, seat, &cell).iter().map(u8::to_string).collect();
        let several = if numbers == ["1"] { "" } else { "s" };
        let name = self.position.options().ring[index].name();
        let cost = format!("{name}, {} jewel{several}", numbers.join(" or "));
        let label = match numbers.as_slice() {
            [only] => format!("jewels {only}"),
            _ => format!("space {index}"),
        };
        Next { label: Some(label), cost: Some(cost), ..Next::cell(cell) }
    }
}
