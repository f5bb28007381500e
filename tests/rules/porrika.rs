//! Rules of porrika.
