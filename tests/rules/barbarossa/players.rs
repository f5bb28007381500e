//! The players: beliefs against plain Bayes, and what the engine does where that is clear.

use parlor::game::{Game, Hidden, Notation, Random, Rules, Seat, Situation};
use parlor::games::Playable;
use parlor::games::barbarossa::knowledge::{Answer, Knowledge};
use parlor::games::barbarossa::play::{
    BayesPlayer, Beliefs, ObjectBelief, PlayOptions, Reliability,
};
use parlor::games::barbarossa::{Gift, Move, Object, Phase, Position, Secret, Word};
use parlor::search::{Limits, Player, Report, Request, Settings};

use super::driver::{choose, options, random_options};

/// Weights by multiplying probabilities, word by word, from the definition alone.
fn by_hand(object: &Object, seat: Seat, reliability: &Reliability, excluded: &[Word]) -> Vec<f64> {
    let knowledge = Knowledge::shipped();
    let weigh = |word| {
        let listed = Word::Listed(word);
        if excluded.contains(&listed) {
            return 0.0;
        }
        let mut weight = 1.0;
        let features: Vec<_> = knowledge
            .vocabulary()
            .filter(|id| {
                knowledge.is_clay_visible(*id) && knowledge.answer(word, *id) == Answer::Yes
            })
            .collect();
        let mut choices = 1.0;
        let most = features.len().max(object.shown.len());
        for (index, shown) in object.shown.iter().enumerate() {
            choices *= (most - index) as f64 / (index + 1) as f64;
            if !features.contains(shown) {
                weight *= (-12.0_f64).exp();
            }
        }
        weight /= choices;
        for (question, answer) in &object.answers {
            if let Some(predicate) = question.predicate() {
                let cell = knowledge.answer(word, predicate) as usize;
                weight *= reliability.of_answer(cell, *answer as usize);
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
    let mut compared = 0;
    for seed in 0..12 {
        let mut random = Random::new(500 + seed);
        let options = random_options(["3", "4", "duel"][seed as usize % 3], &mut random);
        let mut full = Position::start(&options, None).unwrap();
        let seat = Seat::new(random.below(2) as usize);
        let mut beliefs = Beliefs::default();
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
            let rules = view.options();
            let mine: Vec<Word> = view
                .objects()
                .filter(|(name, _)| name.owner == seat && !rules.free_words)
                .filter_map(|(_, object)| object.known_word())
                .collect();
            for (index, (name, object)) in view.objects().enumerate() {
                let belief = beliefs.get(index).unwrap();
                assert_eq!(belief.own, fresh.get(index).unwrap().own, "{name} afresh");
                if name.owner == seat {
                    continue;
                }
                let weights = by_hand(object, seat, &Reliability::of(rules), &mine);
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
    assert!(compared > 2_000, "only {compared}");
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

/// p1 of three on a ?, after questions that leave little doubt about b1.
fn nearly_sure(phase: &str, rest: &str) -> Position {
    let line = format!(
        "v=p1 n=3 ring=ESDQSDESGQSD goal=30 first=2 turn=1 phase={phase} pawn=3,0,7 score=8,5,9 \
         jewels=7,9,4 curse=2,2,3 blob=- arrows= asked=0 pend=- {rest} \
         objects=a1|w=teapot|show=has_handle|qa=|letters=|wrong=;\
         a2|w=kettle|show=has_spout|qa=|letters=|wrong=;a3|w=cup|show=is_hollow|qa=|letters=|wrong=;\
         b1|w=?|show=is_spiral|qa=is_alive-y|letters=p1.s,p1.n,p1.a,p1.i,p1.l,p1.-|wrong=;\
         b2|w=?|show=is_long|qa=|letters=|wrong=;b3|w=?|show=is_long|qa=|letters=|wrong=;\
         c1|w=?|show=is_long|qa=|letters=|wrong=;c2|w=?|show=is_long|qa=|letters=|wrong=;\
         c3|w=?|show=is_long|qa=|letters=|wrong="
    );
    Position::parse(&line, &options(&[]), Some(Seat::new(0)))
        .unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn engine_move(position: &Position, play: PlayOptions) -> String {
    let mut engine = BayesPlayer::new(1, play);
    let request = Request::new(Limits::depth(1));
    let choice = engine.choose(&Situation::new(position.clone()), &request, &mut |_| {});
    position.token(&choice.unwrap().best)
}

#[test]
fn the_engine_guesses_what_it_knows() {
    let play = PlayOptions::default();
    assert_eq!(engine_move(&nearly_sure("round2", "win=-"), play), "guess:b1:snail");
    assert_eq!(engine_move(&nearly_sure("start", "win=1:0"), play), "curse:guess:b1:snail");
    let frugal = PlayOptions { curses: false, ..play };
    assert_eq!(engine_move(&nearly_sure("start", "win=1:0"), frugal), "pass");
}

#[test]
fn the_engine_spends_jewels_only_by_plan() {
    let position = nearly_sure("move", "win=-");
    // A sure guess waits on index 9, six steps on; one jewel would do for nothing better.
    assert_eq!(engine_move(&position, PlayOptions::default()), "jewels:6");
    assert_eq!(
        engine_move(&position, PlayOptions { jewel_plan: false, ..PlayOptions::default() }),
        "roll"
    );
}

#[test]
fn players_repeat_themselves_with_the_same_seed_and_take_only_what_is_allowed() {
    for name in Position::player_names() {
        let settings = Settings { seed: 7, ..Settings::default() };
        let position = nearly_sure("ask", "win=-");
        let situation = Situation::new(position.clone());
        let request = Request::new(Limits::depth(1));
        let choose = |request: &Request<Move>| {
            let mut player = Position::player(name, &settings).unwrap();
            player.choose(&situation, request, &mut |_| {}).unwrap().best
        };
        assert_eq!(choose(&request), choose(&request), "{name}");
        let only = position.parse_move("ask:c3:is_flat").unwrap();
        let request = Request { search_moves: Some(vec![only.clone()]), ..request };
        assert_eq!(choose(&request), only, "{name}");
    }
}

#[test]
fn the_engine_tells_what_it_believes() {
    let position = nearly_sure("round2", "win=-");
    let mut engine = BayesPlayer::new(1, PlayOptions::default());
    let mut texts = Vec::new();
    let mut lines = 0;
    let mut request = Request::new(Limits::depth(1));
    request.multi_pv = 3;
    engine.choose(&Situation::new(position), &request, &mut |report| match report {
        Report::Text(text) => texts.push(text),
        Report::Info(info) => {
            lines += 1;
            assert_eq!(info.multipv, lines);
            assert_eq!(info.shares.unwrap().iter().sum::<u16>(), 1000);
        }
        Report::BadOption(text) => panic!("{text}"),
    });
    assert_eq!(lines, 3);
    let told = |start: &str, part: &str| {
        texts.iter().any(|text| text.starts_with(start) && text.contains(part))
    };
    assert!(told("b1 ", "bits: snail ") && told("b2 ", " bits: "), "{texts:?}");
    assert!(told("stated ", " for guess:b1:snail"), "{texts:?}");
}

#[test]
fn sculptures_are_what_the_plan_says_whoever_asks_again() {
    let options = options(&[("Words", "free")]);
    for features in [0, 1, 4, 8] {
        let play = PlayOptions { features, ..PlayOptions::default() };
        let mut position = Position::start(&options, Some(Seat::new(0))).unwrap();
        position.play(&position.parse_move("word:a1:teapot").unwrap());
        let mut shown = 0;
        while position.phase() == Phase::Show {
            // A fresh engine each time: the plan is a function of position and seed.
            let token = engine_move(&position, play);
            position.play(&position.parse_move(&token).unwrap());
            shown += usize::from(token.starts_with("show"));
        }
        let most = Knowledge::shipped()
            .vocabulary()
            .filter(|id| {
                let word = Knowledge::shipped().find_word("teapot").unwrap();
                Knowledge::shipped().is_clay_visible(*id)
                    && Knowledge::shipped().answer(word, *id) == Answer::Yes
            })
            .count();
        assert!(features == 0 || shown == features.min(most), "{shown} shown for {features}");
        assert!((1..=8).contains(&shown));
    }
}
