//! Position keys: a hash of the objects kept incrementally, mixed with the rest.

use std::hash::{Hash, Hasher};

use super::mixer::Mixer;
use super::moves::Secret;
use super::options::DEALT;
use super::position::{Arrow, GivenLetter, Object, Position, SeatState};
use super::words::{Question, Word};
use crate::game::Seat;
use crate::games::barbarossa::knowledge::{Answer, PredicateId, WordId};

impl Position {
    /// The key of everything that can affect the rest of the game.
    pub(super) fn position_key(&self, evidence: u64) -> u64 {
        let mut key = Mixer(self.rules_key);
        key.add(evidence);
        key.add(self.viewer.map_or(9, |seat| seat.index() as u64));
        key.add(u64::from(self.judge.unwrap_or(0)) | (self.judge.is_some() as u64) << 32);
        key.add(self.phase as u64 | self.flow_bits() << 8);
        for seat in &self.seats[..self.rules.seats] {
            let SeatState { pawn, score, jewels, curses } = *seat;
            key.add(u64::from(u32::from_le_bytes([pawn, score, jewels, curses])));
        }
        key.add(u64::from(self.blob.map_or(255, |at| at)));
        key.add(hash_of(&self.pending));
        key.add(hash_of(&self.curse));
        key.add(hash_of(&self.ending));
        key.0
    }

    fn flow_bits(&self) -> u64 {
        let seat = |seat: Option<Seat>| seat.map_or(7, |seat| seat.index() as u64);
        let window = self.window.map_or(127, |w| w.seat.index() as u64 | u64::from(w.passes) << 3);
        seat(self.first)
            | seat(self.turn) << 3
            | u64::from(self.again) << 6
            | u64::from(self.asked) << 7
            | u64::from(self.noes) << 15
            | window << 23
    }

    /// Adds an item to the hash of the objects, or removes it.
    pub(super) fn toggle(&mut self, item: &impl Hash) {
        self.evidence ^= hash_of(item);
    }

    /// The hash of the objects, computed afresh.
    pub(crate) fn fresh_evidence(&self) -> u64 {
        let mut evidence = 0;
        for (index, object) in self.objects.iter().enumerate() {
            for item in object.evidence(index as u8) {
                evidence ^= hash_of(&item);
            }
        }
        evidence
    }
}

/// One fact about an object, as the key hashes it.
#[derive(Hash)]
pub(super) enum Evidence {
    Dealt(u8, Secret<[WordId; DEALT]>),
    Word(u8, Secret<Word>),
    Shown(u8, PredicateId),
    Answer(u8, usize, Question, Answer),
    Letter(u8, usize, GivenLetter),
    Wrong(u8, usize, Seat, Secret<Word>),
    Arrow(u8, usize, Arrow),
}

impl Object {
    fn evidence(&self, index: u8) -> impl Iterator<Item = Evidence> {
        let dealt = self.dealt.into_iter().map(move |dealt| Evidence::Dealt(index, dealt));
        let word = self.word.into_iter().map(move |word| Evidence::Word(index, word));
        let shown = self.shown.iter().map(move |shown| Evidence::Shown(index, *shown));
        let answers = self.answers.iter().enumerate();
        let answers = answers.map(move |(n, (q, a))| Evidence::Answer(index, n, q.clone(), *a));
        let letters = self.letters.iter().enumerate();
        let letters = letters.map(move |(n, letter)| Evidence::Letter(index, n, *letter));
        let wrong = self.wrong.iter().enumerate();
        let wrong = wrong.map(move |(n, (seat, word))| Evidence::Wrong(index, n, *seat, *word));
        let arrows = self.arrows.iter().enumerate();
        let arrows = arrows.map(move |(n, arrow)| Evidence::Arrow(index, n, *arrow));
        dealt.chain(word).chain(shown).chain(answers).chain(letters).chain(wrong).chain(arrows)
    }
}

fn hash_of(item: &impl Hash) -> u64 {
    let mut mixer = Mixer(0xBA5B_A505);
    item.hash(&mut mixer);
    mixer.finish()
}
