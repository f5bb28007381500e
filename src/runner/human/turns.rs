//! The course of a game: chance, engines, people, the end.

use anyhow::{Result, bail};

use super::display::{Shown, enumerated, say};
use super::game::{Ended, HumanGame, Step};
use super::help;
use super::progress::Progress;
use crate::printing::print;
use crate::printing::printable;
use crate::protocol::{Outcome, Turn, reason_text, seat_name};
use crate::runner::tournament::record::{Ending, Move};

/// Lines that push the screen of the person before out of sight.
const HANDOVER_LINES: usize = 60;

impl HumanGame {
    /// Plays to the end of the game, and until the people leave.
    pub(super) fn play(&mut self) -> Result<()> {
        let (example, _) = self.examples()?;
        print(&help::greeting(self, example.as_deref()));
        loop {
            if self.ended.is_some() || self.course.is_over() {
                self.finish()?;
                match self.talk_afterwards()? {
                    Step::Moved => self.ended = None,
                    _ => return Ok(()),
                }
                continue;
            }
            let turn = self.course.referee.turn();
            let Turn::Seat(seat) = turn else {
                self.throw(turn.seat())?;
                continue;
            };
            if !self.people.contains(&seat) {
                self.answer(seat)?;
            } else if self.decide(seat)? == Step::Quit {
                self.display.flush();
                return Ok(());
            }
        }
    }

    /// A move to begin with, and what one may begin with: where moves are many, what is offered first.
    pub(super) fn examples(&mut self) -> Result<(Option<String>, Option<String>)> {
        if self.course.decider() != Some(self.viewer) {
            return Ok((None, None));
        }
        let choices = self.choices_now()?.into_iter().flat_map(|step| step.next);
        let begins = choices.map(|next| next.choice).find(|choice| choice != "pass");
        let first = self.legal("")?.and_then(|moves| moves.into_iter().next());
        let first = first.map(|token| self.words(&token)).transpose()?;
        Ok((first.or_else(|| begins.clone()), begins))
    }

    /// A person's turn: the board, then lines until a move or the end.
    fn decide(&mut self, seat: usize) -> Result<Step> {
        if seat != self.viewer {
            self.change_viewer(seat)?;
        }
        if self.drawn != Some(self.course.moves.len()) {
            self.show_turn()?;
        }
        self.read_command()
    }

    /// Another person sits down at the keyboard; where there are secrets, nobody else may look.
    fn change_viewer(&mut self, seat: usize) -> Result<()> {
        if self.secrets {
            self.display.flush();
            let name = self.name(seat);
            print(&"\n".repeat(HANDOVER_LINES));
            self.editor.forget();
            print(&format!("It is {name}'s turn. All others look away; then press Enter."));
            if self.editor.read("").is_none() {
                bail!("the input has ended");
            }
        }
        self.viewer = seat;
        let happened = self.display.sits(seat);
        if self.secrets {
            happened.iter().for_each(|line| say(line));
        }
        self.drawn = None;
        Ok(())
    }

    /// Draws what chance decides.
    fn throw(&mut self, thrower: Option<usize>) -> Result<()> {
        self.course.throw(thrower)?;
        // What another seat is dealt may be hidden from the person: so print from the view.
        let shown = self.last_shown(None)?;
        let mut last = None;
        if thrower.is_some() {
            self.update_adviser()?;
            last = self.adviser.board()?.and_then(|board| board.last);
        }
        let told = last.as_ref().and_then(|last| last.told.as_deref());
        self.display.chance(thrower, &Shown { token: shown.as_deref(), told, own: None });
        Ok(())
    }

    /// The last token as the people may see it; of several people, as all of them may, since they
    /// share the log. `None` where a view is no list of moves.
    fn last_shown(&mut self, mover: Option<usize>) -> Result<Option<String>> {
        match self.people.as_slice() {
            [person] => self.last_seen_by(*person),
            _ => self.last_seen_by_all(mover),
        }
    }

    /// The last token as all other seats may see it.
    fn last_seen_by_all(&mut self, mover: Option<usize>) -> Result<Option<String>> {
        let whole = self.course.moves.last().map(|played| played.token.clone());
        let seats = if self.secrets { 0..self.display.names.len() } else { 0..0 };
        for seat in seats.filter(|seat| mover != Some(*seat)) {
            let seen = self.last_seen_by(seat)?;
            if seen != whole {
                return Ok(seen);
            }
        }
        Ok(whole)
    }

    /// Keeps in the log what the person at the keyboard has played.
    pub(super) fn keep_in_log(&mut self) -> Result<()> {
        let shown = self.last_shown(Some(self.viewer))?;
        self.display.keep(self.viewer, shown.as_deref());
        Ok(())
    }

    /// The last token as a seat may see it.
    fn last_seen_by(&mut self, seat: usize) -> Result<Option<String>> {
        let view = self.view(seat)?;
        Ok(view.tokens().next_back().map(str::to_owned))
    }

    /// An engine's move.
    fn answer(&mut self, seat: usize) -> Result<()> {
        self.display.show_pending();
        let view = self.view(seat)?;
        let found = self.opponents.search(seat, &view, &self.course.moves)?;
        if !self.is_legal(&found.token)? {
            let name = self.name(seat);
            bail!("{name} plays {}, which is illegal", printable(&found.token, 40));
        }
        self.course.append(Move::found(seat, &found))?;
        let open = (!self.secrets).then_some(found.token);
        let shown = if open.is_some() { open } else { self.last_shown(Some(seat))? };
        self.update_adviser()?;
        let told = self.display.keep_last(&self.adviser)?.and_then(|last| last.told.clone());
        // The engine's words tell what the person at the keyboard may see: others may see less.
        let is_all = !self.secrets || shown == self.last_seen_by(self.viewer)?;
        let told = told.filter(|_| is_all);
        let (token, own) = (shown.as_deref(), self.own_word(shown.as_deref())?);
        let shown = Shown { token, told: told.as_deref(), own: own.as_deref() };
        self.display.played(seat, &shown);
        Ok(())
    }

    /// What the person's own card says that a token of somebody else names.
    fn own_word(&mut self, token: Option<&str>) -> Result<Option<String>> {
        let Some(token) = token.filter(|token| token.contains(':')) else { return Ok(None) };
        // Others at the keyboard may not hear it.
        if self.people.len() > 1 {
            return Ok(None);
        }
        let Some(board) = self.adviser.board()? else {
            return Ok(None);
        };
        let seat = seat_name(self.viewer);
        let named = |card: &&crate::picture::Card| {
            card.seat == seat && token.split(':').any(|word| word == card.id)
        };
        let card = board.cards.iter().find(named);
        let known = card.filter(|card| card.secret && !["?", "-"].contains(&card.title.as_str()));
        Ok(known.map(|card| card.title.clone()))
    }

    /// The last board, and who has won.
    fn finish(&mut self) -> Result<()> {
        if self.ended.is_none() {
            let outcome = self.course.referee.outcome()?;
            self.ended = Some(Ended { outcome, ending: Ending::Rules });
            self.draw()?;
        }
        let Some(ended) = self.ended.clone() else { return Ok(()) };
        self.display.flush();
        say(&self.verdict(&ended.outcome));
        self.reveal()?;
        if !std::mem::replace(&mut self.counted, true) {
            self.offer_level(&ended.outcome);
        }
        print("Type review for your worst moves, save FILE, undo, moves, or quit.");
        Ok(())
    }

    /// After the end the papers are revealed.
    fn reveal(&mut self) -> Result<()> {
        if !self.secrets {
            return Ok(());
        }
        self.update_adviser()?;
        let cards = self.adviser.cards()?;
        let known = cards.iter().filter(|card| !["?", "-"].contains(&card.title.as_str()));
        let words: Vec<String> = known.map(|card| format!("{} {}", card.id, card.title)).collect();
        if !words.is_empty() {
            say(&format!("The papers are revealed: {}.", words.join(", ")));
        }
        Ok(())
    }

    /// Keeps who has won; after some games in a row with one result offers another level.
    fn offer_level(&self, outcome: &Outcome) {
        let (Some(level), [person]) = (self.opponents.level, self.people.as_slice()) else {
            return;
        };
        let first = outcome.places.iter().filter(|place| **place == 1).count();
        let won = match outcome.places.get(*person) {
            Some(1) if first > 1 => None,
            place => Some(place == Some(&1)),
        };
        let name = &self.program.engine.name;
        match Progress::read(name).and_then(|mut progress| progress.played(level, won)) {
            Ok(Some(other)) => {
                let rules = self.program.rules.iter().map(|rule| format!(" --rule {rule}"));
                let rules: String = rules.collect();
                let seat = match person {
                    0 => String::new(),
                    other => format!(" --seat {}", seat_name(*other)),
                };
                let (result, next) = match won {
                    Some(true) => ("won", "stronger"),
                    _ => ("lost", "easier"),
                };
                say(&format!(
                    "You have {result} three games in a row. Level {other} is {next}: parlor play \
                     {}{rules}{seat} --level {other}",
                    self.program.text
                ));
            }
            Ok(None) => {}
            Err(error) => say(&format!("The result is not kept: {error:#}.")),
        }
    }

    /// Who has won, in words.
    fn verdict(&self, ended: &Outcome) -> String {
        let of = |place: u32| -> Vec<String> {
            let seats = ended.places.iter().enumerate().filter(move |(_, own)| **own == place);
            seats.map(|(seat, _)| self.name(seat)).collect()
        };
        let first = of(1);
        let reason = match ended.reason.as_str() {
            "resign" => format!("{} resigned", self.name(self.viewer)),
            reason => reason_text(reason),
        };
        let mut text = match first.as_slice() {
            [winner] => format!("{winner} wins: {reason}."),
            all if all.len() == ended.places.len() => format!("A draw: {reason}."),
            several => format!("{} share the first place: {reason}.", enumerated(several)),
        };
        if ended.places.len() > 2 {
            for place in 2..=ended.places.len() as u32 {
                let seats = of(place);
                if !seats.is_empty() {
                    let verb = if seats.len() == 1 { "is" } else { "are" };
                    text += &format!(" {} {verb} {}.", enumerated(&seats), ordinal(place));
                }
            }
        }
        if let [person] = self.people.as_slice() {
            text += match (ended.places.get(*person), first.len()) {
                (Some(1), 1) => " You win!",
                (Some(1), _) => "",
                _ if first.len() == ended.places.len() => "",
                _ => " You lose.",
            };
        }
        text
    }

    /// Commands after the end, until the people leave or take something back.
    fn talk_afterwards(&mut self) -> Result<Step> {
        self.offer_afterwards();
        while let Some(line) = self.editor.read("game over> ") {
            match self.command_afterwards(&line)? {
                Step::Again => {}
                step => return Ok(step),
            }
        }
        Ok(Step::Quit)
    }
}

fn ordinal(place: u32) -> String {
    match place {
        1 => "1st".into(),
        2 => "2nd".into(),
        3 => "3rd".into(),
        other => format!("{other}th"),
    }
}
