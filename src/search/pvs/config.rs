//! Which parts of the search are switched on, and their parameters.

/// Switches and parameters of the search. The defaults suit a game of many quiet moves; a game can
/// supply its own.
#[derive(Clone, PartialEq, Debug)]
pub struct PvsConfig {
    /// Quiescence search below the last full ply, as the hints say.
    pub quiescence: bool,
    /// Use the values that the hints know without search ([`SearchHints::known_value`]).
    ///
    /// [`SearchHints::known_value`]: crate::search::SearchHints::known_value
    pub known_values: bool,
    /// Search a position one ply deeper if its seat must answer a threat and has at most this many
    /// moves; 0 for no extensions.
    pub extensions: i32,
    /// Null move pruning: plies by which the search after a null move is reduced; 0 for none.
    pub null_move: i32,
    /// Late move reductions: `reduction_base + ln(depth) * ln(number) / reduction_divisor`, in
    /// hundredths of a ply; a divisor of 0 for none.
    pub reduction_base: i32,
    /// See `reduction_base`.
    pub reduction_divisor: i32,
    /// How many plies less a move is reduced that is noisy, or that makes or answers a threat.
    pub reduction_noisy: i32,
    /// How much history score lowers the reduction by one ply; 0 for no influence.
    pub reduction_history: i32,
    /// Late move pruning, up to this depth: quiet moves are left out once
    /// `late_move_pruning_base + depth * depth * late_move_pruning_slope / 4` moves were searched;
    /// 0 for none.
    pub late_move_pruning_depth: i32,
    /// See `late_move_pruning_depth`.
    pub late_move_pruning_base: i32,
    /// See `late_move_pruning_depth`.
    pub late_move_pruning_slope: i32,
    /// Late move pruning and futility pruning leave out moves up to this priority only
    /// ([`MoveHint::priority`](crate::search::MoveHint::priority)).
    pub prune_priority: i32,
    /// Futility pruning: a quiet move is assumed to raise the evaluation by at most this many
    /// hundredths of a unit a ply; 0 for none.
    pub futility: i32,
    /// The greatest depth of futility pruning.
    pub futility_depth: i32,
    /// Reverse futility pruning: a node is cut off if its evaluation exceeds beta by this many
    /// hundredths of a unit a ply; 0 for none.
    pub reverse_futility: i32,
    /// The greatest depth of reverse futility pruning.
    pub reverse_futility_depth: i32,
    /// Internal iterative reduction: from this depth on, a position without a move from the
    /// transposition table is searched one ply less deep; 0 for none.
    pub internal_iterative_reduction: i32,
    /// Noisy moves that caused cutoffs are searched before other noisy moves.
    pub noisy_history: bool,
    /// The least depth at which a move of the table is tested for being the only good one and then
    /// searched one ply deeper; 0 for never.
    pub singular: i32,
    /// See `singular`: how much worse the other moves must be, in hundredths for each ply of depth.
    pub singular_margin: i32,
    /// Where the evaluation has not risen since the last turn of the seat, fewer late moves are
    /// searched and reductions are greater; where it has, reverse futility pruning needs a ply less.
    pub improving: bool,
    /// History scores by the move before, too.
    pub continuation: bool,
    /// Variants of a move ([`SearchHints::variant`](crate::search::SearchHints::variant)) are left out
    /// up to this depth once `variant_base + depth * variant_slope / 4` of them were searched, or one
    /// stayed below alpha by `variant_margin` hundredths of a unit a ply; 0 for never.
    pub variant_depth: i32,
    /// See `variant_depth`.
    pub variant_base: i32,
    /// See `variant_depth`.
    pub variant_slope: i32,
    /// See `variant_depth`.
    pub variant_margin: i32,
    /// By how many hundredths of a ply a variant is reduced for each of up to three before it.
    pub variant_reduction: i32,
    /// Half the width of the first aspiration window around the last value; 0 for a full window.
    pub aspiration: i32,
    /// A second occurrence on the searched line already counts as a draw, like the third of the
    /// rules.
    pub second_occurrence: bool,
    /// Values of the table from a greater depth are used too; else only those of the same depth, on
    /// lines without a repeated position.
    pub deeper_entries: bool,
}

impl Default for PvsConfig {
    fn default() -> Self {
        PvsConfig {
            quiescence: true,
            known_values: true,
            extensions: 2,
            null_move: 3,
            reduction_base: 50,
            reduction_divisor: 200,
            reduction_noisy: 2,
            reduction_history: 8_000,
            late_move_pruning_depth: 6,
            late_move_pruning_base: 6,
            late_move_pruning_slope: 4,
            prune_priority: 0,
            futility: 60,
            futility_depth: 5,
            reverse_futility: 60,
            reverse_futility_depth: 6,
            internal_iterative_reduction: 5,
            noisy_history: false,
            singular: 0,
            singular_margin: 2,
            aspiration: 25,
            improving: false,
            continuation: false,
            variant_depth: 0,
            variant_base: 1,
            variant_slope: 2,
            variant_margin: 20,
            variant_reduction: 0,
            second_occurrence: true,
            deeper_entries: true,
        }
    }
}

impl PvsConfig {
    /// Every move of every position to the same depth, as plain alpha-beta does; the table and the
    /// order of moves serve speed alone.
    #[must_use]
    pub fn full_width() -> Self {
        PvsConfig {
            quiescence: false,
            known_values: false,
            extensions: 0,
            null_move: 0,
            reduction_divisor: 0,
            late_move_pruning_depth: 0,
            futility: 0,
            reverse_futility: 0,
            internal_iterative_reduction: 0,
            variant_depth: 0,
            second_occurrence: false,
            deeper_entries: false,
            ..PvsConfig::default()
        }
    }

    /// Sets a number by the name of its field; switches take 0 and 1. `false` if there is no such
    /// field.
    pub fn set(&mut self, name: &str, value: i32) -> bool {
        macro_rules! fields {
            ($($switch:ident)*; $($number:ident)*) => {
                match name {
                    $(stringify!($switch) => self.$switch = value != 0,)*
                    $(stringify!($number) => self.$number = value,)*
                    _ => return false,
                }
            };
        }
        fields!(noisy_history improving continuation quiescence known_values second_occurrence deeper_entries;
            extensions null_move reduction_base reduction_divisor reduction_noisy
            reduction_history late_move_pruning_depth late_move_pruning_base late_move_pruning_slope prune_priority futility
            futility_depth reverse_futility reverse_futility_depth internal_iterative_reduction aspiration
            singular singular_margin variant_depth variant_base variant_slope variant_margin
            variant_reduction);
        true
    }
}
