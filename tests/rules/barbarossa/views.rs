//! Views: they follow the full state, reveal nothing else, and suffice to decide.

use parlor::game::{
    Chance, Chances, Game, Hidden, MoveListing, Notation, Picture, Random, Rules, Seat, Turn,
};
use parlor::games::barbarossa::{Gift, Move, Phase, Position, Secret};

use super::driver::{choose, extent, options, random_options, seats};
use super::vectors::{FOUR, Table};

/// Plays one game in the full state and in every seat's view. Each step checks turn, outcome and
/// points; one step in `every` compares views and full state completely. Returns the number of
/// states compared.
pub fn check_game(players: &str, seed: u64, every: u64) -> u64 {
    let mut random = Random::new(seed);
    let options = random_options(players, &mut random);
    let mut full = Position::start(&options, None).unwrap();
    let mut views: Vec<Position> =
        seats(&full).map(|seat| Position::start(&options, Some(seat)).unwrap()).collect();
    let mut states = 0;
    loop {
        let thorough = random.below(every) == 0;
        states += if thorough { 1 + views.len() as u64 } else { 0 };
        for (seat, view) in seats(&full).zip(&views) {
            check_view(&full, view, seat, thorough);
        }
        if thorough {
            check_text(&full, None, &options);
            for (seat, view) in seats(&full).zip(&views) {
                check_text(view, Some(seat), &options);
            }
        }
        let Some(m) = choose(&full, &mut random) else {
            break;
        };
        assert!(full.is_legal(&m), "{m:?} in {}", full);
        for (seat, view) in seats(&full).zip(&mut views) {
            let masked = full.mask(&m, seat);
            assert!(
                view.is_legal(&masked),
                "{masked:?}: {} in {}",
                view.explain_illegal(&masked),
                view
            );
            view.play(&masked);
        }
        full.play(&m);
    }
    assert!(full.turn().is_over(), "a game stopped in {}", full);
    states
}

fn check_view(full: &Position, view: &Position, seat: Seat, thorough: bool) {
    assert_eq!(view.viewer(), Some(seat));
    assert_eq!(view.turn(), full.turn(), "{}", full);
    assert_eq!(view.outcome(), full.outcome());
    assert_eq!(view.points(), full.points());
    if !thorough {
        return;
    }
    let masked = full.view(seat);
    assert_eq!(view, &masked, "view of {seat} of {}", full);
    assert_eq!(view.key(), view.fresh_key());
    assert_eq!(view.key(), masked.key());
    if view.turn() == Turn::Seat(seat) {
        assert_eq!(view.move_listing(), full.move_listing(), "{}", view);
        assert_ne!(view.move_listing(), MoveListing::Hidden, "{}", view);
        assert_eq!(view.moves(), full.moves(), "moves of {seat} in {}", full);
    }
    if let (Turn::Chance { .. }, Chances::Listed(outcomes)) = (view.turn(), view.chances()) {
        assert_eq!(Chances::Listed(outcomes), full.chances(), "{}", view);
    }
}

fn check_text(position: &Position, viewer: Option<Seat>, options: &parlor::game::OptionValues) {
    let line = position.to_string();
    let read =
        Position::parse(&line, options, viewer).unwrap_or_else(|error| panic!("{line}: {error}"));
    assert_eq!(&read, position, "{line}");
    assert_eq!(read.key(), position.key(), "{line}");
    assert_eq!(read.to_string(), line);
}

#[test]
fn views_and_full_state_stay_consistent() {
    let wanted = extent(10_000, 100_000);
    let mut states = 0;
    for seed in 0.. {
        for players in ["3", "4", "5", "6", "duel"] {
            states += check_game(players, seed, 1);
        }
        if states >= wanted {
            break;
        }
    }
}

/// Two full states with the same public events and the same private events of one seat: the words,
/// gifts and guesses of the others are exchanged wherever that leaves what is said aloud the same.
#[test]
fn a_view_reveals_nothing_but_what_its_seat_knows() {
    let mut compared = 0;
    for seed in 0..extent(30, 60) {
        let mut random = Random::new(seed);
        let players = ["3", "4", "duel"][random.below(3) as usize];
        let options = options(&[("Players", players), ("Answerer", "owner"), ("Words", "free")]);
        let viewer = Seat::new(random.below(2) as usize);
        let mut one = Position::start(&options, None).unwrap();
        let mut other = one.clone();
        for _ in 0..600 {
            let Some((m, twin)) = twins(&one, &other, viewer, &mut random) else {
                break;
            };
            let masked = one.mask(&m, viewer);
            assert_eq!(other.mask(&twin, viewer), masked);
            one.play(&m);
            other.play(&twin);
            if one != other {
                compared += 1;
            }
            let lines = [&one, &other].map(|state| state.view(viewer).to_string());
            assert_eq!(lines[0], lines[1]);
        }
    }
    assert!(compared > 500, "only {compared} pairs of states differed");
}

/// A move of each state that the viewer cannot tell from each other.
pub fn twins(
    one: &Position,
    other: &Position,
    viewer: Seat,
    random: &mut Random,
) -> Option<(Move, Move)> {
    let tried: Vec<Move> = (0..12).filter_map(|_| choose(one, random)).collect();
    tried.into_iter().chain(one.moves()).find_map(|m| {
        let twin = twin_of(&m, one, other, viewer, random)?;
        Some((m, twin))
    })
}

fn twin_of(
    m: &Move,
    one: &Position,
    other: &Position,
    viewer: Seat,
    random: &mut Random,
) -> Option<Move> {
    let masked = one.mask(m, viewer);
    if *m == masked {
        return other.is_legal(m).then(|| m.clone());
    }
    let right = |state: &Position, m: &Move| {
        let (Move::Guess(name, word) | Move::CurseGuess(name, word)) = m else {
            return false;
        };
        let secret = state.object(*name).known_word();
        secret.zip(word.known()).is_some_and(|(secret, guess)| secret == guess)
    };
    // A verdict is public, so both guesses must be right or both wrong.
    let alike: Vec<Move> = other
        .moves()
        .into_iter()
        .filter(|twin| other.mask(twin, viewer) == masked && right(other, twin) == right(one, m))
        .collect();
    let choice = random.below(alike.len() as u64) as usize;
    alike.into_iter().nth(choice)
}

#[test]
fn transcripts_of_a_seat_never_name_the_words_of_others() {
    const NO_JUDGE: &str = "no judge token";
    let (mut searched, mut judges) = (0, 0);
    for seed in 0..40 {
        let mut random = Random::new(1_000 + seed);
        let players = ["3", "4", "5", "6", "duel"][seed as usize % 5];
        let options = random_options(players, &mut random);
        let mut full = Position::start(&options, None).unwrap();
        let count = full.seats();
        let mut transcripts = vec![String::new(); count];
        let mut secrets: Vec<(Seat, String)> = Vec::new();
        let mut own_guesses: Vec<Vec<String>> = vec![Vec::new(); count];
        let mut judge = NO_JUDGE.to_string();
        while let Some(m) = choose(&full, &mut random) {
            if let Move::Judge(Secret::Known(token)) = m {
                judge = format!("{token:08x}");
            }
            note_secrets(&full, &m, &mut secrets, &mut own_guesses);
            for seat in Seat::all(count) {
                let transcript = &mut transcripts[seat.index()];
                transcript.push_str(&full.token(&full.mask(&m, seat)));
                transcript.push(' ');
                if random.below(40) == 0 {
                    transcript.push_str(&full.view(seat).to_string());
                    transcript.push('\n');
                }
            }
            full.play(&m);
        }
        for seat in Seat::all(count) {
            let transcript = &transcripts[seat.index()];
            let told: Vec<&str> =
                transcript.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
            for (owner, word) in secrets.iter().filter(|(owner, _)| *owner != seat) {
                // Words of the lexicon that every position line holds anyway.
                let ours = ["die", "letter", "pawn", "ring"].contains(&word.as_str());
                let may = ours
                    || own_guesses[seat.index()].contains(word)
                    || secrets.iter().any(|(other, own)| other == &seat && own == word);
                assert!(may || !told.contains(&word.as_str()), "{seat} reads {word} of {owner}");
                searched += 1;
            }
            assert!(!transcript.contains(&judge), "{seat} reads the judge token {judge}");
            judges += usize::from(judge != NO_JUDGE);
        }
    }
    assert!(searched > 1_000 && judges > 20, "{searched} words and {judges} tokens searched");
}

/// Collects what a move keeps from others, and what each seat guessed or was shown as a guess.
fn note_secrets(
    full: &Position,
    m: &Move,
    secrets: &mut Vec<(Seat, String)>,
    own_guesses: &mut [Vec<String>],
) {
    match m {
        Move::Deal(name, Secret::Known(_)) => {
            let token = full.token(m);
            let words = token.rsplit(':').next().unwrap_or("");
            secrets.extend(words.split(',').map(|word| (name.owner, word.to_string())));
        }
        Move::Word(name, Secret::Known(word)) => secrets.push((name.owner, word.text().into())),
        Move::Guess(name, Secret::Known(word)) | Move::CurseGuess(name, Secret::Known(word)) => {
            let text = word.text().to_string();
            let guesser = full.turn().seat().unwrap();
            own_guesses[guesser.index()].push(text.clone());
            own_guesses[name.owner.index()].push(text.clone());
            secrets.push((guesser, text));
        }
        _ => {}
    }
}

#[test]
fn a_letter_is_seen_by_its_asker_and_its_owner_alone() {
    let options = options(&[("Words", "free")]);
    let mut random = Random::new(3);
    let mut full = Position::start(&options, None).unwrap();
    let mut gifts = 0;
    while gifts < 3 {
        let m = choose(&full, &mut random).unwrap();
        if let Move::Give(Secret::Known(Gift::Letter(_))) = m {
            let owner = full.turn().seat().unwrap();
            let asker = match full.curse() {
                Some(curse) => curse.seat,
                None => full.active().unwrap(),
            };
            for seat in seats(&full) {
                let hidden = full.mask(&m, seat) == Move::Give(Secret::Masked);
                assert_eq!(hidden, seat != owner && seat != asker);
            }
            gifts += 1;
        }
        full.play(&m);
        assert!(full.phase() != Phase::Over || gifts >= 3, "the game ended too soon");
    }
}

#[test]
fn what_the_viewer_cannot_know_is_hidden_and_every_outcome_fits() {
    let options = options(&[("Words", "deal")]);
    let mut full = Position::start(&options, None).unwrap();
    let viewer = Seat::new(1);
    let mut view = Position::start(&options, Some(viewer)).unwrap();
    assert_eq!(full.chances(), Chances::Many);
    assert_eq!(view.chances(), Chances::Hidden);
    assert_eq!(view.throw(1), None);
    let mut random = Random::new(11);
    let (mut answers, mut verdicts) = (0, 0);
    while let Some(m) = choose(&full, &mut random) {
        let known = view.chances() != Chances::Hidden;
        match &m {
            Move::Answer(_) if !known => {
                answers += 1;
                for token in ["yes", "no", "possibly", "dontknow"] {
                    assert!(view.is_legal(&view.parse_move(token).unwrap()));
                }
            }
            Move::Verdict(_) if !known => {
                verdicts += 1;
                assert!(
                    view.is_legal(&Move::Verdict(true)) && view.is_legal(&Move::Verdict(false))
                );
            }
            Move::Die(_) | Move::First(_) => assert!(known),
            _ => {}
        }
        view.play(&full.mask(&m, viewer));
        full.play(&m);
    }
    assert!(answers > 3 && verdicts > 3, "{answers} answers, {verdicts} verdicts");
}

/// People are told what others do, and no secret of it.
#[test]
fn what_a_seat_does_is_told_in_words() {
    let position = Position::start(&options(&[]), None).unwrap();
    let told = |token: &str| position.told(&position.parse_move(token).unwrap());
    for (token, words) in [
        ("roll", Some("rolls")),
        ("jewels:3", Some("spends 3 jewels")),
        ("show:a1:is_flat", Some("")),
        ("ask:b1:is_alive", Some("asks about b1: Is it alive?")),
        ("guess:b1:teapot", Some("guesses b1: teapot")),
        ("guess:b1:?", Some("guesses b1")),
        ("curse:guess:b1:?", Some("spends a curse token and guesses b1")),
        ("curse:letter:b1", Some("spends a curse token on a letter of b1")),
        ("pass", None),
    ] {
        assert_eq!(told(token).as_deref(), words, "{token}");
    }
    // On index 3 of the ring ESDQSDESGQSD with all the jewels that a seat may have.
    let position = Table { phase: "die", jewels: "13,12,12,12", ..FOUR }.set();
    for (token, words) in [
        ("r1", "throws 1 and comes to Stairs"),
        ("r2", "throws 2 and comes to Dragon: all others score 1"),
        ("r3", "throws 3 and comes to Elf"),
        ("r5", "throws 5 and comes to Ghosts: all others score 2"),
    ] {
        let m = position.parse_move(token).unwrap();
        assert_eq!(position.told(&m).as_deref(), Some(words), "{token}");
    }
    let position = Table { phase: "move", ..FOUR }.set();
    let told = position.told(&position.parse_move("jewels:4").unwrap());
    assert_eq!(told.as_deref(), Some("spends 4 jewels and comes to Stairs: a jewel more"));
}

/// A right guess stays on the card of who made it, and no other player reads it.
#[test]
fn a_right_guess_stays_known_to_its_guesser_alone() {
    let of_turn = FOUR.set();
    let window = Table { turn: 1, phase: "start", curses: "0,1,0,0", ..FOUR };
    let of_curse = Table { extra: "asked=0 pend=- win=2:0", ..window }.set();
    for (mut full, guess) in [(of_turn, "guess:c1:snail"), (of_curse, "curse:guess:c1:snail")] {
        let guesser = full.turn().seat().unwrap();
        let mut views: Vec<Position> = seats(&full).map(|seat| full.view(seat)).collect();
        for token in [guess, "right"] {
            let m = full.parse_move(token).unwrap();
            for (seat, view) in seats(&full).zip(&mut views) {
                view.play(&full.mask(&m, seat));
            }
            full.play(&m);
        }
        for (seat, view) in seats(&full).zip(&views) {
            assert_eq!(view, &full.view(seat), "{seat} after {guess}");
            check_text(view, Some(seat), &options(FOUR.settings));
            let line = view.to_string();
            let arrow = line.split(' ').find(|part| part.starts_with("arrows=")).unwrap();
            let expected = if seat == guesser { ":snail" } else { "" };
            assert_eq!(arrow, format!("arrows=c1:{guesser}{expected}"), "{seat}");
            let card = serde_json::to_string(&view.board()).unwrap();
            let owner = seat.index() == 2;
            assert_eq!(card.contains("snail"), seat == guesser || owner, "the card of {seat}");
        }
        assert!(full.to_string().contains(&format!(" arrows=c1:{guesser} ")), "{full}");
    }
}

/// What an arrow says of its guess is right, and is not for the eyes of all.
#[test]
fn the_guess_of_an_arrow_is_checked() {
    let arrows = |arrows| Table { arrows, ..FOUR }.line();
    let full = |line: &str| Position::parse(line, &options(FOUR.settings), None);
    let plain = full(&arrows("c1:p1")).unwrap();
    assert_eq!(full(&arrows("c1:p1:snail")).unwrap(), plain);
    // Another name of the same thing is kept as it was guessed.
    let synset = options(&[("Players", "4"), ("Words", "free"), ("Match", "synset")]);
    let other = arrows("c1:p1:cougar").replace("w=snail|show=is_spiral", "w=puma|show=has_tail");
    let position = Position::parse(&other, &synset, None).unwrap();
    assert_eq!(position.to_string(), other);
    for (seat, arrow) in [(0, "c1:p1:cougar"), (1, "c1:p1"), (2, "c1:p1:cougar"), (3, "c1:p1")] {
        let view = position.view(Seat::new(seat)).to_string();
        assert!(view.contains(&format!(" arrows={arrow} ")), "{view}");
    }
    for (list, message) in [
        ("c1:p1:cup", "arrows: 'cup' is wrong"),
        ("c1:p1:snail:x", "OBJECT:SEAT[:WORD]"),
        ("c1:p3:snail", "an arrow of its owner"),
        ("c1:p1:7", "7"),
    ] {
        let error = full(&arrows(list)).unwrap_err().to_string();
        assert!(error.contains(message), "{list}: {error}");
    }
    // p2 may not read what p1 guessed of p3's object.
    let line = plain.view(Seat::new(1)).to_string().replace("=c1:p1 ", "=c1:p1:snail ");
    let read = Position::parse(&line, &options(FOUR.settings), Some(Seat::new(1)));
    let error = read.unwrap_err().to_string();
    assert!(error.contains("not for this view"), "{error}");
}
