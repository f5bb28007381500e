//! Fitting the evaluation to recorded games of the engine against itself.

pub(super) mod record;
pub(super) mod train;
pub(super) mod tune;
