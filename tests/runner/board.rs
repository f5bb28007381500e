//! `parlor board` over its sockets, without a page.

mod client;
mod games;
