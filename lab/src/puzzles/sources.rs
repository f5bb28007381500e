//! Games of weak play, in which chances are missed.

use anyhow::Result;
use parlor::engine::declared_options;
use parlor::game::{OptionValues, Random, Situation, Turn};
use parlor::games::Playable;
use parlor::search::{Info, Limits, Player, Report, Request, Settings};

/// Random moves at the beginning of a game.
const OPENING: usize = 4;

/// The longest game, and the longest with secrets, in which much is said.
const PLIES: [usize; 2] = [160, 4_000];

/// One move in so many is random.
const RANDOM: u64 = 10;

/// Random moves that are looked at beside the one that is played.
const ASIDE: usize = 4;

/// Nodes of a player, drawn for every game and seat.
const NODES: [u64; 5] = [20, 60, 200, 600, 2_000];

/// The most nodes of players of one strength, whose games are many.
const QUICK: u64 = 60;

/// Options as an engine declares them, at the values of limited play, with these rules.
pub fn options<G: Playable>(rules: &[(&str, &str)]) -> Result<OptionValues> {
    let mut options = OptionValues::new(declared_options::<G>());
    for (name, value) in G::LIMITED_OPTIONS.iter().chain(rules) {
        options.set(name, value)?;
    }
    Ok(options)
}

/// The engine of a game, which depends on nothing but its limits.
pub fn engine<G: Playable>(options: &OptionValues) -> Box<dyn Player<G>> {
    G::PLAYERS[0].make(&Settings { options: options.clone(), ..Settings::default() })
}

/// The last lines of a search, the best first.
pub fn lines<G: Playable>(
    player: &mut dyn Player<G>,
    situation: &Situation<G>,
    nodes: u64,
    count: usize,
) -> Vec<Info<G::Move>> {
    let request = Request { multi_pv: count, ..Request::new(Limits::nodes(nodes)) };
    let mut lines: Vec<Info<G::Move>> = Vec::new();
    player.choose(situation, &request, &mut |report| {
        let Report::Info(info) = report else { return };
        lines.retain(|line| line.multipv != info.multipv);
        lines.push(info);
    });
    lines.sort_by_key(|line| line.multipv);
    lines
}

/// A situation of a game, and some after random moves: into these somebody weaker would have come.
pub fn around<G: Playable>(situation: &Situation<G>) -> Vec<Situation<G>> {
    let position = situation.position();
    let mut random = Random::new(position.key());
    let moves: Vec<_> = (0..ASIDE).filter_map(|_| position.random_move(&mut random)).collect();
    let aside = moves.iter().map(|m| {
        let mut next = situation.clone();
        next.play(m);
        next
    });
    std::iter::once(situation.clone()).chain(aside).collect()
}

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// Players that may be of different strength, and now and then move at random.
    Weak,
    /// Players of one strength, so that the game stays close.
    Even,
}

/// Plays the game of a seed and a number; `visit` sees every position in which a seat decides, and
/// ends the game by `false`.
pub fn play<G: Playable>(
    options: &OptionValues,
    (seed, game): (u64, u64),
    strength: Strength,
    visit: &mut dyn FnMut(&Situation<G>) -> bool,
) -> Result<()> {
    let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(game));
    let mut situation = Situation::new(G::start(options, None)?);
    let mut players = [engine::<G>(options), engine::<G>(options)];
    let mut nodes = [0, 1].map(|_| NODES[random.below(NODES.len() as u64) as usize]);
    let is_even = G::SECRETS || strength == Strength::Even;
    if is_even {
        nodes[1] = nodes[0];
    }
    if strength == Strength::Even {
        nodes = nodes.map(|nodes| nodes.min(QUICK));
    }
    for ply in 0..PLIES[usize::from(G::SECRETS)] {
        let position = situation.position();
        let m = match situation.turn() {
            Turn::Over => break,
            Turn::Chance { .. } => position.random_move(&mut random),
            Turn::Seat(_) if !visit(&situation) => break,
            // With secrets nothing is random: who knows them chooses what can be known.
            Turn::Seat(_) if !G::SECRETS && ply < OPENING => position.random_move(&mut random),
            Turn::Seat(_) if !is_even && random.below(RANDOM) == 0 => {
                position.random_move(&mut random)
            }
            Turn::Seat(seat) => {
                let side = seat.index() % 2;
                let request = Request::new(Limits::nodes(nodes[side]));
                let seen = match G::SECRETS {
                    true => &Situation::new(position.view(seat)),
                    false => &situation,
                };
                let choice = players[side].choose(seen, &request, &mut |_| {});
                choice.map(|choice| choice.best)
            }
        };
        let Some(m) = m else { break };
        situation.play(&m);
    }
    Ok(())
}
