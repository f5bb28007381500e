//! Colours of terminals: the roles of a theme as the nearest of 256.

use anstyle::{Ansi256Color, Color, Style};

use super::Scene;

/// The levels of the colour cube.
const LEVELS: [i32; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest of the 240 colours that no theme of a terminal changes.
fn nearest(hex: &str) -> Ansi256Color {
    let part = |at: usize| {
        let digits = hex.get(at..at + 2).and_then(|text| i32::from_str_radix(text, 16).ok());
        digits.unwrap_or(128)
    };
    let wanted = [part(1), part(3), part(5)];
    let distance = |color: [i32; 3]| -> i32 {
        color.iter().zip(wanted).map(|(have, want)| (have - want) * (have - want)).sum()
    };
    let level = |value: i32| {
        let found = (0..LEVELS.len()).min_by_key(|index| (LEVELS[*index] - value).abs());
        found.unwrap_or(0)
    };
    let [r, g, b] = wanted.map(level);
    let cube = (distance([LEVELS[r], LEVELS[g], LEVELS[b]]), 16 + 36 * r + 6 * g + b);
    let greys = (0..24).map(|step| (distance([8 + 10 * step; 3]), 232 + step as usize));
    let (_, index) = greys.chain([cube]).min().unwrap_or(cube);
    Ansi256Color(index as u8)
}

fn color(hex: &str) -> Color {
    nearest(hex).into()
}

/// Text that matters most.
pub(super) const STRONG: Style = Style::new().bold();

impl Scene<'_> {
    /// The ground of a role, with text that stands out on it.
    pub(super) fn ground(&self, role: &str) -> Style {
        let theme = self.options.theme;
        let hex = theme.color(role);
        Style::new().bg_color(Some(color(hex))).fg_color(Some(color(theme.ink_on(hex))))
    }

    /// Text in the colour of a role.
    pub(super) fn ink(&self, role: &str) -> Style {
        Style::new().fg_color(Some(color(self.options.theme.color(role))))
    }

    /// A piece of a seat, from 1; 0 for nobody.
    pub(super) fn seat_style(&self, seat: u8) -> Style {
        if seat == 0 {
            return self.ground("card").bold();
        }
        let named = usize::from(seat).checked_sub(1).and_then(|index| self.table.seats.get(index));
        let fill = named.and_then(|named| named.fill.clone());
        self.ground(&fill.unwrap_or_else(|| seat.to_string())).bold()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_colour_is_found_in_cube_and_greys() {
        assert_eq!(nearest("#ffffff").0, 231);
        assert_eq!(nearest("#5f87af").0, 67);
        assert_eq!(nearest("#303030").0, 236);
    }
}
