//! The option `Lexicon`: what is dealt, listed, guessed and read.

use parlor::game::{Game, Hidden, MoveList, MoveListing, Notation, Random, Rules, Seat, Situation};
use parlor::games::Playable;
use parlor::games::barbarossa::knowledge::lexicon::{Lexicon, Named};
use parlor::games::barbarossa::knowledge::word_list::{WordList, word};
use parlor::games::barbarossa::knowledge::{Answer, Knowledge, WordId};
use parlor::games::barbarossa::play::{Beliefs, ObjectBelief};
use parlor::games::barbarossa::{Move, Object, Phase, Position, Question, Secret, Word};
use parlor::search::{Limits, Request, Settings};

use super::driver::{choose, options, play, refusal};
use super::vectors::{FOUR, Table};

const ALL: [(&str, &str); 1] = [("Lexicon", "all")];

fn start(settings: &[(&str, &str)]) -> Position {
    Position::start(&options(settings), None).unwrap()
}

fn fault(position: &Position, token: &str) -> String {
    position.parse_move(token).map_or_else(|error| error.to_string(), |m| format!("{m:?}"))
}

#[test]
fn the_wide_list_adds_single_names_to_the_table() {
    let knowledge = Knowledge::shipped();
    assert_eq!(WordList::Core.len(), knowledge.len());
    assert!(WordList::All.len() > knowledge.len() + 6000, "{}", WordList::All.len());
    let mut texts = std::collections::BTreeSet::new();
    for id in WordList::All.words() {
        let text = word(id);
        assert!((2..=14).contains(&text.len()), "{text}");
        assert!(text.bytes().all(|byte| byte.is_ascii_lowercase()), "{text}");
        assert!(texts.insert(text), "{text} is listed twice");
        assert_eq!(WordList::All.find(text), Some(id), "{text}");
    }
    let rest: Vec<&str> = WordList::All.words().skip(knowledge.len()).map(word).collect();
    assert!(rest.is_sorted(), "alphabetical");
    // A plural is no word beside its singular.
    assert!(texts.contains("jail") && !texts.contains("jails"));
    assert_eq!(WordList::All.find("Jails"), WordList::All.find("jail"));
    assert_eq!(WordList::Core.find("jail"), None);
}

#[test]
fn words_of_the_wide_list_are_dealt_chosen_and_guessed_only_with_the_option() {
    let table = |settings| Table { settings, phase: "round2", ..FOUR }.set();
    let core = table(&[("Players", "4")]);
    assert!(fault(&core, "guess:b1:jail").contains("needs the option Lexicon all"));
    assert!(fault(&core, "guess:b1:couch").contains("its word is 'sofa'"));
    assert!(fault(&core, "guess:b1:soffa").contains("nearest: sofa"));
    let all = table(&[("Players", "4"), ("Lexicon", "all")]);
    let guess = all.parse_move("guess:b1:Jails").unwrap();
    assert!(all.is_legal(&guess));
    assert_eq!(all.token(&guess), "guess:b1:jail");
    // Names of two words are never dealt or guessed there.
    assert!(fault(&all, "guess:b1:french_fries").contains("need the option Words free"));
    let dealing = start(&ALL);
    assert!(fault(&dealing, "deal:a1:french_fries,dog,cat,bat,owl,ant").contains("two words"));
    let mut dealt = dealing.clone();
    play(&mut dealt, "deal:a1:jail,dog,cat,bat,owl,ant");
    assert!(dealt.to_string().contains("deal=jail,dog,cat,bat,owl,ant"), "{dealt}");
    assert!(!refusal(&dealt, "deal:a2:jail,cow,hen,goat,yak,fly").is_empty());
}

#[test]
fn deals_of_the_wide_list_are_drawn_from_all_of_it() {
    let mut position = start(&ALL);
    let core = Knowledge::shipped().len();
    let mut wide = 0;
    for seed in 0..9 {
        let deal = position.random_move(&mut Random::new(seed)).unwrap();
        let Move::Deal(_, Secret::Known(words)) = &deal else { panic!("{deal:?}") };
        wide += words.iter().filter(|id| usize::from(id.0) >= core).count();
        position.play(&deal);
    }
    // 54 words; more than four fifths of the list are not of the core.
    assert!((35..=54).contains(&wide), "{wide}");
    assert!(position.moves().len() == 6);
}

#[test]
fn letters_follow_the_name_that_was_chosen() {
    let settings = [("Words", "free"), ("Letters", "position")];
    let mut position = start(&settings);
    play(&mut position, "word:a1:ice_cream");
    let Some(Secret::Known(word)) = position.objects().next().unwrap().1.word else { panic!() };
    assert_eq!(word.text(), "ice_cream");
    assert!(fault(&position, "word:a1:two_things").contains("no name of two words"));
    assert!(fault(&position, "word:a1:_").contains("no word"));
    let by_place = [("Players", "4"), ("Words", "free"), ("Letters", "position")];
    let line = Table { settings: &by_place, phase: "give", pawns: "6,3,3,3", ..FOUR }.line();
    for (place, letter) in [(3, "e"), (4, "c"), (8, "m"), (9, "none")] {
        let pending = format!("pend=letter:b1:{place}");
        let line = line.replace("pend=-", &pending).replace("w=teapot|", "w=ice_cream|");
        let line = line.replace("show=has_handle", "show=is_tapered");
        let position = Position::parse(&line, &options(&by_place), None)
            .unwrap_or_else(|error| panic!("{line}: {error}"));
        let legal: Vec<String> = position.moves().iter().map(|m| position.token(m)).collect();
        assert_eq!(legal, [format!("give:{letter}")], "place {place}");
    }
}

#[test]
fn other_names_are_other_words_unless_synonyms_match() {
    let of = |text| Word::Listed(WordList::All.find(text).unwrap());
    let pairs = [("sofa", "couch"), ("jail", "gaol"), ("telephone", "phone")];
    for (first, second) in pairs {
        assert!(!of(first).same(&of(second), false), "{first} {second}");
        assert!(of(first).same(&of(second), true), "{first} {second}");
    }
    assert!(!of("jail").same(&of("sofa"), true));
    assert!(of("jail").same(&of("jails"), false));
}

#[test]
fn what_is_certainly_false_is_not_shown() {
    for settings in [&[("Words", "free")][..], &[("Words", "free"), ("Lexicon", "all")]] {
        let mut position = start(settings);
        play(&mut position, "word:a1:goldfinch");
        assert!(refusal(&position, "show:a1:has_wheels").contains("true"));
        play(&mut position, "show:a1:has_beak");
        // Of what no lexicon has, only the owner knows.
        let mut position = start(settings);
        play(&mut position, "word:a1:zyzzyva");
        play(&mut position, "show:a1:has_wheels");
    }
}

#[test]
fn beliefs_cover_the_wide_list() {
    let settings = [("Players", "4"), ("Lexicon", "all")];
    let line = Table { settings: &settings, ..FOUR }.line();
    let line = line.replace("w=teapot|show=has_handle", "w=goldfinch|show=has_beak,has_wings");
    let line = line.replace(
        "has_beak,has_wings|qa=|letters=",
        "has_beak,has_wings|qa=is_bird-y|letters=p1.g,p1.h,p1.n,p1.f",
    );
    let full = Position::parse(&line, &options(&settings), None)
        .unwrap_or_else(|error| panic!("{line}: {error}"));
    let seat = Seat::new(0);
    let mut beliefs = Beliefs::with_players();
    beliefs.update(&full.view(seat), seat);
    let (index, _) = full.objects().enumerate().find(|(_, (n, _))| n.to_string() == "b1").unwrap();
    let own = &beliefs.get(index).unwrap().own;
    let total: f64 = own.words.iter().map(|(_, p)| p).sum::<f64>() + own.other;
    assert!((total - 1.0).abs() < 1e-9, "{total}");
    let goldfinch = WordList::All.find("goldfinch").unwrap();
    assert!(own.of(goldfinch) > 0.1, "{}", own.of(goldfinch));
    let fits = |id: u16| {
        let text = word(WordId(id));
        ["g", "h", "n", "f"].iter().all(|letter| text.contains(letter))
    };
    let fitting: f64 = own.words.iter().filter(|(id, _)| fits(*id)).map(|(_, p)| p).sum();
    assert!(fitting > 0.99, "{fitting}");
}

/// The engine shows nothing that is untrue, or not known, of a word that is not listed.
#[test]
fn the_engine_shows_what_is_true_of_other_words() {
    let knowledge = Knowledge::shipped();
    for (word, settings) in [
        ("race_car", &[("Words", "free")][..]),
        ("goldfinch", &[("Words", "free")]),
        ("goldfinch", &[("Words", "free"), ("Lexicon", "all")]),
    ] {
        let mut position = start(settings);
        play(&mut position, &format!("word:a1:{word}"));
        let mut engine = Position::player("engine", &Settings::default()).unwrap();
        let Some(Named::Derived(entry)) = Lexicon::shipped().find(word) else { panic!("{word}") };
        for _ in 0..9 {
            let situation = Situation::new(position.clone());
            let request = Request::new(Limits::depth(1));
            let choice = engine.choose(&situation, &request, &mut |_| {}).unwrap();
            if let Move::Show(_, feature) = choice.best {
                let answer = Lexicon::shipped().answer(entry, feature);
                let fits = matches!(answer, Answer::Yes | Answer::Possibly);
                assert!(fits, "{word} {}: {answer:?}", knowledge.predicate(feature));
            }
            position.play(&choice.best);
            if matches!(choice.best, Move::Done(_)) {
                break;
            }
        }
        assert!(!position.objects().next().unwrap().1.shown.is_empty(), "{word}");
    }
}

/// Of a word that no lexicon has, a program that must show something shows as little as it may, what is
/// likely by the nearest known words.
#[test]
fn little_is_shown_of_a_word_that_no_lexicon_has() {
    let knowledge = Knowledge::shipped();
    for (settings, fewest) in [(vec![], 1), (vec![("NoBlobs", "true")], 2)] {
        let settings = [vec![("Words", "free")], settings].concat();
        for player in ["engine", "greedy", "plain"] {
            let mut player = Position::player(player, &Settings::default()).unwrap();
            let mut position = start(&settings);
            play(&mut position, "word:a1:calzone");
            while position.phase() == Phase::Show {
                let request = Request::new(Limits::depth(1));
                let situation = Situation::new(position.clone());
                let best = player.choose(&situation, &request, &mut |_| {}).unwrap().best;
                position.play(&best);
            }
            let shown = position.objects().next().unwrap().1.shown.clone();
            assert_eq!(shown.len(), fewest, "{shown:?}");
            for feature in shown {
                // The letters say little: what is shown is true of many things.
                let fits = |word: &WordId| knowledge.may_show(*word, feature);
                let share = knowledge.words().filter(fits).count();
                assert!(share * 3 > knowledge.len(), "{}", knowledge.predicate(feature));
            }
        }
    }
    // What the owner has shown says which words are near.
    let mut position = start(&[("Words", "free"), ("NoBlobs", "true")]);
    play(&mut position, "word:a1:zyzzyva show:a1:has_many_legs");
    let mut engine = Position::player("engine", &Settings::default()).unwrap();
    let situation = Situation::new(position.clone());
    let best =
        engine.choose(&situation, &Request::new(Limits::depth(1)), &mut |_| {}).unwrap().best;
    let Move::Show(_, feature) = best else { panic!("{best:?}") };
    let beetle = knowledge.find_word("beetle").unwrap();
    assert!(knowledge.may_show(beetle, feature), "{}", knowledge.predicate(feature));
}

/// How likely an object is a word besides the list grows when no known word fits, and hardly when
/// many do.
#[test]
fn other_words_are_believed_where_no_known_word_fits() {
    let knowledge = Knowledge::shipped();
    let id = |name: &str| knowledge.find_predicate(name).unwrap();
    let other = |words: &str, shown: &[&str], answers: &[(&str, Answer)]| {
        let rules = start(&[("Words", words)]).options().clone();
        let mut object = Object::default();
        object.shown.extend(shown.iter().map(|name| id(name)));
        let answers = answers.iter().map(|(name, answer)| (Question::Predicate(id(name)), *answer));
        object.answers.extend(answers);
        let mut belief = ObjectBelief::new(&rules);
        belief.update(&object, Seat::new(0), &rules, &[]);
        let total: f64 = belief.own.words.iter().map(|(_, p)| p).sum::<f64>() + belief.own.other;
        assert!((total - 1.0).abs() < 1e-9, "{total}");
        belief.own.other
    };
    let bird = ["has_beak", "has_wings"];
    let fitting = other("free", &bird, &[("is_bird", Answer::Yes)]);
    assert!((0.01..0.3).contains(&fitting), "{fitting}");
    let odd = [("is_bird", Answer::No), ("is_vehicle", Answer::Yes), ("is_food", Answer::Yes)];
    assert!(other("free", &bird, &odd) > 0.9, "{}", other("free", &bird, &odd));
    // The judge knows all of the words judged by hand.
    let silent = other("free", &bird, &[("is_bird", Answer::DontKnow)]);
    assert!(silent > 0.9, "{silent}");
    // What is dealt is one of the list.
    assert_eq!(other("deal", &bird, &odd[..1]), 0.0);
}

/// The most bytes of a line.
const LONGEST_LINE: usize = 256 * 1024;

#[test]
fn no_list_is_longer_than_256_kib_in_any_phase() {
    let prefixes = ["", "c", "curse:guess:", "curse:guess:b1:", "guess:b1:", "guess:b1:s", "word:"];
    let (mut many, mut listed) = (0, 0);
    for (seed, players) in ["3", "4", "5", "6", "duel"].into_iter().enumerate() {
        for (lexicon, words) in [("all", "deal"), ("all", "free"), ("core", "deal")] {
            let settings = [
                ("Players", players),
                ("Lexicon", lexicon),
                ("Words", words),
                ("CurseWindows", "turn"),
            ];
            let mut position = start(&settings);
            let mut random = Random::new(seed as u64);
            let mut seen = std::collections::HashSet::new();
            while let Some(m) = choose(&position, &mut random) {
                if seen.insert((position.phase(), position.window().is_some())) {
                    for prefix in prefixes {
                        match position.list_moves(prefix) {
                            MoveList::Listed(list) => {
                                let length =
                                    list.iter().map(|token| token.len() + 1).sum::<usize>();
                                assert!(
                                    length < LONGEST_LINE,
                                    "{length}: '{prefix}' of {position}"
                                );
                                assert!(list.is_sorted());
                                listed += 1;
                            }
                            MoveList::Many => many += 1,
                            MoveList::Hidden => {}
                        }
                    }
                    assert!(position.to_string().len() < LONGEST_LINE);
                }
                position.play(&m);
            }
        }
    }
    assert!(many > 50 && listed > 500, "{many} {listed}");
}

#[test]
fn a_prefix_lists_what_begins_with_it() {
    let settings = [("Players", "4"), ("Lexicon", "all")];
    let position = Table { settings: &settings, phase: "round2", ..FOUR }.set();
    assert_eq!(position.move_listing(), MoveListing::Many);
    assert_eq!(position.list_moves(""), MoveList::Many);
    let MoveList::Listed(list) = position.list_moves("guess:b1:jai") else { panic!() };
    assert!(list.contains(&"guess:b1:jail".to_string()), "{list:?}");
    let MoveList::Listed(list) = position.list_moves("guess:b1:") else { panic!() };
    assert_eq!(list.len(), WordList::All.len());
    assert_eq!(position.list_moves("pass"), MoveList::Listed(vec!["pass".into()]));
    // The names of two words are in the lexicon, and none of them is listed.
    assert!(Lexicon::shipped().find("ice cream").is_some());
    assert!(list.iter().all(|token| !token.contains('_')));
}
