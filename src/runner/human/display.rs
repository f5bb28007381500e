//! What people see: the board, seats by their names, what the others did.

use anyhow::Result;

use super::adviser::Adviser;
use super::{HumanOptions, locale_is_utf8};
use crate::picture::{Card, Last, Table, TableSeat, terminal};
use crate::printing::printable;
use crate::printing::{print, print_styled};
use crate::protocol::seat_name;

/// The width of all that is printed.
pub(super) const WIDTH: usize = 78;
/// How much of the past `log` tells.
const LOGGED: usize = 18;
/// The least height of a drawing: below it what was told before may leave the screen.
const SHORTEST: usize = 17;
/// How much of what has happened is told to a person who sits down.
const RETOLD: usize = 8;
/// Lines of an engine's own diagram that are no picture.
const NO_PICTURE: [&str; 3] = ["fen:", "key:", "turn:"];

/// What is shown, and what has been shown.
#[derive(Default)]
pub(super) struct Display {
    /// The table, of an engine that describes it.
    pub(super) table: Option<Table>,
    /// The names of all seats.
    pub(super) names: Vec<String>,
    /// Whether scores are shown in centipawns too.
    pub(super) centipawns: bool,
    options: terminal::Options,
    /// What has happened so far, a line each.
    log: Vec<String>,
    /// How much had happened before each decision of a person.
    decided: Vec<usize>,
    /// How much of it each seat's person has seen.
    seen: Vec<usize>,
    /// The last event, as long as chance may still answer it.
    pending: Option<String>,
    /// Who has passed since the last other event.
    passed: Vec<String>,
    /// Explanations that were given already.
    explained: Vec<String>,
    /// The names of all cards, whose words stand on the board.
    cards: Vec<String>,
    /// The choices of the last move of a seat.
    last: Option<Last>,
    /// Lines that were told since the last drawing, which is so much shorter.
    told: usize,
    /// What is to be read beside the board.
    pub(super) beside: Option<String>,
}

/// What people may see of a move.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown<'a> {
    /// The token; `None` where a view is no list of moves.
    pub(super) token: Option<&'a str>,
    /// The move in the engine's words, where it has some.
    pub(super) told: Option<&'a str>,
    /// The word of a card of the person that the token names.
    pub(super) own: Option<&'a str>,
}

impl Display {
    /// For the table of an engine, if it describes one.
    ///
    /// # Errors
    /// The engine's fault.
    pub(super) fn new(
        adviser: &Adviser,
        table: Option<Table>,
        seats: usize,
        options: &HumanOptions,
    ) -> Result<Self> {
        let named = |seat: usize| {
            let known = table.as_ref().and_then(|table| table.seats.get(seat));
            known.map_or_else(|| seat_name(seat), |known| printable(&known.name, 20))
        };
        let names = (0..seats).map(named).collect();
        let centipawns = options.cp;
        let options = terminal::Options {
            unicode: !options.ascii && locale_is_utf8(),
            legend: true,
            ..terminal::Options::default()
        };
        let cards = adviser.cards()?;
        Ok(Display {
            table,
            names,
            centipawns,
            options,
            log: Vec::new(),
            decided: Vec::new(),
            seen: vec![0; seats],
            pending: None,
            passed: Vec::new(),
            explained: Vec::new(),
            cards: cards.into_iter().map(|card| card.id).collect(),
            last: None,
            told: 0,
            beside: None,
        })
    }

    /// The name of a seat for people.
    pub(super) fn name(&self, seat: usize) -> String {
        self.names.get(seat).cloned().unwrap_or_else(|| seat_name(seat))
    }

    /// Everything that is known of a card, in lines.
    pub(super) fn about(&self, card: &Card) -> Vec<String> {
        let title = format!("{} of {}: {}", card.id, self.named(&card.seat), card.title);
        let known = card.badges.iter().chain(&card.lines);
        let known = known.flat_map(|line| terminal::wrap(&self.named(line), WIDTH - 2));
        std::iter::once(title).chain(known.map(|line| format!("  {line}"))).collect()
    }

    /// Whether there are cards on the board.
    pub(super) fn has_cards(&self) -> bool {
        !self.cards.is_empty()
    }

    /// Whether this is the name of a card.
    pub(super) fn is_card(&self, name: &str) -> bool {
        self.cards.iter().any(|id| id.eq_ignore_ascii_case(name))
    }

    /// The seat of the only person, where it has the harder game.
    pub(super) fn harder_seat(&self, people: &[usize]) -> Option<&TableSeat> {
        let &[person] = people else { return None };
        self.table.as_ref()?.seats.get(person).filter(|seat| !seat.even.is_empty())
    }

    /// The title of the game, of an engine that tells it.
    pub(super) fn title(&self) -> Option<String> {
        self.table.as_ref().map(|table| printable(&table.title, 40))
    }

    /// Turns the board for a single person; several see it as the first seat does.
    pub(super) fn turn_board(&mut self, people: &[usize]) {
        self.options.you = people.first().map(|seat| seat + 1).into_iter().collect();
        self.options.seat = match people {
            [person] => person + 1,
            _ => 0,
        };
    }

    /// Draws for a terminal of a width in columns.
    pub(super) fn fit(&mut self, columns: usize) {
        self.options.width = columns.min(terminal::Options::default().width);
    }

    /// Turns the board the other way round.
    pub(super) fn flip(&mut self) {
        let other = self.options.you.first().map_or(2, |you| if *you == 1 { 2 } else { *you });
        self.options.seat = if self.options.seat <= 1 { other } else { 0 };
    }

    /// Whether this is the name of a cell of the board.
    pub(super) fn is_cell(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.table.as_ref().is_some_and(|table| table.cell(&name).is_some())
    }

    /// Draws the position that the adviser was shown.
    pub(super) fn draw(&mut self, adviser: &Adviser) -> Result<()> {
        self.flush();
        match (adviser.board()?, &self.table) {
            (Some(mut board), Some(table)) => {
                // A throw is no move that could be shown.
                let on_board = |last: &Last| last.path.iter().any(|id| table.cell(id).is_some());
                if !board.last.as_ref().is_some_and(on_board) {
                    board.last.clone_from(&self.last);
                }
                let notes = [board.note.take(), self.beside.clone()].into_iter().flatten();
                board.note = notes.reduce(|note, beside| format!("{note}\n{beside}"));
                let most = terminal::Options::default().height;
                let told = std::mem::take(&mut self.told);
                // A blank line stands between. One line alone is the last move, shown beside the board.
                let is_shown = told == 1 && board.last.is_some() && !self.has_cards();
                let above = if told == 0 || is_shown { 0 } else { told + 1 };
                self.options.height = most - above.min(most - SHORTEST);
                self.options.lowercase |= terminal::shares_symbols(table, &board);
                for line in terminal::draw(table, &board, &self.options) {
                    print_styled(line.styled().trim_end());
                }
                self.options.legend = false;
            }
            _ => {
                for line in diagram(&adviser.diagram()?) {
                    print(&line);
                }
            }
        }
        Ok(())
    }

    /// Keeps the last move, which the position that the adviser was shown tells.
    pub(super) fn keep_last(&mut self, adviser: &Adviser) -> Result<Option<&Last>> {
        self.last = adviser.board()?.and_then(|board| board.last);
        Ok(self.last.as_ref())
    }

    /// What the symbols mean, an entry each.
    pub(super) fn legend(&mut self, adviser: &Adviser) -> Result<Vec<String>> {
        let board = adviser.board()?;
        Ok(match (board, &self.table) {
            (Some(board), Some(table)) => terminal::legend(table, &board, &self.options),
            _ => Vec::new(),
        })
    }

    /// Whether this explanation is new.
    pub(super) fn explains(&mut self, text: &str) -> bool {
        let new = !self.explained.iter().any(|known| known == text);
        if new {
            self.explained.push(text.to_owned());
        }
        new
    }

    /// A sentence in which seats are called by their names.
    pub(super) fn named(&self, text: &str) -> String {
        match &self.table {
            Some(table) => terminal::named(table, text),
            None => text.to_owned(),
        }
    }

    /// A person decides: what is told from here on goes when that is taken back.
    pub(super) fn decides(&mut self) {
        self.decided.push(self.log.len());
    }

    /// The last decision of a person is taken back.
    pub(super) fn take_back(&mut self) {
        self.log.truncate(self.decided.pop().unwrap_or(0));
        self.seen.iter_mut().for_each(|seen| *seen = (*seen).min(self.log.len()));
        self.forget();
    }

    /// A seat has played.
    pub(super) fn played(&mut self, seat: usize, shown: &Shown) {
        let name = self.names.get(seat).cloned().unwrap_or_default();
        if shown.token == Some("pass") && self.names.len() > 2 {
            self.show_pending();
            if !self.passed.contains(&name) {
                self.passed.push(name);
            }
            return;
        }
        self.flush();
        if shown.told != Some("") {
            self.pending = Some(self.event(&name, shown));
        }
    }

    /// What a seat has played, in words.
    fn event(&self, name: &str, shown: &Shown) -> String {
        let own = shown.own.map_or(String::new(), |word| format!(" (your {word})"));
        match (shown.told, shown.token) {
            (Some(told), _) => format!("{name} {}{own}", self.named(&printable(told, 200))),
            (None, None) => format!("{name} has played"),
            (None, Some(token)) => {
                let verb = if token.contains(':') { ":" } else { " plays" };
                format!("{name}{verb} {}{own}", self.words(token))
            }
        }
    }

    /// Keeps in the log what a person has played, who knows it without being told.
    pub(super) fn keep(&mut self, seat: usize, token: Option<&str>) {
        if token != Some("pass") {
            let name = self.names.get(seat).cloned().unwrap_or_default();
            self.log.push(self.event(&name, &Shown { token, ..Shown::default() }));
        }
    }

    /// Somebody else sits down: returns what has happened since, the last of it.
    pub(super) fn sits(&mut self, viewer: usize) -> Vec<String> {
        let all = self.log.len();
        for left in &self.options.you {
            if let Some(seen) = self.seen.get_mut(left - 1) {
                *seen = all;
            }
        }
        self.options.you = vec![viewer + 1];
        let seen = self.seen.get(viewer).copied().unwrap_or(0);
        self.log[seen.max(all.saturating_sub(RETOLD))..].to_vec()
    }

    /// Chance has decided, for a seat that throws or for nobody.
    pub(super) fn chance(&mut self, seat: Option<usize>, shown: &Shown) {
        let token = shown.token;
        let on_card =
            |token: &str| token.split(':').any(|word| self.cards.iter().any(|id| id == word));
        let masked = token.is_some_and(|token| token.contains('?') || on_card(token));
        let words = token.map(|token| self.words(token));
        match (seat, words) {
            (None, _) if masked => {}
            (None, Some(words)) => match &mut self.pending {
                Some(pending) if !token.is_some_and(|token| token.contains(':')) => {
                    pending.push_str(&format!(" -> {words}"));
                    self.flush();
                }
                _ => {
                    self.flush();
                    // `first:p1` is `First: Player 1`.
                    let told = words.replacen(' ', ": ", 1);
                    self.pending = Some(capitalized(&told));
                }
            },
            (None, None) => {}
            (Some(seat), words) => {
                let name = self.names.get(seat).cloned().unwrap_or_default();
                self.flush();
                self.pending = Some(match (shown.told, words) {
                    (Some(_), Some(_)) => self.event(&name, shown),
                    (_, Some(words)) => format!("{name} throws {words}"),
                    (_, None) => format!("{name} has thrown"),
                });
            }
        }
    }

    /// A token for people: `ask:c1:gives_light` is `ask c1 gives light`, the throw `t4` is `4`.
    pub(super) fn words(&self, token: &str) -> String {
        let digits = token.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let is_throw = token.len() - digits.len() == 1
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_throw {
            return digits.to_owned();
        }
        if !token.contains(':') {
            return printable(token, 60);
        }
        let text = unescape(token).replace([':', '_'], " ").replace(',', ", ").replace('~', "");
        self.named(&printable(&text, 160))
    }

    /// Prints the last event: no chance will answer it.
    pub(super) fn show_pending(&mut self) {
        if let Some(line) = self.pending.take() {
            self.tell(&line);
        }
    }

    /// Prints what has happened and was not printed yet.
    pub(super) fn flush(&mut self) {
        self.show_pending();
        let passed = std::mem::take(&mut self.passed);
        let line = match passed.as_slice() {
            [] => return,
            [one] => format!("{one} passes"),
            several => format!("{} pass", enumerated(several)),
        };
        self.tell(&line);
    }

    fn tell(&mut self, line: &str) {
        self.say(line);
        self.log.push(line.to_owned());
    }

    /// Says what is to be read with the next drawing.
    pub(super) fn say(&mut self, text: &str) {
        self.told += terminal::wrap(text, WIDTH).len();
        say(text);
    }

    /// What has happened lately.
    pub(super) fn recent(&self) -> String {
        let start = self.log.len().saturating_sub(LOGGED);
        match &self.log[start..] {
            [] => "Nothing has happened yet.".to_owned(),
            lines => {
                let wrapped = lines.iter().flat_map(|line| terminal::wrap(line, WIDTH));
                wrapped.collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// Forgets what is not to be printed any more.
    pub(super) fn forget(&mut self) {
        self.pending = None;
        self.passed.clear();
        self.last = None;
    }
}

/// Prints a text in lines of the width of all that is printed.
pub(super) fn say(text: &str) {
    for line in terminal::wrap(text, WIDTH) {
        print(&line);
    }
}

/// `East, North and West`.
pub(super) fn enumerated(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// An engine's own diagram without what is no picture.
fn diagram(lines: &[String]) -> Vec<String> {
    let picture =
        |line: &&String| !NO_PICTURE.iter().any(|start| line.trim_start().starts_with(start));
    let mut kept: Vec<String> = lines
        .iter()
        .filter(picture)
        .map(|line| line.chars().take(WIDTH + 2).collect::<String>().trim_end().to_owned())
        .collect();
    while kept.last().is_some_and(String::is_empty) {
        kept.pop();
    }
    kept
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Free text with its `%XX` as characters.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (first, byte) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
impl Display {
    /// Of a game without pictures.
    pub(super) fn of_seats(names: &[&str]) -> Self {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Display { seen: vec![0; names.len()], names, ..Display::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_sits_down_is_told_what_they_have_not_seen() {
        let mut display = Display::of_seats(&["East", "North", "West"]);
        display.turn_board(&[0, 1]);
        display.keep(0, Some("one"));
        assert_eq!(display.sits(1), ["East plays one"]);
        display.keep(1, Some("two"));
        display.keep(1, Some("pass"));
        assert_eq!(display.sits(0), ["North plays two"]);
        for _ in 0..20 {
            display.keep(0, Some("three"));
        }
        assert_eq!(display.sits(1), ["East plays three"; RETOLD]);
        assert_eq!(display.sits(0), Vec::<String>::new());
    }

    #[test]
    fn passes_are_told_together_and_events_with_what_chance_answers() {
        let of = |token| Shown { token: Some(token), ..Shown::default() };
        let mut display = Display::of_seats(&["East", "North", "West"]);
        display.played(1, &of("pass"));
        display.played(2, &of("pass"));
        display.chance(Some(0), &of("t4"));
        display.played(0, &of("ask:b1:alive"));
        display.chance(None, &of("yes"));
        // What is dealt hidden is not told.
        display.chance(None, &of("?"));
        display.flush();
        let told = "North and West pass\nEast throws 4\nEast: ask b1 alive -> yes";
        assert_eq!(display.recent(), told);
    }

    #[test]
    fn the_board_is_turned_for_one_person_and_can_be_flipped() {
        let mut display = Display::of_seats(&["South", "East", "North", "West"]);
        let mut turned = |people: &[usize]| {
            display.turn_board(people);
            [0; 3].map(|_| {
                let seat = display.options.seat;
                display.flip();
                seat
            })
        };
        // 0 and 1 are both the view of the first seat, which several people share.
        assert_eq!(turned(&[0]), [1, 2, 0]);
        assert_eq!(turned(&[2]), [3, 0, 3]);
        assert_eq!(turned(&[0, 1]), [0, 2, 0]);
    }

    #[test]
    fn a_diagram_is_shown_without_its_position_line() {
        let lines = ["  a b", "1 x .", "", "fen: x. w", "key: 12"].map(str::to_owned);
        assert_eq!(diagram(&lines), ["  a b", "1 x ."]);
    }

    #[test]
    fn names_are_enumerated() {
        let names = ["East", "North", "West"].map(str::to_owned);
        assert_eq!(enumerated(&names), "East, North and West");
        assert_eq!(enumerated(&names[..2]), "East and North");
        assert_eq!(enumerated(&names[..1]), "East");
    }

    #[test]
    fn free_text_is_unescaped() {
        assert_eq!(unescape("is%20it%3F 5% %zz"), "is it? 5% %zz");
    }
}
