//! The session in XBoard's dialect: the same engine, worker and waiting line behind it.
//!
//! XBoard keeps no move list in its commands, so the dialect does: a root, the moves since, and
//! which side the engine plays.

mod search;

use super::Session;
use crate::engine::interface::Engine;
use crate::game::{OptionKind, OptionSpec, Seat};
use crate::protocol::xboard::{Board, Line, parse};
use crate::protocol::{GoArguments, PositionArgument, Root};

/// What the dialect must remember between lines.
pub struct XBoard {
    board: Board,
    root: Root,
    moves: Vec<String>,
    /// `setboard` was refused: no move is legal until a new position comes.
    refused: Option<String>,
    /// The side the engine plays; `None` in force mode.
    plays: Option<Seat>,
    analyzing: bool,
    /// The answer of the running search is no longer wanted.
    discard: bool,
    post: bool,
    moves_per_session: u64,
    increment: f64,
    own_time: f64,
    move_time: Option<f64>,
    depth: Option<u64>,
    hint: Option<String>,
    /// The square the person last took an animal from, as XBoard names it.
    lifted: Option<String>,
}

impl XBoard {
    /// The dialect for a game, as after `new`.
    pub fn new(board: Board) -> Self {
        XBoard {
            board,
            root: Root::Start,
            moves: Vec::new(),
            refused: None,
            plays: Some(Seat::new(1)),
            analyzing: false,
            discard: false,
            post: false,
            moves_per_session: 0,
            increment: 0.0,
            own_time: 300_000.0,
            move_time: None,
            depth: None,
            hint: None,
            lifted: None,
        }
    }

    fn argument(&self) -> PositionArgument {
        PositionArgument { root: self.root.clone(), view: None, moves: self.moves.clone() }
    }

    fn go(&self, seat: Seat) -> GoArguments {
        let mut go = GoArguments { depth: self.depth, ..GoArguments::default() };
        if self.analyzing {
            return GoArguments { infinite: true, ..GoArguments::default() };
        }
        if let Some(time) = self.move_time {
            go.move_time = Some(time);
            return go;
        }
        go.time[seat.index()] = Some(self.own_time);
        go.increment[seat.index()] = Some(self.increment);
        if self.moves_per_session > 0 {
            let made = self.moves.len() as u64 / 2;
            go.moves_to_go = Some(self.moves_per_session - made % self.moves_per_session);
        }
        go
    }

    fn restart(&mut self, root: Root) {
        self.root = root;
        self.moves.clear();
        self.refused = None;
        self.hint = None;
    }
}

impl Session {
    /// A line in this dialect while nothing runs.
    pub(super) fn xboard_line(&mut self, text: &str) {
        log::debug!("< {text}");
        match parse(text) {
            Ok(line) => self.xboard_act(text, line),
            Err(answer) => {
                self.warn(&answer);
                self.output.line(&answer);
            }
        }
    }

    /// A line in this dialect while a search runs: whether it was dealt with. One that was not
    /// waits.
    pub(super) fn xboard_during_search(&mut self, text: &str) -> bool {
        let Some(xboard) = &mut self.xboard else {
            return false;
        };
        match parse(text) {
            Ok(Line::MoveNow) => self.stop(),
            Ok(Line::Quit) => {
                xboard.discard = true;
                self.quitting = true;
                self.stop();
            }
            Ok(Line::Ping(number)) if xboard.analyzing && self.waiting.is_empty() => {
                self.output.line(&format!("pong {number}"));
            }
            Ok(Line::Post(post)) => xboard.post = post,
            Ok(Line::Nothing | Line::Status | Line::OwnTime(_) | Line::OpponentTime(_)) => {}
            Ok(
                Line::Force
                | Line::New
                | Line::Variant(_)
                | Line::Go
                | Line::PlayOther
                | Line::Ended
                | Line::Undo
                | Line::Remove
                | Line::SetBoard(_)
                | Line::Analyze
                | Line::ExitAnalysis,
            ) => {
                xboard.discard = true;
                self.stop();
                return false;
            }
            Ok(_) if xboard.analyzing => {
                xboard.discard = true;
                self.stop();
                return false;
            }
            _ => return false,
        }
        true
    }

    fn xboard_act(&mut self, text: &str, line: Line) {
        let (Some(mut xboard), Some(mut engine)) = (self.xboard.take(), self.engine.take()) else {
            return;
        };
        let thinks = self.xboard_change(&mut xboard, &mut *engine, text, line);
        self.engine = Some(engine);
        self.xboard = Some(xboard);
        if thinks {
            self.xboard_think();
        }
    }

    /// Acts on a line; the answer says whether the engine must think about its move now.
    fn xboard_change(
        &mut self,
        xboard: &mut XBoard,
        engine: &mut dyn Engine,
        text: &str,
        line: Line,
    ) -> bool {
        match line {
            Line::Version => self.tell_features(engine),
            Line::New => {
                engine.new_game();
                xboard.restart(Root::Start);
                xboard.plays = Some(Seat::new(1));
                xboard.depth = None;
                self.reload(xboard, engine);
            }
            Line::Variant(name) if name == xboard.board.variant => {
                xboard.board.setup().iter().for_each(|line| self.output.line(line));
            }
            Line::Variant(_) => self.xboard_error("unknown variant", text),
            Line::SetBoard(fen) => self.set_board(xboard, engine, &fen),
            Line::Force | Line::Ended => xboard.plays = None,
            Line::Go => {
                xboard.plays = turn(engine);
                return xboard.plays.is_some();
            }
            Line::PlayOther => {
                xboard.plays = turn(engine).map(|seat| Seat::new(1 - seat.index().min(1)));
            }
            Line::Move(written) => {
                return self.user_move(xboard, engine, &written)
                    && !xboard.analyzing
                    && xboard.plays.is_some()
                    && xboard.plays == turn(engine);
            }
            Line::Undo => self.take_back(xboard, engine, text, 1),
            Line::Remove => self.take_back(xboard, engine, text, 2),
            Line::Level { moves, base, increment } => {
                xboard.moves_per_session = moves;
                xboard.own_time = base;
                xboard.increment = increment;
                xboard.move_time = None;
            }
            Line::MoveTime(time) => xboard.move_time = Some(time),
            Line::Depth(depth) => xboard.depth = Some(depth),
            Line::OwnTime(time) => xboard.own_time = time,
            Line::Post(post) => xboard.post = post,
            Line::Analyze => {
                xboard.analyzing = true;
                xboard.plays = None;
            }
            Line::ExitAnalysis => xboard.analyzing = false,
            Line::Ping(number) => self.output.line(&format!("pong {number}")),
            Line::Hint => return self.hint(xboard),
            Line::Lift(square) => self.lift(xboard, engine, text, &square),
            Line::Memory(value) => self.xboard_set(engine, text, "Hash", Some(&value)),
            Line::Cores(value) => self.xboard_set(engine, text, "Threads", Some(&value)),
            Line::Option { name, value } => {
                let is_check = engine
                    .options()
                    .spec(&name)
                    .is_some_and(|spec| matches!(spec.kind, OptionKind::Check { .. }));
                let value = match value.as_deref() {
                    Some("1") if is_check => Some("true"),
                    Some("0") if is_check => Some("false"),
                    other => other,
                };
                self.xboard_set(engine, text, &name, value);
            }
            Line::Quit => self.quitting = true,
            Line::Put(square) => self.put(xboard, engine, &square),
            Line::MoveNow | Line::Status | Line::OpponentTime(_) | Line::Nothing => {}
        }
        false
    }

    fn xboard_error(&mut self, kind: &str, text: &str) {
        let answer = format!("Error ({kind}): {text}");
        self.warn(&answer);
        self.output.line(&answer);
    }

    fn xboard_set(&mut self, engine: &mut dyn Engine, text: &str, name: &str, value: Option<&str>) {
        if let Err(error) = engine.set_option(name, value) {
            log::warn!("{error}");
            self.xboard_error("bad option or value", text);
        }
    }

    fn tell_features(&mut self, engine: &dyn Engine) {
        let variant = self.xboard_variant(engine);
        self.output.line("feature done=0");
        self.output.line(&format!(
            "feature myname=\"Parlor {}\" variants=\"{variant}\" setup=1 highlight=1 usermove=1",
            engine.title()
        ));
        self.output
            .line("feature ping=1 setboard=1 playother=1 analyze=1 memory=1 smp=1 time=1 reuse=1");
        self.output.line("feature sigint=0 sigterm=0 san=0 draw=0 colors=0 name=0 nps=0 debug=1");
        for spec in engine.options().specs() {
            // These two have commands of their own.
            if !["Hash", "Threads"].contains(&spec.name.as_str()) {
                self.output.line(&option_feature(spec, engine.options().text(&spec.name)));
            }
        }
        self.output.line("feature done=1");
    }

    fn xboard_variant(&self, engine: &dyn Engine) -> &'static str {
        engine.xboard().map_or("", |board| board.variant)
    }

    /// Loads what the dialect remembers.
    fn reload(&mut self, xboard: &XBoard, engine: &mut dyn Engine) {
        if let Err(error) = engine.set_position(&xboard.argument()) {
            self.warn(&error.to_string());
        }
    }

    fn set_board(&mut self, xboard: &mut XBoard, engine: &mut dyn Engine, fen: &str) {
        let old = xboard.argument();
        xboard.restart(Root::Fen(xboard.board.position_in(fen)));
        if let Err(error) = engine.set_position(&xboard.argument()) {
            self.warn(&error.to_string());
            self.output.line(&format!("tellusererror Illegal position: {}", error.text));
            xboard.refused = Some(error.text);
            xboard.root = old.root;
            xboard.moves = old.moves;
            self.reload(xboard, engine);
        }
    }

    /// Plays a move from outside; whether it was legal.
    fn user_move(&mut self, xboard: &mut XBoard, engine: &mut dyn Engine, written: &str) -> bool {
        if let Err(why) = self.try_move(xboard, engine, written) {
            self.warn(&why);
            self.output.line(&format!("Illegal move ({why}): {written}"));
            return false;
        }
        xboard.hint = None;
        self.announce(engine);
        true
    }

    /// Plays a move if it is legal; otherwise nothing changes, and the error says why.
    fn try_move(
        &mut self,
        xboard: &mut XBoard,
        engine: &mut dyn Engine,
        written: &str,
    ) -> Result<(), String> {
        if xboard.refused.is_some() {
            return Err("the position on the board is not legal".into());
        }
        let Some(token) = xboard.board.move_in(written) else {
            return Err("a move is two squares of the board".into());
        };
        xboard.moves.push(token);
        let Err(error) = engine.set_position(&xboard.argument()) else {
            return Ok(());
        };
        xboard.moves.pop();
        self.reload(xboard, engine);
        // The text names the move and its number first, which XBoard knows.
        let (_, why) = error.text.split_once("': ").unwrap_or(("", &error.text));
        Err(xboard.board.text_out(why).replace(['(', ')'], ""))
    }

    /// XBoard refuses a click on a square that was not marked by itself, but cannot say why.
    fn put(&mut self, xboard: &mut XBoard, engine: &mut dyn Engine, square: &str) {
        let Some(lifted) = xboard.lifted.take().filter(|lifted| lifted != square) else {
            return;
        };
        match self.try_move(xboard, engine, &(lifted + square)) {
            // The move itself follows as `usermove`.
            Ok(()) => {
                xboard.moves.pop();
                self.reload(xboard, engine);
            }
            Err(why) => self.output.line(&format!("telluser Illegal move: {why}")),
        }
    }

    /// Tells the result once the game is over.
    fn announce(&mut self, engine: &dyn Engine) {
        let ask = |word: &str| engine.query(word, &[]).unwrap_or_default();
        let result = match ask("result").as_str() {
            "p1win" => "1-0",
            "p2win" => "0-1",
            "draw" => "1/2-1/2",
            _ => return,
        };
        self.output.line(&format!("{result} {{{}}}", ask("reason").replace('-', " ")));
    }

    fn take_back(
        &mut self,
        xboard: &mut XBoard,
        engine: &mut dyn Engine,
        text: &str,
        count: usize,
    ) {
        let Some(left) = xboard.moves.len().checked_sub(count) else {
            return self.xboard_error("command not legal now", text);
        };
        xboard.moves.truncate(left);
        xboard.hint = None;
        self.reload(xboard, engine);
    }

    fn lift(&mut self, xboard: &mut XBoard, engine: &dyn Engine, text: &str, written: &str) {
        let Some(square) = xboard.board.square_in(written) else {
            return self.xboard_error("no such square", text);
        };
        xboard.lifted = Some(written.into());
        let moves = match &xboard.refused {
            None => engine.query("legalmoves", std::slice::from_ref(&square)).unwrap_or_default(),
            Some(_) => String::new(),
        };
        self.output.line(&xboard.board.highlight(&square, moves.split(' ')));
    }

    /// Tells the expected answer; whether a search must find one first.
    fn hint(&self, xboard: &XBoard) -> bool {
        match &xboard.hint {
            Some(hint) => {
                self.output.line(&format!("Hint: {hint}"));
                false
            }
            None => true,
        }
    }
}

fn turn(engine: &dyn Engine) -> Option<Seat> {
    engine.query("turn", &[]).ok().as_deref().and_then(Seat::parse)
}

/// The declaration of an option in this dialect.
fn option_feature(spec: &OptionSpec, value: &str) -> String {
    let name = &spec.name;
    let shown = match &spec.kind {
        OptionKind::Check { .. } => format!("-check {}", u8::from(value == "true")),
        OptionKind::Spin { min, max, .. } => {
            // XBoard reads 32 bits.
            format!("-spin {value} {min} {}", (*max).min(i64::from(i32::MAX)))
        }
        OptionKind::Combo { values } => {
            let marked: Vec<_> = values
                .iter()
                .map(|word| if word == value { format!("*{word}") } else { word.clone() })
                .collect();
            format!("-combo {}", marked.join(" /// "))
        }
        OptionKind::Text { .. } => format!("-string {value}"),
        OptionKind::Button => "-button".into(),
    };
    format!("feature option=\"{name} {shown}\"")
}
