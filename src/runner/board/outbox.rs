//! What is sent to a page.

use std::sync::Arc;

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
        // By way of a value, so that the members are sorted.
        let value = serde_json::to_value(message).map(|mut value| {
            if let (Some(id), Some(members)) = (id, value.as_object_mut()) {
                members.insert("id".to_owned(), id.into());
            }
            value.to_string()
        });
        match value {
            Ok(text) => (self.0)(text),
            Err(error) => log::error!("a message cannot be written: {error}"),
        }
    }
}
