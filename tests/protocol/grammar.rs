//! Lines and what they are read as.

use parlor::protocol::{
    Code, Command, Dialect, GoArguments, ParsedLine, PositionArgument, Root, command_word,
    parse_line,
};
use proptest::prelude::*;

use crate::fuzzing::cases;

fn command(line: &str) -> Command {
    match parse_line(line).command {
        Some(Ok(command)) => command,
        other => panic!("{line}: {other:?}"),
    }
}

fn refusal(line: &str) -> (Code, String) {
    match parse_line(line).command {
        Some(Err(error)) => (error.code, error.text),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn every_simple_command_is_read() {
    for (line, expected) in [
        ("ugi", Command::Handshake(Dialect::Ugi)),
        ("uci", Command::Handshake(Dialect::Uci)),
        ("xboard", Command::XBoard),
        ("isready", Command::IsReady),
        ("stop", Command::Stop),
        ("ponderhit", Command::PonderHit),
        ("quit", Command::Quit),
        ("uginewgame", Command::NewGame),
        ("ucinewgame", Command::NewGame),
        ("debug on", Command::Debug(true)),
        ("debug off", Command::Debug(false)),
        ("d", Command::Draw),
        ("eval", Command::Evaluate),
        ("perft 5", Command::Perft(5)),
        ("bench", Command::Bench(None)),
        ("bench 7", Command::Bench(Some(7))),
        ("help", Command::Help(None)),
        ("help go", Command::Help(Some("go".into()))),
        ("\t isready \r", Command::IsReady),
    ] {
        assert_eq!(command(line), expected, "{line}");
    }
}

#[test]
fn a_position_is_read_in_all_its_parts() {
    let Command::Position(position) =
        command("position fen a b/c  w view p2 moves deal:a1:? word:a1:x")
    else {
        panic!()
    };
    assert_eq!(position.root, Root::Fen("a b/c w".into()));
    assert_eq!(position.view.as_deref(), Some("p2"));
    assert_eq!(position.moves, ["deal:a1:?", "word:a1:x"]);
    let text = "startpos view p1 moves a b";
    assert_eq!(PositionArgument::parse(text).unwrap().to_string(), text);
    assert_eq!(PositionArgument::parse("startpos moves").unwrap().to_string(), "startpos");
}

#[test]
fn option_names_and_values_may_hold_spaces() {
    let read = |line| match command(line) {
        Command::SetOption { name, value } => (name, value),
        other => panic!("{other:?}"),
    };
    let text = |text: &str| Some(text.to_string());
    assert_eq!(read("setoption name Move Overhead value 30"), ("Move Overhead".into(), text("30")));
    assert_eq!(read("setoption name Clear Hash"), ("Clear Hash".into(), None));
    assert_eq!(read("setoption name F value a  value b "), ("F".into(), text("a  value b")));
    assert_eq!(read("setoption name F value"), ("F".into(), text("")));
}

#[test]
fn clocks_come_in_any_subset_and_order_also_negative_and_fractional() {
    let Command::Go(go) = command("go p3inc 2.5 btime -7 movestogo 12 p1time 1000 winc 3") else {
        panic!()
    };
    assert_eq!((go.increment[2], go.time[1], go.moves_to_go), (Some(2.5), Some(-7.0), Some(12)));
    assert_eq!((go.time[0], go.increment[0]), (Some(1000.0), Some(3.0)));
    assert!(go.refused.is_empty());
}

fn go(line: &str) -> GoArguments {
    match command(line) {
        Command::Go(go) => *go,
        other => panic!("{line}: {other:?}"),
    }
}

/// Every word of `go` with its argument, and what it sets.
fn go_words() -> Vec<(String, GoArguments)> {
    let none = GoArguments::default;
    let mut words = vec![
        ("movestogo 12".to_owned(), GoArguments { moves_to_go: Some(12), ..none() }),
        ("movetime 2.5".into(), GoArguments { move_time: Some(2.5), ..none() }),
        ("depth 13".into(), GoArguments { depth: Some(13), ..none() }),
        ("nodes 14".into(), GoArguments { nodes: Some(14), ..none() }),
        ("mate 15".into(), GoArguments { mate: Some(15), ..none() }),
        ("infinite".into(), GoArguments { infinite: true, ..none() }),
        ("ponder".into(), GoArguments { ponder: true, ..none() }),
    ];
    let seats = (0..9).map(|seat| (format!("p{}", seat + 1), seat));
    for (name, seat) in seats.chain([("w".to_owned(), 0), ("b".to_owned(), 1)]) {
        let value = 100.0 + seat as f64;
        let mut time = none();
        time.time[seat] = Some(value);
        words.push((format!("{name}time {value}"), time));
        let mut increment = none();
        increment.increment[seat] = Some(value);
        words.push((format!("{name}inc {value}"), increment));
    }
    words
}

#[test]
fn every_word_of_go_sets_its_own_argument_and_ends_a_list_of_moves() {
    for (words, expected) in go_words() {
        assert_eq!(go(&format!("go {words}")), expected);
        let moves = |list: &[&str]| GoArguments {
            search_moves: list.iter().map(ToString::to_string).collect(),
            ..expected.clone()
        };
        assert_eq!(go(&format!("go searchmoves a1 b2 {words}")), moves(&["a1", "b2"]));
        assert_eq!(go(&format!("go {words} searchmoves a1 b2")), moves(&["a1", "b2"]));
        // The last of two equal words counts.
        if let Some((word, _)) = words.split_once(' ') {
            assert_eq!(go(&format!("go {word} 7 {words}")), expected);
        }
    }
    for unknown in ["p0time 5", "p10time 5", "p1 time 5", "ptime 5", "wdepth 5", "Depth 5"] {
        assert_eq!(go(&format!("go {unknown}")), GoArguments::default(), "{unknown}");
    }
}

#[test]
fn numbers_have_the_shape_of_the_grammar() {
    for (text, value) in [("0", 0.0), ("-0.5", -0.5), ("007", 7.0), ("12.25", 12.25)] {
        assert_eq!(go(&format!("go p4time {text}")).time[3], Some(value));
    }
    for text in ["+5", ".5", "5.", "1e3", "--5", "5,5", "inf", "NaN", "0x10", "5.5.5"] {
        assert_eq!(go(&format!("go p4time {text}")).refused.len(), 1, "{text}");
    }
    for text in ["-1", "1.5", "+1", "x"] {
        for word in ["depth", "nodes", "mate", "movestogo"] {
            assert_eq!(go(&format!("go {word} {text}")).refused.len(), 1, "{word} {text}");
        }
    }
    assert_eq!((command("perft 1000"), command("bench 0")), {
        (Command::Perft(1000), Command::Bench(Some(0)))
    });
    assert_eq!(refusal("perft 1001").0, Code::BadNumber);
    assert_eq!(command("debug"), Command::Debug(true));
    assert_eq!(command("joho go nodes 3"), command("go nodes 3"));
}

#[test]
fn searchmoves_end_at_the_next_go_word() {
    let Command::Go(go) = command("go searchmoves a1 b2 depth 3 infinite ponder") else { panic!() };
    assert_eq!(go.search_moves, ["a1", "b2"]);
    assert_eq!((go.depth, go.infinite, go.ponder), (Some(3), true, true));
}

#[test]
fn a_bad_number_after_go_is_refused_and_the_rest_counts() {
    for (line, named) in [
        ("go depth x nodes 5", "depth"),
        ("go movetime 1e3 nodes 5", "movetime"),
        ("go depth -1 nodes 5", "depth"),
        ("go wtime nodes 5", "wtime"),
        ("go nodes 5 mate", "mate"),
    ] {
        let Command::Go(go) = command(line) else { panic!() };
        assert_eq!(go.nodes, Some(5), "{line}");
        assert_eq!(go.refused.len(), 1, "{line}");
        assert_eq!(go.refused[0].code, Code::BadNumber);
        assert!(go.refused[0].text.contains(named), "{line}: {}", go.refused[0]);
    }
    let Command::Go(go) = command("go depth 99999999999999999999999") else { panic!() };
    assert_eq!(go.depth, Some(u64::MAX));
}

#[test]
fn unknown_words_are_skipped_with_a_warning() {
    let line = parse_line("joho debug on");
    assert_eq!(line.command, Some(Ok(Command::Debug(true))));
    assert_eq!(line.warnings.len(), 1);
    let line = parse_line("go fast depth 3");
    assert!(matches!(line.command, Some(Ok(Command::Go(go))) if go.depth == Some(3)));
    assert_eq!(line.warnings.len(), 1);
    assert_eq!(parse_line("  \t"), ParsedLine::default());
    assert_eq!(parse_line("nonsense").command, None);
}

#[test]
fn refusals_have_their_code_and_say_where() {
    for (line, code, part) in [
        ("position", Code::BadPosition, "startpos or fen"),
        ("position start", Code::BadPosition, "'start'"),
        ("position startpos e2e4", Code::BadPosition, "character 10"),
        ("position startpos view", Code::BadPosition, "a seat after view"),
        ("position fen \u{e9} view", Code::BadPosition, "character 11"),
        ("moves", Code::BadMove, "at least one"),
        ("setoption Hash 3", Code::BadOption, "expected name"),
        ("setoption name", Code::BadOption, "the name of an option"),
        ("setoption name value 3", Code::BadOption, "the name of an option"),
        ("debug maybe", Code::BadValue, "on or off"),
        ("perft", Code::BadNumber, "a depth"),
        ("perft five", Code::BadNumber, "'five'"),
        ("perft 5 6", Code::BadNumber, "the end of the line"),
        ("perft 100000", Code::BadNumber, "at most"),
        ("bench x", Code::BadNumber, "'x'"),
        ("query", Code::UnknownQuery, "a word"),
    ] {
        let (got, text) = refusal(line);
        assert_eq!(got, code, "{line}: {text}");
        assert!(text.contains(part), "{line}: {text}");
    }
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn no_line_whatever_makes_the_grammar_panic(line in "[ -~\t]{0,80}") {
        let _ = parse_line(&line);
    }

    #[test]
    fn no_bytes_whatever_make_the_grammar_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        start in prop::sample::select(vec!["", "position ", "go depth ", "go ", "setoption name "]),
    ) {
        let line = format!("{start}{}", String::from_utf8_lossy(&bytes));
        let _ = parse_line(&line);
        let _ = PositionArgument::parse(&line);
        prop_assert_eq!(command_word(&line).is_some(), parse_line(&line).command.is_some());
    }

    #[test]
    fn long_words_are_cut_between_characters(
        c in any::<char>(),
        shift in "[a-z]{0,4}",
        length in 0_usize..80,
        start in prop::sample::select(vec!["", "position ", "go depth ", "go ", "perft "]),
    ) {
        let line = format!("{start}{shift}{}", c.to_string().repeat(length));
        let _ = parse_line(&line);
        let _ = PositionArgument::parse(&line);
    }

    #[test]
    fn no_line_of_known_words_makes_the_grammar_panic(words in prop::collection::vec(
        prop::sample::select(vec![
            "position", "startpos", "fen", "view", "moves", "go", "depth", "p1time", "p0time",
            "p", "pinc", "-", "-1", ".5", "1.", "name", "value", "setoption", "query", "perft",
            "debug", "searchmoves", "\u{e9}", "p\u{e9}time",
        ]), 0..9))
    {
        let _ = parse_line(&words.join(" "));
    }
}
