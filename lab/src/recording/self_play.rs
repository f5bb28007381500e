//! Games of an engine against itself, recorded.
//!
//! Every game has a new player and random numbers of its own. So it does not depend on the games
//! before it: equal arguments give equal games, whatever the threads and shards.

use anyhow::Context;
use parlor::game::{Outcome, Random, Seat};
use parlor::search::{Info, Limits, Player, Report, Request, SEARCH_STACK};

use super::chunks::Recording;
use super::games::{MoveOf, RecordFormat, RecordedGame, Recorder};

/// A game that has begun.
pub struct Begun<F: RecordFormat> {
    /// The opening.
    pub game: Recorder<F>,
    /// A new player, who plays the rest.
    pub player: Box<dyn Player<F::Position>>,
    /// Whether the game goes on where its result is known.
    pub to_the_end: bool,
    /// Who plays some of the seats instead.
    pub weaker: Option<Weaker<F::Position>>,
}

/// A player of some seats, whose moves have no value.
pub struct Weaker<P> {
    /// The player.
    pub player: Box<dyn Player<P>>,
    /// Its seats, by bits.
    pub seats: u64,
}

/// What a game decides of its recording.
pub trait SelfPlay: Sync {
    /// How its games are written.
    type Format: RecordFormat;

    /// A game that reaches this many plies is cut off.
    const LONGEST: usize;

    /// Begins a game.
    fn begin(&self, random: &mut Random) -> anyhow::Result<Begun<Self::Format>>;

    /// A random move, where one is played instead of the engine's.
    fn random_move(
        &self,
        position: &<Self::Format as RecordFormat>::Position,
        random: &mut Random,
    ) -> Option<MoveOf<Self::Format>>;

    /// The value of a searched move of a seat, from what the search said of it last, if anything.
    fn value(
        &self,
        info: Option<&Info<MoveOf<Self::Format>>>,
        mover: Seat,
    ) -> anyhow::Result<<Self::Format as RecordFormat>::Value>;

    /// The result of a game, where the value of a move of a seat tells it.
    fn result(
        &self,
        _value: &<Self::Format as RecordFormat>::Value,
        _mover: Seat,
    ) -> Option<Outcome> {
        None
    }

    /// Plays a game.
    fn play(
        &self,
        limits: &Limits,
        random: &mut Random,
    ) -> anyhow::Result<RecordedGame<Self::Format>> {
        let Begun { mut game, mut player, to_the_end, mut weaker } = self.begin(random)?;
        while game.plies() < Self::LONGEST {
            let Some(mover) = game.situation().turn().seat() else { break };
            if let Some(m) = self.random_move(game.situation().position(), random) {
                game.play(m, None);
                continue;
            }
            let request = Request::new(limits.clone());
            if let Some(Weaker { player, seats }) = &mut weaker
                && *seats >> mover.index() & 1 == 1
            {
                let choice = player.choose(game.situation(), &request, &mut |_| ());
                game.play(choice.context("the weaker player has no move")?.best, None);
                continue;
            }
            let mut last = None;
            let mut report = |report| {
                if let Report::Info(info) = report {
                    last = Some(info);
                }
            };
            let choice = player.choose(game.situation(), &request, &mut report);
            let best = choice.context("the engine has no move")?.best;
            let value = self.value(last.as_ref(), mover)?;
            let result = if to_the_end { None } else { self.result(&value, mover) };
            game.play(best, Some(value));
            if let Some(outcome) = result {
                return Ok(RecordedGame { outcome, ..game.finish() });
            }
        }
        Ok(game.finish())
    }

    /// Records games.
    fn record(&self, recording: &Recording, limits: &Limits) -> anyhow::Result<()> {
        recording.run(SEARCH_STACK, |mut random| Ok(self.play(limits, &mut random)?.to_string()))
    }
}
