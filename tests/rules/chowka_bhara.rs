//! Rules of chowka_bhara.
