//! The players: what they do where that is clear.

use parlor::game::{Game, Hidden, Notation, Random, Rules, Seat, Situation};
use parlor::games::Playable;
use parlor::games::barbarossa::knowledge::{Answer, Knowledge, WordId};
use parlor::games::barbarossa::play::{BayesPlayer, Beliefs, PlayOptions};
use parlor::games::barbarossa::{Gift, Move, Object, Phase, Position, Secret, Word};
use parlor::search::{Limits, Player, Report, Request, Settings};

use super::driver::{choose, core_options, options, play, random_options};
use super::vectors::{FOUR, Table};

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
    seen_by_p1(&line)
}

fn seen_by_p1(line: &str) -> Position {
    Position::parse(line, &options(&[]), Some(Seat::new(0)))
        .unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// The same with other parts of its text.
fn changed(position: &Position, parts: &[(&str, &str)]) -> Position {
    let mut line = position.to_string();
    for &(part, other) in parts {
        assert!(line.contains(part), "{part} in {line}");
        line = line.replace(part, other);
    }
    seen_by_p1(&line)
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

/// On a ? the own guess is free: no token is spent on it. In the same window of p2 it is not.
#[test]
fn the_engine_spends_no_token_where_its_guess_is_free() {
    let own = nearly_sure("ask", "win=1:0");
    assert_eq!(engine_move(&own, PlayOptions::default()), "pass");
    let parts = [("turn=1", "turn=2"), ("pawn=3,0,7", "pawn=3,3,7"), ("win=1:0", "win=1:2")];
    let other = changed(&own, &parts);
    assert_eq!(engine_move(&other, PlayOptions::default()), "curse:guess:b1:snail");
}

/// The thirteenth arrow ends the game. With 12 points before it p2 has most after the final
/// penalties, with 2 p4 has: see vector 8.
#[test]
fn the_engine_places_the_last_arrow_only_where_it_wins_by_it() {
    let arrows = "a2:p2,b1:p1,b1:p3,b2:p1,b2:p3,c1:p1,c2:p1,c2:p2,d1:p1,d1:p2,d2:p1,d2:p2";
    for (scores, expected) in [("10,12,9,9", "guess:a1:anchor"), ("10,2,9,9", "pass")] {
        let table = Table { turn: 2, scores, arrows, ..FOUR }.set();
        assert_eq!(engine_move(&table, PlayOptions::default()), expected, "{scores}");
    }
}

/// From the Elf two jewels lead to a Dragon, on which p2 would reach the finish, as would two faces of
/// the die.
#[test]
fn the_engine_keeps_off_the_dragon_by_which_a_rival_would_win() {
    let (pawns, jewels, scores) = ("0,0,0,0", "2,12,12,12", "0,29,0,0");
    let table = Table { phase: "move", pawns, jewels, scores, ..FOUR }.set();
    assert_eq!(engine_move(&table, PlayOptions::default()), "jewels:1");
}

/// The first arrows cost the maker points, the seventh brings some: so the letter that is given is the
/// one that most, or fewest, of the likely words have.
#[test]
fn the_engine_gives_the_letter_that_says_least_unless_it_wants_the_arrow() {
    let asked = |arrows: &str| {
        let pawns = "0,0,0,0";
        let mut table = Table { turn: 2, phase: "letter", pawns, arrows, ..FOUR }.set();
        play(&mut table, "letter:a1");
        let mut beliefs = Beliefs::default();
        beliefs.update(&table, Seat::new(0));
        let words = &beliefs.get(0).unwrap().public.words;
        let share = |letter: &char| -> f64 {
            let text = |word: &u16| Knowledge::shipped().word(WordId(*word));
            let has = words.iter().filter(|(word, _)| text(word).contains(*letter));
            has.map(|(_, p)| p).sum()
        };
        let mut letters: Vec<char> = "anchor".chars().collect();
        letters.sort_by(|a, b| share(a).total_cmp(&share(b)));
        (engine_move(&table, PlayOptions::default()), letters)
    };
    let (given, letters) = asked("");
    assert_eq!(given, format!("give:{}", letters[5]), "{letters:?}");
    let (given, letters) = asked("b1:p1,b1:p3,b2:p1,b2:p3,c1:p1,c1:p2");
    assert_eq!(given, format!("give:{}", letters[0]), "{letters:?}");
}

/// Below level 4 a seat saves its jewels, and the weakest its tokens, however sure of a word; guesses
/// that cost nothing are made.
#[test]
fn the_weakest_spend_neither_jewels_nor_tokens() {
    let moved = |phase, window| {
        let position = nearly_sure(phase, window);
        // Every seat has had a turn.
        changed(&position, &[("pawn=3,0,7", "pawn=3,1,7")])
    };
    let (walk, window) = (moved("move", "win=-"), moved("start", "win=1:0"));
    let guess = moved("round2", "win=-");
    let told = |level, position: &Position, token: &str| {
        let play = |seed| {
            let play = PlayOptions { level, ..PlayOptions::default() };
            move_of(&mut BayesPlayer::new(seed, play), position)
        };
        (1..=40).filter(|seed| play(*seed) == token).count()
    };
    let rolls = [1, 3, 8].map(|level| told(level, &walk, "roll"));
    assert!(rolls[0] == 40 && rolls[1] < 40 && rolls[2] < rolls[1] && rolls[2] > 0, "{rolls:?}");
    assert_eq!(told(1, &window, "pass"), 40);
    assert!(told(1, &guess, "guess:b1:snail") > 0);
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
fn a_stop_cuts_the_list_of_free_words_and_no_other() {
    let considered = |rules: &[(&str, &str)], stopped: bool| {
        let mut position = Position::start(&options(rules), None).unwrap();
        let mut random = Random::new(1);
        while position.turn().seat().is_none() {
            let deal = position.random_move(&mut random).unwrap();
            position.play(&deal);
        }
        let request = Request::new(Limits::depth(1));
        if stopped {
            request.control.stop();
        }
        let mut nodes = 0;
        let mut engine = BayesPlayer::new(1, PlayOptions::default());
        let situation = Situation::new(position);
        let choice = engine.choose(&situation, &request, &mut |report| {
            if let Report::Info(info) = report {
                nodes = info.nodes;
            }
        });
        assert!(situation.position().is_legal(&choice.unwrap().best));
        nodes
    };
    assert_eq!(considered(&[("Words", "free")], false), 24);
    assert_eq!(considered(&[("Words", "free")], true), 6);
    assert_eq!(considered(&[], false), 6);
    assert_eq!(considered(&[], true), 6);
}

#[test]
fn the_engine_reports_its_beliefs() {
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
fn a_fresh_engine_continues_the_same_sculpture() {
    let options = options(&[("Words", "free")]);
    // What is set holds at every level.
    for (level, features) in [(10, 0), (10, 1), (10, 4), (10, 8), (1, 3)] {
        let play = PlayOptions { features, level, ..PlayOptions::default() };
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

fn move_of(player: &mut dyn Player<Position>, position: &Position) -> String {
    let request = Request::new(Limits::depth(1));
    let choice = player.choose(&Situation::new(position.clone()), &request, &mut |_| {});
    position.token(&choice.unwrap().best)
}

fn greedy() -> Box<dyn Player<Position>> {
    Position::player("greedy", &Settings::default()).unwrap()
}

/// Without evidence of b1 no word has half of the chances.
#[test]
fn plain_rolls_and_guesses_only_what_is_more_likely_than_not() {
    let told = |position: &Position| {
        move_of(&mut *Position::player("plain", &Settings::default()).unwrap(), position)
    };
    let guess = nearly_sure("round2", "win=-");
    assert_eq!(told(&guess), "guess:b1:snail");
    assert_eq!(told(&nearly_sure("start", "win=1:0")), "curse:guess:b1:snail");
    assert_eq!(told(&nearly_sure("move", "win=-")), "roll");
    let letters = "letters=p1.s,p1.n,p1.a,p1.i,p1.l,p1.-";
    let parts = [("is_spiral", "is_long"), ("is_alive-y", ""), (letters, "letters=")];
    assert_eq!(told(&changed(&guess, &parts)), "pass");
}

/// Of the others b2 is the first of equals.
#[test]
fn greedy_asks_for_no_letter_of_a_word_that_it_knows() {
    let parts = [("phase=round2", "phase=letter"), ("pawn=3,0,7", "pawn=0,0,7")];
    let position = changed(&nearly_sure("round2", "win=-"), &parts);
    assert_eq!(move_of(&mut *greedy(), &position), "letter:b2");
}

#[test]
fn greedy_guesses_curses_and_spends_jewels_where_that_is_clear() {
    let told = |phase: &str, rest: &str| move_of(&mut *greedy(), &nearly_sure(phase, rest));
    assert_eq!(told("round2", "win=-"), "guess:b1:snail");
    assert_eq!(told("start", "win=1:0"), "curse:guess:b1:snail");
    // The next ? is index 9, six spaces on; there are seven jewels.
    assert_eq!(told("move", "win=-"), "jewels:6");
    // With two jewels no ? is in reach, but the Elf on index 6 is three spaces on: too far.
    let poor = nearly_sure("move", "win=-").to_string().replace("jewels=7", "jewels=2");
    let near = poor.replace("pawn=3,0,7", "pawn=4,0,7");
    for (line, expected) in [(poor, "roll"), (near, "jewels:2")] {
        let position = Position::parse(&line, &options(&[]), Some(Seat::new(0))).unwrap();
        assert_eq!(move_of(&mut *greedy(), &position), expected);
    }
}

#[test]
fn greedy_shows_four_features_of_the_first_word_dealt() {
    let options = options(&[("Players", "4")]);
    for seed in 0..5 {
        let mut random = Random::new(seed);
        let mut full = Position::start(&options, None).unwrap();
        while full.phase() == Phase::Deal {
            full.play(&full.random_move(&mut random).unwrap());
        }
        let Some(Secret::Known(dealt)) = full.objects().next().unwrap().1.dealt else {
            panic!("nothing dealt for a1");
        };
        let word = Knowledge::shipped().word(dealt[0]);
        let mut player = greedy();
        let mut shown = 0;
        assert_eq!(move_of(&mut *player, &full), format!("word:a1:{word}"));
        full.play(&full.parse_move(&format!("word:a1:{word}")).unwrap());
        while full.phase() == Phase::Show {
            let token = move_of(&mut *player, &full);
            shown += usize::from(token.starts_with("show:a1:"));
            full.play(&full.parse_move(&token).unwrap());
        }
        let features = Knowledge::shipped().vocabulary().filter(|id| {
            Knowledge::shipped().is_clay_visible(*id)
                && Knowledge::shipped().answer(dealt[0], *id) == Answer::Yes
        });
        assert_eq!(shown, features.count().min(4));
    }
}

/// Entropy of a distribution, in bits.
fn entropy(parts: impl Iterator<Item = f64>) -> f64 {
    -parts.filter(|p| *p > 0.0).map(|p| p * p.log2()).sum::<f64>()
}

/// The probabilities of words that the greedy player should have, from the definition: answers are
/// wrong with `error`, all other evidence is strict.
fn strict_beliefs(object: &Object, seat: Seat, error: f64, excluded: &[Word]) -> Vec<f64> {
    let knowledge = Knowledge::shipped();
    let wrong = |word: &Word| {
        object.wrong.iter().any(|(guesser, guess)| *guesser == seat && guess.known() == Some(*word))
    };
    let weights: Vec<f64> = knowledge
        .words()
        .map(|id| {
            let word = Word::Listed(id);
            if excluded.contains(&word) || wrong(&word) {
                return 0.0;
            }
            let can_show = |feature: &_| {
                knowledge.is_clay_visible(*feature) && knowledge.answer(id, *feature) == Answer::Yes
            };
            let features = knowledge.vocabulary().filter(can_show).count().max(1) as f64;
            let mut weight = features.powi(-(object.shown.len() as i32));
            for feature in object.shown.iter().filter(|feature| !can_show(feature)) {
                let possible = knowledge.answer(id, *feature) == Answer::Possibly;
                weight *= if possible { 0.2 } else { 0.0 };
            }
            for (question, answer) in &object.answers {
                if let Some(predicate) = question.predicate() {
                    let right = knowledge.answer(id, predicate) == *answer;
                    weight *= if right { 1.0 - error } else { error / 3.0 };
                }
            }
            let text = knowledge.word(id).as_bytes();
            let mut left = text.to_vec();
            for letter in object.letters.iter().filter(|letter| letter.asker == seat) {
                let Secret::Known(gift) = letter.gift else { continue };
                let fits = match (letter.place, gift) {
                    (Some(place), Gift::Letter(letter)) => {
                        text.get(usize::from(place) - 1) == Some(&letter)
                    }
                    (Some(place), Gift::Nothing) => usize::from(place) > text.len(),
                    (None, Gift::Nothing) => left.is_empty(),
                    (None, Gift::Letter(letter)) => {
                        let at = left.iter().position(|other| *other == letter);
                        at.map(|at| left.remove(at)).is_some()
                    }
                };
                if !fits {
                    return 0.0;
                }
            }
            weight
        })
        .collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| if total > 0.0 { weight / total } else { 0.0 }).collect()
}

/// The value of a question for the greedy player, from the definition.
fn value_of_question(beliefs: &[f64], object: &Object, question: &str, error: f64) -> f64 {
    let knowledge = Knowledge::shipped();
    let predicate = knowledge.find_predicate(question).unwrap();
    // The weight of the words of which each answer is right.
    let mut right = [0.0; Answer::ALL.len()];
    for (word, p) in knowledge.words().zip(beliefs) {
        let answer = knowledge.answer(word, predicate);
        right[Answer::ALL.iter().position(|other| *other == answer).unwrap()] += p;
    }
    let all: f64 = right.iter().sum();
    let p = |given: Answer| -> f64 {
        let index = Answer::ALL.iter().position(|other| *other == given).unwrap();
        right[index] * (1.0 - error) + (all - right[index]) * error / 3.0
    };
    let bits = entropy(beliefs.iter().copied());
    let known = if bits < 0.3 { 0.1 } else { 1.0 };
    let points = if object.arrows.is_empty() { 5.0 } else { 3.0 };
    entropy(Answer::ALL.into_iter().map(p)) / (p(Answer::No) + 0.15) * points * known
        / (1.0 + bits / 3.0)
}

#[test]
fn greedy_asks_and_guesses_as_its_definition_says() {
    let (mut questions, mut guesses) = (0, 0);
    for seed in 0..20 {
        let mut random = Random::new(7_000 + seed);
        let options = core_options(["3", "4", "duel"][seed as usize % 3], &mut random);
        let mut full = Position::start(&options, None).unwrap();
        while let Some(m) = choose(&full, &mut random) {
            let seat = full.turn().seat();
            let decides = seat == full.active() && full.window().is_none();
            let asks = decides && full.phase() == Phase::Ask && random.below(8) == 0;
            let guessing = decides && full.phase() == Phase::Round2 && random.below(4) == 0;
            if let (Some(seat), true) = (seat, asks || guessing) {
                let (ask, guess) = compare_greedy(&full.view(seat), seat);
                questions += ask;
                guesses += guess;
            }
            full.play(&m);
        }
    }
    assert!(questions > 40 && guesses > 40, "{questions} questions, {guesses} guesses");
}

/// Compares the choice of the greedy player with the best by the definition.
fn compare_greedy(view: &Position, seat: Seat) -> (u32, u32) {
    let rules = view.options();
    let error = (f64::from(rules.judge_noise) / 100.0).max(0.03);
    let own = view.objects().filter(|(name, _)| name.owner == seat && !rules.free_words);
    let own: Vec<Word> = own.filter_map(|(_, object)| object.known_word()).collect();
    let most = if rules.seats == 2 { 1 } else { 2 };
    let open: Vec<_> = view
        .objects()
        .filter(|(name, object)| {
            name.owner != seat && object.arrows.len() < most && !object.has_arrow_of(seat)
        })
        .map(|(name, object)| (name, object, strict_beliefs(object, seat, error, &own)))
        .collect();
    let value = |m: &Move| match m {
        Move::Ask(name, question) => {
            let (_, object, beliefs) = open.iter().find(|(other, ..)| other == name).unwrap();
            value_of_question(beliefs, object, &question.to_string(), error)
        }
        Move::Guess(name, Secret::Known(word)) => {
            let (_, object, beliefs) = open.iter().find(|(other, ..)| other == name).unwrap();
            let points = if object.arrows.is_empty() { 5.0 } else { 3.0 };
            beliefs[usize::from(word.id().unwrap().0)] * points
        }
        _ => -1.0,
    };
    let chosen = view.parse_move(&move_of(&mut *greedy(), view)).unwrap();
    let legal = view.moves();
    let targets = |m: &&Move| match m {
        Move::Ask(name, _) | Move::Guess(name, _) => open.iter().any(|(other, ..)| other == name),
        _ => false,
    };
    let best = legal.iter().filter(targets).map(value).fold(-1.0, f64::max);
    if best <= 0.0 {
        return (0, 0);
    }
    let found = value(&chosen);
    assert!(found >= best * (1.0 - 1e-9), "{chosen:?} has {found}, the best {best} in {view}");
    (u32::from(matches!(chosen, Move::Ask(..))), u32::from(matches!(chosen, Move::Guess(..))))
}

/// What a player says and chooses.
fn said(player: &mut dyn Player<Position>, position: &Position) -> Vec<String> {
    let mut said = Vec::new();
    let request = Request::new(Limits::depth(1));
    let situation = Situation::new(position.clone());
    let choice = player.choose(&situation, &request, &mut |report| match report {
        Report::Text(text) => said.push(text),
        Report::Info(info) => said.push(format!("{:?} {:?}", info.score, info.pv)),
        _ => {}
    });
    said.push(position.token(&choice.unwrap().best));
    said
}

/// A belief belongs to its view: what a player was shown before, the full state or the views of
/// others, changes nothing of what it says and does under a view. (The player plain chooses at random.)
#[test]
fn players_learn_nothing_from_other_positions_that_they_were_shown() {
    for name in ["engine", "greedy"] {
        let mut compared = 0;
        for seed in 0..6 {
            let mut random = Random::new(31 + seed);
            let options =
                random_options(["3", "4", "5", "6", "duel"][seed as usize % 5], &mut random);
            let mut full = Position::start(&options, None).unwrap();
            let make = || Position::player(name, &Settings::default()).unwrap();
            while let Some(m) = choose(&full, &mut random) {
                let gives = matches!(full.moves().first(), Some(Move::Give(_)));
                let seat = full.turn().seat().filter(|_| full.phase() >= Phase::Start && !gives);
                if let Some(seat) = seat.filter(|_| random.below(12) == 0) {
                    let view = full.view(seat);
                    let mut shown = make();
                    said(&mut *shown, &full);
                    assert_eq!(
                        said(&mut *shown, &view),
                        said(&mut *make(), &view),
                        "{name} in {full}"
                    );
                    compared += 1;
                }
                full.play(&m);
            }
        }
        assert!(compared > 30, "{name}: only {compared}");
    }
}
