//! Training evaluations: losses, features and schedules belong to the games.
//!
//! - [`samples`]: samples for training and for validation.
//! - [`adam`]: the step of the optimizer Adam. [`descent`]: minibatch gradient descent by it.
//! - [`linear`]: the fit of a weighted sum by it.
//! - [`parameters`]: the weights of a sparse network. [`trainer`] trains them: those of
//!   [`parlor::search::network`], and with the loss of [`seats`] those of
//!   [`parlor::search::seat_network`].
//! - [`policy`]: the weights and the loss of a [`parlor::search::policy_network`].
//! - [`course`]: the course of a training on recorded games, as its user sees it.

pub mod adam;
pub mod course;
pub mod descent;
pub mod linear;
pub mod parameters;
pub mod policy;
pub mod samples;
pub mod seats;
pub mod trainer;
