//! The tree of a game: what was played, what was taken back, and variations; which position play has
//! reached; and what pages do not know of it yet.

use std::collections::{BTreeMap, BTreeSet};

use super::outgoing::{Arrival, Better, Evaluation, Mark, Origin, TreeNode};
use super::view::{self, View};
use crate::protocol::{PositionLine, Turn, seat_name};
use crate::runner::process::Clock;

/// One position of the tree.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) parent: Option<usize>,
    pub(super) ply: usize,
    /// The token that led here; empty at the root.
    pub(super) token: String,
    /// The seat that decided or threw, from 0.
    pub(super) by: Option<usize>,
    pub(super) origin: Origin,
    /// The milliseconds that the decision took.
    pub(super) ms: Option<u64>,
    value: Option<Evaluation>,
    /// What a review says of the token, and what would have been better.
    mark: Option<Mark>,
    pub(super) better: Option<Better>,
    /// Whose turn it is here, once it has been asked.
    pub(super) turn: Option<Turn>,
    /// The clocks when play came here; empty without clocks, and where nobody played.
    pub(super) clocks: Vec<Clock>,
    /// The token as each seat may see it, where there are secrets.
    masks: BTreeMap<usize, String>,
}

impl Node {
    fn new(parent: Option<usize>, ply: usize, token: &str, by: Option<usize>, o: Origin) -> Self {
        Node {
            parent,
            ply,
            token: token.to_owned(),
            by,
            origin: o,
            ms: None,
            value: None,
            mark: None,
            better: None,
            turn: None,
            clocks: Vec::new(),
            masks: BTreeMap::new(),
        }
    }

    /// Whether the token was thrown.
    pub(super) fn is_thrown(&self) -> bool {
        self.origin == Origin::Chance
    }

    /// Whether one of these seats decided or threw.
    fn is_of(&self, seats: &BTreeSet<usize>) -> bool {
        self.by.is_some_and(|seat| seats.contains(&seat))
    }
}

/// All positions; numbers are never given twice.
#[derive(Debug)]
pub(super) struct Tree {
    /// `startpos` or `fen ...`.
    start: String,
    nodes: BTreeMap<usize, Node>,
    next: usize,
    /// The position that play has reached.
    live: usize,
    /// What pages do not have yet, or not as it is: of all views, and of that of a seat alone.
    unsent: BTreeMap<Option<usize>, BTreeSet<usize>>,
}

/// The greatest number of positions of one game.
pub(super) const MAX_NODES: usize = 20_000;

impl Tree {
    /// A tree of one position.
    pub(super) fn new(start: &str) -> Self {
        let root = Node::new(None, 0, "", None, Origin::Record);
        Tree {
            start: start.to_owned(),
            nodes: BTreeMap::from([(0, root)]),
            next: 1,
            live: 0,
            unsent: BTreeMap::new(),
        }
    }

    /// `startpos` or `fen ...`.
    pub(super) fn start(&self) -> &str {
        &self.start
    }

    /// The position that play has reached.
    pub(super) fn live(&self) -> usize {
        self.live
    }

    /// Play goes on from another position.
    pub(super) fn set_live(&mut self, node: usize) {
        self.live = node;
    }

    pub(super) fn get(&self, node: usize) -> Option<&Node> {
        self.nodes.get(&node)
    }

    pub(super) fn ply(&self, node: usize) -> usize {
        self.get(node).map_or(0, |node| node.ply)
    }

    /// Whose turn it is at a node, once that is known.
    pub(super) fn turn(&self, node: usize) -> Option<Turn> {
        self.get(node)?.turn
    }

    /// The seat that decides at a node.
    pub(super) fn decider(&self, node: usize) -> Option<usize> {
        self.turn(node)?.decider()
    }

    /// The argument of `position` at a node, with everything.
    pub(super) fn position(&self, node: usize) -> PositionLine {
        let token = |number: usize| self.nodes.get(&number).map(|node| node.token.as_str());
        PositionLine::new(&self.start, self.path(node).into_iter().filter_map(token))
    }

    /// Whether another position may be added.
    pub(super) fn has_room(&self) -> bool {
        self.nodes.len() < MAX_NODES
    }

    /// Adds a position after another one, or finds it.
    pub(super) fn add(
        &mut self,
        parent: usize,
        token: &str,
        by: Option<usize>,
        origin: Origin,
    ) -> usize {
        let leads = |child: &Node| child.parent == Some(parent) && child.token == token;
        let known = self.nodes.range(parent..).find(|(_, child)| leads(child));
        let number = match known {
            Some((&number, _)) => number,
            None => {
                let node = Node::new(Some(parent), self.ply(parent) + 1, token, by, origin);
                self.nodes.insert(self.next, node);
                self.next += 1;
                self.next - 1
            }
        };
        self.note_unsent(number);
        number
    }

    /// Adds a token to the game; `ms`: what it took to decide.
    pub(super) fn play(&mut self, token: &str, by: Option<usize>, origin: Origin, ms: Option<u64>) {
        self.live = self.add(self.live, token, by, origin);
        if let Some(node) = self.nodes.get_mut(&self.live) {
            node.ms = ms.or(node.ms);
        }
    }

    /// Notes whose turn it is at a node.
    pub(super) fn note_turn(&mut self, node: usize, turn: Turn) {
        if let Some(node) = self.nodes.get_mut(&node) {
            node.turn = Some(turn);
        }
    }

    /// Notes the clocks at the live node, for taking back.
    pub(super) fn note_clocks(&mut self, clocks: &[Clock]) {
        if let Some(node) = self.nodes.get_mut(&self.live) {
            node.clocks = clocks.to_vec();
        }
    }

    /// Notes what a node is worth; nothing new is known without a value.
    pub(super) fn note_value(&mut self, node: usize, value: Option<Evaluation>) {
        if let (Some(value), Some(at)) = (value, self.nodes.get_mut(&node)) {
            at.value = Some(value);
            self.note_unsent(node);
        }
    }

    /// Notes what a review says of the token that led to a node, and what would have been better.
    pub(super) fn note_mark(&mut self, node: usize, mark: Option<Mark>, better: Option<Better>) {
        if let Some(at) = self.nodes.get_mut(&node) {
            (at.mark, at.better) = (mark, better);
            self.note_unsent(node);
        }
    }

    fn note_unsent(&mut self, node: usize) {
        self.unsent.entry(None).or_default().insert(node);
    }

    /// The positions that pages with a view do not have yet, or not as they are.
    pub(super) fn unsent(&self, view: View) -> BTreeSet<usize> {
        let own = |seat: &Option<usize>| match (view, seat) {
            (_, None) | (View::Table, _) => true,
            (View::Seat(own), Some(seat)) => own == *seat,
            (View::All, Some(_)) => false,
        };
        let parts = self.unsent.iter().filter(|(seat, _)| own(seat));
        parts.flat_map(|(_, numbers)| numbers).copied().collect()
    }

    /// All pages have everything.
    pub(super) fn note_sent(&mut self) {
        self.unsent.clear();
    }

    /// The positions from the root to a node, the root left out.
    pub(super) fn path(&self, node: usize) -> Vec<usize> {
        let parent = |&number: &usize| self.nodes.get(&number).and_then(|node| node.parent);
        let mut path: Vec<usize> = std::iter::successors(Some(node), parent).collect();
        path.pop();
        path.reverse();
        path
    }

    /// The main line: the positions up to the live one, and the first child each time from there
    /// on; the root left out.
    pub(super) fn main_line(&self) -> Vec<usize> {
        let mut node = self.live;
        while let Some((&child, _)) =
            self.nodes.range(node..).find(|(_, child)| child.parent == Some(node))
        {
            node = child;
        }
        self.path(node)
    }

    /// The position of the main line after this one of it.
    pub(super) fn next_in_main_line(&self, node: usize) -> Option<usize> {
        let line = self.main_line();
        let place = line.iter().position(|&number| number == node).map_or(0, |place| place + 1);
        line.get(place).copied()
    }

    /// The position that taking back leads to for some seats: before their last decision. With
    /// secrets only while nothing of others has followed, which may have told one; and only for
    /// those who are `alone`, since of several people at one page one may have told another.
    pub(super) fn undo_target(
        &self,
        own: &BTreeSet<usize>,
        secrets: bool,
        alone: bool,
    ) -> Option<usize> {
        let path = self.path(self.live);
        let own_decision = |number: &usize| {
            self.get(*number).is_some_and(|node| node.is_of(own) && !node.is_thrown())
        };
        let decides = |number: &usize| {
            own_decision(number)
                && self.get(*number).is_some_and(|node| node.origin != Origin::Opening)
        };
        let place = path.iter().rposition(decides)?;
        if secrets && !(alone && path[place + 1..].iter().all(own_decision)) {
            return None;
        }
        self.get(path[place])?.parent
    }

    /// Notes how a seat's view names the tokens up to the live node. A view that is no list of the
    /// same length names nothing.
    pub(super) fn note_view(&mut self, seat: usize, view: &PositionLine) {
        let tokens: Vec<&str> = view.tokens().collect();
        let path = self.path(self.live);
        if tokens.len() != path.len() {
            return;
        }
        for (number, token) in path.into_iter().zip(tokens) {
            let Some(node) = self.nodes.get_mut(&number) else { continue };
            if node.masks.get(&seat).is_none_or(|old| old != token) {
                node.masks.insert(seat, token.to_owned());
                self.unsent.entry(Some(seat)).or_default().insert(number);
            }
        }
    }

    /// All positions, in the order of their numbers.
    pub(super) fn numbers(&self) -> BTreeSet<usize> {
        self.nodes.keys().copied().collect()
    }

    /// One position of a game of so many seats as a page with a view sees it.
    pub(super) fn shown(&self, number: usize, view: View, seats: usize) -> Option<TreeNode> {
        let node = self.nodes.get(&number)?;
        let token = match view {
            View::All => Some(node.token.clone()),
            View::Seat(seat) => node.masks.get(&seat).cloned(),
            // Of a seat whose view is not known anything may be a secret.
            View::Table if node.masks.len() < seats => None,
            View::Table => view::token(node.masks.values().map(String::as_str)),
        };
        let arrival = Arrival { token, by: node.by.map(seat_name), origin: node.origin };
        let shown = TreeNode {
            node: number,
            parent: node.parent,
            ply: node.ply,
            arrival: node.parent.map(|_| arrival),
            ms: node.ms,
            ..TreeNode::default()
        };
        // Values and reviews are made from the whole position.
        Some(match view {
            View::Seat(_) | View::Table => shown,
            View::All => TreeNode {
                value: node.value.clone(),
                mark: node.mark,
                better: node.better.clone(),
                ..shown
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::protocol::Score;

    use super::*;

    fn line(text: &str) -> PositionLine {
        PositionLine::read(text).unwrap()
    }

    #[test]
    fn a_tree_branches_and_finds_its_lines() {
        let mut tree = Tree::new("startpos");
        let a = tree.add(0, "a", Some(0), Origin::Here);
        let b = tree.add(a, "b", Some(1), Origin::Engine);
        let c = tree.add(a, "c", Some(1), Origin::Variation);
        assert_eq!(tree.add(a, "b", Some(1), Origin::Variation), b);
        assert_eq!(tree.position(c).as_str(), "startpos moves a c");
        assert_eq!(tree.main_line(), [a, b]);
        assert_eq!([0, a, b].map(|node| tree.next_in_main_line(node)), [Some(a), Some(b), None]);
        tree.set_live(c);
        assert_eq!(tree.main_line(), [a, c]);
    }

    #[test]
    fn a_token_keeps_the_time_it_took() {
        let mut tree = Tree::new("startpos");
        let mut time_after = |ms| {
            tree.set_live(0);
            tree.play("a", Some(0), Origin::Here, ms);
            tree.get(tree.live()).unwrap().ms
        };
        assert_eq!(
            [Some(700), None, Some(80)].map(&mut time_after),
            [Some(700), Some(700), Some(80)]
        );
    }

    #[test]
    fn a_seat_sees_its_own_names_of_tokens() {
        let mut tree = Tree::new("startpos");
        tree.play("word:b1:teapot", Some(1), Origin::Here, None);
        let a = tree.live();
        tree.play("roll", Some(0), Origin::Here, None);
        let b = tree.live();
        tree.note_sent();
        let token = |tree: &Tree, view| tree.shown(a, view, 2).unwrap().arrival.unwrap().token;
        assert_eq!(token(&tree, View::Seat(0)), None);
        tree.note_view(0, &line("startpos view p1 moves word:b1:? roll"));
        assert_eq!(tree.unsent(View::Seat(0)), BTreeSet::from([a, b]));
        assert_eq!(tree.unsent(View::Seat(1)), BTreeSet::new());
        tree.note_sent();
        tree.note_view(0, &line("startpos view p1 moves word:b1:? roll"));
        tree.note_view(2, &line("fen x view p3"));
        assert_eq!(tree.unsent(View::Seat(0)), BTreeSet::new());
        assert_eq!(token(&tree, View::Seat(0)).unwrap(), "word:b1:?");
        assert_eq!(token(&tree, View::All).unwrap(), "word:b1:teapot");
        assert_eq!(token(&tree, View::Seat(2)), None);
        // Who has no seat sees what all seats see, once that is known of all.
        assert_eq!(token(&tree, View::Table), None);
        tree.note_view(1, &line("startpos view p2 moves word:b1:teapot roll"));
        assert_eq!(token(&tree, View::Table).unwrap(), "word:b1:?");
    }

    #[test]
    fn taking_back_leads_before_the_last_decision_of_a_seat() {
        let mut tree = Tree::new("startpos");
        tree.play("set", Some(0), Origin::Opening, None);
        let opened = tree.live();
        assert_eq!(tree.undo_target(&BTreeSet::from([0]), false, true), None, "nobody chose it");
        tree.play("a", Some(0), Origin::Here, None);
        let played = tree.live();
        tree.play("die:3", Some(0), Origin::Chance, None);
        let (white, black) = (BTreeSet::from([0]), BTreeSet::from([1]));
        assert_eq!(tree.undo_target(&white, false, true), Some(opened));
        assert_eq!(tree.undo_target(&black, false, true), None);
        // The throw may have told a secret.
        assert_eq!(tree.undo_target(&white, true, true), None);
        tree.set_live(played);
        assert_eq!(tree.undo_target(&white, true, true), Some(opened));
        assert_eq!(tree.undo_target(&white, true, false), None);
        tree.play("b", Some(1), Origin::Engine, None);
        assert_eq!(tree.undo_target(&white, false, true), Some(opened));
        assert_eq!(tree.undo_target(&white, true, true), None);
        assert_eq!(tree.undo_target(&black, true, true), Some(played));
    }

    /// They are made from the whole position, the secrets of others included.
    #[test]
    fn a_seat_with_secrets_sees_no_value_and_no_review() {
        let mut tree = Tree::new("startpos");
        let node = tree.add(0, "roll", Some(0), Origin::Here);
        let value = Evaluation { shares: vec![600, 400], score: Some(Score::Centipawns(70)) };
        tree.note_value(node, Some(value));
        let better = Better { best: "jewels:1".into(), ..Better::default() };
        tree.note_mark(node, Some(Mark::Mistake), Some(better));
        let members = ["shares", "score", "mark", "best"];
        let told = |view| {
            let value = serde_json::to_value(tree.shown(node, view, 2).unwrap()).unwrap();
            members.map(|member| value.get(member).is_some())
        };
        assert_eq!(told(View::All), [true; 4]);
        assert_eq!(told(View::Seat(0)), [false; 4]);
    }

    /// A random tree against a list of lines: every position is found again by the tokens that lead
    /// to it, numbers are given once, in order, and the main line is that of the first children.
    #[test]
    fn positions_are_their_tokens_from_the_root() {
        let mut random = crate::random::Random::new(2);
        let mut tree = Tree::new("startpos");
        let mut lines: Vec<Vec<&str>> = vec![Vec::new()];
        for _ in 0..300 {
            let parent = random.below(lines.len() as u64) as usize;
            let token = ["a", "b", "c"][random.below(3) as usize];
            let line = [&lines[parent][..], &[token]].concat();
            let known = lines.iter().position(|other| *other == line);
            let origin = if token == "c" { Origin::Chance } else { Origin::Here };
            let number = tree.add(parent, token, Some(line.len() % 2), origin);
            assert_eq!(number, known.unwrap_or(lines.len()));
            if known.is_none() {
                lines.push(line);
            }
        }
        assert_eq!(tree.numbers(), (0..lines.len()).collect());
        for (number, line) in lines.iter().enumerate() {
            let tokens: Vec<String> = tree.position(number).tokens().map(str::to_owned).collect();
            assert_eq!(tokens, *line);
            let node = tree.get(number).unwrap();
            assert_eq!(node.ply, line.len());
            assert_eq!(node.is_thrown(), line.last() == Some(&"c"));
            let path: Vec<usize> = (1..=line.len())
                .map(|plies| lines.iter().position(|other| other[..] == line[..plies]).unwrap())
                .collect();
            assert_eq!(tree.path(number), path);
            let shown = tree.shown(number, View::All, 2).unwrap();
            assert_eq!((shown.node, shown.ply), (number, line.len()));
            let before = line.split_last().map(|(_, before)| before);
            let parent = before.map(|before| lines.iter().position(|l| l == before).unwrap());
            assert_eq!((node.parent, shown.parent), (parent, parent));
            assert_eq!(shown.arrival.is_none(), line.is_empty());
            let by = shown.arrival.and_then(|arrival| arrival.by);
            assert_eq!(by.as_deref(), (!line.is_empty()).then_some(["p1", "p2"][line.len() % 2]));
            // The first child is the one that was added first.
            let mut end = number;
            while let Some(child) = (0..lines.len()).find(|child| {
                lines[*child].split_last().is_some_and(|(_, before)| before == &lines[end][..])
            }) {
                end = child;
            }
            tree.set_live(number);
            assert_eq!(tree.main_line().last().copied().unwrap_or(0), end);
        }
    }

    #[test]
    fn a_tree_has_room_for_a_number_of_positions() {
        let mut tree = Tree::new("startpos");
        let mut last = 0;
        for _ in 1..20_000 {
            assert!(tree.has_room(), "{last}");
            last = tree.add(last, "a", None, Origin::Here);
        }
        assert!(!tree.has_room());
    }
}
