//! Reading the position line.

use std::collections::BTreeMap;
use std::str::FromStr;

use arrayvec::ArrayVec;

use super::{KEYS, NEEDED, PHASES};
use crate::game::{MAX_SEATS, NotationError, OptionValues, Seat};
use crate::games::barbarossa::knowledge::Answer;
use crate::games::barbarossa::notation::tokens::{
    parse_deal, parse_gift, parse_judge, parse_letter, parse_number, parse_seat, parse_word,
};
use crate::games::barbarossa::notation::words::{parse_answer, parse_predicate};
use crate::games::barbarossa::rules::moves::Secret;
use crate::games::barbarossa::rules::options::{RuleOptions, parse_ring};
use crate::games::barbarossa::rules::position::{
    Arrow, Curse, CurseKind, Ending, GivenLetter, Object, Pending, Phase, Position, Window,
};
use crate::games::barbarossa::rules::words::{AllowedWords, ObjectName, Question};

type Parsed<T> = Result<T, NotationError>;

/// Reads a position, without validating it.
pub(crate) fn read(text: &str, options: &OptionValues, viewer: Option<Seat>) -> Parsed<Position> {
    let fields = Fields::split(text)?;
    let rules = read_rules(&fields, options)?;
    let stated = fields.read("v", |text| if text == "-" { Ok(None) } else { seat(text) })?;
    if stated != viewer {
        let word = |seat: Option<Seat>| seat.map_or("everything".into(), |seat| seat.to_string());
        return Err(NotationError::new(format!(
            "v={} but the position is to be seen as by {}; give the view argument that fits",
            fields.get("v")?,
            word(viewer)
        )));
    }
    if viewer.is_some_and(|viewer| viewer.index() >= rules.seats) {
        return Err(NotationError::new(format!(
            "v: no such seat in a game of {} seats",
            rules.seats
        )));
    }
    let (seats, allowed, noise) = (rules.seats, rules.allowed_words(), rules.judge_noise > 0);
    let mut position = Position::new(rules, viewer);
    let phase = |text: &str| {
        let known = PHASES.iter().find(|(_, word)| *word == text).map(|(phase, _)| *phase);
        known.ok_or_else(|| {
            let words = PHASES.map(|(_, word)| word).join(" ");
            NotationError::new(format!("'{text}' is no phase: {words}"))
        })
    };
    position.phase = fields.read("phase", phase)?;
    position.judge = read_judge(&fields, noise, position.phase, viewer)?;
    let number_of_seat = |text: &str| match text {
        "-" => Ok(None),
        _ => seat_number(text, seats).map(Some),
    };
    position.first = fields.read("first", number_of_seat)?;
    position.turn = fields.read("turn", number_of_seat)?;
    let columns = ["pawn", "score", "jewels", "curse"].map(|key| fields.numbers(key, seats));
    let [pawns, scores, jewels, curses] = columns;
    let columns = pawns?.into_iter().zip(scores?).zip(jewels?).zip(curses?);
    for (state, (((pawn, score), jewels), curses)) in position.seats.iter_mut().zip(columns) {
        (state.pawn, state.score, state.jewels, state.curses) = (pawn, score, jewels, curses);
    }
    position.blob = fields.read("blob", |text| match text {
        "-" => Ok(None),
        _ => parse_number(text, "place of the blob").map(Some),
    })?;
    position.asked = fields.read("asked", |text| parse_number(text, "number of questions"))?;
    position.window = fields.read("win", |text| read_window(text, seats))?;
    position.ending = fields.optional("end", |text| read_ending(text, seats))?;
    fields.read("objects", |text| read_objects(text, &mut position, allowed))?;
    fields.read("arrows", |text| read_arrows(text, &mut position, allowed))?;
    fields.read("pend", |text| read_pending(text, &mut position, allowed))?;
    read_round(&fields, &mut position)?;
    position.evidence = position.fresh_evidence();
    Ok(position)
}

struct Fields<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Fields<'a> {
    fn split(text: &'a str) -> Parsed<Self> {
        let mut fields = BTreeMap::new();
        for part in text.split_ascii_whitespace() {
            let offset = part.as_ptr() as usize - text.as_ptr() as usize;
            let Some((key, value)) = part.split_once('=') else {
                return Err(NotationError::at(offset, format!("'{part}' is not key=value")));
            };
            if !KEYS.contains(&key) {
                let keys = KEYS.join(" ");
                return Err(NotationError::at(offset, format!("no key '{key}'; keys: {keys}")));
            }
            if fields.insert(key, value).is_some() {
                return Err(NotationError::at(offset, format!("{key} is given twice")));
            }
        }
        let fields = Fields(fields);
        for key in &KEYS[..NEEDED] {
            fields.get(key)?;
        }
        Ok(fields)
    }

    fn get(&self, key: &str) -> Parsed<&'a str> {
        let value = self.0.get(key).copied();
        value.ok_or_else(|| NotationError::new(format!("the position lacks {key}=")))
    }

    fn read<T>(&self, key: &str, read: impl FnOnce(&'a str) -> Parsed<T>) -> Parsed<T> {
        read(self.get(key)?).map_err(|error| at_key(key, error))
    }

    fn optional<T>(&self, key: &str, read: impl FnOnce(&'a str) -> Parsed<T>) -> Parsed<Option<T>> {
        let value = self.0.get(key).copied().map(read).transpose();
        value.map_err(|error| at_key(key, error))
    }

    fn numbers(&self, key: &str, count: usize) -> Parsed<Vec<u8>> {
        self.read(key, |text| {
            let numbers = text.split(',').map(|part| parse_number(part, "number"));
            let numbers = numbers.collect::<Parsed<Vec<u8>>>()?;
            if numbers.len() == count {
                return Ok(numbers);
            }
            Err(NotationError::new(format!("{} numbers for {count} seats", numbers.len())))
        })
    }
}

fn at_key(key: &str, error: NotationError) -> NotationError {
    NotationError::new(format!("{key}: {}", error.message))
}

fn seat(text: &str) -> Parsed<Option<Seat>> {
    parse_seat(text).map(Some)
}

/// Seats in `first`, `turn`, `win` and `end` are written as numbers from 1.
fn seat_number(text: &str, seats: usize) -> Parsed<Seat> {
    let number = usize::from(parse_number(text, "seat number")?);
    if (1..=seats.min(MAX_SEATS)).contains(&number) {
        return Ok(Seat::new(number - 1));
    }
    Err(NotationError::new(format!("'{text}' is no seat number: 1 to {seats}")))
}

fn read_rules(fields: &Fields, options: &OptionValues) -> Parsed<RuleOptions> {
    let mut rules = RuleOptions::from_options(options)?;
    rules.seats = fields.read("n", |text| match parse_number(text, "number of seats")? {
        seats @ 2..=6 => Ok(usize::from(seats)),
        seats => Err(NotationError::new(format!("{seats} seats: 2 (duel) to 6 play"))),
    })?;
    rules.ring = fields.read("ring", parse_ring)?;
    if usize::from(rules.ring_start) >= rules.ring.len() {
        rules.ring_start = 0;
    }
    rules.finish =
        fields.read("goal", |text| match parse_number(text, "place of the finish")? {
            finish @ 10..=100 => Ok(finish),
            finish => Err(NotationError::new(format!("the finish is {finish}, not 10 to 100"))),
        })?;
    Ok(rules)
}

fn read_judge(
    fields: &Fields,
    noise: bool,
    phase: Phase,
    viewer: Option<Seat>,
) -> Parsed<Option<u32>> {
    let unnamed = |reason: &str| Err(NotationError::new(reason.to_string()));
    match fields.optional("judge", Ok)? {
        None if !noise => Ok(None),
        None => unnamed("the position lacks judge=, which the option JudgeNoise needs"),
        Some(_) if !noise => unnamed("judge: there is no judge token without JudgeNoise"),
        Some("-") if phase == Phase::Judge => Ok(None),
        Some(_) if phase == Phase::Judge => unnamed("judge: - while phase=judge"),
        Some(text) => match (parse_judge(text).map_err(|e| at_key("judge", e))?, viewer) {
            (Secret::Known(token), None) => Ok(Some(token)),
            (Secret::Masked, Some(_)) => Ok(None),
            (Secret::Known(_), Some(_)) => unnamed("judge: no seat sees it; a view writes ?"),
            (Secret::Masked, None) => unnamed("judge: ? stands only in a view"),
        },
    }
}

/// `round=2:0` is the second round of questions; after the colon the NOs so far.
fn read_round(fields: &Fields, position: &mut Position) -> Parsed<()> {
    let round = fields.optional("round", |text| match text.split_once(':') {
        Some((round @ ("1" | "2"), noes)) => Ok((round == "2", parse_number(noes, "count")?)),
        _ => Err(NotationError::new(format!("'{text}' is not ROUND:NOS, such as 1:1"))),
    })?;
    (position.again, position.noes) = round.unwrap_or((false, position.implied_noes()));
    Ok(())
}

fn read_window(text: &str, seats: usize) -> Parsed<Option<Window>> {
    if text == "-" {
        return Ok(None);
    }
    let Some((seat, passes)) = text.split_once(':') else {
        return Err(NotationError::new(format!("'{text}' is not SEAT:PASSES or -")));
    };
    let passes = parse_number(passes, "number of passes")?;
    Ok(Some(Window { seat: seat_number(seat, seats)?, passes }))
}

fn read_ending(text: &str, seats: usize) -> Parsed<Ending> {
    let (reason, winners) = text.split_once(':').unwrap_or((text, ""));
    let by_finish = match reason {
        // The German word stands in old texts.
        "finish" | "ziel" => true,
        "last-arrow" => false,
        _ => {
            return Err(NotationError::new(format!(
                "'{reason}' is no end: finish or last-arrow, a colon and the winners"
            )));
        }
    };
    let mut bits = 0;
    for winner in winners.split(',') {
        bits |= 1 << seat_number(winner, seats)?.index();
    }
    Ok(Ending { by_finish, winners: bits })
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(move |_| !text.is_empty())
}

fn read_objects(text: &str, position: &mut Position, allowed: AllowedWords) -> Parsed<()> {
    let parts: Vec<&str> = text.split(';').collect();
    if parts.len() != position.objects.len() {
        return Err(NotationError::new(format!(
            "{} objects for a table of {}",
            parts.len(),
            position.objects.len()
        )));
    }
    for (index, part) in parts.iter().enumerate() {
        let name = position.name(index);
        let object = read_object(part, name, allowed)
            .map_err(|error| NotationError::new(format!("{name}: {}", error.message)))?;
        position.objects[index] = object;
    }
    Ok(())
}

fn read_object(text: &str, expected: ObjectName, allowed: AllowedWords) -> Parsed<Object> {
    let mut parts = text.split('|');
    let name = parts.next().unwrap_or("");
    if name != expected.to_string() {
        return Err(NotationError::new(format!("'{name}' stands where this object belongs")));
    }
    let mut parts = parts.peekable();
    let mut object = Object::default();
    if !allowed.free
        && let Some(dealt) = parts.peek().and_then(|part| part.strip_prefix("deal="))
    {
        object.dealt = if dealt == "-" { None } else { Some(parse_deal(dealt, allowed.list)?) };
        parts.next();
    }
    let mut field = |key: &str| {
        let part = parts.next().and_then(|part| part.strip_prefix(key)?.strip_prefix('='));
        let order = "[deal] w show qa letters wrong";
        part.ok_or_else(|| NotationError::new(format!("{key}= is missing; the order is {order}")))
    };
    let word = field("w")?;
    object.word = if word == "-" { None } else { Some(parse_word(word, allowed)?) };
    let mut shown = ArrayVec::new();
    for feature in items(field("show")?) {
        let added = shown.try_push(parse_predicate(feature)?);
        added.map_err(|_| NotationError::new("more than eight features are shown"))?;
    }
    object.shown = shown;
    for part in items(field("qa")?) {
        let Some((question, letter)) = part.rsplit_once('-') else {
            return Err(NotationError::new(format!("'{part}' is not QUESTION-y, -n, -p or -d")));
        };
        let answer = Some(letter).filter(|letter| letter.len() == 1).and_then(Answer::parse);
        let Some(answer) = answer else {
            return Err(NotationError::new(format!("'{letter}' is no answer: y n p d")));
        };
        let question = Question::from_str(question)?;
        object.note_asked(&question);
        object.answers.push((question, answer));
    }
    for part in items(field("letters")?) {
        object.letters.push(read_letter(part)?);
    }
    for part in items(field("wrong")?) {
        let Some((seat, word)) = part.split_once('.') else {
            return Err(NotationError::new(format!("'{part}' is not SEAT.WORD")));
        };
        object.wrong.push((parse_seat(seat)?, parse_word(word, allowed)?));
    }
    match parts.next() {
        Some(part) => Err(NotationError::new(format!("'{part}' is too much"))),
        None => Ok(object),
    }
}

fn read_letter(text: &str) -> Parsed<GivenLetter> {
    let mut parts = text.split('.');
    let parts = [parts.next(), parts.next(), parts.next(), parts.next()];
    let (asker, place, gift) = match parts {
        [Some(asker), Some(gift), None, None] => (asker, None, gift),
        [Some(asker), Some(place), Some(gift), None] => (asker, Some(place), gift),
        _ => return Err(NotationError::new(format!("'{text}' is not SEAT.LETTER"))),
    };
    let place = place.map(|place| parse_number(place, "place of a letter")).transpose()?;
    Ok(GivenLetter { asker: parse_seat(asker)?, place, gift: parse_gift(gift, "-")? })
}

fn read_arrows(text: &str, position: &mut Position, allowed: AllowedWords) -> Parsed<()> {
    for part in items(text) {
        let mut fields = part.split(':');
        let fields = [fields.next(), fields.next(), fields.next(), fields.next()];
        let [Some(name), Some(guesser), guess, None] = fields else {
            return Err(NotationError::new(format!("'{part}' is not OBJECT:SEAT[:WORD]")));
        };
        let (name, guesser) = (ObjectName::from_str(name)?, parse_seat(guesser)?);
        if !position.has_object(name) {
            return Err(NotationError::new(format!("there is no object {name}")));
        }
        let index = position.index(name);
        let object = &mut position.objects[index];
        let guess = match guess {
            Some(guess) => parse_word(guess, allowed)?,
            None => object.known_word().map_or(Secret::Masked, Secret::Known),
        };
        let added = object.arrows.try_push(Arrow { guesser, guess });
        added.map_err(|_| NotationError::new(format!("{name} has more than two arrows")))?;
    }
    Ok(())
}

fn read_pending(text: &str, position: &mut Position, allowed: AllowedWords) -> Parsed<()> {
    if text == "-" {
        return Ok(());
    }
    for part in text.split(',') {
        let fault = || NotationError::new(format!("'{part}' waits for nothing"));
        let (kind, rest) = part.split_once(':').ok_or_else(fault)?;
        if kind.starts_with('p') {
            if position.curse.is_some() {
                return Err(NotationError::new("two curses wait at once"));
            }
            position.curse = Some(read_curse(parse_seat(kind)?, rest, allowed)?);
            continue;
        }
        if position.pending != Pending::Nothing || position.curse.is_some() {
            return Err(NotationError::new("one thing of the turn, then one curse, may wait"));
        }
        position.pending = match kind {
            "letter" => parse_letter(rest).map(|(name, place)| Pending::Letter(name, place))?,
            "ask" => read_asked(rest)?,
            "guess" => {
                let (name, word) = rest.split_once(':').ok_or_else(fault)?;
                Pending::Guess(ObjectName::from_str(name)?, parse_word(word, allowed)?)
            }
            _ => return Err(fault()),
        };
    }
    Ok(())
}

fn read_asked(text: &str) -> Parsed<Pending> {
    let mut parts = text.splitn(3, ':');
    let name = ObjectName::from_str(parts.next().unwrap_or(""))?;
    let question = Question::from_str(parts.next().unwrap_or(""))?;
    let Some(answer) = parts.next() else {
        return Ok(Pending::Ask(name, question));
    };
    let answer = parse_answer(answer).ok_or_else(|| {
        NotationError::new(format!("'{answer}' is no answer: yes no possibly dontknow"))
    })?;
    Ok(Pending::Answered(name, question, answer))
}

fn read_curse(seat: Seat, text: &str, allowed: AllowedWords) -> Parsed<Curse> {
    if let Some(rest) = text.strip_prefix("curse:letter:") {
        let (object, place) = parse_letter(rest)?;
        return Ok(Curse { seat, object, kind: CurseKind::Letter(place) });
    }
    let guess = text.strip_prefix("curse:guess:").and_then(|rest| rest.split_once(':'));
    let Some((object, word)) = guess else {
        return Err(NotationError::new(format!(
            "'{seat}:{text}' is no curse: {seat}:curse:letter:OBJECT or :curse:guess:OBJECT:WORD"
        )));
    };
    let kind = CurseKind::Guess(parse_word(word, allowed)?);
    Ok(Curse { seat, object: ObjectName::from_str(object)?, kind })
}
