//! The subcommands that only Pacru has.

use crate::games::Subcommand;

/// All of them, in the order of `help`.
#[must_use]
pub fn subcommands() -> Vec<Subcommand> {
    vec![
        #[cfg(feature = "learning")]
        super::learn::record::subcommand(),
        #[cfg(feature = "learning")]
        super::learn::tune::subcommand(),
        #[cfg(feature = "learning")]
        super::learn::train::subcommand(),
    ]
}
