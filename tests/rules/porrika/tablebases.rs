//! Endgame tablebases, their files, and the search that probes them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use parlor::game::{Game, OptionKind, Random, Rules, Situation};
use parlor::games::porrika::solved::{
    Ending, NoTablebase, SolveError, Tablebase, TablebaseError, Verdict,
};
use parlor::games::porrika::{EnginePlayer, Position, Side};
use parlor::search::{Limits, Player, Report, Request, Score, Settings};

use super::position;
use crate::damaged;

/// Three locked pairs, one of them on a way into the Por'rika.
pub(super) const THREE_PAIRS: &str =
    "-,Ee,-,-/-,En,-,-/-,-,Gw,-/GnSs,GnSs,-,-/Se,-,-,-/-,GnSs,-,-/-,-,-,- c";

pub(super) fn table() -> &'static Tablebase {
    static TABLE: OnceLock<Tablebase> = OnceLock::new();
    TABLE.get_or_init(|| {
        let ending = Ending::of(&position(THREE_PAIRS)).expect("an ending");
        Tablebase::solve(ending, 2, &|| false, &mut |_, _| ()).expect("solved")
    })
}

/// Figures of the retrograde analysis; the laboratory's tests compare the values with the rules.
#[test]
fn the_table_knows_who_wins() {
    let census = table().census(Side::Copper).expect("in memory");
    let share = census.copper as f64 / census.states() as f64;
    assert!((0.93..0.995).contains(&share), "copper wins {share} with the move");
    assert!(census.states() > 20_000_000);
    let silver = table().census(Side::Silver).expect("in memory");
    assert_eq!(silver.states(), census.states());
    assert!(silver.silver > census.silver);
    // Copper makes the last ply of its wins.
    let longest = [census.longest_copper, silver.longest_copper];
    assert_eq!(longest.map(|plies| plies % 2), [1, 0], "{longest:?}");
}

/// A generation of which something else waits for the end must not go on for a ply.
#[test]
fn a_generation_can_be_stopped_within_a_ply() {
    let ending = Ending::of(&position(THREE_PAIRS)).expect("an ending");
    for asked in [0, 100, 5_000] {
        let (calls, mut plies) = (AtomicUsize::new(0), 0);
        let stopped = || calls.fetch_add(1, Ordering::Relaxed) >= asked;
        let solved = Tablebase::solve(ending, 1, &stopped, &mut |_, _| plies += 1);
        assert_eq!(solved.err(), Some(SolveError::Stopped));
        assert_eq!(plies, 0, "stopped after {asked} questions");
    }
}

#[test]
fn positions_that_are_no_such_ending_are_refused() {
    let refused = |text: &str| Ending::of(&position(text)).expect_err(text);
    let text = THREE_PAIRS.replace("-,GnSs,-,-/", "-,Gn,-,-/");
    let pieces = |eggs, guardians, serra| NoTablebase::Pieces { eggs, home: 0, guardians, serra };
    assert_eq!(refused(&text), pieces(2, 2, 1));
    assert_eq!(refused(&THREE_PAIRS.replace("Ee", "-")), pieces(1, 1, 1));
    let two_pairs = THREE_PAIRS.replace("-,GnSs,-,-/", "-,Gn,Ss,-/");
    let message = refused(&two_pairs).to_string();
    assert!(message.contains("2 G and 2 S") && message.contains("too many"), "{message}");
    let other =
        THREE_PAIRS.replace("-,Ee,-,-", "GnSs,Ee,-,-").replace("GnSs,GnSs,-,-", "-,GnSs,-,-");
    assert_eq!(table().probe(&position(&other)), None, "other walls");
}

/// Every option but the meaning of a third occurrence changes values, so the table refuses it.
#[test]
fn rule_options_without_a_table_are_refused_by_name() {
    for spec in Position::rule_options() {
        let OptionKind::Combo { values } = &spec.kind else { panic!("{}", spec.name) };
        for value in values {
            let rules = format!("{}={value}", spec.name);
            let position = super::position_under(&rules, THREE_PAIRS);
            let (ending, verdict) = (Ending::of(&position), table().probe(&position));
            if *value == spec.default_value() || spec.name == "Repetition" {
                assert_eq!(ending, Ok(table().ending()), "{rules}");
                assert!(verdict.is_some(), "{rules}");
            } else {
                let error = ending.expect_err(&rules).to_string();
                assert!(error.contains(&rules), "{rules}: {error}");
                assert_eq!(verdict, None, "{rules}");
            }
        }
    }
}

/// One egg is home, and two Ser'ra are free.
const LAST_EGG: &str = "-,-,-,-/-,-,-,-/GnSs,-,-,GnSs/-,Ee,Sn,-/-,-,-,-/Sn,-,-,-/-,Ee,-,- c";

/// The file that `parlor-lab porrika endings --fen LAST_EGG` writes.
const LAST_EGG_FILE: &str = "tests/data/porrika/b7e-0-a3n-d3n.ending";

fn last_egg() -> Tablebase {
    let table = Tablebase::open(LAST_EGG_FILE.as_ref()).expect("opened");
    table.check().expect("whole");
    assert_eq!(table.ending(), Ending::of(&position(LAST_EGG)).expect("an ending"));
    table
}

/// What takes minutes is not solved while somebody waits.
#[test]
fn an_ending_with_one_egg_home_is_only_read() {
    let solved = Tablebase::solve(last_egg().ending(), 2, &|| false, &mut |_, _| ());
    assert_eq!(solved.err(), Some(SolveError::LastEgg));
}

#[test]
fn a_damaged_file_is_refused() {
    let bytes = std::fs::read(LAST_EGG_FILE).expect("read");
    let refused = |bytes: &[u8]| {
        let opened = Tablebase::from_bytes(bytes);
        opened.and_then(|table| table.check()).expect_err("refused")
    };
    assert!(matches!(refused(b""), TablebaseError::Foreign));
    assert!(matches!(refused(b"something else that is long enough"), TablebaseError::Foreign));
    let version_2 = [b"porrika ending 2", &bytes[16..]].concat();
    assert!(matches!(refused(&version_2), TablebaseError::Foreign));
    for length in [20, 39, 41, bytes.len() / 2, bytes.len() - 1] {
        let error = refused(&bytes[..length]);
        let known = matches!(error, TablebaseError::Damaged | TablebaseError::Checksum);
        assert!(known, "{length}: {error}");
    }
    assert!(matches!(refused(&[&bytes[..], b"x"].concat()), TablebaseError::Damaged));
    // Under a checksum that is right, blocks end before they begin or behind the file.
    let blocks = u64::from_le_bytes(bytes[34..42].try_into().expect("8 bytes")) as usize;
    let header = 42 + 8 * blocks;
    for end in [0, u64::MAX - 3, u64::MAX] {
        for number in [0, 1, blocks - 1] {
            let mut wrong = bytes.clone();
            wrong[42 + 8 * number..][..8].copy_from_slice(&end.to_le_bytes());
            let checksum = blake3::hash(&wrong[..header]);
            wrong[header..][..32].copy_from_slice(checksum.as_bytes());
            assert!(matches!(refused(&wrong), TablebaseError::Damaged), "{number}: {end}");
        }
    }
    damaged::each(&bytes, damaged::copies(12), |what, wrong| {
        let opened = Tablebase::from_bytes(wrong);
        assert!(opened.and_then(|table| table.check()).is_err(), "{what}");
    });
}

/// A file of a terabyte takes no room on the disk: the count of blocks in it is not believed.
#[test]
fn a_count_of_blocks_is_held_against_the_ending() {
    let bytes = std::fs::read(LAST_EGG_FILE).expect("read");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.ending");
    let length = 1_u64 << 40;
    for count in [(length - 200) / 8, length / 8, 1 << 20, 1, 0, u64::MAX / 8 + 1] {
        let large = [&bytes[..34], &count.to_le_bytes()].concat();
        std::fs::write(&path, large).expect("written");
        let file = std::fs::File::options().write(true).open(&path).expect("opened");
        file.set_len(length).expect("a sparse file");
        let error = Tablebase::open(&path).expect_err("refused");
        assert!(matches!(error, TablebaseError::Damaged), "{count}: {error}");
    }
}

/// A block that was damaged after the file was opened is no verdict, and no wrong one.
#[test]
fn a_damaged_block_is_not_probed() {
    let table = last_egg();
    let mut bytes = std::fs::read(LAST_EGG_FILE).expect("read");
    let last = bytes.len() - 20;
    bytes[last] ^= 1;
    let damaged = Tablebase::from_bytes(&bytes).expect("its header is whole");
    assert!(matches!(damaged.check(), Err(TablebaseError::Checksum)));
    let start = position(LAST_EGG);
    assert_eq!(damaged.probe(&start), table.probe(&start));
    assert!(damaged.census(Side::Copper).is_ok());
    assert!(matches!(damaged.census(Side::Silver), Err(TablebaseError::Checksum)));
}

/// What happens to the file of an open table ends no program and makes no wrong verdict.
#[test]
fn a_file_that_is_cut_or_overwritten_while_it_is_open_is_not_probed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.ending");
    let start = position(LAST_EGG);
    let whole = std::fs::metadata(LAST_EGG_FILE).expect("a file").len();
    for length in [0, 100, whole / 2] {
        std::fs::copy(LAST_EGG_FILE, &path).expect("copied");
        let table = Tablebase::open(&path).expect("opened");
        let file = std::fs::File::options().write(true).open(&path).expect("opened");
        file.set_len(length).expect("cut");
        assert!(matches!(table.check(), Err(TablebaseError::Damaged)), "{length}");
        let kept = table.probe(&start);
        assert!(kept.is_none() || kept == last_egg().probe(&start), "{length}: {kept:?}");
        file.set_len(whole).expect("filled with zeroes");
        assert!(matches!(table.check(), Err(TablebaseError::Checksum)), "{length}");
    }
}

/// An engine finds the tablebase of its position in a folder, and says the exact distance.
#[test]
fn the_search_probes_the_files_of_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = last_egg();
    std::fs::copy(LAST_EGG_FILE, folder.path().join(table.ending().file_name())).expect("copied");
    std::fs::write(folder.path().join("damaged.ending"), b"porrika ending 3").expect("written");
    std::fs::write(folder.path().join("readme.txt"), b"not one of them").expect("written");
    let mut settings = Settings { options: all_options(), ..Settings::default() };
    settings.options.set("EndgamePath", &folder.path().to_string_lossy()).expect("an option");
    let mut player = EnginePlayer::new(&settings);
    let (mut random, mut compared, mut game) = (Random::new(2), 0, position(LAST_EGG));
    while let Some(verdict) = table.probe(&game) {
        if let Some(expected) = forced(verdict, game.side()) {
            assert_eq!(scores(&mut player, game, 2).last(), Some(&expected), "{game}");
            compared += 1;
        }
        let m = game.random_move(&mut random).expect("a move");
        game.play(&m);
        if table.probe(&game).is_none() {
            game = position(LAST_EGG);
        }
        if compared == 40 {
            return;
        }
    }
    panic!("{compared} positions compared");
}

/// The score of a verdict for the side to move; `None` for a draw.
fn forced(verdict: Verdict, side: Side) -> Option<Score> {
    let sign = if side == Side::Copper { 1 } else { -1 };
    match verdict {
        Verdict::Drawn => None,
        Verdict::CopperWins(plies) => Some(Score::Mate(sign * plies as i32)),
        Verdict::SilverWins(plies) => Some(Score::Mate(-sign * plies as i32)),
    }
}

#[test]
fn a_search_that_probes_the_table_tells_its_distances() {
    let mut settings = Settings { options: all_options(), ..Settings::default() };
    settings.options.set("EndgameTables", "true").expect("an option");
    let mut player = EnginePlayer::new(&settings);
    let mut random = Random::new(1);
    let mut game = position(THREE_PAIRS);
    let mut compared = 0;
    for _ in 0..12 {
        let Some(verdict) = table().probe(&game) else { break };
        compared += 1;
        let scores = scores(&mut player, game, 9);
        let expected = forced(verdict, game.side()).unwrap_or(Score::Cp(0));
        assert_eq!(scores.last(), Some(&expected), "{}", game);
        let m = game.random_move(&mut random).expect("a move");
        game.play(&m);
    }
    assert!(compared >= 6, "only {compared} positions");
}

/// To generate it takes longer than such a search; and whether it is used does not depend on what was
/// searched before.
#[test]
fn a_small_search_neither_generates_the_table_nor_probes_it() {
    let settings = |tables: &str| {
        let mut settings = Settings { options: all_options(), ..Settings::default() };
        settings.options.set("EndgameTables", tables).expect("an option");
        EnginePlayer::new(&settings)
    };
    let game = position(THREE_PAIRS);
    let search = |player: &mut EnginePlayer, limits: Limits| {
        let mut told = Vec::new();
        player.new_game();
        player.choose(&Situation::new(game), &Request::new(limits), &mut |report| {
            if let Report::Info(info) = report {
                told.push((info.depth, info.score, info.nodes, info.pv));
            }
        });
        told
    };
    let (mut with, mut without) = (settings("true"), settings("false"));
    let small = [Limits::depth(1), Limits::depth(5), Limits::nodes(2_000)];
    let mut agree = |with: &mut EnginePlayer| {
        for limits in &small {
            let plain = search(&mut without, limits.clone());
            assert_eq!(search(with, limits.clone()), plain, "{limits:?}");
        }
    };
    agree(&mut with);
    assert!(!with.has_begun_a_table(), "a table was begun");
    let solved = search(&mut with, Limits::depth(9));
    assert!(with.has_begun_a_table() && matches!(solved[0].1, Score::Mate(_)), "{solved:?}");
    agree(&mut with);
}

pub(super) fn all_options() -> parlor::game::OptionValues {
    use parlor::games::Playable;
    parlor::game::OptionValues::new(Position::engine_options())
}

pub(super) fn scores(player: &mut EnginePlayer, position: Position, depth: u32) -> Vec<Score> {
    let mut scores = Vec::new();
    let request = Request::new(Limits::depth(depth));
    player.choose(&Situation::new(position), &request, &mut |report| {
        if let Report::Info(info) = report {
            scores.push(info.score);
        }
    });
    scores
}
