//! `SECURITY.md` names every command, and the bounds that hold.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use parlor::games::NAMES;
use parlor::reading::{LONGEST_LINE, LONGEST_TEXT, MOST_UNPACKED};

use crate::programs::program;

/// The subcommands that a program lists.
fn subcommands(program: &str) -> BTreeSet<String> {
    let output = Command::new(program).arg("--help").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| {
        line.strip_prefix("  ")?.split_once(' ').filter(|(name, _)| !name.is_empty())
    });
    names.map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn the_table_of_security_names_every_command_and_every_bound() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("SECURITY.md");
    let page = std::fs::read_to_string(path).unwrap();
    let rows: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("| ")).collect();
    let named = |row: &str| row.split(" | ").next().unwrap_or_default().to_owned();
    let commands: String = rows.into_iter().map(named).collect::<Vec<_>>().join("\n");
    let mut own = subcommands(env!("CARGO_BIN_EXE_parlor"));
    assert!(own.remove("help") && own.len() > 10, "{own:?}");
    let mut missing: Vec<String> = own
        .into_iter()
        .filter(|name| {
            !commands.contains(&format!("`{name}`"))
                && !commands.contains(&format!("`parlor {name}`"))
        })
        .collect();
    // What every game has is named once; what one has alone reads files of its own.
    let each: Vec<_> = NAMES.iter().map(|name| (*name, subcommands(program(name)))).collect();
    for (game, own) in &each {
        let alone = own.iter().filter(|name| each.iter().any(|(_, other)| !other.contains(*name)));
        missing.extend(
            alone.map(|name| format!("{game} {name}")).filter(|name| !commands.contains(name)),
        );
    }
    assert!(missing.is_empty(), "SECURITY.md does not name {missing:?}");
    for bound in [
        format!("a line of {} MiB", LONGEST_LINE >> 20),
        format!("a text of {} MiB", LONGEST_TEXT >> 20),
        format!("16 MiB and {MOST_UNPACKED} times the size"),
    ] {
        assert!(page.contains(&bound), "{bound}");
    }
}
