//! XBoard's front end: the same host and engine as the native dialect, under other commands.
//!
//! XBoard keeps no move list in its commands, so this front end does: a root, the moves since, and
//! which side the engine plays.

mod boards;
mod features;
mod position;
mod thinking;

use self::features::is_check;
use super::host::{FrontEnd, Host};
use super::interface::{Answer, Engine};
use crate::game::Seat;
use crate::protocol::xboard::{Board, XBoardCommand, parse};
use crate::protocol::{GoArguments, PositionArgument, ProtocolError, Root};

/// The front end for the game of that name, where XBoard can show it.
pub(super) fn front_end(game: &str) -> Option<Box<dyn FrontEnd>> {
    boards::board(game).map(|board| Box::new(XBoard::new(board)) as Box<dyn FrontEnd>)
}

/// What the dialect must remember between lines.
struct XBoard {
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
    clock: Clock,
    depth: Option<u64>,
    /// The expected answer to the engine's last move, as XBoard writes it.
    hint: Option<String>,
    /// The square the user last took a piece from, as XBoard names it.
    lifted: Option<String>,
}

/// The time control, in milliseconds.
struct Clock {
    /// Moves in each time control; 0 for the whole game.
    moves_per_session: u64,
    increment: f64,
    own_time: f64,
    /// Fixed time for each move, in place of the clock.
    move_time: Option<f64>,
}

impl Clock {
    /// Sets what a command says of the time. `level` and `st` exclude each other: the last one
    /// holds.
    fn set(&mut self, command: &XBoardCommand) {
        match *command {
            XBoardCommand::Level { moves, base, increment } => {
                *self =
                    Clock { moves_per_session: moves, increment, own_time: base, move_time: None };
            }
            XBoardCommand::MoveTime(time) => self.move_time = Some(time),
            XBoardCommand::OwnTime(time) => self.own_time = time,
            _ => {}
        }
    }
}

impl FrontEnd for XBoard {
    fn act(&mut self, host: &mut Host, line: &str) -> Option<Box<dyn FrontEnd>> {
        match parse(line) {
            Ok(command) => {
                let mut engine = host.engine.take()?;
                match self.act_on(host, &mut *engine, line, command) {
                    true => self.think(host, engine),
                    false => host.engine = Some(engine),
                }
            }
            Err(answer) => {
                host.warn(&answer);
                host.output.line(&answer);
            }
        }
        None
    }

    fn act_during_job(&mut self, host: &mut Host, line: &str) -> bool {
        let Ok(command) = parse(line) else {
            return false;
        };
        match command {
            XBoardCommand::MoveNow => host.stop(),
            XBoardCommand::Quit => {
                self.discard = true;
                host.quit();
            }
            XBoardCommand::Ping(number) if self.analyzing && host.nothing_waits() => {
                host.output.line(&format!("pong {number}"));
            }
            XBoardCommand::Post(post) => self.post = post,
            XBoardCommand::Nothing
            | XBoardCommand::Status
            | XBoardCommand::OwnTime(_)
            | XBoardCommand::OpponentTime(_) => {}
            command => {
                if self.analyzing || ends_search(&command) {
                    self.discard = true;
                    host.stop();
                }
                return false;
            }
        }
        true
    }

    fn refuse(&mut self, host: &mut Host, first_word: &str, error: &ProtocolError) {
        host.warn(&error.to_string());
        host.output.line(&format!("Error ({}): {first_word}", error.text));
    }

    fn answer(&mut self, host: &mut Host, answer: &Answer) {
        self.play_answer(host, answer);
    }

    /// An analysis goes on whenever nothing else is to be done.
    fn idle(&mut self, host: &mut Host) {
        if self.analyzing
            && let Some(engine) = host.engine.take()
        {
            self.think(host, engine);
        }
    }
}

/// Whether a command ends a running search, whose move is then not played.
fn ends_search(command: &XBoardCommand) -> bool {
    matches!(
        command,
        XBoardCommand::Force
            | XBoardCommand::New
            | XBoardCommand::Variant(_)
            | XBoardCommand::Go
            | XBoardCommand::PlayOther
            | XBoardCommand::Ended
            | XBoardCommand::Undo
            | XBoardCommand::Remove
            | XBoardCommand::SetBoard(_)
            | XBoardCommand::Analyze
            | XBoardCommand::ExitAnalysis
    )
}

impl XBoard {
    /// The dialect for a game, as after `new`.
    fn new(board: Board) -> Self {
        XBoard {
            board,
            root: Root::Start,
            moves: Vec::new(),
            refused: None,
            plays: Some(Seat::new(1)),
            analyzing: false,
            discard: false,
            post: false,
            clock: Clock {
                moves_per_session: 0,
                increment: 0.0,
                own_time: 300_000.0,
                move_time: None,
            },
            depth: None,
            hint: None,
            lifted: None,
        }
    }

    /// Acts on a command while no job runs; whether the engine must think about its move now.
    fn act_on(
        &mut self,
        host: &mut Host,
        engine: &mut dyn Engine,
        line: &str,
        command: XBoardCommand,
    ) -> bool {
        match command {
            XBoardCommand::Version => self.tell_features(host, engine),
            XBoardCommand::New => self.new_game(host, engine),
            XBoardCommand::Variant(name) if name == self.board.variant => {
                self.board.setup().iter().for_each(|line| host.output.line(line));
            }
            XBoardCommand::Variant(_) => error(host, "unknown variant", line),
            XBoardCommand::SetBoard(fen) => self.set_board(host, engine, &fen),
            XBoardCommand::Force | XBoardCommand::Ended => self.plays = None,
            XBoardCommand::Go => {
                self.plays = turn(engine);
                return self.plays.is_some();
            }
            XBoardCommand::PlayOther => {
                self.plays = turn(engine).map(|seat| Seat::new(1 - seat.index().min(1)));
            }
            XBoardCommand::Move(written) => {
                return self.user_move(host, engine, &written)
                    && !self.analyzing
                    && self.plays.is_some()
                    && self.plays == turn(engine);
            }
            XBoardCommand::Undo => self.take_back(host, engine, line, 1),
            XBoardCommand::Remove => self.take_back(host, engine, line, 2),
            XBoardCommand::Analyze => {
                self.analyzing = true;
                self.plays = None;
            }
            XBoardCommand::ExitAnalysis => self.analyzing = false,
            XBoardCommand::Ping(number) => {
                engine.get_ready();
                host.output.line(&format!("pong {number}"));
            }
            XBoardCommand::Hint => return self.tell_hint(host),
            XBoardCommand::Lift(square) => self.lift(host, engine, line, &square),
            XBoardCommand::Put(square) => self.put(host, engine, &square),
            XBoardCommand::Quit => host.quit(),
            setting => self.set(host, engine, line, setting),
        }
        false
    }

    fn new_game(&mut self, host: &mut Host, engine: &mut dyn Engine) {
        engine.new_game();
        self.restart(Root::Start);
        self.plays = Some(Seat::new(1));
        self.depth = None;
        self.reload(host, engine);
    }

    /// Clocks, limits and options.
    fn set(
        &mut self,
        host: &mut Host,
        engine: &mut dyn Engine,
        line: &str,
        command: XBoardCommand,
    ) {
        match command {
            XBoardCommand::Level { .. }
            | XBoardCommand::MoveTime(_)
            | XBoardCommand::OwnTime(_) => self.clock.set(&command),
            XBoardCommand::Depth(depth) => self.depth = Some(depth),
            XBoardCommand::Post(post) => self.post = post,
            XBoardCommand::Memory(value) => set_option(host, engine, line, "Hash", Some(&value)),
            XBoardCommand::Cores(value) => set_option(host, engine, line, "Threads", Some(&value)),
            XBoardCommand::Option { name, value } => {
                let value = match value.as_deref() {
                    Some("1") if is_check(engine, &name) => Some("true"),
                    Some("0") if is_check(engine, &name) => Some("false"),
                    other => other,
                };
                set_option(host, engine, line, &name, value);
            }
            // `MoveNow`, `Status` and what else asks for nothing while no search runs.
            _ => {}
        }
    }

    /// The arguments of the search for the seat to move.
    fn go_arguments(&self, seat: Seat) -> GoArguments {
        if self.analyzing {
            return GoArguments { infinite: true, ..GoArguments::default() };
        }
        let mut go = GoArguments { depth: self.depth, ..GoArguments::default() };
        let clock = &self.clock;
        if let Some(time) = clock.move_time {
            go.move_time = Some(time);
            return go;
        }
        go.time[seat.index()] = Some(clock.own_time);
        go.increment[seat.index()] = Some(clock.increment);
        if clock.moves_per_session > 0 {
            let made = self.moves.len() as u64 / 2;
            go.moves_to_go = Some(clock.moves_per_session - made % clock.moves_per_session);
        }
        go
    }

    fn argument(&self) -> PositionArgument {
        PositionArgument { root: self.root.clone(), view: None, moves: self.moves.clone() }
    }

    fn restart(&mut self, root: Root) {
        self.root = root;
        self.moves.clear();
        self.refused = None;
        self.hint = None;
    }

    /// Tells the expected answer; whether a search must find one first.
    fn tell_hint(&self, host: &Host) -> bool {
        if let Some(hint) = &self.hint {
            host.output.line(&format!("Hint: {hint}"));
        }
        self.hint.is_none()
    }
}

/// Answers a line by an error that XBoard shows.
fn error(host: &mut Host, kind: &str, line: &str) {
    let answer = format!("Error ({kind}): {line}");
    host.warn(&answer);
    host.output.line(&answer);
}

fn set_option(
    host: &mut Host,
    engine: &mut dyn Engine,
    line: &str,
    name: &str,
    value: Option<&str>,
) {
    if let Err(refusal) = engine.set_option(name, value) {
        log::warn!("{refusal}");
        error(host, "bad option or value", line);
    }
}

/// The seat to move; `None` once the game is over.
fn turn(engine: &dyn Engine) -> Option<Seat> {
    engine.query("turn", &[]).ok().as_deref().and_then(Seat::parse)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moves to go that a search is told after `plies` plies under `level MOVES 5 0`.
    fn moves_to_go(moves_per_session: u64, plies: usize) -> Option<u64> {
        let mut xboard = XBoard::new(boards::board("barca").expect("a game of XBoard"));
        xboard.clock.moves_per_session = moves_per_session;
        xboard.moves = vec!["a1a2".into(); plies];
        xboard.go_arguments(Seat::new(plies % 2)).moves_to_go
    }

    #[test]
    fn moves_to_go_count_down_to_one_and_begin_again() {
        for (made, left) in
            [(0, 40), (1, 39), (38, 2), (39, 1), (40, 40), (41, 39), (79, 1), (80, 40)]
        {
            // The second seat has made as many moves when its turn comes.
            assert_eq!(moves_to_go(40, 2 * made), Some(left), "{made} moves made by p1");
            assert_eq!(moves_to_go(40, 2 * made + 1), Some(left), "{made} moves made by p2");
        }
        assert_eq!(moves_to_go(1, 0), Some(1));
        assert_eq!(moves_to_go(1, 6), Some(1));
        assert_eq!(moves_to_go(0, 6), None, "a clock for the whole game");
    }

    #[test]
    fn the_last_of_level_and_st_holds() {
        let mut xboard = XBoard::new(boards::board("barca").expect("a game of XBoard"));
        let mut go_after = |line: &str| {
            xboard.clock.set(&parse(line).expect("a command"));
            xboard.go_arguments(Seat::new(0))
        };
        let fixed = GoArguments { move_time: Some(30_000.0), ..GoArguments::default() };
        let mut clocked = GoArguments::default();
        (clocked.time[0], clocked.increment[0]) = (Some(1_000.0), Some(0.0));
        for (line, go) in [
            ("st 30", &fixed),
            ("level 0 0:01 0", &clocked),
            ("st 30", &fixed),
            ("time 50", &fixed),
        ] {
            assert_eq!(go_after(line), *go, "{line}");
        }
    }

    #[test]
    fn a_search_has_the_clock_of_the_side_that_the_engine_plays() {
        let mut xboard = XBoard::new(boards::board("barca").expect("a game of XBoard"));
        xboard.clock =
            Clock { moves_per_session: 0, increment: 12.0, own_time: 3_400.0, move_time: None };
        xboard.depth = Some(6);
        for seat in [0, 1] {
            let mut go = GoArguments { depth: Some(6), ..GoArguments::default() };
            (go.time[seat], go.increment[seat]) = (Some(3_400.0), Some(12.0));
            assert_eq!(xboard.go_arguments(Seat::new(seat)), go);
        }
        // A fixed time stands in place of the clock; the depth holds beside both.
        xboard.clock.move_time = Some(70.0);
        let go = GoArguments { depth: Some(6), move_time: Some(70.0), ..GoArguments::default() };
        assert_eq!(xboard.go_arguments(Seat::new(1)), go);
        xboard.analyzing = true;
        let go = GoArguments { infinite: true, ..GoArguments::default() };
        assert_eq!(xboard.go_arguments(Seat::new(1)), go);
    }
}
