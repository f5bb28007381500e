//! The table as a drawing: ring, scoring track, objects, and who is waited for.

#[cfg(feature = "picture")]
use super::picture::{SKETCH_WIDTH, sketch};
use super::tokens::word_text;
use crate::game::{DiagramStyle, Game, Seat};
use crate::games::barbarossa::knowledge::{Answer, Knowledge};
use crate::games::barbarossa::rules::awaited::Awaited;
use crate::games::barbarossa::rules::position::{Object, Position};
use crate::games::barbarossa::rules::words::ObjectName;

/// Spaces of the ring in one row.
const ROW: usize = 12;

/// The greatest width of a wrapped list.
const WIDTH: usize = 100;

/// Draws a position.
pub(super) fn draw(position: &Position, style: DiagramStyle) -> String {
    let mut lines = vec![headline(position)];
    draw_ring(position, &mut lines);
    draw_track(position, style, &mut lines);
    for (name, object) in position.objects() {
        draw_object(position, name, object, &mut lines);
    }
    #[cfg(feature = "picture")]
    draw_clay(position, style, &mut lines);
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}

/// Sketches of the sculptures, side by side.
#[cfg(feature = "picture")]
fn draw_clay(position: &Position, style: DiagramStyle, lines: &mut Vec<String>) {
    const GAP: usize = 2;
    let made = position.objects().filter(|(_, object)| !object.shown.is_empty());
    let made: Vec<(ObjectName, Vec<String>)> =
        made.map(|(name, object)| (name, sketch(&object.shown, style))).collect();
    let width = SKETCH_WIDTH + GAP;
    for row in made.chunks((WIDTH + GAP) / width) {
        let captions = row.iter().map(|(name, _)| format!("{:<width$}", format!("clay {name}")));
        lines.push(captions.collect());
        let height = row.iter().map(|(_, sketch)| sketch.len()).max().unwrap_or(0);
        for index in 0..height {
            let part = |(_, sketch): &(ObjectName, Vec<String>)| {
                format!("{:<width$}", sketch.get(index).map_or("", String::as_str))
            };
            let line: String = row.iter().map(part).collect();
            // Where nothing is as high as its box.
            if !line.trim().is_empty() {
                lines.push(line);
            }
        }
    }
}

fn headline(position: &Position) -> String {
    let seen = position.viewer.map_or("all cards open".into(), |seat| format!("seen by {seat}"));
    let turn = position.turn.map_or(String::new(), |seat| format!(", turn of {seat}"));
    format!("Barbarossa, {seen}{turn}: {}", awaited(position))
}

/// Who owes what.
fn awaited(position: &Position) -> String {
    match position.awaited() {
        Awaited::Judge => "the judge is drawn".into(),
        Awaited::Deal(name) => format!("words are dealt for {name}"),
        Awaited::Word(name) => format!("{} owes a word for {name}", name.owner),
        Awaited::Show(name) => format!("{} models {name}", name.owner),
        Awaited::First => "who begins is drawn".into(),
        Awaited::Window(seat) => format!("{seat} may curse or pass"),
        Awaited::Move(seat) => format!("{seat} rolls or spends jewels"),
        Awaited::Die => "the die falls".into(),
        Awaited::Letter(seat) => format!("{seat} may ask for a letter"),
        Awaited::Gift { asker, object, .. } => {
            format!("{} owes {asker} a letter of {object}", object.owner)
        }
        Awaited::Questions(seat) => format!("{seat} asks or stops"),
        Awaited::Answer(name, question) => {
            format!("{} owes the answer to ask:{name}:{question}", name.owner)
        }
        Awaited::SecondRound(seat) => format!("{seat} guesses or passes"),
        Awaited::Verdict { guesser, object, word } => format!(
            "{} owes {guesser} the verdict on guess:{object}:{}",
            object.owner,
            word_text(&word)
        ),
        Awaited::Nothing => {
            let winners = Seat::all(position.seats())
                .filter(|seat| position.ending.is_some_and(|ending| ending.won(*seat)))
                .map(|seat| seat.to_string());
            let winners: Vec<String> = winners.collect();
            format!("over, {} won", winners.join(" and "))
        }
    }
}

fn draw_ring(position: &Position, lines: &mut Vec<String>) {
    let ring = &position.options().ring;
    for start in (0..ring.len()).step_by(ROW) {
        let (mut spaces, mut pawns) = (String::from("ring   "), String::from("pawns  "));
        for (index, space) in ring.iter().enumerate().skip(start).take(ROW) {
            spaces.push_str(&format!("{:<7}", format!("{index}{}", space.letter())));
            let here = Seat::all(position.seats())
                .filter(|seat| usize::from(position.seat(*seat).pawn) == index)
                .map(|seat| (seat.index() + 1).to_string());
            pawns.push_str(&format!("{:<7}", here.collect::<String>()));
        }
        lines.push(spaces);
        if !pawns["pawns".len()..].trim().is_empty() {
            lines.push(pawns);
        }
    }
}

fn draw_track(position: &Position, style: DiagramStyle, lines: &mut Vec<String>) {
    let finish = usize::from(position.options().finish);
    let (full, empty) = match style {
        DiagramStyle::Ascii => ('=', '.'),
        DiagramStyle::Unicode => ('\u{2588}', '\u{b7}'),
    };
    for seat in Seat::all(position.seats()) {
        let state = position.seat(seat);
        let mut track: Vec<char> = vec![empty; finish];
        track.iter_mut().take(usize::from(state.score)).for_each(|cell| *cell = full);
        if let Some(cell) = position.blob.and_then(|blob| track.get_mut(usize::from(blob))) {
            *cell = 'o';
        }
        lines.push(format!(
            "{seat}  {:>3} |{}| jewels {:>2}  curse tokens {}",
            state.score,
            track.iter().collect::<String>(),
            state.jewels,
            state.curses
        ));
    }
}

fn draw_object(position: &Position, name: ObjectName, object: &Object, lines: &mut Vec<String>) {
    let knowledge = Knowledge::shipped();
    let word = match (&object.word, &object.dealt) {
        (Some(word), _) => word_text(word),
        (None, Some(dealt)) => format!("one of {}", super::tokens::deal_text(dealt)),
        (None, None) => "-".into(),
    };
    let mut arrows = String::new();
    for place in 0..position.options().arrows_each() {
        let arrow = object.arrows.get(place);
        arrows.push_str(&arrow.map_or(" --".into(), |seat| format!(" {seat}")));
    }
    let shown = object.shown.iter().map(|id| knowledge.predicate(*id).to_string());
    list(&format!("{name} [{} ] {word:<14}", arrows), shown, lines);
    for answer in [Answer::Yes, Answer::Possibly, Answer::DontKnow, Answer::No] {
        let answers = object.answers.iter().filter(|(_, given)| *given == answer);
        let mut answers = answers.map(|(question, _)| question.to_string()).peekable();
        if answers.peek().is_some() {
            list(&format!("     {:<9}", answer.token()), answers, lines);
        }
    }
    let letters = object.letters.iter();
    let mut letters = letters.map(super::position::given_text).peekable();
    if letters.peek().is_some() {
        list("     letters  ", letters, lines);
    }
    let wrong = object.wrong.iter();
    let mut wrong = wrong.map(|(seat, word)| format!("{seat}.{}", word_text(word))).peekable();
    if wrong.peek().is_some() {
        list("     wrong    ", wrong, lines);
    }
}

/// A heading and a list after it, wrapped, with further lines indented to the list.
fn list(heading: &str, items: impl Iterator<Item = String>, lines: &mut Vec<String>) {
    let mut line = heading.to_string();
    for item in items {
        if line.len() + 1 + item.len() > WIDTH && line.trim().len() > heading.trim().len() {
            lines.push(std::mem::replace(&mut line, " ".repeat(heading.len())));
        }
        line.push(' ');
        line.push_str(&item);
    }
    lines.push(line);
}
