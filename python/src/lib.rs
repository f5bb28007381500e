//! The module `parlor._parlor`: what Python needs of the library, converted and nothing more. The
//! package around it, `python/parlor`, makes the classes that users see.

mod errors;
mod moves;
mod position;
mod program;
mod session;

use parlor::engine::in_progress::{rule_options, unknown_game};
use parlor::game::{OptionKind, OptionSpec};
use parlor::games::NAMES;
use pyo3::prelude::*;

/// The native part of the package `parlor`.
#[pymodule]
mod _parlor {
    #[pymodule_export]
    use super::errors::{
        BadMove, BadOption, BadPosition, BadValue, GameOver, IllegalMove, NotToAct, ParlorError,
    };
    #[pymodule_export]
    use super::moves::Moves;
    #[pymodule_export]
    use super::position::Position;
    #[pymodule_export]
    use super::program::run_program;
    #[pymodule_export]
    use super::session::start_session;
    #[pymodule_export]
    use super::{games, options};
}

/// The names of all games.
#[pyfunction]
fn games() -> Vec<&'static str> {
    NAMES.to_vec()
}

/// One rule option: name, kind, default, the range or the values as text, and what it is about.
type Declared = (String, &'static str, String, Vec<String>, String);

/// The rule options of a game.
#[pyfunction]
fn options(game: &str) -> PyResult<Vec<Declared>> {
    let declared = rule_options(game).ok_or_else(|| errors::refusal(unknown_game(game)))?;
    Ok(declared.specs().map(declaration).collect())
}

fn declaration(spec: &OptionSpec) -> Declared {
    let (kind, values) = match &spec.kind {
        OptionKind::Check { .. } => ("check", Vec::new()),
        OptionKind::Spin { min, max, .. } => ("spin", vec![min.to_string(), max.to_string()]),
        OptionKind::Combo { values } => ("combo", values.clone()),
        OptionKind::Text { .. } => ("string", Vec::new()),
        OptionKind::Button => ("button", Vec::new()),
    };
    (spec.name.clone(), kind, spec.default_value(), values, spec.about.clone())
}
