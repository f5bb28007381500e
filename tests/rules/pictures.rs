//! The laws of pictures and steps, on random games under every rule set.

use parlor::game::picture::check_laws;
use parlor::game::{Chance, Game, Picture, Random, Seat, rule_sets};
use parlor::games::{GameVisitor, NAMES, Playable, with_game};

/// Walks random games and checks the laws on every position; returns how many there were.
fn walk<G: Picture>(games: u64, plies: usize, limit: usize) -> u64 {
    let mut positions = 0;
    for rules in rule_sets::<G>() {
        for game in 0..games {
            let mut random = Random::new(game);
            // Some values need others, such as a start beyond the default ring.
            let Ok(mut position) = G::start(&rules, None) else { continue };
            for _ in 0..plies {
                if let Err(error) = check_laws(&position, limit) {
                    panic!("{error}\nin {position}");
                }
                positions += 1;
                let Some(m) = position.random_move(&mut random) else { break };
                position.play(&m);
            }
        }
    }
    positions
}

/// The same for a run of many positions: some of every game, with the view of a seat where there are
/// secrets, under every rule set in turn.
fn walk_many<G: Picture>(wanted: u64) -> u64 {
    let mut positions = 0;
    for seed in 0.. {
        for rules in rule_sets::<G>() {
            let mut random = Random::new(1_000 + seed);
            let Ok(mut position) = G::start(&rules, None) else { continue };
            for _ in 0..PLIES {
                if random.below(4) == 0 {
                    let seat = Seat::new(random.below(position.seats() as u64) as usize);
                    let views = G::SECRETS.then(|| position.view(seat));
                    for shown in views.iter().chain([&position]) {
                        check_laws(shown, STEPS)
                            .unwrap_or_else(|error| panic!("{error}\nin {shown}"));
                        positions += 1;
                    }
                }
                if positions >= wanted {
                    return positions;
                }
                let turn = position.turn();
                let m = match turn.is_chance() {
                    true => position.throw(random.next()),
                    false => position.random_move(&mut random),
                };
                let Some(m) = m else { break };
                position.play(&m);
            }
        }
    }
    positions
}

fn slow_tests() -> bool {
    std::env::var("PARLOR_SLOW_TESTS").is_ok_and(|value| value == "1")
}

/// Plies of a game, and steps of the walk into the choices of a position.
const PLIES: usize = 160;
const STEPS: usize = 1_000;

/// Takes minutes: with the slow tests 100,000 positions, or as many as the variable says.
#[test]
fn laws_on_as_many_positions_as_asked_for() {
    let wanted: u64 = match std::env::var("PARLOR_LAW_POSITIONS") {
        Ok(count) => count.parse().unwrap(),
        Err(_) if slow_tests() => 100_000,
        Err(_) => return,
    };
    let share = wanted.div_ceil(NAMES.len() as u64);
    for name in NAMES {
        let started = std::time::Instant::now();
        let positions = with_game(name, WalkMany(share)).unwrap();
        println!("{name}: {positions} positions in {:.1} s", started.elapsed().as_secs_f64());
        assert!(positions >= share);
    }
}

struct WalkMany(u64);

impl GameVisitor for WalkMany {
    type Output = u64;

    fn visit<G: Playable>(self) -> u64 {
        walk_many::<G>(self.0)
    }
}

struct Walk;

impl GameVisitor for Walk {
    type Output = u64;

    fn visit<G: Playable>(self) -> u64 {
        // Some of every game: under one of many options there is much to walk.
        let (games, plies, limit) = match rule_sets::<G>().len() {
            0..=3 => (10, 80, 400),
            4..=10 => (1, 60, 300),
            _ => (1, 60, 100),
        };
        walk::<G>(games, plies, limit)
    }
}

#[test]
fn laws_under_every_option_of_every_game() {
    for name in NAMES {
        let positions = with_game(name, Walk).unwrap();
        assert!(positions > 200, "{name}: only {positions} positions");
    }
}

/// The laws on positions that random games seldom reach, under rules given as `Name=value`.
fn check_positions<G: Picture>(rules: &[(&str, &str)], positions: &[&str]) {
    let mut options = G::default_rules();
    rules.iter().for_each(|(name, value)| options.set(name, value).unwrap());
    for text in positions {
        let position = G::parse(text, &options, None).unwrap_or_else(|e| panic!("{text}: {e}"));
        let leaves =
            check_laws(&position, 300).unwrap_or_else(|error| panic!("{error}\nin {text}"));
        assert!(leaves > 0, "{text}");
    }
}

/// Random placements have what games from the start rarely show, such as a double that hits another.
#[test]
fn laws_on_random_placements_of_chowka_bhara() {
    use crate::chowka_bhara::{VARIANTS, random_position};
    let mut checked = 0;
    for options in VARIANTS {
        let mut random = Random::new(41);
        for _ in 0..20 {
            let mut position = random_position(options, &mut random);
            while let Some(m) = position.throw(random.next()) {
                position.play(&m);
            }
            let steps = check_laws(&position, 100);
            checked += steps.unwrap_or_else(|error| panic!("{options}: {error}\nin {position}"));
        }
    }
    assert!(checked > 2_000, "only {checked} steps");
}

#[test]
fn the_panel_of_chowka_bhara_tells_the_gate_of_each_seat() {
    for (turn, hits) in [("S", "S"), ("N", "S"), ("S", "N"), ("N", "N")] {
        let text = format!("3.5/-/4.7/- {turn} {hits} - 2");
        let board = crate::chowka_bhara::position(&text, "Pawns=2").board();
        let gates = board.panel.iter().map(|panel| {
            let gate = panel.items.iter().find(|item| item.name == "gate").expect("a gate");
            (panel.seat.as_str(), gate.value.as_str().expect("a word"))
        });
        let gate = |side| if side == hits { "open" } else { "closed" };
        assert!(gates.eq([("p1", gate("S")), ("p2", gate("N"))]), "{text}");
    }
}

#[test]
fn rare_positions_of_pacru() {
    // A connection, a player left without a move, rotations.
    let constructed = [
        "7[2S]1/9/9/9/9/9/a8/a8/[1E*]1ba5 1 2",
        "8[3SW]/9/9/9/3cc4/9/bbb6/9/[2SW]7[1N] 1 3",
        "8[2SW]/9/9/9/4[1N]4/9/9/a7a/a7a 1 2",
    ];
    check_positions::<parlor::games::pacru::Position>(&[], &constructed);
    let rare = include_str!("../data/pacru/rare.txt").lines();
    let rare: Vec<&str> = rare.map(|line| line.split(" | ").next().unwrap()).collect();
    // Their thousands of rotations would crowd out the moves.
    check_positions::<parlor::games::pacru::Position>(&[("Rotations", "false")], &rare);
}

/// A double is hit by a double; a pawn is hit on the way, and with four seats.
#[test]
fn hits_of_chowka_bhara() {
    type Position = parlor::games::chowka_bhara::Position;
    let two = ["2.2.24.24/-/11.11.0.0/- S SN - 1", "2.0.0.0/-/11.0.0.0/- S - - 4+1"];
    check_positions::<Position>(&[], &two);
    let four = ["19.0/20.22/0.0/0.0 S SENW - 4+1"];
    check_positions::<Position>(&[("Players", "4"), ("Pawns", "2")], &four);
}

struct Ends;

impl GameVisitor for Ends {
    type Output = Vec<(&'static str, usize, usize)>;

    /// Why random games ended, how many cells were told to have decided it, and how many points the
    /// winners have together, or pieces where nobody else has any.
    fn visit<G: Playable>(self) -> Self::Output {
        let mut ends = Vec::new();
        for seed in 0..8 {
            let mut random = Random::new(seed);
            let mut position = G::start(&G::default_rules(), None).unwrap();
            for ply in 0..4000 {
                let Some(m) = position.random_move(&mut random) else { break };
                if ply % 16 == 0 {
                    assert!(position.board().decided.is_empty(), "{position}");
                }
                position.play(&m);
            }
            let cells = position.table().cells;
            let decided = position.board().decided;
            assert!(decided.iter().all(|id| cells.iter().any(|cell| cell.id == *id)));
            let first = |seat: usize| position.outcome().is_some_and(|o| o.places()[seat] == 1);
            let points = position.points().unwrap_or_default().into_iter().enumerate();
            let points = points.filter(|(seat, _)| first(*seat)).map(|(_, points)| points as usize);
            let pieces = position.board().pieces.len();
            ends.extend(position.reason().map(|reason| match reason {
                "last-chevrons" => (reason, decided.len(), pieces),
                _ => (reason, decided.len(), points.sum()),
            }));
        }
        ends
    }
}

#[test]
fn a_board_tells_the_cells_that_decided_the_game() {
    let mut seen = Vec::new();
    for name in NAMES {
        for (reason, count, counted) in with_game(name, Ends).unwrap() {
            let expected = match reason {
                _ if ["pacru", "shacru", "azacru"].contains(name) => counted,
                "watering-holes" => 3,
                "eggs-home" | "porrika-taken" => 2,
                "egg-captured" | "all-home" | "finish" => 1,
                _ => 0,
            };
            assert_eq!(count, expected, "{name}: {reason}");
            seen.push(reason);
        }
    }
    let by_chevrons = ["last-chevrons", "no-more-gain", "last-round"];
    for reason in
        ["watering-holes", "egg-captured", "all-home", "finish"].into_iter().chain(by_chevrons)
    {
        assert!(seen.contains(&reason), "no game ended by {reason}: {seen:?}");
    }
}

#[test]
fn the_board_of_barca_tells_the_afraid_from_the_trapped() {
    let position = crate::barca::position("10/2E4e2/10/10/10/1e3m1M1L/lE8/l9/2m7/5M2L1 b");
    let board = position.board();
    let mut marks: Vec<_> =
        board.marks.iter().map(|mark| (mark.cell.as_str(), mark.kind.as_str())).collect();
    marks.sort_unstable();
    // From a3 the lion reaches c1, where it is calm; from a4 it reaches nothing but fear.
    assert_eq!(marks, [("a3", "afraid"), ("a4", "trapped")]);
}

mod barbarossa {
    use parlor::game::picture::{NoStep, check_laws, path, step};
    use parlor::game::{Game, Hidden, Notation, Picture, Random, Rules, Seat, Turn};
    use parlor::games::barbarossa::{Move, Position};
    use parlor::picture::{Step, to_line};

    use crate::barbarossa::driver::{choose, options, play, random_options, seats};
    use crate::barbarossa::views::twins;

    /// One game in the full state and every view, which masked moves carry along: the laws on one
    /// position of `every`, and a path for every masked move.
    fn check_game(players: &str, seed: u64, every: u64) -> u64 {
        let mut random = Random::new(seed);
        let options = random_options(players, &mut random);
        let mut full = Position::start(&options, None).unwrap();
        let mut views: Vec<Position> =
            seats(&full).map(|seat| Position::start(&options, Some(seat)).unwrap()).collect();
        let mut positions = 0;
        loop {
            if random.below(every) == 0 || full.turn().is_over() {
                for position in views.iter().chain([&full]) {
                    let checked = check_laws(position, 40);
                    checked.unwrap_or_else(|error| panic!("{error}\nin {position}"));
                    positions += 1;
                }
            }
            let Some(m) = choose(&full, &mut random) else { break };
            let choices = path(&full, &m);
            for (seat, view) in seats(&full).zip(&mut views) {
                let masked = full.mask(&m, seat);
                let seen = path(view, &masked);
                let matches = |(own, seen): (&String, &String)| own == seen || seen == "?";
                assert_eq!(seen.len(), choices.len());
                assert!(
                    masked != m && seen.len() == 1 && seen[0].ends_with('?')
                        || choices.iter().zip(&seen).all(matches),
                    "{seen:?} for {choices:?}"
                );
                view.play(&masked);
            }
            full.play(&m);
        }
        assert!(full.turn().is_over());
        positions
    }

    #[test]
    fn laws_in_whole_games_and_every_view() {
        let mut positions = 0;
        let seeds = if super::slow_tests() { 6 } else { 1 };
        for seed in 0..seeds {
            for players in ["3", "4", "5", "6", "duel"] {
                positions += check_game(players, seed, 10);
            }
        }
        assert!(positions > 300 * seeds, "only {positions} positions");
    }

    /// Everything that a client may be told at a position.
    fn told(position: &Position) -> String {
        let here = step(position, position.turn(), &[]);
        let next = here.iter().flat_map(|step| &step.next).map(|next| next.choice.clone());
        let next: Vec<Result<Step, NoStep>> =
            next.map(|choice| step(position, position.turn(), &[choice])).collect();
        format!(
            "{}\n{}\n{here:?}\n{next:?}",
            to_line(&position.table()),
            to_line(&position.board())
        )
    }

    #[test]
    fn a_view_shows_nothing_that_its_seat_was_not_told() {
        let mut compared = 0;
        for seed in 0..24 {
            let mut random = Random::new(seed);
            let players = ["3", "4", "duel"][random.below(3) as usize];
            let options =
                options(&[("Players", players), ("Answerer", "owner"), ("Words", "free")]);
            let viewer = Seat::new(random.below(2) as usize);
            let mut one = Position::start(&options, None).unwrap();
            let mut other = one.clone();
            for _ in 0..200 {
                let Some((m, twin)) = twins(&one, &other, viewer, &mut random) else { break };
                one.play(&m);
                other.play(&twin);
                compared += u64::from(one != other);
                let told = [&one, &other].map(|state| told(&state.view(viewer)));
                assert_eq!(told[0], told[1]);
            }
        }
        assert!(compared > 300, "only {compared} pairs of states differed");
    }

    /// A table of three with free words, p1 on a ? and about to ask.
    fn asking() -> Position {
        let rules = options(&[("Words", "free"), ("Letters", "position"), ("Round2", "either")]);
        let mut position = Position::start(&rules, None).unwrap();
        let words = "teapot owl key apple anvil harp boat crown drum".split(' ');
        for word in words {
            let Turn::Seat(_) = position.turn() else { panic!("words are due") };
            let name = choices(&position, &[]).text.rsplit(' ').next().unwrap().to_owned();
            play(&mut position, &format!("word:{name}:{word}"));
            let feature = choices(&position, &[]).next[0].choice.clone();
            play(&mut position, &format!("show:{name}:{feature} done:{name}"));
        }
        play(&mut position, "first:p1 pass pass pass jewels:3 pass pass pass");
        position
    }

    fn owned(path: &[&str]) -> Vec<String> {
        path.iter().map(|choice| (*choice).to_owned()).collect()
    }

    fn choices(position: &Position, path: &[&str]) -> Step {
        step(position, position.turn(), &owned(path)).unwrap()
    }

    fn refused(position: &Position, path: &[&str]) -> String {
        step(position, position.turn(), &owned(path)).unwrap_err().to_string()
    }

    fn names(step: &Step) -> Vec<&str> {
        step.next.iter().map(|next| next.choice.as_str()).collect()
    }

    #[test]
    fn questions_are_listed_by_group_or_asked_in_own_words() {
        let position = asking();
        let cards = choices(&position, &[]);
        assert_eq!(names(&cards), ["stop", "b1", "b2", "b3", "c1", "c2", "c3"]);
        assert_eq!(cards.next[1].card.as_deref(), Some("b1"));
        let step = choices(&position, &["b1"]);
        let alive = step.next.iter().find(|next| next.choice == "is_alive").unwrap();
        assert_eq!(alive.group.as_deref(), Some("kind"));
        assert_eq!(alive.label.as_deref(), Some("Is it alive?"));
        let form = step.form.unwrap();
        assert_eq!((form.prefix.as_str(), form.escape.as_deref()), ("~", Some("percent")));
        // The text as a form sends it; the token escapes more.
        let asked = choices(&position, &["b1", "~Does%20it%20fly?"]);
        assert_eq!(asked.token.as_deref(), Some("ask:b1:~%44oes%20it%20fly%3F"));
        let small = choices(&position, &["b1", "~Does%20it%20fly%3f"]);
        assert_eq!(small.token, asked.token);
        // What is not understood is not spent without a word.
        let unsure = choices(&position, &["b1", "~Does%20it%20not%20fly?"]);
        assert!(unsure.token.is_none() && names(&unsure).last() == Some(&"anyway"));
        assert!(unsure.text.contains("turned round") && names(&unsure).contains(&"can_fly"));
        let instead = choices(&position, &["b1", "~Does%20it%20not%20fly?", "can_fly"]);
        assert_eq!(instead.token.as_deref(), Some("ask:b1:can_fly"));
        let anyway = choices(&position, &["b1", "~Does%20it%20bark?", "anyway"]);
        assert_eq!(anyway.token.as_deref(), Some("ask:b1:~%44oes%20it%20bark%3F"));
        let error = refused(&position, &["b1", "~Does%20it%20bark?", "is_round"]);
        assert!(error.starts_with("choice 3 'is_round'"), "{error}");
        for [choice, reason] in [
            ["~", "a question has words"],
            ["~%FF", "not UTF-8"],
            ["~%2", "after % come two hexadecimal digits"],
            ["is_aliv", "nearest: is_alive"],
        ] {
            let error = refused(&position, &["b1", choice]);
            assert!(error.starts_with("choice 2") && error.contains(reason), "{error}");
        }
        let error = refused(&position, &["b1", &format!("~{}", "%20".repeat(134))]);
        assert!(error.contains("at most 400"), "{error}");
        // Every question that fits the form is read.
        let longest = form.max.unwrap() as usize;
        let text = format!("~{}", "A".repeat(longest));
        assert!(choices(&position, &["b1", &text, "anyway"]).token.is_some());
        assert!(refused(&position, &["a1"]).starts_with("choice 1 'a1'"));
    }

    #[test]
    fn a_word_is_completed_by_its_beginning() {
        let mut position = asking();
        play(&mut position, "stop pass");
        let guess = choices(&position, &["b2"]);
        assert!(guess.next.is_empty() && guess.form.unwrap().complete);
        let begun = choices(&position, &["b2", "Anv*"]);
        assert_eq!((names(&begun), &begun.path), (vec!["anvil"], &owned(&["b2"])));
        let none = choices(&position, &["b2", "zzz*"]);
        assert!(none.next.is_empty() && none.form.is_some());
        let all = choices(&position, &["b2", "*"]);
        assert!(all.next.len() > 1_000);
        assert_eq!(choices(&position, &["b2", "Anvil"]).token.as_deref(), Some("guess:b2:anvil"));
        // With free words any word may be guessed.
        assert!(choices(&position, &["b2", "zyzzyva"]).token.is_some());
        assert!(refused(&position, &["b2", "an*", "x"]).contains("only the last choice"));
        assert!(refused(&position, &["b2", "anvil", "x"]).contains("the move is complete"));
        assert_eq!(choices(&position, &["again"]).token.as_deref(), Some("again"));
    }

    #[test]
    fn a_space_that_several_costs_reach_asks_how_many() {
        let mut position = asking();
        play(&mut position, "stop pass pass");
        // p2, with 12 jewels on a ring of twelve, reaches every space once.
        play(&mut position, "pass pass pass");
        let spaces = choices(&position, &[]);
        assert_eq!(spaces.next.len(), 13);
        assert_eq!(spaces.next[1].cell.as_deref(), Some("ring1"));
        assert_eq!(spaces.next[1].cost.as_deref(), Some("Stairs, 1 jewel"));
        let leaf = choices(&position, &["ring5"]);
        assert_eq!(leaf.token.as_deref(), Some("jewels:5"));
        // The pawn goes, five jewels are spent, and at the dragon the two others score.
        assert_eq!(leaf.show.len(), 1 + 5 + 2);
        let rules = options(&[("Ring", "QQEEDG"), ("Words", "free")]);
        let text = position.to_string().replace("ring=ESDQSDESGQSD", "ring=QQEEDG");
        let six = Position::parse(&text, &rules, None).unwrap();
        let spaces = choices(&six, &[]);
        assert_eq!(names(&spaces)[..2], ["roll", "ring1"]);
        assert_eq!(spaces.next[1].cost.as_deref(), Some("?, 1 or 7 jewels"));
        assert_eq!(names(&choices(&six, &["ring1"])), ["1", "7"]);
        assert_eq!(choices(&six, &["ring1", "7"]).token.as_deref(), Some("jewels:7"));
        let m = six.parse_move("jewels:7").unwrap();
        assert_eq!(six.path(&m), ["ring1", "7"]);
        assert!(refused(&six, &["ring1", "2"]).starts_with("choice 2"));
    }

    #[test]
    fn cards_tell_what_the_viewer_may_know() {
        let mut position = asking();
        play(&mut position, "ask:b2:is_alive no pass pass pass");
        play(&mut position, "guess:b2:teapot wrong pass curse:letter:b2:1 give:a");
        let title = |position: &Position, id: &str| {
            let board = position.board();
            let card = board.cards.iter().find(|card| card.id == id).unwrap().clone();
            (card.title, card.secret, card.lines)
        };
        let [p1, p2, p3] = [0, 1, 2].map(|seat| position.view(Seat::new(seat)));
        let (word, secret, lines) = title(&position, "b2");
        assert_eq!((word.as_str(), secret), ("anvil", false));
        assert_eq!(
            lines[1..],
            ["Is it alive? no", "letter 1 for p3: a", "p1 guessed teapot: wrong"]
        );
        assert!(lines[0].starts_with("clay: "));
        assert_eq!(title(&p2, "b2"), ("anvil".into(), true, lines.clone()));
        let hidden = title(&p3, "b2");
        assert_eq!((hidden.0.as_str(), hidden.1), ("?", true));
        assert_eq!(hidden.2[2..], ["letter 1 for p3: a", "p1 guessed ?: wrong"]);
        let guessed = title(&p1, "b2");
        assert_eq!(guessed.2[2..], ["letter 1 for p3: ?", "p1 guessed teapot: wrong"]);
        let m: Move = p3.parse_move("guess:b2:?").unwrap();
        assert_eq!(p3.path(&m), ["b2", "?"]);
    }

    #[test]
    fn a_board_with_many_long_questions_fits_an_answer() {
        let line = asking().to_string();
        let unicode = "%E8%BB%8A".repeat(20);
        let many: Vec<String> = (0..900).map(|number| format!("~{number}{unicode}-d")).collect();
        let (before, c1) = line.split_once("c1|").unwrap();
        let long =
            format!("{before}c1|{}", c1.replacen("qa=", &format!("qa={}", many.join(",")), 1));
        let rules = options(&[("Words", "free"), ("Letters", "position"), ("Round2", "either")]);
        let position =
            Position::parse(&long, &rules, None).unwrap_or_else(|error| panic!("{error}"));
        let board = position.board();
        assert!(to_line(&board).len() <= parlor::picture::MAX_BYTES);
        let card = board.cards.iter().find(|card| card.id == "c1").unwrap();
        assert!(card.lines[0].starts_with("clay: "));
        assert!(card.lines[1].ends_with("earlier lines are left out)"), "{}", card.lines[1]);
        assert!(card.lines.len() > 20 && card.lines.last().unwrap().starts_with("899"));
    }

    #[test]
    fn groups_are_the_sections_of_the_vocabulary() {
        let text = include_str!("../../data/barbarossa/predicates.txt");
        let position = asking();
        let next = choices(&position, &["b1"]).next;
        let mut groups: Vec<(usize, String)> = Vec::new();
        let mut section = 0;
        for line in text.lines() {
            section += usize::from(line.starts_with("# ") && line.len() < 60);
            let Some(name) = line.strip_prefix("predicate ") else { continue };
            let name = name.split(' ').next().unwrap();
            let Some(button) = next.iter().find(|next| next.choice == name) else { continue };
            groups.push((section, button.group.clone().unwrap()));
        }
        groups.dedup();
        // One group to a section; the second half of the vocabulary has groups of the first again.
        assert_eq!(groups.len(), 18, "{groups:?}");
        let mut sections: Vec<usize> = groups.iter().map(|(section, _)| *section).collect();
        sections.dedup();
        assert_eq!(sections.len(), 18, "{groups:?}");
    }
}
