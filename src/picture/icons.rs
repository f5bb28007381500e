//! Outlines of animals and pieces, and signs of cells and marks, by name.

use std::collections::BTreeMap;
use std::sync::OnceLock;

const FILE: &str = include_str!("../../data/icons.txt");

/// Who made the outlines, for every picture that has one.
pub(super) const CREDIT: &str = "Icons by Lorc, Delapouite and other contributors of \
     https://game-icons.net, CC BY 3.0 (https://creativecommons.org/licenses/by/3.0/); outlines only";

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

/// What marks a cell or a piece beside its colour.
pub(super) struct Sign {
    /// The character on a cell in a terminal.
    pub(super) on_cell: char,
    /// The character beside a piece.
    pub(super) on_piece: char,
    /// Strokes in a box from -1 to 1.
    pub(super) path: &'static str,
}

/// The sign of a name.
pub(super) fn sign(name: &str) -> Option<Sign> {
    let (_, rest) = FILE
        .lines()
        .filter_map(|line| line.strip_prefix("sign ")?.split_once(' '))
        .find(|(known, _)| *known == name)?;
    let mut parts = rest.splitn(3, ' ');
    let mut character = || parts.next()?.chars().next();
    Some(Sign { on_cell: character()?, on_piece: character()?, path: parts.next()? })
}

fn icons() -> &'static BTreeMap<&'static str, &'static str> {
    static ICONS: OnceLock<BTreeMap<&str, &str>> = OnceLock::new();
    ICONS.get_or_init(|| {
        FILE.lines()
            .filter(|line| !line.starts_with('#') && !line.starts_with("sign "))
            .filter_map(|line| line.split_once(' '))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outline_is_a_path_and_nothing_else() {
        let known = |c: char| c.is_ascii_digit() || " .-,MmLlHhVvCcSsQqTtAaZze".contains(c);
        for name in ["elephant", "lion", "mouse", "egg", "guardian", "bird-of-prey", "jewel"] {
            let path = outline(name).unwrap_or_else(|| panic!("{name} is missing"));
            assert!(path.starts_with(['M', 'm']), "{name}");
            assert!(path.chars().all(known), "{name}");
        }
        assert_eq!(outline("unicorn"), None);
        for name in ["ring", "cross", "hatch", "bar", "waves", "star", "lock", "dot"] {
            let sign = sign(name).unwrap_or_else(|| panic!("{name} is missing"));
            assert!(sign.path.starts_with('M') && sign.path.chars().all(known), "{name}");
            assert!(!sign.on_cell.is_alphanumeric() || "xo".contains(sign.on_cell), "{name}");
        }
        assert!(sign("unicorn").is_none());
    }
}
