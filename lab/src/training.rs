//! Training evaluations: losses, features and schedules belong to the games.
//!
//! - [`samples`]: samples for training and for validation.
//! - [`adam`]: the step of the optimizer Adam. [`descent`]: minibatch gradient descent by it.
//! - [`linear`]: the fit of a weighted sum by it.
//! - [`parameters`]: the weights of a sparse network. [`trainer`] trains those of
//!   [`parlor::search::network`], [`seat_trainer`] those of [`parlor::search::seat_network`].
//! - [`course`]: the course of a training, as its user sees it.

pub mod adam;
pub mod course;
pub mod descent;
pub mod linear;
pub mod parameters;
pub mod samples;
pub mod seat_trainer;
pub mod trainer;
