//! The programs of the games, as the tests run them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use parlor::games::NAMES;

/// The path of every game's program. Cargo builds all programs into one folder.
static PATHS: LazyLock<BTreeMap<&str, String>> = LazyLock::new(|| {
    let parlor = Path::new(env!("CARGO_BIN_EXE_parlor"));
    let file = |name| format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = |name| parlor.with_file_name(file(name)).to_str().expect("UTF-8").to_owned();
    NAMES.iter().map(|name| (*name, path(name))).collect()
});

/// The program of a game of the list.
pub fn program(name: &str) -> &'static str {
    PATHS.get(name).unwrap_or_else(|| panic!("no program {name}"))
}
