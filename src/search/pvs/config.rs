//! Which parts of the search are on, and their numbers.

/// Switches and numbers of the search. The defaults suit a game of many quiet moves; a game that
/// has measured better ones brings its own.
#[derive(Clone, PartialEq, Debug)]
pub struct PvsConfig {
    /// Search below the last full ply as the hints say.
    pub quiescence: bool,
    /// Ask the hints what is known of a position.
    pub known: bool,
    /// Search a position one ply deeper if its seat must answer a threat and has no more moves than
    /// this; 0 for no extensions.
    pub extensions: i32,
    /// Plies by which a null move is searched less deep; 0 for no null move.
    pub null_move: i32,
    /// Reduce late moves by `reduction_base + ln(depth) * ln(number) / reduction_divisor`, in
    /// hundredths; a divisor of 0 reduces nothing.
    pub reduction_base: i32,
    /// See `reduction_base`.
    pub reduction_divisor: i32,
    /// How many plies less a move is reduced that makes or answers a threat, or that the hints put
    /// above stage 0.
    pub reduction_forcing: i32,
    /// How much history is worth one ply of reduction; 0 for no influence.
    pub reduction_history: i32,
    /// Down from this depth, late quiet moves are left out once
    /// `late_moves + depth * depth * late_moves_slope / 4` were searched; 0 leaves nothing out.
    pub late_move_depth: i32,
    /// See `late_move_depth`.
    pub late_moves: i32,
    /// See `late_move_depth`.
    pub late_moves_slope: i32,
    /// Moves up to this stage are left out or thought futile.
    pub prune_stage: i32,
    /// Hundredths of a unit a ply by which a quiet move is thought to lift the evaluation at most;
    /// 0 for no such pruning.
    pub futility: i32,
    /// Down from this depth, `futility` is used.
    pub futility_depth: i32,
    /// Hundredths of a unit a ply by which the evaluation must exceed beta to be believed; 0 never.
    pub reverse_futility: i32,
    /// Down from this depth, `reverse_futility` is used.
    pub reverse_futility_depth: i32,
    /// From this depth on, a position without a known best move is searched one ply less; 0 never.
    pub reduce_unknown: i32,
    /// Half the width of the first window around the last value; 0 for an open window.
    pub aspiration: i32,
    /// A second occurrence on the line is as good as a third; else only what the rules say.
    pub second_occurrence: bool,
    /// Table values of greater depth serve too; else only those of the same depth, on lines that
    /// have repeated nothing.
    pub deeper_entries: bool,
}

impl Default for PvsConfig {
    fn default() -> Self {
        PvsConfig {
            quiescence: true,
            known: true,
            extensions: 2,
            null_move: 3,
            reduction_base: 50,
            reduction_divisor: 200,
            reduction_forcing: 2,
            reduction_history: 8_000,
            late_move_depth: 6,
            late_moves: 6,
            late_moves_slope: 4,
            prune_stage: 0,
            futility: 60,
            futility_depth: 5,
            reverse_futility: 60,
            reverse_futility_depth: 6,
            reduce_unknown: 5,
            aspiration: 25,
            second_occurrence: true,
            deeper_entries: true,
        }
    }
}

impl PvsConfig {
    /// Every move of every position to the same depth, as plain alpha-beta does, with the table
    /// and the order of moves for speed alone.
    pub fn full_width() -> Self {
        PvsConfig {
            quiescence: false,
            known: false,
            extensions: 0,
            null_move: 0,
            reduction_divisor: 0,
            late_move_depth: 0,
            futility: 0,
            reverse_futility: 0,
            reduce_unknown: 0,
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
        fields!(quiescence known second_occurrence deeper_entries;
            extensions null_move reduction_base reduction_divisor reduction_forcing
            reduction_history late_move_depth late_moves late_moves_slope prune_stage futility
            futility_depth reverse_futility reverse_futility_depth reduce_unknown aspiration);
        true
    }
}
