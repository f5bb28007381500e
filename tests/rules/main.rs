//! The rules of every game, proved: vectors, slow references, properties.

mod barbarossa;
mod barbarossa_knowledge;
mod barca;
mod chowka_bhara;
mod pacru;
mod porrika;
mod properties;
