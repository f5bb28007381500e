//! Barbarossa.
