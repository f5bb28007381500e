//! How hard a puzzle is: the weakest level and the least nodes with which the engine finds it.

use anyhow::Result;
use parlor::game::{OptionValues, Situation};
use parlor::games::Playable;
use parlor::search::{Limits, Report, Request, Score, Settings};

use super::sources::engine;

/// The most nodes of a search. An engine that does not find it by then needs more; the limits of levels are
/// below it.
const MOST: u64 = 1 << 18;

/// The seeds with which a level must find it, most of them.
const SEEDS: [u64; 3] = [1, 2, 3];

/// The rating of a puzzle that is found with so many nodes: 100 for each doubling.
pub fn rating(nodes: u64) -> u32 {
    400 + (100.0 * libm::log2(nodes.max(1) as f64)).round() as u32
}

/// The nodes from which on the engine's move is right.
pub fn nodes_to_find<G: Playable>(
    position: &G,
    options: &OptionValues,
    is_right: &dyn Fn(&G::Move) -> bool,
) -> u64 {
    let request = Request::new(Limits::nodes(MOST));
    let mut from = None;
    let control = request.control.clone();
    let mut player = engine::<G>(options);
    let choice = player.choose(&Situation::new(position.clone()), &request, &mut |report| {
        let Report::Info(info) = report else { return };
        let right = info.pv.first().is_some_and(is_right);
        from = if right { from.or(Some(info.nodes)) } else { None };
        if right && matches!(info.score, Score::Mate(plies) if plies > 0) {
            control.stop();
        }
    });
    match from {
        Some(nodes) if choice.is_some_and(|choice| is_right(&choice.best)) => nodes.max(1),
        _ => MOST,
    }
}

/// The weakest level that finds it.
pub fn weakest_level<G: Playable>(
    position: &G,
    options: &OptionValues,
    is_right: &dyn Fn(&G::Move) -> bool,
) -> Result<u32> {
    let situation = Situation::new(position.clone());
    for level in 1..10 {
        let mut found = 0;
        for seed in SEEDS {
            let mut options = options.clone();
            options.set("Level", &level.to_string())?;
            let settings = Settings { hash: 1, seed, options, ..Settings::default() };
            let mut player = G::player("engine", &settings)?;
            let request = Request::new(Limits::nodes(MOST));
            let choice = player.choose(&situation, &request, &mut |_| {});
            found += usize::from(choice.is_some_and(|choice| is_right(&choice.best)));
        }
        if found * 2 > SEEDS.len() {
            return Ok(level);
        }
    }
    Ok(10)
}
