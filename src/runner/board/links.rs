//! The tokens of links: each leads to a chair of a game, or to where its spectators stand.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Who comes by a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Guest {
    /// The person of a chair.
    Chair(usize),
    /// Somebody who looks on.
    Spectator,
}

/// Where a token leads.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) game: String,
    pub(super) guest: Guest,
}

/// The tokens of all links.
#[derive(Default)]
pub(super) struct Links(Mutex<BTreeMap<String, Link>>);

impl Links {
    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Link>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A token leads somewhere; the old one of that place does not any more.
    pub(super) fn set(&self, game: &str, guest: Guest, token: Option<&str>) {
        let mut all = self.all();
        all.retain(|_, link| link.game != game || link.guest != guest);
        if let Some(token) = token {
            all.insert(token.to_owned(), Link { game: game.to_owned(), guest });
        }
    }

    /// No token leads to a game any more.
    pub(super) fn remove_game(&self, game: &str) {
        self.all().retain(|_, link| link.game != game);
    }

    /// Every token is compared as a whole.
    pub(super) fn find(&self, token: &str) -> Option<Link> {
        let all = self.all();
        all.iter().find(|(known, _)| equal(token, known)).map(|(_, link)| link.clone())
    }
}

/// Compares without telling by its time how much was right.
pub(super) fn equal(given: &str, known: &str) -> bool {
    let (given, known) = (given.as_bytes(), known.as_bytes());
    let differs = given.iter().zip(known).fold(0, |sum, (a, b)| sum | (a ^ b));
    given.len() == known.len() && differs == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_leads_to_one_place_of_one_game() {
        let links = Links::default();
        let (chair, watch) = (Guest::Chair(0), Guest::Spectator);
        links.set("g1", chair, Some("a"));
        links.set("g1", watch, Some("b"));
        links.set("g2", chair, Some("c"));
        let find = |token: &str| links.find(token).map(|link| (link.game, link.guest));
        let (first, second) = ("g1".to_owned(), "g2".to_owned());
        assert_eq!(
            ["a", "b", "c"].map(find),
            [(first.clone(), chair), (first.clone(), watch), (second.clone(), chair)].map(Some)
        );
        assert_eq!(["", "aa"].map(find), [None, None]);
        links.set("g1", chair, Some("d"));
        assert_eq!(["a", "d"].map(find), [None, Some((first, chair))]);
        links.remove_game("g1");
        assert_eq!(["b", "c", "d"].map(find), [None, Some((second, chair)), None]);
    }
}
