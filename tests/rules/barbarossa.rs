//! Rules of barbarossa.
