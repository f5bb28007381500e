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

    /// Forgets what there is beside the games that are open here.
    pub(super) fn forget(&self) {
        let texts = &mut *lock(&self.texts);
        texts.all.retain(|name, _| texts.here.contains(name));
        texts.elsewhere.clear();
    }

    /// Takes down a game that is not open here.
    pub(super) fn add(&self, name: &str, text: &str, elsewhere: bool) {
        let texts = &mut *lock(&self.texts);
        if texts.here.contains(name) || !is_name(name) || text.len() as u64 > MAX_TEXT {
            return;
        }
        if elsewhere {
            texts.elsewhere.insert(name.to_owned());
        }
        texts.all.insert(name.to_owned(), text.to_owned());
    }

    /// The text of a game is kept, if there is no error.
    pub(super) fn kept(&self, name: &str, error: &str) {
        let told = lock(&self.texts).waiting.remove(name);
        if let Some(told) = told {
            let failed = || Err(format!("the game is not saved: {error}"));
            told(if error.is_empty() { Ok(()) } else { failed() });
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
        self.page.tell("keep", name, "");
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
        self.page.tell("keep", &self.name, text.as_deref().unwrap_or_default());
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        lock(&self.texts).here.remove(&self.name);
        self.page.tell("release", &self.name, "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::board::household::Session;
    use crate::runner::tournament::record::line_of;

    /// Keeps what it is told.
    #[derive(Default)]
    struct Store(Mutex<Vec<String>>);

    impl Page for Store {
        fn session(&self, _: &str) -> Option<Session> {
            None
        }
        fn tell(&self, what: &str, name: &str, text: &str) {
            self.0.lock().unwrap().push(format!("{what} {name} {text}"));
        }
    }

    /// The text of a game that had its last move then.
    fn text(when: u64) -> String {
        let record = Record { start: "startpos".into(), ..Record::default() };
        let mut value = serde_json::to_value(record).unwrap();
        value["board"] = serde_json::json!({"menu": "barca", "title": "Barca", "throws": "auto",
            "chairs": [], "seating": [], "when": when});
        format!("{{}}\n{}", line_of(&value).unwrap())
    }

    #[test]
    fn a_game_that_is_open_in_another_tab_is_neither_listed_nor_taken() {
        let saved = Saved::new(Arc::new(Store::default()));
        for (name, when, elsewhere) in [("a-1", 10, false), ("b-1", 30, true), ("c-1", 20, false)] {
            saved.add(name, &text(when), elsewhere);
        }
        let listed = || saved.list().into_iter().map(|game| game.saved).collect::<Vec<_>>();
        assert_eq!(listed(), ["c-1", "a-1"]);
        let refused = |name: &str| saved.take(name).err().map(|error| error.to_string());
        assert_eq!(refused("b-1").as_deref(), Some("this game is open already"));
        let (taken, ..) = saved.take("a-1").unwrap();
        assert_eq!(listed(), ["c-1"]);
        assert_eq!(refused("a-1").as_deref(), Some("this game is open already"));
        drop(taken);
        assert_eq!(listed(), ["c-1", "a-1"]);
    }

    #[test]
    fn a_game_has_one_owner_and_is_told_how_keeping_it_went() {
        let store = Arc::new(Store::default());
        let saved = Saved::new(Arc::clone(&store) as Arc<dyn Page>);
        let place = saved.place("a-1").unwrap();
        let (tell, told) = std::sync::mpsc::channel();
        place.save(Some("text".into()), Box::new(move |result| tell.send(result).unwrap()));
        assert!(told.try_recv().is_err());
        saved.kept("a-1", "full");
        assert_eq!(told.recv().unwrap(), Err("the game is not saved: full".into()));
        // What is open here is not replaced by what lies there.
        let told = |elsewhere| {
            saved.forget();
            saved.add("a-1", "old", false);
            saved.add("b-1", "other", elsewhere);
        };
        told(true);
        let open = |name| saved.discard(name).unwrap_err().to_string();
        assert_eq!([open("a-1"), open("b-1")].map(|text| text.contains("open already")), [true; 2]);
        place.save(None, Box::new(|_| ()));
        told(false);
        saved.discard("b-1").unwrap();
        drop(place);
        saved.forget();
        assert!(saved.discard("a-1").is_err() && saved.place("../a").is_none());
        let log = ["keep a-1 text", "keep a-1 ", "keep b-1 ", "release a-1 "];
        assert_eq!(*store.0.lock().unwrap(), log);
    }
}
