//! Chowka bhara.
