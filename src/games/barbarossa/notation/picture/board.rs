//! What stands on the table, the objects as cards, and what is awaited in one sentence.

use super::super::tokens::{deal_text, word_text};
use super::sculpture;
use super::table::{BLOB, CONE, JEWEL, PAWN, TOKEN, jewel_cell, ring_cell, score_cell, token_cell};
use crate::game::{Game, Seat};
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId};
use crate::games::barbarossa::rules::awaited::Awaited;
use crate::games::barbarossa::rules::moves::{Gift, Move, Secret};
use crate::games::barbarossa::rules::options::{FIRST_CURSES, MOST_JEWELS, Space};
use crate::games::barbarossa::rules::position::{GivenLetter, Object, Phase, Position};
use crate::games::barbarossa::rules::words::{ObjectName, Question, Word};
use crate::picture::{Board, Card, Item, MAX_BYTES, Panel, Piece, to_line};

/// Bytes of an answer that are kept free for the last token, which the engine adds.
const SPARE: usize = 4 << 10;

/// Draws a position for its viewer.
pub(super) fn draw(position: &Position) -> Board {
    let mut board = Board::new(position.turn());
    for seat in Seat::all(position.seats()) {
        let (state, number) = (position.seat(seat), seat.index() as u8 + 1);
        board.pieces.push(Piece::new(ring_cell(state.pawn.into()), PAWN, number));
        board.pieces.push(Piece::new(score_cell(state.score), CONE, number));
        board.pieces.extend(pile(jewel_cell(number), JEWEL, number, state.jewels));
        board.pieces.extend(pile(token_cell(number), TOKEN, number, state.curses));
        board.panel.push(panel(position, seat));
    }
    board.pieces.extend(position.blob().map(|at| Piece::new(score_cell(at), BLOB, 0)));
    board.cards = position.objects().map(|(name, object)| card(position, name, object)).collect();
    board.note = Some(note(position));
    if position.ending.as_ref().is_some_and(|ending| ending.by_finish) {
        board.decided = vec![score_cell(position.options().finish)];
    }
    shorten(&mut board, position);
    board
}

fn pile(cell: String, symbol: &str, seat: u8, count: u8) -> Option<Piece> {
    let several = (count > 1).then_some(count.into());
    (count > 0).then(|| Piece { count: several, ..Piece::new(cell, symbol, seat) })
}

fn panel(position: &Position, seat: Seat) -> Panel {
    let state = position.seat(seat);
    let items = vec![
        Item::of("score", state.score.into(), position.options().finish.into()),
        Item::of("jewels", state.jewels.into(), MOST_JEWELS.into()),
        Item::of("curse tokens", state.curses.into(), FIRST_CURSES.into()),
    ];
    Panel { seat: seat.to_string(), items }
}

/// A predicate as words, such as "has handle".
pub(super) fn feature_text(predicate: PredicateId) -> String {
    Knowledge::shipped().predicate(predicate).replace('_', " ")
}

/// A question as people ask it.
fn question_text(question: &Question) -> String {
    match question {
        Question::Predicate(id) => Knowledge::shipped().question(*id).to_owned(),
        Question::Text(words) => {
            words.text().chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
        }
    }
}

/// What a seat does, after its name. What the cards show at once is not told.
pub(super) fn told(position: &Position, m: &Move) -> Option<String> {
    let word = |word: &Secret<Word>| match word {
        Secret::Known(_) => format!(": {}", word_text(word)),
        Secret::Masked => String::new(),
    };
    let letter = |place: &Option<u8>| place.map_or("a letter".into(), |at| format!("letter {at}"));
    Some(match m {
        Move::Word(..) | Move::Show(..) => String::new(),
        Move::Done(name) => {
            let shown = position.object(*name).shown.iter();
            let shown: Vec<String> = shown.map(|feature| feature_text(*feature)).collect();
            format!("has modelled {name}: {}", shown.join(", "))
        }
        Move::Roll => "rolls".into(),
        Move::Jewels(count) => {
            let paid = if *count == 1 { "a jewel".into() } else { format!("{count} jewels") };
            format!("spends {paid}{}", lands(position, *count))
        }
        Move::Die(count) => format!("throws {count}{}", lands(position, *count)),
        Move::Letter(name, place) => format!("asks for {} of {name}", letter(place)),
        Move::Give(Secret::Known(Gift::Letter(given))) => {
            format!("gives the letter {}", char::from(*given))
        }
        Move::Give(Secret::Known(Gift::Nothing)) => "has no letter left to give".into(),
        Move::Give(Secret::Masked) => "gives a letter".into(),
        Move::Ask(name, question) => format!("asks about {name}: {}", question_text(question)),
        Move::Answer(answer) => format!("answers: {}", answer_text(*answer)),
        Move::Stop => "asks no more".into(),
        Move::Guess(name, guess) => format!("guesses {name}{}", word(guess)),
        Move::Again => "asks on in place of a guess".into(),
        Move::Verdict(true) => "says that this is right".into(),
        Move::Verdict(false) => "says that this is wrong".into(),
        Move::CurseLetter(name, place) => {
            format!("spends a curse token on {} of {name}", letter(place))
        }
        Move::CurseGuess(name, guess) => {
            format!("spends a curse token and guesses {name}{}", word(guess))
        }
        Move::Judge(_) | Move::Deal(..) | Move::First(_) | Move::Pass => {
            return None;
        }
    })
}

/// Where the pawn of the turn comes to, so many spaces on, and what that brings.
fn lands(position: &Position, steps: u8) -> String {
    let Some(seat) = position.turn else { return String::new() };
    let space = position.space_ahead(seat, steps);
    let has_all = position.phase() == Phase::Die && position.seat(seat).jewels == MOST_JEWELS;
    let brings = match (space, space.steps_of_others()) {
        (Space::Stairs, _) if !has_all => ": a jewel more".into(),
        (_, 0) => String::new(),
        (_, points) => format!(": all others score {points}"),
    };
    format!(" and comes to {}{brings}", space.name())
}

/// An answer for people.
pub(super) fn answer_text(answer: Answer) -> &'static str {
    match answer {
        Answer::DontKnow => "don't know",
        known => known.token(),
    }
}

fn card(position: &Position, name: ObjectName, object: &Object) -> Card {
    let mut lines = Vec::new();
    if let Some(dealt) = &object.dealt {
        lines.push(match dealt {
            Secret::Known(_) => format!("dealt: {}", deal_text(dealt).replace(',', ", ")),
            Secret::Masked => "six words are dealt".into(),
        });
    }
    lines.extend(object.shown.iter().map(|feature| format!("clay: {}", feature_text(*feature))));
    lines.extend(
        object.answers.iter().map(|(question, answer)| {
            format!("{} {}", question_text(question), answer_text(*answer))
        }),
    );
    lines.extend(object.letters.iter().map(letter_text));
    let wrong = object.wrong.iter();
    lines.extend(wrong.map(|(seat, word)| format!("{seat} guessed {}: wrong", word_text(word))));
    let mut badges: Vec<String> =
        object.arrows.iter().map(|arrow| format!("arrow {}", arrow.guesser)).collect();
    if !position.is_open(object) {
        badges.push("closed".into());
    }
    Card {
        id: name.to_string(),
        seat: name.owner.to_string(),
        title: title(object),
        // In the full state everything lies open.
        secret: position.viewer.is_some() && (object.word.is_some() || object.dealt.is_some()),
        lines,
        badges,
        picture: sculpture::draw(&object.shown),
    }
}

/// The word, or the right guess that names it.
fn title(object: &Object) -> String {
    match object.named_word() {
        Some(word) => word.text().into(),
        None => object.word.as_ref().map_or("-".into(), word_text),
    }
}

fn letter_text(letter: &GivenLetter) -> String {
    let GivenLetter { asker, place, gift } = letter;
    let gift = match gift {
        Secret::Known(Gift::Letter(letter)) => char::from(*letter).to_string(),
        Secret::Known(Gift::Nothing) => "none".into(),
        Secret::Masked => "?".into(),
    };
    match place {
        Some(place) => format!("letter {place} for {asker}: {gift}"),
        None => format!("letter for {asker}: {gift}"),
    }
}

/// Leaves out the oldest lines of the cards where an answer would hold too much: free questions may
/// be long and many. What the clay shows stays.
fn shorten(board: &mut Board, position: &Position) {
    let over = to_line(board).len() > MAX_BYTES - SPARE;
    if !over {
        return;
    }
    let cards = std::mem::take(&mut board.cards);
    let share = (MAX_BYTES - SPARE).saturating_sub(to_line(board).len()) / cards.len().max(1);
    let objects = position.objects();
    board.cards = cards
        .into_iter()
        .zip(objects)
        .map(|(card, (_, object))| shortened(card, object.shown.len(), share))
        .collect();
}

fn shortened(mut card: Card, clay: usize, share: usize) -> Card {
    if to_line(&card).len() <= share {
        return card;
    }
    let mut later = card.lines.split_off(clay);
    // The note about what is left out needs room as well.
    let mut room = share.saturating_sub(to_line(&card).len() + 60);
    let kept = later.iter().rev().take_while(|line| {
        let bytes = to_line(line.as_str()).len() + 1;
        let fits = bytes <= room;
        room = room.saturating_sub(bytes);
        fits
    });
    let left_out = later.len() - kept.count();
    card.lines.push(format!("({left_out} earlier lines are left out)"));
    card.lines.extend(later.drain(left_out..));
    card
}

/// What is awaited, whose turn it is, and how many arrows are missing.
fn note(position: &Position) -> String {
    let mut sentences = vec![awaited(position)];
    let options = position.options();
    if let (Phase::Ask | Phase::Answer, (asked, noes)) = (position.phase(), position.round()) {
        sentences.push(format!(
            "Questions: {asked} of {}. Noes: {noes} of {}.",
            options.most_questions,
            options.noes_allowed()
        ));
    }
    if let Some(turn) = position.active().filter(|_| position.ending.is_none()) {
        let (arrows, last) = (position.arrows(), options.last_arrow());
        let points = options.maker_points(arrows + 1);
        sentences.push(format!(
            "Turn of {turn}. Arrows: {arrows} of {last}; the next is worth {points:+} to the maker."
        ));
    }
    sentences.join(" ")
}

fn awaited(position: &Position) -> String {
    match position.awaited() {
        Awaited::Judge => "The judge is drawn.".into(),
        Awaited::Deal(name) => format!("Words are dealt for {name}."),
        Awaited::Word(name) => format!("{} chooses the word of {name}.", name.owner),
        Awaited::Show(name) => format!("{} models {name}.", name.owner),
        Awaited::First => "The first player is drawn.".into(),
        Awaited::Window(seat) => format!("{seat} may spend a curse token.{}", heard(position)),
        Awaited::Move(seat) => format!("{seat} rolls or spends jewels."),
        Awaited::Die => "The die is thrown.".into(),
        Awaited::Letter(seat) => format!("{seat} may ask for a letter."),
        Awaited::Gift { asker, object, place } => {
            let place = place.map_or("a letter".into(), |place| format!("letter {place}"));
            format!("{} owes {asker} {place} of {object}.", object.owner)
        }
        Awaited::Questions(seat) => format!("{seat} may ask a question."),
        Awaited::Answer(name, question) => {
            let who = if position.options().owner_answers {
                name.owner.to_string()
            } else {
                "the judge".into()
            };
            format!("About {name}: {} An answer of {who} is due.", question_text(&question))
        }
        Awaited::SecondRound(seat) => format!("{seat} may guess."),
        Awaited::Verdict { guesser, object, word } => {
            format!("{guesser} guesses that {object} is: {}.", word_text(&word))
        }
        Awaited::Nothing => {
            let ending = position.ending.as_ref();
            let winners = Seat::all(position.seats())
                .filter(|seat| ending.is_some_and(|ending| ending.won(*seat)))
                .map(|seat| seat.to_string());
            let why = match ending {
                Some(ending) if ending.by_finish => "a cone stands on the finish",
                _ => "the last arrow is set",
            };
            format!(
                "The game is over, {why}. Won by {}.",
                winners.collect::<Vec<_>>().join(" and ")
            )
        }
    }
}

/// The answer after which a window is open.
fn heard(position: &Position) -> String {
    use crate::games::barbarossa::rules::position::Pending;
    match position.pending() {
        Pending::Answered(name, question, answer) => {
            format!(" About {name}: {} {}.", question_text(question), answer_text(*answer))
        }
        _ => String::new(),
    }
}
