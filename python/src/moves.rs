//! The legal moves of a position as a Python sequence.

use parlor::engine::in_progress::LegalMoves;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice};

/// The legal tokens of a position: a list that cannot be changed. A token is made when it is asked for.
#[pyclass(sequence, frozen, module = "parlor")]
pub(crate) struct Moves {
    list: Box<dyn LegalMoves>,
}

impl Moves {
    pub(crate) fn new(list: Box<dyn LegalMoves>) -> Self {
        Moves { list }
    }

    fn all<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.list.tokens())
    }
}

#[pymethods]
impl Moves {
    fn __len__(&self) -> usize {
        self.list.count()
    }

    fn __getitem__<'py>(&self, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = at.py();
        if at.is_instance_of::<PySlice>() {
            return self.all(py)?.as_any().get_item(at);
        }
        let index: isize = at.extract()?;
        let from_end = if index < 0 { self.list.count() as isize } else { 0 };
        let token = usize::try_from(index + from_end).ok().and_then(|index| self.list.token(index));
        match token {
            Some(token) => Ok(token.into_pyobject(py)?.into_any()),
            None => Err(PyIndexError::new_err("there are not so many moves")),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.all(py)?.try_iter()?.into_any())
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.all(py)?.call_method0("__reversed__")
    }

    fn __contains__(&self, token: &Bound<'_, PyAny>) -> bool {
        token.extract::<String>().is_ok_and(|token| self.list.contains(&token))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let other = match other.cast::<Moves>() {
            Ok(other) => other.get().all(py)?.into_any(),
            Err(_) => other.clone(),
        };
        if !other.is_instance_of::<PyList>() {
            return Ok(py.NotImplemented());
        }
        let equal = self.list.count() == other.len()? && self.all(py)?.as_any().eq(other)?;
        Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        self.all(py)?.as_any().add(other.try_iter()?.collect::<PyResult<Vec<_>>>()?)
    }

    fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        other.add(self.all(other.py())?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.all(py)?.repr()?.extract()
    }

    /// A list is kept of it.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyList>,))> {
        Ok((py.get_type::<PyList>().into_any(), (self.all(py)?,)))
    }

    /// The index of a token.
    fn index(&self, token: &str) -> PyResult<usize> {
        let at = self.list.tokens().iter().position(|other| other == token);
        at.ok_or_else(|| PyValueError::new_err(format!("'{token}' is not in the list")))
    }

    /// How often a token is in it.
    fn count(&self, token: &Bound<'_, PyAny>) -> usize {
        usize::from(self.__contains__(token))
    }
}
