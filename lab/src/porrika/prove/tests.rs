//! What is proved agrees with tables, and a certificate with a fault is refused.

use std::collections::HashMap;

use parlor::game::{Game, Notation, Random};
use parlor::games::porrika::solved::{Certificate, Ending, Tablebase, Verdict, Winning};
use parlor::games::porrika::{Position, Side};

use super::endings::Endings;
use super::search::Prover;
use super::table::{Entry, Numbers, Table};
use super::{GUESS, extract};

/// Three locked pairs, two eggs and a Guardian against a Ser'ra.
const ENDING: &str = "EnEe,-,-,-/-,-,Gw,-/GnSs,-,-,GnSs/GnSs,-,-,-/-,-,Sn,-/-,-,-,-/-,-,-,- c";

/// The same walls, near the end: copper wins in five plies.
const NEAR: &str = "-,-,-,-/-,-,-,-/GnSs,-,-,GnSs/GnSs,-,Gw,-/-,Ee,Sn,-/-,En,-,-/-,-,-,- c";

fn position(text: &str) -> Position {
    text.parse().expect(text)
}

fn prover(endings: usize) -> Prover {
    Prover::new(Table::new(16).expect("memory"), Endings::new(endings), GUESS)
}

/// A certificate of a position that copper wins.
fn certificate(text: &str) -> Certificate {
    let (mut prover, root) = (prover(0), position(text));
    assert_eq!(prover.prove(&root, 2_000_000), Ok(true), "{text}");
    extract::certificate(&mut prover, &root).expect(text)
}

/// Positions of the ending on the way of random play from one whose value the table knows.
#[test]
fn what_is_proved_is_won_by_the_table() {
    let root = position(ENDING);
    let ending = Ending::of(&root).expect("an ending");
    let table = Tablebase::solve(ending, 2, &|| false, &mut |_, _| ()).expect("solved");
    let mut random = Random::new(5);
    let (mut won, mut others) = (0, 0);
    for _ in 0..400 {
        let mut position = root;
        for _ in 0..random.below(40) {
            let Some(m) = position.random_move(&mut random) else { break };
            position.play(&m);
        }
        let Some(verdict) = table.probe(&position).filter(|_| position.outcome().is_none()) else {
            continue;
        };
        let mut prover = prover(0);
        match (prover.prove(&position, 20_000), verdict) {
            (Ok(true), Verdict::CopperWins(plies)) => {
                let mut certificate = extract::certificate(&mut prover, &position).expect("proved");
                assert!(certificate.check().expect("true") >= plies, "{position}");
                won += 1;
            }
            (Ok(true), other) => panic!("{position} is proved, and {other:?}"),
            (Ok(false), Verdict::CopperWins(_)) => panic!("{position} is won, and disproved"),
            (Ok(false), _) => others += 1,
            (Err(_), _) => {}
        }
    }
    assert!(won > 10 && others > 3, "{won} won, {others} not");
}

/// With the table of an ending the search needs no more than the root.
#[test]
fn endings_are_solved_on_the_way() {
    let root = position(ENDING);
    let mut prover = prover(1);
    assert_eq!(prover.prove(&root, 2_000_000), Ok(true));
    assert_eq!(prover.endings.made(), 1);
    let mut certificate = extract::certificate(&mut prover, &root).expect("proved");
    // The table knows the shortest win from where it was made.
    assert!(certificate.check().expect("true") >= 25);
}

/// Whether the moves of some lines win a position, tried without the plies.
fn wins(moves: &HashMap<&str, &str>, position: &Position, left: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.share(Side::Copper.seat()) == 1.0;
    }
    let text = position.to_string();
    let board = text.split(' ').next().unwrap_or_default();
    let after = |m: &_| {
        let mut next = *position;
        next.play(m);
        left > 0 && wins(moves, &next, left - 1)
    };
    match position.side() {
        Side::Silver => position.moves().iter().all(after),
        Side::Copper => moves.get(board).is_some_and(|token| {
            let m = position.parse_move(token).expect("a move");
            position.is_legal(&m) && after(&m)
        }),
    }
}

/// What a text proves; `None` where it is refused.
fn proved(lines: &[String]) -> Option<u32> {
    Certificate::parse(&lines.join("\n")).and_then(|mut certificate| certificate.check()).ok()
}

/// One altered move, one number, one line too few or too many.
#[test]
fn a_certificate_with_a_fault_is_refused() {
    let mut good = certificate(NEAR);
    assert!(good.check().expect("true") >= 5);
    let text = good.to_string();
    assert_eq!(Certificate::parse(&text).expect("read").to_string(), text);
    let lines: Vec<String> = text.lines().map(String::from).collect();
    let with = |at: usize, line: String| {
        let mut changed = lines.clone();
        changed[at] = line;
        changed
    };
    let mut refused = 0;
    for at in 2..lines.len() {
        let words: Vec<&str> = lines[at].split(' ').collect();
        for m in position(&format!("{} c", words[0])).moves() {
            let token = position(&format!("{} c", words[0])).token(&m);
            let changed = with(at, format!("{} {token} {}", words[0], words[2]));
            if proved(&changed).is_none() {
                refused += 1;
                continue;
            }
            // Another move that wins as fast, in positions that have lines.
            let moves = changed[2..].iter().filter_map(|line| {
                let mut words = line.split(' ');
                Some((words.next()?, words.next()?))
            });
            assert!(wins(&moves.collect(), good.root(), 40), "{} {token}", lines[at]);
        }
        let plies: u32 = words[2].parse().expect("plies");
        for other in [plies - 1, plies + 1, plies + 2, 0, u32::MAX] {
            let changed = with(at, format!("{} {} {other}", words[0], words[1]));
            assert_eq!(proved(&changed), None, "{} {other}", lines[at]);
        }
        let mut shorter = lines.clone();
        shorter.remove(at);
        assert_eq!(proved(&shorter), None, "without {}", lines[at]);
    }
    assert!(refused >= 500, "{refused}");
    let mut longer = lines.clone();
    longer.push("-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,Sn,-/-,EnEw,-,-/-,-,Ew,- b6wb7e 1".into());
    assert_eq!(proved(&longer), None, "a line too many");
    assert_eq!(proved(&with(1, lines[1].replace(" c", " s"))), None, "another root");
}

/// A root with silver to move: all replies are answered.
#[test]
fn silver_may_be_to_move() {
    let mut root = position(NEAR);
    let winning = certificate(NEAR).winning(&root).expect("a move");
    root.play(&winning.m);
    assert_eq!(root.side(), Side::Silver);
    let mut certificate = certificate(&root.to_string());
    assert!(certificate.check().expect("true") >= 4);
    assert!(certificate.len() > root.moves().len() / 2);
    let mut more = Certificate::new(root);
    more.insert(&position(NEAR), Winning { m: winning.m, plies: winning.plies });
    assert!(more.check().is_err());
}

/// A table that is written and read again has the same entries; another file is refused.
#[test]
fn a_table_survives() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    let mut prover = prover(0);
    let root = position(ENDING);
    assert!(prover.prove(&root, 5_000).is_err());
    prover.table.write(&path).expect("written");
    let mut again = Table::new(16).expect("memory");
    again.read(&path).expect("read");
    let entry = prover.table.get(root.key()).expect("the root");
    assert_eq!(again.get(root.key()), Some(entry));
    assert!(!entry.numbers.decided());
    let bytes = std::fs::read(&path).expect("bytes");
    std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("written");
    assert!(again.read(&path).is_err());
    std::fs::write(&path, "something else that is longer").expect("written");
    assert!(again.read(&path).is_err());
}

/// A full bucket keeps what took most work.
#[test]
fn cheap_entries_give_way() {
    let mut table = Table::new(1).expect("memory");
    let entry = |proof| Entry { numbers: Numbers { proof, disproof: 1 }, plies: 0 };
    // Near keys share a bucket.
    for key in 1..=6_u64 {
        table.put(key, entry(key as u32), 10 * (7 - key));
    }
    assert_eq!(table.get(1), Some(entry(1)));
    assert_eq!(table.get(5).or(table.get(6)), Some(entry(6)));
}
