//! Outlines of animals and pieces, by name. Credits: `docs/credits.md`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

const FILE: &str = include_str!("../../data/icons.txt");

/// The box of every outline: 512 by 512.
pub const SIZE: f64 = 512.0;

/// The outline of an icon, in the syntax of SVG paths.
#[must_use]
pub fn outline(name: &str) -> Option<&'static str> {
    icons().get(name).copied()
}

/// The name of an icon, if there is one of this name.
pub(super) fn name(name: &str) -> Option<&'static str> {
    icons().get_key_value(name).map(|(name, _)| *name)
}

fn icons() -> &'static BTreeMap<&'static str, &'static str> {
    static ICONS: OnceLock<BTreeMap<&str, &str>> = OnceLock::new();
    ICONS.get_or_init(|| {
        FILE.lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once(' '))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outline_is_a_path_and_nothing_else() {
        for name in ["elephant", "lion", "mouse", "egg", "guardian", "bird-of-prey", "jewel"] {
            let path = outline(name).unwrap_or_else(|| panic!("{name} is missing"));
            assert!(path.starts_with(['M', 'm']), "{name}");
            let known = |c: char| c.is_ascii_digit() || " .-,MmLlHhVvCcSsQqTtAaZze".contains(c);
            assert!(path.chars().all(known), "{name}");
        }
        assert_eq!(outline("unicorn"), None);
    }
}
