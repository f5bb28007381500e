//! Colours for roles. The palettes of seats are those of Okabe and Ito (2008), which people with
//! colour-blindness tell apart; with more than two seats every piece has its number as well.

/// Light or dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// Dark text on a light ground.
    #[default]
    Light,
    /// Light text on a dark ground.
    Dark,
}

impl Theme {
    /// The colour of a role: `water`, `goal`, `safe`, `light`, `dark`, `blocked`, `track`,
    /// `copper`, `silver`, `clay`, `dent`, `ground`, `card`, `text`, `faint`, `line`, `edge`, `last`, `best`,
    /// `alert`, or the number of a seat. Unknown roles have the colour of `light`.
    #[must_use]
    pub fn color(self, role: &str) -> &'static str {
        let [light, dark] = match role {
            "ground" => ["#fbfaf7", "#1d1f21"],
            "text" => ["#222222", "#e8e6e3"],
            "faint" => ["#6b6b6b", "#9a9a9a"],
            "card" => ["#f5efe2", "#2a2d30"],
            "edge" => ["#222222", "#d0ccc4"],
            "copper" => ["#a4561f", "#b0602a"],
            "silver" => ["#dfe4e8", "#cfd6dc"],
            "clay" => ["#c98f63", "#b3774c"],
            "dent" => ["#7d4e2d", "#5f3a20"],
            "line" => ["#8a8174", "#6f6f6f"],
            "light" => ["#f0e3c8", "#4a4d52"],
            "dark" => ["#d9c49c", "#3a3d42"],
            "water" => ["#8cc4e8", "#1f5d8a"],
            "goal" => ["#f2d27a", "#80661f"],
            "safe" => ["#cfe6c4", "#3d5c38"],
            "blocked" => ["#c9c5bd", "#2a2b2d"],
            "track" => ["#e7ded0", "#44474c"],
            "last" => ["#e69f00", "#e69f00"],
            "best" => ["#009e73", "#2fc49a"],
            "alert" => ["#d55e00", "#ff7d2e"],
            // The seats.
            "1" => ["#ffffff", "#f4f1ea"],
            "2" => ["#303030", "#0b0b0b"],
            "3" => ["#56b4e9", "#56b4e9"],
            "4" => ["#cc79a7", "#cc79a7"],
            "5" => ["#009e73", "#009e73"],
            "6" => ["#e69f00", "#e69f00"],
            _ => ["#f0e3c8", "#4a4d52"],
        };
        match self {
            Theme::Light => light,
            Theme::Dark => dark,
        }
    }

    /// Black or white, whichever stands out on a colour of the form `#rrggbb`.
    #[must_use]
    pub fn ink_on(self, color: &str) -> &'static str {
        let part = |at: usize| {
            let digits = color.get(at..at + 2).and_then(|text| u32::from_str_radix(text, 16).ok());
            digits.unwrap_or(255)
        };
        // The weights of the parts in what is seen as brightness, in percent.
        let brightness = 30 * part(1) + 59 * part(3) + 11 * part(5);
        if brightness < 100 * 120 { "#ffffff" } else { "#1a1a1a" }
    }
}

#[cfg(test)]
mod tests {
    use super::Theme;

    #[test]
    fn seats_and_grounds_have_ink_that_stands_out() {
        for theme in [Theme::Light, Theme::Dark] {
            for (role, ink) in [
                ("1", "#1a1a1a"),
                ("2", "#ffffff"),
                ("3", "#1a1a1a"),
                ("6", "#1a1a1a"),
                ("copper", "#ffffff"),
                ("silver", "#1a1a1a"),
            ] {
                assert_eq!(theme.ink_on(theme.color(role)), ink, "{role}");
            }
        }
    }
}
