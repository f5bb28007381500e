//! The subcommands that only Por'rika has.

#[cfg(feature = "learning")]
use super::learn;
use super::{setups, solve};
use crate::games::Subcommand;

/// Every one of them.
#[must_use]
pub fn subcommands() -> Vec<Subcommand> {
    vec![
        solve::subcommand(),
        setups::subcommand(),
        #[cfg(feature = "learning")]
        learn::record(),
        #[cfg(feature = "learning")]
        learn::train(),
        #[cfg(feature = "learning")]
        learn::tune(),
    ]
}
