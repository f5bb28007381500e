//! The referee: an engine that sees all of a game in progress and says what the rules are. Matches,
//! the board and play at the terminal ask it in the same way.

use crate::printing::printable;
use crate::protocol::{Outcome, PositionLine, Turn, engine_output, seat_name};
use crate::random::splitmix64;
use crate::runner::process::{
    Answer, Client, Fault, FaultKind, Launcher, Legality, NO_MOVE, RefereeAbilities, Specification,
};

/// The longest token that is passed on.
const LONGEST_TOKEN: usize = 4096;

/// Moves in a row that one seat may play under a referee that knows no legality.
const LONGEST_TURN: u32 = 20;

/// The referee of one game after another, and the position that it was sent last.
#[derive(Debug)]
pub(in crate::runner) struct Referee {
    client: Client,
    abilities: RefereeAbilities,
    line: PositionLine,
    /// Whether the process is at `line`; not after it has refused something.
    loaded: bool,
    turn: Turn,
    result: String,
    /// How often the turn has stayed as it was.
    in_a_row: u32,
    /// How a new process is started after a crash or a hang, where that is wanted.
    restart: Option<(Launcher, Specification)>,
    /// Whether the process was ended until the next question.
    rests: bool,
}

/// A throw, and what could have been thrown.
pub(in crate::runner) struct Throw {
    /// The token.
    pub(in crate::runner) token: String,
    /// The answer to `query chances`; empty if there is none.
    pub(in crate::runner) listed: String,
    /// Whether nothing else could have been thrown.
    pub(in crate::runner) certain: bool,
}

impl Referee {
    /// The referee in a process whose abilities are known.
    pub(in crate::runner) fn new(client: Client, abilities: RefereeAbilities) -> Self {
        Referee {
            client,
            abilities,
            line: PositionLine::default(),
            loaded: false,
            turn: Turn::Over,
            result: String::new(),
            in_a_row: 0,
            restart: None,
            rests: false,
        }
    }

    /// The same, with a new process after a crash or a hang.
    #[cfg(feature = "household")]
    pub(in crate::runner) fn restarted_by(self, start: &Launcher, engine: &Specification) -> Self {
        Referee { restart: Some((start.clone(), engine.clone())), ..self }
    }

    /// What it can be asked.
    pub(in crate::runner) fn abilities(&self) -> &RefereeAbilities {
        &self.abilities
    }

    /// The name of `id name`.
    pub(in crate::runner) fn name(&self) -> &str {
        self.client.name()
    }

    /// The name of `id author`.
    pub(in crate::runner) fn author(&self) -> &str {
        self.client.author()
    }

    /// The position that it was sent last.
    pub(in crate::runner) fn line(&self) -> &PositionLine {
        &self.line
    }

    /// Whose turn it is there.
    pub(in crate::runner) fn turn(&self) -> Turn {
        self.turn
    }

    /// Starts a new game.
    ///
    /// # Errors
    /// The engine's fault.
    pub(in crate::runner) fn new_game(&mut self) -> Result<(), Fault> {
        self.loaded = false;
        self.client.new_game(None)
    }

    /// Calls the engine, again in a new process if that is wanted and the old one cannot be used.
    fn asked<T>(
        &mut self,
        mut ask: impl FnMut(&mut Client) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if self.rests {
            self.start_anew()?;
        }
        match ask(&mut self.client) {
            Err(fault) if self.restart.is_some() && !fault.kind.leaves_process_usable() => {
                log::warn!("the referee is started anew: {fault}");
                self.start_anew()?;
                ask(&mut self.client)
            }
            answer => answer,
        }
    }

    /// A new process in place of the old one, with the position that it was sent last.
    fn start_anew(&mut self) -> Result<(), Fault> {
        let Some((launcher, engine)) = &self.restart else { return Ok(()) };
        self.client = launcher.start_referee(engine, "referee", &[])?;
        self.client.new_game(None)?;
        if self.loaded {
            self.client.send_synced(&format!("position {}\n", self.line))?;
        }
        self.rests = false;
        Ok(())
    }

    /// Ends the process until the next question, where a new one may be started.
    #[cfg(feature = "household")]
    pub(in crate::runner) fn rest(&mut self) {
        if self.restart.is_some() && !self.rests {
            self.client.end();
            self.rests = true;
        }
    }

    /// One query.
    ///
    /// # Errors
    /// The engine's fault.
    pub(in crate::runner) fn query(&mut self, query: &str) -> Result<Answer, Fault> {
        self.asked(|client| client.query(query))
    }

    /// A query that not every engine answers.
    ///
    /// # Errors
    /// The engine's fault.
    #[cfg(feature = "household")]
    pub(in crate::runner) fn probe(&mut self, query: &str) -> Result<Option<Answer>, Fault> {
        self.asked(|client| client.probe(query))
    }

    /// The lines that `d` prints.
    ///
    /// # Errors
    /// The engine's fault.
    pub(in crate::runner) fn diagram(&mut self) -> Result<Vec<String>, Fault> {
        self.asked(|client| client.lines("d"))
    }

    /// Loads a position, unless it is loaded already.
    ///
    /// # Errors
    /// A fault; why the position is refused is the inner error.
    pub(in crate::runner) fn load(
        &mut self,
        line: &PositionLine,
    ) -> Result<Result<(), String>, Fault> {
        if self.loaded && self.line == *line {
            return Ok(Ok(()));
        }
        // A new process must not be sent what may be refused.
        self.loaded = false;
        self.in_a_row = 0;
        let lines = format!("position {line}\n");
        let queries = self.state_queries(&lines);
        let (state, refusal) = self.asked(|client| client.ask(queries))?;
        self.line.clone_from(line);
        if let Some(refusal) = refusal {
            return Ok(Err(refusal));
        }
        self.loaded = true;
        self.take_state(state).map(Ok)
    }

    /// Loads a position that is known to be good.
    ///
    /// # Errors
    /// A fault; a refusal is one.
    pub(in crate::runner) fn set(&mut self, line: &PositionLine) -> Result<(), Fault> {
        let refusal = self.load(line)?.err();
        refusal.map_or(Ok(()), |refusal| {
            Err(self.senseless(&format!("position {line}"), &Err(refusal)))
        })
    }

    /// Goes back to the position before a token that was refused.
    ///
    /// # Errors
    /// The engine's fault.
    pub(in crate::runner) fn restore(&mut self) -> Result<(), Fault> {
        let line = self.line.clone();
        self.set(&line)
    }

    /// Adds a token that is known to be legal.
    ///
    /// # Errors
    /// A fault; a refusal is one.
    pub(in crate::runner) fn append(&mut self, token: &str) -> Result<(), Fault> {
        let lines = self.lines_of(token);
        let queries = self.state_queries(&lines);
        let (state, refusal) = self.asked(|client| client.ask(queries))?;
        self.line.append(token);
        match refusal {
            Some(refusal) => {
                self.loaded = false;
                Err(self.senseless(lines.trim_end(), &Err(refusal)))
            }
            None => self.take_state(state),
        }
    }

    /// Adds a token if it is legal, which is asked together with the state after it.
    ///
    /// # Errors
    /// A fault; what the referee objects to is the inner error, with a code before it. After that
    /// the referee is without a position.
    pub(in crate::runner) fn play(&mut self, token: &str) -> Result<Result<(), String>, Fault> {
        let lines = self.lines_of(token);
        let [first, second, third] = self.state_queries(&lines);
        let (state, refusal) = match self.legality_query(token) {
            Some(question) => {
                let ([legal, turn, over, result], refusal) = self
                    .asked(|client| client.ask([("", question.as_str()), first, second, third]))?;
                let objection = match (refusal, legal) {
                    (Some(refusal), _) => Some(refusal),
                    (None, Ok(answer)) if self.allows(&answer, token) => None,
                    (None, Err(error)) => Some(error),
                    (None, Ok(_)) => {
                        let query = question.split(' ').next().unwrap_or(&question);
                        Some(format!("illegal-move {query} does not allow it"))
                    }
                };
                ([turn, over, result], objection)
            }
            None => {
                let (state, unchanged, refusal) = if self.abilities.fen {
                    let ([before, turn, over, result, after], refusal) = self.asked(|client| {
                        client.ask([("", "fen"), first, second, third, ("", "fen")])
                    })?;
                    ([turn, over, result], before == after, refusal)
                } else {
                    let asked = self.asked(|client| client.ask([first, second, third]));
                    asked.map(|(state, refusal)| (state, false, refusal))?
                };
                let refusal =
                    refusal.or_else(|| self.objection_to_standstill(token, &state, unchanged));
                (state, refusal)
            }
        };
        if let Some(objection) = refusal {
            self.loaded = false;
            return Ok(Err(objection));
        }
        self.line.append(token);
        self.take_state(state).map(Ok)
    }

    /// Whether a token is legal. An engine that cannot say so may still refuse the position after it.
    ///
    /// # Errors
    /// The engine's fault.
    pub(in crate::runner) fn is_legal(&mut self, token: &str) -> Result<bool, Fault> {
        let Some(question) = self.legality_query(token) else { return Ok(true) };
        let answer = self.query(&question)?;
        Ok(answer.is_ok_and(|answer| self.allows(&answer, token)))
    }

    /// Why a token is refused, with a code before it; nothing if it is not.
    ///
    /// # Errors
    /// The engine's fault.
    #[cfg(feature = "household")]
    pub(in crate::runner) fn refusal(&mut self, token: &str) -> Result<Option<String>, Fault> {
        let lines = self.lines_of(token);
        let errors = self.asked(|client| client.send_synced(&lines))?;
        // Without a position after a refusal, at another after none.
        self.loaded = false;
        Ok(errors.into_iter().next())
    }

    fn legality_query(&self, token: &str) -> Option<String> {
        match self.abilities.legality {
            Legality::IsLegal => Some(format!("islegal {token}")),
            Legality::LegalMoves => Some("legalmoves".to_owned()),
            Legality::Unknown => None,
        }
    }

    /// Whether an answer about legal moves allows a token.
    fn allows(&self, answer: &str, token: &str) -> bool {
        match self.abilities.legality {
            Legality::IsLegal => answer == "true",
            // Where it cannot list them, every move is taken that it does not refuse.
            _ if matches!(answer.trim(), "many" | "hidden") => true,
            _ => answer.split_whitespace().any(|listed| listed == token),
        }
    }

    /// A referee that knows no legality may skip an illegal token in silence: then its position stays
    /// as it was, and one seat decides for ever. It is not trusted with a pass either that does not
    /// change the turn, or with two in a row: engines that see no move would pass for ever.
    fn objection_to_standstill(
        &mut self,
        token: &str,
        state: &[Answer; 3],
        unchanged: bool,
    ) -> Option<String> {
        if self.is_over(state) {
            return None;
        }
        let stays = self.turn_of(state) == Some(self.turn);
        self.in_a_row = if stays { self.in_a_row + 1 } else { 0 };
        let is_pass = |token: &str| NO_MOVE.contains(&token);
        let again = self.line.tokens().next_back().is_some_and(is_pass);
        let text = match is_pass(token) {
            true if again || stays => "the pass changes nothing",
            false if stays && (unchanged || self.in_a_row >= LONGEST_TURN) => {
                "the referee's position stays as it was: the token is illegal there, or its game \
                 does not start where that of the engine starts"
            }
            _ => return None,
        };
        Some(format!("illegal-move {text}"))
    }

    /// The lines that append a token to the engine's position.
    fn lines_of(&self, token: &str) -> String {
        if self.abilities.appends {
            format!("moves {token}\n")
        } else {
            format!("position {}\n", self.line.with(token))
        }
    }

    /// The queries about the turn, the end and the result after some lines.
    fn state_queries<'a>(&self, lines: &'a str) -> [(&'a str, &'static str); 3] {
        let turn = if self.abilities.turn { "turn" } else { "p1turn" };
        [(lines, turn), ("", self.abilities.end_query()), ("", "result")]
    }

    fn is_over(&self, [_, over, result]: &[Answer; 3]) -> bool {
        over.as_deref() == Ok("true") || result.as_deref().is_ok_and(|result| result != "none")
    }

    fn turn_of(&self, state: &[Answer; 3]) -> Option<Turn> {
        match state[0].as_deref() {
            _ if self.is_over(state) => Some(Turn::Over),
            Ok("true") => Some(Turn::Seat(0)),
            Ok("false") => Some(Turn::Seat(1)),
            Ok(text) => Turn::read(text, self.abilities.seats).filter(|turn| *turn != Turn::Over),
            Err(_) => None,
        }
    }

    fn take_state(&mut self, state: [Answer; 3]) -> Result<(), Fault> {
        if state[2].is_err() {
            return Err(self.senseless("query result", &state[2]));
        }
        let Some(turn) = self.turn_of(&state) else {
            return Err(self.senseless("query turn", &state[0]));
        };
        self.turn = turn;
        let [_, _, result] = state;
        self.result = result.unwrap_or_default();
        Ok(())
    }

    /// How the game ended. It is asked only what it answered before the game, and even then may be
    /// silent.
    ///
    /// # Errors
    /// A fault, or answers that give no place to every seat.
    pub(in crate::runner) fn outcome(&mut self) -> Result<Outcome, Fault> {
        let known = [self.abilities.outcome, self.abilities.points, self.abilities.reason];
        let answers = match known {
            [false, false, false] => [const { None }; 3],
            _ => self.asked(|client| client.probe_all(["outcome", "points", "reason"]))?,
        };
        let about = answers.map(|answer| answer.and_then(Result::ok));
        let outcome = Outcome::read(
            &self.result,
            [about[0].as_deref(), about[1].as_deref(), about[2].as_deref()],
            self.abilities.seats,
        );
        let [told, ..] = about;
        outcome.ok_or_else(|| {
            self.senseless("query outcome", &told.ok_or("it does not answer".to_owned()))
        })
    }

    /// What a seat may see of the position.
    ///
    /// # Errors
    /// A fault, or an answer that is no position.
    pub(in crate::runner) fn view(&mut self, seat: usize) -> Result<PositionLine, Fault> {
        let query = format!("view {}", seat_name(seat));
        let answer = self.query(&query)?;
        let view = answer.as_deref().ok().and_then(PositionLine::read);
        view.ok_or_else(|| self.senseless(&format!("query {query}"), &answer))
    }

    /// Throws with a seed: what is certain, or else what the seed gives.
    ///
    /// # Errors
    /// A fault, or an engine that cannot throw.
    pub(in crate::runner) fn throw(&mut self, seed: u64) -> Result<Throw, Fault> {
        let query = format!("throw {seed}");
        let ([chances, thrown], _) =
            self.asked(|client| client.ask([("", "chances"), ("", query.as_str())]))?;
        let listed = chances.unwrap_or_default();
        let only = match engine_output::chances(&listed).as_deref() {
            Some([(token, _)]) if is_token(token) => Some((*token).to_owned()),
            _ => None,
        };
        let certain = only.is_some();
        match only.map_or(thrown, Ok) {
            Ok(token) if is_token(&token) => Ok(Throw { token, listed, certain }),
            answer => Err(self.senseless(&format!("query {query}"), &answer)),
        }
    }

    /// Whether exactly one thing can be thrown.
    ///
    /// # Errors
    /// The engine's fault.
    #[cfg(feature = "household")]
    pub(in crate::runner) fn is_certain(&mut self) -> Result<bool, Fault> {
        let chances = self.query("chances")?.unwrap_or_default();
        Ok(engine_output::chances(&chances).is_some_and(|listed| listed.len() == 1))
    }

    /// A random legal move, by a seed.
    ///
    /// # Errors
    /// A fault, or an engine that can give none.
    pub(in crate::runner) fn random_move(&mut self, seed: u64) -> Result<String, Fault> {
        let own = self.abilities.random;
        let query = if own { format!("random {seed}") } else { "legalmoves".to_owned() };
        let answer = self.query(&query)?;
        let token = match &answer {
            Ok(list) if !own => one_of(list, seed),
            Ok(token) => Some(token.clone()),
            Err(_) => None,
        };
        let token = token.filter(|token| is_token(token));
        token.ok_or_else(|| self.senseless(&format!("query {query}"), &answer))
    }

    /// The fault of an answer that makes no sense.
    fn senseless(&self, command: &str, answer: &Answer) -> Fault {
        let answer = match answer {
            Ok(text) => text.clone(),
            Err(error) => format!("error {error}"),
        };
        // What is no view may hold what the reader of the message may not see.
        let shown = if command.starts_with("query view") {
            "no position".to_owned()
        } else {
            format!("'{}'", printable(&answer, 40))
        };
        let detail = format!("the referee answers {shown}");
        let fault = self.client.fault(FaultKind::Disagreement, detail, command);
        Fault { position: format!("position {}", self.line), ..fault }
    }

    /// Ends the process.
    pub(in crate::runner) fn quit(self) {
        self.client.quit();
    }
}

/// Whether a text can be a token of a move list.
pub(in crate::runner) fn is_token(text: &str) -> bool {
    let graphic = text.bytes().all(|byte| byte.is_ascii_graphic());
    graphic && (1..=LONGEST_TOKEN).contains(&text.len())
}

/// A move from a list, chosen by a seed.
fn one_of(list: &str, seed: u64) -> Option<String> {
    let count = list.split_whitespace().count();
    let index = ((u128::from(splitmix64(seed)) * count as u128) >> 64) as usize;
    list.split_whitespace().nth(index).map(str::to_owned)
}
