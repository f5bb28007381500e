//! The options every engine has, and their declaration lines.

use crate::game::{OptionKind, OptionSpec};
use crate::games::Playable;

/// The rule that every game has: after how many tokens a game is drawn.
pub(super) const MAX_PLIES: &str = "MaxPlies";

/// The largest table, in MiB.
pub(super) const LARGEST_HASH: i64 = 65_536;

/// Every option of one game's program, in the order of declaration: common ones, the game's own,
/// its rules.
pub(super) fn all<G: Playable>() -> Vec<OptionSpec> {
    let mut specs = vec![
        OptionSpec::spin("Hash", 64, 0, LARGEST_HASH, "MiB for tables; 0 for none"),
        OptionSpec::spin("Threads", 1, 1, 512, "search threads"),
        OptionSpec::spin("Seed", 1, 0, i64::MAX, "seed of everything random; 0 for entropy"),
        OptionSpec::spin("MultiPV", 1, 1, 500, "how many best lines to report"),
        OptionSpec::spin(
            "Move Overhead",
            20,
            0,
            60_000,
            "milliseconds kept back from every clock; movetime is used whole",
        ),
        OptionSpec::spin("Move Time", 1000, 1, 86_400_000, "milliseconds for a go without limits"),
        OptionSpec::button("Clear Hash", "forget everything searched so far"),
        OptionSpec::check("OwnBook", false, "play from an opening book where there is one"),
        OptionSpec::check("UCI_AnalyseMode", false, "the engine analyses and does not play"),
        OptionSpec::check("UCI_ShowWDL", false, "report win, draw and loss in permille"),
        OptionSpec::combo("Player", &G::player_names(), "who chooses the moves"),
        OptionSpec::combo("Diagram", &["ascii", "unicode"], "characters of the diagram"),
    ];
    specs.extend(G::engine_options());
    specs.extend(G::rule_options());
    specs.push(OptionSpec::spin(MAX_PLIES, 0, 0, 1_000_000, "tokens until a draw; 0 for none"));
    specs
}

/// The option that exists under `uci` only, and only where pondering makes sense.
pub(super) fn ponder<G: Playable>() -> Option<OptionSpec> {
    let two_seats = G::start(&G::default_rules(), None).is_ok_and(|start| start.seats() == 2);
    let makes_sense = two_seats && !G::DICE && !G::SECRETS;
    makes_sense.then(|| OptionSpec::check("Ponder", false, "the client may send go ponder"))
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
