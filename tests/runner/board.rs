//! `parlor board` over its sockets, without a page.

mod attacks;
mod client;
mod games;
mod looking;
mod owners;
mod robustness;
mod secrets;
