//! Lines that are always the same.

/// What stands before [`NO_MOVE`] where nothing can be searched.
pub(crate) const EMPTY_INFO: &str = "info depth 0 score cp 0 nodes 0 time 0 nps 0";

/// The answer to `go` where nothing can be searched.
pub(crate) const NO_MOVE: &str = "bestmove 0000";
