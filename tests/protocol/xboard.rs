//! Dialogues in XBoard's dialect.

use crate::client::Client;
use crate::client_rules::BARCA;

/// A session after the handshake, in force mode at the starting position.
fn xboard() -> Client {
    let mut client = Client::program(BARCA, &[]);
    assert_eq!(client.ask("xboard"), "");
    client.send("protover 2");
    client.until("feature done=1");
    client.send("new\nvariant barca");
    client.until("piece M");
    client.send("force");
    client
}

fn pong(client: &mut Client) {
    client.send("ping 7");
    assert_eq!(client.line(), "pong 7");
}

#[test]
fn the_handshake_declares_the_game() {
    let mut client = Client::program(BARCA, &[]);
    client.replay(
        "handshake",
        r#"> xboard
< 
> protover 2
< feature done=0
< feature myname="Parlor Barca" variants="barca" setup=1 highlight=1 usermove=1
< feature ping=1 setboard=1 playother=1 analyze=1 memory=1 smp=1 time=1 reuse=1
< feature sigint=0 sigterm=0 san=0 draw=0 colors=0 name=0 nps=0 debug=1
<* feature option="*
< feature done=1
> accepted done
> rejected setup
> new
> random
> variant barca
< setup (......E..............L....................M.......e..............l....................m.) 10x10+0_fairy 4ee4/3lmml3/10/10/10/10/10/10/3LMML3/4EE4 w - - 0 1
< piece E& mQ
< piece L& mB
< piece M& mR
> ping 1
< pong 1
"#,
    );
}

#[test]
fn a_lifted_animal_marks_exactly_its_targets() {
    let mut client = xboard();
    client.replay(
        "lift",
        "> lift e1\n\
         < highlight 10/10/10/4Y5/4Y5/4Y5/4Y5/4Y5/10/10\n\
         > put e1\n\
         > lift a5\n\
         < highlight 10/10/10/10/10/10/10/10/10/10\n\
         > setboard 5EM1e1/3m6/1L8/10/10/5e3l/8E1/1L8/M2l6/1m8 b - - 0 1\n\
         > lift j4\n\
         < highlight 10/10/6Y3/7Y2/8Y1/10/10/10/10/10\n\
         > put e8\n\
         < telluser Illegal move: the lion moves along diagonals, and j4 to e8 is none\n\
         > lift h9\n\
         < highlight 10/10/10/10/10/10/10/10/10/10\n\
         > put h8\n\
         < telluser Illegal move: *\n\
         > lift z3\n\
         < Error (no such square): lift z3\n",
    );
    pong(&mut client);
}

#[test]
fn an_animal_that_is_put_on_a_target_has_not_moved_yet() {
    let mut client = xboard();
    client.replay(
        "put",
        "> lift e1\n\
         < highlight *\n\
         > put e3\n\
         > usermove e1e3\n\
         > ping 2\n\
         < pong 2\n",
    );
}

#[test]
fn moves_are_shifted_by_one_rank_and_illegal_ones_refused_with_the_reason() {
    let mut client = xboard();
    client.replay(
        "moves",
        "> usermove e1e3\n\
         > usermove e1e2\n\
         < Illegal move (no animal stands on e1): e1e2\n\
         > usermove e9a9\n\
         > usermove e3e9\n\
         < Illegal move (*): e3e9\n\
         > usermove e10e9\n\
         < Illegal move (a move is two squares of the board): e10e9\n\
         > usermove @@@@\n\
         < Illegal move (a move is two squares of the board): @@@@\n\
         > undo\n\
         > usermove e9a9\n\
         > remove\n\
         > undo\n\
         < Error (command not legal now): undo\n\
         > usermove e1e3\n\
         > ping 2\n\
         < pong 2\n",
    );
}

#[test]
fn the_end_of_a_game_is_announced_with_its_reason() {
    let mut client = xboard();
    for (comment, moves) in [
        ("1-0 {watering holes}", "e1e3 e8e5 e3g3 e5g5 e0e2 f9e8 e2d3 f8f9 g1c5 g5g4 c5d6"),
        ("1/2-1/2 {repetition}", "e0a0 e9a9 a0e0 a9e9 e0a0 e9a9 a0e0 a9e9"),
    ] {
        client.send("new\nforce");
        let (last, others) = moves.rsplit_once(' ').map(|(a, b)| (b, a)).unwrap();
        others.split(' ').for_each(|m| client.send(&format!("usermove {m}")));
        pong(&mut client);
        assert_eq!(client.ask(&format!("usermove {last}")), comment);
        let refused = client.ask("usermove e0e1");
        assert!(refused.starts_with("Illegal move (the game is over"), "{refused}");
    }
}

#[test]
fn a_win_of_the_engine_is_announced_after_its_move() {
    let mut client = xboard();
    for m in "e1e3 e8e5 e3g3 e5g5 e0e2 f9e8 e2d3 f8f9 g1c5 g5g4".split(' ') {
        client.send(&format!("usermove {m}"));
    }
    client.send("sd 2\ngo\nping 3");
    assert_eq!(client.line(), "move c5d6");
    assert_eq!(client.line(), "1-0 {watering holes}");
    assert_eq!(client.line(), "pong 3");
}

#[test]
fn the_engine_plays_the_side_that_is_not_to_move_where_it_is_asked_to() {
    let mut client = xboard();
    client.send("sd 1\nplayother\nping 1");
    assert_eq!(client.line(), "pong 1");
    client.send("usermove e1e3\nping 2");
    assert!(client.line().starts_with("move "));
    assert_eq!(client.line(), "pong 2");
    // Once the game has ended it plays no side.
    client.send("new\nsd 1\nresult 1-0 {resigns}\nusermove e1e3\nping 3");
    assert_eq!(client.line(), "pong 3");
}

#[test]
fn the_engine_answers_a_move_and_keeps_its_side() {
    let mut client = xboard();
    client.send("new\nlevel 40 0:10 0\nsd 2\nnopost\ntime 1000\notim 1000\nusermove e1e3");
    let answer = client.line();
    assert!(answer.starts_with("move "), "{answer}");
    client.send("post\nusermove d1c2");
    let lines = client.until("move ");
    assert!(lines.len() > 1 && lines[0].starts_with("1 "), "{lines:?}");
    client.send("force\nusermove a0a1");
    assert!(client.line().starts_with("Illegal move"));
    client.send("nopost\ngo");
    assert!(client.line().starts_with("move "));
    client.send("playother");
    pong(&mut client);
}

#[test]
fn a_new_game_has_no_limit_of_depth() {
    let mut client = xboard();
    client.send("sd 1\nst 1000\npost\ngo");
    let lines = client.until("move ");
    assert!(lines[..lines.len() - 1].iter().all(|line| line.starts_with("1 ")), "{lines:?}");
    client.send("new\nforce\nst 1000\ngo");
    client.until("2 ");
    client.send("?");
    client.until("move ");
}

#[test]
fn a_search_is_ended_without_a_move_or_by_move_now() {
    let mut client = xboard();
    client.send("st 1000\nnew\nusermove e1e3\nforce");
    pong(&mut client);
    client.send("go\n?");
    assert!(client.line().starts_with("move "));
    client.send("go\nundo");
    pong(&mut client);
    client.send("go\nresult 1-0 {resigns}\nnew");
    pong(&mut client);
}

#[test]
fn analysis_goes_on_through_moves_until_exit() {
    let mut client = xboard();
    client.send("analyze");
    client.until("3 ");
    client.send("ping 4");
    client.until("pong 4");
    client.send("usermove e1e3");
    client.until("2 ");
    client.send("lift e8");
    client.until("highlight");
    client.send("undo\nexit\nping 5");
    client.until("pong 5");
    pong(&mut client);
}

#[test]
fn a_line_that_already_waits_ends_the_analysis_that_starts_before_it() {
    let mut client = xboard();
    // The hint runs while the other lines come, so that all of them wait together.
    client.send("hint\nanalyze\ngo\nlift e8");
    client.until("highlight");
    client.send("exit\nping 6");
    client.until("pong 6");
    pong(&mut client);
}

#[test]
fn hints_options_memory_and_cores() {
    let mut client = xboard();
    let hint = client.ask("hint");
    let squares = hint.strip_prefix("Hint: ").unwrap();
    assert_eq!(squares.len(), 4, "{hint}");
    client
        .send("memory 32\ncores 1\noption UCI_ShowWDL=1\noption Player=random\noption Clear Hash");
    pong(&mut client);
    for line in ["memory x", "cores 0", "option Player=nobody", "option Nonsense=1"] {
        assert_eq!(client.ask(line), format!("Error (bad option or value): {line}"));
    }
}

#[test]
fn options_are_declared_with_the_values_that_they_have() {
    let mut client = xboard();
    let mut declared = |settings: &str| {
        client.send(&format!("{settings}protover 2"));
        let lines = client.until("feature done=1").into_iter();
        lines.filter(|line| line.starts_with("feature option=")).collect::<Vec<_>>()
    };
    let at_first = declared("");
    // Those two have commands of their own.
    for name in ["Hash", "Threads"] {
        let begin = format!("feature option=\"{name} ");
        assert!(!at_first.iter().any(|line| line.starts_with(&begin)), "{at_first:?}");
    }
    let set = declared("option UCI_ShowWDL=1\noption Diagram=unicode\noption MultiPV=3\n");
    let unset = declared("option UCI_ShowWDL=0\n");
    for (lines, expected) in [
        (&at_first, "Seed -spin 1 0 2147483647"),
        (&at_first, "MultiPV -spin 1 1 500"),
        (&at_first, "Clear Hash -button"),
        (&at_first, "UCI_ShowWDL -check 0"),
        (&at_first, "Diagram -combo *ascii /// unicode"),
        (&set, "MultiPV -spin 3 1 500"),
        (&set, "UCI_ShowWDL -check 1"),
        (&set, "Diagram -combo ascii /// *unicode"),
        (&unset, "UCI_ShowWDL -check 0"),
    ] {
        let line = format!("feature option=\"{expected}\"");
        assert!(lines.contains(&line), "{line}: {lines:?}");
    }
}

#[test]
fn a_hint_after_the_expected_answer_is_one_for_the_side_to_move() {
    let mut client = xboard();
    client.send("sd 3\ngo");
    client.until("move ");
    client.send("force");
    // Black's answer that the search expects, then a move of White.
    for _ in 0..2 {
        let hint = client.ask("hint");
        client.send(&format!("usermove {}", hint.strip_prefix("Hint: ").unwrap()));
        pong(&mut client);
    }
}

#[test]
fn a_hint_after_a_move_taken_back_is_one_for_the_side_to_move() {
    let mut client = xboard();
    client.send("sd 3\ngo");
    client.until("move ");
    // The expected answer to that move is Black's.
    client.send("force\nundo");
    let hint = client.ask("hint");
    client.send(&format!("usermove {}", hint.strip_prefix("Hint: ").unwrap()));
    pong(&mut client);
}

#[test]
fn bad_lines_are_answered_and_change_nothing() {
    let mut client = xboard();
    client.send("usermove e1e3");
    for (line, kind) in [
        ("frobnicate", "unknown command"),
        ("usermove", "missing argument"),
        ("level x", "not a level"),
        ("st soon", "not a number"),
        ("sd -1", "not a number"),
        ("variant chess", "unknown variant"),
        ("edit", "unknown command"),
    ] {
        assert_eq!(client.ask(line), format!("Error ({kind}): {line}"));
    }
    let refused = client.ask("setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(refused.starts_with("tellusererror Illegal position: "), "{refused}");
    assert_eq!(
        client.ask("usermove e9a9"),
        "Illegal move (the position on the board is not legal): e9a9"
    );
    client.send_bytes(b"usermove \xff\n");
    assert!(client.line().starts_with("Error (byte 0xff"));
    client.send("new\nforce\nusermove e1e3");
    pong(&mut client);
    assert_eq!(client.exit_code(), 0);
}
