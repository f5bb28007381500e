//! Unfinished games of a household: their texts lie with whoever has the page, and are known here.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};

use super::Page;
use crate::runner::board::saved_games::{
    MAX_LISTED, MAX_TEXT, Place, SavedGame, SavedGames, Told, is_name, read_saved,
};
use crate::runner::tournament::record::Record;

/// What is known of the texts.
pub(super) struct Saved {
    page: Arc<dyn Page>,
    texts: Arc<Mutex<Texts>>,
}

#[derive(Default)]
struct Texts {
    /// Each text by the name of its game.
    all: BTreeMap<String, String>,
    /// The games that are open elsewhere.
    elsewhere: BTreeSet<String>,
    /// The games that are open here.
    here: BTreeSet<String>,
    /// Who waits to hear whether a game could be kept.
    waiting: BTreeMap<String, Told>,
}

impl Texts {
    fn is_open(&self, name: &str) -> bool {
        self.here.contains(name) || self.elsewhere.contains(name)
    }
}

fn lock(texts: &Mutex<Texts>) -> MutexGuard<'_, Texts> {
    texts.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Saved {
    pub(super) fn new(page: Arc<dyn Page>) -> Self {
        Saved { page, texts: Arc::default() }
    }

    /// Takes down what there is beside the games that are open here.
    pub(super) fn set(&self, games: Vec<(String, String, bool)>) {
        let texts = &mut *lock(&self.texts);
        texts.all.retain(|name, _| texts.here.contains(name));
        texts.elsewhere.clear();
        for (name, text, elsewhere) in games {
            if texts.here.contains(&name) || !is_name(&name) || text.len() as u64 > MAX_TEXT {
                continue;
            }
            if elsewhere {
                texts.elsewhere.insert(name.clone());
            }
            texts.all.insert(name, text);
        }
    }

    pub(super) fn kept(&self, name: &str, result: Result<(), String>) {
        let told = lock(&self.texts).waiting.remove(name);
        if let Some(told) = told {
            told(result.map_err(|error| format!("the game is not saved: {error}")));
        }
    }

    fn open(&self, name: &str) -> Arc<dyn Place> {
        lock(&self.texts).here.insert(name.to_owned());
        let (page, texts) = (Arc::clone(&self.page), Arc::clone(&self.texts));
        Arc::new(Shelf { name: name.to_owned(), page, texts })
    }
}

impl SavedGames for Saved {
    fn closed(&self) -> Vec<(String, Record, SavedGame)> {
        let texts = lock(&self.texts);
        let closed = texts.all.iter().filter(|(name, _)| !texts.is_open(name)).take(MAX_LISTED);
        let read = closed.filter_map(|(name, text)| {
            let (record, saved) = read_saved(text).ok()?;
            Some((name.clone(), record, saved))
        });
        read.collect()
    }

    fn take(&self, name: &str) -> Result<(Arc<dyn Place>, Record, SavedGame)> {
        let (record, saved) = {
            let texts = lock(&self.texts);
            let text = texts.all.get(name).context("there is no such saved game")?;
            ensure!(!texts.is_open(name), "this game is open already");
            read_saved(text)?
        };
        Ok((self.open(name), record, saved))
    }

    fn discard(&self, name: &str) -> Result<()> {
        let mut texts = lock(&self.texts);
        ensure!(!texts.is_open(name), "this game is open already");
        texts.all.remove(name).context("there is no such saved game")?;
        self.page.keep(name, None);
        Ok(())
    }

    fn place(&self, name: &str) -> Option<Arc<dyn Place>> {
        is_name(name).then(|| self.open(name))
    }
}

/// The place of an open game.
struct Shelf {
    name: String,
    page: Arc<dyn Page>,
    texts: Arc<Mutex<Texts>>,
}

impl Place for Shelf {
    fn save(&self, text: Option<String>, told: Told) {
        if text.as_ref().is_some_and(|text| text.len() as u64 > MAX_TEXT) {
            return told(Err(format!("the game takes more than {} MiB", MAX_TEXT >> 20)));
        }
        {
            let texts = &mut *lock(&self.texts);
            if text.is_none() && !texts.all.contains_key(&self.name) {
                return;
            }
            texts.waiting.insert(self.name.clone(), told);
            match &text {
                Some(text) => drop(texts.all.insert(self.name.clone(), text.clone())),
                None => drop(texts.all.remove(&self.name)),
            }
        }
        self.page.keep(&self.name, text.as_deref());
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        lock(&self.texts).here.remove(&self.name);
        self.page.release(&self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::board::household::Session;

    /// Keeps what it is told.
    #[derive(Default)]
    struct Store(Mutex<Vec<String>>);

    impl Page for Store {
        fn session(&self, _: &str) -> Option<Session> {
            None
        }
        fn start(&self, _: u64, _: &str) {}
        fn tell(&self, _: u64, _: &str) {}
        fn end(&self, _: u64) {}
        fn send(&self, _: u64, _: &str) {}
        fn keep(&self, name: &str, text: Option<&str>) {
            self.0.lock().unwrap().push(format!("{name} {text:?}"));
        }
        fn release(&self, name: &str) {
            self.0.lock().unwrap().push(format!("{name} is free"));
        }
    }

    #[test]
    fn a_game_has_one_owner_and_is_told_how_keeping_it_went() {
        let store = Arc::new(Store::default());
        let saved = Saved::new(Arc::clone(&store) as Arc<dyn Page>);
        let place = saved.place("a-1").unwrap();
        let (tell, told) = std::sync::mpsc::channel();
        place.save(Some("text".into()), Box::new(move |result| tell.send(result).unwrap()));
        assert!(told.try_recv().is_err());
        saved.kept("a-1", Err("full".into()));
        assert_eq!(told.recv().unwrap(), Err("the game is not saved: full".into()));
        // What is open here is not replaced by what lies there.
        saved.set(vec![("a-1".into(), "old".into(), false), ("b-1".into(), "other".into(), true)]);
        let open = |name| saved.discard(name).unwrap_err().to_string();
        assert_eq!([open("a-1"), open("b-1")].map(|text| text.contains("open already")), [true; 2]);
        place.save(None, Box::new(|_| ()));
        drop(place);
        saved.set(vec![("b-1".into(), "other".into(), false)]);
        saved.discard("b-1").unwrap();
        assert!(saved.discard("a-1").is_err() && saved.place("../a").is_none());
        let log = ["a-1 Some(\"text\")", "a-1 None", "a-1 is free", "b-1 None"];
        assert_eq!(*store.0.lock().unwrap(), log);
    }
}
