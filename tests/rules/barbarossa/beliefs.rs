//! Beliefs against plain Bayes, and what sculptures tell of their makers.

use parlor::game::{Game, Hidden, Notation, Random, Rules, Seat, Situation, Turn};
use parlor::games::Playable;
use parlor::games::barbarossa::knowledge::lexicon::{Lexicon, Named};
use parlor::games::barbarossa::knowledge::word_list::{self, WordList};
use parlor::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId};
use parlor::games::barbarossa::play::{Beliefs, ObjectBelief, Reliability};
use parlor::games::barbarossa::{
    Gift, Move, Object, ObjectName, Phase, Position, Question, Secret, Word,
};
use parlor::search::{Limits, Request, Settings};

use super::driver::{choose, core_options, extent, options};

/// Weights by multiplying probabilities, word by word, from the definition alone, for makers of whom
/// nothing is known.
fn by_hand(object: &Object, seat: Seat, reliability: &Reliability, excluded: &[Word]) -> Vec<f64> {
    let knowledge = Knowledge::shipped();
    let weigh = |word| {
        let listed = Word::Listed(word);
        if excluded.contains(&listed) {
            return 0.0;
        }
        let mut weight = 1.0;
        // Each feature is drawn from those that the word could show: half of all makers seldom take
        // one that is only possibly true, the others take all alike.
        let visible = || knowledge.vocabulary().filter(|id| knowledge.is_clay_visible(*id));
        let count = |answer| visible().filter(|id| knowledge.answer(word, *id) == answer).count();
        let (sure, possible) = (count(Answer::Yes) as f64, count(Answer::Possibly) as f64);
        let (mut seldom, mut alike) = (1.0, 1.0);
        for shown in &object.shown {
            let weight = match knowledge.answer(word, *shown) {
                Answer::Yes => [1.0, 1.0],
                Answer::Possibly => [(-1.6_f64).exp(), 1.0],
                _ => [(-12.0_f64).exp(); 2],
            };
            seldom *= weight[0] / sure.max(1.0);
            alike *= weight[1] / (sure + possible).max(1.0);
        }
        weight *= (seldom + alike) / 2.0;
        for (question, answer) in &object.answers {
            if let Some(predicate) = question.predicate() {
                let cell = knowledge.answer(word, predicate) as usize;
                weight *= reliability.about(predicate).of_answer(cell, *answer);
            }
        }
        let mut left: Vec<u8> = knowledge.word(word).bytes().collect();
        for letter in object.letters.iter().filter(|letter| letter.asker == seat) {
            let Secret::Known(gift) = letter.gift else {
                continue;
            };
            let all: Vec<u8> = knowledge.word(word).bytes().collect();
            let fits = match (letter.place, gift) {
                (Some(place), Gift::Letter(letter)) => {
                    all.get(usize::from(place) - 1) == Some(&letter)
                }
                (Some(place), Gift::Nothing) => usize::from(place) > all.len(),
                (None, Gift::Nothing) => left.is_empty(),
                (None, Gift::Letter(letter)) => {
                    let mut kinds = left.clone();
                    kinds.sort_unstable();
                    kinds.dedup();
                    match left.iter().position(|other| *other == letter) {
                        Some(at) => {
                            weight /= kinds.len() as f64;
                            left.remove(at);
                            true
                        }
                        None => false,
                    }
                }
            };
            if !fits {
                weight *= (-12.0_f64).exp();
            }
        }
        let wrong = |(guesser, guess): &(Seat, Secret<Word>)| {
            *guesser == seat && guess.known().and_then(|guess| guess.id()) == Some(word)
        };
        if object.wrong.iter().any(wrong) { 0.0 } else { weight }
    };
    knowledge.words().map(weigh).collect()
}

#[test]
fn beliefs_are_what_bayes_says() {
    let (mut compared, mut guessed) = (0, 0);
    for seed in 0..12 {
        let mut random = Random::new(500 + seed);
        let options = core_options(["3", "4", "duel"][seed as usize % 3], &mut random);
        let mut full = Position::start(&options, None).unwrap();
        let seat = Seat::new(random.below(2) as usize);
        let mut beliefs = Beliefs::default();
        let mut of_players = Beliefs::with_players();
        while let Some(m) = choose(&full, &mut random) {
            full.play(&m);
            if random.below(60) != 0 || full.phase() < Phase::Start {
                continue;
            }
            let view = full.view(seat);
            // The belief that grows with the game, and one made afresh.
            beliefs.update(&view, seat);
            let mut fresh = Beliefs::default();
            fresh.update(&view, seat);
            of_players.update(&view, seat);
            let mut fresh_of_players = Beliefs::with_players();
            fresh_of_players.update(&view, seat);
            let rules = view.options();
            // The words of the own objects, and those of own right guesses.
            let guess = |object: &Object| {
                let own = object.arrows.iter().find(|arrow| arrow.guesser == seat)?;
                own.guess.known()
            };
            let known: Vec<(ObjectName, Word)> = view
                .objects()
                .filter(|_| !rules.free_words)
                .filter_map(|(name, object)| {
                    Some((name, object.known_word().or_else(|| guess(object))?))
                })
                .collect();
            for (index, (name, object)) in view.objects().enumerate() {
                let belief = beliefs.get(index).unwrap();
                assert_eq!(belief.own, fresh.get(index).unwrap().own, "{name} afresh");
                let grown = &of_players.get(index).unwrap().own;
                assert_eq!(grown, &fresh_of_players.get(index).unwrap().own, "{name} of players");
                if name.owner == seat {
                    continue;
                }
                if let Some(word) = guess(object) {
                    let words: Vec<(u16, f64)> =
                        word.id().map(|id| (id.0, 1.0)).into_iter().collect();
                    assert_eq!(belief.own.words, words, "{name} is guessed");
                    guessed += 1;
                    continue;
                }
                let others = known.iter().filter(|(other, _)| *other != name);
                let excluded: Vec<Word> = others.map(|(_, word)| *word).collect();
                let weights = by_hand(object, seat, &Reliability::of(rules), &excluded);
                let total: f64 = weights.iter().sum();
                let known: f64 = belief.own.words.iter().map(|(_, p)| p).sum();
                for (word, p) in belief.own.words.iter().take(20) {
                    let expected = weights[usize::from(*word)] / total;
                    let found = p / known;
                    assert!(
                        (expected - found).abs() < 1e-3 * expected.max(1e-2),
                        "{name}: {expected} by hand, {found}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 2_000 && guessed > 0, "only {compared}, {guessed}");
}

#[test]
fn beliefs_are_even_when_nothing_is_shown() {
    let rules = Position::start(&options(&[]), None).unwrap().options().clone();
    let mut belief = ObjectBelief::new(&rules);
    belief.update(&Object::default(), Seat::new(0), &rules, &[]);
    let words = Knowledge::shipped().len() as f64;
    let (_, first) = belief.own.top().unwrap();
    let last = belief.own.words.last().unwrap().1;
    assert!((first - last).abs() < 1e-12 && (first - 1.0 / words).abs() < 1e-4);
    assert!((belief.own.bits - words.log2()).abs() < 0.1);
}

/// Where people answer, what nobody judged is believed by its chances: an answer that they make more
/// likely counts for a word more, though the judge would say dontknow of all of them.
#[test]
fn people_are_believed_by_chances() {
    let (knowledge, lexicon) = (Knowledge::shipped(), Lexicon::shipped());
    let alive = knowledge.find_predicate("is_alive").unwrap();
    let chances = |word: WordId| match lexicon.find(word_list::word(word)) {
        Some(Named::Derived(entry)) if usize::from(word.0) >= knowledge.len() => {
            lexicon.chances(entry, alive)
        }
        _ => None,
    };
    let unsure = |word: WordId| {
        let chances = chances(word)?;
        (chances.answer() == Answer::DontKnow).then_some((word, chances.yes))
    };
    let mut words: Vec<(WordId, f32)> = WordList::All.words().filter_map(unsure).collect();
    words.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (few, many) = (words[0], *words.last().unwrap());
    assert!(few.1 < 0.1 && many.1 > 0.8, "{few:?} {many:?}");
    let ratio = |answerer| {
        let settings = options(&[("Lexicon", "all"), ("Answerer", answerer), ("JudgeNoise", "20")]);
        let rules = Position::start(&settings, None).unwrap().options().clone();
        let mut belief = ObjectBelief::new(&rules);
        let mut object = Object::default();
        object.answers.push((Question::Predicate(alive), Answer::Yes));
        belief.update(&object, Seat::new(0), &rules, &[]);
        belief.own.of(many.0) / belief.own.of(few.0)
    };
    assert!((ratio("judge") - 1.0).abs() < 1e-9, "{}", ratio("judge"));
    // P(yes | word) by the definition.
    let rules = Position::start(&options(&[("Answerer", "owner")]), None).unwrap();
    let rates = Reliability::of(rules.options()).about(alive);
    let of = |word: WordId| {
        let chances = chances(word).unwrap();
        let cells = [(0, chances.no), (1, chances.yes), (2, chances.possibly)];
        cells
            .iter()
            .map(|(cell, p)| f64::from(*p) * rates.of_answer(*cell, Answer::Yes))
            .sum::<f64>()
    };
    let expected = of(many.0) / of(few.0);
    assert!((ratio("owner") / expected - 1.0).abs() < 1e-6, "{} {expected}", ratio("owner"));
    assert!(expected > 3.0, "{expected}");
}

/// A game of four whose sculptures one kind of player has made.
fn sculpted(maker: &str, seed: u64) -> Position {
    let mut random = Random::new(seed);
    let mut full = Position::start(&options(&[("Players", "4")]), None).unwrap();
    let mut players: Vec<_> = (0..4)
        .map(|seat| {
            let settings = Settings { seed: 4 * seed + seat, ..Settings::default() };
            Position::player(maker, &settings).unwrap()
        })
        .collect();
    while full.phase() < Phase::First {
        let m = match full.turn() {
            Turn::Seat(seat) => {
                let situation = Situation::new(full.view(seat));
                let request = Request::new(Limits::depth(1));
                players[seat.index()].choose(&situation, &request, &mut |_| {}).unwrap().best
            }
            _ => full.random_move(&mut random).unwrap(),
        };
        full.play(&m);
    }
    full
}

/// What p1 takes for the most likely word of every object of others, and whether it is right.
fn stated(full: &Position) -> Vec<(f64, bool)> {
    let seat = Seat::new(0);
    let mut beliefs = Beliefs::with_players();
    beliefs.update(&full.view(seat), seat);
    let objects = full.objects().enumerate().filter(|(_, (name, _))| name.owner != seat);
    objects
        .map(|(index, (_, object))| {
            let (word, p) = beliefs.get(index).unwrap().own.top().unwrap();
            (p, object.known_word() == Some(Word::Listed(word)))
        })
        .collect()
}

#[test]
fn what_is_stated_of_random_sculptures_comes_true() {
    let all: Vec<(f64, bool)> =
        (0..250).flat_map(|seed| stated(&sculpted("greedy", 7_000 + seed))).collect();
    for (from, to) in [(0.1, 0.3), (0.3, 0.6), (0.6, 0.95), (0.95, 1.0)] {
        let some: Vec<_> = all.iter().filter(|(p, _)| (from..to).contains(p)).collect();
        let count = some.len() as f64;
        let mean = some.iter().map(|(p, _)| p).sum::<f64>() / count;
        let right = some.iter().filter(|(_, right)| *right).count() as f64 / count;
        let deviation = (mean * (1.0 - mean) / count).sqrt();
        assert!(count > 80.0, "{from} to {to}: only {count}");
        assert!((mean - right).abs() < 4.0 * deviation, "stated {mean}, right {right} of {count}");
    }
}

#[test]
fn what_is_stated_of_engines_sculptures_comes_true() {
    let all: Vec<(f64, bool)> = (0..5).flat_map(|seed| stated(&sculpted("engine", seed))).collect();
    let count = all.len() as f64;
    let mean = all.iter().map(|(p, _)| p).sum::<f64>() / count;
    let right = all.iter().filter(|(_, right)| *right).count() as f64 / count;
    let deviation = (mean * (1.0 - mean) / count).sqrt();
    assert!((mean - right).abs() < 0.05 + 2.0 * deviation, "stated {mean}, right {right}");
}

/// A game of four whose makers take the first dealt word, and of the features that may be shown, true
/// and with `possible` also possible ones, so many in this order.
fn made_by(
    number: usize,
    possible: bool,
    order: fn(&mut [PredicateId], &mut Random),
    random: &mut Random,
) -> Position {
    let knowledge = Knowledge::shipped();
    let mut full = Position::start(&options(&[("Players", "4")]), None).unwrap();
    while full.phase() < Phase::First {
        let m = full.random_move(random).unwrap();
        let Move::Word(name, Secret::Known(Word::Listed(word))) = m else {
            full.play(&m);
            continue;
        };
        full.play(&m);
        let mut pool: Vec<PredicateId> = knowledge.vocabulary().collect();
        pool.retain(|id| {
            let sure = knowledge.answer(word, *id) == Answer::Yes;
            knowledge.may_show(word, *id) && (sure || possible)
        });
        order(&mut pool, random);
        pool.truncate(number);
        pool.sort_unstable();
        pool.into_iter().for_each(|id| full.play(&Move::Show(name, id)));
        full.play(&Move::Done(name));
    }
    full
}

/// How many words have a feature.
fn frequency(id: PredicateId) -> usize {
    let knowledge = Knowledge::shipped();
    knowledge.words().filter(|word| knowledge.answer(*word, id) == Answer::Yes).count()
}

#[test]
fn what_is_stated_comes_true_whatever_the_habit_of_the_makers() {
    type Order = fn(&mut [PredicateId], &mut Random);
    let even: Order = |pool, random| random.shuffle(pool);
    let rare: Order = |pool, _| pool.sort_by_key(|id| frequency(*id));
    let common: Order = |pool, _| pool.sort_by_key(|id| std::cmp::Reverse(frequency(*id)));
    let table: Order = |_, _| {};
    let habits = [
        ("three true", 3, false, even),
        ("three possible", 3, true, even),
        ("five possible", 5, true, even),
        ("eight possible", 8, true, even),
        ("six true", 6, false, even),
        ("the rarest", 4, false, rare),
        ("the commonest", 3, false, common),
        ("the first of the table", 4, false, table),
    ];
    for (what, number, possible, order) in habits {
        let mut random = Random::new(number as u64);
        let all: Vec<(f64, bool)> = (0..extent(60, 400))
            .flat_map(|_| stated(&made_by(number, possible, order, &mut random)))
            .collect();
        let count = all.len() as f64;
        let mean = all.iter().map(|(p, _)| p).sum::<f64>() / count;
        let right = all.iter().filter(|(_, right)| *right).count() as f64 / count;
        let deviation = (mean * (1.0 - mean) / count).sqrt();
        assert!(
            (mean - right).abs() < 0.05 + 2.0 * deviation,
            "{what}: stated {mean:.3}, right {right:.3} of {count}"
        );
    }
}

/// p1 of four; b1 and b2 show these features, the objects of p3 and p4 others.
fn shown(b1: &str, b2: &str, others: &str) -> Position {
    let line = format!(
        "v=p1 n=4 ring=ESDQSDESGQSD goal=30 first=1 turn=2 phase=start pawn=0,0,0,0 score=0,0,0,0 \
         jewels=12,12,12,12 curse=3,3,3,3 blob=- arrows= asked=0 pend=- win=1:3 \
         objects=a1|w=teapot|show=has_handle|qa=|letters=|wrong=;\
         a2|w=kettle|show=has_spout|qa=|letters=|wrong=;b1|w=?|show={b1}|qa=|letters=|wrong=;\
         b2|w=?|show={b2}|qa=|letters=|wrong=;c1|w=?|show={others}|qa=|letters=|wrong=;\
         c2|w=?|show={others}|qa=|letters=|wrong=;d1|w=?|show={others}|qa=|letters=|wrong=;\
         d2|w=?|show={others}|qa=|letters=|wrong="
    );
    Position::parse(&line, &options(&[("Players", "4")]), Some(Seat::new(0)))
        .unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// The features that clay can show and that are true of a word.
fn features(word: WordId) -> Vec<PredicateId> {
    let knowledge = Knowledge::shipped();
    let visible = knowledge.vocabulary().filter(|id| knowledge.is_clay_visible(*id));
    visible.filter(|id| knowledge.answer(word, *id) == Answer::Yes).collect()
}

/// The names of features.
fn names(ids: &[PredicateId]) -> String {
    let names: Vec<&str> = ids.iter().map(|id| Knowledge::shipped().predicate(*id)).collect();
    names.join(",")
}

#[test]
fn who_shows_more_of_other_objects_has_shown_all_there_is() {
    let knowledge = Knowledge::shipped();
    // A word with few features, of which others have more besides, and one with many.
    let named = |word| features(knowledge.find_word(word).unwrap());
    let (few, many) = (named("chip"), named("abacus"));
    let includes = |other: &Vec<PredicateId>| few.iter().all(|id| other.contains(id));
    assert!(few.len() == 3 && knowledge.words().map(features).filter(includes).count() > 4);
    assert!(many.len() > 6);
    let share_of_few = |b2: &str, others: &str| {
        let seat = Seat::new(0);
        let mut beliefs = Beliefs::with_players();
        beliefs.update(&shown(&names(&few), b2, others), seat);
        let words = &beliefs.get(2).unwrap().own.words;
        let few = |word: &&(u16, f64)| features(WordId(word.0)).len() == 3;
        words.iter().filter(few).map(|(_, p)| p).sum::<f64>()
    };
    let odds = |p: f64| p / (1.0 - p);
    let (three, five) = (names(&many[..3]), names(&many[..5]));
    // The same maker, ...
    let (same, more) = (share_of_few(&three, &three), share_of_few(&five, &three));
    assert!(odds(more) > 2.0 * odds(same), "{same} beside three features, {more} beside five");
    // ... and other makers at the same table.
    let (same, more) = (share_of_few("is_long", &three), share_of_few("is_long", &five));
    assert!(odds(more) > 2.0 * odds(same), "{same}, others show three; {more}, others show five");
    assert!(share_of_few(&five, &five) > 0.5);
}

#[test]
fn everyday_words_are_recognised_among_all_when_their_owners_answer() {
    let knowledge = Knowledge::shipped();
    let rules = options(&[("Lexicon", "all"), ("Answerer", "owner")]);
    let rules = Position::start(&rules, None).unwrap().options().clone();
    for name in ["torch", "teapot", "horse"] {
        let word = knowledge.find_word(name).unwrap();
        let mut object = Object::default();
        object.word = Some(Secret::Masked);
        object.shown.extend(features(word).into_iter().take(4));
        // What is true, as the table says.
        let asked = knowledge.vocabulary().filter(|id| !object.shown.contains(id));
        let asked = asked.map(|id| (Question::Predicate(id), knowledge.answer(word, id)));
        object.answers = asked.filter(|(_, answer)| *answer == Answer::Yes).take(20).collect();
        let mut belief = ObjectBelief::new(&rules);
        belief.update(&object, Seat::new(0), &rules, &[]);
        assert_eq!(belief.own.top().map(|(top, _)| word_list::word(top)), Some(name));
    }
}
