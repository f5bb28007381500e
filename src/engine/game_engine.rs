//! One engine of one game: its position, options and player.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use super::clock::{self, Pace};
use super::current_position::read_move;
use super::formatting::{answer, info_line, thrown_line};
use super::interface::{Answer, BenchResult, Engine, Message, MoveCounts, SetError};
use super::loaded::Loaded;
use super::{options, query};
use crate::free_memory;
use crate::game::{MoveListing, OptionSpec, OptionValues, Random, Turn, splitmix64};
use crate::games::{Playable, UnknownPlayer};
use crate::platform::{self, Instant};
use crate::protocol::{Code, Dialect, GoArguments, PositionArgument, ProtocolError};
use crate::search::{
    Bound, Choice, Control, Info, Limits, Player, Report, Request, Score, Settings,
};

/// The engine of one game.
pub struct GameEngine<G: Playable> {
    loaded: Loaded<G>,
    player: Option<Box<dyn Player<G>>>,
    new_games: u64,
    has_searched: bool,
    entropy: u64,
}

impl<G: Playable> Default for GameEngine<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Playable> GameEngine<G> {
    /// An engine at its starting position, all options at their defaults.
    ///
    /// # Panics
    /// If a game refuses its own default rules.
    #[must_use]
    pub fn new() -> Self {
        GameEngine {
            loaded: Loaded::new(options::all::<G>()),
            player: None,
            new_games: 0,
            has_searched: false,
            entropy: platform::random() | 1,
        }
    }

    /// Option `Seed`, or what the system gave instead.
    fn base_seed(&self) -> u64 {
        match options::SEED.get(&self.loaded.options) {
            0 => self.entropy,
            seed => seed as u64,
        }
    }

    /// What everything random in the present game follows from, and nothing else: the option `Seed`
    /// plus the number of games before this one. A client that subtracts that number gets the same
    /// game from a process that has played others.
    fn seed(&self) -> u64 {
        self.base_seed().wrapping_add(self.new_games.saturating_sub(1)).max(1)
    }

    fn pace(&self) -> Pace {
        Pace {
            overhead: options::MOVE_OVERHEAD.get(&self.loaded.options) as f64,
            move_time: options::MOVE_TIME.get(&self.loaded.options) as f64,
        }
    }

    /// The player, to be put back after its choice.
    fn take_player(&mut self) -> Result<Box<dyn Player<G>>, UnknownPlayer> {
        match self.player.take() {
            Some(player) => Ok(player),
            None => G::player(options::PLAYER.get(&self.loaded.options), &self.settings()),
        }
    }

    fn settings(&self) -> Settings {
        Settings {
            hash: options::HASH.get(&self.loaded.options) as usize,
            threads: options::THREADS.get(&self.loaded.options) as usize,
            seed: self.seed(),
            options: self.loaded.options.clone(),
        }
    }

    /// The token that chance throws for a client that knows no chance.
    fn throw(&self) -> Option<String> {
        let situation = &self.loaded.current.situation;
        let start = splitmix64(self.base_seed().wrapping_add(self.new_games));
        let m = situation
            .position()
            .throw(start.wrapping_add(self.loaded.current.moves.len() as u64))?;
        Some(situation.position().token(&m))
    }

    fn search_moves(
        &self,
        tokens: &[String],
        report: &mut dyn FnMut(Message),
    ) -> Option<Vec<G::Move>> {
        let mut moves = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            match read_move(self.loaded.current.situation.position(), token, index) {
                Ok(m) => moves.push(m),
                Err(error) => report(Message::Error(error)),
            }
        }
        (!moves.is_empty()).then_some(moves)
    }

    /// Lets the player choose. A panic inside it, or a move that is not legal, costs the player and
    /// is answered by a random legal move.
    fn choose(
        &mut self,
        request: &Request<G::Move>,
        dialect: Dialect,
        report: &mut dyn FnMut(Message),
    ) -> Option<Choice<G::Move>> {
        let mut player = self.take_player();
        let situation = &self.loaded.current.situation;
        let show_wdl = options::SHOW_WDL.get(&self.loaded.options);
        let only_one = is_single(situation.position());
        let (mut last, mut above) = (None, Score::Cp(0));
        let mut tell = |message: Report<G::Move>| match message {
            Report::Info(mut info) => {
                info.score = info.score.within(situation.plies_left());
                // A tree search prefers the line that it visited most, not that of the best mean; shares
                // are rounded; a loss beyond the last ply is none.
                if info.multipv > 1 && info.score.is_better_than(above) {
                    (info.score, info.bound) = (above, Bound::Upper);
                }
                above = info.score;
                let line = info_line(situation.position(), &info, dialect, show_wdl);
                match only_one {
                    true => last = Some(line),
                    false => report(Message::Info(line)),
                }
            }
            Report::Text(text) => report(Message::Text(text)),
            Report::BadOption(text) => {
                report(Message::Error(ProtocolError::new(Code::BadValue, text)));
            }
        };
        self.has_searched = true;
        let chosen = player.as_mut().map(|player| {
            catch_unwind(AssertUnwindSafe(|| player.choose(situation, request, &mut tell)))
        });
        if let Some(line) = last {
            report(Message::Info(line));
        }
        let fault = match chosen {
            Ok(Ok(Some(choice))) if situation.position().is_legal(&choice.best) => {
                self.player = player.ok();
                return Some(choice);
            }
            Ok(Ok(Some(_))) => "the player chose an illegal move; a random one is played".into(),
            Ok(Ok(None)) => "the player chose no move; a random one is played".into(),
            Ok(Err(_)) => "the search failed; a random move is played".into(),
            Err(unknown) => format!("{unknown}; a random move is played"),
        };
        report(Message::Error(ProtocolError::new(Code::Internal, fault)));
        let mut random = Random::new(self.seed());
        let best = situation.position().random_move(&mut random)?;
        let info = Info::new(1, Score::Cp(0), vec![best.clone()]);
        report(Message::Info(info_line(situation.position(), &info, dialect, show_wdl)));
        Some(Choice { best, ponder: None })
    }
}

impl<G: Playable> Engine for GameEngine<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn title(&self) -> &'static str {
        G::TITLE
    }

    fn options(&self) -> &OptionValues {
        &self.loaded.options
    }

    fn ponder_option(&self) -> Option<OptionSpec> {
        options::ponder::<G>()
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), SetError> {
        let pondering = options::ponder::<G>().filter(|spec| spec.name.eq_ignore_ascii_case(name));
        let value = value.unwrap_or("");
        if let Some(spec) = pondering {
            // The client decides whether to ponder; the engine only declares that it can.
            return Ok(spec.accept(value).map(drop)?);
        }
        if name.eq_ignore_ascii_case("Hash") {
            self.ensure_table(value)?;
        }
        if name.eq_ignore_ascii_case("Threads") {
            self.ensure_threads(value)?;
        }
        self.loaded.set_option(name, value)?;
        G::configure(&self.loaded.options);
        if options::makes_player::<G>(name) {
            self.player = None;
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.new_games += 1;
        // A new one is made when it is needed: nothing of this game may reach the next.
        self.player = None;
    }

    fn get_ready(&mut self) {
        // A process that only answers queries needs no table. Under other rules the next position may
        // have another number of seats.
        let has_other_rules =
            self.loaded.options_changed && !self.loaded.has_rules_of(&self.loaded.current);
        let will_search = self.has_searched || self.new_games > 0;
        if !will_search || self.loaded.stale || has_other_rules {
            return;
        }
        // A player that does not exist, or fails, is reported by the search.
        let ready = catch_unwind(AssertUnwindSafe(|| {
            let mut player = self.take_player().ok()?;
            player.get_ready(self.loaded.current.situation.position());
            Some(player)
        }));
        self.player = ready.ok().flatten();
    }

    fn set_position(&mut self, argument: &PositionArgument) -> Result<(), ProtocolError> {
        self.loaded.set_position(argument)
    }

    fn append_moves(&mut self, tokens: &[String]) -> Result<(), ProtocolError> {
        self.loaded.append_moves(tokens)
    }

    fn interpretation(&self) -> Option<String> {
        self.loaded.interpretation()
    }

    fn make_stale(&mut self) {
        self.loaded.stale = true;
    }

    fn query(&self, name: &str, arguments: &[String]) -> Result<String, ProtocolError> {
        self.loaded.query(name, arguments)
    }

    fn search(
        &mut self,
        go: &GoArguments,
        dialect: Dialect,
        control: &Control,
        report: &mut dyn FnMut(Message),
    ) -> Answer {
        for error in &go.refused {
            report(Message::Error(error.clone()));
        }
        if self.loaded.stale {
            return Answer::NONE;
        }
        let turn = self.loaded.current.situation.turn();
        let mine = match (turn, self.loaded.current.viewer) {
            (Turn::Over, _) => return Answer::NONE,
            (Turn::Chance { .. }, _) => {
                if let Some(token) = self.throw() {
                    report(Message::Info(thrown_line(&token)));
                    return Answer { best: Some(token), ponder: None };
                }
                None
            }
            (Turn::Seat(seat), Some(viewer)) if G::SECRETS && seat != viewer => None,
            (Turn::Seat(seat), _) => Some(seat),
        };
        let Some(seat) = mine else {
            let text = format!("the turn is {turn}, which this view cannot decide");
            report(Message::Error(ProtocolError::new(Code::NotToAct, text)));
            return Answer::NONE;
        };
        let mut limits = clock::limits(go, seat, dialect, self.pace());
        if is_single(self.loaded.current.situation.position()) && clock::is_bounded(go) {
            limits = Limits { depth: Some(1), ..limits };
        }
        limits = limits.within(self.loaded.current.situation.plies_left());
        let request = Request {
            limits,
            search_moves: self.search_moves(&go.search_moves, report),
            multi_pv: options::MULTI_PV.get(&self.loaded.options) as usize,
            control: control.clone(),
        };
        match self.choose(&request, dialect, report) {
            None => Answer::NONE,
            Some(choice) => answer(self.loaded.current.situation.position(), &choice),
        }
    }

    fn draw(&self) -> String {
        self.loaded.draw()
    }

    fn evaluate(&self) -> Result<String, ProtocolError> {
        if self.loaded.stale {
            return Err(query::stale());
        }
        Ok(self.loaded.current.situation.position().explain_evaluation())
    }

    fn perft(
        &self,
        depth: u32,
        bulk: bool,
        control: &Control,
    ) -> Result<Option<MoveCounts>, ProtocolError> {
        self.loaded.perft(depth, bulk, control)
    }

    fn bench(
        &self,
        depth: Option<u32>,
        control: &Control,
        report: &mut dyn FnMut(String),
    ) -> Option<BenchResult> {
        let (mut nodes, mut time) = (0, Duration::ZERO);
        for (number, bench) in G::bench().iter().enumerate() {
            let mut engine = GameEngine::<G>::new();
            let depth = depth.unwrap_or(bench.depth);
            let result = engine.bench_one(bench.rules, bench.position, depth, control);
            if control.stopped() {
                return None;
            }
            match result {
                Ok((count, taken)) => {
                    nodes += count;
                    time += taken;
                    report(format!("position {}: {count} nodes", number + 1));
                }
                Err(error) => report(format!("position {}: error {error}", number + 1)),
            }
        }
        Some(BenchResult { nodes, time })
    }
}

/// MiB for the tables of `bench`: enough for its short searches, and soon cleared. With a large table
/// the figure would say how fast the system provides memory.
const BENCH_HASH: &str = "4";

impl<G: Playable> GameEngine<G> {
    /// Refuses a table larger than the memory: the system would kill the process once it is full.
    fn ensure_table(&self, value: &str) -> Result<(), ProtocolError> {
        let further = options::THREADS.get(&self.loaded.options) as u64 - 1;
        let largest = free_memory::largest_table(further);
        let (Ok(wanted), Some(largest)) = (value.trim().parse::<u64>(), largest) else {
            return Ok(());
        };
        if wanted <= largest || wanted > options::LARGEST_HASH as u64 {
            return Ok(());
        }
        let text = format!("Hash {wanted} is more than the free memory; {largest} MiB would fit");
        Err(ProtocolError::new(Code::BadValue, text))
    }

    /// Refuses more threads than the memory has room for.
    fn ensure_threads(&self, value: &str) -> Result<(), ProtocolError> {
        let now = options::THREADS.get(&self.loaded.options) as u64;
        let held = if self.player.is_some() { now } else { 0 };
        let most = free_memory::most_threads(options::HASH.get(&self.loaded.options) as u64, held);
        let (Ok(wanted), Some(most)) = (value.trim().parse::<u64>(), most) else { return Ok(()) };
        // One is always tried.
        let most = most.max(1);
        if wanted <= most || wanted > options::MOST_THREADS as u64 {
            return Ok(());
        }
        let text = format!("Threads {wanted} needs more than the free memory; {most} would fit");
        Err(ProtocolError::new(Code::BadValue, text))
    }

    /// The nodes of one search, and its time.
    fn bench_one(
        &mut self,
        rules: &str,
        position: &str,
        depth: u32,
        control: &Control,
    ) -> Result<(u64, Duration), ProtocolError> {
        let rules = rules.split_ascii_whitespace();
        let rules = rules.map(|rule| rule.split_once('=').unwrap_or((rule, "")));
        for (name, value) in [("Hash", BENCH_HASH)].into_iter().chain(rules) {
            self.set_option(name, Some(value))
                .map_err(|error| ProtocolError::new(Code::Internal, error.to_string()))?;
        }
        self.set_position(&PositionArgument::parse(position)?)?;
        let go = GoArguments { depth: Some(depth.into()), ..GoArguments::default() };
        let mut nodes = 0;
        let started = Instant::now();
        self.search(&go, Dialect::Ugi, control, &mut |message| {
            if let Message::Info(info) = message {
                nodes = nodes.max(info.nodes);
            }
        });
        Ok((nodes, started.elapsed()))
    }
}

fn is_single<G: Playable>(position: &G) -> bool {
    if position.move_listing() != MoveListing::Listed {
        return false;
    }
    let mut count = 0;
    let _ = position.for_each_move(|_| {
        count += 1;
        if count < 2 {
            std::ops::ControlFlow::Continue(())
        } else {
            std::ops::ControlFlow::Break(())
        }
    });
    count == 1
}
