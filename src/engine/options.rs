//! The options every engine has, and their declaration lines.

use crate::game::{Check, Combo, OptionKind, OptionSpec, Spin, Text};
use crate::games::{LEVEL, LIMIT_STRENGTH, OWN_BOOK, Playable, elo_option};
use crate::search::DEFAULT_HASH;

/// The largest table, in MiB.
pub(super) const LARGEST_HASH: i64 = if cfg!(target_pointer_width = "32") { 1024 } else { 65_536 };

pub(super) const HASH: Spin =
    Spin::new("Hash", DEFAULT_HASH as i64, 0, LARGEST_HASH, "MiB for tables; 0 for none");
pub(super) const MOST_THREADS: i64 = if cfg!(target_arch = "wasm32") { 1 } else { 512 };
pub(super) const THREADS: Spin = Spin::new("Threads", 1, 1, MOST_THREADS, "search threads");
pub(super) const SEED: Spin =
    Spin::new("Seed", 1, 0, i64::MAX, "seed of everything random; 0 for entropy");
pub(super) const MULTI_PV: Spin = Spin::new("MultiPV", 1, 1, 500, "how many best lines to report");
pub(super) const MOVE_OVERHEAD: Spin = Spin::new(
    "Move Overhead",
    20,
    0,
    60_000,
    "milliseconds kept back from every clock; movetime is used whole",
);
pub(super) const MOVE_TIME: Spin =
    Spin::new("Move Time", 1000, 1, 86_400_000, "milliseconds for a go without limits");
const ANALYSE_MODE: Check =
    Check::new("UCI_AnalyseMode", false, "the engine analyses and does not play");
pub(super) const SHOW_WDL: Check =
    Check::new("UCI_ShowWDL", false, "report win, draw and loss in permille");
/// Offers the game's players; the first of every game is `engine`.
pub(super) const PLAYER: Text = Text::new("Player", "engine", "who chooses the moves");
/// Whether the diagram is drawn in Unicode.
pub(super) const DIAGRAM: Combo<bool> =
    Combo::new("Diagram", &[("ascii", false), ("unicode", true)], "characters of the diagram");
/// The rule that every game has: after how many tokens a game is drawn.
pub(super) const MAX_PLIES: Spin =
    Spin::new("MaxPlies", 0, 0, 1_000_000, "tokens until a draw; 0 for none");

/// What a change of an option means for the player.
#[derive(Clone, Copy, PartialEq)]
enum Player {
    Kept,
    MadeAnew,
}

/// The options that all engines have, before those of the game. Those of strength are the last, where
/// the game has levels.
fn common<G: Playable>() -> Vec<(OptionSpec, Player)> {
    let clear = OptionSpec::button("Clear Hash", "forget everything searched so far");
    let mut options = vec![
        (HASH.spec(), Player::MadeAnew),
        (THREADS.spec(), Player::MadeAnew),
        (SEED.spec(), Player::MadeAnew),
        (MULTI_PV.spec(), Player::Kept),
        (MOVE_OVERHEAD.spec(), Player::Kept),
        (MOVE_TIME.spec(), Player::Kept),
        (clear, Player::MadeAnew),
        (OWN_BOOK.spec(), Player::MadeAnew),
        (ANALYSE_MODE.spec(), Player::Kept),
        (SHOW_WDL.spec(), Player::Kept),
        (player::<G>(), Player::MadeAnew),
        (DIAGRAM.spec(), Player::Kept),
    ];
    if let Some(ladder) = G::LADDER {
        options.push((LEVEL.spec(), Player::MadeAnew));
        if let Some(elo) = elo_option(ladder) {
            options.push((LIMIT_STRENGTH.spec(), Player::MadeAnew));
            options.push((elo, Player::MadeAnew));
        }
    }
    options
}

/// The option that offers the game's players.
pub(super) fn player<G: Playable>() -> OptionSpec {
    let values = G::player_names().into_iter().map(String::from).collect();
    OptionSpec { kind: OptionKind::Combo { values }, ..PLAYER.spec() }
}

/// Every option of one game's program, in the order of declaration: common ones, the game's own,
/// its rules.
#[must_use]
pub fn all<G: Playable>() -> Vec<OptionSpec> {
    let mut specs: Vec<OptionSpec> = common::<G>().into_iter().map(|(spec, _)| spec).collect();
    specs.extend(G::engine_options());
    specs.extend(rules::<G>());
    specs
}

/// The options of one game that change its rules.
pub(super) fn rules<G: Playable>() -> Vec<OptionSpec> {
    let mut specs = G::rule_options();
    specs.push(MAX_PLIES.spec());
    specs
}

/// Whether a change of the option makes a new player, as every option of the game does.
pub(super) fn makes_player<G: Playable>(name: &str) -> bool {
    let kept = |(spec, player): &(OptionSpec, Player)| {
        *player == Player::Kept && spec.name.eq_ignore_ascii_case(name)
    };
    !common::<G>().iter().any(kept)
}

/// The option that exists under `uci` only, and only where pondering makes sense.
pub(super) fn ponder<G: Playable>() -> Option<OptionSpec> {
    let two_seats = G::start(&G::default_rules(), None).is_ok_and(|start| start.seats() == 2);
    let makes_sense = two_seats && !G::DICE && !G::SECRETS;
    makes_sense.then(|| Check::new("Ponder", false, "the client may send go ponder").spec())
}

/// The declaration line of an option.
pub(super) fn declaration(spec: &OptionSpec) -> String {
    let name = &spec.name;
    match &spec.kind {
        OptionKind::Check { default } => {
            format!("option name {name} type check default {default}")
        }
        OptionKind::Spin { default, min, max } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        OptionKind::Combo { values } => {
            let default = spec.default_value();
            format!("option name {name} type combo default {default} var {}", values.join(" var "))
        }
        OptionKind::Text { default } if default.is_empty() => {
            format!("option name {name} type string default <empty>")
        }
        OptionKind::Text { default } => format!("option name {name} type string default {default}"),
        OptionKind::Button => format!("option name {name} type button"),
    }
}
