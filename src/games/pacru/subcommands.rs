//! The subcommands that only Pacru has.

mod playouts;

use crate::games::Subcommand;

/// All of them, in the order of `help`.
pub(super) fn list() -> Vec<Subcommand> {
    vec![
        playouts::subcommand(),
        #[cfg(feature = "learning")]
        super::learn::record::subcommand(),
        #[cfg(feature = "learning")]
        super::learn::tune::subcommand(),
        #[cfg(feature = "learning")]
        super::learn::train::subcommand(),
    ]
}
