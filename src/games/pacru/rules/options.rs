//! The rule options.

use crate::game::{OptionSpec, OptionValues};

/// The rule options of a game, except the number of players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RuleOptions {
    /// Markers some opponent must have for a meeting.
    pub meeting_threshold: u8,
    /// With three players the middle one moves first.
    pub traditional_order: bool,
    /// A claim may be placed on the landing field.
    pub landing_marker: bool,
    /// Rotations are moves; `false` only for analysis.
    pub rotations: bool,
}

impl RuleOptions {
    /// Reads the values of the options; an option that was not declared has its default.
    pub(crate) fn new(rules: &OptionValues) -> Self {
        RuleOptions {
            meeting_threshold: if rules.text("MeetingThreshold") == "0" { 0 } else { 9 },
            traditional_order: rules.text("Order") == "traditional",
            landing_marker: rules.text("LandingMarker") != "false",
            rotations: rules.text("Rotations") != "false",
        }
    }

    /// The declarations.
    pub(super) fn specs() -> Vec<OptionSpec> {
        vec![
            OptionSpec::combo("Players", &["2", "3", "4"], "Number of players"),
            OptionSpec::combo(
                "MeetingThreshold",
                &["9", "0"],
                "Markers an opponent must have for a meeting: 9 in tournaments, 0 in the basic game",
            ),
            OptionSpec::combo(
                "Order",
                &["standard", "traditional"],
                "With three players, traditional lets the middle one (p3) begin",
            ),
            OptionSpec::check(
                "LandingMarker",
                true,
                "Whether a claim may be placed on the field just landed on",
            ),
            OptionSpec::check(
                "Rotations",
                true,
                "Whether rotations are moves; false only for analysis and perft",
            ),
        ]
    }

    /// The names and values, in declared order.
    pub(super) fn values(self, seats: usize) -> Vec<(&'static str, String)> {
        let order = if self.traditional_order { "traditional" } else { "standard" };
        vec![
            ("Players", seats.to_string()),
            ("MeetingThreshold", self.meeting_threshold.to_string()),
            ("Order", order.into()),
            ("LandingMarker", self.landing_marker.to_string()),
            ("Rotations", self.rotations.to_string()),
        ]
    }
}
