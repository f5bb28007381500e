//! Best-reply search and Monte-Carlo tree search against simple definitions of what they compute.

use std::ops::ControlFlow;

use parlor::game::{Game, MAX_SEATS, Outcome, Seat, Situation, Turn};
use parlor::search::dice::Depth;
use parlor::search::maxn::maxn;
use parlor::search::value::SCALE;
use parlor::search::{
    BestReply, BestReplyPlayer, Evaluate, LikelyMove, Limits, MctsConfig, MctsPlayer, Player,
    PvsConfig, Report, Request, Score, Settings,
};

use crate::games::{End, Heap, Plain, Row};

/// The greater number; of equal ones the left.
struct Greedy;

impl LikelyMove<Row> for Greedy {
    fn likely_move(row: &Row) -> Option<End> {
        let moves = row.moves();
        let number = |m: &End| match m {
            End::Left => row.numbers[row.from as usize],
            End::Right => row.numbers[row.to as usize - 1],
        };
        moves.into_iter().rev().max_by_key(number)
    }
}

/// What max^n plays, searched to the end of the row.
struct Rational;

impl LikelyMove<Row> for Rational {
    fn likely_move(row: &Row) -> Option<End> {
        let seat = row.turn().seat()?;
        let value = |m: &End| {
            let mut next = row.clone();
            next.play(m);
            let depth = Depth::of_moves(16);
            maxn(&Situation::new(next), Plain, depth)[seat.index()]
        };
        let moves = row.moves();
        moves.into_iter().rev().max_by(|a, b| value(a).total_cmp(&value(b)))
    }
}

/// The value of a row by the definition of best-reply search: after a move of `me` every other seat
/// moves in turn, one of them freely, the rest by their likely move.
fn best_reply<L: LikelyMove<Row>>(row: &Row, me: Seat, replied: bool, depth: u32, ply: i32) -> i32 {
    if let Some(outcome) = row.outcome() {
        return match outcome.share(me) {
            share if share >= 1.0 => 32_000 - ply,
            share if share > 0.0 => 0,
            _ => ply - 32_000,
        };
    }
    if depth == 0 {
        return Plain.score(&Plain.fresh(row), row, me);
    }
    let mine = row.turn().seat() == Some(me);
    let likely = L::likely_move(row);
    let free = mine || !replied;
    let mut values = Vec::new();
    for m in row.moves().into_iter().filter(|m| free || Some(m) == likely.as_ref()) {
        let mut next = row.clone();
        next.play(&m);
        let replied = !mine && (replied || row.seats > 2 && Some(m) != likely);
        values.push(best_reply::<L>(&next, me, replied, depth - 1, ply + 1));
    }
    let best = if mine { values.into_iter().max() } else { values.into_iter().min() };
    best.expect("a move")
}

fn searched<L: LikelyMove<Row>>(row: &Row, depth: u32) -> i32 {
    let config = PvsConfig::full_width();
    let settings = Settings { hash: 1, threads: 0, ..Settings::default() };
    let mut player = BestReplyPlayer::<_, L, _>::new(Plain, config, &settings);
    let mut value = None;
    let request = Request::new(Limits::depth(depth));
    player.choose(&Situation::new(row.clone()), &request, &mut |report| {
        if let Report::Info(info) = report {
            value = Some(match info.score {
                Score::Cp(cp) => cp,
                Score::Mate(plies) if plies > 0 => 32_000 - plies,
                Score::Mate(plies) => -32_000 - plies,
            });
        }
    });
    value.expect("an info")
}

#[test]
fn best_reply_search_finds_the_value_of_its_definition() {
    for seed in 0..40 {
        for seats in 2..=4 {
            let row = Row::new(seed, 9, seats, seed % 2 == 0);
            for depth in [1, 3, 5, 8] {
                let expected = best_reply::<Greedy>(&row, Seat::new(0), false, depth, 0);
                assert_eq!(searched::<Greedy>(&row, depth), expected, "{row:?} depth {depth}");
            }
        }
    }
}

/// A row whose moves forget to update its key.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct StaleKey {
    row: Row,
    key: u64,
}

impl Game for StaleKey {
    type Move = End;

    fn seats(&self) -> usize {
        self.row.seats()
    }
    fn turn(&self) -> Turn {
        self.row.turn()
    }
    fn for_each_move<B>(&self, visit: impl FnMut(End) -> ControlFlow<B>) -> ControlFlow<B> {
        self.row.for_each_move(visit)
    }
    fn is_legal(&self, m: &End) -> bool {
        self.row.is_legal(m)
    }
    fn play(&mut self, m: &End) {
        self.row.play(m);
    }
    fn outcome(&self) -> Option<Outcome> {
        self.row.outcome()
    }
    fn reason(&self) -> Option<&'static str> {
        self.row.reason()
    }
    fn key(&self) -> u64 {
        self.key
    }
    fn fresh_key(&self) -> u64 {
        self.row.fresh_key()
    }
}

impl LikelyMove<StaleKey> for Greedy {
    fn likely_move(position: &StaleKey) -> Option<End> {
        <Greedy as LikelyMove<Row>>::likely_move(&position.row)
    }
}

#[test]
fn a_key_that_moves_do_not_update_shows_through_best_reply() {
    let row = Row::new(7, 9, 3, false);
    let stale = StaleKey { key: row.key(), row };
    let mut reply = BestReply::<_, Greedy>::new(stale);
    assert_eq!(reply.key(), reply.fresh_key());
    reply.play(&End::Left);
    assert_ne!(reply.key(), reply.fresh_key());
}

#[test]
fn best_reply_search_with_two_seats_is_max_n() {
    for seed in 0..60 {
        let row = Row::new(seed, 8, 2, seed % 2 == 0);
        // One ply short of the end, so that evaluations are compared.
        let depth = Depth::of_moves(4);
        let values = maxn(&Situation::new(row.clone()), Plain, depth);
        assert_eq!(f64::from(searched::<Greedy>(&row, 4)), values[0], "{row:?}");
    }
}

/// If max^n moves are the likely ones of all others, a free reply can only be worse for the searching
/// seat: best-reply search never claims more than max^n. Positions with several max^n values are left
/// out, because there the choice among equal moves matters.
#[test]
fn best_reply_search_claims_no_more_than_max_n() {
    let mut compared = 0;
    for seed in 0..160 {
        for seats in 3..=4 {
            let row = Row::new(seed, 6 + (seed % 2) as u8, seats, false);
            let [shares] = possible(&row)[..] else {
                continue;
            };
            let value = searched::<Rational>(&row, 7);
            assert!(value <= 30_000 || shares[0] == 1.0, "{row:?}: {value} but {shares:?}");
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared} compared");
}

type Shares = [f32; 4];

fn shares(outcome: &Outcome) -> Shares {
    let mut shares = [0.0; 4];
    for seat in Seat::all(outcome.places().len()) {
        shares[seat.index()] = outcome.share(seat) as f32;
    }
    shares
}

/// Every possible value of max^n by shares of the first place, over all choices among equal moves.
fn possible(row: &Row) -> Vec<Shares> {
    if let Some(outcome) = row.outcome() {
        return vec![shares(&outcome)];
    }
    let seat = row.mover as usize;
    let mut options: Vec<Vec<Shares>> = Vec::new();
    let _ = row.for_each_move::<()>(|m| {
        let mut next = row.clone();
        next.play(&m);
        options.push(possible(&next));
        ControlFlow::Continue(())
    });
    // A move can be chosen if no other is better, for some choice among equal moves below.
    let worst = |option: &Vec<Shares>| option.iter().map(|s| s[seat]).fold(f32::MAX, f32::min);
    let mut all: Vec<Shares> = Vec::new();
    for (index, option) in options.iter().enumerate() {
        let others = options.iter().enumerate().filter(|(other, _)| *other != index);
        let bar = others.map(|(_, other)| worst(other)).fold(f32::MIN, f32::max);
        all.extend(option.iter().filter(|shares| shares[seat] >= bar));
    }
    all.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    all.dedup();
    all
}

fn whole_tree() -> MctsConfig {
    MctsConfig { keep: usize::MAX, bytes: 64 << 20, ..MctsConfig::default() }
}

#[test]
fn tree_search_to_the_end_finds_the_value_of_max_n() {
    let mut unique = 0;
    for seed in 0..60 {
        for seats in 2..=4 {
            let row = Row::new(seed, 8, seats, seed % 2 == 0);
            let possible = possible(&row);
            let found = MctsPlayer::new(Plain, whole_tree())
                .shares_after(&Situation::new(row.clone()), 20_000);
            let found: Shares = [found[0], found[1], found[2], found[3]];
            assert!(possible.contains(&found), "{row:?}: {found:?} not in {possible:?}");
            unique += (possible.len() == 1) as u32;
        }
    }
    assert!(unique > 60, "{unique} with one value");
}

#[test]
fn tree_search_chooses_a_move_of_max_n() {
    for seed in 0..40 {
        let row = Row::new(seed, 9, 3, false);
        let best = possible(&row);
        let mut report = |_| {};
        let choice = MctsPlayer::new(Plain, whole_tree())
            .choose(&Situation::new(row.clone()), &Request::new(Limits::depth(9)), &mut report)
            .expect("a move");
        let mut next = row.clone();
        next.play(&choice.best);
        let after = possible(&next);
        assert!(after.iter().any(|shares| best.contains(shares)), "{row:?}: {choice:?}");
    }
}

/// The values of [`Plain`], and these logits of the left and of the right number.
struct WithPolicy(Logits);

type Logits = fn(&Row) -> [f32; 2];

impl Evaluate<Row> for WithPolicy {
    type Acc = <Plain as Evaluate<Row>>::Acc;

    fn fresh(&self, row: &Row) -> Self::Acc {
        Plain.fresh(row)
    }

    fn score(&self, acc: &Self::Acc, row: &Row, seat: Seat) -> i32 {
        Plain.score(acc, row, seat)
    }

    fn has_policy(&self) -> bool {
        true
    }

    fn scores_and_policy(
        &self,
        row: &Row,
        moves: &[End],
        logits: &mut Vec<f32>,
    ) -> [i32; MAX_SEATS] {
        assert_eq!(moves, row.moves());
        logits.extend(&(self.0)(row)[..moves.len()]);
        self.scores(&self.fresh(row), row)
    }
}

/// Whatever moves the policy prefers, a tree that is searched to the end has the value of max^n.
#[test]
fn tree_search_by_a_policy_to_the_end_finds_the_value_of_max_n() {
    let policies: [Logits; 3] =
        [|_| [0.0, 0.0], |row| [f32::from(row.from % 3), 1.0], |_| [-4.0, 4.0]];
    for seed in 0..30 {
        for (seats, policy) in (2..).zip(policies) {
            let row = Row::new(seed, 8, seats, seed % 2 == 0);
            let found = MctsPlayer::new(WithPolicy(policy), whole_tree())
                .shares_after(&Situation::new(row.clone()), 20_000);
            let found: Shares = [found[0], found[1], found[2], found[3]];
            assert!(possible(&row).contains(&found), "{row:?}: {found:?}");
        }
    }
}

/// The first visit goes where the policy says, and a position counts as it is evaluated itself.
#[test]
fn the_first_visit_follows_the_policy() {
    let policies: [(Logits, End); 2] = [(|_| [2.0, 1.0], End::Left), (|_| [1.0, 2.0], End::Right)];
    for seed in 0..20 {
        let row = Row::new(seed, 10, 3, false);
        for (policy, m) in policies {
            let mut player = MctsPlayer::new(WithPolicy(policy), MctsConfig::default());
            let found = player.shares_after(&Situation::new(row.clone()), 1);
            let mut next = row.clone();
            next.play(&m);
            let scores = Plain.scores(&Plain.fresh(&next), &next);
            let chances = scores.map(|score| 1.0 / (1.0 + (-f64::from(score) / SCALE).exp()));
            let total: f64 = chances[..3].iter().sum();
            for seat in 0..3 {
                let expected = chances[seat] / total;
                assert!((f64::from(found[seat]) - expected).abs() < 1e-5, "{row:?} {m:?}");
            }
        }
    }
}

/// The tree explores: a policy that prefers the worse move by far is overruled, and one visit is one
/// position evaluated.
#[test]
fn values_overrule_a_policy() {
    let mut checked = 0;
    for seed in 0..200 {
        let row = Row::new(seed, 9, 2, false);
        let best = possible(&row);
        let after = |m: &End| {
            let mut next = row.clone();
            next.play(m);
            possible(&next)
        };
        let good = |m: &End| after(m).iter().any(|shares| best.contains(shares));
        if good(&End::Left) || !good(&End::Right) {
            continue;
        }
        checked += 1;
        let mut nodes = 0;
        let mut player = MctsPlayer::new(WithPolicy(|_| [3.0, 0.0]), whole_tree());
        let limits = Limits::nodes(20_000);
        let choice =
            player.choose(&Situation::new(row.clone()), &Request::new(limits), &mut |report| {
                if let Report::Info(info) = report {
                    nodes = info.nodes;
                }
            });
        assert_eq!(choice.expect("a move").best, End::Right, "{row:?}");
        assert!(nodes <= 20_000);
    }
    assert!(checked > 5, "{checked}");
}

#[test]
fn a_tree_without_memory_still_chooses_a_legal_move() {
    let row = Row::new(3, 12, 4, true);
    for config in [
        MctsConfig { bytes: 0, ..MctsConfig::default() },
        MctsConfig { keep: 0, ..MctsConfig::default() },
    ] {
        for limits in [Limits::nodes(0), Limits::nodes(500), Limits::depth(0), Limits::depth(3)] {
            let mut infos = 0;
            let choice = MctsPlayer::new(Plain, config.clone()).choose(
                &Situation::new(row.clone()),
                &Request::new(limits),
                &mut |_| infos += 1,
            );
            assert!(row.is_legal(&choice.expect("a move").best));
            assert!(infos > 0);
        }
    }
}

#[test]
fn both_choose_only_search_moves() {
    let row = Row::new(5, 12, 3, false);
    for only in [End::Left, End::Right] {
        let mut request = Request::new(Limits::depth(4));
        request.search_moves = Some(vec![only]);
        let situation = Situation::new(row.clone());
        let tree = MctsPlayer::new(Plain, whole_tree()).choose(&situation, &request, &mut |_| {});
        assert_eq!(tree.expect("a move").best, only);
        let config = PvsConfig::default();
        let reply = BestReplyPlayer::<_, Greedy, _>::new(Plain, config, &Settings::default())
            .choose(&situation, &request, &mut |_| {});
        assert_eq!(reply.expect("a move").best, only);
    }
}

#[test]
fn a_win_by_a_move_that_may_not_be_made_is_no_proof() {
    // Taking all three wins at once; after one the other seat takes the last two.
    let situation = Situation::new(Heap { left: 3, mover: 0 });
    let mut request = Request::new(Limits::depth(4));
    request.search_moves = Some(vec![1]);
    let mut shares = None;
    let mut tree = MctsPlayer::new(Plain, whole_tree());
    let choice = tree.choose(&situation, &request, &mut |report| {
        if let Report::Info(info) = report {
            shares = info.shares;
        }
    });
    assert_eq!(choice.expect("a move").best, 1);
    assert_eq!(shares.expect("an info"), [0, 1_000]);
}
