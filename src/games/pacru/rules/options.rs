//! The rule options.

use crate::game::{Check, Combo, OptionSpec, OptionValues, splitmix64};

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

pub(super) const PLAYERS: Combo<usize> =
    Combo::new("Players", &[("2", 2), ("3", 3), ("4", 4)], "Number of players");
const MEETING_THRESHOLD: Combo<u8> = Combo::new(
    "MeetingThreshold",
    &[("9", 9), ("0", 0)],
    "Markers an opponent must have for a meeting: 9 in tournaments, 0 in the basic game",
);
const ORDER: Combo<bool> = Combo::new(
    "Order",
    &[("standard", false), ("traditional", true)],
    "With three players, traditional lets the middle one (p3) begin",
);
const LANDING_MARKER: Check =
    Check::new("LandingMarker", true, "Whether a claim may be placed on the field just landed on");
const ROTATIONS: Check =
    Check::new("Rotations", true, "Whether rotations are moves; false only for analysis and perft");

impl RuleOptions {
    /// Reads the values of the options.
    pub(crate) fn new(rules: &OptionValues) -> Self {
        RuleOptions {
            meeting_threshold: MEETING_THRESHOLD.get(rules),
            traditional_order: ORDER.get(rules),
            landing_marker: LANDING_MARKER.get(rules),
            rotations: ROTATIONS.get(rules),
        }
    }

    /// What the options that change how the game can go on add to a key; the order of the start does
    /// not.
    pub(crate) const fn key(self, seats: usize) -> u64 {
        let flags = (self.landing_marker as u64) << 8 | (self.rotations as u64) << 9;
        let code = self.meeting_threshold as u64 | flags | (seats as u64) << 10;
        splitmix64(0x7061_6372_7503_0000 + code)
    }

    /// The declarations.
    pub(super) fn specs() -> Vec<OptionSpec> {
        vec![
            PLAYERS.spec(),
            MEETING_THRESHOLD.spec(),
            ORDER.spec(),
            LANDING_MARKER.spec(),
            ROTATIONS.spec(),
        ]
    }

    /// The names and values, in declared order.
    pub(super) fn values(self, seats: usize) -> Vec<(&'static str, String)> {
        vec![
            PLAYERS.with(seats),
            MEETING_THRESHOLD.with(self.meeting_threshold),
            ORDER.with(self.traditional_order),
            LANDING_MARKER.with(self.landing_marker),
            ROTATIONS.with(self.rotations),
        ]
    }
}
