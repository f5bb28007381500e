//! The front end of the native dialect and of its alias for UCI clients.
//!
//! While a search runs, `isready`, `stop`, `ponderhit`, `debug` and `quit` act at once and every
//! other line waits.

use super::formatting::message_line;
use super::help;
use super::host::{FrontEnd, Host};
use super::interface::{Answer, Engine, SetError};
use super::measurements::{bench_line, perft_lines};
use super::options::declaration;
#[cfg(feature = "engine")]
use super::xboard;
use crate::protocol::reply::{EMPTY_INFO, NO_MOVE};
use crate::protocol::{
    Command, Dialect, GoArguments, ParsedLine, PositionArgument, ProtocolError, command_word,
    parse_line,
};

/// The dialects `ugi` and `uci`.
#[derive(Default)]
pub(super) struct Ugi {
    dialect: Dialect,
    /// The `position` line that led to where the engine stands; empty if another command led there.
    position: String,
}

impl FrontEnd for Ugi {
    fn act(&mut self, host: &mut Host, line: &str) -> Option<Box<dyn FrontEnd>> {
        if let Some(tokens) = self.further_tokens(line) {
            self.play_on(host, line, &tokens);
            return None;
        }
        self.act_on(host, line, parse_line(line))
    }

    fn act_during_job(&mut self, host: &mut Host, line: &str) -> bool {
        let at_once = match command_word(line) {
            // A line of nothing but unknown words does nothing, so it need not wait either.
            None => true,
            Some(word) => {
                matches!(word, "isready" | "stop" | "ponderhit" | "debug" | "quit")
            }
        };
        if at_once {
            log::debug!("< {line}");
            self.act_on(host, line, parse_line(line));
        }
        // A search without a limit that waits is meant by the `stop` behind it too, which therefore
        // keeps its place in the row.
        at_once && (host.nothing_waits() || command_word(line) != Some("stop"))
    }

    /// A refused position makes the engine stale.
    fn refuse(&mut self, host: &mut Host, first_word: &str, error: &ProtocolError) {
        match first_word {
            "query" => {
                host.warn(&error.to_string());
                host.output.line(&format!("response error {error}"));
            }
            "position" | "moves" => {
                self.position.clear();
                if let Some(engine) = &mut host.engine {
                    engine.make_stale();
                }
                report_error(host, error);
            }
            _ => report_error(host, error),
        }
    }

    fn answer(&mut self, host: &mut Host, answer: &Answer) {
        let output = &host.output;
        match (&answer.best, &answer.ponder) {
            (None, _) => {
                output.line(EMPTY_INFO);
                output.line(NO_MOVE);
            }
            (Some(best), Some(ponder)) if self.dialect == Dialect::Uci => {
                output.line(&format!("bestmove {best} ponder {ponder}"));
            }
            (Some(best), _) => output.line(&format!("bestmove {best}")),
        }
    }
}

fn report_error(host: &mut Host, error: &ProtocolError) {
    host.warn(&error.to_string());
    host.output.line(&format!("info string error {error}"));
}

/// Says how the last move was understood, where its text leaves that open.
fn report_understood(host: &Host) {
    if let Some(text) = host.engine.as_ref().and_then(|engine| engine.interpretation()) {
        host.output.line(&format!("info string {text}"));
    }
}

impl Ugi {
    fn act_on(
        &mut self,
        host: &mut Host,
        line: &str,
        parsed: ParsedLine,
    ) -> Option<Box<dyn FrontEnd>> {
        for warning in parsed.warnings {
            host.warn(&warning);
        }
        match parsed.command? {
            Ok(Command::XBoard) => return xboard_handshake(host),
            Ok(Command::Position(argument)) => self.load(host, line, &argument),
            Ok(command) => self.command(host, command),
            Err(error) => {
                let first_word = line.split_ascii_whitespace().next().unwrap_or("");
                self.refuse(host, first_word, &error);
            }
        }
        None
    }

    /// The tokens after those that the engine has played already: in a game every `position` line
    /// repeats the last one, and only what is new needs to be read.
    fn further_tokens(&self, line: &str) -> Option<Vec<String>> {
        let rest =
            line.strip_prefix(self.position.as_str()).filter(|_| !self.position.is_empty())?;
        let tokens = match self.position.contains(" moves ") {
            true => rest.strip_prefix(' ')?,
            false => rest.strip_prefix(" moves ")?,
        };
        Some(tokens.split_ascii_whitespace().map(str::to_owned).collect())
    }

    /// Plays more tokens of the position.
    fn play_on(&mut self, host: &mut Host, line: &str, tokens: &[String]) {
        let Some(engine) = &mut host.engine else { return };
        self.position.clear();
        match engine.append_moves(tokens) {
            Ok(()) => self.position.push_str(line),
            Err(error) => return report_error(host, &error),
        }
        report_understood(host);
    }

    fn load(&mut self, host: &mut Host, line: &str, argument: &PositionArgument) {
        let Some(engine) = &mut host.engine else { return };
        self.position.clear();
        match engine.set_position(argument) {
            // Words before the command belong to no position.
            Ok(()) if line.starts_with("position ") => self.position.push_str(line),
            Ok(()) => {}
            Err(error) => return report_error(host, &error),
        }
        report_understood(host);
    }

    fn command(&mut self, host: &mut Host, command: Command) {
        match command {
            Command::IsReady => {
                if let Some(engine) = host.idle_engine() {
                    engine.get_ready();
                }
                host.output.line("readyok");
            }
            Command::Stop => host.stop(),
            Command::PonderHit => host.ponder_hit(),
            Command::Quit => host.quit(),
            Command::Debug(on) => log::set_max_level(match on {
                true => log::LevelFilter::Debug,
                false => log::LevelFilter::Warn,
            }),
            Command::Help(topic) => host.output.line(&help::text(topic.as_deref())),
            other => self.engine_command(host, other),
        }
    }

    /// Commands that need the engine, which the host has because none of them acts during a job.
    fn engine_command(&mut self, host: &mut Host, command: Command) {
        let Some(mut engine) = host.engine.take() else {
            return;
        };
        match command {
            Command::Go(go) => return self.go(host, engine, *go),
            Command::Perft(depth) => return perft(host, engine, depth),
            Command::Bench(depth) => return bench(host, engine, depth),
            Command::Handshake(dialect) => self.handshake(host, &*engine, dialect),
            Command::NewGame => engine.new_game(),
            Command::SetOption { name, value } => {
                // The next position may have other rules.
                self.position.clear();
                match engine.set_option(&name, value.as_deref()) {
                    Ok(()) => {}
                    Err(SetError::Unknown(name)) => {
                        host.warn(&format!("unknown option '{name}' skipped"));
                    }
                    Err(SetError::Refused(error)) => report_error(host, &error),
                }
            }
            Command::Moves(tokens) => {
                self.position.clear();
                let played = engine.append_moves(&tokens);
                host.engine = Some(engine);
                return match played {
                    Ok(()) => report_understood(host),
                    Err(error) => report_error(host, &error),
                };
            }
            Command::Query { name, arguments } => match engine.query(&name, &arguments) {
                Ok(text) => host.output.line(&format!("response {text}")),
                Err(error) => self.refuse(host, "query", &error),
            },
            Command::Draw => host.output.line(&engine.draw()),
            Command::Evaluate => match engine.evaluate() {
                Ok(text) => host.output.line(&text),
                Err(error) => report_error(host, &error),
            },
            // `command` and `act_on` dealt with the others.
            Command::Position(_)
            | Command::IsReady
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Debug(_)
            | Command::Help(_)
            | Command::XBoard => {}
        }
        host.engine = Some(engine);
    }

    fn handshake(&mut self, host: &Host, engine: &dyn Engine, dialect: Dialect) {
        self.dialect = dialect;
        let output = &host.output;
        output.line(&format!("id name {}", engine.name()));
        output.line("id author Parlor");
        for spec in engine.options().specs() {
            output.line(&declaration(spec));
        }
        match dialect {
            Dialect::Ugi => output.line("ugiok"),
            Dialect::Uci => {
                if let Some(spec) = engine.ponder_option() {
                    output.line(&declaration(&spec));
                }
                output.line("uciok");
            }
        }
    }

    fn go(&self, host: &mut Host, engine: Box<dyn Engine>, go: GoArguments) {
        let output = host.output.clone();
        host.search(engine, go, self.dialect, move |message| {
            output.line(&message_line(&message));
        });
    }
}

/// Hands the session over to XBoard's front end, where it has a board for the game.
fn xboard_handshake(host: &mut Host) -> Option<Box<dyn FrontEnd>> {
    #[cfg(feature = "engine")]
    let front_end = host.engine.as_ref().and_then(|engine| xboard::front_end(engine.name()));
    #[cfg(not(feature = "engine"))]
    let front_end = None;
    if front_end.is_some() {
        host.output.line("");
    } else {
        host.warn("this engine has no xboard dialect; use ugi or uci");
        host.output.line("Error (unknown command): xboard");
    }
    front_end
}

fn perft(host: &mut Host, engine: Box<dyn Engine>, depth: u32) {
    host.work(engine, move |engine, control| match engine.perft(depth, true, control) {
        Ok(Some(counts)) => perft_lines(depth, &counts, None),
        Ok(None) => vec![format!("info string perft {depth} was stopped; nothing is counted")],
        Err(error) => vec![format!("info string error {error}")],
    });
}

fn bench(host: &mut Host, engine: Box<dyn Engine>, depth: Option<u32>) {
    let output = host.output.clone();
    host.work(engine, move |engine, control| {
        let result = engine.bench(depth, control, &mut |line| output.line(&line));
        vec![result.map_or_else(|| "info string bench was stopped".into(), bench_line)]
    });
}
