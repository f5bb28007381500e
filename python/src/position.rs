//! A game in progress as a Python object.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use parlor::engine::in_progress::{InProgress, Moves as LegalMoves, Playout, begin};
use parlor::game::splitmix64;
use parlor::picture::{Options, Theme, draw_answers};
use parlor::protocol::{Code, PositionArgument, ProtocolError};
use pyo3::prelude::*;

use crate::errors::{BadValue, ParlorError, guarded, refusal};
use crate::moves::Moves;

/// A game in progress; `parlor.Position` stands on it.
#[pyclass(subclass, module = "parlor")]
pub(crate) struct Position {
    game: Box<dyn InProgress>,
}

/// A result by seat, and the number of plies, of one random game.
type Ended = (Option<Vec<u8>>, u64);

#[pymethods]
impl Position {
    /// Starts a game: `line` is the argument of `position`, as in `startpos moves e2e4`. With
    /// `source` it is that game once more.
    #[new]
    #[pyo3(signature = (game, line, rules, source=None))]
    fn new(
        game: &str,
        line: &str,
        rules: Vec<(String, String)>,
        source: Option<PyRef<'_, Position>>,
    ) -> PyResult<Self> {
        if let Some(source) = source {
            return Ok(Position { game: source.game.copy() });
        }
        let argument = PositionArgument::parse(line).map_err(refusal)?;
        let rules: Vec<_> =
            rules.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let game = guarded(|| begin(game, &rules, &argument))?.map_err(refusal)?;
        Ok(Position { game })
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// The tokens played since the loaded position.
    #[getter]
    fn tokens(&self) -> Vec<String> {
        self.game.argument().moves.clone()
    }

    /// How many tokens were played since the loaded position.
    fn __len__(&self) -> usize {
        self.game.argument().moves.len()
    }

    /// The argument of `position` that tells this game.
    #[getter]
    fn line(&self) -> String {
        self.game.argument().to_string()
    }

    /// A 64-bit key: equal positions have equal keys.
    #[getter]
    fn key(&self) -> u64 {
        self.game.key()
    }

    /// Who decides: `p1`, `chance p1`, `chance`, or `none` once the game is over.
    #[getter]
    fn turn(&self) -> PyResult<String> {
        guarded(|| self.game.turn().to_string())
    }

    /// The place of every seat, 1 being the best; `None` while the game goes on.
    #[getter]
    fn places(&self) -> PyResult<Option<Vec<u32>>> {
        guarded(|| self.game.outcome())
            .map(|outcome| outcome.map(|it| it.places().iter().map(|p| u32::from(*p)).collect()))
    }

    /// Plays one token.
    fn push(&mut self, token: &str) -> PyResult<()> {
        // A token is one word: what is none would read otherwise in a line.
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            let text = "a token is one word of printable ASCII without blanks";
            return Err(refusal(ProtocolError::new(Code::BadMove, text)));
        }
        guarded(|| self.game.play(token))?.map_err(refusal)
    }

    /// Takes the last token back and returns it.
    fn pop(&mut self) -> PyResult<String> {
        guarded(|| self.game.take_back())?
            .ok_or_else(|| ParlorError::new_err("no token was played since the loaded position"))
    }

    /// The legal tokens in a fixed order, at a chance node the outcomes: a list that cannot be changed.
    fn legal_moves(&self) -> PyResult<Moves> {
        let error = |text: &str| Err(ParlorError::new_err(text.to_owned()));
        match guarded(|| self.game.legal_moves())? {
            LegalMoves::Listed(moves) => Ok(Moves::new(moves)),
            LegalMoves::Many => error("many: too many moves to list; see step() and random_move()"),
            LegalMoves::Hidden => error("hidden: the moves are a secret of another seat"),
        }
    }

    /// The answer to a query of the protocol, by its words.
    #[pyo3(signature = (name, *arguments))]
    fn query(&self, name: &str, arguments: Vec<String>) -> PyResult<String> {
        guarded(|| self.game.query(name, &arguments))?.map_err(refusal)
    }

    /// The board in ASCII.
    fn diagram(&self) -> PyResult<String> {
        guarded(|| self.game.diagram())
    }

    /// The static evaluation, explained in lines.
    fn evaluation(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| guarded(|| self.game.evaluate()))
    }

    /// The board as SVG.
    fn draw(
        &self,
        dark: bool,
        scale: Option<f64>,
        labels: bool,
        seat: usize,
        arrow: Option<&str>,
    ) -> PyResult<String> {
        if scale.is_some_and(|scale| !(4.0..=400.0).contains(&scale)) || seat > 6 {
            return Err(BadValue::new_err("a scale is 4 to 400 pixels, a seat p1 to p6"));
        }
        let theme = if dark { Theme::Dark } else { Theme::Light };
        let options = Options { theme, scale, labels, seat, ..Options::default() };
        let mut refused = None;
        let drawn = guarded(|| {
            draw_answers(
                |query| {
                    let mut words = query.split(' ').map(String::from);
                    let name = words.next().unwrap_or_default();
                    self.game.query(&name, &words.collect::<Vec<_>>()).map_err(|error| {
                        let text = error.to_string();
                        refused = Some(error);
                        text
                    })
                },
                arrow,
                &options,
            )
        })?;
        drawn.map_err(|text| refused.map_or_else(|| ParlorError::new_err(text), refusal))
    }

    /// Every legal token with the number of sequences of `depth` plies that begin with it.
    fn divide(&self, py: Python<'_>, depth: u32) -> PyResult<Vec<(String, u64)>> {
        let counted = interruptible(py, |stopped| {
            self.game.perft(depth, &|| stopped.load(Ordering::Relaxed))
        })?;
        Ok(counted.map_err(refusal)?.unwrap_or_default())
    }

    /// Random games from here, `threads` at a time: each one's places and plies.
    fn play_out(
        &self,
        py: Python<'_>,
        count: u64,
        seed: u64,
        max_plies: u64,
        threads: usize,
    ) -> PyResult<Vec<Ended>> {
        let games = interruptible(py, |stopped| {
            playouts(self.game.as_ref(), count, seed, max_plies, threads.clamp(1, 256), stopped)
        })?;
        let places = |game: &Playout| game.outcome.map(|outcome| outcome.places().to_vec());
        Ok(games.iter().map(|game| (places(game), game.plies)).collect())
    }
}

/// The k-th game depends on the seed and k alone, whatever the number of threads.
fn playouts(
    game: &dyn InProgress,
    count: u64,
    seed: u64,
    max_plies: u64,
    threads: usize,
    stopped: &AtomicBool,
) -> Vec<Playout> {
    let one_of = |first: u64| {
        (first..count)
            .step_by(threads)
            .take_while(|_| !stopped.load(Ordering::Relaxed))
            .map(|number| game.playout(splitmix64(seed).wrapping_add(number), max_plies))
            .collect::<Vec<_>>()
    };
    let parts: Vec<Vec<Playout>> = std::thread::scope(|scope| {
        let spawned: Vec<_> =
            (1..threads as u64).map(|first| scope.spawn(move || one_of(first))).collect();
        let mut parts = vec![one_of(0)];
        parts.extend(spawned.into_iter().filter_map(|thread| thread.join().ok()));
        parts
    });
    (0..count as usize)
        .filter_map(|number| parts[number % threads].get(number / threads).copied())
        .collect()
}

/// How often a long computation looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Long work without the GIL, which Ctrl-C ends. A panic in it is a `RuntimeError`.
fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stopped = AtomicBool::new(false);
    let (sender, mut done) = mpsc::sync_channel(1);
    std::thread::scope(|scope| {
        let stopped = &stopped;
        scope.spawn(move || sender.send(guarded(|| work(stopped))));
        loop {
            let told = py.detach(move || (done.recv_timeout(LOOK), done));
            done = told.1;
            match told.0 {
                Ok(result) => return result,
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = py.check_signals() {
                        stopped.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
                Err(error) => return Err(ParlorError::new_err(error.to_string())),
            }
        }
    })
}
