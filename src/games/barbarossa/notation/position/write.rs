//! Writing the position line.

use std::fmt::Write;

use super::phase_word;
use crate::game::Seat;
use crate::games::barbarossa::knowledge::Knowledge;
use crate::games::barbarossa::notation::tokens::{deal_text, secret_text, word_text};
use crate::games::barbarossa::rules::moves::Gift;
use crate::games::barbarossa::rules::position::{
    Arrow, Curse, CurseKind, GivenLetter, Object, Pending, Phase, Position,
};
use crate::games::barbarossa::rules::words::ObjectName;

/// Writes a position.
pub(crate) fn write(position: &Position) -> String {
    let rules = position.options();
    let seat = |seat: Option<Seat>| seat.map_or("-".into(), |s| (s.index() + 1).to_string());
    let mut line = format!(
        "v={} n={} ring={} goal={}",
        position.viewer.map_or("-".into(), |seat| seat.to_string()),
        rules.seats,
        rules.ring_text(),
        rules.finish
    );
    if rules.judge_noise > 0 {
        let token = match (position.judge, position.phase) {
            (Some(token), _) => format!("{token:08x}"),
            (None, Phase::Judge) => "-".into(),
            (None, _) => "?".into(),
        };
        push(&mut line, "judge", &token);
    }
    push(&mut line, "first", &seat(position.first));
    push(&mut line, "turn", &seat(position.turn));
    if position.again || position.noes != position.implied_noes() {
        push(&mut line, "round", &format!("{}:{}", 1 + u8::from(position.again), position.noes));
    }
    push(&mut line, "phase", phase_word(position.phase));
    let seats = &position.seats[..rules.seats];
    push(&mut line, "pawn", &join(seats.iter().map(|seat| seat.pawn)));
    push(&mut line, "score", &join(seats.iter().map(|seat| seat.score)));
    push(&mut line, "jewels", &join(seats.iter().map(|seat| seat.jewels)));
    push(&mut line, "curse", &join(seats.iter().map(|seat| seat.curses)));
    push(&mut line, "blob", &position.blob.map_or("-".into(), |at| at.to_string()));
    let arrows = position.objects().flat_map(|(name, object)| {
        object.arrows.iter().map(move |arrow| arrow_text(name, object, arrow))
    });
    push(&mut line, "arrows", &join(arrows));
    push(&mut line, "asked", &position.asked.to_string());
    push(&mut line, "pend", &pending_text(position));
    let window = position.window.map(|w| format!("{}:{}", w.seat.index() + 1, w.passes));
    push(&mut line, "win", &window.unwrap_or("-".into()));
    if let Some(ending) = position.ending {
        let winners = Seat::all(rules.seats).filter(|seat| ending.won(*seat));
        let winners = join(winners.map(|seat| seat.index() + 1));
        let reason = if ending.by_finish { "finish" } else { "last-arrow" };
        push(&mut line, "end", &format!("{reason}:{winners}"));
    }
    let objects: Vec<String> =
        position.objects().map(|(name, object)| object_text(position, name, object)).collect();
    push(&mut line, "objects", &objects.join(";"));
    line
}

fn push(line: &mut String, key: &str, value: &str) {
    let _ = write!(line, " {key}={value}");
}

fn join<T: ToString>(items: impl Iterator<Item = T>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(",")
}

fn pending_text(position: &Position) -> String {
    let letter = |name: ObjectName, place: Option<u8>| match place {
        Some(place) => format!("letter:{name}:{place}"),
        None => format!("letter:{name}"),
    };
    let pending = match &position.pending {
        Pending::Nothing => None,
        Pending::Letter(name, place) => Some(letter(*name, *place)),
        Pending::Ask(name, question) => Some(format!("ask:{name}:{question}")),
        Pending::Answered(name, question, answer) => {
            Some(format!("ask:{name}:{question}:{answer}"))
        }
        Pending::Guess(name, word) => Some(format!("guess:{name}:{}", word_text(word))),
    };
    let curse = position.curse.map(|Curse { seat, object, kind }| match kind {
        CurseKind::Letter(place) => format!("{seat}:curse:{}", letter(object, place)),
        CurseKind::Guess(word) => format!("{seat}:curse:guess:{object}:{}", word_text(&word)),
    });
    let parts: Vec<String> = pending.into_iter().chain(curse).collect();
    if parts.is_empty() { "-".into() } else { parts.join(",") }
}

/// The guess is written where it does not follow from the word.
fn arrow_text(name: ObjectName, object: &Object, arrow: &Arrow) -> String {
    let guesser = arrow.guesser;
    match arrow.guess.known().filter(|guess| object.known_word() != Some(*guess)) {
        Some(guess) => format!("{name}:{guesser}:{}", guess.text()),
        None => format!("{name}:{guesser}"),
    }
}

fn object_text(position: &Position, name: ObjectName, object: &Object) -> String {
    let knowledge = Knowledge::shipped();
    let mut text = name.to_string();
    if object.word.is_none() && !position.options().free_words {
        let dealt = object.dealt.map_or("-".into(), |dealt| deal_text(&dealt));
        let _ = write!(text, "|deal={dealt}");
    }
    let word = object.word.map_or("-".into(), |word| word_text(&word));
    let shown = join(object.shown.iter().map(|id| knowledge.predicate(*id)));
    let answers = object.answers.iter();
    let answers = join(answers.map(|(question, answer)| format!("{question}-{}", answer.letter())));
    let letters = join(object.letters.iter().map(given_text));
    let wrong = object.wrong.iter();
    let wrong = join(wrong.map(|(seat, word)| format!("{seat}.{}", word_text(word))));
    let _ = write!(text, "|w={word}|show={shown}|qa={answers}|letters={letters}|wrong={wrong}");
    text
}

fn given_text(letter: &GivenLetter) -> String {
    let gift = secret_text(&letter.gift, |gift| match gift {
        Gift::Letter(letter) => char::from(letter).to_string(),
        Gift::Nothing => "-".into(),
    });
    match letter.place {
        Some(place) => format!("{}.{place}.{gift}", letter.asker),
        None => format!("{}.{gift}", letter.asker),
    }
}
