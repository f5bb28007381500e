//! Tests of the runner.
