//! Refusals as exceptions. All are `ParlorError`, a `ValueError`, and carry the engine's reason.

use std::panic::{AssertUnwindSafe, catch_unwind};

use parlor::protocol::{Code, ProtocolError};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(parlor, ParlorError, PyValueError, "What Parlor refuses, with the reason.");
create_exception!(parlor, BadPosition, ParlorError, "The text of a position is wrong.");
create_exception!(parlor, BadMove, ParlorError, "A token is malformed.");
create_exception!(parlor, IllegalMove, ParlorError, "The rules forbid the move.");
create_exception!(parlor, GameOver, ParlorError, "The game is over.");
create_exception!(parlor, BadOption, ParlorError, "There is no such option, or no such value.");
create_exception!(parlor, BadValue, ParlorError, "An argument takes no such value.");
create_exception!(parlor, NotToAct, ParlorError, "Another seat decides, or nothing is thrown.");

/// A refusal as its exception.
pub(crate) fn refusal(error: ProtocolError) -> PyErr {
    let new = match error.code {
        Code::BadPosition => BadPosition::new_err,
        Code::BadMove => BadMove::new_err,
        Code::IllegalMove => IllegalMove::new_err,
        Code::GameOver => GameOver::new_err,
        Code::BadOption => BadOption::new_err,
        Code::BadValue | Code::BadNumber => BadValue::new_err,
        Code::NotToAct => NotToAct::new_err,
        _ => ParlorError::new_err,
    };
    new(error.text)
}

/// Work of the library: a panic in it is a `RuntimeError`.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|_| PyRuntimeError::new_err("a fault of Parlor itself; its message is above"))
}
