//! What is sent to a page.

use std::sync::Arc;

use serde::Serialize;

use super::outgoing::Outgoing;

/// Sends messages to one page; any thread may have it.
#[derive(Clone)]
pub(super) struct Outbox(Arc<dyn Fn(String) + Send + Sync>);

impl Outbox {
    /// `post` takes the text of each message. A page that is gone is no error.
    pub(super) fn new(post: impl Fn(String) + Send + Sync + 'static) -> Self {
        Outbox(Arc::new(post))
    }

    /// Sends one message.
    pub(super) fn send(&self, message: &Outgoing) {
        self.answer(None, message);
    }

    /// Sends the answer to the message with that number.
    pub(super) fn answer(&self, id: Option<u64>, message: &Outgoing) {
        #[derive(Serialize)]
        struct Numbered<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            id: Option<u64>,
            #[serde(flatten)]
            message: &'a Outgoing,
        }
        // By way of a value, so that the members are sorted.
        match serde_json::to_value(Numbered { id, message }) {
            Ok(value) => (self.0)(value.to_string()),
            Err(error) => log::error!("a message cannot be written: {error}"),
        }
    }
}
