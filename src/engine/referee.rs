//! An engine that plays no moves: it answers for rules and pictures of a game, and has the options
//! `Player` and `Level` of the one that plays, so that it can be offered before that is there. Without
//! the players no network is in the program, so that a web page can have all games at once.

use super::interface::{Answer, BenchResult, Engine, Message, MoveCounts, SetError};
use super::loaded::Loaded;
use super::options;
use crate::game::{OptionSpec, OptionValues};
use crate::games::{LEVEL, Playable};
use crate::protocol::{Code, Dialect, GoArguments, PositionArgument, ProtocolError};
use crate::search::Control;

/// The referee of one game.
pub(super) struct Referee<G: Playable>(Loaded<G>);

impl<G: Playable> Referee<G> {
    pub(super) fn new() -> Self {
        let mut specs = vec![options::player::<G>(), options::DIAGRAM.spec()];
        specs.extend(G::LADDER.map(|_| LEVEL.spec()));
        specs.extend(G::engine_options().into_iter().filter(|spec| spec.name == LEVEL.spec().name));
        specs.extend(options::rules::<G>());
        Referee(Loaded::new(specs))
    }
}

fn no_player() -> ProtocolError {
    ProtocolError::new(Code::NotToAct, "this is a referee, which plays no moves")
}

impl<G: Playable> Engine for Referee<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn title(&self) -> &'static str {
        G::TITLE
    }

    fn options(&self) -> &OptionValues {
        &self.0.options
    }

    fn ponder_option(&self) -> Option<OptionSpec> {
        None
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), SetError> {
        self.0.set_option(name, value.unwrap_or(""))
    }

    fn new_game(&mut self) {}

    fn get_ready(&mut self) {}

    fn set_position(&mut self, argument: &PositionArgument) -> Result<(), ProtocolError> {
        self.0.set_position(argument)
    }

    fn append_moves(&mut self, tokens: &[String]) -> Result<(), ProtocolError> {
        self.0.append_moves(tokens)
    }

    fn interpretation(&self) -> Option<String> {
        self.0.interpretation()
    }

    fn make_stale(&mut self) {
        self.0.stale = true;
    }

    fn query(&self, name: &str, arguments: &[String]) -> Result<String, ProtocolError> {
        self.0.query(name, arguments)
    }

    fn search(
        &mut self,
        _: &GoArguments,
        _: Dialect,
        _: &Control,
        report: &mut dyn FnMut(Message),
    ) -> Answer {
        report(Message::Error(no_player()));
        Answer::NONE
    }

    fn draw(&self) -> String {
        self.0.draw()
    }

    fn evaluate(&self) -> Result<String, ProtocolError> {
        Err(no_player())
    }

    fn perft(
        &self,
        depth: u32,
        bulk: bool,
        control: &Control,
    ) -> Result<Option<MoveCounts>, ProtocolError> {
        self.0.perft(depth, bulk, control)
    }

    fn bench(
        &self,
        _: Option<u32>,
        _: &Control,
        report: &mut dyn FnMut(String),
    ) -> Option<BenchResult> {
        report(format!("info string error {}", no_player()));
        None
    }
}
