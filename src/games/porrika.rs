//! Por'rika.
