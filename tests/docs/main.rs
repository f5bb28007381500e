//! What the documents promise, held against the tree.

mod architecture;
mod dependencies;
mod paths;
mod pictures;
